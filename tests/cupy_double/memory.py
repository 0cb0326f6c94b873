"""Device memory: address ranges of the host that only a running kernel can touch.

Each device has one range. Outside of kernels its pages have no permission at all, so that code
that follows a device pointer on the host ends the process, as it would with a GPU. Managed memory
is a range that both sides can touch.
"""

import contextlib
import ctypes
import math
import mmap
import threading

import numpy as np

RANGE = 1 << 30  # bytes of address space a device, of which only what is touched is real
GRANULE = 512  # bytes, to which sizes of blocks are rounded up
NO_ACCESS = 0  # PROT_NONE
FRESH, FREED = 0xCB, 0xDF  # the bytes in memory that nobody has written, and that was given back

libc = ctypes.CDLL(None, use_errno=True)
libc.mprotect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int


class Range:
    """A range of addresses, handed out from its beginning; blocks that come back are kept."""

    def __init__(self, device, kind):
        self.device = device
        self.kind = kind  # "device" or "managed"
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        self.map = mmap.mmap(-1, RANGE, flags=flags)
        self.start = ctypes.addressof(ctypes.c_char.from_buffer(self.map))
        self.used = 0
        self.blocks = {}  # size -> addresses

    def take(self, size):
        """The address of ``size`` bytes, a multiple of GRANULE; None if there are none left."""
        if self.blocks.get(size):
            address = self.blocks[size].pop()
        elif self.used + size > RANGE:
            return None
        else:
            address = self.start + self.used
            self.used += size
        with unlocked():
            ctypes.memset(address, FRESH, size)
        return address

    def give_back(self, address, size):
        self.blocks.setdefault(size, []).append(address)

    def protect(self, access):
        if libc.mprotect(self.start, RANGE, access):
            raise OSError(ctypes.get_errno(), "mprotect")


ranges = []
open_count = 0
lock = threading.RLock()


def make_ranges(devices):
    """Give each device its memory."""
    for device in range(devices):
        ranges.extend((Range(device, "device"), Range(device, "managed")))
        ranges[-2].protect(NO_ACCESS)


def range_of(device, kind="device"):
    return next(r for r in ranges if r.device == device and r.kind == kind)


def range_at(address):
    """The range that an address lies in, None for one of the host."""
    return next((r for r in ranges if r.start <= address < r.start + RANGE), None)


@contextlib.contextmanager
def unlocked():
    """What a kernel may do: touch device memory."""
    global open_count
    with lock:
        open_count += 1
        if open_count == 1:
            for r in ranges:
                if r.kind == "device":
                    r.protect(mmap.PROT_READ | mmap.PROT_WRITE)
        try:
            yield
        finally:
            open_count -= 1
            if open_count == 0:
                for r in ranges:
                    if r.kind == "device":
                        r.protect(NO_ACCESS)


def rounded(size):
    return -(-size // GRANULE) * GRANULE


def host_array(address, shape, dtype, strides=None):
    """A NumPy array over memory at an address, which it does not own; making it touches nothing."""
    dtype = np.dtype(dtype)
    if 0 in shape or not address:
        return np.empty(shape, dtype)
    if strides is None:
        return np.ndarray(shape, dtype, buffer_at(address, dtype.itemsize * math.prod(shape)))
    low = sum((n - 1) * step for n, step in zip(shape, strides, strict=True) if step < 0)
    high = sum((n - 1) * step for n, step in zip(shape, strides, strict=True) if step > 0)
    buffer = buffer_at(address + low, high - low + dtype.itemsize)
    return np.ndarray(shape, dtype, buffer, -low, strides)


def buffer_at(address, size):
    return (ctypes.c_char * int(size)).from_address(address)


def fill(address, size, byte):
    """An action that fills memory with a byte."""
    return lambda: ctypes.memset(address, byte, size)


pinned = {}  # address -> size of the host memory that the device reads by itself


def is_pinned(address):
    return any(start <= address < start + size for start, size in pinned.items())
