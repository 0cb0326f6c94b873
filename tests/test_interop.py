"""Arrays of real libraries, in and out: dtypes, layouts, memory, writes, lifetimes."""

import gc
import weakref

import numpy as np
import pytest
from fake_producer import READ_ONLY, SUBBYTE_PADDED, FakeProducer, peek, stray_deletions

import xpdl as xp

DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _no_deleter_is_called_twice():
    yield
    assert stray_deletions() == []


def exported_pointer(x):
    return peek(x.__dlpack__(max_version=(1, 0))).pointer


class NumPy:
    """What the tests need of a library: arrays from NumPy's, in, out, and where they are."""

    immutable = False

    def make(self, a):
        return a.copy()

    def from_dlpack(self, x):
        return np.from_dlpack(x)

    def to_numpy(self, y):
        return y

    def pointer(self, y):
        return y.ctypes.data

    def write(self, y, value):
        y[0] = value


class Torch:
    immutable = False

    def __init__(self):
        self.torch = pytest.importorskip("torch", reason="needs torch")

    def make(self, a):
        return self.torch.from_numpy(a.copy())

    def from_dlpack(self, x):
        return self.torch.from_dlpack(x)

    def to_numpy(self, y):
        return y.numpy()

    def pointer(self, y):
        return y.data_ptr()

    def write(self, y, value):
        y[0] = value


class Jax:
    immutable = True

    def __init__(self):
        self.jax = pytest.importorskip("jax", reason="needs jax")

    def make(self, a):
        return self.jax.numpy.array(a)

    def from_dlpack(self, x):
        return self.jax.numpy.from_dlpack(x)

    def to_numpy(self, y):
        return np.asarray(y)

    def pointer(self, y):
        return y.unsafe_buffer_pointer()


class TvmFfi:
    immutable = False

    def __init__(self):
        self.tvm_ffi = pytest.importorskip("tvm_ffi", reason="needs apache-tvm-ffi")

    def make(self, a):
        return self.tvm_ffi.from_dlpack(a.copy())

    def from_dlpack(self, x):
        return self.tvm_ffi.from_dlpack(x)

    def to_numpy(self, y):
        return np.from_dlpack(y)

    def pointer(self, y):
        return exported_pointer(y)

    def write(self, y, value):
        np.from_dlpack(y)[0] = value


class Strict:
    immutable = False

    def __init__(self):
        self.strict = pytest.importorskip("array_api_strict", reason="needs array-api-strict")

    def make(self, a):
        return self.strict.asarray(a.copy())

    def from_dlpack(self, x):
        return self.strict.from_dlpack(x)

    def to_numpy(self, y):
        return np.from_dlpack(y)

    def pointer(self, y):
        return exported_pointer(y)

    def write(self, y, value):
        y[0] = value


LIBRARIES = {"numpy": NumPy, "torch": Torch, "jax": Jax, "tvm-ffi": TvmFfi, "strict": Strict}


@pytest.fixture(params=LIBRARIES)
def library(request):
    found = LIBRARIES[request.param]()
    if request.param != "jax":
        yield found
        return
    before = found.jax.config.jax_enable_x64
    found.jax.config.update("jax_enable_x64", True)
    yield found
    found.jax.config.update("jax_enable_x64", before)


def values(dtype, size=16):
    """Aligned to 64 bytes, which jax needs to share memory."""
    buffer = np.zeros(size * 16 + 64, np.uint8)
    start = -buffer.ctypes.data % 64
    a = buffer[start : start + size * np.dtype(dtype).itemsize].view(dtype)
    a[...] = (np.arange(size) % 2 == 0) if dtype == "bool" else np.arange(size)
    if a.dtype.kind == "c":
        a += 1j
    return a


# -- dtypes, both ways


@pytest.mark.parametrize("dtype", [*DTYPES, "float16"])
def test_import_of_a_library_shares_the_memory(library, dtype):
    if dtype == "float16" and isinstance(library, Strict):
        pytest.skip("array-api-strict has no float16")
    a = values(dtype)
    y = library.make(a)
    x = xp.from_dlpack(y)
    assert (x.dtype, x.shape, x.readonly) == (a.dtype, a.shape, library.immutable)
    assert x.tolist() == a.tolist()
    assert exported_pointer(x) == library.pointer(y)


@pytest.mark.parametrize("dtype", [*DTYPES, "float16"])
def test_export_to_a_library_shares_the_memory(library, dtype):
    if dtype == "float16" and isinstance(library, Strict):
        pytest.skip("array-api-strict has no float16")
    a = values(dtype)
    x = xp.from_dlpack(a)
    y = library.from_dlpack(x)
    assert tuple(y.shape) == (16,)
    assert library.pointer(y) == a.ctypes.data
    got = library.to_numpy(y)
    assert (got.dtype, got.tolist()) == (a.dtype, a.tolist())


@pytest.mark.parametrize("dtype", DTYPES)
def test_round_trip_through_a_library_shares_the_memory(library, dtype):
    x = xp.from_dlpack(values(dtype))
    z = xp.from_dlpack(library.from_dlpack(x))
    assert (z.dtype, z.tolist()) == (x.dtype, x.tolist())
    assert exported_pointer(z) == exported_pointer(x)


# -- writes


def test_write_through_the_import_is_seen_by_the_library(library):
    y = library.make(values("float32"))
    x = xp.from_dlpack(y)
    if library.immutable:
        with pytest.raises(ValueError, match="read-only"):
            x[0] = -1.0
        assert library.to_numpy(y)[0] == 0.0
    else:
        x[0] = -1.0
        assert library.to_numpy(y)[0] == -1.0


def test_write_by_the_library_is_seen_through_the_import(library):
    if library.immutable:
        pytest.skip("its arrays are immutable")
    y = library.make(values("float32"))
    x = xp.from_dlpack(y)
    library.write(y, -1.0)
    assert x[0].item() == -1.0


def test_write_to_the_array_is_seen_by_the_library_it_was_exported_to(library):
    x = xp.from_dlpack(values("float32"))
    y = library.from_dlpack(x)
    x[0] = -1.0
    assert library.to_numpy(y)[0] == -1.0
    if library.immutable or not library.to_numpy(y).flags.writeable:
        return  # NumPy before 2.2.5 imports read-only whatever it is handed
    library.write(y, -2.0)
    assert x[0].item() == -2.0


def test_write_to_a_copy_is_not_seen(library):
    y = library.make(values("float32"))
    x = xp.from_dlpack(y, copy=True)
    assert not x.readonly
    x[0] = -1.0
    assert library.to_numpy(y)[0] == 0.0


# -- lifetimes


def test_import_outlives_the_librarys_array_and_then_frees_it(library):
    producer = FakeProducer(values("float32"), versioned=None)
    y = library.from_dlpack(producer)
    x = xp.from_dlpack(y)
    del y
    gc.collect()
    assert (producer.deleted, x.tolist()[:3]) == (0, [0.0, 1.0, 2.0])
    del x
    gc.collect()
    assert producer.settle() == producer.made


def test_export_outlives_the_array_and_then_frees_it(library):
    producer = FakeProducer(values("float32"), versioned=None)
    x = xp.from_dlpack(producer)
    y = library.from_dlpack(x)
    del x
    gc.collect()
    assert producer.deleted == 0
    assert library.to_numpy(y)[:3].tolist() == [0.0, 1.0, 2.0]
    del y
    gc.collect()
    assert producer.deleted == 1


def test_import_of_torch_keeps_the_storage_alive():
    torch = pytest.importorskip("torch", reason="needs torch")
    a = np.arange(4.0)
    alive = weakref.ref(a)
    x = xp.from_dlpack(torch.from_numpy(a))
    del a
    gc.collect()
    assert alive() is not None
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0]
    del x
    gc.collect()
    assert alive() is None


# -- chains and capsules


def test_chain_of_three_imports_shares_one_memory(library):
    a = values("float32")
    x = xp.from_dlpack(a)
    y = library.from_dlpack(x)
    z = xp.from_dlpack(y)
    w = np.from_dlpack(z) if not z.readonly else np.from_dlpack(xp.ReadOnlyWrapper(z))
    a[0] = 42.0
    assert (x[0].item(), z[0].item(), w[0]) == (42.0, 42.0, 42.0)
    assert w.ctypes.data == a.ctypes.data


def test_capsule_of_an_array_imports_in_the_old_style():
    x = xp.asarray([1.0, 2.0])
    y = xp.from_dlpack(xp.to_dlpack(x))
    y[0] = 9.0
    assert x.tolist() == [9.0, 2.0]


def test_capsule_consumed_twice_is_an_error():
    capsule = xp.to_dlpack(xp.asarray([1.0, 2.0]))
    x = xp.from_dlpack(capsule)
    with pytest.raises(BufferError, match="already consumed"):
        xp.from_dlpack(capsule)
    assert x.tolist() == [1.0, 2.0]


def test_capsules_of_torch_in_the_old_style_both_ways():
    dlpack = pytest.importorskip("torch.utils.dlpack", reason="needs torch")
    torch = pytest.importorskip("torch")
    t = torch.arange(4)
    x = xp.from_dlpack(dlpack.to_dlpack(t))
    x[:2] = -1
    assert t.tolist() == [-1, -1, 2, 3]
    back = dlpack.from_dlpack(xp.to_dlpack(x))
    assert back.data_ptr() == t.data_ptr()


def test_torch_documentation_examples_hold():
    torch = pytest.importorskip("torch", reason="needs torch")
    t = torch.arange(4)
    # the memory is shared, whichever side writes
    x = xp.from_dlpack(t)
    x[:2] = -1
    assert t.tolist() == [-1, -1, 2, 3]
    t[:2] = 7
    assert x.tolist() == [7, 7, 2, 3]
    # the old style, and a capsule is used up by its import
    capsule = xp.to_dlpack(t)
    y = xp.from_dlpack(capsule)
    y[0] = 9
    assert t[0].item() == 9
    with pytest.raises(BufferError, match="already consumed"):
        xp.from_dlpack(capsule)


# -- layouts

LAYOUTS = {
    "strided": lambda a: a[::2, ::3],
    "transposed": lambda a: a.T,
    "one column": lambda a: a[:, 1],
    "offset": lambda a: a[1:, 2:],
    "0-d": lambda a: a[1, 1],
    "size 0": lambda a: a[:0],
    "new axis": lambda a: a[:, None],
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_layout_of_torch_is_kept_both_ways(layout):
    torch = pytest.importorskip("torch", reason="needs torch")
    full = torch.arange(24.0).reshape(4, 6)
    t = layout(full)
    x = xp.from_dlpack(t)
    assert (x.shape, x.tolist()) == (tuple(t.shape), t.tolist())
    back = torch.from_dlpack(x)
    assert (tuple(back.shape), back.tolist()) == (tuple(t.shape), t.tolist())
    if t.numel():
        assert exported_pointer(x) == t.data_ptr() == back.data_ptr()
        assert back.stride() == t.stride() or 1 in t.shape


@pytest.mark.parametrize("layout", [*LAYOUTS, "reversed", "broadcast"])
def test_layout_of_numpy_is_kept_both_ways(layout):
    a = np.arange(24.0).reshape(4, 6)
    a = {
        **LAYOUTS, "reversed": lambda a: a[::-1, ::-2], "broadcast": lambda a: a[None] + np.zeros(1)
    }[layout](a)  # fmt: skip
    x = xp.from_dlpack(np.asarray(a))
    assert (x.shape, x.tolist()) == (a.shape, a.tolist())
    back = np.from_dlpack(x)
    assert (back.shape, back.tolist()) == (a.shape, a.tolist())


@pytest.mark.parametrize("layout", ["0-d", "size 0", "transposed"])
def test_layout_of_jax_is_kept(layout):
    jnp = pytest.importorskip("jax.numpy", reason="needs jax")
    y = LAYOUTS[layout](jnp.arange(24, dtype=jnp.float32).reshape(4, 6))
    x = xp.from_dlpack(y)
    assert (x.shape, x.tolist()) == (y.shape, y.tolist())


def test_layout_with_negative_strides_goes_to_torch_as_a_copy():
    torch = pytest.importorskip("torch", reason="needs torch")
    x = xp.flip(xp.asarray([1.0, 2.0, 3.0]))
    assert torch.from_dlpack(xp.to_dlpack(x, copy=True)).tolist() == [3.0, 2.0, 1.0]


def test_layout_with_zero_strides_of_torch_comes_in_as_it_is():
    torch = pytest.importorskip("torch", reason="needs torch")
    x = xp.from_dlpack(torch.arange(3.0).expand(2, 3))
    assert (x.shape, x.strides, x.tolist()) == ((2, 3), (0, 4), [[0.0, 1.0, 2.0]] * 2)


# -- read-only


def test_readonly_numpy_comes_in_and_goes_out_readonly():
    a = np.arange(4.0)
    a.flags.writeable = False
    x = xp.from_dlpack(a)
    assert x.readonly
    assert not np.from_dlpack(x).flags.writeable
    assert peek(x.__dlpack__(max_version=(1, 0))).flags == READ_ONLY


def test_readonly_goes_to_jax_as_a_copy():
    jnp = pytest.importorskip("jax.numpy", reason="needs jax")
    a = values("float32")
    a.flags.writeable = False
    x = xp.from_dlpack(a)
    assert jnp.from_dlpack(xp.asarray(x, copy=True)).tolist() == a.tolist()


def test_readonly_array_of_pyarrow_comes_in_readonly_and_shared():
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    a = pyarrow.array([1.0, 2.0, 3.0])
    x = xp.from_dlpack(a)
    assert (x.readonly, x.tolist()) == (True, [1.0, 2.0, 3.0])
    assert exported_pointer(x) == a.buffers()[1].address


@pytest.mark.parametrize("wrap", [lambda x: x, xp.ReadOnlyWrapper], ids=["array", "wrapper"])
def test_export_to_a_tensor_of_pyarrow_is_mutable_unless_wrapped(wrap):
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    y = pyarrow.Tensor.from_dlpack(wrap(x))
    assert y.is_mutable is (wrap is not xp.ReadOnlyWrapper)
    assert (y.to_numpy().tolist(), exported_pointer(y)) == (x.tolist(), exported_pointer(x))


# -- the dtypes of ml_dtypes

ML_TYPES = {
    "bfloat16": (4, 16),
    "float8_e3m4": (7, 8),
    "float8_e4m3": (8, 8),
    "float8_e4m3b11fnuz": (9, 8),
    "float8_e4m3fn": (10, 8),
    "float8_e4m3fnuz": (11, 8),
    "float8_e5m2": (12, 8),
    "float8_e5m2fnuz": (13, 8),
    "float8_e8m0fnu": (14, 8),
}
SUBBYTE = {
    "float6_e2m3fn": (15, 6),
    "float6_e3m2fn": (16, 6),
    "float4_e2m1fn": (17, 4),
    "int4": (0, 4),
    "uint4": (1, 4),
    "int2": (0, 2),
    "uint2": (1, 2),
}


def ml_dtype(name):
    return np.dtype(getattr(pytest.importorskip("ml_dtypes", reason="needs ml_dtypes"), name))


@pytest.mark.parametrize(("name", "code"), ML_TYPES.items())
@pytest.mark.parametrize("versioned", [True, False])
def test_ml_dtype_of_whole_bytes_comes_in_and_goes_out_without_a_copy(name, code, versioned):
    dtype = ml_dtype(name)
    count = 256 if code[1] == 8 else 65536
    a = np.arange(count).astype(f"u{code[1] // 8}")
    x = xp.from_dlpack(FakeProducer(a, dtype=(*code, 1), versioned=versioned))
    assert x.dtype == dtype
    found = peek(x.__dlpack__(max_version=(1, 3)))
    assert (found.dtype, found.data, found.flags) == ((*code, 1), a.ctypes.data, 0)
    assert np.array_equal(np.asarray(x).view(a.dtype), a)


@pytest.mark.parametrize(("name", "code"), SUBBYTE.items())
def test_ml_dtype_below_a_byte_padded_comes_in_and_goes_out_without_a_copy(name, code):
    dtype = ml_dtype(name)
    a = np.arange(2 ** code[1]).astype(np.uint8)
    producer = FakeProducer(a, dtype=(*code, 1), flags=SUBBYTE_PADDED)
    x = xp.from_dlpack(producer)
    assert (x.dtype, exported_pointer(x)) == (dtype, a.ctypes.data)
    found = peek(x.__dlpack__(max_version=(1, 3)))
    assert (found.dtype, found.flags) == ((*code, 1), SUBBYTE_PADDED)
    assert np.array_equal(np.asarray(x).view(np.uint8), a)


@pytest.mark.parametrize(("name", "code"), SUBBYTE.items())
@pytest.mark.parametrize("versioned", [True, False])
def test_ml_dtype_below_a_byte_packed_is_unpacked(name, code, versioned):
    dtype = ml_dtype(name)
    bits = code[1]
    raw = np.arange(2**bits).astype(np.uint8)
    spread = np.unpackbits(raw[:, None], axis=1, count=bits, bitorder="little")
    packed = np.packbits(spread, bitorder="little")
    producer = FakeProducer(
        packed, dtype=(*code, 1), shape=raw.shape, strides=(1,), versioned=versioned
    )
    x = xp.from_dlpack(producer)
    assert (x.dtype, x.readonly, producer.deleted) == (dtype, False, 1)
    signed = raw.astype(np.int8) << (8 - bits) >> (8 - bits) if name.startswith("int") else raw
    expected = signed.astype(np.int8).astype(dtype) if "int" in name else raw.view(dtype)
    got = np.asarray(x)
    assert np.array_equal(got.astype(np.float32), expected.astype(np.float32), equal_nan=True)


@pytest.mark.parametrize("name", SUBBYTE)
def test_ml_dtype_below_a_byte_packed_with_copy_false_is_refused(name):
    ml_dtype(name)
    producer = FakeProducer(
        np.zeros(8, np.uint8), dtype=(*SUBBYTE[name], 1), shape=(4,), strides=(1,)
    )
    with pytest.raises(xp.dlpack.CopyRequiredError, match="packed"):
        xp.from_dlpack(producer, copy=False)
    assert producer.deleted == 1


@pytest.mark.parametrize(
    "name", ["bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"]
)
def test_ml_dtype_of_torch_shares_the_memory_both_ways(name):
    torch = pytest.importorskip("torch", reason="needs torch")
    dtype = ml_dtype(name)
    t = torch.arange(4.0).to(getattr(torch, name))
    x = xp.from_dlpack(t)
    assert (x.dtype, exported_pointer(x)) == (dtype, t.data_ptr())
    assert np.asarray(x).astype(np.float32).tolist() == [0.0, 1.0, 2.0, 3.0]
    back = torch.from_dlpack(x)
    assert (back.dtype, back.data_ptr()) == (t.dtype, t.data_ptr())


@pytest.mark.parametrize("name", ML_TYPES)
def test_ml_dtype_of_jax_shares_the_memory_both_ways(name):
    jnp = pytest.importorskip("jax.numpy", reason="needs jax")
    dtype = ml_dtype(name)
    y = jnp.ones(64, dtype=dtype)
    x = xp.from_dlpack(y)
    assert (x.dtype, x.readonly, exported_pointer(x)) == (dtype, True, y.unsafe_buffer_pointer())
    back = jnp.from_dlpack(xp.from_dlpack(y, copy=True))
    assert (back.dtype, back.tolist()) == (y.dtype, y.tolist())


def test_ml_dtype_of_numpy_comes_in_and_goes_to_torch():
    torch = pytest.importorskip("torch", reason="needs torch")
    a = np.arange(4.0).astype(ml_dtype("bfloat16"))
    t = torch.from_dlpack(xp.from_dlpack(a))
    assert (t.dtype, t.data_ptr()) == (torch.bfloat16, a.ctypes.data)
