"""``python -m conformance.extra``: array-api-extra's own tests, with xpdl among their backends.

The tests come with that package, and none of them is in this repository. Their backends are the
members of an Enum; this module, which is also the plugin of the pytest run, replaces it by one that
has xpdl too, and leaves of the tests those that run with xpdl.

Exit status: 0 when no test failed but those in NAME_THEIR_BACKENDS, 1 when another failed or one of
these passed, 2 when the tests could not be run.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conformance.runs import PROJECT, Outcome, RunError, outcomes_from

REQUIRED = ("array_api_extra", "pytest_jsonreport", "hypothesis", "scipy")
TESTS = "array_api_extra/tests/main/"

NAME_THEIR_BACKENDS = {
    "test_set.py::TestNUnique::test_delegates[xpdl]": (
        "wants the implementation for NumPy, CuPy, torch and mparray, which are asked for by name; "
        "skipped by name for those that, like xpdl, get the general one"
    ),
    "test_testing.py::test_lazy_xp_function_cython_ufuncs[xpdl]": (
        "wants a ufunc of SciPy to take the array; array_api_strict and JAX are named as those "
        "that refuse, and xpdl refuses too"
    ),
}
"""The tests that cannot pass with a backend that they do not know, and why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests as the command line asks, print what came of them, give the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m conformance.extra",
        description="Run array-api-extra's own tests with xpdl as their backend.",
    )
    parser.add_argument("-k", metavar="EXPRESSION", help="only the tests that pytest's -k selects")
    parser.add_argument("--seed", type=int, default=0, help="hypothesis' seed (default: 0)")
    options = parser.parse_args(arguments)
    missing = [name for name in REQUIRED if importlib.util.find_spec(name) is None]
    if missing:
        parser.error(f"not installed: {', '.join(missing)}")
    try:
        outcomes = run_tests(options.k, options.seed)
    except RunError as error:
        print(f"conformance.extra: {error}", file=sys.stderr)
        return 2
    report, unexpected = report_from(outcomes)
    print(f"array-api-extra {version('array-api-extra')}, NumPy {version('numpy')}\n\n{report}")
    return 1 if unexpected else 0


def report_from(outcomes: Sequence[Outcome]) -> tuple[str, bool]:
    """What came of the tests, in words, and whether any is not as NAME_THEIR_BACKENDS says."""
    lines = []
    unexpected = False
    for outcome in outcomes:
        cause = NAME_THEIR_BACKENDS.get(outcome.test.removeprefix(TESTS))
        if outcome.kind == "failed":
            lines.append(f"failed: {outcome.test}: {outcome.reason}")
            lines.append(f"    it {cause}" if cause else "    not known to name its backends")
            unexpected |= cause is None
        elif outcome.kind == "passed" and cause:
            lines.append(f"passed, though it should name its backends: {outcome.test}")
            unexpected = True
    skipped = Counter(outcome.reason for outcome in outcomes if outcome.kind == "skipped")
    lines += [f"skipped by the tests themselves: {n}: {reason}" for reason, n in skipped.items()]
    counts = Counter(outcome.kind for outcome in outcomes)
    lines.append(", ".join(f"{counts[kind]} {kind}" for kind in ("passed", "failed", "skipped")))
    return "\n".join(lines), unexpected


def run_tests(expression: str | None, seed: int) -> tuple[Outcome, ...]:
    """Run the tests in a process of their own, with the settings of their project.

    Raises
    ------
    RunError
        If pytest ends without having run a test.
    """
    spec = importlib.util.find_spec("array_api_extra")
    if spec is None or spec.origin is None:
        raise RunError("array_api_extra is not a package that can be found")
    with tempfile.TemporaryDirectory(prefix="xpdl-extra-") as scratch:
        report = Path(scratch) / "report.json"
        command = [
            sys.executable, "-m", "pytest", "--pyargs", "array_api_extra.tests.main",
            "-c", os.devnull, "--rootdir", str(Path(spec.origin).parents[1]),
            "-p", "conformance.extra", "-p", "no:cacheprovider", "-q", "--tb=short",
            "--strict-markers", "-W", "error", "-o", "xfail_strict=true",
            f"--hypothesis-seed={seed}", "--json-report", f"--json-report-file={report}",
            "--json-report-omit", "collectors", "log", "traceback", "streams", "warnings",
            *(["-k", expression] if expression else []),
        ]  # fmt: skip
        search = [str(PROJECT), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {
            "HYPOTHESIS_STORAGE_DIRECTORY": scratch,
            "PYTHONPATH": os.pathsep.join(search),
        }
        environment.pop("PYTEST_ADDOPTS", None)
        done = subprocess.run(
            command,
            cwd=scratch,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        outcomes = outcomes_from(json.loads(report.read_text())) if report.exists() else ()
        if done.returncode not in (0, 1) or not outcomes:
            raise RunError(f"pytest ended with {done.returncode}\n{done.stdout[-4000:]}")
        return outcomes


# ------------------------------------------------------------------- the plugin of the pytest run


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Put the Enum with xpdl in place before a test or a fixture reads the Enum of the package."""
    from array_api_extra._lib import _backends

    _backends.Backend = backends_with_xpdl(_backends)


def backends_with_xpdl(backends: ModuleType) -> Any:
    """An Enum like ``backends.Backend`` with one member more: an Enum cannot be extended."""
    methods = {
        name: value
        for name, value in vars(backends.Backend).items()
        if name in ("modname", "like", "pytest_param")
    }
    members = {member.name: member.value for member in backends.Backend}
    return Enum(
        "Backend",
        members | {"XPDL": "xpdl"},
        module=backends.__name__,
        type=type("BackendMethods", (), methods),
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marks that the tests use."""
    for mark in ("skip_xp_backend", "xfail_xp_backend", "thread_unsafe"):
        config.addinivalue_line("markers", f"{mark}: of array-api-extra")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests that run with xpdl; the others run with another backend, or with none."""
    kept = [item for item in items if runs_with_xpdl(item)]
    config.hook.pytest_deselected(items=[item for item in items if not runs_with_xpdl(item)])
    items[:] = kept


def runs_with_xpdl(item: pytest.Item) -> bool:
    """Whether the backend that a test is parametrised with is xpdl."""
    parameters = getattr(item, "callspec", None)
    library = parameters.params.get("library") if parameters else None
    return getattr(library, "name", None) == "XPDL"


if __name__ == "__main__":
    sys.exit(main())
