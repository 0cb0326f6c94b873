"""Creation functions, and the data type functions, which create copies."""

from __future__ import annotations

import cmath
from typing import Any

import numpy as np

from xpdl._backends.numpy.raw import Raw, Table, undispatched


def full(shape: Any, fill_value: Any, dtype: np.dtype[Any] | None) -> Raw:
    """full: a plain fill of a new array, without the Python layer of np.full."""
    result = np.empty(shape, dtype)
    result.fill(fill_value)
    return result


def ones(shape: Any, dtype: np.dtype[Any] | None) -> Raw:
    """ones: full of 1, without the Python layer of np.ones."""
    return full(shape, 1, dtype)


def arange(start: Any, stop: Any, step: Any, dtype: np.dtype[Any], whole: bool) -> Any:
    """arange: "elements are spaced by step", also for a fractional step in an integer dtype.

    NumPy casts the first two values and goes on from their difference, which is 0 for 0 and 0.5,
    and wraps what does not fit a small dtype.
    """
    if dtype.kind in "fcb" or (whole and dtype.itemsize == 8):
        return np.arange(start, stop, step, dtype=dtype)
    result = np.arange(start, stop, step, dtype=np.int64 if whole else np.float64)
    if result.size and dtype.kind in "iu":
        check_fits(dtype, int(result[0]), int(result[-1]))
    return result.astype(dtype)


def check_fits(dtype: np.dtype[Any], *values: Any) -> None:
    """OverflowError unless all values, which may be NaN, are in the range of an integer dtype."""
    limits = np.iinfo(dtype)
    for value in values:
        if not limits.min <= value <= limits.max:
            raise OverflowError(f"values must fit dtype {dtype}, got {value}")


def fitting(values: Raw, dtype: np.dtype[Any]) -> Raw:
    """Whole floats in an integer dtype that they must fit; NumPy wraps."""
    if values.size:
        check_fits(dtype, values.min().item(), values.max().item())
    return values.astype(dtype)


def integers_between(start: int, stop: int, num: int, endpoint: bool, dtype: Any) -> Raw:
    """linspace of whole ends in an integer dtype, rounded down: exact, where NumPy's is float64."""
    steps = max(num - 1 if endpoint else num, 1)
    if num:
        check_fits(dtype, start, start + (num - 1) * (stop - start) // steps)
    slope, rest = divmod(stop - start, steps)
    index = np.arange(num, dtype=np.int64)
    # Sums modulo 2**64 are exact in the end; index * rest < num**2 never gets there.
    result = (index * rest // steps).view(np.uint64)
    result += index.view(np.uint64) * np.uint64(slope % 2**64)
    result += np.uint64(start % 2**64)
    return result.view(np.int64).astype(dtype)


numpy_linspace = undispatched(np.linspace)


def linspace(start: Any, stop: Any, num: int, endpoint: bool, dtype: Any) -> Raw:
    """linspace: an interval that is wider than the largest float, where NumPy's step overflows.

    In an integer dtype whole ends are exact, and what does not fit is an error, where NumPy wraps.
    """
    if dtype is not None and dtype.kind in "iu":
        if is_whole(start) and is_whole(stop):
            return integers_between(int(start), int(stop), num, endpoint, dtype)
        with np.errstate(all="ignore"):
            values = linspace(float(start), float(stop), num, endpoint, None)
        return fitting(np.floor(values), dtype)
    if cmath.isfinite(stop - start) or not (cmath.isfinite(start) and cmath.isfinite(stop)):
        return numpy_linspace(start, stop, num, endpoint, False, dtype)
    result = 2 * np.linspace(start / 2, stop / 2, num, endpoint)
    return result if dtype is None else result.astype(dtype)


def is_whole(number: Any) -> bool:
    """Whether a Python int or float is whole."""
    return isinstance(number, int) or number.is_integer()


def logspace(start: Any, stop: Any, num: int, endpoint: bool, base: Any, dtype: Any) -> Raw:
    """logspace: what does not fit an integer dtype is an error, where NumPy wraps."""
    if dtype is None or dtype.kind not in "iu":
        return np.logspace(start, stop, num, endpoint, base, dtype)
    with np.errstate(all="ignore"):
        return fitting(np.trunc(np.logspace(start, stop, num, endpoint, base)), dtype)


numpy_meshgrid = undispatched(np.meshgrid)


def meshgrid(*raws_and_indexing: Any) -> Any:
    """meshgrid: indexing is the last argument."""
    *raws, indexing = raws_and_indexing
    return numpy_meshgrid(*raws, indexing=indexing)


def diag(x: Raw, k: int) -> Raw:
    """diag: always a copy; NumPy gives a read-only view of a matrix."""
    return np.diag(x, k) if x.ndim == 1 else np.diag(x, k).copy()


CREATION: Table = {
    "arange": arange,
    "diag": diag,
    "empty": np.empty,
    "empty_like": np.empty,
    "eye": np.eye,
    "full": full,
    "full_like": full,
    "linspace": linspace,
    "logspace": logspace,
    "meshgrid": meshgrid,
    "ones": ones,
    "ones_like": ones,
    "tril": np.tril,
    "triu": np.triu,
    "zeros": np.zeros,
    "zeros_like": np.zeros,
}


# ---------------------------------------------------------------------------------------- data type


def astype(x: Raw, dtype: np.dtype[Any], copy: bool) -> Raw:
    """astype with a positional copy."""
    return x.astype(dtype, copy=copy)


DATA_TYPE: Table = {
    "astype": astype,
    "copy": np.copy,
    "copyto": np.copyto,
}
