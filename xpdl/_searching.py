"""Searching functions: where values are, and how many.

Indices are int64.

Source: array API 2025.12, searching functions.
"""

from __future__ import annotations

from typing import Literal

from xpdl._arguments import check_word
from xpdl._cext import Array, apply, axes_from, axis_from, check_array, flag_from, nary, split

__all__ = [
    "argmax",
    "argmin",
    "count_nonzero",
    "nanargmax",
    "nanargmin",
    "nonzero",
    "searchsorted",
    "where",
]


def argmax(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Index of the first largest element along ``axis``, or in ``x`` flattened.

    NaN counts as the largest. The axis is dropped, or kept with size 1 under ``keepdims``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If there is no element to choose from.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, searching functions, ``argmax``.
    """
    along = axis_from("argmax", x, axis, True)
    return apply("argmax", x, (along, flag_from("argmax", "keepdims", keepdims)))


def argmin(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Index of the first smallest element along ``axis``, or in ``x`` flattened.

    NaN counts as the smallest. The axis is dropped, or kept with size 1 under ``keepdims``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If there is no element to choose from.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, searching functions, ``argmin``.
    """
    along = axis_from("argmin", x, axis, True)
    return apply("argmin", x, (along, flag_from("argmin", "keepdims", keepdims)))


def count_nonzero(
    x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Number of elements over ``axis`` that are not zero; NaN is not.

    Returns int64. The reduced axes are dropped, or kept with size 1 under ``keepdims``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, searching functions, ``count_nonzero``.
    """
    axes = axes_from("count_nonzero", x, "axis", axis)
    return apply("count_nonzero", x, (axes, flag_from("count_nonzero", "keepdims", keepdims)))


def nanargmax(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Index of the first largest element that is not NaN.

    Otherwise as ``argmax``. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If all elements to choose from are NaN, or there is none.
    IndexError
        If ``axis`` is out of range.
    """
    along = axis_from("nanargmax", x, axis, True)
    return apply("nanargmax", x, (along, flag_from("nanargmax", "keepdims", keepdims)))


def nanargmin(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Index of the first smallest element that is not NaN.

    Otherwise as ``argmin``. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If all elements to choose from are NaN, or there is none.
    IndexError
        If ``axis`` is out of range.
    """
    along = axis_from("nanargmin", x, axis, True)
    return apply("nanargmin", x, (along, flag_from("nanargmin", "keepdims", keepdims)))


def nonzero(x: Array, /) -> tuple[Array, ...]:
    """Indices of the elements that are not zero: one 1-D array per dimension of ``x``, in C order.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.
    ValueError
        If ``x`` is 0-d.

    Source: array API 2025.12, searching functions, ``nonzero``.
    """
    if check_array("nonzero", "x", x).ndim == 0:
        raise ValueError(
            "nonzero: x must have one or more dimensions, got shape (); reshape it to (1,)"
        )
    return split("nonzero", (x,), ())


def searchsorted(
    x1: Array,
    x2: Array | int | float,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: Array | None = None,
) -> Array:
    """Positions at which ``x2`` goes into the ascending 1-D ``x1`` without breaking its order.

    Returns int64 of the shape of ``x2``; a scalar ``x2`` gives a 0-d array. Side "left" is before
    equal elements, "right" after them. ``sorter`` holds the indices that sort ``x1``. NaN is last.
    NumPy differs: it compares uint64 with signed integers as float64.

    Raises
    ------
    TypeError
        If ``x1`` is not an Array, ``sorter`` is neither an integer Array nor None, or ``x2`` is
        complex and ``x1`` not.
    ValueError
        If ``x1`` is not 1-D, ``sorter`` has another size or an index out of range, ``side`` is
        another word, or the operands are on two devices.

    Source: array API 2025.12, searching functions, ``searchsorted``.
    """
    ndim = check_array("searchsorted", "x1", x1).ndim
    if ndim != 1:
        raise ValueError(f"searchsorted: x1 must be 1-D, got shape {x1.shape}")
    check_word("searchsorted", "side", side, ("left", "right"))
    if x2 is None:
        raise TypeError("searchsorted: x2 must be an Array or a scalar, got None")
    if sorter is not None:
        if not isinstance(sorter, Array) or sorter.dtype.kind not in "iu":
            raise TypeError(
                f"searchsorted: sorter must be an Array of integers or None, got {sorter!r}"
            )
        if sorter.shape != x1.shape:
            raise ValueError(
                f"searchsorted: sorter must have the shape of x1, {x1.shape}, got {sorter.shape}"
            )
    return nary("searchsorted", (x1, x2, sorter), (side,))


def where(
    condition: Array,
    x1: Array | bool | int | float | complex,
    x2: Array | bool | int | float | complex,
    /,
) -> Array:
    """Elements of ``x1`` where ``condition`` is true, of ``x2`` elsewhere.

    Returns an array of the broadcast shape of all three. A scalar takes the dtype of the other.

    Raises
    ------
    TypeError
        If no operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.
    OverflowError
        If an integer scalar does not fit the dtype of the other operand.

    Source: array API 2025.12, searching functions, ``where``.
    """
    if condition is None or x1 is None or x2 is None:
        raise TypeError("where: condition, x1 and x2 must be Arrays or scalars, got None")
    return nary("where", (condition, x1, x2), ())
