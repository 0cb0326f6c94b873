"""Memory: what an Array takes beside its NumPy array, what calls on a gigabyte allocate, leaks."""

import ctypes
import gc
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import ClassVar

import numpy as np

import xpdl as xp
from benchmarks.exchange import peers
from benchmarks.flat import growth_of, kinds
from benchmarks.timing import FULL, Effort, Reading

__all__ = ["CALLS", "allocated_by", "bytes_of_an_array", "memory_cases"]

GIGABYTE = (2**13, 2**14)  # float64: 2**30 bytes, reserved but never touched
MANY = 10_000
HELD = 256  # more than malloc keeps aside for a thread

# Views and exchanges; ``n`` is a NumPy array, ``t`` a tensor of torch, ``x`` an Array, over one
# gigabyte each.
CALLS = (
    "x[1:3]", "x[...]", "x[::2, 1]", "x.T", "x.mT", "x.to_device('cpu')", "xp.asarray(x)",
    "xp.astype(x, xp.float64, copy=False)", "xp.broadcast_arrays(x, x)",
    "xp.broadcast_to(x, (3, 8192, 16384))", "xp.expand_dims(x, 0)", "xp.flip(x)",
    "xp.linalg.diagonal(x)", "xp.matrix_transpose(x)", "xp.moveaxis(x, 0, 1)",
    "xp.permute_dims(x, (1, 0))", "xp.reshape(x, (-1,))", "xp.squeeze(x[None], 0)",
    "xp.asarray(n)", "xp.from_dlpack(n)", "xp.from_dlpack(x)", "xp.from_dlpack(t)",
    "xp.ReadOnlyWrapper(x)", "x.__dlpack__()", "x.__dlpack__(max_version=(1, 3))",
    "np.asarray(x)", "np.from_dlpack(x)", "torch.from_dlpack(x)", "tvm_ffi.from_dlpack(x)",
)  # fmt: skip


def memory_cases() -> Iterator[Reading]:
    """The readings: bytes of an array, bytes allocated on a gigabyte, resident kB over many."""
    yield Reading("memory", "an Array beside its NumPy array", "", "bytes", bytes_of_an_array)
    names = _gigabytes()
    for call in CALLS:
        words = {word for word in ("t", "torch", "tvm_ffi") if word in _words(call)}
        if words <= names.keys():
            yield Reading("memory", call, "1 GB", "bytes", partial(_allocated, call, names))
    for name, call in kinds().items():
        yield Reading("memory", f"resident after many: {name}", "", "kB", partial(_grown, call))


def bytes_of_an_array(_: Effort = FULL) -> Mapping[str, float]:
    """Bytes of one Array of four elements, those of the ndarray in it, and the difference."""
    ours = traced_by(lambda: [xp.zeros(4) for _ in range(MANY)]) / MANY
    theirs = traced_by(lambda: [np.zeros(4) for _ in range(MANY)]) / MANY
    return {"beside": ours - theirs, "xpdl": ours, "numpy": theirs}


def allocated_by(call: Callable[[], object]) -> int:
    """Bytes that a call allocates, at most: what Python and NumPy had at its peak, and malloc.

    tracemalloc does not see what an extension takes from malloc; that is found by holding many
    results at once. What Python itself takes from there, for large objects, counts twice.
    """
    traced = traced_by(call)
    if traced > 2**20:
        return traced
    gc.disable()
    try:
        before = malloc_in_use()
        results = [call() for _ in range(HELD)]
        mallocated = malloc_in_use() - before
        del results
    finally:
        gc.enable()
    return traced + max(0, mallocated // HELD)


def traced_by(call: Callable[[], object]) -> int:
    """Bytes that Python and NumPy have at the peak of a call, its result included."""
    call()
    gc.collect(0)
    gc.disable()
    tracemalloc.start()
    try:
        start = tracemalloc.get_traced_memory()[0]
        result = call()
        peak = tracemalloc.get_traced_memory()[1]
        del result
    finally:
        tracemalloc.stop()
        gc.enable()
    return peak - start


class MallocInfo(ctypes.Structure):
    """The result of glibc's ``mallinfo2``: ten sizes."""

    _fields_: ClassVar = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks "
        "keepcost".split()
    ]


def malloc_in_use() -> int:
    """Bytes that malloc has given out; 0 where the C library cannot tell."""
    mallinfo = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if mallinfo is None:
        return 0
    mallinfo.restype = MallocInfo
    info = mallinfo()
    return int(info.uordblks + info.hblkhd)


def _gigabytes() -> dict[str, object]:
    modules = peers()
    array = np.empty(GIGABYTE)
    names = {"xp": xp, "np": np, "n": array, "x": xp.asarray(array), **modules}
    return names | ({"t": modules["torch"].from_numpy(array)} if "torch" in modules else {})


def _words(call: str) -> set[str]:
    return set(call.replace("(", " ").replace(")", " ").replace(".", " ").split())


def _allocated(call: str, names: dict[str, object], _: Effort) -> Mapping[str, float]:
    return {"xpdl": allocated_by(eval(f"lambda: {call}", names))}


def _grown(call: Callable[[], object], effort: Effort) -> Mapping[str, float]:
    """Resident kB more after the call was made as often as makes a million of all kinds."""
    count = (1_000_000 if effort is FULL else 20_000) // len(kinds())
    return {"xpdl": growth_of(call, count) / 1024}
