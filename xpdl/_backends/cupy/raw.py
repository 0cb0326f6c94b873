"""Raw arrays of CuPy, and the scalars and dtypes beside them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

cupy: Any = import_module("cupy")  # which has no types for type checkers
ndarray = cupy.ndarray
Raw = Any  # cupy.ndarray

BFLOAT16 = "bfloat16"
USER_DEFINED = 2  # what ``isbuiltin`` is for the dtypes of ml_dtypes; some have the kind f


def is_container(dtype: np.dtype[Any]) -> bool:
    """Whether arrays of a dtype are only held: CuPy has no kernels for it."""
    return dtype.isbuiltin == USER_DEFINED and dtype.name != BFLOAT16


def as_bytes(x: Any) -> Any:
    """A raw array, or a tuple of some, with bytes in place of a dtype that is only held."""
    if isinstance(x, tuple):
        return tuple([as_bytes(item) for item in x])
    held = isinstance(x, (ndarray, np.ndarray)) and is_container(x.dtype)
    return x.view(np.uint8) if held else x


def container_in(args: tuple[Any, ...]) -> np.dtype[Any] | None:
    """The dtype that is only held of the raw arrays in ``args``, which then is that of all."""
    dtypes = {
        x.dtype
        for arg in args
        for x in (arg if isinstance(arg, tuple) else (arg,))
        if isinstance(x, ndarray) and x.dtype.kind not in "b"
    }
    held = [dtype for dtype in dtypes if is_container(dtype)]
    if not held:
        return None
    others = [dtype for dtype in dtypes if dtype.kind not in "iu" and dtype != held[0]]
    if others:
        raise TypeError(f"no such operation on dtype {held[0]} and {others[0]}")
    dtype: np.dtype[Any] = held[0]
    return dtype


def on_bytes(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that only moves elements, for dtypes that are only held as well."""

    def moved(*args: Any) -> Any:
        dtype = container_in(args)
        if dtype is None:
            return function(*args)
        result = function(*[as_bytes(arg) for arg in args])
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


def complex_of(x: Raw) -> Raw:
    """x in the complex dtype of its precision."""
    return x.astype(np.result_type(x.dtype, np.complex64), copy=False)
