"""cupy.cuda.runtime: the calls of the CUDA runtime, by their names there."""

from types import SimpleNamespace

from cupy_double import machine, memory, pointer, stream as streams
from cupy_double.errors import CUDARuntimeError

__all__ = ["CUDARuntimeError"]

is_hip = False

memoryTypeUnregistered, memoryTypeHost, memoryTypeDevice, memoryTypeManaged = range(4)
memcpyHostToHost, memcpyHostToDevice, memcpyDeviceToHost, memcpyDeviceToDevice = range(4)
memcpyDefault = 4
streamDefault, streamNonBlocking = 0, 1
streamLegacy, streamPerThread = 1, 2


def getDeviceCount():
    machine.gpu.require_gpu()
    return machine.gpu.devices


def getDevice():
    return machine.gpu.current_device()


def setDevice(device):
    machine.gpu.set_device(device)


def deviceSynchronize():
    machine.gpu.synchronize_device()


def runtimeGetVersion():
    return 13000


def driverGetVersion():
    return 13000 if machine.gpu.devices else 0


def deviceCanAccessPeer(device, peer):
    return int(device != peer)


def getDeviceProperties(device):
    if not 0 <= device < getDeviceCount():
        raise CUDARuntimeError(101)
    return {"name": b"double of a GPU", "major": 9, "minor": 0, "totalGlobalMem": memory.RANGE}


def memGetInfo():
    used = memory.range_of(getDevice()).used
    return memory.RANGE - used, memory.RANGE


def pointerGetAttributes(ptr):
    machine.gpu.require_gpu()
    found = memory.range_at(ptr)
    if found is None:
        kind = memoryTypeHost if memory.is_pinned(ptr) else memoryTypeUnregistered
        return SimpleNamespace(device=-1, devicePointer=0, hostPointer=ptr, type=kind)
    kind = memoryTypeManaged if found.kind == "managed" else memoryTypeDevice
    return SimpleNamespace(device=found.device, devicePointer=ptr, hostPointer=0, type=kind)


def streamSynchronize(stream):
    machine.gpu.synchronize_stream(stream)


def streamQuery(stream):
    last = machine.gpu.queue_of(stream).last
    if last is not None and not last.done:
        raise CUDARuntimeError(600)


def streamCreate():
    return machine.gpu.create_stream(True)


def streamCreateWithFlags(flags):
    return machine.gpu.create_stream(flags != streamNonBlocking)


def streamDestroy(stream):
    machine.gpu.destroy_stream(stream)


def memcpyAsync(dst, src, size, kind, stream):
    pointer.copy_async(dst, src, size, SimpleNamespace(ptr=stream))


def memcpy(dst, src, size, kind):
    pointer.copy_async(dst, src, size, streams.Stream.null)
    machine.gpu.synchronize_stream(0)


def malloc(size):
    return pointer.take(getDevice(), memory.rounded(size), "device")


def free(ptr):
    """Wait for the device, as cudaFree does; the block is not used again."""
    if ptr:
        machine.gpu.finish(memory.range_at(ptr).device)
