"""Statistical functions, and the utility functions: reductions, running sums, differences."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from xpdl._backends.cupy.raw import Raw, array_like, cupy
from xpdl._backends.numpy.raw import Axis, Table
from xpdl._backends.numpy.statistical import count_along


def without_dtype(reduction: Callable[..., Raw]) -> Callable[..., Raw]:
    """A reduction that has no dtype, in the order of arguments of those that have one."""

    def reduce(x: Raw, axis: Any, dtype: None, out: None, keepdims: bool) -> Raw:
        return reduction(x, axis, keepdims=keepdims)

    return reduce


def var(x: Raw, axis: Axis, correction: float, keepdims: bool) -> Raw:
    """var: NaN if correction is not below the number of elements, where CuPy can give infinity."""
    result = cupy.var(x, axis, None, None, correction, keepdims)
    return result if count_along(x, axis) > correction else result * math.nan


def std(x: Raw, axis: Axis, correction: float, keepdims: bool) -> Raw:
    """std: the root of var, with its repair."""
    return cupy.sqrt(var(x, axis, correction, keepdims))


def cumulative(scan: Callable[..., Raw]) -> Callable[..., Raw]:
    """cumulative_sum or cumulative_prod: in the dtype of a sum."""

    def accumulate(x: Raw, axis: int, dtype: Any, include_initial: bool) -> Raw:
        if dtype is None:
            dtype = dtype_of_sum(x.dtype)
        return scan(x, axis=axis, dtype=dtype, include_initial=include_initial)

    return accumulate


def dtype_of_sum(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which values are added: bool and small integers in the widest of their kind."""
    if dtype.kind == "V":
        return dtype
    found: np.dtype[Any] = np.add.reduce(np.empty(0, dtype)).dtype
    return found


def nanvar(x: Raw, axis: Axis, correction: float, keepdims: bool) -> Raw:
    """nanvar, in the order of arguments of var."""
    return cupy.nanvar(x, axis, None, None, correction, keepdims)


def nanstd(x: Raw, axis: Axis, correction: float, keepdims: bool) -> Raw:
    """nanstd, in the order of arguments of std."""
    return cupy.nanstd(x, axis, None, None, correction, keepdims)


STATISTICAL: Table = {
    "cumulative_prod": cumulative(cupy.cumulative_prod),
    "cumulative_sum": cumulative(cupy.cumulative_sum),
    "max": without_dtype(cupy.max),
    "mean": cupy.mean,
    "median": without_dtype(cupy.median),
    "min": without_dtype(cupy.min),
    "nanmax": without_dtype(cupy.nanmax),
    "nanmean": cupy.nanmean,
    "nanmedian": without_dtype(cupy.nanmedian),
    "nanmin": without_dtype(cupy.nanmin),
    "nanprod": cupy.nanprod,
    "nanstd": nanstd,
    "nansum": cupy.nansum,
    "nanvar": nanvar,
    "prod": cupy.prod,
    "std": std,
    "sum": cupy.sum,
    "var": var,
}


# ------------------------------------------------------------------------------------------ utility


def diff(x: Raw, prepend: Any, append: Any, axis: int, n: int) -> Raw:
    """diff: with n = 0 what is prepended and appended counts too; CuPy gives x itself."""
    pieces = [array_like(piece, x) for piece in (prepend, x, append) if piece is not None]
    if len(pieces) > 1:
        line = [1 if a == axis else side for a, side in enumerate(x.shape)]
        pieces = [cupy.broadcast_to(p, line) if p.ndim == 0 else p for p in pieces]
        x = cupy.concatenate(pieces, axis)
    n = min(n, x.shape[axis])  # what is left then stays empty
    return cupy.diff(x, n, axis) if n else x.copy()


UTILITY: Table = {
    "all": without_dtype(cupy.all),
    "any": without_dtype(cupy.any),
    "diff": diff,
}
