"""Group 11: copies between host and GPU, of every layout, with sources that change at once."""

import numpy as np
import pytest
from gpu import LATE, ON_DOUBLE, cp, delay, new_stream
from races import N, view_of
from samples import LAYOUTS, laid_out

import xpdl as xp

CUDA = "cuda:0"
MANY = 1 << 20 if ON_DOUBLE else (1 << 30) + (1 << 20)  # bytes

TO_GPU = {
    "asarray": lambda host: xp.asarray(host, device=CUDA),
    "to_device": lambda host: xp.asarray(host).to_device(CUDA),
    "from_dlpack": lambda host: xp.from_dlpack(host, device=CUDA),
    "setitem": lambda host: into(host),
}


def into(host):
    x = xp.zeros(host.shape, dtype=host.dtype, device=CUDA)
    x[...] = xp.asarray(host, device=CUDA)
    return x


def test_memory_that_the_gpu_reads_late_may_not_change():
    """What the next test is about, on memory that nobody copies first."""
    host = np.frombuffer(cp.cuda.alloc_pinned_memory(4 * N), "float32", N)
    host[:] = 1
    with new_stream():
        delay()
        x = cp.asarray(host)
        host[:] = -1
        value = x.get()[0]
    assert value == -1 if LATE else value in (-1, 1)


@pytest.mark.parametrize("way", TO_GPU)
def test_host_memory_may_change_as_soon_as_a_copy_is_asked_for(way):
    host = np.full(N, 1, "float32")
    TO_GPU[way](host)
    with new_stream():
        delay()
        x = TO_GPU[way](host)
        host[:] = -1
        assert x.tolist()[0] == 1


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("way", ["asarray", "to_device", "from_dlpack"])
def test_values_of_each_layout_go_there_and_back(way, layout):
    host = laid_out("int32", layout)
    x = TO_GPU[way](host)
    assert (x.device, x.shape, x.dtype) == (CUDA, host.shape, host.dtype)
    back = x.to_device("cpu")
    assert back.device == "cpu"
    np.testing.assert_array_equal(np.asarray(back), host)


@pytest.mark.parametrize("view", [
    lambda x: x[::-1], lambda x: x[:, ::2], lambda x: x.T, lambda x: x[1:, 1:], lambda x: x[:0],
])  # fmt: skip
def test_view_on_the_gpu_comes_to_the_host(view):
    host = np.arange(12.0).reshape(3, 4)
    x = view(xp.asarray(host, device=CUDA))
    for back in (x.to_device("cpu"), xp.from_dlpack(x, device="cpu"), xp.asarray(x, device="cpu")):
        np.testing.assert_array_equal(np.asarray(back), view(host))
    assert x.tolist() == view(host).tolist()


def test_foreign_byte_order_is_swapped():
    host = np.arange(3, dtype=">f8")
    x = xp.asarray(host, device=CUDA)
    assert (x.dtype, x.tolist()) == (np.dtype("float64"), [0.0, 1.0, 2.0])


def test_fortran_order_keeps_its_values():
    host = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    x = xp.asarray(host, device=CUDA)
    np.testing.assert_array_equal(np.asarray(x.to_device("cpu")), host)
    np.testing.assert_array_equal(np.asarray((x + 1).to_device("cpu")), host + 1)


def test_zero_keeps_its_sign():
    for x in (
        xp.asarray(-0.0, device=CUDA), xp.asarray(np.asarray(-0.0), device=CUDA),
        xp.asarray([-0.0], device=CUDA), xp.full((), -0.0, device=CUDA),
        xp.asarray(-0.0).to_device(CUDA),
    ):  # fmt: skip
        assert bool(xp.signbit(x.to_device("cpu")).item())
        assert np.signbit(x.item() if x.ndim == 0 else x[0].item())


def test_copy_to_the_host_is_the_hosts_own():
    x = xp.ones(4, device=CUDA)
    host = x.to_device("cpu")
    host[...] = 5
    assert x.tolist() == [1.0] * 4
    x[...] = 2
    assert host.tolist() == [5.0] * 4


def test_host_waits_for_the_values():
    with new_stream():
        x = xp.zeros(N, dtype="float32", device=CUDA)
        delay()
        x[...] = 1
        for read in (
            lambda: x.to_device("cpu")[0].item(), lambda: x[0].item(), lambda: float(x[0]),
            lambda: x.tolist()[0], lambda: int(x[0]), lambda: complex(x[0]).real,
            lambda: float(repr(x[0]).partition("(")[2].partition(",")[0]),
        ):  # fmt: skip
            x[...] = 0
            delay()
            x[...] = 1
            assert read() == 1
            assert view_of(x).get()[0] == 1


def test_large_array_goes_there_and_back():
    host = np.arange(MANY, dtype="uint8")
    x = xp.asarray(host, device=CUDA)
    assert int(xp.sum(x, dtype=xp.uint64)) == int(host.sum(dtype="uint64"))
    assert np.array_equal(np.asarray(x.to_device("cpu")), host)
    del x
    cp.get_default_memory_pool().free_all_blocks()
    cp.get_default_pinned_memory_pool().free_all_blocks()
