"""How cost grows: with size, number of dimensions, number of arrays, number of threads.

The size of a case here is the number of what grows; its label begins with the word for that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Barrier, Thread
from time import perf_counter
from typing import Any

import numpy as np

import xpdl as xp
from benchmarks.exchange import peers
from benchmarks.timing import Case, Statement, Timer

__all__ = ["COUNTS", "Threaded", "growth_cases"]

COUNTS = {
    "size": (1, 10, 100, 1000, 10_000, 100_000, 1_000_000),
    "ndim": (0, 1, 2, 4, 8, 16, 32, 64),
    "arrays": (2, 8, 32, 128, 512),
    "threads": (1, 2, 4, 8),
}

SIZED = ("x + y", "x[...]", "xp.reshape(x, (1, -1))", "xp.from_dlpack(n)", "x.__dlpack__()")
DIMENSIONED = ("x + y", "x[...]", "xp.from_dlpack(n)", "x.__dlpack__(max_version=(1, 3))")
COUNTED = ("xp.concat(many)", "xp.stack(many)", "xp.unstack(stacked)")
SHARED = ("x + y", "xp.from_dlpack(n)", "x.__dlpack__()")

AT_ONCE = 20  # threads work so many times longer than one: several turns of the interpreter's lock


@dataclass(frozen=True)
class Threaded:
    """A statement run by several threads at once, each of them its part of the times."""

    work: Statement
    threads: int

    @property
    def library(self) -> str:
        return self.work.library

    def result(self) -> object:
        return self.work.result()

    def timer(self) -> Timer:
        timers = [self.work.timer() for _ in range(self.threads)]

        def seconds(loops: int) -> float:
            each = max(1, loops * AT_ONCE // self.threads)
            started = Barrier(self.threads + 1)

            def run(timer: Timer) -> None:
                started.wait()
                timer(each)

            threads = [Thread(target=run, args=(timer,)) for timer in timers]
            for thread in threads:
                thread.start()
            started.wait()
            start = perf_counter()
            for thread in threads:
                thread.join()
            return (perf_counter() - start) * loops / (each * self.threads)

        return seconds


def growth_cases() -> Iterator[Case]:
    """A case for each statement and each number of what grows."""
    for count in COUNTS["size"]:
        yield from _cases("size", count, SIZED, _arrays((count,)))
    for count in COUNTS["ndim"]:
        yield from _cases("ndim", count, DIMENSIONED, _arrays((1,) * count))
        yield from _torch_cases(count)
    for count in COUNTS["arrays"]:
        stacked = np.ones((count, 4))
        yield from _cases("arrays", count, COUNTED, {"stacked": stacked, "many": list(stacked)})
    for count in COUNTS["threads"]:
        for case in _cases("threads", count, SHARED, _arrays((4,))):
            workers = [
                Threaded(contestant, count)
                for contestant in case.contestants
                if isinstance(contestant, Statement)
            ]
            yield Case(case.section, case.label, case.size, workers)


def _arrays(shape: tuple[int, ...]) -> dict[str, Any]:
    return {"x": np.ones(shape), "y": np.ones(shape), "n": np.ones(shape)}


def _cases(
    grows: str, count: int, statements: Sequence[str], arrays: dict[str, Any]
) -> Iterator[Case]:
    """The statements on NumPy's arrays and on xpdl's over the same memory; ``n`` is NumPy's."""
    ours = {name: value if name == "n" else _ours(value) for name, value in arrays.items()}
    for statement in statements:
        contestants = (
            Statement("xpdl", statement, {"xp": xp, **ours}),
            Statement("numpy", statement, {"xp": np, **arrays}),
        )
        yield Case("growth", f"{grows}: {statement}", str(count), contestants)


def _ours(value: Any) -> Any:
    return [xp.asarray(item) for item in value] if isinstance(value, list) else xp.asarray(value)


def _torch_cases(ndim: int) -> Iterator[Case]:
    """The import of a tensor through the C exchange API, beside tvm-ffi's."""
    modules = peers()
    if "torch" in modules and "tvm_ffi" in modules:
        names = {"t": modules["torch"].ones((1,) * ndim)}
        contestants = (
            Statement("xpdl", "xp.from_dlpack(t)", {"xp": xp, **names}),
            Statement("tvm_ffi", "xp.from_dlpack(t)", {"xp": modules["tvm_ffi"], **names}),
        )
        yield Case("growth", "ndim: xp.from_dlpack(t)", str(ndim), contestants)
