"""Searching functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from xpdl._backends.numpy.raw import Axis, Raw, Table, scalar_like, undispatched


def argmax(x: Raw, axis: Any, keepdims: bool) -> Any:
    """argmax with a positional keepdims."""
    return x.argmax(axis, keepdims=True) if keepdims else x.argmax(axis)


def argmin(x: Raw, axis: Any, keepdims: bool) -> Any:
    """argmin with a positional keepdims."""
    return x.argmin(axis, keepdims=True) if keepdims else x.argmin(axis)


def nanargmax(x: Raw, axis: int | None, keepdims: bool) -> Any:
    """nanargmax with a positional keepdims."""
    return np.nanargmax(x, axis, keepdims=keepdims)


def nanargmin(x: Raw, axis: int | None, keepdims: bool) -> Any:
    """nanargmin with a positional keepdims."""
    return np.nanargmin(x, axis, keepdims=keepdims)


numpy_count_nonzero = undispatched(np.count_nonzero)


def count_nonzero(x: Raw, axis: Axis, keepdims: bool) -> Any:
    """count_nonzero with a positional keepdims."""
    return numpy_count_nonzero(x, axis, keepdims=keepdims)


def searchsorted(x1: Raw, x2: Any, sorter: Any, side: Any) -> Any:
    """searchsorted: a scalar x2 takes the dtype of x1.

    NumPy compares a Python float with float32 in float64. An integer out of range keeps its value.
    Between uint64 and signed integers the order is that of the values; NumPy takes float64.
    "sorter: an integer data type", of which NumPy refuses uint64.
    """
    x2 = np.asarray(x2) if isinstance(x2, int) else scalar_like(x2, x1)
    if isinstance(sorter, np.ndarray) and sorter.dtype == np.uint64:
        sorter = sorter.astype(np.int64)
    if x1.dtype is not x2.dtype:
        kinds = x1.dtype.kind + x2.dtype.kind
        if kinds[1] == "c" and kinds[0] != "c":
            raise TypeError(f"x2 must be real for x1 of dtype {x1.dtype}, got dtype {x2.dtype}")
        if kinds in ("iu", "ui") and np.result_type(x1, x2).kind == "f":
            return search_across_signs(x1, x2, sorter, side)
    return x1.searchsorted(x2, side, sorter)


def search_across_signs(x1: Raw, x2: Raw, sorter: Any, side: Any) -> Any:
    """searchsorted of uint64 and a signed integer: what is negative counts by itself."""
    if sorter is not None:
        if np.any((sorter < 0) | (sorter >= x1.size)):
            raise ValueError("sorter must hold indices into x1, got one out of range")
        x1 = x1[sorter]
    negative = np.count_nonzero(x1 < 0)
    found = x1[negative:].astype(np.uint64).searchsorted(x2.astype(np.uint64), side) + negative
    return found if x2.dtype.kind == "u" else np.where(x2 < 0, 0, found)


numpy_where = undispatched(np.where)


def where(condition: Any, x1: Any, x2: Any) -> Any:
    """where: an integer out of the other operand's range is an error; NumPy before 2.5 wraps."""
    if type(x1) is int:
        x1 = scalar_like(x1, x2)
    elif type(x2) is int:
        x2 = scalar_like(x2, x1)
    return numpy_where(condition, x1, x2)


SEARCHING: Table = {
    "argmax": argmax,
    "argmin": argmin,
    "count_nonzero": count_nonzero,
    "nanargmax": nanargmax,
    "nanargmin": nanargmin,
    "nonzero": np.ndarray.nonzero,
    "searchsorted": searchsorted,
    "where": where,
}
