"""``python -m benchmarks.instructions``: what the hottest calls cost, in instructions.

Valgrind's callgrind counts the instructions of a loop over each call and over its peer, the same
work by another library, in one process. The count of a call can be repeated where its time cannot;
its ratio to the peer's is compared with the one in instructions.csv, and may be 10 % higher.

Exit status: 0 when every ratio is within its bound or nothing could be counted, which is then said
with "NOT RUN" and the reason; 1 otherwise. ``--record`` writes instructions.csv anew.
"""

import csv
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

TABLE = Path(__file__).with_name("instructions.csv")
TOLERANCE = 1.10
LOOPS = 2000


@dataclass(frozen=True)
class HotPath:
    """A statement of xpdl and its peer, and the library beyond NumPy that both need."""

    statement: str
    peer: str
    library: str | None = None


PATHS = (
    HotPath("x + y", "a + b"),
    HotPath("x0 + x0", "a0 + a0"),
    HotPath("x //= y", "a //= b"),
    HotPath("x ** 0.5", "a ** 0.5"),
    HotPath("xp.sin(x)", "np.sin(a)"),
    HotPath("xp.sum(x)", "np.sum(a)"),
    HotPath("x[0]", "a[0]"),
    HotPath("x[1:3]", "a[1:3]"),
    HotPath("m[:, 1]", "c[:, 1]"),
    HotPath("m[0] = m[1]", "c[0] = c[1]"),
    HotPath("xp.asarray(a)", "np.asarray(a)"),
    HotPath("xp.from_dlpack(x)", "np.from_dlpack(a)"),
    HotPath("xp.from_dlpack(a)", "np.from_dlpack(a)"),
    HotPath("x.__dlpack__()", "a.__dlpack__()"),
    HotPath("xp.from_dlpack(t)", "np.from_dlpack(t)", "torch"),
)

# Runs under callgrind, which writes down its counters at each call of getppid and starts anew: the
# first loop is empty, and what it costs is taken off the others.
PROGRAM = """
import json, os, sys
import numpy as np
import xpdl as xp

statements, needs_torch, loops = json.loads(sys.argv[1])
names = {"np": np, "xp": xp}
names["a"], names["b"], names["a0"] = np.arange(4.0), np.ones(4), np.asarray(1.5)
names["x"], names["y"], names["x0"] = map(xp.asarray, (names["a"], names["b"], names["a0"]))
names["c"] = np.ones((2, 2))
names["m"] = xp.asarray(names["c"])
if needs_torch:
    import torch
    names["t"] = torch.arange(4, dtype=torch.float64)
arguments = ", ".join(names)
functions = []
for statement in ["pass", *statements]:
    exec(f"def run(times, {arguments}):\\n    for _ in times:\\n        {statement}", names)
    functions.append(names.pop("run"))
names.pop("__builtins__")
for function in functions:
    function(range(100), **names)
for function in functions:
    times = range(loops)
    os.getppid()
    function(times, **names)
os.getppid()
"""


def main() -> int:
    """Count, and compare with the table or write it; the exit status."""
    reason = reason_not_to_run()
    if reason:
        print(f"NOT RUN: {reason}")
        return 0
    record = sys.argv[1:] == ["--record"]
    bounds = {} if record else read_table()
    if not record and bounds.pop("versions") != versions():
        print(f"NOT RUN: the bounds hold for other versions than {versions()}; see {TABLE.name}")
        return 0
    paths = [path for path in PATHS if path.library is None or has(path.library)]
    for path in set(PATHS) - set(paths):
        print(f"NOT RUN: {path.statement} needs {path.library}")
    counts = count([s for path in paths for s in (path.statement, path.peer)])
    rows = list(zip(paths, counts[::2], counts[1::2], strict=True))
    if record:
        write_table(rows)
    heads = "call", "instructions", "peer", "instructions", "ratio", "bound"
    print("{:20}{:>13}  {:20}{:>13}{:>8}{:>8}".format(*heads))
    missed = 0
    for path, ours, theirs in rows:
        bound = TOLERANCE * float(bounds.get(path.statement, ours / theirs))
        verdict = "" if ours / theirs <= bound else "  EXCEEDED"
        missed += bool(verdict)
        print(f"{path.statement:20}{ours:13.0f}  {path.peer:20}{theirs:13.0f}"
              f"{ours / theirs:8.3f}{bound:8.3f}{verdict}")  # fmt: skip
    return 1 if missed else 0


def reason_not_to_run() -> str | None:
    """Why instructions cannot be counted here, if so."""
    if shutil.which("valgrind") is None:
        return "valgrind is not installed"
    if sys.platform != "linux":
        return f"callgrind is used on Linux only, not on {sys.platform}"
    return None


def has(library: str) -> bool:
    """Whether a library is installed."""
    return importlib.util.find_spec(library) is not None


def versions() -> str:
    """What the counts depend on."""
    python = ".".join(platform.python_version_tuple()[:2])
    numpy = ".".join(version("numpy").split(".")[:2])
    return f"Python {python}, NumPy {numpy}, {platform.machine()}"


def count(statements: list[str]) -> list[float]:
    """The instructions of one execution of each statement."""
    needs_torch = any(re.search(r"\bt\b", statement) for statement in statements)
    given = json.dumps([statements, needs_torch, LOOPS])
    environment = os.environ | {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--dump-before=getppid",
             f"--callgrind-out-file={folder}/counts", sys.executable, "-c", PROGRAM, given],
            capture_output=True, text=True, env=environment, check=False,
        )  # fmt: skip
        # The first file has what came before the first loop, the last one what came after.
        files = [Path(folder, f"counts.{i + 2}") for i in range(len(statements) + 1)]
        if done.returncode or not all(file.exists() for file in files):
            raise RuntimeError(f"callgrind gave no counts:\n{done.stderr[-2000:]}")
        totals = [total_of(file.read_text()) for file in files]
    return [(total - totals[0]) / LOOPS for total in totals[1:]]


def total_of(text: str) -> int:
    """The instructions that a file of callgrind's sums up."""
    found = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
    if found is None:
        raise RuntimeError("callgrind's file has no total")
    return int(found[1])


def read_table() -> dict[str, str]:
    """The recorded ratio by statement, and under "versions" what they hold for."""
    with TABLE.open(newline="") as lines:
        rows = [row for row in csv.reader(lines) if row]
    return {"versions": rows[0][1]} | {row[0]: row[4] for row in rows[2:]}


def write_table(rows: list[tuple[HotPath, float, float]]) -> None:
    """Record today's counts and ratios."""
    with TABLE.open("w", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["versions", versions()])
        writer.writerow(["call", "instructions", "peer", "instructions", "ratio"])
        for path, ours, theirs in rows:
            writer.writerow(
                [path.statement, round(ours), path.peer, round(theirs), f"{ours / theirs:.3f}"]
            )


if __name__ == "__main__":
    sys.exit(main())
