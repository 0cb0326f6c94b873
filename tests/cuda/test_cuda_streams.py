"""Groups 4 and 5: producers and consumers are ordered, for every kind of stream on either side."""

import numpy as np
import pytest
from fake_producer import IS_COPIED, ExchangeTable, peek
from gpu import LATE, cp, delay, new_stream, on_double_only, warm_up
from libraries import ASYNCHRONOUS, library_of
from programs import run_program
from races import STALE, WRITTEN, N, check_stale, cupy_view, first, late, read_on, view_of

import xpdl as xp

Stream = cp.cuda.Stream


class Foreign:
    """A stream of which xpdl knows nothing but the protocol."""

    def __init__(self, stream):
        self.stream = stream

    def __cuda_stream__(self):
        return 0, self.stream.ptr


class Unordered:
    """A producer that takes no notice of the stream that it is given."""

    def __init__(self, x):
        self.x = x

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()

    def __dlpack__(self, *, stream=None, max_version=None, **rest):
        return self.x.__dlpack__(stream=-1, max_version=max_version)


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    x = xp.ones(N, dtype="float32", device="cuda")
    pinned = xp.asarray(np.ones(N, "float32"), device="cuda")
    view = view_of(x)
    warm_up(
        lambda: x.__setitem__(..., 1.0), lambda: x + 0, lambda: view + 0, lambda: x.copy(),
        lambda: pinned.to_device("cpu"), lambda: view.fill(1), lambda: late(Stream.null))


# ---------------------------------------------------------------------------------- xpdl produces

CONSUMERS = {
    "default (None)": lambda: (None, Stream.null),
    "legacy (1)": lambda: (1, Stream.null),
    "per thread (2)": lambda: (2, Stream.ptds),
    "a stream": lambda: (lambda s: (s.ptr, s))(new_stream()),
    "a blocking stream": lambda: (lambda s: (s.ptr, s))(Stream()),
}
PRODUCERS = {
    "default": lambda: Stream.null,
    "per thread": lambda: Stream.ptds,
    "a stream": new_stream,
    "a blocking stream": Stream,
}


@pytest.mark.parametrize("version", [None, (1, 0)], ids=["legacy", "versioned"])
@pytest.mark.parametrize("consumer", CONSUMERS)
@pytest.mark.parametrize("producer", PRODUCERS)
def test_capsule_is_ordered_for_the_stream_of_the_consumer(producer, consumer, version):
    work = PRODUCERS[producer]()
    number, stream = CONSUMERS[consumer]()
    x = late(work)
    with work:
        capsule = x.__dlpack__(stream=number, max_version=version)
    assert read_on(stream, view_of(capsule)) == WRITTEN


def test_capsule_for_no_stream_is_not_ordered():
    work, stream = new_stream(), new_stream()
    x = late(work)
    with work:
        capsule = x.__dlpack__(stream=-1, max_version=(1, 0))
    check_stale(read_on(stream, view_of(capsule)))


def test_capsule_for_the_same_stream_needs_no_event():
    work = new_stream()
    x = late(work)
    with work:
        capsule = x.__dlpack__(stream=work.ptr, max_version=(1, 0))
    assert read_on(work, view_of(capsule)) == WRITTEN


def test_export_does_not_make_the_host_wait():
    work, stream = new_stream(), new_stream()
    x = late(work)
    with work:
        x.__dlpack__(stream=stream.ptr, max_version=(1, 0))
    if LATE:
        assert not work.done
    work.synchronize()


def test_wrapper_is_ordered_as_its_array():
    work, stream = new_stream(), new_stream()
    x = late(work)
    with work:
        capsule = xp.ReadOnlyWrapper(x).__dlpack__(stream=stream.ptr, max_version=(1, 0))
    assert peek(capsule).flags & 1
    assert read_on(stream, view_of(capsule)) == WRITTEN


@pytest.mark.parametrize("name", ASYNCHRONOUS)
def test_library_that_consumes_reads_what_was_written(name):
    library = library_of(name)
    work = new_stream()
    with library.side_stream():
        library.copy(library.full(N, 0.0))  # its pool has memory, its kernels are compiled
        for ordered in (False, True):
            x = late(work)
            with work:
                tensor = library.from_dlpack(x if ordered else Unordered(x))
            value = library.values(library.copy(tensor))[0]
            if ordered:
                assert value == WRITTEN
            else:
                check_stale(value)
            work.synchronize()


def test_jax_that_consumes_reads_what_was_written():
    library = library_of("jax")
    work = new_stream()
    x = late(work)
    with work:
        tensor = library.from_dlpack(x)
    assert library.values(library.copy(tensor))[0] == WRITTEN


# ---------------------------------------------------------------------------------- on to the host


def test_export_to_the_host_waits():
    work = new_stream()
    x = late(work)
    pinned = np.frombuffer(cp.cuda.alloc_pinned_memory(4 * N), "float32", N)
    pinned[:] = STALE
    with work:
        view_of(x).get(out=pinned, blocking=False)
    check_stale(pinned[0])
    work.synchronize()
    x = late(work)
    with work:
        capsule = x.__dlpack__(dl_device=(1, 0), max_version=(1, 0))
    seen = peek(capsule)
    assert (seen.device, bool(seen.flags & IS_COPIED)) == ((1, 0), True)
    assert xp.from_dlpack(capsule).tolist()[:2] == [WRITTEN] * 2


def test_import_to_the_host_waits():
    work = new_stream()
    x = late(work)
    with work:
        host = xp.from_dlpack(x, device="cpu")
    assert host.device == "cpu"
    assert host.tolist()[:2] == [WRITTEN] * 2


def test_import_of_a_library_to_the_host_waits():
    for name in ASYNCHRONOUS:
        library = library_of(name)
        with library.side_stream(), new_stream():
            tensor = library.full(N, STALE)
            library.values(tensor)
            library.delay()
            library.write(tensor, WRITTEN)
            host = xp.from_dlpack(tensor, device="cpu")
        assert host.device == "cpu"
        assert host.tolist()[:2] == [WRITTEN] * 2


# ------------------------------------------------------------------------------------- copy=True


def test_copy_for_a_consumer_is_made_on_its_stream():
    work, stream = new_stream(), new_stream()
    x = late(work)
    with work:
        capsule = x.__dlpack__(stream=stream.ptr, copy=True, max_version=(1, 0))
    seen = peek(capsule)
    assert seen.flags & IS_COPIED
    assert seen.pointer != view_of(x).data.ptr
    assert read_on(stream, view_of(capsule)) == WRITTEN


@on_double_only
def test_copy_for_a_consumer_runs_on_its_stream_alone():
    from cupy_double import machine

    work, stream = new_stream(), new_stream()
    x = late(work)
    start = len(machine.gpu.log)
    with work:
        x.__dlpack__(stream=stream.ptr, copy=True, max_version=(1, 0))
    entries = machine.gpu.log[start:]
    assert {e.stream for e in entries if e.kind in ("kernel", "copy")} == {stream.ptr}
    assert not [e for e in entries if e.kind == "sync"]


# ---------------------------------------------------------------------------------- xpdl consumes


@pytest.mark.parametrize("worker", PRODUCERS)
@pytest.mark.parametrize("name", ASYNCHRONOUS)
def test_import_is_ordered_after_the_producer(name, worker):
    library = library_of(name)
    work = PRODUCERS[worker]()
    with library.side_stream():
        for ordered in (False, True):
            tensor = library.full(N, STALE)
            library.values(tensor)
            library.delay()
            library.write(tensor, WRITTEN)
            with work:
                x = xp.from_dlpack(tensor if ordered else Unordered(tensor))
                y = x + 0
                value = first(y)
            if ordered:
                assert value == WRITTEN
            elif worker == "a stream":
                check_stale(value)
            library.values(tensor)
            work.synchronize()


@pytest.mark.parametrize("name", ASYNCHRONOUS)
def test_import_with_a_copy_is_ordered_after_the_producer(name):
    library = library_of(name)
    with library.side_stream(), new_stream():
        tensor = library.full(N, STALE)
        library.values(tensor)
        library.delay()
        library.write(tensor, WRITTEN)
        x = xp.from_dlpack(tensor, copy=True)
        library.write(tensor, 5.0)
        assert view_of(x).data.ptr != library.pointer(tensor)
        assert first(x) in (WRITTEN, 5.0)


def test_import_of_jax_is_ordered_after_the_producer():
    library = library_of("jax")
    with new_stream():
        x = xp.from_dlpack(library.full((N,), 3.0))
        assert first(x + 0) == 3


def test_import_of_cupy_is_ordered_after_its_stream():
    work, other = new_stream(), new_stream()
    tensor = cp.full(N, STALE, "float32")
    cp.cuda.Device().synchronize()
    with work:
        delay()
        tensor.fill(WRITTEN)
        x = xp.from_dlpack(tensor)
        capsule = x.__dlpack__(stream=other.ptr, max_version=(1, 0))
    assert read_on(other, view_of(capsule)) == WRITTEN


# --------------------------------------------------------------------------------- moved by hand


@pytest.mark.parametrize("kind", ["cupy.cuda.Stream", "protocol"])
def test_to_device_on_a_stream_waits_for_that(kind):
    work = new_stream()
    x = late(work)
    check_stale(first(x))
    work.synchronize()
    x = late(work)
    stream = work if kind == "cupy.cuda.Stream" else Foreign(work)
    assert x.to_device("cpu", stream=stream).tolist()[0] == WRITTEN


def test_copy_made_on_a_stream_is_there_for_the_work_stream():
    host = xp.full(N, WRITTEN, dtype="float32")
    with new_stream():
        for ordered in (False, True):
            side = new_stream()
            with side:
                delay()
                unordered = cp.asarray(np.full(N, WRITTEN, "float32"))
            if ordered:
                assert first(host.to_device("cuda", stream=side) + 0) == WRITTEN
            elif LATE:
                assert float((unordered + 0).get()[0]) != WRITTEN
            side.synchronize()


def test_copy_for_a_consumer_is_made_before_the_next_write():
    work, stream = new_stream(), new_stream()
    for ordered in (False, True):
        x = xp.full(N, WRITTEN, dtype="float32", device="cuda")
        cp.cuda.Device().synchronize()
        with stream:
            delay()
        with work:
            if ordered:
                made = view_of(x.__dlpack__(stream=stream.ptr, copy=True, max_version=(1, 0)))
            else:
                with stream:
                    made = view_of(x).copy()
            x[...] = 5
            work.synchronize()
        value = read_on(stream, made)
        if ordered:
            assert value == WRITTEN
        elif LATE:
            assert value == 5


@pytest.mark.parametrize("stream", ["x", 1.5, object()], ids=repr)
def test_to_device_with_what_is_no_stream_raises(stream):
    x = xp.ones(2, device="cuda")
    with pytest.raises(TypeError, match=r"^to_device: stream must be "):
        x.to_device("cpu", stream=stream)


# -------------------------------------------------------------------------------- the exchange API


def test_work_stream_is_the_current_one_of_the_device():
    table = ExchangeTable(xp.Array)
    assert table.work_stream(2, 0) == (0, None)
    assert table.work_stream(13, 0) == (0, None)
    with new_stream() as stream:
        assert table.work_stream(2, 0) == (0, stream.ptr)
        assert table.work_stream(1, 0) == (0, None)
    with Stream.ptds:
        assert table.work_stream(2, 0) == (0, 2)


def test_exchange_table_orders_nothing():
    work, stream = new_stream(), new_stream()
    x = late(work)
    table = ExchangeTable(xp.Array)
    with work:
        address = table.from_py(x)
        assert table.work_stream(2, 0)[1] == work.ptr
    from fake_producer import delete, peek_address

    seen = peek_address(address)
    assert seen.device == (2, 0)
    check_stale(read_on(stream, cupy_view(seen.pointer)))
    work.synchronize()
    delete(address)


# -------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("stream", "error"),
    [
        (0, ValueError), (-2, ValueError), ("x", TypeError), (True, TypeError), (1.0, TypeError),
        (np.True_, TypeError), (None, None), (1, None), (2, None), (-1, None), (np.int64(1), None),
    ],
    ids=repr,
)  # fmt: skip
def test_stream_argument(stream, error):
    x = xp.ones(2, device="cuda")
    if error is None:
        assert peek(x.__dlpack__(stream=stream)).device == (2, 0)
        return
    with pytest.raises(error, match=r"^__dlpack__: stream must be "):
        x.__dlpack__(stream=stream)


def test_new_thread_works_on_the_default_stream():
    import threading

    table = ExchangeTable(xp.Array)
    found = []
    with new_stream():
        thread = threading.Thread(target=lambda: found.append(table.work_stream(2, 0)))
        thread.start()
        thread.join()
    assert found == [(0, None)]


def test_per_thread_default_stream_of_the_environment_is_the_work_stream():
    run_program("""
from fake_producer import ExchangeTable
from libraries import library_of
from races import N, WRITTEN, late, read_on, view_of
import xpdl as xp

ptds = gpu.cp.cuda.Stream.ptds
assert ExchangeTable(xp.Array).work_stream(2, 0) == (0, 2)
x = late(ptds)
other = gpu.new_stream()
assert read_on(other, view_of(x.__dlpack__(stream=other.ptr, max_version=(1, 0)))) == WRITTEN
library = library_of("torch")
with library.side_stream():
    library.delay()
    y = xp.from_dlpack(library.full(N, 3.0))
    assert float((y + 0)[0]) == 3
""", CUPY_CUDA_PER_THREAD_DEFAULT_STREAM="1")


def test_program_ends_well_with_work_and_foreign_memory_pending():
    run_program("""
from libraries import library_of
import xpdl as xp

library = library_of("torch")
stream = gpu.new_stream()
with stream:
    x = xp.from_dlpack(library.full(100, 3.0))
    gpu.delay()
    y = x + 1
    capsule = y.__dlpack__(max_version=(1, 0))
del x
kept = xp.from_dlpack(library.full(100, 3.0)), capsule
""")
