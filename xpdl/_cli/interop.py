"""``python -m xpdl interop``: the matrix of exchanges, measured on this machine."""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from xpdl._cli.failure import Failed
from xpdl._cli.info import version_of
from xpdl._cli.page import page_of
from xpdl._cli.picture import picture_of, png_from_svg
from xpdl._cli.terminal import STYLES, Styled, print_line, print_table, progress
from xpdl._interop import (
    KINDS,
    LIBRARIES,
    OUTCOMES,
    Group,
    Matrix,
    count_pairs,
    installed,
    measure_matrix,
)

__all__ = ["add_parser", "cell_of", "exit_status", "measure", "print_absent"]

TIMED = "float32"
LEGEND = (
    "Rows are producers, columns consumers. A cell says how many of the producer's dtypes and"
    " layouts arrive without a copy, of how many it has."
)


def add_parser(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add the command to the command line, with the options that all commands share."""
    parser = commands.add_parser(
        "interop",
        parents=[shared],
        help="which libraries exchange which arrays, measured",
        description="Hand arrays of every dtype and of several layouts from every installed"
        " library to every other one, each pair in a process of its own.",
        epilog="Status 1: NumPy's float32 is not exchanged without a copy, or what came into xpdl"
        " is wrong.",
    )
    parser.add_argument(
        "libraries",
        nargs="*",
        metavar="LIBRARY",
        help=f"only these, beside xpdl; of {', '.join(list(LIBRARIES)[1:])}",
    )
    parser.add_argument("--kinds", metavar="KIND,...", help=f"only these of {', '.join(KINDS)}")
    parser.add_argument("--all", action="store_true", help="reasons for all pairs, not xpdl's only")
    parser.add_argument("--html", metavar="FILE", type=Path, help="write a page")
    parser.add_argument("--svg", metavar="FILE", type=Path, help="write a picture")
    parser.add_argument("--png", metavar="FILE", type=Path, help="the same; needs resvg-py")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure, and print or write what is asked for."""
    names = choose(options.libraries, list(LIBRARIES)[1:], "library")
    kinds = choose(options.kinds.split(",") if options.kinds else [], KINDS, "kind")
    missing = [name for name in options.libraries if not installed([name])]
    if missing:
        raise Failed(f"interop: not installed: {', '.join(missing)}")
    for file in filter(None, (options.html, options.svg, options.png)):
        check_folder(file)
    if options.png:
        png_from_svg("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>")
    matrix = measure(["xpdl", *installed(names)], kinds)
    versions = {name: version_of(name) for name in matrix.libraries}
    if options.json:
        print(json.dumps(as_json(matrix, versions), indent=2))
    else:
        print_matrix(matrix, versions, every_reason=options.all)
        print_absent([name for name in names if not installed([name])])
    if options.html:
        write(options.html, page_of(matrix, versions).encode())
    if options.svg:
        write(options.svg, picture_of(matrix, versions).encode())
    if options.png:
        write(options.png, png_from_svg(picture_of(matrix, versions)))
    return exit_status(matrix)


def choose(wanted: Sequence[str], known: Sequence[str], what: str) -> list[str]:
    """Those of ``known`` that are ``wanted``, or all when none is."""
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise Failed(f"interop: unknown {what} {unknown[0]!r}, use {', '.join(known)}", status=2)
    return [name for name in known if name in wanted or not wanted]


def check_folder(file: Path) -> None:
    """Fails before anything is measured where ``file`` cannot be written for want of a folder."""
    if not file.absolute().parent.is_dir() or file.is_dir():
        raise Failed(f"interop: cannot write {file}: no such folder, or a folder itself")


def write(file: Path, content: bytes) -> None:
    """Write a file, or fail with the system's reason."""
    try:
        file.write_bytes(content)
    except OSError as error:
        raise Failed(f"interop: cannot write {file}: {error.strerror}") from None


def measure(
    libraries: Sequence[str], kinds: Sequence[str], *, with_first_only: bool = False
) -> Matrix:
    """The matrix, with a bar that says which pair is at work."""
    total = count_pairs(libraries, with_first_only=with_first_only)
    with progress(total) as step:
        return measure_matrix(
            libraries,
            kinds,
            with_first_only=with_first_only,
            timed=[TIMED],
            report=lambda first, second: step(f"{first} and {second}"),
        )


def as_json(matrix: Matrix, versions: dict[str, str | None]) -> dict[str, Any]:
    """The whole matrix."""
    return {
        "libraries": versions,
        "kinds": list(matrix.kinds),
        "exchanges": [asdict(done) for ways in matrix.exchanges.values() for done in ways],
        "failures": list(map(asdict, matrix.failures)),
        "apart": [{"pair": pair, "reason": reason} for pair, reason in matrix.apart.items()],
    }


def print_matrix(
    matrix: Matrix, versions: dict[str, str | None], *, every_reason: bool = False
) -> None:
    """A table of counts, and below it what is not zero-copy, and why."""
    names = matrix.libraries
    rows: list[tuple[str | Styled, ...]] = []
    for number, producer in enumerate(names, 1):
        cells = [count_of(matrix, producer, consumer) for consumer in names]
        rows.append((str(number), producer, versions[producer] or "-", *cells))
    print_table(("", "producer", "version", *(f"to {n}" for n in range(1, len(names) + 1))), rows)
    print_line()
    print_line(LEGEND)
    print_line()
    reasons: list[tuple[str | Styled, ...]] = [
        (producer, consumer, cell_of(group.outcome), said(group))
        for producer in names
        for consumer in names
        if every_reason or "xpdl" in (producer, consumer)
        for group in matrix.groups(producer, consumer)
        if group.outcome != "none" and (group.outcome != "zero-copy" or group.reason)
    ]
    if reasons:
        print_table(("from", "to", "outcome", "arrays and reason"), reasons)
    for failure in matrix.failures:
        print_line(f"{failure.library} is not usable: {failure.reason}")
    for (first, second), reason in matrix.apart.items():
        print_line(f"{first} and {second} are not usable together: {reason}")


def said(group: Group) -> str:
    """The kinds of array, and why."""
    kinds = ", ".join(group.kinds)
    return f"{kinds}: {group.reason}" if group.reason else kinds


def print_absent(names: Sequence[str]) -> None:
    """Say which libraries could have been tried."""
    if names:
        print_line(f"not installed: {', '.join(names)}", "dim")


def count_of(matrix: Matrix, producer: str, consumer: str) -> Styled:
    """How many arrays arrive without a copy, of how many; coloured by the worst outcome."""
    counts = Counter(done.outcome for done in matrix.exchanges.get((producer, consumer), []))
    had = counts.total() - counts["none"]
    if not had:
        return Styled("-", "dim")
    worst = [outcome for outcome in OUTCOMES if counts[outcome] and outcome != "none"][-1]
    return cell_of(f"{counts['zero-copy']}/{had}", worst)


def cell_of(text: str, outcome: str | None = None) -> Styled:
    """``text`` in the colour of an outcome, its own when it is one."""
    return Styled(text, STYLES[outcome or text])


def exit_status(matrix: Matrix) -> int:
    """0 when NumPy, which is always there, exchanges without a copy and xpdl got nothing wrong.

    What comes out of xpdl counts in float32 only, since every library has that; a consumer without
    float64 makes float32 of it.
    """
    tries = [done for ways in matrix.exchanges.values() for done in ways]
    for done in tries:
        into, out = done.consumer == "xpdl", done.producer == "xpdl" and done.kind == TIMED
        if done.outcome == "wrong" and (into or out):
            return 1
    if TIMED not in matrix.kinds:
        return 0
    if any(failure.library == "numpy" for failure in matrix.failures):
        return 1
    with_numpy = [
        done.outcome
        for done in tries
        if done.kind == TIMED and {done.producer, done.consumer} == {"xpdl", "numpy"}
    ]
    return 0 if set(with_numpy) <= {"zero-copy"} else 1
