"""What the DLPack exchange asks of a device: arrays over foreign memory, descriptions of arrays.

Memory that xpdl imported is given back when the stream on which it came has run what was queued
there before its last view died. Its DLPack device goes with it, so that it leaves with the type
that it came with.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from xpdl._backends.cupy import streams
from xpdl._backends.cupy.raw import Raw, cupy, is_extended, ndarray
from xpdl._backends.numpy.raw import Table

runtime = cupy.cuda.runtime
UnownedMemory = cupy.cuda.UnownedMemory

# DLPack device types.
CUDA, ROCM, CUDA_MANAGED = 2, 10, 13
HELD = (ROCM,) if streams.IS_ROCM else (CUDA, CUDA_MANAGED)


class Lease:
    """Keeps the owner of foreign memory while CuPy's arrays view it."""

    __slots__ = ("device", "dl_device", "keeper", "stream")

    def __init__(self, keeper: Any, device: Any, dl_device: tuple[int, int]) -> None:
        self.keeper = keeper
        self.device = device
        self.dl_device = dl_device
        self.stream: Any = None  # on which the memory came in

    def __del__(self) -> None:
        if self.stream is None or sys.is_finalizing():
            return
        try:
            with self.device:
                streams.keep_until_run(self.stream, self.keeper)
                streams.release_done()
        except runtime.CUDARuntimeError:
            pass  # CUDA has gone, and with it all work on the memory


def from_memory(
    function: str,
    keeper: Any,
    address: int,
    shape: tuple[int, ...],
    byte_strides: tuple[int, ...] | None,
    dtype: np.dtype[Any],
    kind: int,
    number: int,
    device: int,
) -> Raw:
    """An array over memory on ``device`` that ``keeper`` owns; absent strides are C order."""
    if kind not in HELD:
        raise BufferError(
            f"{function}: the tensor must be of DLPack device type "
            f"{' or '.join(map(str, HELD))} for this build of CuPy, got {kind}"
        )
    if isinstance(keeper, ndarray):  # an export of xpdl comes back
        memory = keeper.data.mem
    else:
        below, above = reach(shape, byte_strides, dtype.itemsize)
        lease = Lease(keeper, cupy.cuda.Device(device), (kind, number))
        memory = UnownedMemory(address - below, below + above, lease, device)
        lease.stream = streams.own_stream()
    pointer = cupy.cuda.MemoryPointer(memory, address - memory.ptr)
    return ndarray(shape, dtype, memptr=pointer, strides=byte_strides)


def reach(
    shape: tuple[int, ...], byte_strides: tuple[int, ...] | None, itemsize: int
) -> tuple[int, int]:
    """How many bytes the elements reach below and above the address of the first one."""
    if 0 in shape:
        return 0, 0
    if byte_strides is None:
        return 0, itemsize * int(np.prod(shape, dtype=object))
    steps = [(size - 1) * stride for size, stride in zip(shape, byte_strides, strict=True)]
    below = -sum(step for step in steps if step < 0)
    return below, itemsize + sum(step for step in steps if step > 0)


def describe(x: Raw) -> tuple[int, int, int]:
    """The address of the first element, and the DLPack device type and id."""
    memory = x.data.mem
    if isinstance(memory, UnownedMemory) and isinstance(memory._owner, Lease):
        return (x.data.ptr, *memory._owner.dl_device)
    return (x.data.ptr, *dl_device_of(x.data))


def dl_device_of(pointer: Any) -> tuple[int, int]:
    """The DLPack device of memory of CuPy; managed memory has the id 0 there."""
    if streams.IS_ROCM:
        return ROCM, pointer.device_id
    if pointer.ptr and is_managed(pointer.ptr):
        return CUDA_MANAGED, 0
    return CUDA, pointer.device_id


def is_managed(address: int) -> bool:
    """Whether memory migrates between the host and GPUs."""
    kind = runtime.pointerGetAttributes(address).type
    return bool(kind == runtime.memoryTypeManaged)


def device_of_address(address: int) -> int | None:
    """The number of the GPU on which managed memory was allocated, None for other memory."""
    return int(runtime.pointerGetAttributes(address).device) if is_managed(address) else None


def same_memory(x1: Raw, x2: Raw) -> bool:
    """Whether two arrays are views of one allocation."""
    return x1.data.mem is x2.data.mem


def within(function: Callable[..., Any], *args: Any) -> Any:
    """Call a producer while the device is the current one, as some want it."""
    return function(*args)


def copy_for(function: str, x: Raw, stream: Any) -> Raw:
    """A copy in C order, made on a consumer's stream, between the work before and after."""
    if streams.is_unordered(stream):
        return cupy.array(x, copy=True, order="C")
    with streams.work_on(stream):
        return cupy.array(x, copy=True, order="C")


def cuda_array_interface(x: Raw, readonly: bool) -> dict[str, Any]:
    """The attribute __cuda_array_interface__, version 3; its stream is the work stream."""
    if is_extended(x.dtype):
        raise AttributeError(f"dtype {x.dtype} has no name in the protocol; use DLPack")
    return {
        "shape": x.shape,
        "typestr": x.dtype.str,
        "data": (x.data.ptr if x.size else 0, readonly),
        "strides": None if x.flags.c_contiguous else x.strides,
        "version": 3,
        "stream": streams.number_of(streams.own_stream()) or None,
    }


def from_cuda_array_interface(x: Any) -> tuple[int, Raw, bool]:
    """The number of the GPU, an array over the memory, and whether that is read-only."""
    interface = x.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise TypeError("obj must not have a mask, which would be lost")
    dtype = np.dtype(interface["typestr"])
    if dtype.kind not in "biufc" or not dtype.isnative:
        raise TypeError(f"obj must hold numbers in native byte order, got dtype {dtype.str}")
    address, readonly = interface["data"]
    shape = tuple(interface["shape"])
    number = cupy.cuda.Device().id
    if address:
        number = int(runtime.pointerGetAttributes(address).device)
    with cupy.cuda.Device(number):
        if interface.get("stream") is not None:
            streams.wait_for(interface["stream"])
        strides = interface.get("strides")
        array = from_memory("asarray", x, address, shape, strides, dtype, HELD[0], number, number)
    return number, array, bool(readonly)


EXCHANGE: Table = {
    "copy_for": copy_for,
    "cuda_array_interface": cuda_array_interface,
    "describe": describe,
    "device_of_address": device_of_address,
    "from_cuda_array_interface": from_cuda_array_interface,
    "from_memory": from_memory,
    "same_memory": same_memory,
    "within": within,
}
