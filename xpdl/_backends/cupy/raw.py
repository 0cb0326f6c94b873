"""Raw arrays of CuPy, and the scalars and dtypes beside them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

cupy: Any = import_module("cupy")  # which has no types for type checkers
ndarray = cupy.ndarray
Raw = Any  # cupy.ndarray

USER_DEFINED = 2  # what ``isbuiltin`` is for the dtypes of ml_dtypes


def is_extended(dtype: np.dtype[Any]) -> bool:
    """Whether a dtype is of ml_dtypes. CuPy has no kernels for them, but most for bfloat16."""
    return dtype.isbuiltin == USER_DEFINED


def is_bfloat16(dtype: np.dtype[Any]) -> bool:
    """Whether a dtype is the one of ml_dtypes with which CuPy computes."""
    return dtype.name == "bfloat16"


def is_container(dtype: np.dtype[Any]) -> bool:
    """Whether arrays of a dtype are only held."""
    return is_extended(dtype) and not is_bfloat16(dtype)


def as_bits(x: Any) -> Any:
    """A raw array, or a tuple of some, with unsigned integers in place of a dtype of ml_dtypes."""
    if isinstance(x, tuple):
        return tuple([as_bits(item) for item in x])
    if isinstance(x, (ndarray, np.ndarray)) and is_extended(x.dtype):
        return x.view(f"u{x.dtype.itemsize}")
    return x


def extended_in(args: tuple[Any, ...]) -> np.dtype[Any] | None:
    """The dtype of ml_dtypes of the raw arrays in ``args``, None where there is another as well."""
    dtypes = {
        x.dtype
        for arg in args
        for x in (arg if isinstance(arg, tuple) else (arg,))
        if isinstance(x, ndarray) and x.dtype.kind not in "biu"
    }
    held: list[np.dtype[Any]] = [dtype for dtype in dtypes if is_extended(dtype)]
    if len(held) == len(dtypes) == 1:
        return held[0]
    for dtype in held:
        if is_container(dtype):
            raise TypeError(f"no such operation on dtype {' and '.join(map(str, dtypes))}")
    return None


def on_bits(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that only moves elements, for the dtypes of ml_dtypes as well."""

    def moved(*args: Any) -> Any:
        dtype = extended_in(args)
        if dtype is None:
            return function(*args)
        result = function(*[as_bits(arg) for arg in args])
        if isinstance(result, (tuple, list)):
            return tuple([x.view(dtype) for x in result])
        return None if result is None else result.view(dtype)

    return moved


def is_number(x: Any) -> bool:
    """Whether an operand is a Python scalar, which is weak in type promotion."""
    return not isinstance(x, (ndarray, np.generic))


def scalar_like(scalar: Any, x: Raw) -> Any:
    """A Python scalar as a NumPy scalar of the dtype it has beside x; an array as it is.

    A kernel gets such a scalar by value. OverflowError if an integer does not fit.
    """
    if not is_number(scalar):
        return scalar
    return np.asarray(scalar, np.result_type(scalar, x.dtype))[()]


def array_like(scalar: Any, x: Raw) -> Raw:
    """A Python scalar as a 0-d array of the dtype it has beside x; an array as it is."""
    return from_value(scalar_like(scalar, x)) if is_number(scalar) else scalar


def from_value(value: np.generic) -> Raw:
    """A 0-d array of a NumPy scalar. CuPy's own way loses the sign of zero."""
    return cupy.asarray(np.asarray(value).reshape(1)).reshape(())


def in_common_dtype(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Two operands in the dtype of type promotion: arrays, and NumPy scalars for Python's."""
    array = x2 if is_number(x1) else x1
    x1, x2 = scalar_like(x1, array), scalar_like(x2, array)
    dtype = np.result_type(x1.dtype, x2.dtype)
    return x1.astype(dtype, copy=False), x2.astype(dtype, copy=False)
