"""The modules cupy, cupy.linalg and cupy.fft: NumPy's functions as kernels, and CuPy's own.

A name is there if the real CuPy has it; see signatures.
"""

import math
import types

import numpy as np

from cupy_double import array as arrays, elements, faults, launch, machine, pointer, signatures
from cupy_double.array import ndarray
from cupy_double.kernels import ElementwiseKernel, RawKernel
from cupy_double.stream import get_current_stream

# Functions of layouts and dtypes alone: their result is none of the device.
PLAIN = frozenset((
    "result_type", "can_cast", "promote_types", "isdtype", "issubdtype", "finfo", "iinfo",
    "broadcast_shapes", "ndim", "shape", "size", "isscalar", "may_share_memory", "shares_memory",
    "iscomplexobj", "isrealobj",
))  # fmt: skip


def any_array(position):
    """Whether the argument at a position is an array on the device."""
    return lambda *args, **keywords: len(args) > position and isinstance(args[position], ndarray)


def always(*args, **keywords):
    return True


# Functions whose result's shape depends on values: they make the host wait.
WAITING = {
    "where": lambda *args, **keywords: len(args) + len(keywords) == 1,
    "repeat": lambda a, repeats, axis=None: isinstance(repeats, ndarray),
} | dict.fromkeys(
    "nonzero argwhere flatnonzero unique unique_all unique_counts unique_inverse unique_values "
    "extract compress bincount histogram union1d intersect1d setdiff1d setxor1d".split(),
    always,
)


class Module(types.ModuleType):
    """A module whose functions are made when they are asked for."""

    def __init__(self, folder, own):
        super().__init__(f"cupy.{folder}" if folder else "cupy")
        self.__path__ = []
        self.folder = folder
        self.__dict__.update(own)

    def __getattr__(self, name):
        if name.startswith("__") or not signatures.exists(self.folder, name):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        found = make_function(self.folder, name)
        setattr(self, name, found)
        return found


def make_function(folder, name):
    home = getattr(np, folder) if folder else np
    if name in faults.FUNCTIONS[folder]:
        function = faults.FUNCTIONS[folder][name]
    elif hasattr(home, name):
        function = getattr(home, name)
    else:
        raise NotImplementedError(f"the double of CuPy has no {folder} {name}")
    if isinstance(function, type) or not callable(function):
        return function  # dtypes and constants are NumPy's
    if name in PLAIN:
        return lambda *args: function(*launch.map_examples(args))
    if folder == "linalg" and name not in ("cross", "matrix_power", "norm"):
        function = without_half(function)
    return launch.kernel_of(name, function, folder=folder, waits=WAITING.get(name))


def without_half(function):
    def call(*args, **keywords):
        for x in args:
            if getattr(x, "dtype", None) == np.float16:
                raise TypeError("float16 is unsupported in linalg")
        return function(*args, **keywords)

    return call


# ----------------------------------------------------------------------------------------- creation


def array(obj, dtype=None, copy=True, order="K", subok=False, ndmin=0, *, blocking=False):
    """From the host through staging memory, unless the source is pinned and is read later."""
    machine.gpu.require_gpu()
    if isinstance(obj, ndarray):
        if obj.data.device_id != machine.gpu.current_device():
            obj = elements.copy_array(obj)  # without a word, also where copy=False
        wanted = obj.dtype if dtype is None else np.dtype(dtype)
        if not copy and wanted == obj.dtype and obj.ndim >= ndmin:
            return obj
        result = obj.astype(wanted, order=order or "K")
        return result[(None,) * max(ndmin - obj.ndim, 0)]
    if hasattr(obj, "__cuda_array_interface__"):
        view = array_of_interface(obj)
        return array(view, dtype, copy, order, ndmin=ndmin)
    if isinstance(obj, (list, tuple)) and launch.arrays_in(obj):
        stacked = stack([asarray(item) for item in obj])
        return stacked if dtype is None else stacked.astype(dtype)
    source = np.array(obj, dtype, copy=None, order="K" if order is None else order, ndmin=ndmin)
    if source.dtype.kind in "OSU":
        raise ValueError(f"Unsupported dtype {source.dtype}")
    if not source.dtype.isnative:
        source = source.astype(source.dtype.newbyteorder("="))
    if source.ndim == 0:  # filled with a scalar, which loses the sign of zero
        source = source + np.zeros((), source.dtype) if source.dtype.kind in "fc" else source
        source = np.asarray(source)
    fortran = source.flags.f_contiguous and not source.flags.c_contiguous
    result = ndarray(source.shape, source.dtype, order="F" if fortran else "C")
    elements.write_host(result, source, get_current_stream())
    if blocking:
        machine.gpu.synchronize_stream(get_current_stream().ptr)
    return result


def array_of_interface(obj):
    """A view of the memory of another library, for whose stream the host waits."""
    given = obj.__cuda_array_interface__
    if given.get("stream"):
        machine.gpu.synchronize_stream(given["stream"])
    address, _ = given["data"]
    dtype = np.dtype(given["typestr"])
    size = dtype.itemsize * max(math.prod(given["shape"]), 1)
    memory = pointer.UnownedMemory(address, size, obj)
    return ndarray(given["shape"], dtype, pointer.MemoryPointer(memory, 0), given.get("strides"))


def asarray(a, dtype=None, order=None, *, copy=None, blocking=False):
    return array(a, dtype, bool(copy), order or "K", blocking=blocking)


def asnumpy(a, stream=None, order="C", out=None, *, blocking=True):
    if isinstance(a, ndarray):
        return a.get(stream, order, out, blocking)
    return np.asarray(a, order=order)


def stack(tup, axis=0, out=None, *, dtype=None, casting="same_kind"):
    return functions_stack(tuple(tup), axis, out=out, dtype=dtype, casting=casting)


functions_stack = launch.kernel_of("stack", np.stack)


def empty(shape, dtype=float, order="C"):
    return ndarray(shape, dtype, order=order)


def filled(name, value):
    def create(shape, dtype=float, order="C"):
        result = ndarray(shape, dtype, order=order)
        result.fill(value)
        return result

    create.__name__ = name
    return create


def full(shape, fill_value, dtype=None, order="C"):
    if dtype is None:
        dtype = fill_value.dtype if isinstance(fill_value, ndarray) else np.array(fill_value).dtype
    result = ndarray(shape, dtype, order=order)
    result.fill(fill_value)
    return result


def like(name, create):
    """On the current device, wherever the prototype is."""
    def create_like(a, dtype=None, order="K", subok=None, shape=None):
        return create(a.shape if shape is None else shape, a.dtype if dtype is None else dtype)

    create_like.__name__ = name
    return create_like


def full_like(a, fill_value, dtype=None, order="K", subok=None, shape=None):
    return full(a.shape if shape is None else shape, fill_value,
                a.dtype if dtype is None else dtype)


def copyto(dst, src, casting="same_kind", where=None):
    launch.check_operands("copyto", (dst, src, where))
    source_dtype = src.dtype if isinstance(src, ndarray) else np.result_type(src, dst.dtype)
    if not np.can_cast(source_dtype, dst.dtype, casting):
        raise TypeError(f"Cannot cast {source_dtype} to {dst.dtype} in {casting} casting mode")
    if isinstance(src, ndarray):
        np.broadcast_to(launch.example(src, False), dst.shape)
    target, source, mask = launch.map_arrays(lambda x: x.host(), (dst, src, where))
    mask = True if mask is None else mask
    launch.queue_kernel(
        "copyto", lambda: np.copyto(target, source, casting="unsafe", where=mask))


def astype(x, dtype, /, *, copy=True):
    return x.astype(dtype, copy=copy)


def copy(a, order="K"):
    return a.copy(order=order)


def get_array_module(*args):
    return cupy if any(isinstance(x, ndarray) for x in args) else np


cupy = Module("", {
    "ndarray": ndarray, "array": array, "asarray": asarray, "asnumpy": asnumpy, "stack": stack,
    "empty": empty, "zeros": filled("zeros", 0), "ones": filled("ones", 1), "full": full,
    "empty_like": like("empty_like", empty), "zeros_like": like("zeros_like", filled("", 0)),
    "ones_like": like("ones_like", filled("", 1)), "full_like": full_like, "copyto": copyto,
    "astype": astype, "copy": copy, "get_array_module": get_array_module,
    "ElementwiseKernel": ElementwiseKernel, "RawKernel": RawKernel,
    "is_available": lambda: machine.gpu.devices > 0, "__version__": "14.2.0",
})  # fmt: skip
linalg = Module("linalg", {"LinAlgError": np.linalg.LinAlgError})
fft = Module("fft", {})
arrays.functions = cupy
