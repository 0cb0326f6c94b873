"""Groups 6 and 8: memory is given back when no stream needs it any more, and then it is."""

import gc
import threading

import numpy as np
import pytest
from fake_producer import delete, nogil_delete, take
from gpu import LATE, ON_DOUBLE, cold_stream, cp, delay, new_stream, on_double_only, warm_up
from libraries import ASYNCHRONOUS, library_of
from races import STALE, WRITTEN, N, cupy_view, view_of

import xpdl as xp

USED = WRITTEN  # what a block holds before it is given back
REUSED = 7.0  # what its next owner writes


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    x = xp.ones(N, dtype="float32", device="cuda")
    view = view_of(x)
    warm_up(lambda: x + 0, lambda: view + 0, lambda: xp.full(N, 1, dtype="float32", device="cuda"))


def is_spoilt(value):
    """Whether memory was overwritten under a reader: by its next owner, or by the pool."""
    return value != USED


# ------------------------------------------------------------------------------------- given back


@pytest.mark.parametrize("recorded", [False, True])
def test_memory_used_on_another_stream_is_kept_by_record_stream(recorded):
    own, side = cold_stream(), new_stream()
    with own:
        x = xp.full(N, USED, dtype="float32", device="cuda")
        own.synchronize()
        with side:
            delay()
            y = x + 0
        if recorded:
            xp.record_stream(x, side)
        del x
        z = xp.full(N, REUSED, dtype="float32", device="cuda")
        own.synchronize()
    with side:
        value = float(y.to_device("cpu")[0])
    assert float(z.to_device("cpu")[0]) == REUSED
    if recorded:
        assert value == USED
    elif LATE:
        assert is_spoilt(value)


def test_record_stream_takes_what_to_device_takes():
    x = xp.ones(2, device="cuda")
    stream = new_stream()

    class Foreign:
        def __cuda_stream__(self):
            return 0, stream.ptr

    for given in (stream, Foreign(), stream.ptr, 1, None):
        xp.record_stream(x, given)
    with pytest.raises(TypeError, match=r"^record_stream: "):
        xp.record_stream(x, "stream")
    with pytest.raises(TypeError, match=r"^record_stream: x must be an xpdl Array"):
        xp.record_stream(np.ones(2), stream)


@pytest.mark.parametrize("owned", [False, True])
@pytest.mark.parametrize("name", ASYNCHRONOUS)
def test_imported_memory_is_released_after_the_work_on_it(name, owned):
    library = library_of(name)
    with library.side_stream():
        tensor = library.full(N, USED)
        library.values(tensor)
        address = library.pointer(tensor)
        with new_stream() as work:
            # Not owned, as if the deleter were called when the last Array goes.
            x = xp.from_dlpack(tensor) if owned else cupy_view(address)
            delay()
            y = x + 0
            del x, tensor
            gc.collect()
            blocks = [library.full(N, REUSED) for _ in range(3)]
            for block in blocks:
                library.values(block)
            reused = address in [library.pointer(block) for block in blocks]
            work.synchronize()
            value = float((y.to_device("cpu") if owned else y.get())[0])
    if owned:
        assert value == USED
        assert not (LATE and reused)
    elif LATE:
        assert reused
        assert is_spoilt(value)


@pytest.mark.parametrize("name", ASYNCHRONOUS)
def test_imported_memory_is_released_in_the_end(name):
    library = library_of(name)
    settle()
    before = library.used()
    for _ in range(20):
        x = xp.from_dlpack(library.full(N, USED))
        y = x + 0
    del x, y
    cp.cuda.Device().synchronize()
    for _ in range(20):
        xp.ones(1, device="cuda") + 1
    assert library.used() == before


def test_release_does_not_make_the_host_wait():
    library = library_of(ASYNCHRONOUS[0])
    with new_stream() as work:
        x = xp.from_dlpack(library.full(N, USED))
        delay()
        y = x + 0
        event = work.record()
        del x
        if LATE:
            assert not event.done
        work.synchronize()
    del y


# ------------------------------------------------------------------------------------- exports


def test_exported_memory_lives_as_long_as_its_capsule():
    used = cp.get_default_memory_pool().used_bytes
    settle()
    before = used()
    x = xp.full(N, USED, dtype="float32", device="cuda")
    capsule = x.__dlpack__(max_version=(1, 0))
    del x
    assert used() > before
    assert float(view_of_pointer(capsule).get()[0]) == USED
    del capsule
    gc.collect()
    assert used() == before


def view_of_pointer(capsule):
    from fake_producer import peek

    return cupy_view(peek(capsule).pointer)


@pytest.mark.parametrize("version", [None, (1, 0)], ids=["legacy", "versioned"])
@pytest.mark.parametrize("thread", [None, "foreign"])
def test_deleter_may_run_on_any_thread(thread, version):
    used = cp.get_default_memory_pool().used_bytes
    settle()
    before = used()
    capsule = xp.ones(N, device="cuda").__dlpack__(max_version=version)
    assert used() > before
    nogil_delete(capsule, thread=thread)
    assert used() == before


@on_double_only
@pytest.mark.parametrize("thread", [None, "foreign"])
def test_deleter_makes_no_call_of_cuda(thread):
    from cupy_double import machine

    x = xp.ones(N, device="cuda:1")
    address = take(x.__dlpack__(max_version=(1, 0)))
    del x
    start = len(machine.gpu.log)
    delete(address, thread=thread)
    assert {entry.kind for entry in machine.gpu.log[start:]} <= {"free"}


def test_deleter_runs_after_the_stream_of_the_consumer_has_gone():
    used = cp.get_default_memory_pool().used_bytes
    stream = new_stream()
    settle()
    before = used()
    capsule = xp.ones(N, device="cuda").__dlpack__(stream=stream.ptr, max_version=(1, 0))
    stream.synchronize()
    del stream
    nogil_delete(capsule)
    assert used() == before


# --------------------------------------------------------------------------------------- many times

TIMES = 350 if ON_DOUBLE else 7000


@pytest.mark.parametrize("name", [*ASYNCHRONOUS, "cupy"])
def test_memory_of_many_exchanges_is_flat(name):
    library = library_of(name)
    used = cp.get_default_memory_pool().used_bytes
    tensor = library.full(256, USED)
    x = xp.ones(256, dtype="float32", device="cuda")
    exchanges = {
        "import": lambda: xp.from_dlpack(tensor),
        "import with a copy": lambda: xp.from_dlpack(tensor, copy=True),
        "export": lambda: library.from_dlpack(x),
        "capsule": lambda: x.__dlpack__(max_version=(1, 0)),
        "legacy capsule": lambda: x.__dlpack__(),
        "to the host": lambda: xp.from_dlpack(x, device="cpu"),
        "wrapper": lambda: xp.ReadOnlyWrapper(x).__dlpack__(max_version=(1, 0)),
    }
    for exchange in exchanges.values():
        exchange()
    settle()
    before = used(), library.used()
    for exchange in exchanges.values():
        for _ in range(TIMES // len(exchanges)):
            exchange()
    settle()
    assert (used(), library.used()) == before


def settle():
    """Let everything happen that is waited for."""
    gc.collect()
    cp.cuda.Device().synchronize()
    for _ in range(1 + TIMES // 2):
        xp.ones(1, device="cuda")
    gc.collect()


def test_imports_that_fail_release_what_they_were_given():
    from fake_producer import FakeProducer

    host = np.ones(4, "float32")
    x = xp.ones(4, dtype="float32", device="cuda")
    address = view_of(x).data.ptr
    for fields in (
        {"version": (2, 0)}, {"ndim": 65}, {"shape": (-1,)}, {"dtype": (9, 32, 1)},
        {"device": (2, 99), "claimed_device": (2, 99)}, {"device": (4, 0)},
        {"device": (2, 0), "claimed_device": (1, 0)},
    ):  # fmt: skip
        producer = FakeProducer(host, data=address, **({"device": (2, 0)} | fields))
        with pytest.raises(BufferError):
            xp.from_dlpack(producer)
        assert producer.settle() == producer.made


# ------------------------------------------------------------------------------------- at the end


def test_memory_handed_over_between_threads_is_right():
    library = library_of(ASYNCHRONOUS[0])
    found = []

    def consume(tensor):
        with new_stream():
            x = xp.from_dlpack(tensor)
            found.append(float((x + 0).to_device("cpu")[0]))

    for value in range(5):
        with library.side_stream():
            tensor = library.full(N, float(value))
            thread = threading.Thread(target=consume, args=(tensor,))
            thread.start()
            thread.join()
    assert found == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert STALE not in found
