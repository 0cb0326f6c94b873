"""``python -m xpdl``: what is installed here, and which libraries exchange arrays with xpdl.

Exit status: 0 when the report was made, 1 when the exchange with NumPy is not zero-copy both ways
or any library's values came out wrong, 2 for a wrong command line.
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

import xpdl as xp
from xpdl._interop import LIBRARIES, Exchange, Row, installed, measure_apart
from xpdl.dlpack import VERSION

__all__ = ["main"]

LEGEND = """\
Measured just now with four float32. zero-copy: both sides have the same address, and the library
sees what is written through xpdl. Times are for one call, the import of the other's array."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report that the command line asks for and give the exit status."""
    options = make_parser().parse_args(arguments)
    here = describe_here()
    if not options.json:
        print(render_here(here), end="\n\n", flush=True)
    names = installed()
    rows = list(measure_apart(names))
    absent = [name for name in LIBRARIES if name not in names]
    if options.json:
        print(json.dumps(here | {"exchange": list(map(asdict, rows)), "absent": absent}, indent=2))
    else:
        print(render_rows(rows, absent))
    return exit_status(rows)


def make_parser() -> argparse.ArgumentParser:
    """The command line's options."""
    parser = argparse.ArgumentParser(
        prog="python -m xpdl",
        description="Versions, devices, and which installed libraries exchange arrays with xpdl.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for a bug report")
    parser.add_argument("--version", action="version", version=f"xpdl {xp.__version__}")
    return parser


def describe_here() -> dict[str, Any]:
    """Versions, platform and devices."""
    info = xp.__array_namespace_info__()
    return {
        "xpdl": xp.__version__,
        "array_api": xp.__array_api_version__,
        "dlpack": ".".join(map(str, VERSION)),
        "numpy": np.__version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "devices": [str(device) for device in info.devices()],
        "default_device": str(info.default_device()),
    }


def render_here(here: dict[str, Any]) -> str:
    """What ``describe_here`` found, in three lines."""
    devices = ", ".join(
        f"{device} (default)" if device == here["default_device"] else device
        for device in here["devices"]
    )
    return (
        f"xpdl {here['xpdl']}, array API {here['array_api']}, DLPack {here['dlpack']}\n"
        f"NumPy {here['numpy']}, Python {here['python']}, {here['platform']}\n"
        f"devices: {devices}"
    )


def render_rows(rows: Sequence[Row], absent: Sequence[str]) -> str:
    """The table of exchanges, the notes to it, and what is not installed."""
    notes: list[str] = []
    table = [("library", "version", "into xpdl", "out of xpdl")]
    for row in rows:
        if row.problem is not None:
            notes.append(f"{row.library}: {row.problem}")
            table.append((row.library, row.version or "-", f"not usable [{len(notes)}]", "-"))
            continue
        into = _cell(row.into, f"{row.library} into xpdl", notes)
        out = _cell(row.out, f"{row.library} out of xpdl", notes)
        table.append((row.library, row.version or "-", into, out))
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in table]
    lines += ["", LEGEND]
    lines += [f"[{number}] {note}" for number, note in enumerate(notes, 1)]
    if absent:
        lines.append(f"not installed: {', '.join(absent)}")
    return "\n".join(lines)


def exit_status(rows: Sequence[Row]) -> int:
    """0 when NumPy, which is always there, exchanges without a copy and nothing came out wrong."""
    exchanges = {(row.library, way): getattr(row, way) for row in rows for way in ("into", "out")}
    if any(exchange and exchange.outcome == "wrong" for exchange in exchanges.values()):
        return 1
    with_numpy = (exchanges.get(("numpy", way)) for way in ("into", "out"))
    return 0 if all(e and e.outcome == "zero-copy" for e in with_numpy) else 1


def _cell(exchange: Exchange | None, direction: str, notes: list[str]) -> str:
    """The outcome and the time; what more there is to say goes into ``notes``."""
    if exchange is None:
        return "-"
    text = exchange.outcome
    if exchange.detail not in ("same address, a write is seen", "at another address"):
        notes.append(f"{direction}: {exchange.detail}")
        text += f" [{len(notes)}]"
    if exchange.nanoseconds is not None:
        text += f", {exchange.nanoseconds:.0f} ns"
    return text


def _main_in_pipe() -> int:
    """``main``, ending quietly when the reader of a pipe has gone."""
    try:
        status = main()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(_main_in_pipe())
