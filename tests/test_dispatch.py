"""The families of functions: what a backend's function gets, what comes out, whose error it is."""

import sys
from pathlib import Path

import numpy as np
import pytest
import two_devices
from outcomes import outcomes_of
from samples import check, laid_out

import xpdl as xp
from xpdl import _cext
from xpdl._backends.numpy import COMPLEX, FUNCTIONS, INTEGRAL

ROOT = Path(__file__).resolve().parent.parent
A, B = np.arange(3.0), np.ones(3)


@pytest.fixture
def probe():
    """Put a function under the name ``probe`` into the table of the CPU."""
    yield lambda function: _cext.register_functions("cpu", FUNCTIONS | {"probe": function})
    _cext.register_functions("cpu", FUNCTIONS, INTEGRAL, COMPLEX)


def arrays():
    return xp.asarray(A), xp.asarray(B)


FAMILIES = {
    "unary": lambda x, y: _cext.unary("probe", x),
    "binary": lambda x, y: _cext.binary("probe", x, y),
    "binary with a scalar": lambda x, y: _cext.binary("probe", 2, x),
    "reduce": lambda x, y: _cext.reduce("probe", x, None, None, False),
    "apply": lambda x, y: _cext.apply("probe", x, (1,)),
    "view": lambda x, y: _cext.view("probe", x, ()),
    "nary": lambda x, y: _cext.nary("probe", (x, 1, None), (2,)),
    "gather": lambda x, y: _cext.gather("probe", [x, y], (0,)),
    "split": lambda x, y: _cext.split("probe", (x, y), ()),
    "create": lambda x, y: _cext.create("probe", None, (3,)),
}


# ----------------------------------------------------------------------------- what goes and comes


@pytest.mark.parametrize(
    ("call", "given"),
    [
        (lambda x, y: _cext.unary("probe", x), (A,)),
        (lambda x, y: _cext.binary("probe", x, y), (A, B)),
        (lambda x, y: _cext.binary("probe", x, 2), (A, 2)),
        (lambda x, y: _cext.binary("probe", 2.5, y), (2.5, B)),
        (lambda x, y: _cext.binary("probe", np.float64(2), y), (2.0, B)),
        (lambda x, y: _cext.reduce("probe", x, 0, None, True), (A, 0, None, None, True)),
        (lambda x, y: _cext.reduce("probe", x, [0], "f", False), (A, (0,), "f", None, False)),
        (lambda x, y: _cext.apply("probe", x, (1, "a")), (A, 1, "a")),
        (lambda x, y: _cext.apply("probe", x, ()), (A,)),
        (lambda x, y: _cext.view("probe", x, (None,)), (A, None)),
        (lambda x, y: _cext.nary("probe", (x, None, y, 3), (4,)), (A, None, B, 3, 4)),
        (lambda x, y: _cext.nary("probe", (np.int8(1), x), ()), (1, A)),
        (lambda x, y: _cext.gather("probe", [x, y], (0,)), ((A, B), 0)),
        (lambda x, y: _cext.gather("probe", iter((x,)), ()), ((A,),)),
        (lambda x, y: _cext.create("probe", None, (1, 2)), (1, 2)),
        (lambda x, y: _cext.create("probe", "cpu", ()), ()),
    ],
)
def test_function_gets_raw_arrays_by_position(probe, call, given):
    got = []

    def function(*args):
        got.append(args)
        return np.zeros(2)

    probe(function)
    check(call(*arrays()), np.zeros(2))

    def same(one, other):
        if isinstance(other, tuple):
            return len(one) == len(other) and all(map(same, one, other))
        if isinstance(other, np.ndarray):
            return type(one) is np.ndarray and np.shares_memory(one, other)
        return type(one) is type(other) and one == other

    assert same(got[0], given)


def test_new_table_replaces_what_was_found_in_the_one_before(probe):
    x = xp.asarray(A)
    for number in (1, 2):
        probe(lambda raw, number=number: raw * number)
        check(_cext.unary("probe", x), A * number)


def test_function_with_several_results_gives_a_tuple_of_arrays(probe):
    probe(lambda *raws: [raw[:1] for raw in raws] + [np.float32(7)])
    x, y = arrays()
    found = _cext.split("probe", (x, y), ())
    assert type(found) is tuple
    for result, expected in zip(found, (A[:1], B[:1], np.float32(7)), strict=True):
        check(result, expected)
    assert np.shares_memory(np.asarray(found[0]), A)


@pytest.mark.parametrize(
    "result", [np.float32(1.5), np.asarray(2), np.True_, 3, 2.5, True, 1j], ids=repr
)
def test_scalar_result_becomes_0d(probe, result):
    probe(lambda raw: result)
    check(_cext.unary("probe", xp.asarray(A)), np.asarray(result))


@pytest.mark.parametrize("family", ["view", "split"])
@pytest.mark.parametrize("layout", ["1-d", "read-only"])
def test_result_that_shares_memory_is_as_readonly_as_the_operand(probe, family, layout):
    x = xp.asarray(laid_out("int32", layout))
    probe(lambda *raws: (raws[0][:1],) if family == "split" else raws[0][:1])
    found = _cext.split("probe", (x,), ())[0] if family == "split" else _cext.view("probe", x, ())
    assert found.readonly is x.readonly


@pytest.mark.parametrize("family", FAMILIES)
def test_references_are_neither_lost_nor_kept(probe, family):
    result = np.zeros(3)
    probe(lambda *args: (result,) if family == "split" else result)
    operands = arrays()
    FAMILIES[family](*operands)
    before = sys.getrefcount(result), *map(sys.getrefcount, operands)
    for _ in range(100):
        FAMILIES[family](*operands)
    assert (sys.getrefcount(result), *map(sys.getrefcount, operands)) == before


# ------------------------------------------------------------------------------------- operands

FOREIGN = [[1], (1,), None, "a", object(), np.ones(2), np.array(1), b"ab", np.str_("a")]


@pytest.mark.parametrize("x", [*FOREIGN, 1, 1.0, np.float64(1)], ids=lambda x: repr(x)[:12])
@pytest.mark.parametrize("name", ["sin", "abs", "sum", "sort", "reshape", "argmax", "linalg.det"])
def test_function_of_what_is_no_array_raises(name, x):
    function = xp.linalg.det if name == "linalg.det" else getattr(xp, name)
    args = {"reshape": ((1,),)}.get(name, ())
    with pytest.raises(TypeError, match=rf"^{name}: x must be an xpdl Array, got .*xpdl.asarray$"):
        function(x, *args)


@pytest.mark.parametrize("other", FOREIGN, ids=lambda x: repr(x)[:12])
def test_binary_function_with_what_is_no_operand_raises(other):
    x = xp.asarray(A)
    with pytest.raises(TypeError, match=r"^add: x2 must be an xpdl Array or a Python scalar, got "):
        xp.add(x, other)
    with pytest.raises(TypeError, match=r"^add: x1 must be an xpdl Array or a Python scalar, got "):
        xp.add(other, x)
    with pytest.raises(TypeError, match=r"^add: x1 must be an xpdl Array, got "):
        xp.add(other, other)


@pytest.mark.parametrize("scalar", [1, 1.5, True, 1j, np.float64(1)], ids=repr)
def test_function_of_scalars_only_raises(scalar):
    with pytest.raises(TypeError, match=r"^add: x1 or x2 must be an xpdl Array, got "):
        xp.add(scalar, scalar)
    with pytest.raises(
        TypeError, match=r"^where: at least one argument must be an xpdl Array, got "
    ):
        xp.where(scalar, scalar, scalar)


@pytest.mark.parametrize("other", [[1], np.ones(2), 1, None], ids=repr)
def test_sequence_with_what_is_no_array_raises(other):
    x = xp.asarray(A)
    for name in ("concat", "stack"):
        with pytest.raises(TypeError, match=rf"^{name}: arrays\[1\] must be an xpdl Array, got "):
            getattr(xp, name)([x, other])
        with pytest.raises(TypeError, match=rf"^{name}: arrays must be a sequence of xpdl Arrays"):
            getattr(xp, name)(x)
        with pytest.raises(ValueError, match=rf"^{name}: arrays must hold at least one Array"):
            getattr(xp, name)([])


# --------------------------------------------------------------------------------------- errors


class OwnError(Exception):
    pass


class OwnTypeError(TypeError):
    pass


RENAMED = [
    (TypeError("a b"), TypeError),
    (ValueError("a b"), ValueError),
    (IndexError("a b"), IndexError),
    (OverflowError("a b"), OverflowError),
    (ZeroDivisionError("a b"), ZeroDivisionError),
    (MemoryError("a b"), MemoryError),
    (OwnTypeError("a b"), TypeError),
    (np.exceptions.AxisError("a b"), np.exceptions.AxisError),
    (np.linalg.LinAlgError("a b"), np.linalg.LinAlgError),
]


@pytest.mark.parametrize(("error", "kind"), RENAMED, ids=lambda x: getattr(x, "__name__", repr(x)))
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("prefix", ["", "probe: "])
def test_error_of_the_library_is_named_once(probe, family, error, kind, prefix):
    error = type(error)(prefix + error.args[0])

    def function(*args):
        raise error

    probe(function)
    with pytest.raises(kind) as caught:
        FAMILIES[family](*arrays())
    assert caught.type is kind
    assert str(caught.value) == "probe: a b"
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    "error",
    [
        KeyboardInterrupt(),
        SystemExit(3),
        RuntimeError("a"),
        NotImplementedError("a"),
        KeyError("a"),
        AttributeError("a"),
        FloatingPointError("a"),
        BufferError("a"),
        RuntimeWarning("a"),
        StopIteration(1),
        OwnError(1, 2),
    ],
    ids=repr,
)
@pytest.mark.parametrize("family", FAMILIES)
def test_other_exception_of_the_library_passes_unchanged(probe, family, error):
    def function(*args):
        raise error

    probe(function)
    with pytest.raises(type(error)) as caught:
        FAMILIES[family](*arrays())
    assert caught.value is error


def test_error_of_numpy_comes_out_as_a_standard_class():
    with pytest.raises(TypeError) as caught:
        xp.bitwise_and(xp.asarray(A), xp.asarray(B))
    assert caught.type is TypeError
    with pytest.raises(IndexError, match=r"^sum: axis 3 is out of bounds") as caught:
        xp.sum(xp.asarray(A), axis=3)
    assert issubclass(caught.type, ValueError)


def test_floating_point_errors_asked_for_pass_through():
    with np.errstate(all="raise"), pytest.raises(FloatingPointError, match=r"divide by zero"):
        xp.divide(xp.asarray(B), 0.0)


@pytest.mark.parametrize("family", FAMILIES)
def test_function_that_the_library_lacks_raises(family):
    with pytest.raises(NotImplementedError, match=r"^probe: not available on cpu$"):
        FAMILIES[family](*arrays())


# ------------------------------------------------------------------------------------ arguments


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (3, (3,)),
        ((), ()),
        ([], ()),
        ((2, 3), (2, 3)),
        ([2, 3], (2, 3)),
        (np.int64(3), (3,)),
        (xp.asarray(3), (3,)),
        ((xp.asarray(2), np.int8(3)), (2, 3)),
        (True, (1,)),
    ],
    ids=repr,
)
def test_shape_is_an_int_or_ints(shape, expected):
    found = _cext.shape_from("f", shape)
    assert found == expected
    assert all(type(size) is int for size in found)
    assert xp.zeros(shape).shape == expected


@pytest.mark.parametrize(
    "shape",
    ["3", 2.0, None, (2, 1.0), ((2,),), xp.ones(2), xp.asarray(2.0), {2}, (None,)],
    ids=repr,
)
def test_shape_of_another_type_raises(shape):
    with pytest.raises(TypeError, match=r"^zeros: shape must be an int or a tuple of ints, got "):
        xp.zeros(shape)


@pytest.mark.parametrize(
    ("shape", "error"), [(-1, ValueError), ((2, -3), ValueError), (2**62, ValueError)]
)
def test_shape_that_cannot_be_raises(shape, error):
    with pytest.raises(error, match=r"^zeros: "):
        xp.zeros(shape)


def test_dtype_checked_is_native_or_none():
    assert _cext.check_dtype("f", None) is None
    for given, name in ((">f4", "float32"), (int, "int64"), ("c8", "complex64"), (bool, "bool")):
        found = _cext.check_dtype("f", given)
        assert found == np.dtype(name)
        assert found.isnative
    for name, dtype in _cext.DTYPES.items():
        assert _cext.check_dtype("f", name) is dtype
        assert np.dtype(getattr(xp, name)) is dtype
    with pytest.raises(TypeError, match=r"^f: dtype must be one that xpdl holds .*, got object$"):
        _cext.check_dtype("f", object)


def test_array_checked_is_itself():
    x = xp.asarray(A)
    assert _cext.check_array("f", "y", x) is x
    with pytest.raises(TypeError) as caught:
        _cext.check_array("f", "y", A)
    assert str(caught.value) == (
        "f: y must be an xpdl Array, got numpy.ndarray; convert it with xpdl.asarray"
    )


def test_device_checked_is_the_default_one_for_none():
    assert _cext.check_device("f", None) is xp.Device("cpu")
    assert _cext.check_device("f", "cpu") is xp.Device("cpu")
    with pytest.raises(ValueError, match=r"^f: device must be 'cpu'"):
        _cext.check_device("f", "x")


def test_raw_and_wrap_are_inverse():
    x = xp.asarray(A)
    assert type(_cext.raw(x)) is np.ndarray
    check(_cext.wrap(_cext.raw(x), x.device), A)
    with pytest.raises(TypeError, match=r"^raw: x must be an xpdl Array, got numpy.ndarray"):
        _cext.raw(A)


# ------------------------------------------------------------------------------------ two devices


@pytest.fixture(scope="module")
def outcomes():
    return outcomes_of(two_devices.__file__)


@pytest.mark.parametrize("name", [name for name in vars(two_devices) if name.startswith("test_")])
def test_on_two_devices(outcomes, name):
    assert outcomes[name] is None, outcomes[name]
