"""Statistical functions: reductions and running sums.

``axis`` is an axis, several of them, or None for all; a negative one counts from the last.

Source: array API 2025.12, statistical functions.
"""

from __future__ import annotations

from numpy.typing import DTypeLike

from xpdl._arguments import real_from
from xpdl._cext import (
    Array,
    apply,
    array_from,
    axes_from,
    axis_from,
    check_array,
    check_result_dtype,
    flag_from,
    reduce,
)

__all__ = [
    "cumulative_prod",
    "cumulative_sum",
    "max",
    "mean",
    "median",
    "min",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
    "prod",
    "std",
    "sum",
    "var",
]


def cumulative_prod(
    x: Array,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Array:
    """Products of the elements up to each position along ``axis``.

    Returns the shape of ``x``; ``include_initial`` puts a 1 in front, lengthening ``axis`` by 1.
    Bool and integers narrower than 64 bits are multiplied as int64 or uint64 unless ``dtype`` says
    otherwise. ``axis`` may be left out for 1-D ``x`` only, where NumPy flattens.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, ``dtype`` not one of xpdl, or an option of the wrong type.
    ValueError
        If ``axis`` is None and ``x`` does not have one dimension.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, statistical functions, ``cumulative_prod``.
    """
    along = axis_of_running("cumulative_prod", x, axis)
    checked = check_result_dtype("cumulative_prod", x, dtype)
    initial = flag_from("cumulative_prod", "include_initial", include_initial)
    return apply("cumulative_prod", x, (along, checked, initial))


def cumulative_sum(
    x: Array,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Array:
    """Sums of the elements up to each position along ``axis``.

    Returns the shape of ``x``; ``include_initial`` puts a 0 in front, lengthening ``axis`` by 1.
    Bool and integers narrower than 64 bits are added as int64 or uint64 unless ``dtype`` says
    otherwise. ``axis`` may be left out for 1-D ``x`` only, where NumPy flattens.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, ``dtype`` not one of xpdl, or an option of the wrong type.
    ValueError
        If ``axis`` is None and ``x`` does not have one dimension.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, statistical functions, ``cumulative_sum``.
    """
    along = axis_of_running("cumulative_sum", x, axis)
    checked = check_result_dtype("cumulative_sum", x, dtype)
    initial = flag_from("cumulative_sum", "include_initial", include_initial)
    return apply("cumulative_sum", x, (along, checked, initial))


def max(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Array:
    """Largest element over ``axis``; NaN where there is one.

    The reduced axes are dropped, or kept with size 1 under ``keepdims``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If an element of the result is over no elements, or ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, statistical functions, ``max``.
    """
    return reduce("max", x, axis, None, keepdims)


def mean(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
) -> Array:
    """Arithmetic mean over ``axis``; NaN over no elements.

    The reduced axes are dropped, or kept with size 1 under ``keepdims``. Bool and integers give
    float64 unless ``dtype``, which is beyond the standard, says otherwise. NumPy warns when it
    averages no elements.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, ``dtype`` is not one of xpdl, or is real for complex ``x``.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, statistical functions, ``mean``.
    """
    return reduce("mean", x, axis, check_result_dtype("mean", x, dtype), keepdims)


def median(
    x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Middle of the sorted elements over ``axis``, or the mean of the middle two.

    NaN where there is one. The reduced axes are dropped, or kept with size 1 under ``keepdims``.
    Bool and integers give float64. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.
    """
    return reduce("median", x, axis, None, keepdims)


def min(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Array:
    """Smallest element over ``axis``; NaN where there is one.

    The reduced axes are dropped, or kept with size 1 under ``keepdims``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If an element of the result is over no elements, or ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, statistical functions, ``min``.
    """
    return reduce("min", x, axis, None, keepdims)


def nanmax(
    x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Largest element over ``axis`` that is not NaN; NaN, with a RuntimeWarning, where all are.

    Otherwise as ``max``. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If an element of the result is over no elements, or ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.
    """
    return reduce("nanmax", x, axis, None, keepdims)


def nanmean(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Array:
    """Mean over ``axis`` of the elements that are not NaN; NaN, with a RuntimeWarning, of none.

    Otherwise as ``mean``. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.
    """
    return reduce("nanmean", x, axis, check_result_dtype("nanmean", x, dtype), keepdims)


def nanmedian(
    x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Median without the NaN elements; NaN, with a RuntimeWarning, where there are no others.

    Otherwise as ``median``. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.
    """
    return reduce("nanmedian", x, axis, None, keepdims)


def nanmin(
    x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Smallest element over ``axis`` that is not NaN; NaN, with a RuntimeWarning, where all are.

    Otherwise as ``min``. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If an element of the result is over no elements, or ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.
    """
    return reduce("nanmin", x, axis, None, keepdims)


def nanprod(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Array:
    """Product over ``axis`` with NaN counted as 1.

    Otherwise as ``prod``. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, ``dtype`` not one of xpdl, or an option of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.
    """
    return reduce("nanprod", x, axis, check_result_dtype("nanprod", x, dtype), keepdims)


def nanstd(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    ddof: int | float = 0,
) -> Array:
    """Standard deviation over ``axis`` of the elements that are not NaN.

    Otherwise as ``std``, with a RuntimeWarning where it is NaN. ``ddof`` is another name of
    ``correction``; ``x`` is converted to ``dtype`` first. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.
    """
    if dtype is not None:
        x = array_from("nanstd", check_array("nanstd", "x", x), dtype, None, None)
    axes = axes_from("nanstd", x, "axis", axis)
    subtracted = real_from("nanstd", "correction", correction) or real_from("nanstd", "ddof", ddof)
    return apply("nanstd", x, (axes, subtracted, flag_from("nanstd", "keepdims", keepdims)))


def nansum(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Array:
    """Sum over ``axis`` with NaN counted as 0.

    Otherwise as ``sum``. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, ``dtype`` not one of xpdl, or an option of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.
    """
    return reduce("nansum", x, axis, check_result_dtype("nansum", x, dtype), keepdims)


def nanvar(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    ddof: int | float = 0,
) -> Array:
    """Variance over ``axis`` of the elements that are not NaN.

    Otherwise as ``var``, with a RuntimeWarning where it is NaN. ``ddof`` is another name of
    ``correction``; ``x`` is converted to ``dtype`` first. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.
    """
    if dtype is not None:
        x = array_from("nanvar", check_array("nanvar", "x", x), dtype, None, None)
    axes = axes_from("nanvar", x, "axis", axis)
    subtracted = real_from("nanvar", "correction", correction) or real_from("nanvar", "ddof", ddof)
    return apply("nanvar", x, (axes, subtracted, flag_from("nanvar", "keepdims", keepdims)))


def prod(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Array:
    """Product over ``axis``; 1 over no elements.

    The reduced axes are dropped, or kept with size 1 under ``keepdims``. Bool and integers narrower
    than 64 bits are multiplied as int64 or uint64 unless ``dtype`` says otherwise.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, ``dtype`` not one of xpdl, or an option of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, statistical functions, ``prod``.
    """
    return reduce("prod", x, axis, check_result_dtype("prod", x, dtype), keepdims)


def std(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
) -> Array:
    """Standard deviation over ``axis``: the square root of ``var``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, statistical functions, ``std``.
    """
    axes = axes_from("std", x, "axis", axis)
    subtracted = real_from("std", "correction", correction)
    return apply("std", x, (axes, subtracted, flag_from("std", "keepdims", keepdims)))


def sum(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Array:
    """Sum over ``axis``; 0 over no elements.

    The reduced axes are dropped, or kept with size 1 under ``keepdims``. Bool and integers narrower
    than 64 bits are added as int64 or uint64 unless ``dtype`` says otherwise.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, ``dtype`` not one of xpdl, or an option of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, statistical functions, ``sum``.
    """
    return reduce("sum", x, axis, check_result_dtype("sum", x, dtype), keepdims)


def var(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
) -> Array:
    """Variance over ``axis``: squared distances from the mean, summed, over M minus ``correction``.

    M counts the elements behind one result; 0 is for a population, 1 for a sample. If M is not
    above ``correction`` the result is NaN; NumPy warns and can give infinity. The reduced axes are
    dropped, or kept with size 1 under ``keepdims``. Bool and integers give float64, complex numbers
    the real dtype of their components.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``axis`` names one twice.
    IndexError
        If ``axis`` is out of range.

    Source: array API 2025.12, statistical functions, ``var``.
    """
    axes = axes_from("var", x, "axis", axis)
    subtracted = real_from("var", "correction", correction)
    return apply("var", x, (axes, subtracted, flag_from("var", "keepdims", keepdims)))


def axis_of_running(function: str, x: Array, axis: int | None) -> int:
    """The axis of a running sum or product, which may be left out for one dimension only."""
    found = axis_from(function, x, axis, True)
    if found is not None:
        return found
    if check_array(function, "x", x).ndim != 1:
        raise ValueError(
            f"{function}: axis must be given unless x is 1-D, got x of shape {x.shape}"
        )
    return 0
