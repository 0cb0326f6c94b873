"""Searching functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from xpdl._backends.cupy.raw import Raw, array_like, cupy, is_number, ndarray, scalar_like
from xpdl._backends.numpy.raw import Axis, Table, axes_of


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
    return cupy.sum(x != 0, axes_of(axis), np.int64, None, keepdims)


def nonzero(x: Raw) -> tuple[Raw, ...]:
    """nonzero: of 0-d x it is an error; the text names the way out."""
    if x.ndim == 0:
        raise ValueError("x must have one or more dimensions, got shape (); reshape it to (1,)")
    return tuple(cupy.nonzero(x))


def searchsorted(x1: Raw, x2: Any, sorter: Any, side: Any) -> Raw:
    """searchsorted: in one dtype, by the order of values for uint64 with signed integers too.

    CuPy compares two dtypes as C++ does. What else is asked of the arguments is as on the CPU, but
    no value of sorter is looked at.
    """
    if x1.ndim != 1:
        raise ValueError(f"x1 must be 1-D, got shape {x1.shape}")
    if side not in ("left", "right"):
        raise ValueError(f"side must be 'left' or 'right', got {side!r}")
    if x2 is None:
        raise TypeError("x2 must be an Array or a scalar, got None")
    if isinstance(x2, int):
        x2 = cupy.asarray(np.asarray(x2))
    else:
        x2 = array_like(x2, x1)
    if sorter is not None:
        x1 = sorted_by(x1, sorter)
    kinds = x1.dtype.kind + x2.dtype.kind
    if kinds[1] == "c" and kinds[0] != "c":
        raise TypeError(f"x2 must be real for x1 of dtype {x1.dtype}, got dtype {x2.dtype}")
    dtype = np.result_type(x1.dtype, x2.dtype)
    if kinds in ("iu", "ui") and dtype.kind == "f":
        return search_across_signs(x1, x2, side)
    return cupy.searchsorted(x1.astype(dtype, copy=False), x2.astype(dtype, copy=False), side)


def sorted_by(x1: Raw, sorter: Raw) -> Raw:
    """x1 in the order of sorter."""
    if not isinstance(sorter, ndarray) or sorter.dtype.kind not in "iu":
        raise TypeError("sorter must only contain integers")
    if sorter.shape != x1.shape:
        raise ValueError("sorter.size must equal x1.size")
    return x1.take(sorter.astype(np.int64, copy=False))


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
    if condition is None or x1 is None or x2 is None:
        raise TypeError("condition, x1 and x2 must be Arrays or scalars, got None")
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
