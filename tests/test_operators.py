"""The operators of Array: as functions, between arrays, with scalars on either side, in place."""

import decimal
import enum
import fractions
import operator

import numpy as np
import pytest
from samples import COMPLEX, DTYPES, INTEGERS, NUMBERS, REALS, check, laid_out, values

import xpdl as xp

ARITHMETIC = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "pow": operator.pow,
}
INTEGRAL = {"floor_divide": operator.floordiv, "remainder": operator.mod}
BITWISE = {
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
}
SHIFTS = {"bitwise_left_shift": operator.lshift, "bitwise_right_shift": operator.rshift}
EQUALITY = {"equal": operator.eq, "not_equal": operator.ne}
ORDER = {
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}
MATMUL = {"matmul": operator.matmul}
COMPUTING = ARITHMETIC | INTEGRAL | BITWISE | SHIFTS
BINARY = COMPUTING | EQUALITY | ORDER
INPLACE = {
    "add": operator.iadd,
    "subtract": operator.isub,
    "multiply": operator.imul,
    "divide": operator.itruediv,
    "pow": operator.ipow,
    "floor_divide": operator.ifloordiv,
    "remainder": operator.imod,
    "bitwise_and": operator.iand,
    "bitwise_or": operator.ior,
    "bitwise_xor": operator.ixor,
    "bitwise_left_shift": operator.ilshift,
    "bitwise_right_shift": operator.irshift,
    "matmul": operator.imatmul,
}
UNARY = {
    "positive": operator.pos,
    "negative": operator.neg,
    "abs": abs,
    "bitwise_invert": operator.invert,
}
# The dtypes that the standard gives each operator.
ALLOWED = {
    name: dtypes
    for names, dtypes in (
        (ARITHMETIC, NUMBERS),
        (INTEGRAL, INTEGERS + REALS),
        (BITWISE, ["bool", *INTEGERS]),
        (SHIFTS, INTEGERS),
        (EQUALITY, DTYPES),
        (ORDER, ["bool", *INTEGERS, *REALS]),
    )
    for name in names
}
UNARY_ALLOWED = {
    "positive": NUMBERS,
    "negative": NUMBERS,
    "abs": NUMBERS,
    "bitwise_invert": ["bool", *INTEGERS],
}
INF, NAN = float("inf"), float("nan")
PAIRS = [(name, dtype) for name in BINARY for dtype in ALLOWED[name]]


def label(x):
    """A parameter in a test's name, without an address."""
    return x if isinstance(x, str) else repr(x).partition(" at 0x")[0]


def operands(name, dtype):
    """Two NumPy arrays that the operator takes; small where a shift or a power would overflow."""
    x1 = values(dtype)[:12]
    x2 = x1[::-1].copy()
    if name in SHIFTS:
        x2 = abs(x2) % 7
    if name == "pow" and x2.dtype.kind in "iu":
        x2 = abs(x2) % 3
    return x1, x2


def scalars(name, dtype):
    """The Python scalars that the operator takes beside a dtype, by type promotion."""
    kind = np.dtype(dtype).kind
    found = [True] if name in BITWISE | EQUALITY or kind != "b" else []
    if kind != "b":
        found.append(2)
    if kind in "fc":
        found.append(-1.5)
    if kind == "c":
        found.append(0.5 - 2j)
    return found


@pytest.fixture(autouse=True)
def no_floating_warnings():
    with np.errstate(all="ignore"):
        yield


# ----------------------------------------------------------------------------- between two arrays


@pytest.mark.parametrize(("name", "dtype"), PAIRS)
def test_operator_of_arrays_is_the_function_and_that_of_numpy(name, dtype):
    a, b = operands(name, dtype)
    x, y = xp.asarray(a), xp.asarray(b)
    expected = BINARY[name](a, b)
    check(BINARY[name](x, y), expected)
    check(getattr(xp, name)(x, y), expected)
    assert x.tolist() == a.tolist()


@pytest.mark.parametrize(
    ("name", "dtype"), [(name, dtype) for name in UNARY for dtype in UNARY_ALLOWED[name]]
)
def test_unary_operator_is_the_function_and_that_of_numpy(name, dtype):
    a = values(dtype)
    x = xp.asarray(a)
    check(UNARY[name](x), UNARY[name](a))
    check(getattr(xp, name)(x), UNARY[name](a))
    assert not np.shares_memory(np.asarray(UNARY[name](x)), a)


@pytest.mark.parametrize("other", DTYPES)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["add", "multiply", "divide", "equal"])
def test_operator_of_mixed_dtypes_promotes_as_numpy(name, dtype, other):
    a, b = values(dtype)[:5], values(other)[:5]
    check(BINARY[name](xp.asarray(a), xp.asarray(b)), BINARY[name](a, b))


@pytest.mark.parametrize(
    ("shape", "other"), [((3,), (2, 3)), ((2, 1), (1, 3)), ((), (2,)), ((0, 3), (3,)), ((), ())]
)
@pytest.mark.parametrize("name", COMPUTING)
def test_operator_broadcasts(name, shape, other):
    a, b = np.full(shape, 5), np.full(other, 2)
    check(COMPUTING[name](xp.asarray(a), xp.asarray(b)), COMPUTING[name](a, b))


@pytest.mark.parametrize("name", BINARY)
def test_operator_of_shapes_that_do_not_broadcast_raises(name):
    with pytest.raises(ValueError, match=rf"^{name}: "):
        BINARY[name](xp.ones(2, dtype=xp.int8), xp.ones(3, dtype=xp.int8))


@pytest.mark.parametrize("name", BITWISE | SHIFTS)
@pytest.mark.parametrize("dtype", REALS + COMPLEX)
def test_operator_of_a_dtype_it_does_not_take_raises(name, dtype):
    x = xp.asarray(values(dtype))
    with pytest.raises(TypeError, match=rf"^{name}: ") as caught:
        BINARY[name](x, x)
    assert caught.type is TypeError


@pytest.mark.parametrize(
    ("shape", "other"), [((3,), (3,)), ((2, 3), (3, 4)), ((3,), (3, 2)), ((5, 1, 2, 3), (4, 3, 2))]
)
@pytest.mark.parametrize("dtype", NUMBERS)
def test_matmul_of_arrays_is_that_of_numpy(dtype, shape, other):
    a = (np.arange(np.prod(shape)) % 5).reshape(shape).astype(dtype)
    b = (np.arange(np.prod(other)) % 3).reshape(other).astype(dtype)
    x, y = xp.asarray(a), xp.asarray(b)
    check(x @ y, a @ b)
    check(xp.matmul(x, y), a @ b)


@pytest.mark.parametrize("other", [2, xp.asarray(2), xp.ones(3), np.float64(2)], ids=label)
def test_matmul_with_a_scalar_or_another_length_raises(other):
    with pytest.raises(ValueError, match=r"^matmul: ") as caught:
        xp.ones(2) @ other
    assert "matmul: matmul" not in str(caught.value)


# ------------------------------------------------------------------------------------ with scalars


@pytest.mark.parametrize(("name", "dtype"), PAIRS)
def test_operator_with_a_python_scalar_is_the_function_on_either_side(name, dtype):
    a = operands(name, dtype)[1]
    x = xp.asarray(a)
    for scalar in scalars(name, dtype):
        right, left = BINARY[name](a, scalar), BINARY[name](scalar, a)
        check(BINARY[name](x, scalar), right)
        check(getattr(xp, name)(x, scalar), right)
        check(BINARY[name](scalar, x), left)
        check(getattr(xp, name)(scalar, x), left)


@pytest.mark.parametrize(("name", "dtype"), PAIRS)
def test_operator_with_a_numpy_scalar_is_that_with_the_python_scalar(name, dtype):
    a = operands(name, dtype)[1]
    x = xp.asarray(a)
    for scalar in scalars(name, dtype):
        right, left = BINARY[name](a, scalar), BINARY[name](scalar, a)
        for kind in {
            bool: [np.bool],
            int: [np.int8, np.uint64, np.int64],
            float: [np.float16, np.float64, np.float32],
            complex: [np.complex64, np.complex128],
        }[type(scalar)]:
            check(BINARY[name](x, kind(scalar)), right)
            check(BINARY[name](kind(scalar), x), left)
            check(getattr(xp, name)(x, kind(scalar)), right)
            check(getattr(xp, name)(kind(scalar), x), left)


class Count(enum.IntEnum):
    TWO = 2


class Length(float):
    pass


@pytest.mark.parametrize(("scalar", "plain"), [(Count.TWO, 2), (Length(1.5), 1.5)])
@pytest.mark.parametrize("name", ["add", "subtract", "less", "equal"])
def test_operator_with_a_subclass_of_a_scalar_is_that_with_the_scalar(name, scalar, plain):
    a = values("float32")
    check(BINARY[name](xp.asarray(a), scalar), BINARY[name](a, plain))
    check(BINARY[name](scalar, xp.asarray(a)), BINARY[name](plain, a))


@pytest.mark.parametrize(
    ("dtype", "scalar", "result"),
    [
        ("bool", 1, "int64"),
        ("bool", 1.0, "float64"),
        ("int8", 1.0, "float64"),
        ("int8", True, "int8"),
        ("uint64", 1, "uint64"),
        ("float32", 1, "float32"),
        ("float32", 1.0, "float32"),
        ("float32", 1j, "complex64"),
        ("float16", 1e5, "float16"),
        ("complex64", 1.0, "complex64"),
        ("int64", 1j, "complex128"),
    ],
)
def test_scalar_is_weak_in_promotion(dtype, scalar, result):
    x = xp.ones(2, dtype=dtype)
    for y in (x + scalar, scalar + x, x * scalar, xp.add(x, scalar), xp.add(scalar, x)):
        assert y.dtype == result


@pytest.mark.parametrize("exponent", [0, 1, 2, 3])
def test_power_of_bool_by_an_int_is_int64(exponent):
    x = xp.asarray([True, False])
    for y in (x**exponent, xp.pow(x, exponent)):
        check(y, np.asarray([1, int(exponent == 0)]))


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "bitwise_and", "floor_divide"])
@pytest.mark.parametrize(
    ("dtype", "number"),
    [("int8", 128), ("int8", -129), ("uint8", -1), ("uint64", -1), ("int64", 2**64)],
)
def test_operator_with_an_integer_out_of_range_raises(name, dtype, number):
    x = xp.ones(2, dtype=dtype)
    for call in (
        lambda: BINARY[name](x, number),
        lambda: BINARY[name](number, x),
        lambda: getattr(xp, name)(x, number),
        lambda: INPLACE[name](x, number),
    ):
        with pytest.raises(OverflowError, match=rf"^{name}: "):
            call()
    assert x.tolist() == [1, 1]


@pytest.mark.parametrize("name", BINARY)
def test_operator_of_0d_is_an_array(name):
    x = xp.asarray(5)
    expected = BINARY[name](np.asarray(5), 2)
    for result in (BINARY[name](x, xp.asarray(2)), BINARY[name](x, 2), BINARY[name](x, np.int8(2))):
        check(result, expected)
    for scalar in (5, np.int8(5)):
        check(BINARY[name](scalar, xp.asarray(2)), expected)


@pytest.mark.parametrize("name", UNARY)
def test_unary_operator_of_0d_is_an_array(name):
    check(UNARY[name](xp.asarray(5)), np.asarray(UNARY[name](5)))


def test_scalar_chain_of_0d_stays_an_array():
    x = xp.asarray(2.0)
    check((np.float64(3) * -x + 1) / 2 - np.int8(1), np.asarray(-3.5))


def test_pow_with_a_modulus_raises():
    with pytest.raises(TypeError):
        pow(xp.asarray(2), 3, 5)
    with pytest.raises(TypeError):
        pow(2, xp.asarray(3), 5)


def test_pow_of_integers_to_a_negative_power_raises():
    x = xp.asarray([1, 2])
    for call in (lambda: x**-1, lambda: x ** xp.asarray(-1), lambda: operator.ipow(x, -1)):
        with pytest.raises(ValueError, match=r"^pow: Integers to negative integer powers"):
            call()


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, -1, 0.5, 2.0, -1.0, 0.0])
@pytest.mark.parametrize("dtype", NUMBERS)
def test_pow_with_a_scalar_is_the_function(dtype, exponent):
    x = xp.asarray(values(dtype)[:6])
    if type(exponent) is int and exponent < 0 and dtype in INTEGERS:
        x = xp.astype(x, xp.float32)
    result, expected = np.asarray(x**exponent), np.asarray(xp.pow(x, exponent))
    assert result.dtype == expected.dtype
    np.testing.assert_allclose(result, expected, rtol=1e-6 if dtype != "float16" else 1e-3)


# ---------------------------------------------------------------------------------------- in place


def outcome(call):
    """What a call gives, or the class of its error."""
    try:
        return call()
    except (TypeError, ValueError, OverflowError) as error:
        return next(
            kind for kind in (TypeError, OverflowError, ValueError) if isinstance(error, kind)
        )


@pytest.mark.parametrize("other", DTYPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_inplace_operator_of_arrays_is_that_of_numpy(dtype, other):
    for name in COMPUTING:
        a = operands(name, dtype)[0].copy()
        b = operands(name, other)[1]
        if name == "pow":
            b = abs(b)
        x = xp.asarray(a, copy=True)
        expected = outcome(lambda name=name, a=a, b=b: INPLACE[name](a, b))
        result = outcome(lambda name=name, x=x, b=b: INPLACE[name](x, xp.asarray(b)))
        if isinstance(expected, type):
            assert result is expected, name
            check(x, operands(name, dtype)[0])
        else:
            assert result is x, name
            check(x, expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_inplace_operator_with_a_scalar_is_that_of_numpy(dtype):
    for name in COMPUTING:
        for scalar in (True, 2, 1.5, 1j, np.int8(2), np.float64(0.5)):
            a = operands(name, dtype)[0].copy()
            x = xp.asarray(a, copy=True)
            plain = getattr(scalar, "item", lambda scalar=scalar: scalar)()
            expected = outcome(lambda name=name, a=a, plain=plain: INPLACE[name](a, plain))
            result = outcome(lambda name=name, x=x, scalar=scalar: INPLACE[name](x, scalar))
            if isinstance(expected, type):
                assert result is expected, (name, scalar)
            else:
                assert result is x, (name, scalar)
                assert x.dtype == dtype
                np.testing.assert_allclose(np.asarray(x), expected, rtol=1e-6)


@pytest.mark.parametrize("name", [name for name in COMPUTING if name != "divide"])
def test_inplace_operator_writes_the_memory_of_the_left(name):
    a = np.array([5, 6, 7])
    x = xp.asarray(a)
    INPLACE[name](x[:2], xp.asarray([1, 2]))
    check(x, np.append(COMPUTING[name](np.array([5, 6]), np.array([1, 2])), 7))
    assert a.tolist() == x.tolist()


def test_inplace_operator_keeps_identity_of_every_name():
    x = y = xp.asarray([1.0, 2.0])
    x += 1
    assert x is y
    x = x + 1
    assert x is not y
    assert y.tolist() == [2.0, 3.0]


def test_inplace_operator_of_an_item_writes_through():
    x = xp.asarray([[1, 2], [3, 4]])
    x[0, 1] += 5
    x[1] *= 2
    x[x > 6] -= 1
    x[[0, 0], [0, 0]] += 10
    assert x.tolist() == [[11, 6], [6, 7]]


def test_inplace_operator_between_overlapping_views_reads_first():
    x = xp.asarray([1, 2, 3, 4])
    x[1:] += x[:-1]
    assert x.tolist() == [1, 3, 5, 7]
    x[::-1] //= x[[0, 0, 0, 0]]
    assert x.tolist() == [1, 3, 5, 7]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int64"])
@pytest.mark.parametrize("name", ["floor_divide", "pow"])
def test_inplace_operator_by_its_own_reverse_reads_first(name, dtype):
    special = [-INF, 0.5, -0.0, INF] if dtype.startswith("float") else [3, 0, 2, 1]
    for numbers in ([3, 1, 2, 1], special):
        a = np.array(numbers, dtype)
        with np.errstate(all="ignore"):
            expected = np.asarray(getattr(xp, name)(xp.asarray(a), xp.asarray(a[::-1].copy())))
            x = y = xp.asarray(a)
            x = INPLACE[name](x, x[::-1])
        assert x is y
        check(x, expected)
        check(xp.asarray(a), expected)


@pytest.mark.parametrize("number", [2.0, INF, 0.5])
@pytest.mark.parametrize("name", ["floor_divide", "pow"])
def test_inplace_operator_that_cannot_hold_its_result_leaves_the_left_as_it_was(name, number):
    x = xp.asarray([-0.0, -INF])
    with pytest.raises(
        ValueError,
        match=rf"^{name}: non-broadcastable output operand with shape \(2,\) doesn't match "
        r"the broadcast shape \(3, ?2\)",
    ):
        INPLACE[name](x, xp.asarray([[number]] * 3))
    check(x, [-0.0, -INF])
    i = xp.asarray([2, 3])
    for other in (number, xp.asarray([number, number])):
        with pytest.raises(TypeError, match=rf"^{name}: Cannot cast"):
            INPLACE[name](i, other)
    check(i, [2, 3])


def test_inplace_pow_of_integers_by_a_negative_one_leaves_the_left_as_it_was():
    x = xp.asarray([2, 3])
    with pytest.raises(ValueError, match=r"^pow: Integers to negative integer powers"):
        x **= xp.asarray([2, -1])
    check(x, [2, 3])


@pytest.mark.parametrize("name", ["floor_divide", "remainder"])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_inplace_division_of_integers_by_zero_is_zero_with_a_warning(name, dtype):
    x = xp.asarray([7, 8], dtype=dtype)
    with np.errstate(divide="warn"), pytest.warns(RuntimeWarning, match="divide by zero"):
        INPLACE[name](x, xp.asarray([0, 3], dtype=dtype))
    check(x, np.array([0, 2], dtype))


@pytest.mark.parametrize("name", INPLACE)
def test_inplace_operator_on_readonly_raises(name):
    x = xp.asarray(laid_out("int16", "read-only"))
    before = x.tolist()
    for other in (2, xp.asarray(2, dtype=xp.int16), np.int8(2)):
        with pytest.raises(
            ValueError, match=rf"^{name}: x must be writable, got a read-only array"
        ):
            INPLACE[name](x, other)
    assert x.tolist() == before


@pytest.mark.parametrize("name", COMPUTING)
@pytest.mark.parametrize("shape", [(), (1,), (1, 2)])
def test_inplace_operator_that_would_grow_raises(name, shape):
    dtype = xp.float64 if name == "divide" else xp.int64
    x = xp.ones(shape, dtype=dtype)
    with pytest.raises(ValueError, match=rf"^{name}: .*shape"):
        INPLACE[name](x, xp.ones((3, 2), dtype=dtype))
    assert x.shape == shape
    assert np.all(np.asarray(x) == 1)


@pytest.mark.parametrize("name", ARITHMETIC | INTEGRAL)
@pytest.mark.parametrize(
    ("dtype", "other"),
    [
        ("int64", 1.5),
        ("uint8", np.float32(1)),
        ("int8", 1j),
        ("bool", 1.0),
        ("int64", xp.asarray(1.5)),
        ("bool", xp.asarray(2)),
        ("uint8", xp.asarray(1, dtype=xp.int8)),
        ("float32", 1j),
        ("float64", xp.asarray(1j)),
    ],
    ids=str,
)
def test_inplace_operator_to_a_lower_kind_raises(name, dtype, other):
    x = xp.ones(2, dtype=dtype)
    with pytest.raises(TypeError, match=rf"^{name}: ") as caught:
        INPLACE[name](x, other)
    assert caught.type is TypeError
    assert x.tolist() == [1, 1]
    assert x.dtype == dtype


def test_inplace_operator_within_a_kind_narrows():
    x = xp.asarray([1], dtype=xp.int8)
    x += xp.asarray([2], dtype=xp.int64)
    assert (x.dtype, x.tolist()) == (np.int8, [3])
    y = xp.asarray([1], dtype=xp.float32)
    y *= xp.asarray([0.5])
    assert (y.dtype, y.tolist()) == (np.float32, [0.5])


def test_inplace_matmul_keeps_the_array():
    x = y = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    x @= xp.asarray([[0.0, 1.0], [1.0, 0.0]])
    assert x is y
    assert x.tolist() == [[2.0, 1.0], [4.0, 3.0]]
    with pytest.raises(ValueError, match=r"^matmul: "):
        x @= xp.ones((2, 3))


@pytest.mark.parametrize("scalar", [2.0, np.float64(2.0), np.int16(2)], ids=label)
def test_inplace_operator_on_a_scalar_gives_an_array(scalar):
    scalar += xp.asarray([1.0, 2.0])
    check(scalar, np.array([3.0, 4.0]))


# ------------------------------------------------------------------------------- foreign operands


@pytest.mark.parametrize("name", BINARY | MATMUL)
@pytest.mark.parametrize(
    "foreign",
    [np.ones(2, "int64"), np.array(1), np.ones(2, "U1"), np.zeros(2).view(np.recarray)],
    ids=label,
)
def test_operator_with_a_numpy_array_raises_on_either_side(name, foreign):
    x = xp.ones(2, dtype=xp.int64)
    symbol = (BINARY | MATMUL)[name]
    mirrored = {
        "less": "greater",
        "less_equal": "greater_equal",
        "greater": "less",
        "greater_equal": "less_equal",
    }
    for function, call in (
        (name, lambda: symbol(x, foreign)),
        (mirrored.get(name, name), lambda: symbol(foreign, x)),
    ):
        with pytest.raises(TypeError, match=rf"^{function}: an operand must be .*xpdl.asarray$"):
            call()


@pytest.mark.parametrize("name", INPLACE)
def test_inplace_operator_with_a_numpy_array_raises_on_either_side(name):
    x, a = xp.ones((2, 2), dtype=xp.int64), np.ones((2, 2), "int64")
    with pytest.raises(TypeError, match=rf"^{name}: an operand must be .*xpdl.asarray$"):
        INPLACE[name](x, a)
    with pytest.raises(TypeError):
        INPLACE[name](a, x)
    assert x.tolist() == a.tolist() == [[1, 1], [1, 1]]


UNKNOWN = [
    [1, 2],
    (1, 2),
    "a",
    None,
    object(),
    {1: 2},
    fractions.Fraction(1, 2),
    decimal.Decimal(1),
    np.str_("a"),
    np.datetime64(1, "s"),
    np.longdouble(1),
    np.void(b"a"),
]


# These take any operand: "%s" % x, and a Fraction goes on as a float.
TAKING = {("remainder", "a"), ("remainder", np.str_("a")), ("pow", fractions.Fraction(1, 2))}


@pytest.mark.parametrize(
    ("name", "foreign"),
    [
        (name, foreign)
        for name in COMPUTING | ORDER | MATMUL
        for foreign in UNKNOWN
        if not isinstance(foreign, (str, fractions.Fraction)) or (name, foreign) not in TAKING
    ],
    ids=label,
)
def test_operator_with_an_unknown_operand_raises_on_either_side(name, foreign):
    x = xp.ones(2, dtype=xp.int64)
    symbol = (BINARY | MATMUL)[name]
    with pytest.raises(TypeError):
        symbol(x, foreign)
    with pytest.raises(TypeError):
        symbol(foreign, x)
    if name in INPLACE:
        with pytest.raises(TypeError):
            INPLACE[name](x, foreign)


@pytest.mark.parametrize("foreign", UNKNOWN[:8], ids=label)
def test_equality_with_an_unknown_operand_is_no_error(foreign):
    x = xp.asarray([1, 2])
    assert (x == foreign) is False
    assert (foreign == x) is False
    assert (x != foreign) is True
    assert (foreign != x) is True


class Answering:
    """A type with operators of its own; each tells what it was asked."""

    __array_ufunc__ = None

    def __getattr__(self, name):
        raise AttributeError(name)


def answer(name):
    return lambda self, other: (name, other)


for _name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split():
    setattr(Answering, f"__r{_name}__", answer(_name))
for _name in "lt le gt ge eq ne".split():
    setattr(Answering, f"__{_name}__", answer(_name))


def test_operator_of_an_unknown_type_answers_itself():
    x, other = xp.asarray([1]), Answering()
    assert (x + other) == ("add", x)
    for name, symbol in (COMPUTING | MATMUL).items():
        found, operand = symbol(x, other)
        assert operand is x, name
        assert found in symbol.__name__ or f"{found}_" == symbol.__name__
    assert (x == other)[0] == "eq"
    assert (x < other)[0] == "gt"
    x += other
    assert x[0] == "add"


@pytest.mark.parametrize("name", COMPUTING)
def test_operator_with_a_tensor_of_torch_raises_on_either_side(name):
    torch = pytest.importorskip("torch", reason="needs torch")
    for x in (xp.ones(2, dtype=xp.int64), xp.asarray(1)):
        with pytest.raises(TypeError):
            COMPUTING[name](x, torch.ones(2, dtype=torch.int64))
        with pytest.raises(TypeError):
            COMPUTING[name](torch.ones(2, dtype=torch.int64), x)


@pytest.mark.parametrize("name", COMPUTING)
def test_operator_with_an_array_of_jax_is_that_of_jax_on_either_side(name):
    jnp = pytest.importorskip("jax.numpy", reason="needs jax")
    a, b = np.array([2, 3], "int32"), np.array([1, 2], "int32")
    expected = COMPUTING[name](a, b)
    for result in (
        COMPUTING[name](xp.asarray(a), jnp.asarray(b)),
        COMPUTING[name](jnp.asarray(a), xp.asarray(b)),
    ):
        assert isinstance(result, type(jnp.asarray(a)))
        np.testing.assert_array_equal(np.asarray(result), expected)


@pytest.mark.parametrize("name", INPLACE)
def test_inplace_operator_with_an_array_of_another_library_raises(name):
    class Foreign:
        __dlpack__ = __dlpack_device__ = None

        def __radd__(self, other):
            raise AssertionError("asked")

        __rsub__ = __rmul__ = __rpow__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __radd__
        __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = __rmatmul__ = __radd__

    text = f"^{name}: an operand must be an xpdl Array or a Python scalar, got .*Foreign; convert"
    with pytest.raises(TypeError, match=text):
        INPLACE[name](xp.ones(2, dtype=xp.int64), Foreign())


# ----------------------------------------------------------------------- where NumPy is not right



@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(
    ("x1", "x2", "expected"),
    [
        (INF, 2.0, INF),
        (INF, -2.0, -INF),
        (-INF, 2.0, -INF),
        (-INF, -2.0, INF),
        (INF, INF, NAN),
        (INF, -INF, NAN),
        (2.0, INF, 0.0),
        (-2.0, INF, -0.0),
        (2.0, -INF, -0.0),
        (-2.0, -INF, 0.0),
        (0.0, INF, 0.0),
        (-0.0, INF, -0.0),
        (INF, 0.0, INF),
        (-INF, 0.0, -INF),
        (INF, NAN, NAN),
        (7.0, 2.0, 3.0),
        (-7.0, 2.0, -4.0),
        (0.0, 0.0, NAN),
        (1.0, 0.0, INF),
    ],
)
def test_floor_divide_at_special_points_is_the_standards_in_every_form(dtype, x1, x2, expected):
    a, b = xp.asarray([x1], dtype=dtype), xp.asarray([x2], dtype=dtype)
    expected = np.array([expected], dtype)
    results = [a // b, a // x2, x1 // b, xp.floor_divide(a, b), xp.floor_divide(a, x2)]
    results += [xp.floor_divide(x1, b), a // np.float64(x2), np.float64(x1) // b]
    results += [operator.ifloordiv(xp.asarray(a, copy=True), other) for other in (b, x2)]
    for result in results:
        check(result, expected)


WIDE = [-(2**63), -1, 0, 1, 2**63 - 1]
WIDE_UNSIGNED = [0, 1, 2**63 - 1, 2**63, 2**64 - 1]


@pytest.mark.parametrize("name", EQUALITY | ORDER)
def test_comparison_of_signed_and_unsigned_is_exact(name):
    symbol = BINARY[name]
    x = xp.asarray(WIDE, dtype=xp.int64)
    y = xp.asarray(WIDE_UNSIGNED, dtype=xp.uint64)
    for left, right in ((x, y), (y, x)):
        expected = [[symbol(a, b) for b in right.tolist()] for a in left.tolist()]
        for result in (
            symbol(left[:, None], right),
            getattr(xp, name)(left[:, None], right),
        ):
            assert result.tolist() == expected


@pytest.mark.parametrize("name", EQUALITY | ORDER)
@pytest.mark.parametrize("number", [-(2**70), -(2**63) - 1, -1, 0, 300, 2**63, 2**64, 2**70])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_comparison_with_any_python_integer_is_exact(name, number, dtype):
    symbol = BINARY[name]
    x = xp.asarray([0, 1, 100], dtype=dtype)
    assert symbol(x, number).tolist() == [symbol(a, number) for a in x.tolist()]
    assert symbol(number, x).tolist() == [symbol(number, a) for a in x.tolist()]
    assert getattr(xp, name)(x, number).tolist() == [symbol(a, number) for a in x.tolist()]


@pytest.mark.parametrize("name", EQUALITY | ORDER)
def test_comparison_with_nan_is_that_of_ieee(name):
    symbol = BINARY[name]
    x = xp.asarray([NAN, 1.0, INF])
    for other in (NAN, xp.asarray(NAN), np.float32(NAN)):
        assert symbol(x, other).tolist() == [name == "not_equal"] * 3
