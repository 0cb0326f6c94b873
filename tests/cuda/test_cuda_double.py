"""Group 17: what the double of CuPy claims about CuPy, on whichever of the two is here.

The same verdicts on both are what makes the tests on the double worth something.
"""

import contextlib
import threading

import numpy as np
import pytest
from gpu import (
    DEVICES,
    LATE,
    cold_stream,
    cp,
    delay,
    new_stream,
    on_double_only,
    two_devices,
    warm_up,
)

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
