"""asarray: what becomes an Array, of which dtype, and whether it shares memory."""

import array
import ctypes
import decimal
import enum
import fractions
import mmap

import numpy as np
import pytest
from fake_producer import FakeProducer
from samples import DTYPES, INTEGERS, LAYOUTS, REALS, check, laid_out, values

import xpdl as xp


class Two(enum.IntEnum):
    TWO = 2


class ArrayOnly:
    """An object whose only protocol is __array__, as NumPy 2 defines it."""

    def __init__(self, result, copies=False):
        self.result = result
        self.copies = copies

    def __array__(self, dtype=None, copy=None):
        if self.copies and copy is False:
            raise ValueError("this object always copies")
        return self.result.copy() if self.copies or copy else self.result


def label(x):
    """A parameter in a test's name, without an address."""
    return repr(x).partition(" at 0x")[0]


def shares(x, a):
    return np.shares_memory(np.asarray(x), a)


# ----------------------------------------------------------------------------- scalars and lists


@pytest.mark.parametrize(
    ("obj", "dtype"),
    [
        (True, "bool"),
        (3, "int64"),
        (-(2**63), "int64"),
        (2**63, "uint64"),
        (2**64 - 1, "uint64"),
        (1.5, "float64"),
        (float("nan"), "float64"),
        (1j, "complex128"),
        (np.float32(1.5), "float32"),
        (np.int8(3), "int8"),
        (np.True_, "bool"),
        (np.float16(0.5), "float16"),
        (np.complex64(1j), "complex64"),
        (Two.TWO, "int64"),
        ([], "float64"),
        ((), "float64"),
        ([[], []], "float64"),
        ([1, 2], "int64"),
        ((1, 2), "int64"),
        ([True, False], "bool"),
        ([True, 2], "int64"),
        ([1, 2.5], "float64"),
        ([1, 1j], "complex128"),
        ([[1, 2], (3, 4)], "int64"),
        ([2**63], "uint64"),
        ([np.int8(1), np.int8(2)], "int8"),
        ([np.float32(1), 2], "float64"),
        (range(3), "int64"),
        ([range(3), (1, 2, 3)], "int64"),
        ([np.arange(2), np.arange(2.0)], "float64"),
        ([Two.TWO, 1], "int64"),
        ([[[[1]]]], "int64"),
    ],
    ids=label,
)
def test_scalars_and_sequences_are_those_of_numpy(obj, dtype):
    expected = np.array(obj)
    assert expected.dtype == dtype
    check(xp.asarray(obj), expected)
    check(xp.asarray(obj, copy=True), expected)
    assert not xp.asarray(obj).readonly


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "obj", [1, True, [0, 1], [[True], [False]], np.int8(1), range(2)], ids=label
)
def test_sequences_take_the_dtype_asked_for(obj, dtype):
    check(xp.asarray(obj, dtype=dtype), np.array(obj, dtype=dtype))
    check(xp.asarray(obj, dtype=np.dtype(dtype)), np.array(obj, dtype=dtype))


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [(bool, "bool"), (int, "int64"), (float, "float64"), (complex, "complex128")]
    + [(np.float32, "float32"), ("f4", "float32"), (">i2", "int16"), ("longlong", "int64")],
)
def test_dtype_is_named_in_any_way(kind, dtype):
    x = xp.asarray([0, 1], dtype=kind)
    assert x.dtype == dtype
    assert x.dtype.isnative


@pytest.mark.parametrize(
    "dtype",
    [object, "O", "S3", "U", "M8[s]", "m8", np.longdouble, "f4,f4", np.dtype([("a", int)]), "no"]
    + [(np.float64, (2,)), 3, "float128", type("T", (), {}), np.void],
    ids=label,
)
@pytest.mark.parametrize("obj", [[1], np.ones(1), xp.ones(1), b"a"], ids=label)
def test_dtype_that_xpdl_does_not_hold_raises(obj, dtype):
    with pytest.raises(TypeError, match=r"^asarray: dtype must be "):
        xp.asarray(obj, dtype=dtype)


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**100])
def test_integer_too_wide_raises(number):
    for obj in (number, [number], [[1], [number]], (0, number)):
        with pytest.raises(OverflowError, match=r"^asarray: obj must hold integers that fit int64"):
            xp.asarray(obj)


@pytest.mark.parametrize(
    ("number", "dtype"), [(128, "int8"), (-1, "uint8"), (2**63, "int64"), (-1, "uint64")]
)
def test_integer_out_of_range_of_the_dtype_raises(number, dtype):
    for obj in (number, [number], [[0, number]]):
        with pytest.raises(OverflowError, match=r"^asarray: "):
            xp.asarray(obj, dtype=dtype)


@pytest.mark.parametrize("dtype", [*INTEGERS, *REALS])
@pytest.mark.parametrize(
    "obj",
    [
        1j,
        1 + 0j,
        [1j],
        np.complex64(1j),
        [np.complex128(1j)],
        [[1, np.array(1j)]],
        np.array([1j]),
        xp.asarray([1j]),
        [xp.asarray([1j]), [1.0]],
        ArrayOnly(np.array([1j])),
    ],
    ids=label,
)
def test_complex_to_a_real_dtype_raises(obj, dtype):
    with pytest.raises(TypeError, match=r"asarray: dtype must be complex for complex values, got"):
        xp.asarray(obj, dtype=dtype)


@pytest.mark.parametrize(
    "obj",
    [[[1, 2], [3]], [1, [2]], [[1], [[2]]], [xp.asarray([1, 2]), [1]], [[], [1]], [[1, 2], 3]],
    ids=label,
)
def test_ragged_sequence_raises(obj):
    with pytest.raises(ValueError, match=r"^asarray: .*inhomogeneous shape"):
        xp.asarray(obj)


def nested(obj, depth):
    for _ in range(depth):
        obj = [obj]
    return obj


def cyclic():
    obj = []
    obj.append(obj)
    return obj


@pytest.mark.parametrize(
    "obj",
    [nested(1, 65), nested(1, 100_000), nested(xp.ones(2), 65), nested(2**64, 65), cyclic()],
    ids=["65", "100000", "of arrays", "of wide integers", "of itself"],
)
def test_sequence_nested_too_deep_raises(obj):
    with pytest.raises(ValueError, match=r"^asarray: "):
        xp.asarray(obj)


def test_sequence_nested_as_deep_as_can_be_is_taken():
    assert xp.asarray(nested(1, 64)).ndim == 64
    assert xp.asarray(nested(xp.ones(2), 63)).ndim == 64


@pytest.mark.parametrize("obj", [1, [1], (1.5,), range(2), np.float32(1), Two.TWO], ids=label)
def test_scalar_or_sequence_without_a_copy_raises(obj):
    with pytest.raises(ValueError, match=r"^asarray: copy=False cannot be honoured for "):
        xp.asarray(obj, copy=False)


# -------------------------------------------------------------------------------- nested arrays


def test_arrays_in_sequences_are_stacked_at_every_depth():
    a = np.arange(3)
    x = xp.asarray(a)
    check(xp.asarray([x, x]), np.array([a, a]))
    check(xp.asarray((x, [4, 5, 6])), np.array([a, [4, 5, 6]]))
    check(xp.asarray([[x, x], [x, range(3)]]), np.array([[a, a], [a, a]]))
    check(xp.asarray([x[0], 1, 2.5]), np.array([0, 1, 2.5]))
    check(xp.asarray([[[x[1]], [np.int8(1)]]]), np.array([[[1], [1]]]))
    check(xp.asarray([x, np.ones(3)]), np.array([a, np.ones(3)]))
    check(xp.asarray([xp.ones((0, 2))]), np.ones((1, 0, 2)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_in_sequences_keep_their_dtype(dtype):
    a = values(dtype)
    x = xp.asarray(a)
    check(xp.asarray([x, x]), np.array([a, a]))
    check(xp.asarray([x[0], [x[1]][0]]), a[:2])
    check(xp.asarray([x, x], dtype="complex128"), np.array([a, a], "complex128"))


def test_arrays_in_sequences_promote():
    x = xp.asarray([1], dtype=xp.int8)
    assert xp.asarray([x, xp.ones(1, dtype=xp.float32)]).dtype == xp.float32
    assert xp.asarray([x, xp.ones(1, dtype=xp.uint8)]).dtype == xp.int16


def test_readonly_array_in_a_sequence_gives_a_writable_one():
    assert not xp.asarray([xp.asarray(b"ab")]).readonly


def test_tensors_of_torch_in_a_sequence_are_stacked():
    torch = pytest.importorskip("torch", reason="needs torch")
    check(xp.asarray([torch.ones(2), torch.zeros(2)]), np.array([[1, 1], [0, 0]], "float32"))
    check(xp.asarray([torch.tensor(1), 2]), np.array([1, 2]))


def test_arrays_of_jax_in_a_sequence_are_stacked():
    jnp = pytest.importorskip("jax.numpy", reason="needs jax")
    check(xp.asarray([jnp.ones(2), [3.0, 4.0]]), np.array([[1, 1], [3, 4.0]]))


# ------------------------------------------------------------------------------------- an Array


def test_array_is_itself():
    x = xp.asarray([1, 2])
    for y in (
        xp.asarray(x),
        xp.asarray(x, copy=False),
        xp.asarray(x, dtype=xp.int64, device="cpu"),
        xp.asarray(x, dtype=int, copy=False),
    ):
        assert y is x


@pytest.mark.parametrize("layout", LAYOUTS)
def test_array_copied_is_writable_and_apart(layout):
    a = laid_out("int32", layout)
    x = xp.asarray(a)
    y = xp.asarray(x, copy=True)
    check(y, a)
    assert not y.readonly
    assert not shares(y, np.asarray(x))


@pytest.mark.parametrize("to", DTYPES)
@pytest.mark.parametrize("copy", [None, True])
def test_array_of_another_dtype_is_cast(to, copy):
    a = np.array([0, 1, 3], "int16")
    y = xp.asarray(xp.asarray(a), dtype=to, copy=copy)
    check(y, a.astype(to))


# -------------------------------------------------------------------------------------- ndarrays


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("copy", [None, False, True])
def test_ndarray_is_shared_unless_copied(dtype, layout, copy):
    a = np.asarray(laid_out(dtype, layout))
    x = xp.asarray(a, copy=copy)
    check(x, a)
    assert x.readonly is (not a.flags.writeable and copy is not True)
    if a.size:
        assert shares(x, a) is (copy is not True)
    if copy is not True:
        assert x.strides == a.strides


def test_ndarray_protected_later_does_not_change_the_array():
    a = np.arange(6)
    x = xp.asarray(a)
    a.flags.writeable = False
    assert not x.readonly
    x[0] = 7
    assert a[0] == 7


@pytest.mark.parametrize("copy", [None, True])
@pytest.mark.parametrize("dtype", ["int16", "float32", "complex128"])
def test_ndarray_in_foreign_byte_order_is_converted(dtype, copy):
    a = values(dtype)
    x = xp.asarray(a.astype(np.dtype(dtype).newbyteorder()), copy=copy)
    check(x, a)
    assert x.dtype.isnative
    check(xp.asarray(a.astype(np.dtype(dtype).newbyteorder()), dtype="complex128"), a.astype("c16"))


def test_ndarray_in_foreign_byte_order_without_a_copy_raises():
    with pytest.raises(ValueError, match=r"copy=False cannot be honoured for data in foreign byte"):
        xp.asarray(np.arange(3).astype(">i4"), copy=False)


@pytest.mark.parametrize(
    "a",
    [
        np.array(["a"]),
        np.array([b"a"]),
        np.array([None]),
        np.array([1], object),
        np.array([1], "M8[s]"),
        np.array([1], "m8[s]"),
        np.array([1], np.longdouble),
        np.array([1], np.clongdouble),
        np.array([(1, 2)], "i4,f4"),
        np.zeros(1, "V3"),
    ],
    ids=lambda a: a.dtype.str,
)
def test_ndarray_of_a_dtype_that_xpdl_does_not_hold_raises(a):
    with pytest.raises(TypeError, match=r"^asarray: obj must have a dtype that xpdl holds"):
        xp.asarray(a)
    with pytest.raises(TypeError, match=r"^asarray: "):
        xp.asarray([a])


def test_ndarray_subclass_is_shared_as_an_array():
    a = np.arange(4).view(np.recarray)
    assert shares(xp.asarray(a), a)
    check(xp.asarray(a), np.arange(4))


@pytest.mark.parametrize(
    "obj",
    [np.ma.ones(3), np.ma.masked, [np.ma.ones(2)], [[0, 1], np.ma.ones(2)]],
    ids=label,
)
def test_masked_array_raises(obj):
    with pytest.raises(
        TypeError, match=r"asarray: obj must not be a masked array, whose mask would"
    ):
        xp.asarray(obj)


@pytest.mark.parametrize("alias", ["longlong", "ulonglong", "intc", "uintc", "long", "ulong"])
def test_ndarray_of_an_aliased_dtype_is_shared(alias):
    a = np.arange(3, dtype=alias)
    x = xp.asarray(a)
    assert shares(x, a)
    assert x.dtype == a.dtype
    assert (x + 1).tolist() == [1, 2, 3]


# --------------------------------------------------------------------------------------- buffers

SIXTEEN = bytearray(range(16))
BUFFERS = {
    "bytes": (b"ab", "uint8", True),
    "bytearray": (bytearray(b"ab"), "uint8", False),
    "empty": (bytearray(), "uint8", False),
    "array d": (array.array("d", [1, 2]), "float64", False),
    "array B": (array.array("B", [1, 2]), "uint8", False),
    "array q": (array.array("q", [-1]), "int64", False),
    "memoryview": (memoryview(SIXTEEN).cast("i"), "int32", False),
    "memoryview 2-d": (memoryview(SIXTEEN).cast("H", (2, 4)), "uint16", False),
    "memoryview strided": (memoryview(SIXTEEN)[::-3], "uint8", False),
    "memoryview bool": (memoryview(SIXTEEN).cast("?"), "bool", False),
    "memoryview readonly": (memoryview(SIXTEEN).toreadonly(), "uint8", True),
    "ctypes int": ((ctypes.c_int * 3)(1, 2, 3), "int32", False),
    "ctypes 2-d": ((ctypes.c_double * 2 * 3)(), "float64", False),
    "mmap": (mmap.mmap(-1, 64), "uint8", False),
}


@pytest.mark.parametrize("name", BUFFERS)
def test_buffer_is_shared_unless_copied(name):
    obj, dtype, readonly = BUFFERS[name]
    expected = np.asarray(memoryview(obj))
    for copy in (None, False):
        x = xp.asarray(obj, copy=copy)
        check(x, expected)
        assert x.dtype == dtype
        assert x.readonly is readonly
        assert x.size == 0 or shares(x, expected)
    y = xp.asarray(obj, copy=True)
    check(y, expected)
    assert not y.readonly
    assert not shares(y, expected)
    check(xp.asarray(obj, dtype="float32"), expected.astype("float32"))


def test_buffer_writes_are_seen():
    data = bytearray(b"ab")
    x = xp.asarray(data)
    x[0] = 99
    assert data == b"cb"
    with pytest.raises(BufferError):
        data.append(1)


def test_buffer_of_characters_raises():
    with pytest.raises(TypeError, match=r"^asarray: obj must have a dtype that xpdl holds"):
        xp.asarray(memoryview(b"abcd").cast("c"))


def test_buffer_that_refuses_raises_its_error_named():
    view = memoryview(b"abc")
    view.release()
    with pytest.raises(ValueError, match=r"^asarray: .*released"):
        xp.asarray(view)


# --------------------------------------------------------------------------------------- DLPack


def test_dlpack_object_is_shared_unless_copied():
    a = np.arange(6.0).reshape(2, 3)
    producer = FakeProducer(a)
    x = xp.asarray(producer)
    check(x, a)
    assert shares(x, a)
    assert shares(xp.asarray(producer, copy=False), a)
    y = xp.asarray(producer, copy=True)
    check(y, a)
    assert not shares(y, a)
    check(xp.asarray(producer, dtype="float32"), a.astype("float32"))
    assert xp.asarray(FakeProducer(a, flags=1)).readonly
    del x, y
    producer.settle()
    assert producer.deleted == producer.made


def test_dlpack_object_that_refuses_raises_its_own_error():
    with pytest.raises(RuntimeError, match=r"^mine$"):
        xp.asarray(FakeProducer(np.ones(1), result=RuntimeError("mine")))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float32", "complex64"])
@pytest.mark.parametrize("copy", [None, False, True])
def test_tensor_of_torch_is_shared_unless_copied(dtype, copy):
    torch = pytest.importorskip("torch", reason="needs torch")
    t = torch.tensor([[0, 1], [2, 3]]).to(getattr(torch, dtype)).T
    x = xp.asarray(t, copy=copy)
    check(x, t.numpy())
    assert shares(x, t.numpy()) is (copy is not True)
    assert not x.readonly
    check(xp.asarray(t, dtype="complex128"), t.numpy().astype("complex128"))


@pytest.mark.parametrize("copy", [None, False])
def test_array_of_jax_is_shared_readonly(copy):
    jnp = pytest.importorskip("jax.numpy", reason="needs jax")
    a = jnp.arange(6.0).reshape(2, 3)
    x = xp.asarray(a, copy=copy)
    check(x, np.asarray(a))
    assert x.readonly
    assert shares(x, np.asarray(a))
    assert not xp.asarray(a, copy=True).readonly


# ----------------------------------------------------------------------------------- __array__


@pytest.mark.parametrize("copies", [False, True])
def test_array_protocol_alone_is_enough(copies):
    a = np.arange(3.0)
    x = xp.asarray(ArrayOnly(a, copies))
    check(x, a)
    assert shares(x, a) is not copies
    assert not shares(xp.asarray(ArrayOnly(a, copies), copy=True), a)
    check(xp.asarray(ArrayOnly(a, copies), dtype="int8"), a.astype("int8"))


def test_array_protocol_without_a_copy_asks_for_none():
    a = np.arange(3.0)
    assert shares(xp.asarray(ArrayOnly(a), copy=False), a)
    with pytest.raises(ValueError, match=r"^asarray: this object always copies"):
        xp.asarray(ArrayOnly(a, copies=True), copy=False)


def test_array_protocol_counts_where_dlpack_is_there_by_half():
    class Traced(ArrayOnly):  # like the values inside jax.jit
        def __dlpack__(self, **keywords):
            raise AssertionError("without a device it is not to be asked")

    assert shares(xp.asarray(Traced(a := np.arange(3.0))), a)


def test_value_that_jax_traces_raises_what_jax_says_of_it():
    jax = pytest.importorskip("jax", reason="needs jax")
    with pytest.raises(TypeError, match=r"^asarray: .*called on traced array with shape float32"):
        jax.jit(xp.asarray)(jax.numpy.ones(3))


def test_array_protocol_that_fails_raises_its_error():
    class Wrong:
        def __array__(self, dtype=None, copy=None):
            return 3

    class Failing:
        def __array__(self, dtype=None, copy=None):
            raise RuntimeError("mine")

    with pytest.raises(
        ValueError, match=r"^asarray: object __array__ method not producing an array"
    ):
        xp.asarray(Wrong())
    with pytest.raises(RuntimeError, match=r"^mine$"):
        xp.asarray(Failing())
    with pytest.raises(TypeError, match=r"^asarray: obj must have a dtype that xpdl holds"):
        xp.asarray(ArrayOnly(np.array(["a"])))


# -------------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    "obj",
    [
        None,
        "abc",
        object(),
        {1: 2},
        {1, 2},
        iter([1]),
        (i for i in ()),
        fractions.Fraction(1, 2),
        decimal.Decimal(1),
        len,
        int,
        xp.Array,
        np.ndarray,
        xp.float32,
        xp,
        ...,
    ],
    ids=label,
)
def test_object_without_a_protocol_raises(obj):
    with pytest.raises(
        TypeError, match=r"^asarray: obj must be an array, a nested sequence of num"
    ):
        xp.asarray(obj)


@pytest.mark.parametrize(
    "obj",
    [["a"], [None], [object()], [1, "a"], [[{}]], [np.datetime64(1, "s")], [fractions.Fraction(1)]]
    + [np.str_("a"), np.datetime64(1, "s"), np.longdouble(1), np.void(b"a"), [decimal.Decimal(1)]],
    ids=label,
)
def test_values_that_are_no_numbers_raise(obj):
    with pytest.raises(TypeError, match=r"^asarray: obj must hold numbers, got values that NumPy"):
        xp.asarray(obj)


# --------------------------------------------------------------------------------------- keywords

SOURCES = {
    "Array": lambda: xp.asarray([1, 2]),
    "ndarray": lambda: np.array([1, 2]),
    "array": lambda: array.array("q", [1, 2]),
    "DLPack": lambda: FakeProducer(np.array([1, 2])),
    "__array__": lambda: ArrayOnly(np.array([1, 2])),
}


@pytest.mark.parametrize("source", SOURCES)
def test_change_of_dtype_without_a_copy_raises(source):
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the whole text is below
        xp.asarray(SOURCES[source](), dtype="float32", copy=False)
    assert str(caught.value) == (
        "asarray: copy=False cannot be honoured for a change of dtype from int64 to float32; "
        "use copy=None"
    )


@pytest.mark.parametrize("source", SOURCES)
def test_same_dtype_without_a_copy_shares(source):
    check(xp.asarray(SOURCES[source](), dtype="int64", copy=False), np.array([1, 2]))


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("copy", [0, 1, "no", np.True_])
def test_copy_that_is_no_bool_raises(source, copy):
    with pytest.raises(TypeError, match=r"^asarray: copy must be True, False or None, got "):
        xp.asarray(SOURCES[source](), copy=copy)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("device", ["cpu", xp.Device("cpu"), (1, 0), None])
def test_device_that_is_the_own_one_changes_nothing(source, device):
    x = xp.asarray(SOURCES[source](), device=device, copy=False)
    assert x.device == "cpu"


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("device", "error"), [("gpu", ValueError), (3, TypeError)])
def test_device_that_is_none_raises(source, device, error):
    with pytest.raises(error, match=r"^asarray: device must be "):
        xp.asarray(SOURCES[source](), device=device)


def test_keywords_are_keywords_only():
    with pytest.raises(TypeError):
        xp.asarray([1], xp.float32)
