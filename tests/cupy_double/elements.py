"""What the real CuPy does when elements are read, written and copied, faults included.

Integers in an index array wrap around where they are out of range. A boolean mask makes the host
wait. A copy to another device is ordered by no event.
"""

import numpy as np

from cupy_double import launch, machine, memory, pointer
from cupy_double.stream import get_current_stream


def prepared(index):
    """The items of an index, lists made arrays; whether there is an array, and a mask, in it."""
    from cupy_double.functions import asarray

    items = list(index) if isinstance(index, tuple) else [index]
    advanced = masked = False
    for i, item in enumerate(items):
        if isinstance(item, np.ndarray):
            raise IndexError(f"Unsupported type {type(item)}")
        if isinstance(item, (list, bool, np.bool)):
            items[i] = item = asarray(np.asarray(item))
        if isinstance(item, launch.ndarray):
            if item.dtype.kind not in "biu":
                raise IndexError("arrays used as indices must be of integer or boolean type")
            advanced = True
            masked = masked or item.dtype == bool
    if not any(item is ... for item in items) and not advanced:
        items.append(...)  # so that ints alone give a 0-d view
    return tuple(items), advanced, masked


def is_mask(item):
    return isinstance(item, np.ndarray) and item.dtype == bool


def wrapped(index, shape):
    """The index with its arrays of ints brought into range."""
    found, axis = [], 0
    consumed = sum(
        item.ndim if is_mask(item) else 1
        for item in index if item is not None and item is not ...)
    for item in index:
        if item is ...:
            axis += len(shape) - consumed
        elif is_mask(item):
            axis += item.ndim
        elif item is not None:
            if isinstance(item, np.ndarray) and axis < len(shape):
                item = item.astype(np.int64) % max(shape[axis], 1)
            axis += 1
        found.append(item)
    return tuple(found)


def read(x, index):
    return x[index]


def gather(x, index):
    """Never a view, also where the index arrays have no axes."""
    return np.array(x[wrapped(index, x.shape)])


def get_item(x, index):
    index, advanced, masked = prepared(index)
    if advanced:
        launch.check_operands("__getitem__", (x, index))
    function = gather if advanced else read
    return launch.launch("__getitem__", function, (x, index), {}, wait=masked)


def set_item(x, index, value):
    index, _, masked = prepared(index)
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
        raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
    launch.check_operands("__setitem__", (x, index, value))
    if masked:
        launch.synchronize()
    if not isinstance(value, launch.ndarray):
        scalar = np.empty((), x.dtype)
        launch.run_quietly(scalar.__setitem__, ((), value), {})
        value = scalar
    hosts = []
    for as_host in (lambda a: launch.example(a, False), lambda a: a.host()):
        hosts.append(launch.map_arrays(as_host, (x, index, value)))

    def write(target, index, value):
        target[wrapped(index, target.shape)] = value

    if masked:  # by then the host knows the mask
        with memory.unlocked():
            hosts[0] = launch.map_arrays_of_host(np.array, hosts[1])
    launch.run_quietly(write, hosts[0], {})  # its errors come at once
    if x.size:
        real = hosts[1]
        launch.queue_kernel("__setitem__", lambda: launch.run_quietly(write, real, {}))


def copy_array(x, order="C"):
    """A copy on the *current* device; from another device without any order to its work."""
    if x.size == 0 or x.data.device_id == machine.gpu.current_device():
        return launch.launch("copy", np.ndarray.copy, (x,), {"order": order})
    flags = x.flags
    if not flags.c_contiguous and not flags.f_contiguous:
        if order == "K":
            raise NotImplementedError("CuPy cannot copy non-contiguous array between devices.")
        with x.device:
            x = copy_array(x, order)
    result = launch.ndarray(x.shape, x.dtype, strides=None, order="F" if (
        x.flags.f_contiguous and not x.flags.c_contiguous) else "C")
    result.data.copy_from_device_async(x.data, x.nbytes)
    return result


def set_array(x, array, stream=None):
    """From the host; pageable memory is read before this returns, pinned memory later."""
    if not isinstance(array, np.ndarray) or array.dtype != x.dtype or array.shape != x.shape:
        raise TypeError("Only numpy.ndarray of the same dtype and shape can be set")
    stream = get_current_stream() if stream is None else stream
    with x.device:
        write_host(x, array, stream)


def write_host(x, array, stream):
    if not x.size:
        return
    source = array if memory.is_pinned(array.ctypes.data) else array.copy("K")
    target = x.host()
    pointer.enqueue_copy(stream, lambda: np.copyto(target, source))
