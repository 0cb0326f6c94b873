"""One exchange: hand an array of one library to another, and see what became of it."""

import statistics
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import xpdl as xp
from xpdl.dlpack import inspect

__all__ = ["OUTCOMES", "Exchange", "exchange", "told"]

OUTCOMES = {
    "zero-copy": "both libraries have the same memory",
    "copy": "the same values at another address",
    "refused": "an exception says no",
    "wrong": "other values, another dtype or another shape than went out",
    "crash": "the process ended",
    "unverified": "taken, but its address cannot be read back",
    "none": "the producer has no such array",
}
"""What can come of an exchange, the better the earlier."""


@dataclass(frozen=True)
class Exchange:
    """What came of handing an array of that kind from one library to another."""

    producer: str
    consumer: str
    kind: str
    outcome: str
    reason: str | None = None
    nanoseconds: float | None = None
    """Median time of one import by the consumer."""


class Sight(NamedTuple):
    """What is seen of an array from outside, through DLPack."""

    address: int
    dtype: str
    shape: tuple[int, ...]
    flags: tuple[str, ...] | None
    values: list[Any]


def exchange(array: Any, take: Callable[[Any], object]) -> tuple[str, str | None]:
    """The outcome of ``take(array)``, and the reason where there is more to say."""
    try:
        taken = take(array)
    except Exception as error:
        return "refused", told(error)
    try:
        sent, received = see(array), see(taken)
    except Exception as error:
        return "unverified", told(error)
    for name in ("dtype", "shape", "values"):
        before, after = getattr(sent, name), getattr(received, name)
        if before != after:
            return "wrong", f"the {name} {before} became {after}"
    if sent.address != received.address and sent.values:
        return "copy", None
    if sent.flags and "READ_ONLY" in sent.flags and "READ_ONLY" not in (received.flags or ()):
        return "zero-copy", "is not marked read-only any more"
    return "zero-copy", None


def see(array: Any) -> Sight:
    """Where the array is and what it holds; raises where that cannot be read on the host."""
    if isinstance(array, np.ndarray):  # also of dtypes that NumPy does not export
        array = xp.from_dlpack(array)
    info = inspect(array)
    if info.address is None or info.dtype is None or info.shape is None:
        raise BufferError("the tensor is of a version that cannot be read")
    values = np.asarray(xp.from_dlpack(array, device="cpu")).astype(np.complex128)
    return Sight(info.address, info.dtype, info.shape, info.flags, values.ravel().tolist())


def nanoseconds_of(take: Callable[[Any], object], array: Any) -> float:
    """Median time of ``take(array)``, over rounds of a millisecond."""
    timer = timeit.Timer("take(array)", globals={"take": take, "array": array})
    loops = 1
    while timer.timeit(loops) < 0.001:
        loops *= 2
    return round(statistics.median(timer.repeat(9, loops)) / loops * 1e9, 1)


def told(error: Exception) -> str:
    """The error's class and the first line of its text."""
    text = next(iter(str(error).strip().splitlines()), "")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
