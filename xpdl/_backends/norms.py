"""Norms, by the tables of the standard, of the reductions of either library.

Source: array API 2025.12, linear algebra extension, ``vector_norm`` and ``matrix_norm``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Reductions(NamedTuple):
    """What norms are made of. All but the first and the last take x, the axes and keepdims."""

    magnitudes: Callable[[Any], Any]
    """Absolute values of a floating dtype."""
    total: Callable[[Any, Any, bool], Any]
    largest: Callable[[Any, Any, bool], Any]
    """Of values that are not negative; 0 of none."""
    smallest: Callable[[Any, Any, bool], Any]
    root_of_squares: Callable[[Any, Any, bool], Any]
    """The 2-norm, of real and imaginary parts where x is complex."""
    singular_values: Callable[[Any], Any]


def vector_norm(by: Reductions, x: Any, axis: Any, keepdims: bool, ord: float) -> Any:
    """vector_norm: the sums of the standard's table over any axes, without reshaping x."""
    if x.dtype == np.float16:  # powers leave its range long before their root does
        return vector_norm(by, x.astype(np.float32), axis, keepdims, ord).astype(np.float16)
    if ord == 2.0:
        return by.root_of_squares(x, axis, keepdims)
    if ord == 0.0:
        real = np.empty(0, x.dtype).real.dtype if x.dtype.kind in "fc" else np.float64
        return by.total((x != 0).astype(real), axis, keepdims)
    sizes = by.magnitudes(x)
    if ord == math.inf:
        return by.largest(sizes, axis, keepdims)
    if ord == -math.inf:
        return by.smallest(sizes, axis, keepdims)
    if ord == 1.0:
        return by.total(sizes, axis, keepdims)
    with np.errstate(divide="ignore"):
        return by.total(sizes**ord, axis, keepdims) ** (1.0 / ord)


def matrix_norm(by: Reductions, x: Any, keepdims: bool, ord: Any) -> Any:
    """matrix_norm: the standard's table; 0 for matrices without elements, where that is a norm."""
    if x.dtype == np.float16:
        return matrix_norm(by, x.astype(np.float32), keepdims, ord).astype(np.float16)
    if ord == "fro":
        return by.root_of_squares(x, (-2, -1), keepdims)
    along = -2 if keepdims else -1
    if ord in (2, -2, "nuc"):
        inner = by.singular_values(x)
        if keepdims:
            inner = inner[..., None]
    elif ord in (1, -1):
        inner = by.total(by.magnitudes(x), -2, keepdims)
        along = -1
    else:
        inner = by.total(by.magnitudes(x), -1, keepdims)
    if ord == "nuc":
        return by.total(inner, along, keepdims)
    return (by.largest if ord > 0 else by.smallest)(inner, along, keepdims)
