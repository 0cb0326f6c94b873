"""DLPack of device memory, with ctypes: what CuPy and the libraries beside it exchange."""

import ctypes
import warnings
from ctypes import addressof, c_int64, c_void_p

import numpy as np
from fake_producer import (
    CODES,
    DELETER,
    IS_COPIED,
    LEGACY,
    VERSIONED,
    DLDataType,
    DLDevice,
    DLManagedTensor,
    DLManagedTensorVersioned,
    DLPackVersion,
    DLTensor,
    capsule_name,
    delete,
    make_capsule,
    peek_address,
    take,
)

from cupy_double import machine, memory, pointer, runtime
from cupy_double.array import ndarray
from cupy_double.device import Device
from cupy_double.stream import Event, get_current_stream, wait_event

exported = {}  # address of a managed tensor -> what it needs


def on_delete(address):
    exported.pop(address)


deleter = DELETER(on_delete)


def managed_tensor(array, versioned, flags, device_type):
    """The address of a new managed tensor, which keeps the array; one of the host has type 1."""
    managed = (DLManagedTensorVersioned if versioned else DLManagedTensor)()
    shape = (c_int64 * array.ndim)(*array.shape)
    strides = (c_int64 * array.ndim)(*[step // array.itemsize for step in array.strides])
    code = CODES.get(array.dtype.kind, 4)  # 4 is bfloat16
    managed.dl_tensor = DLTensor(
        address_of(array) if array.size else None, DLDevice(device_type, device_id_of(array)),
        array.ndim, DLDataType(code, 8 * array.itemsize, 1), shape, strides, 0)
    managed.deleter = ctypes.cast(deleter, c_void_p).value
    if versioned:
        managed.version, managed.flags = DLPackVersion(1, 1), flags
    exported[addressof(managed)] = managed, shape, strides, array
    return addressof(managed)


class Release:
    """Calls the deleter of a managed tensor when it goes."""

    def __init__(self, address, versioned):
        self.address, self.versioned = address, versioned

    def __del__(self):
        delete(self.address, versioned=self.versioned)


def array_from_capsule(capsule):
    versioned = capsule_name(capsule) == VERSIONED
    address = take(capsule)
    seen = peek_address(address, versioned=versioned)
    dtype = dtype_of(seen.dtype)
    size = 1 + sum((n - 1) * abs(s) for n, s in zip(seen.shape or (), seen.strides, strict=True))
    owned = pointer.UnownedMemory(
        seen.pointer, size * dtype.itemsize, Release(address, versioned), seen.device[1])
    strides = tuple(step * dtype.itemsize for step in seen.strides)
    return ndarray(seen.shape, dtype, pointer.MemoryPointer(owned, 0), strides)


def dtype_of(code):
    if code[0] == 4:
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    kind = next(kind for kind, number in CODES.items() if number == code[0])
    return np.dtype(f"{kind}{code[1] // 8}")


def address_of(array):
    return array.ctypes.data if isinstance(array, np.ndarray) else array.data.ptr


def device_id_of(array):
    return 0 if isinstance(array, np.ndarray) else array.data.device_id


def capsule_of(array, max_version, flags, device_type):
    """A capsule of the version that is asked for; a legacy one has no flags."""
    versioned = max_version is not None and max_version[0] >= 1
    address = managed_tensor(array, versioned, flags, device_type)
    return make_capsule(address, VERSIONED if versioned else LEGACY)


# --------------------------------------------------------------------------------------- of cupy


def device_type_of(array):
    if runtime.is_hip:
        return 10
    found = memory.range_at(array.data.ptr) if array.size else None
    return 13 if found is not None and found.kind == "managed" else 2


def dlpack_device(self):
    machine.gpu.require_gpu()
    return device_type_of(self), self.data.device_id


def dlpack(self, *, stream=None, max_version=None, dl_device=None, copy=None):
    """Ordered after the current stream of the *current* device, whichever the array's is."""
    if dl_device is not None and tuple(dl_device) == (1, 0):
        return capsule_of(self.get(), max_version, IS_COPIED, 1)
    if copy or dl_device not in (None, dlpack_device(self)):
        raise BufferError("copy is supported for the CPU alone")
    if stream is None:
        stream = 1
    if isinstance(stream, bool) or not isinstance(stream, int) or stream < -1:
        raise ValueError(f"On CUDA, the valid stream for the DLPack protocol is -1, 1, 2, or any "
                         f"larger value, but {stream} was provided")
    if stream == 0:
        warnings.warn("stream 0 is ambiguous, taken as 1", stacklevel=2)
        stream = 1
    current = get_current_stream()
    if stream not in (-1, current.ptr or 1):
        event = Event()
        current.record(event)
        wait_event(stream, event)
    return capsule_of(self, max_version, 0, device_type_of(self))


def from_dlpack(array, *, device=None, copy=None):
    """On the current stream of the producer's device; what is read-only comes in writable."""
    if device is not None:
        raise NotImplementedError("from_dlpack() does not support device argument")
    kind, number = array.__dlpack_device__()
    if kind not in (2, 10, 13):
        raise TypeError("CPU arrays cannot be directly imported to CuPy")
    with Device(number):
        stream = get_current_stream().ptr or 1
        try:
            capsule = array.__dlpack__(stream=stream, max_version=(1, 0))
        except TypeError:
            capsule = array.__dlpack__(stream=stream)
    return array_from_capsule(capsule)


ndarray.__dlpack_device__ = dlpack_device
ndarray.__dlpack__ = dlpack
