"""One run of the suite in a process of its own, and what came of each of its tests."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.suite import STANDARD

__all__ = ["Outcome", "Result", "Run", "RunError", "run_all"]

PROJECT = Path(__file__).resolve().parent.parent

PEER_SETTINGS = {"jax": {"JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu"}}
"""Environment that a peer needs to hold the standard's dtypes at all, by its top-level package."""

OWN_SKIP = "flaky"
"""The reason of the tests that the suite itself skips, whatever the module."""


class RunError(Exception):
    """The suite did not come to the point of running tests."""


@dataclass(frozen=True)
class Run:
    """What to run: the whole suite, or its file of special cases once more."""

    label: str
    module: str
    device: str
    seed: int
    max_examples: int
    special_cases_only: bool = False


@dataclass(frozen=True)
class Outcome:
    """One test: its node id, "passed", "failed" or "skipped", and the first line of the reason."""

    test: str
    kind: str
    reason: str = ""

    @property
    def chapter(self) -> str:
        """The test file's name without ``test_``, which is the chapter of the standard."""
        return Path(self.test.partition("::")[0]).stem.removeprefix("test_")


@dataclass(frozen=True)
class Result:
    """Every outcome of one run, and how many seconds it took."""

    run: Run
    outcomes: tuple[Outcome, ...]
    seconds: float

    def counts(self, chapter: str | None = None) -> Counter[str]:
        """How many tests passed, failed and were skipped, in all or in one chapter."""
        return Counter(o.kind for o in self.outcomes if chapter in (None, o.chapter))

    @property
    def failures(self) -> list[Outcome]:
        """The tests that failed."""
        return [o for o in self.outcomes if o.kind == "failed"]

    @property
    def lacking(self) -> list[Outcome]:
        """The tests skipped because the module lacks something that they need."""
        return [o for o in self.outcomes if o.kind == "skipped" and o.reason != OWN_SKIP]


def run_all(suite: Path, runs: Sequence[Run], jobs: int) -> Iterator[Result]:
    """Run each of ``runs``, ``jobs`` at a time, and give each result as it is there.

    Raises
    ------
    RunError
        If pytest ends without a report, or without having run a test.
    """
    with ThreadPoolExecutor(jobs) as pool:
        pending = [pool.submit(_run_one, suite, run) for run in runs]
        try:
            for done in as_completed(pending):
                yield done.result()
        finally:
            for left in pending:
                left.cancel()


def command_from(run: Run, report: Path) -> list[str]:
    """The pytest command of one run. Empty lists of skips and xfails hide any that lie about."""
    return [
        sys.executable, "-m", "pytest",
        "array_api_tests/test_special_cases.py" if run.special_cases_only else "array_api_tests/",
        "-q", "--tb=short", "-p", "no:cacheprovider",
        f"--max-examples={run.max_examples}", f"--hypothesis-seed={run.seed}", "--disable-deadline",
        f"--skips-file={os.devnull}", f"--xfails-file={os.devnull}",
        "--json-report", f"--json-report-file={report}", "--json-report-omit",
        "collectors", "log", "traceback", "streams", "warnings", "keywords",
    ]  # fmt: skip


def environment_from(run: Run, scratch: Path) -> dict[str, str]:
    """The environment of one run. ``scratch`` is empty, so that no old example is replayed."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ARRAY_API_TESTS_")}
    environment.pop("PYTEST_ADDOPTS", None)
    search = [str(PROJECT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment |= {
        "ARRAY_API_TESTS_MODULE": run.module,
        "ARRAY_API_TESTS_VERSION": STANDARD,
        "HYPOTHESIS_STORAGE_DIRECTORY": str(scratch / "hypothesis"),
        "PYTHONPATH": os.pathsep.join(search),
    }
    if run.module == "xpdl":
        environment["XPDL_DEVICE"] = run.device
    return environment | PEER_SETTINGS.get(run.module.partition(".")[0], {})


def outcomes_from(report: dict[str, Any]) -> tuple[Outcome, ...]:
    """The outcomes in a report of pytest-json-report. Errors in setup and teardown are failures."""
    return tuple(Outcome(test["nodeid"], *_kind_and_reason(test)) for test in report["tests"])


def _kind_and_reason(test: dict[str, Any]) -> tuple[str, str]:
    if test["outcome"] == "passed":
        return "passed", ""
    phases = [test[name] for name in ("setup", "call", "teardown") if name in test]
    phase = next(p for p in phases if p["outcome"] != "passed")
    if test["outcome"] == "skipped":
        return "skipped", str(phase["longrepr"]).rpartition("Skipped: ")[2].rstrip("')\"")
    text = phase["crash"]["message"] if "crash" in phase else phase["longrepr"]
    return "failed", next(iter(text.splitlines()), "")


def _run_one(suite: Path, run: Run) -> Result:
    with tempfile.TemporaryDirectory(prefix="xpdl-conformance-") as name:
        scratch = Path(name)
        report = scratch / "report.json"
        began = time.monotonic()
        done = subprocess.run(
            command_from(run, report),
            cwd=suite,
            env=environment_from(run, scratch),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        seconds = time.monotonic() - began
        # pytest's exit status is 0 when all passed, 1 when some failed; anything else is no result.
        outcomes = outcomes_from(json.loads(report.read_text())) if report.exists() else ()
        if done.returncode not in (0, 1) or not outcomes:
            last_words = done.stdout[-4000:]
            raise RunError(f"{run.label}: pytest ended with {done.returncode}\n{last_words}")
        return Result(run, outcomes, seconds)
