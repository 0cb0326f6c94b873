"""Elementwise functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np

from xpdl._backends.cupy import kernels
from xpdl._backends.cupy.raw import (
    Raw,
    cupy,
    in_common_dtype,
    is_bfloat16,
    is_number,
    ndarray,
    scalar_like,
)
from xpdl._backends.numpy.elementwise import INTEGER_RANGES, bound_of_dtype
from xpdl._backends.numpy.raw import Table


def of_reals(ufunc: Any) -> Callable[[Any, Any], Any]:
    """A function of real numbers, which CuPy's takes complex ones for."""

    def apply(x1: Any, x2: Any) -> Any:
        check_kinds("c", x1, x2)
        return ufunc(x1, x2)

    return apply


def of_numbers(ufunc: Any) -> Callable[[Any], Any]:
    """A function of numbers, which CuPy's takes bool for."""

    def apply(x: Any) -> Any:
        check_kinds("b", x)
        return ufunc(x)

    return apply


def check_kinds(refused: str, *operands: Any) -> None:
    """TypeError where an operand is of a kind that NumPy's function has no loop for."""
    for x in operands:
        if (np.asarray(x) if is_number(x) else x).dtype.kind in refused:
            raise TypeError("not supported for the input types")


def comparing(ufunc: Any) -> Callable[[Any, Any], Any]:
    """A comparison: with an integer out of the range of the array's dtype it is one of values."""

    def compare(x1: Any, x2: Any) -> Any:
        if type(x2) is int:
            return ufunc(x1, within_reach(x2, x1))
        if type(x1) is int:
            return ufunc(within_reach(x1, x2), x2)
        return ufunc(x1, x2)

    return compare


def within_reach(number: int, x: Raw) -> int | float:
    """An integer that x's dtype holds as it is; an infinity stands for one beyond its range."""
    limits = INTEGER_RANGES.get(x.dtype)
    if limits is None or x.dtype.kind == "b" or limits[0] <= number <= limits[1]:
        return number
    return math.inf if number > 0 else -math.inf


equal = comparing(cupy.equal)
not_equal = comparing(cupy.not_equal)


def logical(ufunc: Any) -> Callable[..., Any]:
    """A logical function: of complex numbers too, which count as true unless they are zero."""

    def combine(*operands: Any) -> Any:
        return ufunc(*[truth(x) for x in operands])

    return combine


def truth(x: Any) -> Any:
    """An operand that CuPy's logical functions take."""
    if is_number(x):
        return bool(x)
    return x != 0 if x.dtype.kind in "cV" else x


def dividing(ufunc: Any, kernel: Any) -> Callable[[Any, Any], Any]:
    """remainder or floor_divide of floats, by a kernel. Those of other dtypes are CuPy's.

    CuPy goes by floor(x1 / x2): NaN for 1 % inf, and zeros of the wrong sign.
    """

    def divide(x1: Any, x2: Any) -> Any:
        x1, x2 = in_common_dtype(x1, x2)
        if x1.dtype.kind != "f":
            return ufunc(x1, x2)
        if x1.dtype == np.float16:
            return kernel(x1.astype(np.float32), x2.astype(np.float32)).astype(np.float16)
        return kernel(x1, x2)

    def divide_any(x1: Any, x2: Any) -> Any:
        array = x2 if is_number(x1) else x1
        return ufunc(x1, x2) if is_bfloat16(array.dtype) else divide(x1, x2)

    return divide_any


def divide(x1: Any, x2: Any) -> Any:
    """divide: of complex numbers a finite one by an infinite one is 0, where CuPy's is NaN."""
    if not (is_complex(x1) or is_complex(x2)):
        return cupy.divide(x1, x2)
    x1, x2 = in_common_dtype(x1, x2)
    parts = kernels.divide_complex(*parts_of(x1), *parts_of(x2), cupy.arange(2))
    return parts.view(x1.dtype)[..., 0]


def is_complex(x: Any) -> bool:
    """Whether an operand is complex."""
    return type(x) is complex or (not is_number(x) and x.dtype.kind == "c")


def parts_of(x: Any) -> tuple[Any, Any]:
    """The real and the imaginary part, of an array with a last axis for the parts of a result."""
    if isinstance(x, ndarray):
        return x.real[..., None], x.imag[..., None]
    return x.real, x.imag


def reciprocal(x: Raw) -> Raw:
    """reciprocal: of an infinite complex number it is 0, where CuPy's is NaN."""
    return divide(1.0, x) if x.dtype.kind == "c" else cupy.reciprocal(x)


def pow(x1: Any, x2: Any) -> Any:
    """pow: a negative integer as exponent of integers is an error, as on the CPU."""
    if type(x2) is int and x2 < 0 and x1.dtype.kind in "iu":
        raise ValueError("Integers to negative integer powers are not allowed.")
    return cupy.power(x1, x2)


def logarithm(ufunc: Any, scale: float = 1.0, of_next: bool = False) -> Callable[[Raw], Raw]:
    """A complex logarithm: an infinite component wins over NaN, and zeros keep their sign.

    ``scale`` is the logarithm of e in its base; ``of_next`` is for the logarithm of x + 1.
    """

    def log(x: Raw) -> Raw:
        result = ufunc(x)
        if x.dtype.kind != "c":
            return result
        cupy.copyto(result.real, math.inf, where=cupy.isinf(x.real) | cupy.isinf(x.imag))
        angle = cupy.arctan2(x.imag, x.real + 1 if of_next else x.real)
        cupy.copyto(result.imag, angle * scale, "same_kind")
        return result

    return log


def expm1(x: Raw) -> Raw:
    """expm1: its complex special cases. There it is exp - 1, and a zero has the real part +0."""
    result = cupy.expm1(x)
    if x.dtype.kind != "c":
        return result
    cupy.copyto(result, cupy.exp(x) - 1, where=~cupy.isfinite(x))
    cupy.copyto(result.real, result.real + 0.0)
    return result


def acosh(x: Raw) -> Raw:
    """acosh: of a zero real and a NaN imaginary part, the imaginary part is pi / 2."""
    result = cupy.arccosh(x)
    if x.dtype.kind == "c":
        cupy.copyto(result.imag, math.pi / 2, where=(x.real == 0) & cupy.isnan(x.imag))
    return result


def tanh(x: Raw) -> Raw:
    """tanh: for an infinite real part 1 with its sign, and a zero with the imaginary part's.

    For a zero real part and an imaginary part that is not finite the real part stays.
    """
    result = cupy.tanh(x)
    if x.dtype.kind != "c":
        return result
    infinite = cupy.isinf(x.real)
    cupy.copyto(result.real, cupy.copysign(1.0, x.real), "same_kind", infinite)
    cupy.copyto(result.imag, cupy.copysign(0.0, x.imag), "same_kind", infinite)
    cupy.copyto(result.real, x.real, "same_kind", (x.real == 0) & ~cupy.isfinite(x.imag))
    return result


def tan(x: Raw) -> Raw:
    """tan: a zero imaginary part stays where the real part is not finite."""
    result = cupy.tan(x)
    if x.dtype.kind == "c":
        cupy.copyto(result.imag, x.imag, "same_kind", (x.imag == 0) & ~cupy.isfinite(x.real))
    return result


def round_to_even(x: Raw) -> Raw:
    """round: integers and bool come back as they are."""
    return x.copy() if x.dtype.kind in "biu" else cupy.rint(x)


def imag(x: Raw) -> Raw:
    """imag: of real input new zeros."""
    return x.imag if x.dtype.kind == "c" else cupy.zeros_like(x)


def clip(x: Raw, low: Any, high: Any) -> Raw:
    """clip: the result has the dtype of x, and NaN in a bound goes through.

    CuPy promotes x with the bounds. No bound is looked at by the host.
    """
    result = x
    if low is not None:
        result = cupy.maximum(result, bound("min", low, x))
    if high is not None:
        result = cupy.minimum(result, bound("max", high, x))
    return result.copy() if result is x else result


def bound(name: str, value: Any, x: Raw) -> Any:
    """A bound of clip in the dtype of x: rounded inwards, then saturated, if that is an integer."""
    if is_number(value):
        found = bound_of_dtype(name, value, x.dtype)
        return scalar_like(found, x) if is_number(found) and np.isscalar(found) else found[()]
    if value.dtype == x.dtype:
        return value
    if value.dtype.kind == "c" and x.dtype.kind != "c":
        raise TypeError(f"{name} must be real for x of dtype {x.dtype}, got dtype {value.dtype}")
    if x.dtype not in INTEGER_RANGES or value.dtype.kind == "b":
        return value.astype(x.dtype)
    lowest, highest = INTEGER_RANGES[x.dtype]
    if value.dtype.kind not in "iu":
        value = (cupy.ceil if name == "min" else cupy.floor)(value.astype(np.float64))
    inside = value.astype(x.dtype)
    reach = comparing(cupy.greater_equal), comparing(cupy.less_equal)
    inside = cupy.where(reach[0](value, highest), x.dtype.type(highest), inside)
    return cupy.where(reach[1](value, lowest), x.dtype.type(lowest), inside)


ELEMENTWISE: Table = {
    "abs": cupy.absolute,
    "acos": cupy.arccos,
    "acosh": acosh,
    "add": cupy.add,
    "asin": cupy.arcsin,
    "asinh": cupy.arcsinh,
    "atan": cupy.arctan,
    "atan2": of_reals(cupy.arctan2),
    "atanh": cupy.arctanh,
    "bitwise_and": cupy.bitwise_and,
    "bitwise_invert": cupy.invert,
    "bitwise_left_shift": cupy.left_shift,
    "bitwise_or": cupy.bitwise_or,
    "bitwise_right_shift": cupy.right_shift,
    "bitwise_xor": cupy.bitwise_xor,
    "ceil": cupy.ceil,
    "clip": clip,
    "conj": cupy.conj,
    "copysign": of_reals(cupy.copysign),
    "cos": cupy.cos,
    "cosh": cupy.cosh,
    "divide": divide,
    "equal": equal,
    "exp": cupy.exp,
    "expm1": expm1,
    "floor": cupy.floor,
    "floor_divide": dividing(cupy.floor_divide, kernels.floor_divide),
    "greater": comparing(cupy.greater),
    "greater_equal": comparing(cupy.greater_equal),
    "hypot": of_reals(cupy.hypot),
    "imag": imag,
    "isfinite": cupy.isfinite,
    "isinf": cupy.isinf,
    "isnan": cupy.isnan,
    "less": comparing(cupy.less),
    "less_equal": comparing(cupy.less_equal),
    "log": logarithm(cupy.log),
    "log10": logarithm(cupy.log10, math.log10(math.e)),
    "log1p": logarithm(cupy.log1p, of_next=True),
    "log2": logarithm(cupy.log2, math.log2(math.e)),
    "logaddexp": cupy.logaddexp,
    "logical_and": logical(cupy.logical_and),
    "logical_not": logical(cupy.logical_not),
    "logical_or": logical(cupy.logical_or),
    "logical_xor": logical(cupy.logical_xor),
    "maximum": cupy.maximum,
    "minimum": cupy.minimum,
    "multiply": cupy.multiply,
    "negative": cupy.negative,
    "nextafter": of_reals(cupy.nextafter),
    "not_equal": not_equal,
    "positive": of_numbers(cupy.positive),
    "pow": pow,
    "real": attrgetter("real"),
    "reciprocal": reciprocal,
    "remainder": dividing(cupy.remainder, kernels.remainder),
    "round": round_to_even,
    "sign": of_numbers(cupy.sign),
    "signbit": cupy.signbit,
    "sin": cupy.sin,
    "sinh": cupy.sinh,
    "sqrt": cupy.sqrt,
    "square": cupy.square,
    "subtract": cupy.subtract,
    "tan": tan,
    "tanh": tanh,
    "trunc": cupy.trunc,
}
