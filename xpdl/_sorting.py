"""Sorting functions.

NaN goes to the end in either direction. Complex numbers are ordered by their real, then by their
imaginary part.

Source: array API 2025.12, sorting functions.
"""

from __future__ import annotations

from xpdl._cext import Array, apply, axis_from, flag_from

__all__ = ["argsort", "sort"]


def argsort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Indices that sort ``x`` along ``axis``, as int64 of the shape of ``x``.

    ``stable`` keeps the order of equal elements, descending too. NaN goes to the end.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    IndexError
        If ``axis`` is out of range, as each is for 0-d ``x``.

    Source: array API 2025.12, sorting functions, ``argsort``.
    """
    along = axis_from("argsort", x, axis)
    downwards = flag_from("argsort", "descending", descending)
    return apply("argsort", x, (along, downwards, flag_from("argsort", "stable", stable)))


def sort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Copy of ``x`` sorted along ``axis``.

    ``stable`` keeps the order of equal elements, such as zeros of either sign. NaN goes to the end.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    IndexError
        If ``axis`` is out of range, as each is for 0-d ``x``.

    Source: array API 2025.12, sorting functions, ``sort``.
    """
    along = axis_from("sort", x, axis)
    downwards = flag_from("sort", "descending", descending)
    return apply("sort", x, (along, downwards, flag_from("sort", "stable", stable)))
