"""Searching functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from xpdl._backends.cupy.elementwise import within_reach
from xpdl._backends.cupy.raw import Raw, array_like, cupy, is_number, scalar_like
from xpdl._backends.numpy.raw import Axis, Table


def argmax(x: Raw, axis: Any, keepdims: bool) -> Raw:
    """argmax with a positional keepdims."""
    return cupy.argmax(x, axis, keepdims=keepdims)


def argmin(x: Raw, axis: Any, keepdims: bool) -> Raw:
    """argmin with a positional keepdims."""
    return cupy.argmin(x, axis, keepdims=keepdims)


def nanargmax(x: Raw, axis: int | None, keepdims: bool) -> Raw:
    """nanargmax: of NaN alone it is an error, for which the host waits."""
    check_not_all_nan(x, axis)
    return cupy.nanargmax(x, axis, keepdims=keepdims)


def nanargmin(x: Raw, axis: int | None, keepdims: bool) -> Raw:
    """nanargmin: of NaN alone it is an error, for which the host waits."""
    check_not_all_nan(x, axis)
    return cupy.nanargmin(x, axis, keepdims=keepdims)


def check_not_all_nan(x: Raw, axis: int | None) -> None:
    if x.dtype.kind in "fc" and bool(cupy.all(cupy.isnan(x), axis).any()):
        raise ValueError("All-NaN slice encountered")


def count_nonzero(x: Raw, axis: Axis, keepdims: bool) -> Raw:
    """count_nonzero: keepdims, which CuPy lacks."""
    return cupy.sum(x != 0, axis, np.int64, None, keepdims)


def nonzero(x: Raw) -> tuple[Raw, ...]:
    """nonzero as a tuple."""
    return tuple(cupy.nonzero(x))


def searchsorted(x1: Raw, x2: Any, sorter: Any, side: Any) -> Raw:
    """searchsorted: in one dtype, by the order of values for uint64 with signed integers too.

    CuPy compares two dtypes as C++ does. No value of sorter is looked at, unlike on the CPU.
    """
    if isinstance(x2, int):
        value = np.asarray(within_reach(x2, x1))
        x2 = cupy.asarray(value.astype(np.float64) if value.dtype == object else value)
    else:
        x2 = array_like(x2, x1)
    if sorter is not None:
        x1 = x1.take(sorter.astype(np.int64, copy=False))
    kinds = x1.dtype.kind + x2.dtype.kind
    if kinds[1] == "c" and kinds[0] != "c":
        raise TypeError(f"x2 must be real for x1 of dtype {x1.dtype}, got dtype {x2.dtype}")
    dtype = np.result_type(x1.dtype, x2.dtype)
    if kinds in ("iu", "ui") and dtype.kind == "f":
        return search_across_signs(x1, x2, side)
    return cupy.searchsorted(x1.astype(dtype, copy=False), x2.astype(dtype, copy=False), side)


def search_across_signs(x1: Raw, x2: Raw, side: Any) -> Raw:
    """searchsorted of uint64 and a signed integer: what is negative comes first."""
    if x1.dtype.kind == "u":
        found = cupy.searchsorted(x1, x2.astype(np.uint64), side)
        return cupy.where(x2 < 0, np.int64(0), found)
    negative = cupy.sum(x1 < 0, None, np.int64)
    # Zero stands for what is negative: it is not above anything that is searched for.
    found = cupy.searchsorted(cupy.maximum(x1, 0).astype(np.uint64), x2.astype(np.uint64), side)
    return cupy.maximum(found, negative)


def where(condition: Any, x1: Any, x2: Any) -> Raw:
    """where: a scalar takes the dtype of the other operand, with the sign of a zero."""
    if is_number(condition):
        condition = cupy.asarray(bool(condition))
    if is_number(x1) and is_number(x2):
        dtype = np.where(True, x1, x2).dtype
        x1, x2 = dtype.type(x1), dtype.type(x2)
    elif is_number(x1):
        x1 = scalar_like(x1, x2)
    elif is_number(x2):
        x2 = scalar_like(x2, x1)
    return cupy.where(condition, x1, x2)


SEARCHING: Table = {
    "argmax": argmax,
    "argmin": argmin,
    "count_nonzero": count_nonzero,
    "nanargmax": nanargmax,
    "nanargmin": nanargmin,
    "nonzero": nonzero,
    "searchsorted": searchsorted,
    "where": where,
}
