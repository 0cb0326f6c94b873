"""Raw arrays: their types, the reductions of NumPy, and questions that chapters share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional, TypeVar

import numpy as np

ndarray = np.ndarray
Raw = np.ndarray[Any, np.dtype[np.number[Any]]]
Axis = Optional[int | tuple[int, ...]]  # noqa: UP045, of a None after | gcc warns in C
Table = dict[str, Callable[..., Any]]
Function = TypeVar("Function")

# Under names of their own, since NumPy's stubs have no positional keepdims.
add_reduce: Callable[..., Any] = np.add.reduce
maximum_reduce: Callable[..., Any] = np.maximum.reduce
minimum_reduce: Callable[..., Any] = np.minimum.reduce


def undispatched(function: Function) -> Function:
    """NumPy's function below its search for ``__array_function__``, which no ndarray needs."""
    below: Function = getattr(function, "__wrapped__", function)
    return below


def any_set(mask: Any) -> bool:
    """Whether a mask has a True: for small arrays a third of the time of mask.any()."""
    return 1 in mask.tobytes()


def scalar_like(scalar: Any, x: Any) -> Any:
    """A Python scalar as a 0-d array of the dtype it has beside x; an array as it is."""
    return scalar if type(scalar) is ndarray else np.asarray(scalar, np.result_type(scalar, x))


def complex_of(x: Raw) -> Raw:
    """x in the complex dtype of its precision."""
    return x.astype(np.result_type(x.dtype, np.complex64), copy=False)
