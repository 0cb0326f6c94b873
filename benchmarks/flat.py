"""``python -m benchmarks.flat [N]``: resident memory over N exchanges of every kind.

The kinds include capsules that nobody consumes, exchanges that are refused, and small operations.
"""

import gc
import importlib.util
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import xpdl as xp

WARMING = 2000


def refused(call: Callable[[], object]) -> None:
    """Make a call that must end in a BufferError."""
    try:
        call()
    except BufferError:
        return
    raise AssertionError("the exchange was not refused")


class Refuser:
    """A producer that hands nothing out."""

    def __dlpack__(self, **keywords: Any) -> object:
        raise BufferError("not today")

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def kinds() -> dict[str, Callable[[], object]]:
    """The exchanges, by name; those with libraries that are not installed are left out."""
    n = np.arange(4.0)
    x = xp.asarray(n.copy())
    readonly = xp.broadcast_to(x, (2, 4))
    wrapper = xp.ReadOnlyWrapper(n)
    refuser = Refuser()
    found: dict[str, Callable[[], object]] = {
        "from_dlpack(numpy)": lambda: xp.from_dlpack(n),
        "from_dlpack(xpdl)": lambda: xp.from_dlpack(x),
        "from_dlpack(wrapper)": lambda: xp.from_dlpack(wrapper),
        "legacy capsule, consumed": lambda: xp.from_dlpack(x.__dlpack__()),
        "legacy capsule, unconsumed": lambda: x.__dlpack__(),
        "versioned, consumed": lambda: xp.from_dlpack(x.__dlpack__(max_version=(1, 3))),
        "versioned, unconsumed": lambda: x.__dlpack__(max_version=(1, 3)),
        "copy=True": lambda: xp.from_dlpack(n, copy=True),
        "numpy.from_dlpack(xpdl)": lambda: np.from_dlpack(x),  # type: ignore[arg-type]
        "by address": lambda: xp.dlpack.from_address(xp.dlpack.to_address(x)),
        "inspect": lambda: xp.dlpack.inspect(x),
        "x + y": lambda: x + x,
        "x[0], x[1:3]": lambda: (x[0], x[1:3]),
        "x[1:3] = 0.5": lambda: x.__setitem__(slice(1, 3), 0.5),
        "sum": lambda: xp.sum(x),
        "refused: read-only, legacy": lambda: refused(readonly.__dlpack__),
        "refused by the producer": lambda: refused(lambda: xp.from_dlpack(refuser)),
    }
    if importlib.util.find_spec("torch"):
        import torch

        t = torch.arange(4.0)
        gradient = torch.ones(1, requires_grad=True)
        found |= {
            "from_dlpack(torch)": lambda: xp.from_dlpack(t),
            "torch.from_dlpack(xpdl)": lambda: torch.from_dlpack(x),
            "refused: torch gradient": lambda: refused(lambda: xp.from_dlpack(gradient)),
        }
    if importlib.util.find_spec("tvm_ffi"):
        import tvm_ffi

        found["tvm_ffi.from_dlpack(xpdl)"] = lambda: tvm_ffi.from_dlpack(x)
    return found


def growth_of(call: Callable[[], object], count: int) -> int:
    """Bytes by which resident memory grows over ``count`` calls, after some that warm up."""
    for _ in range(WARMING):
        call()
    gc.collect()
    before = resident()
    for _ in range(count):
        call()
    gc.collect()
    return resident() - before


def resident() -> int:
    """Resident memory of this process, in bytes (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Print a line for each kind: growth in kB, time of one exchange in microseconds."""
    count = int(sys.argv[1]) if sys.argv[1:] else 100_000
    for name, call in kinds().items():
        start = time.perf_counter()
        grown = growth_of(call, count) / 1024
        each = (time.perf_counter() - start) / (count + WARMING) * 1e6
        print(f"{name:28} {count:9} times {grown:+8.0f} kB {each:8.2f} us", flush=True)


if __name__ == "__main__":
    main()
