"""The functions on a CUDA device against CuPy, where there is one."""

from collections.abc import Callable, Iterator
from functools import reduce
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

import xpdl as xp
from benchmarks.pairs import PAIRS, Pair, operand_names, pair_cases
from benchmarks.timing import Case, Finish, NotRunError

__all__ = ["cuda_cases", "device_cases"]


def cuda_cases() -> Iterator[Case]:
    """Every pair that CuPy has; the time of a loop ends when the device is done.

    Raises
    ------
    NotRunError
        Without CuPy, a CUDA device, or xpdl's support of it.
    """
    if not find_spec("cupy"):
        raise NotRunError("CuPy is not installed")
    import cupy

    try:
        cupy.cuda.runtime.getDeviceCount()
        xp.zeros(1, device="cuda")
    except Exception as error:
        raise NotRunError(f"no CUDA device to measure on ({error})") from error
    yield from device_cases(
        cupy,
        lambda value: xp.asarray(value, device="cuda"),
        cupy.asarray,
        cupy.cuda.get_current_stream().synchronize,
    )


def device_cases(
    library: ModuleType,
    ours: Callable[[np.ndarray], Any],
    theirs: Callable[[np.ndarray], Any],
    finish: Finish,
) -> Iterator[Case]:
    """The pairs of all sections with ``library`` for ``np``, at four elements and at a million."""
    pairs = [pair for section in PAIRS.values() for pair in section if _has(library, pair)]
    for size in ("4", "1000000"):
        our_names = operand_names(size, xp, ours)
        their_names = operand_names(size, library, theirs)
        yield from pair_cases(
            "cuda", size, pairs, our_names, their_names, library.__name__, finish
        )


def _has(library: ModuleType, pair: Pair) -> bool:
    """Whether a library has the function of NumPy's spelling; a method it has."""
    head, *path = pair[1].partition("(")[0].split(".")
    try:
        return head != "np" or callable(reduce(getattr, path, library))
    except AttributeError:
        return False
