"""Sorting functions, and the set functions, which rest on order too."""

from __future__ import annotations

from typing import Any

import numpy as np

from xpdl._backends.cupy.elementwise import equal, not_equal
from xpdl._backends.cupy.raw import Raw, cupy, is_number
from xpdl._backends.numpy.raw import Table


def reversed_order(x: Raw) -> Raw:
    """Values in the reverse order of x's, from which the same function makes x again.

    NaN stays NaN, and so last.
    """
    return -x if x.dtype.kind in "fc" else ~x


def sort(x: Raw, axis: int, descending: bool, stable: bool) -> Raw:
    """sort: descending, which CuPy lacks; stable both ways, as its sort is."""
    if not descending:
        return cupy.sort(x, axis)
    return reversed_order(cupy.sort(reversed_order(x), axis))


def argsort(x: Raw, axis: int, descending: bool, stable: bool) -> Raw:
    """argsort: descending, which CuPy lacks; stable both ways, as its argsort is."""
    return cupy.argsort(reversed_order(x) if descending else x, axis)


SORTING: Table = {
    "argsort": argsort,
    "sort": sort,
}


# --------------------------------------------------------------------------------------------- sets


def isin(x1: Any, x2: Any, invert: bool) -> Raw:
    """isin: by equality of values in one dtype, for uint64 with signed integers too.

    CuPy compares two dtypes as C++ does, and takes no scalars.
    """
    if is_number(x2):
        return (not_equal if invert else equal)(x1, x2)
    if is_number(x1):
        found = cupy.any(equal(x2, x1))
        return ~found if invert else found
    dtype = np.result_type(x1.dtype, x2.dtype)
    if x1.dtype.kind + x2.dtype.kind in ("iu", "ui") and dtype.kind == "f":
        found = isin_across_signs(x1, x2)
        return ~found if invert else found
    return cupy.isin(x1.astype(dtype, copy=False), x2.astype(dtype, copy=False), invert=invert)


def isin_across_signs(x1: Raw, x2: Raw) -> Raw:
    """isin of uint64 and a signed integer: what is negative is in no uint64."""
    if x1.dtype.kind == "i":
        return cupy.isin(x1.astype(np.uint64), x2) & (x1 >= 0)
    # A negative value of x2 would be at 2**63 or above as uint64, where no other of x2 is.
    return cupy.isin(x1, x2.astype(np.uint64)) & (x1 < np.uint64(2**63))


def unique_values(x: Raw) -> Raw:
    """unique_values: CuPy's, of which each NaN is a value of its own."""
    return cupy.unique_values(x)


def unique_counts(x: Raw) -> tuple[Raw, ...]:
    """unique_counts as a plain tuple."""
    return tuple(cupy.unique_counts(x))


def unique_inverse(x: Raw) -> tuple[Raw, ...]:
    """unique_inverse as a plain tuple."""
    return tuple(cupy.unique_inverse(x))


def unique_all(x: Raw) -> tuple[Raw, ...]:
    """unique_all as a plain tuple."""
    return tuple(cupy.unique_all(x))


SET: Table = {
    "isin": isin,
    "unique_all": unique_all,
    "unique_counts": unique_counts,
    "unique_inverse": unique_inverse,
    "unique_values": unique_values,
}
