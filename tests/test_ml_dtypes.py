"""The dtypes of ml_dtypes: what computes, what only moves, and what is refused."""

import operator

import numpy as np
import pytest

import xpdl as xp

ml_dtypes = pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")

FLOATS = ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e3m4"]
INTEGERS = ["int4", "uint4", "int2", "uint2"]


def small(name):
    return xp.asarray(np.array([1, 0, 1], dtype=getattr(ml_dtypes, name)))


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("scalar", [2, 2.0, np.float64(2), True])
def test_scalar_beside_ml_float_takes_its_dtype(name, scalar):
    x = small(name)
    for result in (x + scalar, scalar + x, xp.multiply(x, scalar), xp.where(x == 1, x, scalar)):
        assert result.dtype == x.dtype
    assert (x + scalar).tolist() == [1 + float(scalar), float(scalar), 1 + float(scalar)]


@pytest.mark.parametrize("name", FLOATS)
def test_inplace_operator_of_ml_floats_is_the_function_and_keeps_the_dtype(name):
    for operate, function in (
        (operator.ifloordiv, xp.floor_divide),
        (operator.ipow, xp.pow),
        (operator.iadd, xp.add),
    ):
        for other in (2, 0.5, small(name) + 2, small(name)[::-1] + 1):
            x = xp.asarray([1, 4, 2], dtype=small(name).dtype)
            expected = function(x, other).tolist()
            assert operate(x, other) is x
            assert x.dtype == small(name).dtype
            assert x.tolist() == expected


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize(
    "call",
    [
        lambda x: x + x,
        lambda x: x // x,
        lambda x: x % x,
        lambda x: x + 1,
        lambda x: 1 - x,
        lambda x: x == x,
        lambda x: x < 1,
        lambda x: -x,
        lambda x: abs(x),
        lambda x: x.sum(),
        lambda x: xp.mean(x),
        lambda x: xp.sort(x),
        lambda x: xp.clip(x, 0, 1),
        lambda x: xp.cumulative_sum(x),
        lambda x: xp.unique_values(x),
        lambda x: x @ x,
        lambda x: x.__iadd__(1),
        lambda x: x.__ifloordiv__(x),
    ],
)
def test_arithmetic_on_small_integers_is_refused(name, call):
    with pytest.raises(
        TypeError,
        match=rf"^\w+: x must have a dtype that xpdl computes with, got {name}; "
        r"convert it with xpdl\.astype\(x, xpdl\.int8\)$",
    ):
        call(small(name))


@pytest.mark.parametrize("name", INTEGERS)
def test_small_integers_move_and_convert_exactly(name):
    x = small(name)
    assert xp.astype(x, xp.int8).tolist() == [1, 0, 1]
    assert xp.concat([x, x]).dtype == x.dtype
    assert xp.flip(x)[1:].tolist() == [0, 1]
    assert xp.take(x, xp.asarray([0, 2])).tolist() == [1, 1]
    x[1] = 1
    assert x.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("name", "value"), [("int4", 8), ("int4", -9), ("uint4", 16), ("uint4", -1), ("int2", 2)]
)
def test_integer_out_of_range_of_small_dtype_raises(name, value):
    dtype = getattr(xp, name)
    x = xp.zeros(2, dtype=dtype)
    text = f"Python integer {value} out of bounds for {name}"
    for call, function in [
        (lambda: x.__setitem__(0, value), "__setitem__"),
        (lambda: xp.asarray([0, value], dtype=dtype), "asarray"),
        (lambda: xp.full(2, value, dtype=dtype), "full"),
    ]:
        with pytest.raises(OverflowError) as caught:
            call()
        assert str(caught.value) == f"{function}: {text}"
    assert x.tolist() == [0, 0]


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize(
    "function",
    ["sort", "argsort", "unique_values", "unique_counts", "median", "nansum", "nanmean", "nanmax"],
)
def test_function_that_orders_refuses_ml_floats(name, function):
    with pytest.raises(TypeError) as caught:
        getattr(xp, function)(small(name))
    assert str(caught.value) == (
        f"{function}: x must have a dtype that xpdl computes with, got {name}; "
        f"convert it with xpdl.astype(x, xpdl.float32)"
    )


@pytest.mark.parametrize("function", ["arange", "linspace"])
def test_range_in_small_integers_is_refused(function):
    arguments = (300,) if function == "arange" else (0, 5, 6)
    with pytest.raises(TypeError, match=rf"^{function}: x must have a dtype that xpdl computes"):
        getattr(xp, function)(*arguments, dtype=xp.int4)
