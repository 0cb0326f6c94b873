"""Elementwise functions."""

from __future__ import annotations

import math
from operator import attrgetter
from typing import Any

import numpy as np

from xpdl._backends.numpy.raw import Raw, Table, any_set, ndarray
from xpdl._cext import has_half, has_infinity, has_sign, is_real_floating

# Under names of their own, which are C variables: found without a search in NumPy's namespace.
numpy_floor_divide: Any = np.floor_divide
numpy_power: Any = np.power

# ``out`` is the left side of an in-place operator, which copies any other array that it gets back.


def floor_divide(x1: Any, x2: Any, out: Raw | None = None) -> Any:
    """floor_divide: at infinities the standard prefers floor(x1 / x2).

    NumPy pairs // with % as Python does: NaN for inf // 2 and -1 for -1 // inf.
    """
    if not (has_infinity(x1) or has_infinity(x2)):
        return numpy_floor_divide(x1, x2, out)
    result = np.asarray(np.divide(x1, x2))
    np.floor(result, out=result)
    return np.floor_divide(x1, x2, out=result, where=np.isfinite(x1) & np.isfinite(x2))


def pow(x1: Any, x2: Any, out: Raw | None = None) -> Any:
    """pow: with the exponent 0.5 the power of -0 is +0 and that of -inf is inf.

    NumPy takes the square root for an exponent that it repeats along an axis: -0 and NaN.
    """
    if has_half(x2) and has_sign(x1):
        base = np.asarray(x1, np.result_type(x1, x2))
        unsigned = (x2 == 0.5) & ((base == 0) | (base == -math.inf))
        x1 = np.where(unsigned, np.absolute(base), base)
    if out is not None and not is_real_floating(out):
        out = None  # NumPy has written the elements before an exponent that it refuses
    return numpy_power(x1, x2, out)


def expm1(x: Raw) -> Any:
    """expm1: its complex special cases, where NumPy gives NaN for most infinities.

    There expm1 is exp - 1. A zero has the real part +0 whatever its sign was, while NumPy keeps the
    sign: adding +0 to the real part clears it and changes nothing else.
    """
    finite = np.isfinite(x)
    if 0 not in finite.tobytes():
        result: Raw = np.asarray(np.expm1(x))
        real = result.real
    else:
        with np.errstate(invalid="ignore"):
            result = np.asarray(np.exp(x))
        real = result.real
        real -= 1
        np.expm1(x, out=result, where=finite)
    real += 0.0
    return result


def acosh(x: Raw) -> Any:
    """acosh: of a zero real and a NaN imaginary part, the imaginary part is pi / 2.

    NumPy before 2.3 gives NaN for it.
    """
    result: Any = np.arccosh(x)
    imaginary = (x.real == 0) & np.isnan(x.imag)
    if any_set(imaginary):
        result = np.asarray(result)
        np.copyto(result.imag, math.pi / 2, where=imaginary)
    return result


def tanh(x: Raw) -> Any:
    """tanh: for an infinite real part the imaginary part is a zero with the sign it had.

    NumPy follows C99, where it is a zero with the sign of sin(2b).
    """
    result: Any = np.tanh(x)
    infinite = np.isinf(x.real)
    if any_set(infinite):
        result = np.asarray(result)
        np.copysign(0.0, x.imag, out=result.imag, where=infinite)
    return result


def sign(x: Raw) -> Any:
    """sign: NaN in either component is NaN in both; NumPy lets an infinite component win."""
    result = np.sign(x)
    missing = np.isnan(x)
    if any_set(missing):
        result = np.asarray(result)
        result[missing] = complex(math.nan, math.nan)
    return result


def round_to_even(x: Raw) -> Any:
    """round: integers come back as a fresh array, which NumPy before 2.3 aliases; so does bool."""
    return x.copy()


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


ELEMENTWISE: Table = {
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
    "expm1": np.expm1,
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
    "round": np.rint,
    "sign": np.sign,
    "signbit": np.signbit,
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "square": np.square,
    "subtract": np.subtract,
    "tan": np.tan,
    "tanh": np.tanh,
    "trunc": np.trunc,
}

# What replaces those of one array for a kind of dtype; real floats go straight to NumPy.
INTEGRAL: Table = {"round": round_to_even}
COMPLEX: Table = {"acosh": acosh, "expm1": expm1, "sign": sign, "tanh": tanh}
