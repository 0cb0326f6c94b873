"""What xpdl adds to a call: ratios to its peers, side by side in one process.

Exit status: 0 when everything was measured, 1 when a case raised or its contestants did not give
the same, 2 for a wrong command line. A target that is missed is no failure.
"""

import argparse
import json
import os
import platform
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import xpdl as xp
from benchmarks.anatomy import anatomy_cases
from benchmarks.cuda import cuda_cases
from benchmarks.exchange import exchange_cases, peers
from benchmarks.growth import growth_cases
from benchmarks.imports import import_cases
from benchmarks.memory import memory_cases
from benchmarks.namespaces import namespace_cases
from benchmarks.pairs import PAIRS, function_cases
from benchmarks.progress import with_progress
from benchmarks.report import MARK, json_from, render_markdown, render_text
from benchmarks.statements import indexing_cases, method_cases, operator_cases
from benchmarks.timing import FULL, QUICK, Case, Measurement, NotRunError, Reading
from conformance.report import write_report

SECTIONS: dict[str, Callable[[], Iterable[Case | Reading]]] = {
    "anatomy": anatomy_cases,
    "operators": operator_cases,
    "methods": method_cases,
    "indexing": indexing_cases,
    **{section: partial(function_cases, section) for section in PAIRS},
    "exchange": exchange_cases,
    "namespaces": namespace_cases,
    "growth": growth_cases,
    "imports": import_cases,
    "memory": memory_cases,
    "cuda": cuda_cases,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the sections that the command line names, print the tables, give the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(SECTIONS))
        return 0
    if options.plot and not find_spec("matplotlib"):
        parser.error("--plot needs matplotlib (pip install '.[benchmarks]')")
    sections = options.section or list(SECTIONS)
    setting = versions()
    notes: list[str] = []
    measurements, errors = measure_all(sections, options.quick, notes)
    given = sys.argv[1:] if arguments is None else arguments
    if options.json:
        text = json.dumps(json_from(setting, measurements, notes), indent=1)
        Path(options.json).write_text(text + "\n") if options.json != "-" else print(text)
    if options.json != "-":
        print("\n".join(f"{name} {version}" for name, version in setting.items()) + "\n")
        print(render_text(sections, measurements, notes))
    if options.output:
        command = shlex.join(["python", "-m", "benchmarks", *given])
        report = render_markdown(command, setting, measurements, notes)
        write_report(options.output, report, MARK)
    if options.plot:
        from benchmarks.plots import write_plots

        write_plots(options.plot, measurements)
    for error in errors:
        print(f"benchmarks: {error}", file=sys.stderr)
    return 1 if errors else 0


def make_parser() -> argparse.ArgumentParser:
    """The command line's options."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "--section", action="append", choices=SECTIONS, metavar="NAME",
        help="measure only this one (repeatable; --list prints them)",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="print the sections and end")
    parser.add_argument("--quick", action="store_true", help="few rounds: under a minute in all")
    parser.add_argument(
        "--json", nargs="?", const="-", metavar="FILE",
        help="write JSON to a file, or to stdout instead of the tables",
    )  # fmt: skip
    parser.add_argument(
        "--plot", type=Path, metavar="FOLDER", help="write pictures there (needs matplotlib)"
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE",
        help="write the tables as Markdown; in a page that has the line for it, below that line",
    )  # fmt: skip
    return parser


def measure_all(
    sections: Sequence[str], quick: bool, notes: list[str]
) -> tuple[list[Measurement], list[str]]:
    """Every case of ``sections``, measured, and a line for each that failed.

    ``notes`` gets a line for each section that cannot be measured here.
    """
    measurements = []
    errors = []
    effort = QUICK if quick else FULL
    for case in with_progress(cases_of(sections, notes)):
        try:
            measurements.append(case.measure(effort))
        except Exception as error:
            place = f"{case.section}: {case.label} at {case.size}".removesuffix(" at ")
            errors.append(f"{place}: {type(error).__name__}: {error}")
    return measurements, errors


def cases_of(sections: Sequence[str], notes: list[str]) -> Iterator[Case | Reading]:
    """The cases of the sections in their order."""
    for section in sections:
        try:
            yield from SECTIONS[section]()
        except NotRunError as reason:
            notes.append(f"{section}: not run: {reason}")


def versions() -> dict[str, str]:
    """What takes part, by name, and whether the machine has other work to do."""
    found = {"xpdl": xp.__version__, "numpy": np.__version__}
    found |= {name: getattr(module, "__version__", "?") for name, module in peers().items()}
    found["python"] = f"{platform.python_version()} on {platform.machine()}, {cpu_name()}"
    found["machine"] = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores at the start"
    return found


def cpu_name() -> str:
    """The processor's name where the system tells it."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text().splitlines() if told.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or "unknown processor")


if __name__ == "__main__":
    sys.exit(main())
