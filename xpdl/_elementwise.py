"""Elementwise functions.

Source: array API 2025.12, elementwise functions.
"""

from __future__ import annotations

from xpdl._cext import Array, binary, check_array, nary, unary, view

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]


def abs(x: Array, /) -> Array:
    """Absolute value of each element; the modulus of complex ones.

    Complex input gives the real dtype of its components. The most negative integer stays
    itself.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``abs``.
    """
    return unary("abs", x)


def acos(x: Array, /) -> Array:
    """Inverse cosine of each element, in radians, in ``[0, pi]`` for real input.

    NaN outside ``[-1, 1]``; complex branch cuts lie on the real axis beyond it. Integers of 8,
    16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``acos``.
    """
    return unary("acos", x)


def acosh(x: Array, /) -> Array:
    """Inverse hyperbolic cosine of each element, not negative for real input.

    NaN below 1; the complex branch cut is the real axis below 1. Integers of 8, 16 and more
    bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``acosh``.
    """
    return unary("acosh", x)


def add(x1: Array | int | float | complex, x2: Array | int | float | complex, /) -> Array:
    """Sum of ``x1`` and ``x2``, element by element.

    Integers wrap around.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``add``.
    """
    return binary("add", x1, x2)


def asin(x: Array, /) -> Array:
    """Inverse sine of each element, in radians, in ``[-pi/2, pi/2]`` for real input.

    NaN outside ``[-1, 1]``; complex branch cuts lie on the real axis beyond it. Integers of 8,
    16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``asin``.
    """
    return unary("asin", x)


def asinh(x: Array, /) -> Array:
    """Inverse hyperbolic sine of each element.

    Complex branch cuts lie on the imaginary axis beyond ``-1j`` and ``1j``. Integers of 8, 16
    and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``asinh``.
    """
    return unary("asinh", x)


def atan(x: Array, /) -> Array:
    """Inverse tangent of each element, in radians, in ``[-pi/2, pi/2]`` for real input.

    Complex branch cuts lie on the imaginary axis beyond ``-1j`` and ``1j``. Integers of 8, 16
    and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``atan``.
    """
    return unary("atan", x)


def atan2(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """Angle of the point with ordinate ``x1`` and abscissa ``x2``, in radians, in ``[-pi, pi]``.

    Signed zeros choose the side of the cut. Integers of 8, 16 and more bits give float16,
    float32 and float64.

    Raises
    ------
    TypeError
        If neither operand is an Array, or one is complex.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``atan2``.
    """
    return binary("atan2", x1, x2)


def atanh(x: Array, /) -> Array:
    """Inverse hyperbolic tangent of each element.

    NaN outside ``[-1, 1]``, infinite at its ends; complex branch cuts lie beyond. Integers of
    8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``atanh``.
    """
    return unary("atanh", x)


def bitwise_and(x1: Array | int | bool, x2: Array | int | bool, /) -> Array:
    """AND of each pair of bits of ``x1`` and ``x2``; of bool, the logical AND.

    Raises
    ------
    TypeError
        If neither operand is an Array, or one is floating.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``bitwise_and``.
    """
    return binary("bitwise_and", x1, x2)


def bitwise_invert(x: Array, /) -> Array:
    """Every bit of each element inverted; of bool, the logical NOT.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is floating.

    Source: array API 2025.12, elementwise functions, ``bitwise_invert``.
    """
    return unary("bitwise_invert", x)


def bitwise_left_shift(x1: Array | int, x2: Array | int, /) -> Array:
    """Bits of ``x1`` moved up by ``x2`` places, which are filled with zeros.

    Equal to ``x1 * 2**x2`` while that fits; ``x2`` must not be negative.

    Raises
    ------
    TypeError
        If neither operand is an Array, or one is floating.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``bitwise_left_shift``.
    """
    return binary("bitwise_left_shift", x1, x2)


def bitwise_or(x1: Array | int | bool, x2: Array | int | bool, /) -> Array:
    """OR of each pair of bits of ``x1`` and ``x2``; of bool, the logical OR.

    Raises
    ------
    TypeError
        If neither operand is an Array, or one is floating.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``bitwise_or``.
    """
    return binary("bitwise_or", x1, x2)


def bitwise_right_shift(x1: Array | int, x2: Array | int, /) -> Array:
    """Bits of ``x1`` moved down by ``x2`` places, keeping the sign.

    Equal to ``floor(x1 / 2**x2)``; ``x2`` must not be negative.

    Raises
    ------
    TypeError
        If neither operand is an Array, or one is floating.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``bitwise_right_shift``.
    """
    return binary("bitwise_right_shift", x1, x2)


def bitwise_xor(x1: Array | int | bool, x2: Array | int | bool, /) -> Array:
    """Exclusive OR of each pair of bits of ``x1`` and ``x2``; of bool, the logical one.

    Raises
    ------
    TypeError
        If neither operand is an Array, or one is floating.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``bitwise_xor``.
    """
    return binary("bitwise_xor", x1, x2)


def ceil(x: Array, /) -> Array:
    """Least integral value not below each element.

    The dtype stays; integers come back unchanged.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is complex.

    Source: array API 2025.12, elementwise functions, ``ceil``.
    """
    return unary("ceil", x)


def clip(
    x: Array,
    /,
    min: Array | int | float | None = None,
    max: Array | int | float | None = None,
) -> Array:
    """Each element of ``x`` limited to the interval from ``min`` to ``max``.

    Returns an array of the broadcast shape with the dtype of ``x``, where NumPy promotes. A bound
    of None is no limit. Bounds of integer ``x`` may be fractional or outside its dtype: the result
    is the nearest integer within. Where ``min > max`` the result is ``max``; a NaN gives NaN.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or a bound is complex and ``x`` is real.
    ValueError
        If the shapes do not broadcast, the operands are on two devices, or a bound of integer ``x``
        is NaN.

    Source: array API 2025.12, elementwise functions, ``clip``.
    """
    return nary("clip", (check_array("clip", "x", x), min, max), ())


def conj(x: Array, /) -> Array:
    """Complex conjugate of each element; real input comes back as a copy.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``conj``.
    """
    return unary("conj", x)


def copysign(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """Magnitude of ``x1`` with the sign of ``x2``, which may be that of a zero or of NaN.

    Integers of 8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If neither operand is an Array, or one is complex.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``copysign``.
    """
    return binary("copysign", x1, x2)


def cos(x: Array, /) -> Array:
    """Cosine of each element, in radians.

    Integers of 8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``cos``.
    """
    return unary("cos", x)


def cosh(x: Array, /) -> Array:
    """Hyperbolic cosine of each element.

    Integers of 8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``cosh``.
    """
    return unary("cosh", x)


def divide(x1: Array | int | float | complex, x2: Array | int | float | complex, /) -> Array:
    """Quotient ``x1 / x2``, element by element.

    Integers give the default floating dtype. Division by zero gives an infinity or NaN.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``divide``.
    """
    return binary("divide", x1, x2)


def equal(
    x1: Array | bool | int | float | complex, x2: Array | bool | int | float | complex, /
) -> Array:
    """Whether ``x1 == x2``, element by element.

    Returns bool. NaN equals nothing; the zeros equal each other.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``equal``.
    """
    return binary("equal", x1, x2)


def exp(x: Array, /) -> Array:
    """e to the power of each element.

    Integers of 8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``exp``.
    """
    return unary("exp", x)


def expm1(x: Array, /) -> Array:
    """``exp(x) - 1`` of each element, accurate near zero.

    Integers of 8, 16 and more bits give float16, float32 and float64. At complex infinities and
    zeros the standard's values are given, where NumPy gives NaN or a negative zero.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``expm1``.
    """
    return unary("expm1", x)


def floor(x: Array, /) -> Array:
    """Greatest integral value not above each element.

    The dtype stays; integers come back unchanged.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is complex.

    Source: array API 2025.12, elementwise functions, ``floor``.
    """
    return unary("floor", x)


def floor_divide(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """Quotient ``x1 / x2`` rounded down, element by element.

    The dtype is that of the operands. At infinities it is ``floor(x1 / x2)``, where NumPy pairs
    it with the remainder: ``inf // 2`` is infinite, ``-1 // inf`` is a negative zero. An
    integer by zero is 0.

    Raises
    ------
    TypeError
        If neither operand is an Array, or one is complex.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``floor_divide``.
    """
    return binary("floor_divide", x1, x2)


def greater(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """Whether ``x1 > x2``, element by element.

    Returns bool. Comparing with NaN is False.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``greater``.
    """
    return binary("greater", x1, x2)


def greater_equal(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """Whether ``x1 >= x2``, element by element.

    Returns bool. Comparing with NaN is False.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``greater_equal``.
    """
    return binary("greater_equal", x1, x2)


def hypot(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """Length ``sqrt(x1**2 + x2**2)``, element by element, without undue overflow.

    An infinite operand gives infinity, even with NaN. Integers of 8, 16 and more bits give
    float16, float32 and float64.

    Raises
    ------
    TypeError
        If neither operand is an Array, or one is complex.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``hypot``.
    """
    return binary("hypot", x1, x2)


def imag(x: Array, /) -> Array:
    """Imaginary part of each element, of the real dtype of its components.

    View: the result shares memory with complex ``x``. Real input gives zeros.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``imag``.
    """
    return view("imag", x, ())


def isfinite(x: Array, /) -> Array:
    """Whether each element is neither infinite nor NaN.

    Returns bool. A complex number is finite if both components are.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``isfinite``.
    """
    return unary("isfinite", x)


def isinf(x: Array, /) -> Array:
    """Whether each element is an infinity of either sign.

    Returns bool. A complex number is infinite if one component is.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``isinf``.
    """
    return unary("isinf", x)


def isnan(x: Array, /) -> Array:
    """Whether each element is NaN.

    Returns bool. A complex number is NaN if one component is.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``isnan``.
    """
    return unary("isnan", x)


def less(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """Whether ``x1 < x2``, element by element.

    Returns bool. Comparing with NaN is False.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``less``.
    """
    return binary("less", x1, x2)


def less_equal(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """Whether ``x1 <= x2``, element by element.

    Returns bool. Comparing with NaN is False.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``less_equal``.
    """
    return binary("less_equal", x1, x2)


def log(x: Array, /) -> Array:
    """Natural logarithm of each element.

    NaN below zero, ``-inf`` at zero; the complex branch cut is the negative real axis. Integers
    of 8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``log``.
    """
    return unary("log", x)


def log10(x: Array, /) -> Array:
    """Base-10 logarithm of each element.

    NaN below zero, ``-inf`` at zero; the complex branch cut is the negative real axis. Integers
    of 8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``log10``.
    """
    return unary("log10", x)


def log1p(x: Array, /) -> Array:
    """``log(1 + x)`` of each element, accurate near zero.

    NaN below -1, ``-inf`` at -1; the complex branch cut is the real axis below -1. Integers of
    8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``log1p``.
    """
    return unary("log1p", x)


def log2(x: Array, /) -> Array:
    """Base-2 logarithm of each element.

    NaN below zero, ``-inf`` at zero; the complex branch cut is the negative real axis. Integers
    of 8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``log2``.
    """
    return unary("log2", x)


def logaddexp(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """``log(exp(x1) + exp(x2))``, element by element, without undue overflow.

    Integers of 8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If neither operand is an Array, or one is complex.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``logaddexp``.
    """
    return binary("logaddexp", x1, x2)


def logical_and(x1: Array | bool, x2: Array | bool, /) -> Array:
    """Whether ``x1`` and ``x2`` are both true, element by element.

    Returns bool. Every nonzero number is true, NaN too.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``logical_and``.
    """
    return binary("logical_and", x1, x2)


def logical_not(x: Array, /) -> Array:
    """Whether each element is false.

    Returns bool. Every nonzero number is true, NaN too.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``logical_not``.
    """
    return unary("logical_not", x)


def logical_or(x1: Array | bool, x2: Array | bool, /) -> Array:
    """Whether ``x1`` or ``x2`` is true, element by element.

    Returns bool. Every nonzero number is true, NaN too.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``logical_or``.
    """
    return binary("logical_or", x1, x2)


def logical_xor(x1: Array | bool, x2: Array | bool, /) -> Array:
    """Whether exactly one of ``x1`` and ``x2`` is true, element by element.

    Returns bool. Every nonzero number is true, NaN too.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``logical_xor``.
    """
    return binary("logical_xor", x1, x2)


def maximum(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """Larger of ``x1`` and ``x2``, element by element.

    NaN if either is NaN.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``maximum``.
    """
    return binary("maximum", x1, x2)


def minimum(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """Smaller of ``x1`` and ``x2``, element by element.

    NaN if either is NaN.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``minimum``.
    """
    return binary("minimum", x1, x2)


def multiply(x1: Array | int | float | complex, x2: Array | int | float | complex, /) -> Array:
    """Product of ``x1`` and ``x2``, element by element.

    Integers wrap around.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``multiply``.
    """
    return binary("multiply", x1, x2)


def negative(x: Array, /) -> Array:
    """Each element with its sign changed.

    Unsigned integers, and the most negative one, wrap around.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is bool.

    Source: array API 2025.12, elementwise functions, ``negative``.
    """
    return unary("negative", x)


def nextafter(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """The representable value next to ``x1`` in the direction of ``x2``, element by element.

    ``x2`` where they are equal. Integers of 8, 16 and more bits give float16, float32 and
    float64.

    Raises
    ------
    TypeError
        If neither operand is an Array, or one is complex.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``nextafter``.
    """
    return binary("nextafter", x1, x2)


def not_equal(
    x1: Array | bool | int | float | complex, x2: Array | bool | int | float | complex, /
) -> Array:
    """Whether ``x1 != x2``, element by element.

    Returns bool. NaN differs from everything; the zeros equal each other.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``not_equal``.
    """
    return binary("not_equal", x1, x2)


def positive(x: Array, /) -> Array:
    """Each element as it is, in a new array.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is bool.

    Source: array API 2025.12, elementwise functions, ``positive``.
    """
    return unary("positive", x)


def pow(x1: Array | int | float | complex, x2: Array | int | float | complex, /) -> Array:
    """``x1`` to the power of ``x2``, element by element.

    Integers wrap around.

    Raises
    ------
    TypeError
        If neither operand is an Array.
    ValueError
        If the shapes do not broadcast, the operands are on two devices, or an
        integer has a negative integer exponent.

    Source: array API 2025.12, elementwise functions, ``pow``.
    """
    return binary("pow", x1, x2)


def real(x: Array, /) -> Array:
    """Real part of each element, of the real dtype of its components.

    View: the result shares memory with ``x``. Real input comes back as it is.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``real``.
    """
    return view("real", x, ())


def reciprocal(x: Array, /) -> Array:
    """``1 / x`` of each element.

    The dtype stays: of integers only 1 and -1 give anything but 0. A zero gives an infinity.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``reciprocal``.
    """
    return unary("reciprocal", x)


def remainder(x1: Array | int | float, x2: Array | int | float, /) -> Array:
    """Remainder of ``x1 / x2`` with the sign of ``x2``, element by element.

    The dtype is that of the operands. An integer by zero is 0, a floating number by zero NaN.

    Raises
    ------
    TypeError
        If neither operand is an Array, or one is complex.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``remainder``.
    """
    return binary("remainder", x1, x2)


def round(x: Array, /) -> Array:
    """Integral value nearest to each element, halves to the even one.

    The dtype stays; integers come back unchanged. Complex components are rounded one by one.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``round``.
    """
    return unary("round", x)


def sign(x: Array, /) -> Array:
    """-1, 0 or 1 as each element is negative, zero or positive; ``x / abs(x)`` of complex ones.

    The dtype stays. NaN, or a NaN component, gives NaN in each component.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is bool.

    Source: array API 2025.12, elementwise functions, ``sign``.
    """
    return unary("sign", x)


def signbit(x: Array, /) -> Array:
    """Whether the sign of each element is negative, that of a zero or NaN included.

    Returns bool.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is complex.

    Source: array API 2025.12, elementwise functions, ``signbit``.
    """
    return unary("signbit", x)


def sin(x: Array, /) -> Array:
    """Sine of each element, in radians.

    Integers of 8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``sin``.
    """
    return unary("sin", x)


def sinh(x: Array, /) -> Array:
    """Hyperbolic sine of each element.

    Integers of 8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``sinh``.
    """
    return unary("sinh", x)


def sqrt(x: Array, /) -> Array:
    """Principal square root of each element.

    NaN below zero; the complex branch cut is the negative real axis. Integers of 8, 16 and more
    bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``sqrt``.
    """
    return unary("sqrt", x)


def square(x: Array, /) -> Array:
    """Square of each element.

    Integers wrap around.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``square``.
    """
    return unary("square", x)


def subtract(x1: Array | int | float | complex, x2: Array | int | float | complex, /) -> Array:
    """Difference ``x1 - x2``, element by element.

    Integers wrap around.

    Raises
    ------
    TypeError
        If neither operand is an Array, or both are bool.
    ValueError
        If the shapes do not broadcast, or the operands are on two devices.

    Source: array API 2025.12, elementwise functions, ``subtract``.
    """
    return binary("subtract", x1, x2)


def tan(x: Array, /) -> Array:
    """Tangent of each element, in radians.

    Integers of 8, 16 and more bits give float16, float32 and float64.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``tan``.
    """
    return unary("tan", x)


def tanh(x: Array, /) -> Array:
    """Hyperbolic tangent of each element.

    Integers of 8, 16 and more bits give float16, float32 and float64. Complex ``inf + bj`` with
    finite b gives ``1 + 0j`` with the sign of b, where NumPy gives the zero the sign of ``sin(2
    * b)``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, elementwise functions, ``tanh``.
    """
    return unary("tanh", x)


def trunc(x: Array, /) -> Array:
    """Integral part of each element, rounded towards zero.

    The dtype stays; integers come back unchanged.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is complex.

    Source: array API 2025.12, elementwise functions, ``trunc``.
    """
    return unary("trunc", x)
