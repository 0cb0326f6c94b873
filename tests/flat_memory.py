"""Whether a process that does something again and again needs more and more memory for it."""

import ctypes
import gc
import os
import sys
import sysconfig

__all__ = ["assert_flat"]

PAGE = os.sysconf("SC_PAGE_SIZE")
KIB = 1024


class Mallinfo(ctypes.Structure):
    """What glibc's ``mallinfo2`` returns."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
            "fordblks", "keepcost",
        )
    ]  # fmt: skip


def memory_in_use():
    """Bytes that malloc has given out, blocks of Python objects, resident bytes of the process.

    The first is 0 where the C library cannot tell, the second without the GIL, where Python counts
    a block until its thread looks at the page again.
    """
    gc.collect()
    allocated = 0
    mallinfo = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if mallinfo is not None:
        mallinfo.restype = Mallinfo
        info = mallinfo()
        allocated = info.uordblks + info.hblkhd
    with open("/proc/self/statm") as file:
        resident = int(file.read().split()[1]) * PAGE
    blocks = 0 if sysconfig.get_config_var("Py_GIL_DISABLED") else sys.getallocatedblocks()
    return allocated, blocks, resident


def assert_flat(action, times):
    """A leak grows with every batch: one batch without growth shows that there is none.

    The bounds are half of the least that can be lost each time, 16 bytes of malloc or one block
    of a Python object, and for the resident memory, which comes in pages, twice as much.
    """
    bounds = (max(8 * times, 32 * KIB), max(times // 2, 1000), max(32 * times, 256 * KIB))
    for _ in range(times // 10):
        action()
    growths = []
    for _ in range(4):
        before = memory_in_use()
        for _ in range(times):
            action()
        growth = tuple(a - b for a, b in zip(memory_in_use(), before, strict=True))
        if all(got <= bound for got, bound in zip(growth, bounds, strict=True)):
            return
        growths.append(growth)
    raise AssertionError(f"memory grew by {growths} (bytes, blocks, resident) in {times} times")
