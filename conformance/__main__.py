"""Command line of the conformance run.

Exit status: 0 when every test passed, 1 when one failed or was skipped because the module lacks
something, 2 when the suite could not be obtained or run, or the command line is wrong.
"""

import argparse
import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from conformance.report import render_report, totals_line, write_report
from conformance.runs import Result, Run, RunError, run_all
from conformance.suite import SuiteError, cache_folder, describe_revision, obtain_suite

REQUIRED = ("pytest", "pytest_jsonreport", "hypothesis", "ndindex")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite as the command line asks, print and write the report, give the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.module != "xpdl" and options.device != "cpu":
        parser.error("--device needs --module xpdl: a peer is tested on its own default device")
    if problem := device_problem(options.device):
        parser.error(f"--device: {problem}")
    missing = [name for name in REQUIRED if find_spec(name) is None]
    if missing:
        parser.error(f"not installed: {', '.join(missing)} (pip install '.[conformance]')")
    try:
        suite = obtain_suite(options.suite)
        results = gather_results(suite, runs_from(options), options.jobs)
    except (SuiteError, RunError) as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    given = sys.argv[1:] if arguments is None else arguments
    command = shlex.join(["python", "-m", "conformance", *given])
    revision = describe_revision(suite)
    report = render_report(results, options.module, options.device, revision, command)
    print(report)
    print(totals_line(results))
    if options.output:
        write_report(options.output, report)
    return 1 if any(r.failures or r.lacking for r in results) else 0


def device_problem(device: str) -> str | None:
    """Why xpdl cannot put arrays on a device, None if it can. The CPU needs no look."""
    if device == "cpu":
        return None
    import xpdl

    try:
        xpdl.zeros(1, device=device)
    except (NotImplementedError, ValueError) as error:
        return str(error).removeprefix("zeros: ")
    return None


def make_parser() -> argparse.ArgumentParser:
    """The command line's options."""
    parser = argparse.ArgumentParser(
        prog="python -m conformance",
        description="Run the array API standard's own test suite, at a pinned commit.",
    )
    parser.add_argument("--module", default="xpdl", help="the namespace to test (default: xpdl)")
    parser.add_argument("--device", default="cpu", help="xpdl's default device (default: cpu)")
    parser.add_argument(
        "--seeds",
        type=int,
        nargs="*",
        default=[0],
        metavar="SEED",
        help="one whole run for each (default: 0; none: special cases only)",
    )
    parser.add_argument(
        "--max-examples",
        type=positive,
        default=30,
        metavar="N",
        help="examples for each test (default: 30; a release needs 200)",
    )
    parser.add_argument(
        "--special-cases",
        type=int,
        default=0,
        metavar="N",
        help="run test_special_cases.py N more times: most of its tests draw one example a run",
    )
    parser.add_argument(
        "--suite",
        type=Path,
        metavar="PATH",
        help=f"a checkout of the suite, used as it stands (default: {cache_folder()}, "
        "brought to the pinned commit)",
    )
    parser.add_argument(
        "-n", "--jobs", type=positive, default=1, metavar="N", help="runs at a time (default: 1)"
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="write the report there too; in a page that has the line for it, below that line",
    )
    return parser


def positive(text: str) -> int:
    """An integer of at least 1."""
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def runs_from(options: argparse.Namespace) -> list[Run]:
    """The runs that the options ask for; each repeat of the special cases has a seed of its own."""
    common = {
        "module": options.module,
        "device": options.device,
        "max_examples": options.max_examples,
    }
    whole = [Run(f"seed {seed}", seed=seed, **common) for seed in options.seeds]
    repeats = [
        Run(f"special cases {index}", seed=1000 + index, special_cases_only=True, **common)
        for index in range(1, options.special_cases + 1)
    ]
    return whole + repeats


def gather_results(suite: Path, runs: list[Run], jobs: int) -> list[Result]:
    """The results of ``runs``, in their order; each is announced on stderr as it comes."""
    results = {}
    for result in run_all(suite, runs, jobs):
        results[result.run] = result
        counts = totals_line([result])
        print(f"{result.run.label}: {counts} in {result.seconds:.0f} s", file=sys.stderr)
    return [results[run] for run in runs]


if __name__ == "__main__":
    sys.exit(main())
