"""Creation functions.

Source: array API 2025.12, creation functions.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike

from xpdl._arguments import check_word, inexact_from, number_from, real_from
from xpdl._cext import (
    DTYPES,
    Array,
    Device,
    apply,
    array_from,
    check_array,
    check_device,
    check_dtype,
    check_result_dtype,
    create,
    flag_from,
    int_from,
    shape_from,
    split,
)
from xpdl._linear_algebra import check_matrices

__all__ = [
    "arange",
    "asarray",
    "diag",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "linspace",
    "logspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]


def asarray(
    obj: Any,
    /,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Array:
    """Array of a scalar, of nested sequences, or of any object with DLPack or a buffer.

    Memory is shared where dtype, device and ``copy`` allow it. Python scalars give the default
    dtype of their kind. Arrays nested in sequences are stacked. With ``device=None`` arrays stay
    on their device. Copy: always for ``True``, never for ``False``, only if needed for ``None``.
    NumPy differs: it makes dtype object of what it cannot hold.

    Raises
    ------
    TypeError
        If ``obj`` does not hold numbers, or is complex and ``dtype`` real.
    ValueError
        If ``copy=False`` and a copy is needed, if nested sequences are ragged, or if nested
        Arrays are on several devices.
    OverflowError
        If a Python int does not fit the dtype.

    Source: array API 2025.12, creation functions, ``asarray``.
    """
    return array_from("asarray", obj, dtype, device, copy)


def zeros(
    shape: int | tuple[int, ...] | list[int],
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """Array of zeros, of the default real floating dtype for ``dtype=None``.

    Raises
    ------
    TypeError
        If ``shape`` does not hold ints.
    ValueError
        If a size is negative.

    Source: array API 2025.12, creation functions, ``zeros``.
    """
    return create("zeros", device, (shape_from("zeros", shape), check_dtype("zeros", dtype)))


def ones(
    shape: int | tuple[int, ...] | list[int],
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """Array of ones, of the default real floating dtype for ``dtype=None``.

    Raises
    ------
    TypeError
        If ``shape`` does not hold ints.
    ValueError
        If a size is negative.

    Source: array API 2025.12, creation functions, ``ones``.
    """
    return create("ones", device, (shape_from("ones", shape), check_dtype("ones", dtype)))


def empty(
    shape: int | tuple[int, ...] | list[int],
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """Array whose elements are not set, of the default real floating dtype for ``dtype=None``.

    Raises
    ------
    TypeError
        If ``shape`` does not hold ints.
    ValueError
        If a size is negative.

    Source: array API 2025.12, creation functions, ``empty``.
    """
    return create("empty", device, (shape_from("empty", shape), check_dtype("empty", dtype)))


def full(
    shape: int | tuple[int, ...] | list[int],
    fill_value: bool | int | float | complex | Array,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """Array whose every element is ``fill_value``, a number or a 0-d Array.

    With ``dtype=None`` a Python number gives the default dtype of its kind, anything else its own
    dtype. With ``device=None`` a 0-d Array gives its device too.

    Raises
    ------
    TypeError
        If ``fill_value`` is not a number, or is complex and ``dtype`` real.
    ValueError
        If a size is negative.
    OverflowError
        If a Python int does not fit the dtype.

    Source: array API 2025.12, creation functions, ``full``.
    """
    if device is None and isinstance(fill_value, Array):
        device = fill_value.device
    return filled("full", shape_from("full", shape), fill_value, dtype, device)


def zeros_like(
    x: Array,
    /,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """Array of zeros of x's shape, and of its dtype and on its device where these are None.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, creation functions, ``zeros_like``.
    """
    return like("zeros_like", x, dtype, device)


def ones_like(
    x: Array,
    /,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """Array of ones of x's shape, and of its dtype and on its device where these are None.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, creation functions, ``ones_like``.
    """
    return like("ones_like", x, dtype, device)


def empty_like(
    x: Array,
    /,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """Array of x's shape, not set, of its dtype and on its device where these are None.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, creation functions, ``empty_like``.
    """
    return like("empty_like", x, dtype, device)


def full_like(
    x: Array,
    /,
    fill_value: bool | int | float | complex | Array,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """Array of x's shape filled with a number, of x's dtype and device where these are None.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, if ``fill_value`` is not a number, or is complex and the dtype
        real.
    OverflowError
        If a Python int does not fit the dtype.

    Source: array API 2025.12, creation functions, ``full_like``.
    """
    source = check_array("full_like", "x", x)
    if dtype is None:
        dtype = source.dtype
    if device is None:
        device = source.device
    return filled("full_like", source.shape, fill_value, dtype, device)


def arange(
    start: int | float,
    /,
    stop: int | float | None = None,
    step: int | float = 1,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """Values from ``start`` to ``stop``, exclusive, ``step`` apart; one number means ``stop``.

    The shape is ``(N,)`` with N = ceil((stop - start) / step), or 0 where that is negative. With
    ``dtype=None`` ints give the default integer dtype, floats the default real floating dtype.
    NumPy differs: a fractional step in an integer dtype repeats the first value, and values that
    do not fit a small one wrap.

    Raises
    ------
    TypeError
        If an argument is not a real number.
    ValueError
        If ``step`` is 0, or N is not finite.
    OverflowError
        If a value does not fit the integer dtype.

    Source: array API 2025.12, creation functions, ``arange``.
    """
    if stop is None:
        start, stop = 0, start
    first = real_from("arange", "start", start)
    last = real_from("arange", "stop", stop)
    difference = real_from("arange", "step", step)
    if difference == 0:
        raise ValueError(f"arange: step must not be 0, got {step!r}")
    found = check_result_dtype("arange", None, dtype)
    whole = not (
        isinstance(first, float) or isinstance(last, float) or isinstance(difference, float)
    )
    if found is None:
        found = DTYPES["int64" if whole else "float64"]
    return create("arange", device, (first, last, difference, found, whole))


def linspace(
    start: int | float | complex,
    stop: int | float | complex,
    /,
    num: int,
    *,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
    endpoint: bool = True,
) -> Array:
    """``num`` evenly spaced values from ``start`` to ``stop``, inclusive if ``endpoint``.

    Both ends are exact. With ``dtype=None`` complex ends give the default complex dtype, others
    the default real floating dtype; an integer dtype gets the values rounded down.
    NumPy differs: an interval wider than the largest float gives NaN there, and integers are
    rounded to float64 and wrap.

    Raises
    ------
    TypeError
        If an end is not a number, or is complex and ``dtype`` real, or ``num`` is not an int.
    ValueError
        If ``num`` is negative.
    OverflowError
        If an end does not fit a float, or a value the integer dtype.

    Source: array API 2025.12, creation functions, ``linspace``.
    """
    first = number_from("linspace", "start", start)
    last = number_from("linspace", "stop", stop)
    found = check_result_dtype("linspace", None, dtype)
    if isinstance(first, complex) or isinstance(last, complex):
        check_complex_fits("linspace", "start and stop", (start, stop), found)
    nearest = (inexact_from("linspace", "start", first), inexact_from("linspace", "stop", last))
    if found is None or found.kind not in "iu":  # an integer dtype gets the ints exactly
        first, last = nearest
    count, inclusive = number_of("linspace", num), flag_from("linspace", "endpoint", endpoint)
    return create("linspace", device, (first, last, count, inclusive, found))


def logspace(
    start: int | float | complex,
    stop: int | float | complex,
    /,
    num: int = 50,
    *,
    base: int | float = 10.0,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
    endpoint: bool = True,
) -> Array:
    """``num`` values from ``base**start`` to ``base**stop`` whose logarithms are evenly spaced.

    The dtype for ``dtype=None`` is linspace's. Beyond the standard.

    Raises
    ------
    TypeError
        If an argument is not a number, or is complex and ``dtype`` real, or ``num`` is not an int.
    ValueError
        If ``num`` is negative.
    OverflowError
        If an argument does not fit a float, or a value the integer dtype.

    Source: NumPy's function of this name.
    """
    first = inexact_from("logspace", "start", number_from("logspace", "start", start))
    last = inexact_from("logspace", "stop", number_from("logspace", "stop", stop))
    factor = inexact_from("logspace", "base", number_from("logspace", "base", base))
    found = check_result_dtype("logspace", None, dtype)
    if isinstance(first, complex) or isinstance(last, complex):
        check_complex_fits("logspace", "start and stop", (start, stop), found)
    if isinstance(factor, complex):
        check_complex_fits("logspace", "base", base, found)
    count, inclusive = number_of("logspace", num), flag_from("logspace", "endpoint", endpoint)
    return create("logspace", device, (first, last, count, inclusive, factor, found))


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """Matrix of shape ``(n_rows, n_cols)`` with ones on its k-th diagonal and zeros elsewhere.

    ``n_cols`` is ``n_rows`` for None. Diagonals above the main one have positive ``k``. The dtype
    is the default real floating dtype for ``dtype=None``.

    Raises
    ------
    TypeError
        If a size or ``k`` is not an int.
    ValueError
        If a size is negative.

    Source: array API 2025.12, creation functions, ``eye``.
    """
    rows = int_from("eye", "n_rows", n_rows)
    columns = rows if n_cols is None else int_from("eye", "n_cols", n_cols)
    found = check_dtype("eye", dtype)
    return create("eye", device, (rows, columns, int_from("eye", "k", k), found))


def meshgrid(*arrays: Array, indexing: Literal["xy", "ij"] = "xy") -> tuple[Array, ...]:
    """Coordinate arrays of the grid that 1-d ``arrays`` of sizes ``N1, N2, ...`` span.

    Every result has the shape ``(N1, N2, ...)`` for matrix indexing ``"ij"``, with the first two
    axes swapped for Cartesian ``"xy"``, and its input's dtype. Copy.

    Raises
    ------
    TypeError
        If an argument is not an Array.
    ValueError
        If ``indexing`` is neither of the two, or the arrays are on several devices.

    Source: array API 2025.12, creation functions, ``meshgrid``.
    """
    check_word("meshgrid", "indexing", indexing, ("xy", "ij"))
    if not arrays:
        return ()
    return split("meshgrid", arrays, (indexing,))


def tril(x: Array, /, *, k: int = 0) -> Array:
    """Matrices of shape ``(..., M, N)`` with zeros above their k-th diagonal.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``k`` not an int.
    ValueError
        If ``x`` has fewer than two dimensions.

    Source: array API 2025.12, creation functions, ``tril``.
    """
    check_matrices("tril", x)
    return apply("tril", x, (int_from("tril", "k", k),))


def triu(x: Array, /, *, k: int = 0) -> Array:
    """Matrices of shape ``(..., M, N)`` with zeros below their k-th diagonal.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``k`` not an int.
    ValueError
        If ``x`` has fewer than two dimensions.

    Source: array API 2025.12, creation functions, ``triu``.
    """
    check_matrices("triu", x)
    return apply("triu", x, (int_from("triu", "k", k),))


def diag(x: Array, /, k: int = 0) -> Array:
    """Matrix with the 1-d ``x`` on its k-th diagonal, or the k-th diagonal of the 2-d ``x``.

    Copy. Beyond the standard. NumPy differs: a diagonal is a read-only view there.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``k`` not an int.
    ValueError
        If ``x`` is neither 1-d nor 2-d.

    Source: NumPy's function of this name.
    """
    return apply("diag", x, (int_from("diag", "k", k),))


def like(
    function: str, x: Array, dtype: DTypeLike | None, device: Device | str | tuple[int, int] | None
) -> Array:
    """What a function ``*_like`` makes: x's shape, its dtype and device where these are None."""
    source = check_array(function, "x", x)
    found = source.dtype if dtype is None else check_dtype(function, dtype)
    place = source.device if device is None else check_device(function, device)
    return create(function, place, (source.shape, found))


def filled(
    function: str,
    shape: tuple[int, ...],
    fill_value: Any,
    dtype: DTypeLike | None,
    device: Device | str | tuple[int, int] | None,
) -> Array:
    """The array of ``full`` and ``full_like``, with the dtype that ``fill_value`` asks for."""
    value = number_from(function, "fill_value", fill_value)
    found = check_dtype(function, dtype)
    if isinstance(value, complex):
        check_complex_fits(function, "fill_value", fill_value, found)
    if found is not None and found.kind == "V":
        value = array_from(function, value, found, "cpu", None).item()  # refuses what does not fit
    if found is None:
        if isinstance(fill_value, (Array, np.generic)):
            found = fill_value.dtype
        elif isinstance(value, complex):
            found = DTYPES["complex128"]
        elif isinstance(value, float):
            found = DTYPES["float64"]
        else:
            found = DTYPES["bool" if isinstance(value, bool) else "int64"]
    return create(function, device, (shape, value, found))


def number_of(function: str, num: Any) -> Any:
    """How many values ``linspace`` and ``logspace`` make."""
    count = int_from(function, "num", num)
    if count < 0:
        raise ValueError(f"{function}: num must not be negative, got {num!r}")
    return count


def check_complex_fits(
    function: str, parameter: str, value: Any, dtype: np.dtype[Any] | None
) -> None:
    """TypeError if a complex value is to become real, which would lose its imaginary part."""
    if dtype is not None and dtype.kind not in "cb":
        raise TypeError(f"{function}: {parameter} must be real for dtype {dtype}, got {value!r}")
