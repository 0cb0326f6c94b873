"""Command line of the benchmarks.

Exit status: 0 when everything was measured, 1 when a case raised, 2 for a wrong command line.
"""

import argparse
import json
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

import xpdl as xp
from benchmarks.exchange import exchange_cases, peers
from benchmarks.namespace import elementwise_cases, operator_cases, reduction_cases
from benchmarks.tables import render_section, render_targets
from benchmarks.timing import FULL, QUICK, Case, Measurement, measure

SECTIONS: dict[str, Callable[[], Iterator[Case]]] = {
    "operators": operator_cases,
    "exchange": exchange_cases,
    "elementwise": elementwise_cases,
    "reductions": reduction_cases,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the sections that the command line names, print the tables, give the exit status."""
    options = make_parser().parse_args(arguments)
    sections = options.section or list(SECTIONS)
    measurements, errors = measure_all(sections, quick=options.quick)
    if options.json:
        json.dump(json_from(measurements), sys.stdout, indent=1)
        print()
    else:
        print("\n".join(f"{name} {version}" for name, version in versions().items()))
        for section in sections:
            print("\n" + render_section(section, measurements))
        print("\n" + render_targets(measurements))
    for error in errors:
        print(f"benchmarks: {error}", file=sys.stderr)
    return 1 if errors else 0


def make_parser() -> argparse.ArgumentParser:
    """The command line's options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--section", action="append", choices=SECTIONS, help="measure only this one (repeatable)"
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds: under a minute in all")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return parser


def measure_all(sections: Sequence[str], quick: bool) -> tuple[list[Measurement], list[str]]:
    """Every case of ``sections``, measured, and a line for each case that raised."""
    measurements = []
    errors = []
    effort = QUICK if quick else FULL
    for case in chain.from_iterable(SECTIONS[section]() for section in sections):
        show_progress(f"{case.section}: {case.label}, {case.size}")
        try:
            measurements.append(measure(case, effort))
        except Exception as error:
            errors.append(f"{case.label} at {case.size}: {type(error).__name__}: {error}")
    show_progress("")
    return measurements, errors


def show_progress(text: str) -> None:
    """Overwrite one line of the terminal; nothing where stderr is none."""
    if sys.stderr.isatty():
        print(f"\r{text:<78.78}", end="\n" if not text else "", file=sys.stderr, flush=True)


def versions() -> dict[str, str]:
    """What took part, by name."""
    found = {"xpdl": xp.__version__, "numpy": np.__version__}
    found |= {name: getattr(module, "__version__", "?") for name, module in peers().items()}
    found["python"] = f"{platform.python_version()} on {platform.machine()}, {cpu_name()}"
    return found


def cpu_name() -> str:
    """The processor's name where the system tells it."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text().splitlines() if told.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or "unknown processor")


def json_from(measurements: Sequence[Measurement]) -> dict[str, object]:
    """The same figures for a machine to read."""
    rows = [
        {
            "section": m.case.section,
            "label": m.case.label,
            "size": m.case.size,
            "nanoseconds": m.nanoseconds,
            "ratios": m.ratios,
        }
        for m in measurements
    ]
    return {"versions": versions(), "measurements": rows}


if __name__ == "__main__":
    sys.exit(main())
