"""xpdl._elementwise: values against NumPy, and the special cases that NumPy lacks."""

import cmath
import inspect
import math
import operator
import warnings

import numpy as np
import pytest
from samples import COMPLEX, DTYPES, INTEGERS, LAYOUTS, REALS, check, laid_out, values

import xpdl as xp

inf, nan = math.inf, math.nan

UNARY = {
    "abs": (np.abs, "biufc"),
    "acos": (np.arccos, "biufc"),
    "acosh": (np.arccosh, "biufc"),
    "asin": (np.arcsin, "biufc"),
    "asinh": (np.arcsinh, "biufc"),
    "atan": (np.arctan, "biufc"),
    "atanh": (np.arctanh, "biufc"),
    "bitwise_invert": (np.invert, "biu"),
    "ceil": (np.ceil, "biuf"),
    "conj": (np.conj, "iufc"),
    "cos": (np.cos, "biufc"),
    "cosh": (np.cosh, "biufc"),
    "exp": (np.exp, "biufc"),
    "expm1": (np.expm1, "biufc"),
    "floor": (np.floor, "biuf"),
    "imag": (np.imag, "biufc"),
    "isfinite": (np.isfinite, "biufc"),
    "isinf": (np.isinf, "biufc"),
    "isnan": (np.isnan, "biufc"),
    "log": (np.log, "biufc"),
    "log10": (np.log10, "biufc"),
    "log1p": (np.log1p, "biufc"),
    "log2": (np.log2, "biufc"),
    "logical_not": (np.logical_not, "biufc"),
    "negative": (np.negative, "iufc"),
    "positive": (np.positive, "iufc"),
    "real": (np.real, "biufc"),
    "reciprocal": (np.reciprocal, "fc"),
    "round": (np.round, "iufc"),
    "sign": (np.sign, "iufc"),
    "signbit": (np.signbit, "f"),
    "sin": (np.sin, "biufc"),
    "sinh": (np.sinh, "biufc"),
    "sqrt": (np.sqrt, "biufc"),
    "square": (np.square, "iufc"),
    "tan": (np.tan, "biufc"),
    "tanh": (np.tanh, "biufc"),
    "trunc": (np.trunc, "biuf"),
}
BINARY = {
    "add": (np.add, "biufc"),
    "atan2": (np.arctan2, "iuf"),
    "bitwise_and": (np.bitwise_and, "biu"),
    "bitwise_left_shift": (np.left_shift, "iu"),
    "bitwise_or": (np.bitwise_or, "biu"),
    "bitwise_right_shift": (np.right_shift, "iu"),
    "bitwise_xor": (np.bitwise_xor, "biu"),
    "copysign": (np.copysign, "iuf"),
    "divide": (np.divide, "iufc"),
    "equal": (np.equal, "biufc"),
    "floor_divide": (np.floor_divide, "iuf"),
    "greater": (np.greater, "biuf"),
    "greater_equal": (np.greater_equal, "biuf"),
    "hypot": (np.hypot, "iuf"),
    "less": (np.less, "biuf"),
    "less_equal": (np.less_equal, "biuf"),
    "logaddexp": (np.logaddexp, "iuf"),
    "logical_and": (np.logical_and, "biufc"),
    "logical_or": (np.logical_or, "biufc"),
    "logical_xor": (np.logical_xor, "biufc"),
    "maximum": (np.maximum, "biuf"),
    "minimum": (np.minimum, "biuf"),
    "multiply": (np.multiply, "biufc"),
    "nextafter": (np.nextafter, "f"),
    "not_equal": (np.not_equal, "biufc"),
    "pow": (np.power, "ufc"),
    "remainder": (np.remainder, "iuf"),
    "subtract": (np.subtract, "iufc"),
}
CMATH = "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh"
MATH = "expm1 log1p log2 " + CMATH
UNARY_DTYPES = [
    (name, dtype)
    for name, (_, kinds) in UNARY.items()
    for dtype in DTYPES
    if np.dtype(dtype).kind in kinds
]
BINARY_DTYPES = [
    (name, dtype)
    for name, (_, kinds) in BINARY.items()
    for dtype in DTYPES
    if np.dtype(dtype).kind in kinds
]


def call(function, *operands):
    """The result, without the warnings that values outside a domain give in NumPy too."""
    with np.errstate(all="ignore"):
        return function(*operands)


@pytest.mark.parametrize(("name", "dtype"), UNARY_DTYPES)
def test_unary_of_each_dtype_gives_values_of_numpy(name, dtype):
    x = values(dtype)
    check(call(getattr(xp, name), xp.asarray(x)), call(UNARY[name][0], x))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", UNARY)
def test_unary_of_each_layout_gives_values_of_numpy(name, layout):
    dtype = {"biu": "int16", "f": "float64"}.get(UNARY[name][1], "float32")
    x = laid_out(dtype, layout)
    check(call(getattr(xp, name), xp.asarray(x)), call(UNARY[name][0], x))


@pytest.mark.parametrize(("name", "dtype"), BINARY_DTYPES)
def test_binary_of_each_dtype_gives_values_of_numpy(name, dtype):
    x1, x2 = values(dtype), values(dtype)[::-1]
    if "shift" in name:
        x2 = abs(x2) % 7
    check(call(getattr(xp, name), xp.asarray(x1), xp.asarray(x2)), call(BINARY[name][0], x1, x2))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", BINARY)
def test_binary_of_each_layout_gives_values_of_numpy(name, layout):
    x = laid_out("uint8" if "b" in BINARY[name][1] or "shift" in name else "float32", layout)
    x1 = values(x.dtype)[:1]
    check(call(getattr(xp, name), xp.asarray(x1), xp.asarray(x)), call(BINARY[name][0], x1, x))


@pytest.mark.parametrize("scalar", [2, 2.5, np.float64(2.5)])
@pytest.mark.parametrize("name", ["add", "divide", "floor_divide", "maximum", "pow", "less"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_binary_with_scalar_on_either_side_keeps_dtype_of_array(name, scalar, dtype):
    x = abs(values(dtype))
    weak = float(scalar)
    check(getattr(xp, name)(xp.asarray(x), scalar), BINARY[name][0](x, weak))
    check(getattr(xp, name)(scalar, xp.asarray(x)), BINARY[name][0](weak, x))


@pytest.mark.parametrize(
    ("name", "exact"),
    [(name, getattr(math, name)) for name in MATH.split()],
)
def test_real_function_agrees_with_math(name, exact):
    points = [1.5, 2.0, 30.0] if name == "acosh" else [0.125, 0.5, 0.875]
    result = np.asarray(getattr(xp, name)(xp.asarray(points)))
    np.testing.assert_allclose(result, [exact(point) for point in points], rtol=4e-16)


@pytest.mark.parametrize("name", CMATH.split())
def test_complex_function_agrees_with_cmath(name):
    points = [0.5 + 0.25j, -2.0 + 1j, 3 - 0.5j]
    result = np.asarray(getattr(xp, name)(xp.asarray(points)))
    np.testing.assert_allclose(result, [getattr(cmath, name)(z) for z in points], rtol=1e-15)


# ------------------------------------------------------------------------------- special cases


@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize(
    ("x1", "x2", "expected"),
    [
        (inf, 2.0, inf),
        (inf, -2.0, -inf),
        (-inf, 2.0, -inf),
        (-inf, -2.0, inf),
        (2.0, inf, 0.0),
        (2.0, -inf, -0.0),
        (-2.0, inf, -0.0),
        (-2.0, -inf, 0.0),
        (0.0, inf, 0.0),
        (-0.0, inf, -0.0),
        (nan, inf, nan),
        (inf, nan, nan),
        (7.0, 2.0, 3.0),
        (-7.0, 2.0, -4.0),
        (0.0, -2.0, -0.0),
    ],
)
def test_floor_divide_at_infinity_is_floor_of_quotient_without_warning(dtype, x1, x2, expected):
    a, b = xp.asarray([x1, 5.0], dtype=dtype), xp.asarray([x2, 2.0], dtype=dtype)
    want = np.array([expected, 2.0], dtype)
    check(xp.floor_divide(a, b), want)
    check(a // b, want)
    check(xp.floor_divide(a[0], b[0]), want[0])
    check(xp.floor_divide(a, x2)[0], want[0])
    check(xp.floor_divide(x1, b)[0], want[0])
    check(x1 // b[0], want[0])
    a //= b
    check(a, want)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("view", ["[:, :]", "[::2]", "[:, ::-1]", "[1:, 2:]"])
@pytest.mark.parametrize("value", [inf, -inf])
def test_floor_divide_finds_infinity_in_any_layout(dtype, view, value):
    a = np.ones((4, 4), dtype)
    a[2, 2] = value
    x = xp.asarray(eval(f"a{view}"))
    expected = np.asarray(x)
    check(xp.floor_divide(x, 1.0), expected)
    check(x // xp.ones_like(x), expected)
    check(xp.asarray(a.T) // 1.0, a.T)


def test_floor_divide_beside_infinity_is_exact_for_finite_elements():
    result = xp.floor_divide(xp.asarray([1.0, inf, 0.3]), xp.asarray([0.1, 2.0, 0.1]))
    check(result, [9.0, inf, 2.0])


def test_floor_divide_infinity_by_infinity_warns_as_division():
    with pytest.warns(RuntimeWarning, match="invalid value encountered in divide"):
        check(xp.floor_divide(xp.asarray([inf]), xp.asarray([inf])), [nan])


@pytest.mark.parametrize(
    ("x1", "x2", "expected"), [(inf, 7, inf), (-inf, 7, -inf), (3, inf, 0.0), (3, -inf, -0.0)]
)
def test_floor_divide_integer_array_with_infinite_scalar_is_floor_of_quotient(x1, x2, expected):
    operands = [xp.asarray([x]) if isinstance(x, int) else x for x in (x1, x2)]
    check(xp.floor_divide(*operands), [expected])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_floor_divide_of_integers_rounds_down(dtype):
    x = values(dtype)
    expected = [a // b for a, b in zip(x.tolist(), x[::-1].tolist(), strict=True)]
    check(xp.floor_divide(xp.asarray(x), xp.asarray(x[::-1])), np.array(expected, dtype))


ROOTS = [(-0.0, 0.0), (-inf, inf), (4.0, 2.0), (inf, inf), (nan, nan)]


@pytest.mark.parametrize("function", [xp.pow, operator.pow, operator.ipow])
@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize(("number", "expected"), ROOTS)
def test_pow_with_exponent_one_half_is_that_of_standard(function, dtype, number, expected):
    half = xp.asarray([0.5], dtype=dtype)
    for exponent in (0.5, half[0], half):
        check(function(xp.asarray([number], dtype=dtype), exponent), np.array([expected], dtype))
    for exponent in (0.5, half[0]):
        check(function(xp.asarray(number, dtype=dtype), exponent), np.array(expected, dtype))
    check(function(number, half[0]), np.array(expected, dtype))


@pytest.mark.parametrize("function", [xp.pow, operator.pow, operator.ipow])
@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize(
    "exponent",
    [
        np.array(0.5),
        np.array([0.5]),
        np.array([[0.5], [2.0]]),
        np.broadcast_to(0.5, (2, 6)),
        np.full((2, 12), 0.5)[:, ::2],
        np.full((2, 6), 0.5),
    ],
)
def test_pow_with_exponent_one_half_repeated_in_any_layout_is_that_of_standard(
    function, dtype, exponent
):
    base = np.array([[-0.0, -inf, 4.0, inf, 0.0, nan]] * 2, dtype)
    expected = np.array([[0.0, inf, 2.0, inf, 0.0, nan]] * 2, dtype)
    if exponent.shape == (2, 1):
        expected[1] = [0.0, inf, 16.0, inf, 0.0, nan]
    check(function(xp.asarray(base), xp.asarray(exponent.astype(dtype))), expected)


@pytest.mark.parametrize("function", [xp.pow, operator.pow, operator.ipow])
def test_pow_with_exponent_one_half_of_a_negative_number_is_nan_with_a_warning(function):
    for exponent in (0.5, xp.asarray(0.5), xp.asarray([0.5, 0.5])):
        with pytest.warns(RuntimeWarning, match="invalid value"):
            check(function(xp.asarray([-4.0, -0.0]), exponent), [nan, 0.0])


def test_pow_of_integers_and_mixed_dtypes_with_exponent_one_half():
    check(xp.pow(xp.asarray([4, 9]), 0.5), [2.0, 3.0])
    check(xp.pow(xp.asarray([4, 9], dtype=xp.float32), xp.asarray(0.5)), [2.0, 3.0])
    check(xp.pow(xp.asarray([-4 + 0j]), 0.5), np.power([-4 + 0j], 0.5))


@pytest.mark.parametrize("name", ["floor_divide", "remainder", "atan2"])
def test_binary_with_complex_scalar_raises(name):
    with pytest.raises(TypeError, match=f"^{name}: "):
        getattr(xp, name)(xp.asarray([1.0]), 1j)


EXPM1 = [
    ((0.0, 0.0), (0.0, 0.0)),
    ((-0.0, 0.0), (0.0, 0.0)),
    ((inf, 0.0), (inf, 0.0)),
    ((-inf, 1.0), (-1.0, 0.0)),
    ((-inf, 3.0), (-1.0, 0.0)),
    ((-inf, 4.0), (-1.0, -0.0)),
    ((inf, 1.0), (inf, inf)),
    ((inf, 2.0), (-inf, inf)),
    ((-inf, inf), (-1.0, 0.0)),
    ((inf, inf), (inf, nan)),
    ((-inf, nan), (-1.0, 0.0)),
    ((inf, nan), (inf, nan)),
    ((nan, 0.0), (nan, 0.0)),
    ((nan, 1.0), (nan, nan)),
    ((nan, nan), (nan, nan)),
    ((1.0, inf), (nan, nan)),
    ((1.0, nan), (nan, nan)),
]
TANH = [
    ((0.0, 0.0), (0.0, 0.0)),
    ((inf, 1.0), (1.0, 0.0)),
    ((inf, 2.0), (1.0, 0.0)),
    ((inf, 0.0), (1.0, 0.0)),
    ((inf, inf), (1.0, 0.0)),
    ((nan, 0.0), (nan, 0.0)),
    ((nan, 1.0), (nan, nan)),
    ((1.0, inf), (nan, nan)),
    ((1.0, nan), (nan, nan)),
    ((0.0, inf), (0.0, nan)),
    ((0.0, nan), (0.0, nan)),
]
SIGN = [
    ((0.0, 0.0), (0.0, 0.0)),
    ((-0.0, -0.0), (0.0, 0.0)),
    ((-0.0, 0.0), (0.0, 0.0)),
    ((nan, 1.0), (nan, nan)),
    ((1.0, nan), (nan, nan)),
    ((nan, 0.0), (nan, nan)),
    ((inf, nan), (nan, nan)),
    ((nan, -inf), (nan, nan)),
    ((3.0, -4.0), (0.6, -0.8)),
    ((0.0, -2.0), (0.0, -1.0)),
]


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize(
    ("name", "point", "expected"),
    [("expm1", *case) for case in EXPM1]
    + [("tanh", *case) for case in TANH]
    + [("sign", *case) for case in SIGN],
)
def test_complex_special_case_is_that_of_standard(name, point, expected, dtype):
    x = np.array([complex(*point), 0.5 + 0.25j], dtype)
    want = np.array([complex(*expected), 0], dtype)
    want[1] = getattr(np, name)(x[1])
    with np.errstate(invalid="ignore"):
        if name == "sign":
            check(xp.sign(xp.asarray(x)), want)
            return
        for mirrored in (x, np.conj(x)):
            result = getattr(xp, name)(xp.asarray(mirrored))
            check(result, want if mirrored is x else np.conj(want))
            check(getattr(xp, name)(xp.asarray(mirrored[0])), np.asarray(result)[0])
        if name == "tanh":
            check(xp.tanh(xp.asarray(-x)), -want)


@pytest.mark.parametrize("dtype", COMPLEX)
def test_expm1_of_complex_keeps_accuracy_near_zero(dtype):
    tiny = np.array([1e-10 + 1e-12j, -1e-20 - 1e-30j, -0.0 + 1e-12j], dtype)
    result = np.asarray(xp.expm1(xp.asarray(tiny)))
    np.testing.assert_allclose(result[:2], tiny[:2], rtol=1e-6)
    assert result[2].imag == tiny[2].imag


@pytest.mark.parametrize("name", ["expm1", "tanh", "sign"])
def test_complex_special_case_with_finite_result_does_not_warn(name):
    points = xp.asarray([complex(-inf, 1), complex(inf, 0.0), complex(inf, 2), 1 + 1j])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(np.asarray(getattr(xp, name)(points))[3])


# ------------------------------------------------------------------ departures and edge values


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS])
def test_round_of_integers_is_a_copy(dtype):
    x = xp.asarray(values(dtype))
    result = xp.round(x)
    check(result, values(dtype))
    result[0] = 0
    check(x, values(dtype))


@pytest.mark.parametrize("dtype", REALS)
def test_round_of_halves_goes_to_even_and_keeps_sign_of_zero(dtype):
    x = xp.asarray([0.5, 1.5, 2.5, -0.5, -0.25], dtype=dtype)
    check(xp.round(x), np.array([0.0, 2.0, 2.0, -0.0, -0.0], dtype))


@pytest.mark.parametrize(("name", "expected"), [("real", [5.0, 3.0]), ("imag", [5.0, -4.0])])
def test_component_of_complex_is_a_view(name, expected):
    x = xp.asarray([1 + 2j, 3 - 4j])
    getattr(xp, name)(x)[0] = 5.0
    check(getattr(xp, name)(x), expected)


def test_component_of_readonly_array_is_readonly():
    x = np.array([1 + 2j])
    x.flags.writeable = False
    assert xp.real(xp.asarray(x)).readonly
    assert xp.imag(xp.asarray(x)).readonly


def test_imag_of_real_is_writable_zeros():
    zeros = xp.imag(xp.asarray([1.0, 2.0]))
    zeros[0] = 1.0
    check(zeros, [1.0, 0.0])


@pytest.mark.parametrize("name", ["positive", "conj", "floor", "abs", "round"])
def test_function_that_changes_nothing_gives_a_copy(name):
    x = xp.asarray([1, 2])
    getattr(xp, name)(x)[0] = 7
    check(x, [1, 2])


# ---------------------------------------------------------------------------------------- clip


@pytest.mark.parametrize("dtype", [*INTEGERS, *REALS])
@pytest.mark.parametrize(("low", "high"), [(2, 5), (None, 5), (2, None), (None, None), (2, 2)])
def test_clip_by_scalars_keeps_dtype(dtype, low, high):
    x = values(dtype)
    expected = [
        max(v, low if low is not None else v) if high is None else min(high, max(v, low or v))
        for v in x.tolist()
    ]
    check(xp.clip(xp.asarray(x), low, high), np.array(expected, dtype))


@pytest.mark.parametrize(
    ("dtype", "low", "high", "expected"),
    [
        ("int8", -1, 4.5, [-1, 0, 3, 4]),
        ("int8", 0.5, 3.5, [1, 1, 3, 3]),
        ("int8", -300, 300, [-100, 0, 3, 100]),
        ("int8", -inf, inf, [-100, 0, 3, 100]),
        ("uint8", -1, 300, [0, 0, 3, 100]),
        ("uint8", -1.5, 1e30, [0, 0, 3, 100]),
        ("uint64", -1, 2**64, [0, 0, 3, 100]),
        ("int64", -(2**80), 2**80, [-100, 0, 3, 100]),
        ("int64", -1e30, 9.3e18, [-100, 0, 3, 100]),
        ("float32", 0, 3, [0, 0, 3, 3]),
        ("float32", 0.1, 3, [0.1, 0.1, 3, 3]),
        ("float32", True, 3, [1, 1, 3, 3]),
        ("float32", 5, 1, [1, 1, 1, 1]),
        ("bool", 1, None, [1, 1, 1, 1]),
    ],
)
def test_clip_by_any_real_scalar_gives_nearest_value_of_dtype(dtype, low, high, expected):
    x = np.array([-100, 0, 3, 100]) if dtype[0] != "u" else np.array([0, 0, 3, 100])
    check(xp.clip(xp.asarray(x.astype(dtype)), low, high), np.array(expected, dtype))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64", "float32", "float16"])
@pytest.mark.parametrize("bounds", DTYPES[:12])
def test_clip_by_arrays_of_another_dtype_keeps_dtype(dtype, bounds):
    x = np.array([0, 1, 50, 100], dtype)
    low, high = np.array([1, 1, 1, 1], bounds), np.array([[1], [77]]).astype(bounds)
    exact = np.minimum(np.maximum(x.astype("f8"), low.astype("f8")), high.astype("f8"))
    check(xp.clip(xp.asarray(x), xp.asarray(low), xp.asarray(high)), exact.astype(dtype))


@pytest.mark.parametrize(
    ("dtype", "bound", "expected"),
    [
        ("int8", np.array([-1000, 1000]), [0, 127]),
        ("uint8", np.array([-1.5, 1e300]), [0, 255]),
        ("int64", np.array([-inf, 2.0**63]), [0, 2**63 - 1]),
        ("uint64", np.array([-1, 2**62]), [0, 2**62]),
        ("int64", np.array([0, 2**64 - 1], "uint64"), [0, 2**63 - 1]),
        ("float32", np.array([-1e300, 1e300]), [0, inf]),
    ],
)
def test_clip_by_array_outside_dtype_saturates(dtype, bound, expected):
    x = xp.asarray([0, 0], dtype=dtype)
    check(xp.clip(x, xp.asarray(bound)), np.array(expected, dtype))


def test_clip_of_complex_orders_by_real_then_imaginary_part():
    x = np.array([1 + 5j, 2 + 0j, 3 - 1j], "complex64")
    check(xp.clip(xp.asarray(x), 2 + 1j, 3), np.array([2 + 1j, 2 + 1j, 3 - 1j], "complex64"))


@pytest.mark.parametrize("position", range(3))
def test_clip_with_nan_gives_nan(position):
    operands = [xp.asarray([2.0]), xp.asarray([1.0]), xp.asarray([3.0])]
    operands[position] = xp.asarray([nan])
    check(xp.clip(*operands), [nan])


@pytest.mark.parametrize(("low", "high"), [(None, None), (0, None), (None, 9), (0, 9)])
def test_clip_gives_a_copy(low, high):
    x = xp.asarray([1, 2])
    xp.clip(x, low, high)[0] = 7
    check(x, [1, 2])


def test_clip_by_keywords_and_broadcast_takes_shape_of_bounds():
    check(xp.clip(xp.asarray(5), min=xp.asarray([[1], [7]]), max=9), [[5], [7]])


# -------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("name", [*UNARY, "clip"])
def test_unary_of_list_raises(name):
    with pytest.raises(TypeError) as error:
        getattr(xp, name)([1.0])
    assert str(error.value) == (
        f"{name}: x must be an xpdl Array, got list; convert it with xpdl.asarray"
    )


@pytest.mark.parametrize("name", BINARY)
def test_binary_with_numpy_array_raises(name):
    with pytest.raises(TypeError) as error:
        getattr(xp, name)(xp.asarray([1.0]), np.ones(1))
    assert str(error.value) == (
        f"{name}: x2 must be an xpdl Array or a Python scalar, got numpy.ndarray; "
        "convert it with xpdl.asarray"
    )


@pytest.mark.parametrize("name", BINARY)
def test_binary_of_scalars_raises(name):
    with pytest.raises(TypeError) as error:
        getattr(xp, name)(1, 2)
    assert str(error.value) == (
        f"{name}: x1 or x2 must be an xpdl Array, got int; convert it with xpdl.asarray"
    )


@pytest.mark.parametrize(
    ("kind", "text", "function"),
    [
        (
            ValueError,
            "add: operands could not be broadcast together with shapes (2,) (3,) ",
            lambda: xp.add(xp.zeros(2), xp.zeros(3)),
        ),
        (
            ValueError,
            "pow: Integers to negative integer powers are not allowed.",
            lambda: xp.pow(xp.asarray([2]), xp.asarray([-1])),
        ),
        (
            TypeError,
            "clip: min must be real for x of dtype int64, got dtype complex128",
            lambda: xp.clip(xp.asarray([1]), 1j),
        ),
        (
            TypeError,
            "clip: max must be real for x of dtype float32, got dtype complex128",
            lambda: xp.clip(xp.zeros(1, dtype=xp.float32), max=xp.asarray([1j])),
        ),
        (
            ValueError,
            "clip: min must not be NaN for x of dtype int64, got nan",
            lambda: xp.clip(xp.asarray([1]), nan),
        ),
        (
            OverflowError,
            "add: Python integer 300 out of bounds for uint8",
            lambda: xp.add(xp.asarray([1], dtype=xp.uint8), 300),
        ),
    ],
)
def test_wrong_argument_raises(kind, text, function):
    with pytest.raises(kind) as error:
        function()
    assert str(error.value) == text


@pytest.mark.parametrize("name", ["floor", "ceil", "bitwise_invert", "signbit", "hypot", "atan2"])
def test_dtype_without_the_operation_raises_with_name(name):
    x = xp.asarray([1j])
    with pytest.raises(TypeError, match=f"^{name}: "):
        getattr(xp, name)(*[x, x][: 1 if name in UNARY else 2])


# ----------------------------------------------------------------------------------- signatures


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_signature_is_that_of_standard(name):
    signature = inspect.signature(getattr(xp, name))
    names = ["x"] if name in UNARY else ["x1", "x2"]
    assert list(signature.parameters) == names
    for parameter in signature.parameters.values():
        assert parameter.kind is parameter.POSITIONAL_ONLY
        assert parameter.default is parameter.empty
        assert "Array" in str(parameter.annotation)
    assert "Array" in str(signature.return_annotation)


def test_signature_of_clip_is_that_of_standard():
    parameters = inspect.signature(xp.clip).parameters
    assert list(parameters) == ["x", "min", "max"]
    assert parameters["x"].kind is inspect.Parameter.POSITIONAL_ONLY
    for name in ("min", "max"):
        assert parameters[name].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert parameters[name].default is None


@pytest.mark.parametrize("name", [*UNARY, *BINARY, "clip"])
def test_docstring_names_source(name):
    assert (
        f"Source: array API 2025.12, elementwise functions, ``{name}``."
        in getattr(xp, name).__doc__
    )


@pytest.mark.parametrize("dtype", [xp.complex64, xp.complex128])
@pytest.mark.parametrize("real", [0.0, -0.0])
@pytest.mark.parametrize("shape", [(), (2,)])
def test_acosh_of_zero_and_nan_has_half_pi_as_imaginary_part(dtype, real, shape):
    z = xp.full(shape, complex(real, float("nan")), dtype=dtype)
    result = np.asarray(xp.acosh(z))
    assert result.dtype == dtype
    assert np.isnan(result.real).all()
    np.testing.assert_allclose(result.imag, np.pi / 2, rtol=1e-6)
