"""cupy.cuda.memory: blocks of device memory, pointers into them, and the pool.

The pool keeps free blocks by device, stream and size, and hands out the one that came back last.
A block that comes back is overwritten on the stream that it was allocated on, after the work that
is queued there: work on any other stream that still needs it finds FREED in it.
"""

import contextlib
import ctypes
import sys
import threading

from cupy_double import machine, memory
from cupy_double.device import Device
from cupy_double.errors import CUDARuntimeError, OutOfMemoryError
from cupy_double.stream import get_current_stream


class BaseMemory:
    """``size`` bytes at ``ptr`` on a device."""

    ptr = size = 0
    device_id = -1

    @property
    def device(self):
        return Device(self.device_id)


class Memory(BaseMemory):
    """A block of its own, without a pool; making it and dropping it wait for the device."""

    kind = "device"

    def __init__(self, size):
        self.size, self.device_id = size, machine.gpu.current_device()
        self.ptr = take(self.device_id, memory.rounded(size), self.kind) if size else 0

    def __del__(self):
        if self.ptr:
            machine.gpu.finish(self.device_id)
            memory.range_of(self.device_id, self.kind).give_back(
                self.ptr, memory.rounded(self.size))


class ManagedMemory(Memory):
    """Memory that the host reads and writes as well."""

    kind = "managed"


def malloc_managed(size):
    return MemoryPointer(ManagedMemory(size), 0)


class UnownedMemory(BaseMemory):
    """Memory of another owner, which it keeps alive."""

    def __init__(self, ptr, size, owner, device_id=-1):
        if device_id < 0:
            machine.gpu.require_gpu()
            found = memory.range_at(ptr)
            if found is None:
                raise CUDARuntimeError(1)
            device_id = found.device
        self.ptr, self.size, self._owner, self.device_id = ptr, size, owner, device_id


class PooledMemory(BaseMemory):
    """A block of a pool, which gets it back when the last reference goes."""

    def __init__(self, pool, ptr, size, device_id, queue, key):
        self.pool, self.ptr, self.size, self.device_id = pool, ptr, size, device_id
        self.queue, self.key = queue, key

    def free(self, is_finalizing=sys.is_finalizing):
        if self.ptr and not is_finalizing():
            ptr, self.ptr = self.ptr, 0
            self.pool.release(self, ptr)

    __del__ = free


class MemoryPool:
    """Reuses blocks at once, by (device, stream, size)."""

    def __init__(self, allocator=None):
        self.kind = "managed" if allocator is malloc_managed else "device"
        self.blocks = {}
        self.taken = self.held = 0
        self.limit = 0

    def malloc(self, size):
        gpu = machine.gpu
        with gpu.lock:
            device = gpu.current_device()
            if size == 0:
                empty = BaseMemory()
                empty.device_id = device
                return MemoryPointer(empty, 0)
            handle = get_current_stream().ptr
            length = memory.rounded(size)
            key = device, handle, length
            queue = gpu.queue_for_kernel(handle)
            if self.blocks.get(key):
                ptr = self.blocks[key].pop()
            else:
                ptr = take(device, length, self.kind)
                self.held += length
            self.taken += length
            gpu.log.append(machine.Entry("allocate", "block", device, queue.handle))
            return MemoryPointer(PooledMemory(self, ptr, size, device, queue, key), 0)

    def release(self, block, ptr):
        gpu = machine.gpu
        with gpu.lock:
            length = block.key[2]
            gpu.enqueue(block.queue, memory.fill(ptr, length, memory.FREED))
            gpu.log.append(machine.Entry("free", "block", block.device_id, block.queue.handle))
            self.blocks.setdefault(block.key, []).append(ptr)
            self.taken -= length

    def used_bytes(self):
        return self.taken

    def total_bytes(self):
        machine.gpu.require_gpu()
        return self.held

    def free_bytes(self):
        return self.held - self.taken

    def n_free_blocks(self):
        return sum(map(len, self.blocks.values()))

    def free_all_blocks(self, stream=None):
        for (device, _, length), pointers in self.blocks.items():
            machine.gpu.finish(device)
            for ptr in pointers:
                memory.range_of(device, self.kind).give_back(ptr, length)
                self.held -= length
        self.blocks.clear()

    def get_limit(self):
        return self.limit

    def set_limit(self, size=None, fraction=None):
        self.limit = size or 0


def take(device, length, kind):
    ptr = memory.range_of(device, kind).take(length)
    if ptr is None:
        raise OutOfMemoryError(f"Out of memory allocating {length:,} bytes")
    return ptr


class MemoryPointer:
    """A place in a block, which it keeps alive."""

    def __init__(self, mem, offset):
        self.mem, self.ptr = mem, mem.ptr + offset

    @property
    def device_id(self):
        return self.mem.device_id

    @property
    def device(self):
        return self.mem.device

    def __int__(self):
        return self.ptr

    def __add__(self, offset):
        return MemoryPointer(self.mem, self.ptr - self.mem.ptr + offset)

    def __sub__(self, offset):
        return self + -offset

    def copy_from_device_async(self, src, size, stream=None):
        copy_async(self.ptr, src.ptr, size, stream)

    def copy_from_device(self, src, size):
        copy_async(self.ptr, src.ptr, size, None)

    def copy_from_host_async(self, mem, size, stream=None):
        address = mem.value if isinstance(mem, ctypes.c_void_p) else int(mem)
        if not memory.is_pinned(address):  # the driver stages pageable memory before it returns
            staged = ctypes.string_at(address, size)
            enqueue_copy(stream, lambda: ctypes.memmove(self.ptr, staged, size))
        else:
            copy_async(self.ptr, address, size, stream)

    def copy_to_host_async(self, mem, size, stream=None):
        address = mem.value if isinstance(mem, ctypes.c_void_p) else int(mem)
        copy_async(address, self.ptr, size, stream)

    def memset_async(self, value, size, stream=None):
        enqueue_copy(stream, memory.fill(self.ptr, size, value))

    def memset(self, value, size):
        self.memset_async(value, size)


def copy_async(target, source, size, stream):
    enqueue_copy(stream, lambda: ctypes.memmove(target, source, size))


def enqueue_copy(stream, action):
    """A copy may go to a stream of any device, and waits for no other stream."""
    handle = get_current_stream().ptr if stream is None else stream.ptr
    queue = machine.gpu.queue_of(handle)
    machine.gpu.enqueue(queue, action)
    machine.gpu.log.append(
        machine.Entry("copy", "bytes", machine.gpu.current_device(), queue.handle))


# -------------------------------------------------------------------------------------- allocators

default_pool = MemoryPool()
allocator = None
own_allocator = threading.local()


def alloc(size):
    machine.gpu.require_gpu()
    return (getattr(own_allocator, "function", None) or allocator or default_pool.malloc)(size)


def set_allocator(function=None):
    global allocator
    allocator = function


def get_allocator():
    return getattr(own_allocator, "function", None) or allocator or default_pool.malloc


@contextlib.contextmanager
def using_allocator(function=None):
    outer = getattr(own_allocator, "function", None)
    own_allocator.function = function
    try:
        yield
    finally:
        own_allocator.function = outer


# ------------------------------------------------------------------------------------------ pinned


class PinnedMemoryPointer(bytearray):
    """Host memory that the device reads by itself, while the host goes on."""

    def __init__(self, size):
        super().__init__(size)
        self.ptr, self.size = ctypes.addressof((ctypes.c_char * size).from_buffer(self)), size
        memory.pinned[self.ptr] = size

    @property
    def mem(self):
        return self

    def __del__(self):
        memory.pinned.pop(self.ptr, None)


def alloc_pinned_memory(size):
    machine.gpu.require_gpu()
    return PinnedMemoryPointer(size)


class PinnedMemoryPool:
    """Keeps nothing: pinned memory goes back at once."""

    def malloc(self, size):
        return alloc_pinned_memory(size)

    def free_all_blocks(self):
        pass

    def n_free_blocks(self):
        return 0


default_pinned_pool = PinnedMemoryPool()
