"""``python -m benchmarks.interop_matrix``: xpdl beside NumPy, as producer and as consumer.

For each installed library and each dtype or layout: what comes of handing the library an array of
NumPy's and of xpdl's, and of handing its array to NumPy and to xpdl. "zero-copy" is the same
address, "copy" another, "-" a refusal. A library that takes the process down is a row that says so.
"""

import multiprocessing
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

import xpdl as xp
from xpdl._interop import LIBRARIES, installed

Cells = dict[str, list[str]]
DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
    "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float8_e3m4",
]  # fmt: skip


def sources() -> dict[str, np.ndarray[Any, Any]]:
    """The arrays that are exchanged, by name: four ones of each dtype, and some layouts."""
    made = {}
    for name in DTYPES:
        try:
            made[name] = np.ones(64, getattr(np, name, None) or getattr(xp, name))
        except AttributeError:
            continue
    base = np.arange(64.0, dtype=np.float32)
    made |= {"strided": base[::2], "transposed": base.reshape(8, 8).T, "0-d": base[0, ...],
             "size 0": base[:0], "read-only": base.view()}  # fmt: skip
    made["read-only"].flags.writeable = False
    return made


def outcome(call: Callable[[], object], address: int) -> str:
    """Whether an exchange shares the address, copies, or is refused."""
    try:
        info = xp.dlpack.inspect(call())
    except Exception:
        return "-"
    return "zero-copy" if info.address == address or info.shape == (0,) else "copy"


def measure(name: str) -> Cells:
    """The four cells of each row of one library."""
    module = import_module(LIBRARIES[name].module)
    take = LIBRARIES[name].importer(module)
    cells = {}
    for key, array in sources().items():
        x = xp.asarray(array)
        address = array.__array_interface__["data"][0]
        row = [outcome(lambda a=array: take(a), address), outcome(lambda x=x: take(x), address)]
        try:
            foreign = take(x)
            held = xp.dlpack.inspect(foreign).address or 0
        except Exception:
            row += ["none", "none"]
        else:
            row += [
                outcome(lambda f=foreign: np.from_dlpack(f), held),
                outcome(lambda f=foreign: xp.from_dlpack(f), held),
            ]
        cells[key] = row
    return cells


def main() -> None:
    """Print a table for each library; each is measured in a process of its own."""
    heads = ["NumPy -> it", "xpdl -> it", "it -> NumPy", "it -> xpdl"]
    for name in sys.argv[1:] or installed():
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            try:
                cells = pool.apply_async(measure, (name,)).get(timeout=60)
            except Exception as error:
                print(f"\n{name}: {type(error).__name__}: {error}")
                continue
        print(f"\n{name:16}" + "".join(f"{head:>13}" for head in heads))
        for key, row in cells.items():
            print(f"{key:16}" + "".join(f"{cell:>13}" for cell in row))
        worse = [key for key, (a, b, c, d) in cells.items()
                 if rank(b) > rank(a) or rank(d) > rank(c)]  # fmt: skip
        print(f"xpdl worse than NumPy: {', '.join(worse) or 'nowhere'}", flush=True)


def rank(cell: str) -> int:
    """The better an outcome, the lower."""
    return ["zero-copy", "copy", "-", "none"].index(cell)


if __name__ == "__main__":
    main()
