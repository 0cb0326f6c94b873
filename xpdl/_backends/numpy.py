"""What NumPy does for the CPU: a table per chapter of the standard, and the repairs it needs.

An entry is NumPy's own callable where its positional call is right. Otherwise it is a small
function of this file whose docstring says which rule of the standard it restores. Functions get raw
arrays, dtypes that were checked and plain Python values; the dispatch puts the function's name
before the text of what they raise.
"""

import cmath
import math
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Literal

import numpy as np
from numpy.lib.array_utils import normalize_axis_index
from numpy.typing import NDArray

from xpdl._cext import register_functions

ndarray = np.ndarray
Raw = NDArray[Any]
Axis = int | tuple[int, ...] | list[int] | None

# Under names of their own, since NumPy's stubs have no positional keepdims.
add_reduce: Callable[..., Any] = np.add.reduce
maximum_reduce: Callable[..., Any] = np.maximum.reduce
minimum_reduce: Callable[..., Any] = np.minimum.reduce


# ---------------------------------------------------------------------------------- elementwise


def any_set(mask: Any) -> bool:
    """Whether a mask has a True: for small arrays a third of the time of mask.any()."""
    return 1 in mask.tobytes()


def has_infinity(x: Any) -> bool:
    """Whether a raw array or a Python scalar of a real floating kind holds an infinity."""
    if type(x) is ndarray:
        return x.dtype.kind == "f" and any_set(np.isinf(x))
    return type(x) is float and math.isinf(x)


def floor_divide(x1: Any, x2: Any) -> Any:
    """floor_divide: at infinities the standard prefers floor(x1 / x2).

    NumPy pairs // with % as Python does: NaN for inf // 2 and -1 for -1 // inf.
    """
    if not (has_infinity(x1) or has_infinity(x2)):
        return np.floor_divide(x1, x2)
    result = np.asarray(np.divide(x1, x2))
    np.floor(result, out=result)
    return np.floor_divide(x1, x2, out=result, where=np.isfinite(x1) & np.isfinite(x2))


def pow(x1: Any, x2: Any) -> Any:
    """pow: with the exponent 0.5 the power of -0 is +0 and that of -inf is inf.

    NumPy takes the square root for an exponent without axes: -0 and NaN.
    """
    exponent = x2.item() if type(x2) is ndarray and x2.ndim == 0 else x2
    if type(exponent) is not float or exponent != 0.5:
        return np.power(x1, x2)
    base = x1 if type(x2) is float else np.asarray(x1, np.result_type(x1, x2))
    if base.dtype.kind != "f":
        return np.power(x1, x2)
    if not any_set(base <= 0):
        return np.sqrt(base)
    return np.sqrt(np.where(base == -math.inf, -base, base)) + 0.0


def expm1(x: Raw) -> Any:
    """expm1: its complex special cases, where NumPy gives NaN for most infinities.

    There expm1 is exp - 1. A zero has the real part +0 whatever its sign was, while NumPy keeps the
    sign: adding +0 to the real part clears it and changes nothing else.
    """
    if x.dtype.kind != "c":
        return np.expm1(x)
    finite = np.isfinite(x)
    if 0 not in finite.tobytes():
        result = np.asarray(np.expm1(x))
        real = result.real
    else:
        with np.errstate(invalid="ignore"):
            result = np.asarray(np.exp(x))
        real = result.real
        real -= 1
        np.expm1(x, out=result, where=finite)
    real += 0.0
    return result


def tanh(x: Raw) -> Any:
    """tanh: for an infinite real part the imaginary part is a zero with the sign it had.

    NumPy follows C99, where it is a zero with the sign of sin(2b).
    """
    result = np.tanh(x)
    if x.dtype.kind != "c":
        return result
    infinite = np.isinf(x.real)
    if any_set(infinite):
        result = np.asarray(result)
        np.copysign(0.0, x.imag, out=result.imag, where=infinite)
    return result


def sign(x: Raw) -> Any:
    """sign: NaN in either component is NaN in both; NumPy lets an infinite component win."""
    result = np.sign(x)
    if x.dtype.kind != "c":
        return result
    missing = np.isnan(x)
    if any_set(missing):
        result = np.asarray(result)
        result[missing] = complex(math.nan, math.nan)
    return result


def round_to_even(x: Raw) -> Any:
    """round: integers come back as a fresh array, which NumPy before 2.3 aliases; so does bool."""
    return x.copy() if x.dtype.kind in "biu" else np.rint(x)


def imag(x: Raw) -> Raw:
    """imag: of real input writable zeros, where NumPy's attribute is read-only."""
    return x.imag if x.dtype.kind == "c" else np.zeros_like(x)


def clip(x: Raw, low: Any, high: Any) -> Any:
    """clip: the result has the dtype of x, where NumPy promotes x with the bounds."""
    if low is not None:
        low = bound_of_dtype("min", low, x.dtype)
    if high is not None:
        high = bound_of_dtype("max", high, x.dtype)
    if low is None:
        return x.copy() if high is None else np.minimum(x, high)
    if high is None:
        return np.maximum(x, low)
    return x.clip(low, high) if x.dtype.kind in "iufc" else np.minimum(np.maximum(x, low), high)


INTEGER_RANGES: dict[np.dtype[Any], tuple[int, int]] = {np.dtype(bool): (0, 1)} | {
    np.dtype(code): (int(np.iinfo(code).min), int(np.iinfo(code).max)) for code in "bBhHiIlLqQ"
}


def bound_of_dtype(name: str, bound: Any, dtype: np.dtype[Any]) -> Any:
    """A bound of clip in x's dtype; a Python number is left to NumPy where it is weak."""
    if dtype in INTEGER_RANGES:
        return bound_of_integer(name, bound, dtype)
    if type(bound) is not complex and type(bound) is not ndarray:
        return bound if dtype.kind in "fc" else np.asarray(bound, dtype)
    bound = np.asarray(bound)
    if bound.dtype.kind == "c" and dtype.kind != "c":
        raise TypeError(f"{name} must be real for x of dtype {dtype}, got dtype {bound.dtype}")
    if bound.dtype == dtype:
        return bound
    with np.errstate(over="ignore"):
        return bound.astype(dtype)


def bound_of_integer(name: str, bound: Any, dtype: np.dtype[Any]) -> Any:
    """A bound of clip in the dtype of integer x: rounded inwards, then saturated."""
    lowest, highest = INTEGER_RANGES[dtype]
    if isinstance(bound, int):
        return dtype.type(min(max(bound, lowest), highest))
    bound = np.asarray(bound)
    if bound.dtype == dtype or bound.dtype.kind == "b":
        return bound.astype(dtype, copy=False)
    if bound.dtype.kind == "c":
        raise TypeError(f"{name} must be real for x of dtype {dtype}, got dtype {bound.dtype}")
    if bound.dtype.kind not in "iu":
        bound = bound.astype(np.float64)
        if any_set(np.isnan(bound)):
            raise ValueError(f"{name} must not be NaN for x of dtype {dtype}, got nan")
        bound = np.ceil(bound) if name == "min" else np.floor(bound)
    with np.errstate(invalid="ignore"):
        inside = bound.astype(dtype)
    inside = np.where(bound >= highest, dtype.type(highest), inside)
    return np.where(bound <= lowest, dtype.type(lowest), inside)


ELEMENTWISE: dict[str, Callable[..., Any]] = {
    "abs": np.absolute,
    "acos": np.arccos,
    "acosh": np.arccosh,
    "add": np.add,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "atanh": np.arctanh,
    "bitwise_and": np.bitwise_and,
    "bitwise_invert": np.invert,
    "bitwise_left_shift": np.left_shift,
    "bitwise_or": np.bitwise_or,
    "bitwise_right_shift": np.right_shift,
    "bitwise_xor": np.bitwise_xor,
    "ceil": np.ceil,
    "clip": clip,
    "conj": np.conjugate,
    "copysign": np.copysign,
    "cos": np.cos,
    "cosh": np.cosh,
    "divide": np.divide,
    "equal": np.equal,
    "exp": np.exp,
    "expm1": expm1,
    "floor": np.floor,
    "floor_divide": floor_divide,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "hypot": np.hypot,
    "imag": imag,
    "isfinite": np.isfinite,
    "isinf": np.isinf,
    "isnan": np.isnan,
    "less": np.less,
    "less_equal": np.less_equal,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "logaddexp": np.logaddexp,
    "logical_and": np.logical_and,
    "logical_not": np.logical_not,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "multiply": np.multiply,
    "negative": np.negative,
    "nextafter": np.nextafter,
    "not_equal": np.not_equal,
    "positive": np.positive,
    "pow": pow,
    "real": attrgetter("real"),
    "reciprocal": np.reciprocal,
    "remainder": np.remainder,
    "round": round_to_even,
    "sign": sign,
    "signbit": np.signbit,
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "square": np.square,
    "subtract": np.subtract,
    "tan": np.tan,
    "tanh": tanh,
    "trunc": np.trunc,
}


# ---------------------------------------------------------------------------------- statistical

# Counts up to this are float32 values, so that dividing in float32 rounds as NumPy does in float64.
EXACT_IN_FLOAT32 = 2**24


def axes_of(axis: Axis) -> int | tuple[int, ...] | None:
    """An axis argument as NumPy takes it: a list where the standard says tuple is taken as one."""
    return tuple(axis) if isinstance(axis, list) else axis


def count_along(x: Raw, axis: int | tuple[int, ...] | None) -> int:
    """How many elements of x go into each element of a reduction over axis."""
    if axis is None or x.ndim == 0:
        return x.size
    return math.prod(x.shape[a] for a in (axis if isinstance(axis, tuple) else (axis,)))


def undefined(x: Raw, axis: int | tuple[int, ...] | None, keepdims: bool) -> Any:
    """NaN for each element of a mean of x over axis, without a warning: the standard defines it."""
    return add_reduce(np.zeros_like(x), axis, None, None, keepdims) * math.nan


def mean(x: Raw, axis: int | tuple[int, ...] | None, dtype: None, out: None, keepdims: bool) -> Any:
    """mean: what np.mean computes, for float64 and float32 without its Python layer."""
    if x.size == 0:
        return undefined(x, axis, keepdims)
    if x.dtype.char not in "fd" or x.size > EXACT_IN_FLOAT32:
        return x.mean(axis, keepdims=keepdims)
    total = add_reduce(x, axis, None, None, keepdims)
    return total / (x.size // total.size)


def var(x: Raw, axis: Axis, correction: float, keepdims: bool) -> Any:
    """var: NaN if correction is not below the number of elements, where NumPy can give infinity.

    The rest is what np.var computes, for float64 and float32 without its Python layer.
    """
    axis = axes_of(axis)
    total = add_reduce(x, axis, None, None, True)
    count = count_along(x, axis)
    divisor = count - correction
    if divisor <= 0:
        return undefined(x.real, axis, keepdims)
    if x.dtype.char not in "fd" or x.size > EXACT_IN_FLOAT32 or divisor % 1:
        return x.var(axis, ddof=correction, keepdims=keepdims)
    deviation = x - total / count
    deviation *= deviation
    return add_reduce(deviation, axis, None, None, keepdims) / divisor


def std(x: Raw, axis: Axis, correction: float, keepdims: bool) -> Any:
    """std: the root of var, with its repair."""
    return np.sqrt(var(x, axis, correction, keepdims))


def accumulate(ufunc: np.ufunc, x: Raw, axis: int | None, dtype: Any, include_initial: bool) -> Any:
    """cumulative_sum and cumulative_prod: only one dimension goes without an axis; NumPy flattens.

    The initial value is the ufunc's identity.
    """
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"axis must be given unless x is 1-D, got x of shape {x.shape}")
        axis = 0
    axis = normalize_axis_index(axis, x.ndim)
    if not include_initial:
        return ufunc.accumulate(x, axis, dtype)
    if dtype is None:
        dtype = ufunc.reduce(x[:0], dtype=None).dtype
    first: list[slice] = [slice(None)] * x.ndim
    rest = first.copy()
    first[axis], rest[axis] = slice(0, 1), slice(1, None)
    shape = list(x.shape)
    shape[axis] += 1
    result = np.empty(shape, dtype)
    result[tuple(first)] = ufunc.identity
    ufunc.accumulate(x, axis, dtype, result[tuple(rest)])
    return result


def cumulative_sum(x: Raw, axis: int | None, dtype: Any, include_initial: bool) -> Any:
    """cumulative_sum: see accumulate."""
    return accumulate(np.add, x, axis, dtype, include_initial)


def cumulative_prod(x: Raw, axis: int | None, dtype: Any, include_initial: bool) -> Any:
    """cumulative_prod: see accumulate."""
    return accumulate(np.multiply, x, axis, dtype, include_initial)


def nanmax(x: Raw, axis: Any, dtype: None, out: None, keepdims: bool) -> Any:
    """nanmax, in the order of arguments of a reduction."""
    return np.nanmax(x, axis, None, keepdims)


def nanmin(x: Raw, axis: Any, dtype: None, out: None, keepdims: bool) -> Any:
    """nanmin, in the order of arguments of a reduction."""
    return np.nanmin(x, axis, None, keepdims)


def nanvar(x: Raw, axis: Axis, correction: float, keepdims: bool) -> Any:
    """nanvar, in the order of arguments of var."""
    return np.nanvar(x, axes_of(axis), None, None, correction, keepdims)


def nanstd(x: Raw, axis: Axis, correction: float, keepdims: bool) -> Any:
    """nanstd, in the order of arguments of std."""
    return np.nanstd(x, axes_of(axis), None, None, correction, keepdims)


def median(x: Raw, axis: Any, dtype: None, out: None, keepdims: bool) -> Any:
    """median, in the order of arguments of a reduction."""
    return np.median(x, axis, None, False, keepdims)


STATISTICAL: dict[str, Callable[..., Any]] = {
    "cumulative_prod": cumulative_prod,
    "cumulative_sum": cumulative_sum,
    "max": np.maximum.reduce,
    "mean": mean,
    "median": median,
    "min": np.minimum.reduce,
    "nanmax": nanmax,
    "nanmean": np.nanmean,
    "nanmin": nanmin,
    "nanprod": np.nanprod,
    "nanstd": nanstd,
    "nansum": np.nansum,
    "nanvar": nanvar,
    "prod": np.multiply.reduce,
    "std": std,
    "sum": np.add.reduce,
    "var": var,
}


# ------------------------------------------------------------------------------------ searching


def argmax(x: Raw, axis: Any, keepdims: bool) -> Any:
    """argmax with a positional keepdims."""
    return x.argmax(axis, keepdims=True) if keepdims else x.argmax(axis)


def argmin(x: Raw, axis: Any, keepdims: bool) -> Any:
    """argmin with a positional keepdims."""
    return x.argmin(axis, keepdims=True) if keepdims else x.argmin(axis)


def nanargmax(x: Raw, axis: int | None, keepdims: bool) -> Any:
    """nanargmax with a positional keepdims."""
    return np.nanargmax(x, axis, keepdims=keepdims)


def nanargmin(x: Raw, axis: int | None, keepdims: bool) -> Any:
    """nanargmin with a positional keepdims."""
    return np.nanargmin(x, axis, keepdims=keepdims)


def count_nonzero(x: Raw, axis: Axis, keepdims: bool) -> Any:
    """count_nonzero with a positional keepdims."""
    if axis is None and not keepdims:
        return np.count_nonzero(x)
    return np.count_nonzero(x, axes_of(axis), keepdims=keepdims)


def nonzero(x: Raw) -> tuple[Raw, ...]:
    """nonzero: of 0-d x it is an error; the text names the way out."""
    if x.ndim == 0:
        raise ValueError("x must have one or more dimensions, got shape (); reshape it to (1,)")
    return x.nonzero()


def scalar_like(scalar: Any, x: Any) -> Any:
    """A Python scalar as a 0-d array of the dtype it has beside x; an array as it is."""
    return scalar if type(scalar) is ndarray else np.asarray(scalar, np.result_type(scalar, x))


def searchsorted(x1: Raw, x2: Any, sorter: Any, side: Any) -> Any:
    """searchsorted: x1 has one dimension, and a scalar x2 takes the dtype of x1.

    NumPy compares a Python float with float32 in float64. An integer out of range keeps its value.
    """
    if x1.ndim != 1:
        raise ValueError(f"x1 must be 1-D, got shape {x1.shape}")
    if side not in ("left", "right"):
        raise ValueError(f"side must be 'left' or 'right', got {side!r}")
    if x2 is None:
        raise TypeError("x2 must be an Array or a scalar, got None")
    if not isinstance(x2, int):
        x2 = scalar_like(x2, x1)
    return x1.searchsorted(x2, side, sorter)


def where(condition: Any, x1: Any, x2: Any) -> Any:
    """where: an integer out of the other operand's range is an error; NumPy before 2.5 wraps."""
    if condition is None or x1 is None or x2 is None:
        raise TypeError("condition, x1 and x2 must be Arrays or scalars, got None")
    if type(x1) is int:
        x1 = scalar_like(x1, x2)
    elif type(x2) is int:
        x2 = scalar_like(x2, x1)
    return np.where(condition, x1, x2)


SEARCHING: dict[str, Callable[..., Any]] = {
    "argmax": argmax,
    "argmin": argmin,
    "count_nonzero": count_nonzero,
    "nanargmax": nanargmax,
    "nanargmin": nanargmin,
    "nonzero": nonzero,
    "searchsorted": searchsorted,
    "where": where,
}


# -------------------------------------------------------------------------------------- sorting

# Below this size a stable sort of floats costs no more than the repair of an unstable one.
SMALL = 1000


def backwards(x: Raw, axis: int) -> Raw:
    """A view of x with an axis, not negative, reversed."""
    return x[(slice(None),) * axis + (slice(None, None, -1),)]


def has_nan(x: Raw) -> bool:
    """Whether an array of any dtype holds a NaN."""
    return x.dtype.kind in "fc" and any_set(np.isnan(x))


def sort(x: Raw, axis: int, descending: bool, stable: bool) -> Raw:
    """sort: descending, which NumPy before 2.5 lacks, with NaNs at the end as NumPy 2.5 has them.

    Ascending order through a reversed view is descending order. Equal real values can differ in the
    sign of zero alone: the fast unstable sort serves, and the zeros are put in order after it.
    """
    axis = normalize_axis_index(axis, x.ndim)
    result = x.copy()
    kind = x.dtype.kind
    fast = not stable or (kind in "iu" and x.itemsize > 2) or (kind == "f" and x.size > SMALL)
    (backwards(result, axis) if descending else result).sort(axis, None if fast else "stable")
    if descending and has_nan(result):
        order = np.isnan(result).argsort(axis, "stable")
        result = np.take_along_axis(result, order, axis)
    if fast and stable and kind == "f" and any_set(zeros := result == 0):
        source = np.moveaxis(x, axis, -1)
        np.moveaxis(result, axis, -1)[np.moveaxis(zeros, axis, -1)] = source[source == 0]
    return result


def argsort(x: Raw, axis: int, descending: bool, stable: bool) -> Any:
    """argsort: descending, which NumPy before 2.5 lacks, stable and with NaNs at the end."""
    axis = normalize_axis_index(axis, x.ndim)
    kind: Literal["stable"] | None = "stable" if stable else None
    if not descending:
        return x.argsort(axis, kind)
    result = x.shape[axis] - 1 - backwards(backwards(x, axis).argsort(axis, kind), axis)
    if has_nan(x):
        order = np.isnan(np.take_along_axis(x, result, axis)).argsort(axis, "stable")
        result = np.take_along_axis(result, order, axis)
    return result


SORTING: dict[str, Callable[..., Any]] = {
    "argsort": argsort,
    "sort": sort,
}


# ------------------------------------------------------------------------------------------ set


def isin(x1: Any, x2: Any, invert: bool) -> Any:
    """isin: by equality of values, for uint64 with signed integers too; NumPy takes float64 there.

    A scalar takes the dtype of the other operand, as in a comparison.
    """
    if x1 is None or x2 is None:
        raise TypeError("x1 and x2 must be Arrays or scalars, got None")
    if type(x2) is not ndarray:
        return (np.not_equal if invert else np.equal)(x1, x2)
    if type(x1) is not ndarray:
        found = np.logical_or.reduce(np.equal(x2, x1), None)
        return ~found if invert else found
    if x1.dtype.kind + x2.dtype.kind in ("iu", "ui") and np.result_type(x1, x2).kind == "f":
        found = np.isin(x1.astype(np.uint64), x2[x2 >= 0].astype(np.uint64)) & (x1 >= 0)
        return ~found if invert else found
    return np.isin(x1, x2, invert=invert)


def unique_values(x: Raw) -> Raw:
    """unique_values: each NaN is a value of its own; NumPy merges them."""
    return np.unique(x, equal_nan=False)


def unique_counts(x: Raw) -> tuple[Raw, ...]:
    """unique_counts: each NaN is a value of its own; NumPy merges them."""
    return np.unique(x, return_counts=True, equal_nan=False)


def unique_inverse(x: Raw) -> tuple[Raw, ...]:
    """unique_inverse: each NaN is a value of its own; NumPy merges them."""
    return np.unique(x, return_inverse=True, equal_nan=False)


def unique_all(x: Raw) -> tuple[Raw, ...]:
    """unique_all: each NaN is a value of its own; NumPy merges them."""
    return np.unique(x, True, True, True, equal_nan=False)


SET: dict[str, Callable[..., Any]] = {
    "isin": isin,
    "unique_all": unique_all,
    "unique_counts": unique_counts,
    "unique_inverse": unique_inverse,
    "unique_values": unique_values,
}


# -------------------------------------------------------------------------------------- utility


def diff(x: Raw, prepend: Any, append: Any, axis: int, n: int) -> Raw:
    """diff: with n = 0 what is prepended and appended counts too, where NumPy gives x itself."""
    axis = normalize_axis_index(axis, x.ndim)
    pieces = [scalar_like(piece, x) for piece in (prepend, x, append) if piece is not None]
    if len(pieces) > 1:
        line = [1 if a == axis else side for a, side in enumerate(x.shape)]
        pieces = [np.broadcast_to(piece, line) if piece.ndim == 0 else piece for piece in pieces]
        x = np.concatenate(pieces, axis)
    return np.diff(x, n, axis) if n else x.copy()


UTILITY: dict[str, Callable[..., Any]] = {
    "all": np.logical_and.reduce,
    "any": np.logical_or.reduce,
    "diff": diff,
}


# ------------------------------------------------------------------------------------- creation


def full(shape: Any, fill_value: Any, dtype: np.dtype[Any]) -> Raw:
    """full: a plain fill of a new array, without the Python layer of np.full."""
    result = np.empty(shape, dtype)
    result.fill(fill_value)
    return result


def arange(start: Any, stop: Any, step: Any, dtype: np.dtype[Any], whole: bool) -> Any:
    """arange: "elements are spaced by step", also for a fractional step in an integer dtype.

    NumPy casts the first two values and goes on from their difference, which is 0 for 0 and 0.5,
    and wraps what does not fit a small dtype.
    """
    if dtype.kind in "fcb" or (whole and dtype.itemsize == 8):
        return np.arange(start, stop, step, dtype=dtype)
    result = np.arange(start, stop, step, dtype=np.int64 if whole else np.float64)
    if result.size and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        for value in (result[0].item(), result[-1].item()):
            if not limits.min <= int(value) <= limits.max:
                raise OverflowError(f"values must fit dtype {dtype}, got {value}")
    return result.astype(dtype)


def linspace(start: Any, stop: Any, num: int, endpoint: bool, dtype: Any) -> Raw:
    """linspace: an interval that is wider than the largest float, where NumPy's step overflows."""
    if cmath.isfinite(stop - start) or not (cmath.isfinite(start) and cmath.isfinite(stop)):
        return np.linspace(start, stop, num, endpoint, False, dtype)
    result = 2 * np.linspace(start / 2, stop / 2, num, endpoint)
    return result if dtype is None else result.astype(dtype)


def meshgrid(*raws_and_indexing: Any) -> Any:
    """meshgrid: indexing is the last argument."""
    *raws, indexing = raws_and_indexing
    return np.meshgrid(*raws, indexing=indexing)


def diag(x: Raw, k: int) -> Raw:
    """diag: always a copy; NumPy gives a read-only view of a matrix."""
    return np.diag(x, k) if x.ndim == 1 else np.diag(x, k).copy()


CREATION: dict[str, Callable[..., Any]] = {
    "arange": arange,
    "diag": diag,
    "empty": np.empty,
    "empty_like": np.empty,
    "eye": np.eye,
    "full": full,
    "full_like": full,
    "linspace": linspace,
    "logspace": np.logspace,
    "meshgrid": meshgrid,
    "ones": np.ones,
    "ones_like": np.ones,
    "tril": np.tril,
    "triu": np.triu,
    "zeros": np.zeros,
    "zeros_like": np.zeros,
}


# ------------------------------------------------------------------------------------ data type


def astype(x: Raw, dtype: np.dtype[Any], copy: bool) -> Raw:
    """astype with a positional copy."""
    return x.astype(dtype, copy=copy)


DATA_TYPE: dict[str, Callable[..., Any]] = {
    "astype": astype,
    "copy": np.copy,
    "copyto": np.copyto,
}


# ------------------------------------------------------------------------------------- indexing

INDEXING: dict[str, Callable[..., Any]] = {
    "take": np.ndarray.take,
    "take_along_axis": np.take_along_axis,
}


# ------------------------------------------------------------------------------- linear algebra


def vecdot(x1: Raw, x2: Raw, axis: int) -> Any:
    """vecdot with a positional axis."""
    ufunc: Any = np.vecdot
    return ufunc(x1, x2) if axis == -1 else ufunc(x1, x2, axis=axis)


LINEAR_ALGEBRA: dict[str, Callable[..., Any]] = {
    "matmul": np.matmul,
    "matrix_transpose": attrgetter("mT"),
    "tensordot": np.tensordot,
    "vecdot": vecdot,
}


# --------------------------------------------------------------------------------- manipulation


def broadcast_arrays(*raws: Raw) -> tuple[Raw, ...]:
    """broadcast_arrays: read-only views; NumPy's are writable, with a warning when written to."""
    shape = np.broadcast_shapes(*[x.shape for x in raws])
    return tuple([np.broadcast_to(x, shape) for x in raws])


def repeat(x: Raw, repeats: Any, axis: int | None) -> Raw:
    """repeat: "the array must have an integer data type", of which NumPy refuses uint64."""
    if isinstance(repeats, np.ndarray) and repeats.dtype == np.uint64:
        repeats = repeats.astype(np.int64)
    return x.repeat(repeats, axis)


def reshape(x: Raw, shape: tuple[int, ...], copy: bool | None) -> Raw:
    """reshape with a positional copy."""
    return x.reshape(shape) if copy is None else np.reshape(x, shape, copy=copy)


def unstack(x: Raw, axis: int) -> tuple[Raw, ...]:
    """unstack: views, of shape () for 1-d x too, where NumPy gives scalars."""
    axis = normalize_axis_index(axis, x.ndim)
    before: Any = (slice(None),) * axis
    return tuple([x[(*before, i, ...)] for i in range(x.shape[axis])])


MANIPULATION: dict[str, Callable[..., Any]] = {
    "broadcast_arrays": broadcast_arrays,
    "broadcast_to": np.broadcast_to,
    "concat": np.concatenate,
    "expand_dims": np.expand_dims,
    "flip": np.flip,
    "moveaxis": np.moveaxis,
    "permute_dims": np.ndarray.transpose,
    "repeat": repeat,
    "reshape": reshape,
    "roll": np.roll,
    "squeeze": np.ndarray.squeeze,
    "stack": np.stack,
    "tile": np.tile,
    "unstack": unstack,
}


# --------------------------------------------------------------------------------------- linalg


def cholesky(x: Raw, upper: bool) -> Raw:
    """cholesky with a positional upper."""
    return np.linalg.cholesky(x, upper=upper)


def cross(x1: Raw, x2: Raw, axis: int) -> Raw:
    """cross with a positional axis."""
    return np.linalg.cross(x1, x2, axis=axis)


def diagonal(x: Raw, offset: int) -> Raw:
    """diagonal of the last two axes."""
    return x.diagonal(offset, -2, -1)


def trace(x: Raw, offset: int, dtype: Any) -> Any:
    """trace of the last two axes."""
    return x.trace(offset, -2, -1, dtype)


def complex_of(x: Raw) -> Raw:
    """x in the complex dtype of its precision."""
    return x.astype(np.result_type(x.dtype, np.complex64), copy=False)


def eig(x: Raw) -> tuple[Raw, Raw]:
    """eig: "must have a complex floating-point array data type"; before 2.5 NumPy's can be real."""
    values, vectors = np.linalg.eig(x)
    return complex_of(values), complex_of(vectors)


def eigvals(x: Raw) -> Raw:
    """eigvals: "a complex floating-point array data type"; before 2.5 NumPy's can be real."""
    return complex_of(np.linalg.eigvals(x))


def matrix_power(x: Raw, n: int) -> Raw:
    """matrix_power: a new array for n = 1 too, where NumPy returns x itself."""
    result = np.linalg.matrix_power(x, n)
    return x.copy() if result is x else result


def default_rtol(x: Raw) -> float:
    """matrix_rank and pinv: "if None, the default value is max(M, N) * eps"."""
    precision = x.dtype if x.dtype.kind in "fc" else np.dtype(np.float64)
    longer: int = max(x.shape[-2:])
    return longer * float(np.finfo(precision).eps)


def check_matrices(x: Raw) -> None:
    """ValueError unless x has the shape (..., M, N)."""
    if x.ndim < 2:
        raise ValueError(f"x must have at least two dimensions, got shape {x.shape}")


def matrix_rank(x: Raw, rtol: Any) -> Any:
    """matrix_rank: the rank of a matrix without elements is 0; NumPy finds no largest value."""
    check_matrices(x)
    values = np.linalg.svdvals(x)
    if rtol is None:
        rtol = default_rtol(x)
    elif isinstance(rtol, np.ndarray):
        rtol = rtol[..., np.newaxis]
    smallest = rtol * maximum_reduce(values, -1, None, None, True, 0)
    return add_reduce(values > smallest, -1, np.int64)


def pinv(x: Raw, rtol: Any) -> Raw:
    """pinv: the standard's default tolerance, for integers too."""
    check_matrices(x)
    return np.linalg.pinv(x, default_rtol(x) if rtol is None else rtol)


def magnitudes(x: Raw) -> Raw:
    """Absolute values of a floating dtype."""
    return np.absolute(x) if x.dtype.kind in "fc" else np.absolute(x, dtype=np.float64)


def root_of_squares(x: Raw, axis: Any, keepdims: bool) -> Any:
    """The 2-norm, of real and imaginary parts where x is complex."""
    if axis is None and not keepdims and x.dtype.char in "fdFD":
        flat = x.ravel("K")
        return np.sqrt(np.vdot(flat, flat).real)
    if x.dtype.kind == "c":
        squares = np.square(x.real) + np.square(x.imag)
    else:
        squares = np.square(x if x.dtype.kind == "f" else x.astype(np.float64))
    return np.sqrt(add_reduce(squares, axis, None, None, keepdims))


def vector_norm(x: Raw, axis: Any, keepdims: bool, ord: float) -> Any:
    """vector_norm: the sums of the standard's table over any axes, without reshaping x."""
    if x.dtype == np.float16:  # powers leave its range long before their root does
        return vector_norm(x.astype(np.float32), axis, keepdims, ord).astype(np.float16)
    if ord == 2.0:
        return root_of_squares(x, axis, keepdims)
    if ord == 0.0:
        real = x.real.dtype if x.dtype.kind in "fc" else np.dtype(np.float64)
        return add_reduce(x != 0, axis, real, None, keepdims)
    sizes = magnitudes(x)
    if ord == math.inf:
        return maximum_reduce(sizes, axis, None, None, keepdims, 0)
    if ord == -math.inf:
        return minimum_reduce(sizes, axis, None, None, keepdims)
    if ord == 1.0:
        return add_reduce(sizes, axis, None, None, keepdims)
    with np.errstate(divide="ignore"):
        return add_reduce(sizes**ord, axis, None, None, keepdims) ** (1.0 / ord)


def matrix_norm(x: Raw, keepdims: bool, ord: Any) -> Any:
    """matrix_norm: the standard's table; the same for matrices without elements on every NumPy."""
    check_matrices(x)
    if ord is None or ord == "fro":
        return root_of_squares(x, (-2, -1), keepdims)
    if ord in (2, -2, "nuc"):
        inner = np.linalg.svdvals(x)
        if keepdims:
            inner = inner[..., np.newaxis]
        along: int = -2 if keepdims else -1
    elif ord in (1, -1):
        inner = add_reduce(magnitudes(x), -2, None, None, keepdims)
        along = -1
    elif ord in (math.inf, -math.inf):
        inner = add_reduce(magnitudes(x), -1, None, None, keepdims)
        along = -2 if keepdims else -1
    else:
        raise ValueError(f"ord must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got {ord!r}")
    if ord == "nuc":
        return add_reduce(inner, along, None, None, keepdims)
    if ord > 0:
        return maximum_reduce(inner, along, None, None, keepdims, 0)
    return minimum_reduce(inner, along, None, None, keepdims)


LINALG: dict[str, Callable[..., Any]] = {
    "linalg.cholesky": cholesky,
    "linalg.cross": cross,
    "linalg.det": np.linalg.det,
    "linalg.diagonal": diagonal,
    "linalg.eig": eig,
    "linalg.eigh": np.linalg.eigh,
    "linalg.eigvals": eigvals,
    "linalg.eigvalsh": np.linalg.eigvalsh,
    "linalg.inv": np.linalg.inv,
    "linalg.matrix_norm": matrix_norm,
    "linalg.matrix_power": matrix_power,
    "linalg.matrix_rank": matrix_rank,
    "linalg.outer": np.linalg.outer,
    "linalg.pinv": pinv,
    "linalg.qr": np.linalg.qr,
    "linalg.slogdet": np.linalg.slogdet,
    "linalg.solve": np.linalg.solve,
    "linalg.svd": np.linalg.svd,
    "linalg.svdvals": np.linalg.svdvals,
    "linalg.trace": trace,
    "linalg.vector_norm": vector_norm,
}


# ------------------------------------------------------------------------------------------ fft


def fftn(x: Raw, s: Any, axes: Any, norm: Any) -> Raw:
    """fftn: a new, complex array also without axes, where NumPy returns x itself."""
    result = np.fft.fftn(x, s, axes, norm)
    return complex_of(x).copy() if result is x else result


def ifftn(x: Raw, s: Any, axes: Any, norm: Any) -> Raw:
    """ifftn: a new, complex array also without axes, where NumPy returns x itself."""
    result = np.fft.ifftn(x, s, axes, norm)
    return complex_of(x).copy() if result is x else result


def fftfreq(n: int, d: float, dtype: np.dtype[Any]) -> Raw:
    """fftfreq: "dtype: output array data type", which NumPy's function lacks."""
    return np.fft.fftfreq(n, d).astype(dtype, copy=False)


def rfftfreq(n: int, d: float, dtype: np.dtype[Any]) -> Raw:
    """rfftfreq: "dtype: output array data type", which NumPy's function lacks."""
    return np.fft.rfftfreq(n, d).astype(dtype, copy=False)


FFT: dict[str, Callable[..., Any]] = {
    "fft.fft": np.fft.fft,
    "fft.fftfreq": fftfreq,
    "fft.fftn": fftn,
    "fft.fftshift": np.fft.fftshift,
    "fft.hfft": np.fft.hfft,
    "fft.ifft": np.fft.ifft,
    "fft.ifftn": ifftn,
    "fft.ifftshift": np.fft.ifftshift,
    "fft.ihfft": np.fft.ihfft,
    "fft.irfft": np.fft.irfft,
    "fft.irfftn": np.fft.irfftn,
    "fft.rfft": np.fft.rfft,
    "fft.rfftfreq": rfftfreq,
    "fft.rfftn": np.fft.rfftn,
}


FUNCTIONS = (
    ELEMENTWISE
    | STATISTICAL
    | SEARCHING
    | SORTING
    | SET
    | UTILITY
    | CREATION
    | DATA_TYPE
    | INDEXING
    | LINEAR_ALGEBRA
    | MANIPULATION
    | LINALG
    | FFT
)

register_functions("cpu", FUNCTIONS)
