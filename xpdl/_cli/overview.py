"""``python -m xpdl``: the versions, the devices, and xpdl beside each installed library."""

import argparse
import json
from dataclasses import asdict
from typing import Any

from xpdl._cli.info import describe, print_versions, version_of
from xpdl._cli.interop import cell_of, exit_status, measure, print_absent
from xpdl._cli.terminal import Styled, print_line, print_table
from xpdl._interop import LIBRARIES, Exchange, Matrix, installed

__all__ = ["run"]

KIND = "float32"
SHIFTED = "from element 4"
LEGEND = (
    "Measured just now with 64 float32; zero-copy: both sides have the same address. Times are of"
    " one call, the import of the other's array."
)
MORE = (
    "More: python -m xpdl interop (every dtype, every pair), info (memory, paths), inspect EXPR"
    " (what a producer hands out)."
)


def run(options: argparse.Namespace) -> int:
    """Print the overview."""
    found = describe()
    if not options.json:
        print_versions(found)
        print_devices(found)
        print_line()
    matrix = measure(installed(), [KIND, SHIFTED], with_first_only=True)
    if options.json:
        exchanges = [asdict(done) for ways in matrix.exchanges.values() for done in ways]
        failures = list(map(asdict, matrix.failures))
        print(json.dumps(found | {"exchanges": exchanges, "failures": failures}, indent=2))
        return exit_status(matrix)
    notes: list[str] = []
    rows = [row_of(matrix, name, notes) for name in matrix.libraries[1:]]
    for failure in matrix.failures:
        notes.append(f"{failure.library}: {failure.reason}")
        told = Styled(f"not usable [{len(notes)}]", "red")
        rows.append((failure.library, version_of(failure.library) or "-", told, "-"))
    print_table(("library", "version", "into xpdl", "out of xpdl"), rows)
    print_line()
    print_line(LEGEND)
    for number, note in enumerate(notes, 1):
        print_line(f"[{number}] {note}")
    print_absent([name for name in LIBRARIES if name not in installed()])
    print_line(MORE)
    return exit_status(matrix)


def print_devices(found: dict[str, Any]) -> None:
    """The devices that are there, in one line, and the default device if it is not one of them."""
    default = found["default_device"]
    names = [entry["device"] for entry in found["devices"]]
    marked = (f"{name} (default)" if name == default else name for name in names)
    print_line(f"devices: {', '.join(marked)}")
    if default not in names:
        print_line(f"the default device, {default}, is not there", "red")


def row_of(matrix: Matrix, name: str, notes: list[str]) -> tuple[str | Styled, ...]:
    """One library: both ways; what more there is to say goes into ``notes``."""
    into, out = matrix.find(name, "xpdl", KIND), matrix.find("xpdl", name, KIND)
    shifted = matrix.find("xpdl", name, SHIFTED)
    more = None
    if out and shifted and shifted.outcome != out.outcome:
        more = f"{shifted.outcome} where the memory does not start at a multiple of 64 bytes"
    return (
        name,
        version_of(name) or "-",
        told(into, f"{name} into xpdl", notes),
        told(out, f"{name} out of xpdl", notes, more),
    )


def told(
    exchange: Exchange | None, way: str, notes: list[str], more: str | None = None
) -> Styled:
    """The outcome, and the time of the import."""
    if exchange is None:
        return Styled("-")
    text = exchange.outcome
    if reason := exchange.reason or more:
        notes.append(f"{way}: {reason}")
        text += f" [{len(notes)}]"
    if exchange.nanoseconds is not None:
        text += f", {exchange.nanoseconds:.0f} ns"
    return cell_of(text, exchange.outcome)
