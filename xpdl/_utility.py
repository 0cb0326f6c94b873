"""Utility functions: tests over whole arrays, and differences.

Source: array API 2025.12, utility functions.
"""

from __future__ import annotations

from xpdl._cext import Array, axis_from, check_array, int_from, nary, reduce

__all__ = ["all", "any", "diff"]


def all(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Array:
    """Whether every element over ``axis`` is true; True over no elements.

    Returns bool. Every number but zero is true, NaN too. The reduced axes are dropped, or kept with
    size 1 under ``keepdims``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, utility functions, ``all``.
    """
    return reduce("all", x, axis, None, keepdims)


def any(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Array:
    """Whether some element over ``axis`` is true; False over no elements.

    Returns bool. Every number but zero is true, NaN too. The reduced axes are dropped, or kept with
    size 1 under ``keepdims``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, utility functions, ``any``.
    """
    return reduce("any", x, axis, None, keepdims)


def diff(
    x: Array,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Array | None = None,
    append: Array | None = None,
) -> Array:
    """Differences of neighbours along ``axis``, ``x[i + 1] - x[i]``, taken ``n`` times.

    ``prepend`` and ``append`` are put before and behind ``x`` first: arrays of its shape but for
    ``axis``, or single values for one place. ``axis`` ends shorter by ``n``. Of bool it is whether
    neighbours differ; unsigned integers wrap around.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``n`` not an int.
    ValueError
        If ``n`` is negative, the shapes do not fit, or the operands are on two devices.
    IndexError
        If ``axis`` is out of range, as each is for 0-d ``x``.

    Source: array API 2025.12, utility functions, ``diff``.
    """
    operands = (check_array("diff", "x", x), prepend, append)
    return nary("diff", operands, (axis_from("diff", x, axis), int_from("diff", "n", n)))
