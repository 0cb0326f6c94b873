"""Groups 3, 9 and 10: every dtype and layout to and from the other libraries, by its memory."""

import operator

import numpy as np
import pytest
from fake_producer import READ_ONLY, ExchangeTable, FakeProducer, delete, peek, peek_address
from gpu import ON_DOUBLE, cp, delay, new_stream, on_double_only, on_gpu_only
from libraries import LIBRARIES, library_of
from races import WRITTEN, N, check_stale, cupy_view, late, view_of
from samples import DTYPES, values

import xpdl as xp

CUDA = "cuda:0"
BOTH_WAYS = [*LIBRARIES, "cupy"]


def on_gpu(host):
    return xp.asarray(host).to_device(CUDA)


def take_in(library, x):
    """What a library makes of an Array; skips for a dtype that it does not have."""
    try:
        return library.from_dlpack(x)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        if any(name in str(error).lower() for name in ("dtype", "type code", "unsupported")):
            pytest.skip(f"{library.name} refuses {x.dtype}: {error}")
        raise


# ----------------------------------------------------------------------------------------- dtypes


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", BOTH_WAYS)
def test_values_of_each_dtype_go_out_and_come_back(name, dtype):
    library = library_of(name)
    host = values(dtype, (2, 3))
    x = on_gpu(host)
    tensor = take_in(library, x)
    assert library.pointer(tensor) == view_of(x).data.ptr
    np.testing.assert_array_equal(library.values(tensor), host)
    y = xp.from_dlpack(tensor)
    assert (y.device, y.dtype, y.shape) == (CUDA, x.dtype, (2, 3))
    assert peek(y.__dlpack__(max_version=(1, 0))).pointer == library.pointer(tensor)
    np.testing.assert_array_equal(np.asarray(y.to_device("cpu")), host)
    assert y.readonly is library.immutable


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "int4"])
def test_dtypes_of_ml_dtypes_go_out_and_come_back(name):
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    host = np.arange(-4, 4).astype(getattr(ml_dtypes, name))
    x = on_gpu(host)
    assert (x.device, x.dtype) == (CUDA, host.dtype)
    y = xp.from_dlpack(x.__dlpack__(max_version=(1, 0)))
    assert (y.device, y.dtype) == (CUDA, host.dtype)
    assert y.to_device("cpu").tolist() == host.tolist()
    assert (x[2:5].to_device("cpu")).tolist() == host[2:5].tolist()


def test_bfloat16_goes_to_torch_and_back():
    pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    library = library_of("torch")
    x = xp.astype(xp.asarray([1.0, -2.5], device=CUDA), xp.bfloat16)
    y = xp.from_dlpack(library.from_dlpack(x))
    assert y.dtype == xp.bfloat16
    assert xp.astype(y, "float32").tolist() == [1.0, -2.5]


# ----------------------------------------------------------------------------------------- layouts

LAYOUTS = {
    "0-d": lambda x: xp.sum(x),
    "row": lambda x: x[1],
    "offset": lambda x: x[1:, 1:],
    "strided": lambda x: x[::2, 1::2],
    "transposed": lambda x: x.T,
    "empty": lambda x: x[:0],
    "new axis": lambda x: x[:, None],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", BOTH_WAYS)
def test_each_layout_goes_out_and_comes_back(name, layout):
    library = library_of(name)
    x = LAYOUTS[layout](on_gpu(values("float32", (3, 4))))
    if library.name == "jax" and not ON_DOUBLE and layout in ("offset", "strided", "transposed"):
        pytest.skip("JAX takes only compact arrays in row-major order")
    tensor = library.from_dlpack(x)
    expected = np.asarray(x.to_device("cpu"))
    np.testing.assert_array_equal(library.values(tensor), expected)
    y = xp.from_dlpack(tensor)
    assert y.shape == x.shape
    np.testing.assert_array_equal(np.asarray(y.to_device("cpu")), expected)
    if x.size and library.name != "jax":  # which may copy for its own alignment
        assert library.pointer(tensor) == view_of(x).data.ptr


def test_negative_strides_and_broadcasts_go_out_as_they_are():
    x = on_gpu(values("float32", (3, 4)))
    seen = peek(x[::-1].__dlpack__(max_version=(1, 0)))
    assert (seen.shape, seen.strides) == ((3, 4), (-4, 1))
    assert seen.pointer == view_of(x).data.ptr + 32
    seen = peek(xp.broadcast_to(x[0], (2, 4)).__dlpack__(max_version=(1, 0)))
    assert (seen.shape, seen.strides) == ((2, 4), (0, 1))
    y = xp.from_dlpack(x[::-1].__dlpack__(max_version=(1, 0)))
    assert y.tolist() == x[::-1].tolist()


@pytest.mark.parametrize("version", [None, (1, 0), (1, 3)])
def test_capsule_has_the_version_asked_for(version):
    x = on_gpu(np.arange(6, dtype="int16").reshape(2, 3))
    seen = peek(x[:, 1:].__dlpack__(max_version=version))
    assert seen.kind == ("legacy" if version is None else "versioned")
    assert (seen.device, seen.dtype, seen.shape) == ((2, 0), (0, 16, 1), (2, 2))
    assert (seen.strides, seen.byte_offset) == ((3, 1), 0)
    assert seen.pointer == view_of(x).data.ptr + 2
    assert x.__dlpack_device__() == (2, 0)


def test_empty_array_has_no_address():
    seen = peek(xp.zeros((0, 3), device=CUDA).__dlpack__(max_version=(1, 0)))
    assert (seen.data, seen.shape, seen.device) == (None, (0, 3), (2, 0))


def test_exchange_table_hands_over_an_array_on_cuda():
    table = ExchangeTable(xp.Array)
    x = on_gpu(np.arange(4.0))
    address = table.from_py(x)
    seen = peek_address(address)
    assert (seen.device, seen.pointer) == ((2, 0), view_of(x).data.ptr)
    y = table.to_py(address)
    assert type(y) is xp.Array
    assert (y.device, y.tolist()) == (CUDA, [0.0, 1.0, 2.0, 3.0])
    borrowed = table.dltensor(x)
    assert borrowed.data == view_of(x).data.ptr
    assert (borrowed.device.device_type, borrowed.device.device_id) == (2, 0)
    del y


def test_readonly_array_in_the_exchange_table():
    table = ExchangeTable(xp.Array)
    x = xp.broadcast_to(on_gpu(np.ones(1)), (3,))
    assert x.readonly
    address = table.from_py(x)
    assert peek_address(address).flags & READ_ONLY
    delete(address)
    with pytest.raises(BufferError, match="read-only"):
        table.dltensor(x)


# ------------------------------------------------------------------------------- writes, both sides


@pytest.mark.parametrize("name", [name for name in BOTH_WAYS if name != "jax"])
def test_writes_are_seen_on_both_sides(name):
    library = library_of(name)
    x = on_gpu(np.zeros(4, "float32"))
    tensor = library.from_dlpack(x)
    x[1] = 5
    assert library.values(tensor).tolist() == [0, 5, 0, 0]
    library.write(tensor, 3.0)
    library.values(tensor)
    assert x.tolist() == [3.0] * 4
    y = xp.from_dlpack(tensor)
    y += 1
    assert x.tolist() == [4.0] * 4


def test_copy_shares_nothing():
    x = on_gpu(np.zeros(4, "float32"))
    y = xp.from_dlpack(x, copy=True)
    y[...] = 1
    assert (x.tolist(), y.tolist()) == ([0.0] * 4, [1.0] * 4)
    with pytest.raises(BufferError):
        xp.from_dlpack(x, device="cpu", copy=False)


# ------------------------------------------------------------------------------------- read-only


def readonly_arrays():
    x = on_gpu(np.arange(3.0))
    producer = FakeProducer(np.arange(3.0), flags=READ_ONLY, device=(2, 0),
                            data=view_of(x).data.ptr)
    yield x, xp.from_dlpack(producer)
    yield x, xp.from_dlpack(xp.ReadOnlyWrapper(x))
    if "jax" in LIBRARIES:
        yield None, xp.from_dlpack(library_of("jax").full((3,), 1.0, "float64"))


def test_readonly_array_cannot_be_written():
    for keep, x in readonly_arrays():
        for view in (x, x[1:], x[None], xp.reshape(x, (3, 1)), xp.flip(x)):
            assert view.readonly
            with pytest.raises(ValueError, match="read-only"):
                view[...] = 1
            with pytest.raises(ValueError, match="read-only"):
                operator.iadd(view, 1)
        assert not (x + 1).readonly
        assert not x.copy().readonly
        assert peek(x.__dlpack__(max_version=(1, 0))).flags & READ_ONLY
        with pytest.raises(BufferError, match="read-only"):
            x.__dlpack__()
        assert peek(x.__dlpack__(copy=True)).kind == "legacy"
        assert x.__cuda_array_interface__["data"][1] is True
        assert keep is None or not keep.readonly


# ----------------------------------------------------------------------- __cuda_array_interface__


def test_cuda_array_interface_describes_the_array():
    x = on_gpu(np.arange(6, dtype="float32").reshape(2, 3))
    interface = x.__cuda_array_interface__
    assert interface["version"] == 3
    assert (interface["shape"], interface["typestr"]) == ((2, 3), "<f4")
    assert interface["data"] == (view_of(x).data.ptr, False)
    assert interface.get("strides") in (None, (12, 4))
    assert x.T.__cuda_array_interface__["strides"] == (4, 12)
    assert interface["stream"] in (1, None)
    with cp.cuda.Stream(non_blocking=True) as stream:
        assert x.__cuda_array_interface__["stream"] == stream.ptr
    assert not hasattr(xp.ones(2), "__cuda_array_interface__")


class Interface:
    """An object with nothing but the CUDA array interface."""

    def __init__(self, x, **changes):
        self.x = x
        self.interface = x.__cuda_array_interface__ | changes

    @property
    def __cuda_array_interface__(self):
        return self.interface


def test_cuda_array_interface_is_taken_in():
    x = on_gpu(np.arange(6, dtype="float32").reshape(2, 3))
    y = xp.asarray(Interface(x.T))
    assert (y.device, y.shape, view_of(y).data.ptr) == (CUDA, (3, 2), view_of(x).data.ptr)
    assert y.tolist() == x.T.tolist()
    z = xp.asarray(Interface(x, data=(view_of(x).data.ptr, True)))
    assert z.readonly
    assert cp.asarray(x).data.ptr == view_of(x).data.ptr


def test_cuda_array_interface_orders_by_its_stream():
    work = new_stream()
    for stream in (None, work.ptr):
        x = late(work)
        with work:
            interface = Interface(x)
        assert interface.__cuda_array_interface__["stream"] == work.ptr
        interface.interface["stream"] = stream
        with new_stream():
            value = (xp.asarray(interface) + 0)[0].item()
        if stream is None:
            check_stale(value)
        else:
            assert value == WRITTEN
        work.synchronize()


@on_gpu_only
def test_numba_takes_and_gives_arrays():
    numba_cuda = pytest.importorskip("numba.cuda", reason="needs numba-cuda")
    x = on_gpu(np.arange(4.0))
    view = numba_cuda.as_cuda_array(x)
    assert view.copy_to_host().tolist() == [0.0, 1.0, 2.0, 3.0]
    y = xp.asarray(numba_cuda.to_device(np.arange(3.0)))
    assert (y.device, y.tolist()) == (CUDA, [0.0, 1.0, 2.0])


@on_gpu_only
def test_tvm_ffi_takes_and_gives_arrays():
    tvm_ffi = pytest.importorskip("tvm_ffi", reason="needs apache-tvm-ffi")
    x = on_gpu(np.arange(4.0))
    y = xp.from_dlpack(tvm_ffi.from_dlpack(x))
    assert (y.device, y.tolist(), view_of(y).data.ptr) == (
        CUDA, [0.0, 1.0, 2.0, 3.0], view_of(x).data.ptr)


@on_gpu_only
def test_pinned_tensor_of_torch_is_an_array_of_the_host():
    library = library_of("torch")
    tensor = library.torch.arange(3.0).pin_memory()
    x = xp.from_dlpack(tensor)
    assert (x.device, x.tolist()) == ("cpu", [0.0, 1.0, 2.0])
    assert x.to_device(CUDA).tolist() == [0.0, 1.0, 2.0]


@on_gpu_only
def test_torch_refuses_negative_strides():
    library = library_of("torch")
    with pytest.raises((BufferError, RuntimeError, ValueError)):
        library.from_dlpack(on_gpu(np.arange(3.0))[::-1])


# ------------------------------------------------------------------------------- managed and pinned


def managed_array(n=4):
    """A CuPy array in managed memory."""
    with cp.cuda.using_allocator(cp.cuda.malloc_managed):
        return cp.full(n, 2, "float32")


def test_managed_memory_keeps_its_type():
    tensor = managed_array()
    x = xp.from_dlpack(tensor)
    assert x.device == CUDA
    assert x.__dlpack_device__()[0] == 13
    assert peek(x.__dlpack__(max_version=(1, 0))).device[0] == 13
    assert peek((x + 1).__dlpack__(max_version=(1, 0))).device == (2, 0)
    y = xp.from_dlpack(x.__dlpack__(max_version=(1, 0)))
    assert (y.device, y.tolist()) == (CUDA, [2.0] * 4)


def test_memory_made_by_an_allocator_for_managed_memory_is_managed():
    with cp.cuda.using_allocator(cp.cuda.malloc_managed):
        x = xp.ones(4, device=CUDA)
    assert x.__dlpack_device__()[0] == 13


@pytest.mark.parametrize("device", [(3, 0), (1, 0)])
def test_pinned_memory_is_an_array_of_the_host(device):
    pinned = cp.cuda.alloc_pinned_memory(32)
    host = np.frombuffer(pinned, "float64", 4)
    host[:] = 3
    x = xp.from_dlpack(FakeProducer(host, device=device))
    assert x.device == "cpu"
    assert x.__dlpack_device__() == device
    assert x.to_device(CUDA).tolist() == [3.0] * 4


def test_pinned_memory_written_after_a_copy_does_not_change_the_copy():
    pinned = cp.cuda.alloc_pinned_memory(4 * N)
    host = np.frombuffer(pinned, "float32", N)
    for convert in (
        lambda: xp.asarray(host, device=CUDA),
        lambda: xp.from_dlpack(FakeProducer(host, device=(3, 0)), device=CUDA),
        lambda: xp.asarray(host).to_device(CUDA),
    ):
        host[:] = 1
        with new_stream():
            delay()
            x = convert()
            host[:] = -1
            assert x.tolist()[0] == 1


# ------------------------------------------------------------------------------------- the way in


@on_double_only
def test_import_runs_no_kernel_and_allocates_nothing():
    from cupy_double import machine

    library = library_of("torch")
    tensor = library.full(4, 1.0)
    start = len(machine.gpu.log)
    xp.from_dlpack(tensor)
    assert {entry.kind for entry in machine.gpu.log[start:]} <= {"record", "wait"}


def test_capsule_is_consumed_once():
    capsule = on_gpu(np.ones(2)).__dlpack__(max_version=(1, 0))
    xp.from_dlpack(capsule)
    with pytest.raises(BufferError, match="consumed"):
        xp.from_dlpack(capsule)


def test_array_that_comes_back_is_kept_by_what_it_was_made_of():
    x = on_gpu(np.arange(3.0))
    for _ in range(1000):
        x = xp.from_dlpack(x.__dlpack__(max_version=(1, 0)))
    assert x.tolist() == [0.0, 1.0, 2.0]


def test_memory_of_a_host_library_is_copied_over():
    x = xp.from_dlpack(np.arange(3.0), device=CUDA)
    assert (x.device, x.tolist()) == (CUDA, [0.0, 1.0, 2.0])
    view = cupy_view(view_of(x).data.ptr, dtype="float64", shape=(3,))
    assert view.get().tolist() == [0.0, 1.0, 2.0]
