"""Group 1: every function of the namespace gives on CUDA what it gives on the CPU."""

import inspect
import warnings
from functools import partial

import numpy as np
import pytest
from calls import CALLS, LOOSE, NOT_CALLED
from gpu import ON_DOUBLE, cp
from samples import DTYPES, LAYOUTS, laid_out, values

import xpdl as xp

CUDA = "cuda:0"


def outcome(call, x):
    """What a call gives as NumPy arrays, or the class of what it raises."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the CPU: a GPU does not warn
            found = call(x)
    except Exception as error:
        return type(error)
    found = found if isinstance(found, tuple) else (found,)
    for result in found:
        assert type(result) is xp.Array
        assert result.device is x.device
    return [np.asarray(result.to_device("cpu")) for result in found]


def check_same(call, x, rtol=1e-10):
    expected = outcome(call, x)
    found = outcome(call, x.to_device(CUDA))
    if expected is np.linalg.LinAlgError:
        return  # a GPU gives any values: to say so the host would have to wait
    if isinstance(expected, type):
        assert isinstance(found, type)
        assert issubclass(found, expected)
        return
    assert not isinstance(found, type), f"raised {found.__name__}"
    assert len(found) == len(expected)
    for got, want in zip(found, expected, strict=True):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        rtol = max(rtol, LOOSE.get(str(want.dtype), 0), LOOSE.get(str(x.dtype), 0))
        np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol)


def test_versions_are_those_that_are_supported():
    assert tuple(map(int, cp.__version__.split(".")[:2])) >= (14, 2)
    assert str(xp.__array_namespace_info__().devices()[0]) == "cpu"
    assert CUDA in map(str, xp.__array_namespace_info__().devices())


def test_every_function_is_called():
    names = {name.partition(" ")[0] for name in CALLS}
    for prefix, module in (("", xp), ("linalg.", xp.linalg), ("fft.", xp.fft)):
        for name in module.__all__:
            if inspect.isroutine(getattr(module, name)) and name not in NOT_CALLED:
                alias = prefix + name in names or (prefix == "linalg." and name in names)
                assert alias, f"{prefix}{name} has no call"


# Each kernel is compiled at its first use: a GPU tries those dtypes that differ in kind or loop.
DTYPES_HERE = DTYPES if ON_DOUBLE else (
    "bool int8 int64 uint8 uint64 float16 float32 float64 complex64 complex128".split())
LAYOUTS_HERE = LAYOUTS if ON_DOUBLE else "0-d 1-d strided reversed broadcast empty".split()


def operand(name, dtype):
    """An array that makes sense for a function."""
    host = values(dtype, (2, 3, 4))
    if "shift" in name and host.dtype.kind == "i":
        host = abs(host) % 7
    return xp.asarray(host)


def problems_of(checks):
    """What went wrong with which case; one test has many, since a test takes time of its own."""
    found = {}
    for case, check in checks:
        try:
            check()
        except AssertionError as error:
            found[case] = str(error)
    return found


@pytest.mark.parametrize("name", CALLS)
def test_function_of_each_dtype_gives_what_the_cpu_gives(name):
    assert problems_of(
        (dtype, partial(check_same, CALLS[name], operand(name, dtype))) for dtype in DTYPES_HERE
    ) == {}


VIEWS = {
    "strided": lambda x: x[:, ::2, 1::2],
    "reversed": lambda x: x[::-1, :, ::-1],
    "transposed": lambda x: xp.permute_dims(x, (2, 0, 1)),
    "broadcast": lambda x: xp.broadcast_to(x[:, :1], x.shape),
}


def check_layout(call, layout):
    """A move makes a contiguous copy: views are made on either side."""
    if layout in VIEWS:
        view = VIEWS[layout]
        check_same(lambda x: call(view(x)), xp.asarray(values("float32", (2, 3, 4))))
    else:
        check_same(call, xp.asarray(laid_out("float32", layout)))


@pytest.mark.parametrize("name", CALLS)
def test_function_of_each_layout_gives_what_the_cpu_gives(name):
    assert problems_of(
        (layout, partial(check_layout, CALLS[name], layout)) for layout in LAYOUTS_HERE
    ) == {}


# -------------------------------------------------------------------------------- special values

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("call", "x"),
    [
        (lambda x: xp.clip(x, NAN, None), [1.0, 2.0]),
        (lambda x: xp.clip(x, xp.asarray([NAN, 0.0], device=x.device), 5.0), [1.0, 2.0]),
        (lambda x: xp.remainder(x, INF), [3.0, -3.0, 0.0]),
        (lambda x: xp.remainder(x, -INF), [3.0, -3.0, 0.0]),
        (lambda x: xp.floor_divide(x, INF), [3.0, -3.0, 0.0]),
        (lambda x: xp.remainder(x, 3.0), [-0.0, 0.0, -3.0]),
        (xp.max, [1.0, NAN, 3.0]),
        (xp.argmax, [-INF, -INF]),
        (xp.min, [INF, INF]),
        (lambda x: xp.sort(x, descending=True), [2.0, NAN, 1.0]),
        (lambda x: xp.argsort(x, descending=True, stable=True), [1.0, 2.0, 1.0, 2.0]),
        (lambda x: xp.asarray(-0.0, device=x.device) * xp.ones_like(x), [1.0]),
        (xp.sqrt, [-0.0]),
        (xp.unique_counts, [NAN, NAN, -0.0, 0.0]),
    ],
    ids=range(14),
)
def test_special_values_are_those_of_the_cpu(call, x):
    x = xp.asarray(x)
    expected, found = outcome(call, x), outcome(call, x.to_device(CUDA))
    for got, want in zip(found, expected, strict=True):
        np.testing.assert_array_equal(got, want)
        if want.dtype.kind == "f":
            zero = want == 0
            np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]))


def test_large_integers_of_two_kinds_compare_by_value():
    for device in ("cpu", CUDA):
        signed = xp.asarray([-1, 1, 2**62], dtype="int64", device=device)
        unsigned = xp.asarray([1, 2**64 - 1], dtype="uint64", device=device)
        assert xp.isin(signed, unsigned).tolist() == [False, True, False]
        assert xp.searchsorted(unsigned, signed).tolist()[0] == 0


# -------------------------------------------------------------------------------- scalars of Python

SCALARS = [True, 0, 7, -7, 300, 2**70, -0.0, 1.5, -1.5, 1e300, NAN, INF, 1j]


def assigned(x, key, value):
    y = x.copy()
    y[key] = value
    return y


@pytest.mark.parametrize("value", SCALARS)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex64"])
def test_scalar_is_stored_as_on_the_cpu(dtype, value):
    def filled(x):
        return xp.full(2, value, dtype=dtype, device=x.device)

    x = xp.asarray([1, 0, 1], dtype=dtype)
    calls = {"full": filled, "full_like": lambda x: xp.full_like(x, value)} | {
        str(key): partial(assigned, key=key, value=value)
        for key in (0, slice(None), [0, 1], slice(0, 0))
    }
    assert problems_of((name, partial(check_same, call, x)) for name, call in calls.items()) == {}


@pytest.mark.parametrize("number", [300, -300, 2**64, 2**70, -(2**70)])
@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "uint64", "float32"])
def test_integer_beyond_a_dtype_is_found_where_it_is_on_the_cpu(dtype, number):
    x = xp.asarray([0, 1], dtype=dtype)
    for call in (
        lambda x: xp.searchsorted(x, number),
        lambda x: xp.isin(x, number),
        lambda x: xp.isin(number, x),
        lambda x: x == number,
    ):
        check_same(call, x)


@pytest.mark.parametrize("name", ["bfloat16", "float8_e5m2"])
def test_scalar_beside_a_dtype_of_ml_dtypes_takes_it(name):
    pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    x = xp.astype(xp.asarray([1.0, 2.0]), getattr(xp, name))
    for call in (
        lambda x: xp.where(xp.asarray([True, False], device=x.device), x, 0.5),
        lambda x: xp.where(xp.asarray([True, False], device=x.device), 0.5, x),
    ):
        expected, (found,) = call(x), outcome(call, x.to_device(CUDA))
        assert found.dtype == expected.dtype
        assert found.astype("float64").tolist() == np.asarray(expected).astype("float64").tolist()
