"""Searching functions: where values are, and how many.

Indices are int64.

Source: array API 2025.12, searching functions.
"""

from __future__ import annotations

from typing import Literal

from xpdl._cext import Array, apply, check_array, nary, split

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
        If ``x`` is not an Array.
    ValueError
        If there is no element to choose from.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, searching functions, ``argmax``.
    """
    return apply("argmax", x, (axis, keepdims))


def argmin(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Index of the first smallest element along ``axis``, or in ``x`` flattened.

    NaN counts as the smallest. The axis is dropped, or kept with size 1 under ``keepdims``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.
    ValueError
        If there is no element to choose from.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, searching functions, ``argmin``.
    """
    return apply("argmin", x, (axis, keepdims))


def count_nonzero(
    x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Number of elements over ``axis`` that are not zero; NaN is not.

    Returns int64. The reduced axes are dropped, or kept with size 1 under ``keepdims``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, searching functions, ``count_nonzero``.
    """
    return apply("count_nonzero", x, (axis, keepdims))


def nanargmax(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Index of the first largest element that is not NaN.

    Otherwise as ``argmax``. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.
    ValueError
        If all elements to choose from are NaN, or there is none.
    IndexError
        If ``axis`` is out of range.
    """
    return apply("nanargmax", x, (axis, keepdims))


def nanargmin(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Index of the first smallest element that is not NaN.

    Otherwise as ``argmin``. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.
    ValueError
        If all elements to choose from are NaN, or there is none.
    IndexError
        If ``axis`` is out of range.
    """
    return apply("nanargmin", x, (axis, keepdims))


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
    checked = check_array("searchsorted", "x1", x1)
    return nary("searchsorted", (checked, x2, sorter), (side,))


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
    return nary("where", (condition, x1, x2), ())
