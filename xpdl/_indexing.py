"""Indexing functions.

Source: array API 2025.12, indexing functions.
"""

from __future__ import annotations

import numpy as np

from xpdl._cext import Array, axis_from, check_array, nary

__all__ = ["take", "take_along_axis"]


def take(x: Array, indices: Array, /, *, axis: int | None = None) -> Array:
    """Elements of ``x`` at ``indices`` along ``axis``; negative indices count from the end.

    The shape is x's with the size of ``axis`` replaced by the shape of ``indices``, which may be
    an int too. ``axis`` may be left out if ``x`` has one dimension. Copy.
    NumPy differs: without ``axis`` it flattens.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``indices`` not integers.
    ValueError
        If ``axis`` is None and ``x`` has more than one dimension.
    IndexError
        If an index or ``axis`` is out of bounds.

    Source: array API 2025.12, indexing functions, ``take``.
    """
    ndim = check_array("take", "x", x).ndim
    if isinstance(indices, Array):
        if indices.dtype.kind == "b":
            raise TypeError("take: indices must be integers, got bool; use x[mask] for a mask")
    elif isinstance(indices, (bool, np.bool)) or not hasattr(indices, "__index__"):
        raise TypeError(
            f"take: indices must be an Array of integers or an int, got {indices!r}; convert "
            "them with xpdl.asarray"
        )
    if axis is None and ndim > 1:
        raise ValueError(f"take: axis must be an int for an array of {ndim} dimensions, got None")
    return nary("take", (x, indices), (axis_from("take", x, axis, True),))


def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Array:
    """Elements of ``x`` whose position along ``axis`` is given for each by ``indices``.

    ``x`` and ``indices`` have the same number of dimensions and broadcast along all but ``axis``,
    whose size is that of ``indices``. Negative indices count from the end. Copy.

    Raises
    ------
    TypeError
        If ``x`` or ``indices`` is not an Array, or ``axis`` not an int.
    ValueError
        If the numbers of dimensions differ.
    IndexError
        If ``indices`` are not integers, an index or ``axis`` is out of bounds, or the shapes do
        not broadcast.

    Source: array API 2025.12, indexing functions, ``take_along_axis``.
    """
    check_array("take_along_axis", "x", x)
    check_array("take_along_axis", "indices", indices)
    return nary("take_along_axis", (x, indices), (axis_from("take_along_axis", x, axis, True),))
