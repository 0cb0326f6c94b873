"""Sorting functions, and the set functions, which rest on order too."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from xpdl._backends.numpy.raw import Raw, Table, any_set, ndarray, undispatched

# Below this size a stable sort of floats costs no more than the repair of an unstable one.
SMALL = 1000


def backwards(x: Raw, axis: int) -> Raw:
    """A view of x with an axis reversed."""
    return x[(slice(None),) * axis + (slice(None, None, -1),)]


def has_nan(x: Raw) -> bool:
    """Whether an array of any dtype holds a NaN."""
    return x.dtype.kind in "fc" and any_set(np.isnan(x))


def sort(x: Raw, axis: int, descending: bool, stable: bool) -> Raw:
    """sort: descending, which NumPy before 2.5 lacks, with NaNs at the end as NumPy 2.5 has them.

    Ascending order through a reversed view is descending order. Equal real values can differ in the
    sign of zero alone: the fast unstable sort serves, and the zeros are put in order after it.
    """
    result = x.copy()
    if stable and not descending and x.size <= SMALL:
        result.sort(axis, "stable")
        return result
    kind = x.dtype.kind
    fast = not stable or (kind in "iu" and x.itemsize > 2) or (kind == "f" and x.size > SMALL)
    (backwards(result, axis) if descending else result).sort(axis, None if fast else "stable")
    if descending and has_nan(result):
        order = np.isnan(result).argsort(axis, "stable")
        result = np.take_along_axis(result, order, axis)
    if fast and stable and kind == "f" and any_set(zeros := result == 0):
        source = np.moveaxis(x, axis, -1)
        np.moveaxis(result, axis, -1)[np.moveaxis(zeros, axis, -1)] = source[source == 0]
    return result


def argsort(x: Raw, axis: int, descending: bool, stable: bool) -> Any:
    """argsort: descending, which NumPy before 2.5 lacks, stable and with NaNs at the end."""
    kind: Literal["stable"] | None = "stable" if stable else None
    if not descending:
        return x.argsort(axis, kind)
    result = x.shape[axis] - 1 - backwards(backwards(x, axis).argsort(axis, kind), axis)
    if has_nan(x):
        order = np.isnan(np.take_along_axis(x, result, axis)).argsort(axis, "stable")
        result = np.take_along_axis(result, order, axis)
    return result


SORTING: Table = {
    "argsort": argsort,
    "sort": sort,
}


# --------------------------------------------------------------------------------------------- sets


numpy_isin = undispatched(np.isin)
numpy_unique = undispatched(np.unique)


def isin(x1: Any, x2: Any, invert: bool) -> Any:
    """isin: by equality of values, for uint64 with signed integers too; NumPy takes float64 there.

    A scalar takes the dtype of the other operand, as in a comparison.
    """
    if type(x2) is not ndarray:
        return (np.not_equal if invert else np.equal)(x1, x2)
    if type(x1) is not ndarray:
        found = np.logical_or.reduce(np.equal(x2, x1), None)
        return ~found if invert else found
    if x1.dtype.kind + x2.dtype.kind in ("iu", "ui") and np.result_type(x1, x2).kind == "f":
        found = numpy_isin(x1.astype(np.uint64), x2[x2 >= 0].astype(np.uint64)) & (x1 >= 0)
        return ~found if invert else found
    return numpy_isin(x1, x2, invert=invert)


def unique_values(x: Raw) -> Raw:
    """unique_values: each NaN is a value of its own; NumPy merges them."""
    return numpy_unique(x, equal_nan=False)


def unique_counts(x: Raw) -> tuple[Raw, ...]:
    """unique_counts: each NaN is a value of its own; NumPy merges them."""
    return numpy_unique(x, return_counts=True, equal_nan=False)


def unique_inverse(x: Raw) -> tuple[Raw, ...]:
    """unique_inverse: each NaN is a value of its own; NumPy merges them."""
    return numpy_unique(x, return_inverse=True, equal_nan=False)


def unique_all(x: Raw) -> tuple[Raw, ...]:
    """unique_all: each NaN is a value of its own; NumPy merges them."""
    return numpy_unique(x, True, True, True, equal_nan=False)


SET: Table = {
    "isin": isin,
    "unique_all": unique_all,
    "unique_counts": unique_counts,
    "unique_inverse": unique_inverse,
    "unique_values": unique_values,
}
