"""What the tests of races share: arrays written late, and readers that know no order."""

import contextlib

import numpy as np
from fake_producer import peek
from gpu import LATE, cp, delay

import xpdl as xp

N = 1 << 14  # elements of an array of the races: 64 KiB of float32
STALE, WRITTEN = -1.0, 1.0  # what is in memory before and after the late write


def late(stream, device=0):
    """An Array that a stream fills with WRITTEN after a delay; until then it holds STALE."""
    with cp.cuda.Device(device):
        x = xp.full(N, STALE, dtype="float32", device=f"cuda:{device}")
        cp.cuda.Device(device).synchronize()
        with stream:
            delay()
            x[...] = WRITTEN
    return x


def cupy_view(address, keep=None, device=0, dtype="float32", shape=(N,)):
    """A CuPy array over memory at an address, which knows nothing of any order."""
    memory = cp.cuda.UnownedMemory(address, int(np.prod(shape)) * np.dtype(dtype).itemsize, keep,
                                   device)
    return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


def view_of(x):
    """A CuPy array over the memory of an Array or of a capsule."""
    if type(x) is xp.Array:
        x = x.__dlpack__(stream=-1, max_version=(1, 0))
    seen = peek(x)
    return cupy_view(seen.pointer, x, seen.device[1])


def read_on(stream, view):
    """The first element of view + 0, computed on a stream without any order to another."""
    with view.device:
        with stream:
            result = view + 0
        stream.synchronize()
        with stream:
            return float(result.get()[0])


def first(x):
    """The first element of an Array, read on xpdl's work stream."""
    return float(x.to_device("cpu")[0])


def check_stale(value):
    """The negative control: without an order the reader was too early."""
    assert value == STALE if LATE else value in (STALE, WRITTEN)


@contextlib.contextmanager
def work_on(stream):
    """Make a stream the one that xpdl works on; the default one needs no context."""
    with stream:
        yield stream
