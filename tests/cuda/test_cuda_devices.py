"""Groups 13 and 14: arrays work on their own device, whichever is the current one of the thread."""

import asyncio
import threading

import numpy as np
import pytest
from calls import CALLS
from fake_producer import ExchangeTable, delete, peek, peek_address
from gpu import DEVICES, LATE, cold_stream, cp, delay, new_stream, on_double_only, two_devices
from libraries import ASYNCHRONOUS, LIBRARIES, library_of
from races import STALE, WRITTEN, N, check_stale, cupy_view, first, late, read_on, view_of
from samples import values
from test_cuda_functions import outcome

import xpdl as xp
from xpdl._cext import raw

Device = cp.cuda.Device
FIRST, SECOND = "cuda:0", "cuda:1"


def number_of(x):
    """The device on which the memory of an Array is."""
    return raw(x).data.device_id


def operand(name):
    """An array that a function of `calls` takes."""
    return xp.asarray(values("uint8" if "bitwise" in name else "float32", (2, 3, 4)))


# --------------------------------------------------------------------- another device is current


@two_devices
@pytest.mark.parametrize("name", CALLS)
def test_function_runs_on_the_device_of_its_operands(name):
    x = operand(name)
    expected = outcome(CALLS[name], x)
    on_first = x.to_device(FIRST)
    with Device(1):
        found = outcome(CALLS[name], on_first)
        assert cp.cuda.runtime.getDevice() == 1
    for got, want in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-5)


@two_devices
@pytest.mark.parametrize("name", CALLS)
def test_memory_of_results_is_on_the_device_of_the_operands(name):
    found = CALLS[name](operand(name).to_device(SECOND))
    for result in found if isinstance(found, tuple) else (found,):
        assert (str(result.device), number_of(result)) == (SECOND, 1)


@two_devices
def test_methods_run_on_the_device_of_the_array():
    with Device(0):
        x = xp.asarray([[1.0, 2.0], [3.0, 4.0]], device=SECOND)
        assert number_of(x + x) == number_of(-x) == number_of(x @ x) == 1
        x += 1
        x[0] = 0
        x[x > 4] = 9
        assert x.tolist() == [[0.0, 0.0], [4.0, 9.0]]
        assert (float(x[1, 0]), bool(x[0, 0]), x.sum().item()) == (4.0, False, 13.0)
        assert repr(x) == "Array([[0., 0.],\n       [4., 9.]], dtype=float64, device='cuda:1')"
        assert number_of(x[xp.asarray([0], device=SECOND)]) == 1
        assert number_of(xp.zeros_like(x)) == number_of(xp.full_like(x, 2.0)) == 1
        assert number_of(xp.zeros_like(x, device=FIRST)) == 0
        assert cp.cuda.runtime.getDevice() == 0


@two_devices
def test_current_device_is_restored_after_an_error():
    x = xp.ones((2, 3), device=SECOND)
    for call in (lambda: x @ x, lambda: x[5], lambda: xp.reshape(x, (4,)), lambda: x + x[:, :2]):
        with pytest.raises((ValueError, IndexError)):
            call()
        assert cp.cuda.runtime.getDevice() == 0


@two_devices
@pytest.mark.parametrize("current", [0, 1])
def test_export_is_ordered_on_the_device_of_the_array(current):
    with Device(1):
        work, consumer = new_stream(), new_stream()
        work.use()
    try:
        x = late(work, device=1)
        with Device(current):
            capsule = x.__dlpack__(stream=-1, max_version=(1, 0))
        check_stale(read_on(consumer, view_of(capsule)))
        x = late(work, device=1)
        with Device(current):
            capsule = x.__dlpack__(stream=consumer.ptr, max_version=(1, 0))
            assert cp.cuda.runtime.getDevice() == current
        assert peek(capsule).device == (2, 1)
        assert read_on(consumer, view_of(capsule)) == WRITTEN
        x = late(work, device=1)
        with Device(current):
            capsule = x.__dlpack__(dl_device=(1, 0), max_version=(1, 0))
        assert xp.from_dlpack(capsule)[0] == WRITTEN
    finally:
        with Device(1):
            cp.cuda.Stream.null.use()


@two_devices
@pytest.mark.parametrize("name", [*ASYNCHRONOUS, *([] if "jax" not in LIBRARIES else ["jax"])])
@pytest.mark.parametrize("current", [0, 1])
def test_exchange_while_another_device_is_current(name, current):
    library = library_of(name)
    for device in (0, 1):
        with Device(current):
            x = xp.asarray(np.arange(3.0, dtype="float32"), device=f"cuda:{device}")
            tensor = library.from_dlpack(x)
            assert library.values(tensor).tolist() == [0, 1, 2]
            y = xp.from_dlpack(library.full((3,), 2.0, device=device))
            assert (str(y.device), y.tolist()) == (f"cuda:{device}", [2.0] * 3)
            assert cp.cuda.runtime.getDevice() == current


@two_devices
@pytest.mark.parametrize("owned", [False, True])
@pytest.mark.parametrize("stream", ["own", "default"])
@pytest.mark.parametrize("current", [0, 1])
def test_imported_memory_is_kept_while_its_own_device_needs_it(current, stream, owned):
    library = library_of(ASYNCHRONOUS[0])
    with Device(1):
        work = new_stream() if stream == "own" else cp.cuda.Stream.null
        work.use()
    try:
        with library.side_stream(1):
            tensor = library.full(N, WRITTEN, device=1)
            library.values(tensor)
            address = library.pointer(tensor)
            # Not owned, as if the deleter were called when the last Array goes.
            x = xp.from_dlpack(tensor) if owned else cupy_view(address, device=1)
            with Device(1):
                delay()
                y = x + 0
            with Device(current):
                del x, tensor
                blocks = [library.full(N, STALE, device=1) for _ in range(3)]
                for block in blocks:
                    library.values(block)
            with Device(1):
                value = first(y) if owned else float(y.get()[0])
            if owned:
                assert value == WRITTEN
            elif LATE:
                assert value != WRITTEN
    finally:
        with Device(1):
            cp.cuda.Stream.null.use()


@two_devices
def test_exchange_table_tells_the_stream_of_the_device_asked_for():
    table = ExchangeTable(xp.Array)
    with Device(1):
        stream = new_stream()
        stream.use()
    try:
        assert table.work_stream(2, 1) == (0, stream.ptr)
        assert table.work_stream(2, 0) == (0, None)
        x = xp.ones(2, device=SECOND)
        address = table.from_py(x)
        assert peek_address(address).device == (2, 1)
        delete(address)
    finally:
        with Device(1):
            cp.cuda.Stream.null.use()


# --------------------------------------------------------------------------- between two devices


@two_devices
@pytest.mark.parametrize(("source", "target"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("layout", ["contiguous", "strided"])
@pytest.mark.parametrize("stream", ["own", "default"])
def test_copy_between_devices_waits_for_the_source(source, target, stream, layout):
    with Device(source):
        work = new_stream()
    with Device(target):
        (new_stream() if stream == "own" else cp.cuda.Stream.null).use()
    try:
        x = late(work, source)
        with Device(target):  # CuPy's own copy
            check_stale(float(raw(x).copy().get()[0]))
        x = late(work, source)
        with Device(source):
            work.use()
        y = (x if layout == "contiguous" else x[::2]).to_device(f"cuda:{target}")
        assert number_of(y) == target
        assert first(y) == WRITTEN
    finally:
        for device in (0, 1):
            with Device(device):
                cp.cuda.Stream.null.use()


@two_devices
@pytest.mark.parametrize("protected", [False, True])
@pytest.mark.parametrize(("source", "target"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("layout", ["contiguous", "strided"])
def test_source_of_a_copy_between_devices_lives_until_it_has_run(source, target, layout, protected):
    with Device(source):
        work = cold_stream()
        work.use()
    with Device(target):
        new_stream().use()
    try:
        x = xp.full(N, WRITTEN, dtype="float32", device=f"cuda:{source}")
        work.synchronize()
        view = x if layout == "contiguous" else x[::2]
        with Device(target):
            delay()
            # CuPy's own copy is queued behind the delay, and nothing waits for it.
            y = view.to_device(f"cuda:{target}") if protected else raw(view).copy()
        del x, view
        z = [xp.full(N // n, STALE, dtype="float32", device=f"cuda:{source}") for n in (1, 2)]
        work.synchronize()
        with Device(target):
            value = first(y) if protected else float(y.get()[0])
        if protected:
            assert value == WRITTEN
        elif LATE:
            assert value != WRITTEN
        del z
    finally:
        for device in (0, 1):
            with Device(device):
                cp.cuda.Stream.null.use()


@two_devices
def test_copy_between_devices_does_not_make_the_host_wait():
    with Device(0):
        work = new_stream()
        work.use()
    try:
        xp.ones(N, dtype="float32", device=FIRST).to_device(SECOND)
        x = late(work)
        event = work.record()
        y = x.to_device(SECOND)
        if first(y) == WRITTEN:
            assert event.done
        x = late(work)
        event = work.record()
        x.to_device(SECOND)
        if LATE:
            assert not event.done
    finally:
        cp.cuda.Stream.null.use()


@two_devices
@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "complex128"])
def test_copy_between_devices_keeps_values_and_layout(dtype):
    host = values(dtype, (3, 4))
    x = xp.asarray(host, device=FIRST)
    for view in (
        lambda a: a, lambda a: a[::-1, ::2], lambda a: a.T, lambda a: a[:0], lambda a: a[1, 1],
    ):  # fmt: skip
        y = view(x).to_device(SECOND)
        np.testing.assert_array_equal(np.asarray(y.to_device("cpu")), view(host))
        z = xp.from_dlpack(view(x), device=SECOND)
        np.testing.assert_array_equal(np.asarray(z.to_device("cpu")), view(host))


@two_devices
def test_arrays_of_two_devices_do_not_mix():
    x, y = xp.ones(2, device=FIRST), xp.ones(2, device=SECOND)
    for call in (lambda: x + y, lambda: xp.concat([x, y]), lambda: x[y > 0], lambda: x @ y):
        with pytest.raises(ValueError, match=r"must be on one device, got cuda:0 and cuda:1"):
            call()


# ----------------------------------------------------------------------------- the default device


def test_default_device_is_where_creation_puts_arrays():
    last = f"cuda:{DEVICES - 1}"
    with xp.default_device(last):
        for x in (
            xp.zeros(1), xp.ones(1), xp.full(1, 1.0), xp.arange(1), xp.linspace(0, 1, 1), xp.eye(1),
            xp.empty(1), xp.asarray([1]), xp.asarray(1.0), xp.asarray(np.ones(1)),
            xp.fft.fftfreq(1),
        ):  # fmt: skip
            assert (str(x.device), number_of(x)) == (last, DEVICES - 1)
        assert xp.zeros(1, device="cpu").device == "cpu"
    assert xp.zeros(1).device == "cpu"


def test_default_device_of_threads_and_tasks_is_their_own():
    names = ["cpu", *[f"cuda:{i}" for i in range(DEVICES)]]
    found = {}
    barrier = threading.Barrier(len(names))

    def work(name):
        with xp.default_device(name):
            barrier.wait(10)
            x = xp.zeros(3) + 1
            found[name] = str(x.device), x.tolist()
            barrier.wait(10)

    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {name: (name, [1.0] * 3) for name in names}

    async def task(name):
        with xp.default_device(name):
            await asyncio.sleep(0)
            return str((xp.zeros(1) + 1).device)

    async def main():
        return await asyncio.gather(*map(task, names))

    assert asyncio.run(main()) == names


# -------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("call", [
    lambda device: xp.zeros(1, device=device),
    lambda device: xp.ones(1).to_device(device),
    lambda device: xp.asarray([1], device=device),
])  # fmt: skip
def test_device_that_is_not_there_raises(call):
    with pytest.raises((ValueError, NotImplementedError), match=f"cuda:{DEVICES}"):
        call(f"cuda:{DEVICES}")


def test_devices_that_are_there_are_listed():
    names = ["cpu", *[f"cuda:{i}" for i in range(DEVICES)]]
    assert list(map(str, xp.__array_namespace_info__().devices())) == names


def test_more_memory_than_there_is_raises_memory_error():
    with pytest.raises(MemoryError):
        xp.empty(1 << 46, dtype="uint8", device=FIRST)


def test_arrays_of_host_and_gpu_do_not_mix():
    x, y = xp.ones(2), xp.ones(2, device=FIRST)
    with pytest.raises(ValueError, match=r"^add: all arrays must be on one device, got cpu and"):
        x + y
    with pytest.raises(TypeError, match=r"^__array__: x must be on the CPU, got cuda:0"):
        np.asarray(y)


@on_double_only
def test_singular_matrix_raises_no_error_that_waits():
    from cupy_double import machine

    before = machine.gpu.syncs.total()
    xp.linalg.inv(xp.zeros((2, 2), device=FIRST))
    assert machine.gpu.syncs.total() == before


