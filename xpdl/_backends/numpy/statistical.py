"""Statistical functions, and the utility functions: reductions, running sums, differences."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from xpdl._backends.numpy.raw import (
    Axis,
    Raw,
    Table,
    add_reduce,
    scalar_like,
    undispatched,
)

# Counts up to this are float32 values, so that dividing in float32 rounds as NumPy does in float64.
EXACT_IN_FLOAT32 = 2**24


def count_along(x: Raw, axis: int | tuple[int, ...] | None) -> int:
    """How many elements of x go into each element of a reduction over axis."""
    if axis is None:
        return x.size
    return math.prod([x.shape[a] for a in (axis if isinstance(axis, tuple) else (axis,))])


def undefined(x: Raw, axis: int | tuple[int, ...] | None, keepdims: bool) -> Any:
    """NaN for each element of a mean of x over axis, without a warning: the standard defines it."""
    return add_reduce(np.zeros_like(x), axis, None, None, keepdims) * math.nan


def mean(x: Raw, axis: int | tuple[int, ...] | None, dtype: Any, out: None, keepdims: bool) -> Any:
    """mean: what np.mean computes, for float64 and float32 without its Python layer."""
    if x.size == 0:
        return undefined(x if dtype is None else x.astype(dtype), axis, keepdims)
    if x.dtype.char not in "fd" or x.size > EXACT_IN_FLOAT32 or dtype is not None:
        return x.mean(axis, dtype, keepdims=keepdims)
    total = add_reduce(x, axis, None, None, keepdims)
    return total / (x.size // total.size)


def var(x: Raw, axis: Axis, correction: float, keepdims: bool) -> Any:
    """var: NaN if correction is not below the number of elements, where NumPy can give infinity.

    The rest is what np.var computes, for float64 and float32 without its Python layer.
    """
    total = add_reduce(x, axis, None, None, True)
    count = count_along(x, axis)
    divisor = count - correction
    if divisor <= 0:
        return undefined(x.real, axis, keepdims)
    if x.dtype.char not in "fd" or x.size > EXACT_IN_FLOAT32 or divisor % 1:
        return x.var(axis, ddof=correction, keepdims=keepdims)
    deviation = x - total / count
    deviation *= deviation
    return add_reduce(deviation, axis, None, None, keepdims) / divisor


def std(x: Raw, axis: Axis, correction: float, keepdims: bool) -> Any:
    """std: the root of var, with its repair."""
    return np.sqrt(var(x, axis, correction, keepdims))


def accumulate(ufunc: np.ufunc, x: Raw, axis: int, dtype: Any, include_initial: bool) -> Any:
    """cumulative_sum and cumulative_prod; the initial value is the ufunc's identity."""
    if not include_initial:
        return ufunc.accumulate(x, axis, dtype)
    if dtype is None:
        dtype = ufunc.reduce(x[:0], dtype=None).dtype
    first: list[slice] = [slice(None)] * x.ndim
    rest = first.copy()
    first[axis], rest[axis] = slice(0, 1), slice(1, None)
    shape = list(x.shape)
    shape[axis] += 1
    result = np.empty(shape, dtype)
    result[tuple(first)] = ufunc.identity
    ufunc.accumulate(x, axis, dtype, result[tuple(rest)])
    return result


def cumulative_sum(x: Raw, axis: int, dtype: Any, include_initial: bool) -> Any:
    """cumulative_sum: see accumulate."""
    return accumulate(np.add, x, axis, dtype, include_initial)


def cumulative_prod(x: Raw, axis: int, dtype: Any, include_initial: bool) -> Any:
    """cumulative_prod: see accumulate."""
    return accumulate(np.multiply, x, axis, dtype, include_initial)


def nanmax(x: Raw, axis: Any, dtype: None, out: None, keepdims: bool) -> Any:
    """nanmax, in the order of arguments of a reduction."""
    return np.nanmax(x, axis, None, keepdims)


def nanmin(x: Raw, axis: Any, dtype: None, out: None, keepdims: bool) -> Any:
    """nanmin, in the order of arguments of a reduction."""
    return np.nanmin(x, axis, None, keepdims)


def nanmedian(x: Raw, axis: Any, dtype: None, out: None, keepdims: bool) -> Any:
    """nanmedian, in the order of arguments of a reduction."""
    return np.nanmedian(x, axis, None, False, keepdims)


def nanvar(x: Raw, axis: Axis, correction: float, keepdims: bool) -> Any:
    """nanvar, in the order of arguments of var."""
    return np.nanvar(x, axis, None, None, correction, keepdims)


def nanstd(x: Raw, axis: Axis, correction: float, keepdims: bool) -> Any:
    """nanstd, in the order of arguments of std."""
    return np.nanstd(x, axis, None, None, correction, keepdims)


def median(x: Raw, axis: Any, dtype: None, out: None, keepdims: bool) -> Any:
    """median, in the order of arguments of a reduction."""
    return np.median(x, axis, None, False, keepdims)


STATISTICAL: Table = {
    "cumulative_prod": cumulative_prod,
    "cumulative_sum": cumulative_sum,
    "max": np.maximum.reduce,
    "mean": mean,
    "median": median,
    "min": np.minimum.reduce,
    "nanmax": nanmax,
    "nanmean": np.nanmean,
    "nanmedian": nanmedian,
    "nanmin": nanmin,
    "nanprod": np.nanprod,
    "nanstd": nanstd,
    "nansum": np.nansum,
    "nanvar": nanvar,
    "prod": np.multiply.reduce,
    "std": std,
    "sum": np.add.reduce,
    "var": var,
}


# ------------------------------------------------------------------------------------------ utility


numpy_diff = undispatched(np.diff)


def diff(x: Raw, prepend: Any, append: Any, axis: int, n: int) -> Raw:
    """diff: with n = 0 what is prepended and appended counts too, where NumPy gives x itself."""
    if prepend is not None or append is not None:
        pieces = [scalar_like(piece, x) for piece in (prepend, x, append) if piece is not None]
        line = [1 if a == axis else side for a, side in enumerate(x.shape)]
        pieces = [np.broadcast_to(piece, line) if piece.ndim == 0 else piece for piece in pieces]
        x = np.concatenate(pieces, axis)
    n = min(n, x.shape[axis])  # what is left then stays empty
    return numpy_diff(x, n, axis) if n else x.copy()


UTILITY: Table = {
    "all": np.logical_and.reduce,
    "any": np.logical_or.reduce,
    "diff": diff,
}
