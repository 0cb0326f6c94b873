"""Inputs that once crashed the interpreter, or opened what is closed."""

import contextvars
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from fake_producer import FakeProducer

import xpdl as xp


def readonly_arrays():
    n = np.arange(3.0)
    n.flags.writeable = False
    return {
        "ndarray": xp.asarray(n),
        "broadcast": xp.broadcast_to(xp.ones(1), (3,)),
        "pickle": pickle.loads(pickle.dumps(xp.asarray(n))),
        "wrapper": xp.from_dlpack(xp.ReadOnlyWrapper(xp.ones(3))),
        "wrapped ndarray": xp.from_dlpack(xp.ReadOnlyWrapper(np.ones(3))),
    }


@pytest.mark.parametrize("source", readonly_arrays())
@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.__array__(),
        np.asarray,
        lambda x: x.__reduce_ex__(5)[1][0],
        lambda x: np.asarray(x).view(),
    ],
)
def test_readonly_cannot_be_switched_off_from_outside(source, view):
    x = readonly_arrays()[source]
    before = x.tolist()
    with pytest.raises(ValueError, match="WRITEABLE"):
        view(x).flags.writeable = True
    assert x.readonly
    assert x.tolist() == before


def bases(array):
    while array is not None:
        yield array
        array = getattr(array, "base", None)


@pytest.mark.parametrize("view", [lambda x: x.__array__(), lambda x: x.__reduce_ex__(5)[1][0]])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # assigning to a shape, in NumPy 2.5
def test_shape_cannot_be_changed_from_outside(view):
    x = xp.arange(6)
    for array in bases(view(x)):
        if isinstance(array, np.ndarray):
            array.shape = (2, 3)
    assert x.shape == (6,)
    assert x.tolist() == [0, 1, 2, 3, 4, 5]


def test_default_device_with_foreign_context_value_raises():
    with xp.default_device("cpu"):
        (variable,) = [v for v in contextvars.copy_context() if v.name == "xpdl.default_device"]
        token = variable.set("junk")
        try:
            with pytest.raises(TypeError):
                xp.zeros(3)
        finally:
            variable.reset(token)


def test_publisher_with_address_of_no_table_falls_back():
    class Publisher:
        __dlpack_c_exchange_api__ = 8

        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **keywords):
            return self.array.__dlpack__(**keywords)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    assert xp.from_dlpack(Publisher(np.arange(3))).tolist() == [0, 1, 2]


class EqualToAll(type):
    """A metaclass whose types cannot be hashed."""

    def __eq__(cls, other):
        return True


class Unhashable(EqualToAll):
    def __hash__(cls):
        raise RuntimeError("no hash")


@pytest.mark.parametrize("metaclass", [EqualToAll, Unhashable])
@pytest.mark.parametrize("convert", [xp.from_dlpack, xp.asarray])
def test_producer_of_a_type_without_a_hash_is_imported(metaclass, convert):
    array = np.arange(3)
    kind = metaclass("Producer", (), {
        "__dlpack__": lambda self, **keywords: array.__dlpack__(**keywords),
        "__dlpack_device__": lambda self: array.__dlpack_device__(),
    })
    for _ in range(2):  # the second time the type is known
        assert convert(kind()).tolist() == [0, 1, 2]


class Misleading(np.ndarray):
    """A subclass of ndarray whose methods return no arrays."""

    def view(self, *args):
        return "view"

    def astype(self, *args, **keywords):
        return 5


@pytest.mark.parametrize("dtype", [np.longlong, ">i4", "int64"])
@pytest.mark.parametrize("copy", [None, True])
def test_subclass_of_ndarray_with_methods_of_its_own_is_read_as_an_ndarray(dtype, copy):
    n = np.ndarray.view(np.arange(3).astype(dtype), Misleading)
    x = xp.asarray(n, copy=copy)
    assert x.tolist() == [0, 1, 2]
    assert type(np.asarray(x)) is np.ndarray


DEEP = """
import xpdl as xp
x = y = xp.arange(3)
for _ in range(200_000):
    x = xp.from_dlpack(x.__dlpack__(max_version=(1, 0)))
for _ in range(200_000):
    x = xp.from_dlpack(xp.to_dlpack(x))
x[0] = 7
assert y.tolist() == [7, 1, 2]
del x
w = xp.ReadOnlyWrapper(y)
for _ in range(200_000):
    w = xp.ReadOnlyWrapper(w)
assert w.__dlpack_device__() == (1, 0)
assert xp.from_dlpack(w).tolist() == [7, 1, 2]
nested = []
nested.append(nested)
try:
    xp.asarray(nested)
except ValueError:
    print("alive")
"""


def test_deep_chains_and_nesting_end_well():
    done = subprocess.run([sys.executable, "-c", DEEP], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("alive\n", "", 0)


@pytest.mark.parametrize("scalar", [np.timedelta64(5, "ns"), np.datetime64(5, "ns")])
@pytest.mark.parametrize(
    "call",
    [
        lambda s: xp.asarray([1, 2]) + s,
        lambda s: xp.add(xp.asarray([1, 2]), s),
        lambda s: xp.full(3, s),
        lambda s: xp.arange(s),
        lambda s: xp.asarray([1, 2]).__setitem__(0, s),
    ],
)
def test_times_of_numpy_are_no_numbers(scalar, call):
    with pytest.raises(TypeError):
        call(scalar)


@pytest.mark.parametrize(
    "function",
    [xp.sum, xp.prod, xp.cumulative_sum, xp.cumulative_prod, xp.nansum, xp.nanprod],
)
def test_sum_of_complex_into_real_raises(function):
    with pytest.raises(TypeError) as caught:
        function(xp.asarray([1j]), dtype=xp.float64)
    assert str(caught.value) == (
        f"{function.__name__}: dtype must be complex for complex values, got float64; "
        f"take the real part with xpdl.real"
    )


@pytest.mark.parametrize(("values", "dtype"), [([1, 2**64 - 1], xp.uint64), ([1, 2], xp.int64)])
def test_list_of_ints_keeps_their_values(values, dtype):
    x = xp.asarray(values)
    assert x.dtype == dtype
    assert x.tolist() == values


@pytest.mark.parametrize("values", [[2**63, -1], [[2**64 - 1], [-1]], [2**64, 1]])
def test_list_of_ints_that_fit_no_dtype_raises(values):
    with pytest.raises(OverflowError, match=r"^asarray: "):
        xp.asarray(values)


@pytest.mark.parametrize("name", ["__iadd__", "__ifloordiv__", "__imod__", "__ipow__"])
def test_in_place_operand_that_would_grow_x_raises(name):
    x = xp.asarray(64)
    with pytest.raises(ValueError, match="non-broadcastable output operand"):
        getattr(x, name)(xp.asarray([5]))
    assert x.shape == ()
    assert x.tolist() == 64


def test_complex_to_the_half_is_its_square_root():
    z = np.asarray([-4 + 0j, 3 + 4j, complex(-np.inf, 0)])
    np.testing.assert_array_equal(np.asarray(xp.asarray(z) ** 0.5), np.sqrt(z))


@pytest.mark.parametrize("dtype", [xp.float64, xp.int64, xp.int8, xp.bool])
@pytest.mark.parametrize("function", ["asarray", "as_tensor", "from_dlpack"])
def test_torch_reads_the_values(function, dtype):
    torch = pytest.importorskip("torch", reason="needs torch")
    x = xp.asarray([[1, 0], [1, 1]], dtype=dtype)
    assert getattr(torch, function)(x).tolist() == x.tolist()


@pytest.mark.parametrize("values", [["1", "2"], [None, 1], np.str_("1"), ["1", 2]])
@pytest.mark.parametrize("dtype", [None, xp.float64])
def test_values_that_are_no_numbers_are_refused_with_and_without_dtype(values, dtype):
    with pytest.raises(TypeError, match=r"^asarray: obj must hold numbers"):
        xp.asarray(values, dtype=dtype)


@pytest.mark.parametrize("dtype", ["q", np.longlong, np.dtype("f4", metadata={"unit": "m"})])
def test_alias_of_a_dtype_becomes_that_dtype(dtype):
    for x in (xp.zeros(2, dtype=dtype), xp.asarray(np.zeros(2, dtype=dtype))):
        assert x.dtype in {np.dtype("int64"), np.dtype("float32")}
        assert x.dtype.metadata is None


@pytest.mark.parametrize("name", ["cuda", "cuda:0"])
def test_device_equals_each_of_its_names(name):
    assert xp.Device("cuda") == name
    assert xp.Device("cpu") != name
    assert xp.Device("cpu") == "cpu:0"
    assert xp.Device("cpu") != "no device"


@pytest.mark.parametrize(
    "dtype", [[("a", "i4"), ("a", "i4")], "f8,,", {"names": 1}, "(", [("a",)], 8, "f8,f8"]
)
def test_dtype_that_numpy_cannot_read_or_that_holds_no_number_raises(dtype):
    with pytest.raises(TypeError, match=r"^zeros: dtype must be "):
        xp.zeros(3, dtype=dtype)


@pytest.mark.parametrize("function", [xp.reshape, lambda x, shape: x.reshape(shape)])
@pytest.mark.parametrize("shape", [(-2,), (3, -2), (-1, -3), (-(2**63),), (-(2**70),)])
def test_reshape_to_a_negative_size_raises(function, shape):
    with pytest.raises(ValueError, match=r"^reshape: shape must not have negative sizes, got "):
        function(xp.ones(3), shape)


@pytest.mark.parametrize("dtype", [(0, 4, 1), (15, 6, 1)], ids=["int4", "float6"])
@pytest.mark.parametrize("size", [2**61, 2**62])
def test_packed_tensor_whose_bits_exceed_2_to_63_is_memory_error(dtype, size):
    pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    producer = FakeProducer(np.zeros(16, np.uint8), dtype=dtype, shape=(size,), strides=None)
    with pytest.raises(MemoryError):
        xp.from_dlpack(producer)
    assert producer.deleted == 1


# A thread that imports ml_dtypes, and is held up in the middle, while another meets its dtypes.
HALF_IMPORTED = """
import importlib.util, pathlib, sys, threading
import numpy as np, xpdl as xp

folder = pathlib.Path(sys.argv[1])
sys.real = importlib.util.find_spec("ml_dtypes").origin
sys.half, sys.go_on = threading.Event(), threading.Event()
(folder / "ml_dtypes").mkdir()
(folder / "ml_dtypes" / "__init__.py").write_text('''
import pathlib, sys
sys.half.set()
sys.go_on.wait(10)
__path__.append(str(pathlib.Path(sys.real).parent))
exec(compile(pathlib.Path(sys.real).read_text(), sys.real, "exec"))
''')
sys.path.insert(0, sys.argv[1])
importer = threading.Thread(target=lambda: __import__("ml_dtypes"))
importer.start()
sys.half.wait()
threading.Timer(0.2, sys.go_on.set).start()
try:
    xp.asarray(np.zeros(2, np.dtypes.StringDType()))
except TypeError:
    pass
importer.join()
import ml_dtypes
print(xp.zeros(2, dtype=ml_dtypes.bfloat16).dtype)
"""


def test_dtypes_of_ml_dtypes_are_known_although_a_thread_met_it_half_imported(tmp_path):
    pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    done = subprocess.run(
        [sys.executable, "-c", HALF_IMPORTED, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(Path(xp.__file__).parent.parent)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("bfloat16\n", "")
