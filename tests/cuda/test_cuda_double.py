"""Group 17: what the double of CuPy claims about CuPy, on whichever of the two is here.

The same verdicts on both are what makes the tests on the double worth something.
"""

import contextlib
import inspect
import threading

import numpy as np
import pytest
from gpu import (
    DEVICES,
    LATE,
    ON_DOUBLE,
    cold_stream,
    cp,
    delay,
    new_stream,
    on_double_only,
    two_devices,
    warm_up,
)
from programs import run_program

Device, Stream, Event = cp.cuda.Device, cp.cuda.Stream, cp.cuda.Event
get_current_stream = cp.cuda.get_current_stream
runtime = cp.cuda.runtime
CUDARuntimeError = runtime.CUDARuntimeError

N = 1 << 16


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    x = cp.zeros(N, "float32")
    pinned = cp.asarray(np.ones(N, "float32"))  # a block for staging memory
    warm_up(
        pinned.get, lambda: x.fill(1), lambda: x + 1, lambda: x + 0, x.copy, lambda: delay(1))


def written_late(stream, value=1):
    """An array of ones, written on a stream after a delay; until then it holds -1."""
    x = cp.full(N, -1, "float32")
    Device().synchronize()
    with stream:
        delay()
        x.fill(value)
    return x


def read_on(stream, x):
    """The first element of x + 0, computed on a stream."""
    with stream:
        y = x + 0
    stream.synchronize()
    return float(y.get()[0])


# ------------------------------------------------------------------------------------------ streams


def test_streams_without_an_event_read_unfinished_data():
    a, b = new_stream(), new_stream()
    found = read_on(b, written_late(a))
    assert found == -1 if LATE else found in (-1, 1)


def test_event_orders_two_streams():
    a, b = new_stream(), new_stream()
    x = written_late(a)
    b.wait_event(a.record())
    assert read_on(b, x) == 1


def test_event_orders_only_what_was_queued_before_it():
    a, b = new_stream(), new_stream()
    x = cp.full(N, -1, "float32")
    Device().synchronize()
    event = a.record()
    with a:
        delay()
        x.fill(1)
    b.wait_event(event)
    found = read_on(b, x)
    assert found == -1 if LATE else found in (-1, 1)


def test_default_stream_and_blocking_stream_wait_for_each_other():
    blocking = Stream()
    assert read_on(Stream.null, written_late(blocking)) == 1
    assert read_on(blocking, written_late(Stream.null)) == 1


def test_default_stream_and_non_blocking_stream_do_not_wait():
    a = new_stream()
    found = read_on(Stream.null, written_late(a))
    assert found == -1 if LATE else found in (-1, 1)
    a.synchronize()
    found = read_on(a, written_late(Stream.null))
    assert found == -1 if LATE else found in (-1, 1)


def test_per_thread_default_stream_waits_for_the_legacy_one():
    assert read_on(Stream.null, written_late(Stream.ptds)) == 1
    assert read_on(Stream.ptds, written_late(Stream.null)) == 1


def test_stream_from_external_is_the_same_stream():
    a = new_stream()

    class Foreign:
        def __cuda_stream__(self):
            return 0, a.ptr

    b = Stream.from_external(Foreign())
    assert (b.ptr, b.device_id) == (a.ptr, -1)
    assert read_on(b, written_late(a)) == 1
    assert Stream.null.ptr == 0
    assert Stream.ptds.ptr == 2
    assert Stream.from_external(a).ptr == a.ptr


def test_current_stream_is_one_of_each_thread():
    a = new_stream()
    found = []
    with a:
        thread = threading.Thread(target=lambda: found.append(get_current_stream().ptr))
        thread.start()
        thread.join()
        assert get_current_stream().ptr == a.ptr
    assert found == [0]
    assert get_current_stream().ptr == 0


@on_double_only  # the driver may follow a handle that was never a stream
def test_unknown_handle_is_refused():
    class Foreign:
        def __cuda_stream__(self):
            return 0, 12345

    with Stream.from_external(Foreign()), pytest.raises(CUDARuntimeError) as caught:
        cp.zeros(1)
    assert caught.value.status == 400


def test_event_is_done_when_its_work_is():
    a = new_stream()
    written_late(a)
    event = a.record()
    if LATE:
        assert not event.done
    event.synchronize()
    assert event.done
    assert a.done
    assert Event().done


# ------------------------------------------------------------------------------------------ devices


def test_current_device_is_one_of_each_thread():
    found = []
    with Device(DEVICES - 1):
        thread = threading.Thread(target=lambda: found.append(runtime.getDevice()))
        thread.start()
        thread.join()
        assert runtime.getDevice() == DEVICES - 1
    assert found == [0]


def test_device_that_is_not_there_is_refused_when_it_is_used():
    with pytest.raises(CUDARuntimeError) as caught, Device(DEVICES):
        pass
    assert caught.value.status == 101
    assert runtime.getDevice() == 0


def test_memory_tells_its_device():
    with Device(DEVICES - 1):
        x = cp.zeros(4)
    assert x.device == Device(DEVICES - 1)
    assert x.data.device_id == DEVICES - 1
    attributes = runtime.pointerGetAttributes(x.data.ptr)
    assert (attributes.device, attributes.type) == (DEVICES - 1, runtime.memoryTypeDevice)
    managed = cp.cuda.malloc_managed(8)
    assert runtime.pointerGetAttributes(managed.ptr).type == runtime.memoryTypeManaged
    host = np.zeros(4)
    kind = runtime.pointerGetAttributes(host.ctypes.data).type
    assert kind == runtime.memoryTypeUnregistered
    pinned = cp.cuda.alloc_pinned_memory(64)
    assert runtime.pointerGetAttributes(pinned.ptr).type == runtime.memoryTypeHost


@two_devices
def test_stream_of_another_device_is_refused():
    with Device(1):
        a = new_stream()
    with pytest.raises(RuntimeError), a:
        pass

    class Foreign:
        def __cuda_stream__(self):
            return 0, a.ptr

    with Stream.from_external(Foreign()), pytest.raises(CUDARuntimeError) as caught:
        cp.zeros(4)
    assert caught.value.status == 400


@two_devices
def test_event_of_another_device_is_refused_by_record_and_taken_by_wait():
    event = Event()
    with Device(1):
        a = new_stream()
        with pytest.raises(CUDARuntimeError) as caught:
            a.record(event)
        assert caught.value.status == 400
        a.wait_event(Stream.null.record())
    a.wait_event(event)


@two_devices
def test_copy_to_another_device_is_ordered_by_nothing():
    a = new_stream()
    x = written_late(a)
    with Device(1), new_stream() as b:
        y = x.copy()
        b.synchronize()
        found = float(y.get()[0])
    assert found == -1 if LATE else found in (-1, 1)
    assert y.data.device_id == 1


@two_devices
def test_dlpack_of_cupy_is_ordered_on_the_current_device_only():
    with Device(1):
        a, b = new_stream(), new_stream()
        x = cp.full(N, -1, "float32")
        Device().synchronize()
        with a:
            delay()
            x.fill(1)
        a.use()
    try:
        with contextlib.suppress(CUDARuntimeError):  # a stream of another device may be refused
            x.__dlpack__(stream=b.ptr)
        with Device(1):
            found = read_on(b, x)
            assert found == -1 if LATE else found in (-1, 1)
            x.__dlpack__(stream=b.ptr)
            assert read_on(b, x) == 1
    finally:
        with Device(1):
            Stream.null.use()


# ------------------------------------------------------------------------------------------- memory


def test_pool_reuses_a_block_at_once_on_the_same_stream():
    a = cold_stream()
    with a:
        x = cp.full(N, 1, "float32")
        address = x.data.ptr
        del x
        y = cp.empty(N, "float32")
    assert y.data.ptr == address


def test_pool_keeps_the_blocks_of_streams_apart():
    a, b = cold_stream(), cold_stream()
    with a:
        x = cp.full(N, 1, "float32")
        address = x.data.ptr
        del x
    with b:
        y = cp.empty(N, "float32")
    assert y.data.ptr != address


def test_block_given_back_while_another_stream_needs_it_is_overwritten():
    a, b = cold_stream(), new_stream()
    with a:
        x = cp.full(N, 1, "float32")
    a.synchronize()
    with b:
        delay()
        y = x + 0
    del x
    with a:
        z = cp.full(N, -1, "float32")
    a.synchronize()
    b.synchronize()
    found = float(y.get()[0])
    assert found == -1 if LATE else found != 0
    assert float(z.get()[0]) == -1


def test_block_given_back_on_its_own_stream_is_safe():
    with new_stream() as a:
        delay()
        x = cp.full(N, 1, "float32")
        y = x + 0
        del x
        cp.full(N, -1, "float32")
        a.synchronize()
        assert float(y.get()[0]) == 1


def test_pool_counts():
    pool = cp.get_default_memory_pool()
    before = pool.used_bytes()
    x = cp.empty(1000, "uint8")
    assert pool.used_bytes() - before == 1024
    del x
    assert pool.used_bytes() == before
    assert pool.total_bytes() >= 1024


def test_unowned_memory_keeps_its_owner():
    class Owner:
        pass

    x = cp.full(6, 7, "int16")
    owner = Owner()
    alive = [True]
    import weakref

    weakref.finalize(owner, alive.clear)
    memory = cp.cuda.UnownedMemory(x.data.ptr, x.nbytes, owner, 0)
    view = cp.ndarray((3,), "int16", cp.cuda.MemoryPointer(memory, 2), strides=(4,))
    del owner, memory
    assert view.get().tolist() == [7, 7, 7]
    assert alive
    del view
    assert not alive


# ---------------------------------------------------------------------------------- host and device


def test_asarray_of_pageable_memory_is_safe_from_a_write_at_once():
    host = np.full(N, 1, "float32")
    with new_stream() as a:
        delay()
        x = cp.asarray(host)
        host[:] = -1
        a.synchronize()
        assert float(x.get()[0]) == 1


def test_asarray_of_pinned_memory_is_not_safe_from_a_write_at_once():
    memory = cp.cuda.alloc_pinned_memory(4 * N)
    host = np.frombuffer(memory, "float32", N)
    for blocking, safe in ((False, False), (True, True)):
        host[:] = 1
        with new_stream() as a:
            delay()
            x = cp.asarray(host, blocking=blocking)
            host[:] = -1
            a.synchronize()
            found = float(x.get()[0])
        assert found == 1 if safe else (found == -1 if LATE else found in (-1, 1))


def test_get_waits_for_the_current_stream_only():
    a = new_stream()
    x = written_late(a)
    found = float(x.get()[0])
    assert found == -1 if LATE else found in (-1, 1)
    x = written_late(a)
    with a:
        assert float(x.get()[0]) == 1


@two_devices
def test_get_copies_on_the_current_stream_of_the_current_device():
    with Device(1):
        Device().synchronize()
        a = new_stream()
        x = cp.full(N, -1, "float32")
        Device().synchronize()
        with a:
            delay()
            x.fill(1)
        a.use()
    try:
        found = float(x.get()[0])
        assert found == -1 if LATE else found in (-1, 1)
        with Device(1):
            assert float(x.get()[0]) == 1
    finally:
        with Device(1):
            Stream.null.use()


@pytest.mark.parametrize("convert", [np.asarray, np.array, lambda x: np.add(np.ones(2), x)])
def test_array_does_not_come_to_the_host_unasked(convert):
    with pytest.raises(TypeError):
        convert(cp.ones(2))


@pytest.mark.parametrize("other", [np.ones(2), [1, 2]])
def test_arrays_of_the_host_are_refused(other):
    x = cp.ones(2)
    with pytest.raises(TypeError):
        cp.add(x, other)
    with pytest.raises(ValueError, match="non-scalar"):
        x[...] = other


def test_scalars_that_do_not_fit_are_refused():
    with pytest.raises(OverflowError):
        cp.zeros(2, "int8")[0] = 300
    with pytest.raises(TypeError):
        cp.zeros(2)[0] = 1j
    with pytest.raises(TypeError):
        cp.copyto(cp.zeros(2, "int64"), 1.5)


# ---------------------------------------------------------------------------- the quirks of values


def test_index_out_of_range_wraps_around():
    x = cp.arange(3)
    assert x[cp.asarray([3, -4])].get().tolist() == [0, 2]
    assert cp.take(x, cp.asarray([4])).get().tolist() == [1]
    with pytest.raises(IndexError):
        x[3]


def test_0d_results_are_arrays():
    x = cp.arange(3)
    for result in (x[1], x.sum(), cp.argmax(x), x[1, ...]):
        assert type(result) is cp.ndarray
        assert result.shape == ()


def test_names_that_cupy_lacks_are_lacking():
    for name in ("vecdot", "unstack"):
        assert not hasattr(cp, name)
    for name in ("svdvals", "matrix_norm", "vector_norm", "diagonal", "trace", "outer"):
        assert not hasattr(cp.linalg, name)


def test_keywords_that_cupy_lacks_are_refused():
    if ON_DOUBLE:
        require_wheel()
    x = cp.arange(3)
    for call in (
        lambda: cp.sort(x, stable=True),
        lambda: cp.std(x, correction=1),
        lambda: cp.clip(x, min=1),
        lambda: cp.arange(3, device=0),
        lambda: cp.count_nonzero(x, keepdims=True),
    ):
        with pytest.raises(TypeError):
            call()


def test_solve_does_not_broadcast():
    a = cp.asarray(np.broadcast_to(np.eye(2), (3, 2, 2)))
    with pytest.raises(ValueError):  # noqa: PT011
        cp.linalg.solve(a, cp.ones((2, 1)))
    assert cp.linalg.solve(cp.eye(2), cp.ones((2, 1))).get().tolist() == [[1], [1]]


def test_transform_with_the_shape_as_s_forgets_the_axes():
    x = cp.ones((2, 3))
    assert cp.fft.fftn(x, s=(2, 3), axes=(1, 0)).shape == (2, 3)
    assert cp.fft.fftn(x, s=[2, 3], axes=(1, 0)).shape == (3, 2)


def test_remainder_of_an_infinite_divisor_is_nan():
    assert np.isnan(cp.remainder(cp.asarray(3.0), cp.asarray(np.inf)).get())


def test_singular_matrix_raises_nothing():
    cp.linalg.inv(cp.zeros((2, 2)))
    cp.linalg.cholesky(-cp.eye(2))


def test_real_part_is_a_view():
    z = cp.asarray([1 + 2j])
    assert cp.real(z).data.ptr == z.data.ptr
    assert cp.imag(z).data.ptr == z.data.ptr + 8


# ---------------------------------------------------------------------------------------- waits

WAITS = {
    "bool": lambda x: bool(x[0]),
    "float": lambda x: float(x[0]),
    "get": lambda x: x.get(),
    "mask": lambda x: x[x > 0],
    "nonzero": cp.nonzero,
    "unique": lambda x: cp.unique_values(x),
}
NO_WAITS = {
    "add": lambda x: x + 1,
    "sum": lambda x: x.sum(),
    "where": lambda x: cp.where(x > 0, x, -x),
    "setitem": lambda x: x.__setitem__(slice(2), 1),
    "take": lambda x: x[cp.zeros(2, "int64")],
    "reshape": lambda x: x.reshape(2, -1),
}


@pytest.mark.parametrize("name", [*WAITS, *NO_WAITS])
def test_host_waits_only_where_values_are_needed(name):
    x = cp.arange(4.0)
    function = (WAITS | NO_WAITS)[name]
    warm_up(lambda: function(x))
    with new_stream() as a:
        delay()
        event = a.record()
        function(x)
        if LATE:
            assert event.done is (name in WAITS)


# --------------------------------------------------------------------- what only the double does


def require_wheel():
    """What the double knows of the real CuPy's signatures; skip where its wheel is missing."""
    from cupy_double import signatures

    if signatures.real is None:
        pytest.skip("needs CuPy's wheel, which needs no GPU: pip install cupy-cuda13x")
    return signatures



@on_double_only
def test_host_that_follows_a_pointer_of_the_device_ends():
    program = """
import ctypes
x = gpu.cp.ones(4)
gpu.cp.cuda.Device().synchronize()
assert x.get().tolist() == [1.0] * 4
ctypes.string_at(x.data.ptr, 8)
"""
    with pytest.raises(AssertionError, match="Segmentation fault"):
        run_program(program)


@on_double_only
def test_machine_without_devices_says_what_the_real_one_says():
    run_program("""
import cupy_double
cp = cupy_double.install(devices=0)
calls = [
    cp.cuda.runtime.getDeviceCount, cp.cuda.Device, cp.cuda.get_current_stream, cp.cuda.Stream,
    cp.cuda.Event, lambda: cp.zeros(1), lambda: cp.asarray([1]), lambda: cp.empty(0),
    lambda: cp.cuda.alloc_pinned_memory(8), lambda: cp.cuda.malloc_managed(8),
]
for call in calls:
    try:
        call()
    except cp.cuda.runtime.CUDARuntimeError as error:
        assert error.status == 35
    else:
        raise AssertionError(call)
assert cp.cuda.Device(3).id == 3
import xpdl as xp
try:
    xp.zeros(1, device="cuda")
except NotImplementedError as error:
    assert "needs a GPU and its driver" in str(error), error
else:
    raise AssertionError
assert list(map(str, xp.__array_namespace_info__().devices())) == ["cpu"]
""", prelude="")


@on_double_only
def test_calls_are_bound_to_the_signatures_of_the_wheel():
    signatures = require_wheel()
    assert str(signatures.signature_of("sort")) == "(a, axis=-1, kind=None)"
    assert list(signatures.signature_of("ndarray.get").parameters) == [
        "self", "stream", "order", "out", "blocking"]
    with pytest.raises(TypeError, match=r"^cupy.sort: .*stable"):
        cp.sort(cp.ones(2), stable=True)
    with pytest.raises(TypeError, match=r"^cupy.linalg.solve: "):
        cp.linalg.solve(cp.ones((2, 2)))


# What the double's classes have beside CuPy's names, for its own use.
OWN_NAMES = {
    "ndarray": {"extent", "host", "view_at"},
    "ElementwiseKernel": {"bind", "compile"},
    "RawKernel": set(),
    "cuda.Device": set(),
    "cuda.Stream": {"check_device"},
    "cuda.Event": set(),
    "cuda.Graph": set(),
    "cuda.MemoryPointer": set(),
    "cuda.MemoryPool": {"release"},
    "cuda.UnownedMemory": set(),
    "cuda.ManagedMemory": {"kind"},
    "cuda.PinnedMemoryPool": set(),
}


@on_double_only
@pytest.mark.parametrize("path", OWN_NAMES)
def test_classes_have_no_more_names_than_those_of_the_wheel(path):
    signatures = require_wheel()
    kind = cp
    for name in path.split("."):
        kind = getattr(kind, name)
    names = {name for name in vars(kind) if not name.startswith("_")} - OWN_NAMES[path]
    assert names - set(dir(signatures.real_object(path))) == set()
    for name in names:
        method = getattr(kind, name)
        real = signatures.signature_of(f"{path}.{name}")
        if inspect.isfunction(method) and real is not None:
            parameters = set(inspect.signature(method).parameters) - {"args", "keywords"}
            assert parameters - set(real.parameters) == set()


@on_double_only
@pytest.mark.parametrize("path", ["cuda", "cuda.runtime", ""])
def test_modules_have_no_more_names_than_those_of_the_wheel(path):
    signatures = require_wheel()
    module, real = cp, signatures.real
    for name in filter(None, path.split(".")):
        module, real = getattr(module, name), getattr(real, name)
    names = {
        name for name, value in vars(module).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    } - {"folder", "annotations", "SimpleNamespace"}  # fmt: skip
    assert {name for name in names if not hasattr(real, name)} == set()
