"""cupy.ndarray: a layout over device memory. Its values come to the host by ``get`` only."""

import math

import numpy as np

from cupy_double import elements, launch, machine, memory, pointer, signatures
from cupy_double.device import Device
from cupy_double.stream import get_current_stream

functions = None  # the double's module cupy, for the methods and operators that it has as functions


class Flags:
    """Memory layout; there is nothing about writing, as in the real CuPy."""

    def __init__(self, host, owndata):
        self.c_contiguous = host.flags.c_contiguous
        self.f_contiguous = host.flags.f_contiguous
        self.owndata = owndata

    def __getitem__(self, name):
        return getattr(self, name.lower())


class ndarray:
    """An array on a device: made by the functions of cupy, or over a pointer."""

    __module__ = "cupy"
    __hash__ = None

    def __init__(self, shape, dtype=float, memptr=None, strides=None, order="C"):
        self._shape = (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(
            map(int, shape))
        if len(self._shape) > 64:
            raise ValueError("maximum supported dimension for an ndarray is 64")
        self.dtype = np.dtype(dtype)
        self.base = None
        self._strides = tuple(strides) if strides is not None else strides_of(
            self._shape, self.dtype.itemsize, order)
        if memptr is None:
            machine.gpu.require_gpu()
            memptr = pointer.alloc(math.prod(self._shape) * self.dtype.itemsize)
        self.data = memptr

    # ------------------------------------------------------------------------- layout

    shape = property(lambda self: self._shape)
    strides = property(lambda self: self._strides)
    ndim = property(lambda self: len(self._shape))
    size = property(lambda self: math.prod(self._shape))
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.size * self.dtype.itemsize)
    device = property(lambda self: Device(self.data.device_id))
    flags = property(lambda self: Flags(self.host(), self.base is None))
    T = property(lambda self: self.transpose())
    mT = property(lambda self: functions.swapaxes(self, -1, -2))

    def host(self):
        """A NumPy array over the same memory, for kernels; it does not keep the memory alive."""
        return memory.host_array(self.data.ptr, self._shape, self.dtype, self._strides)

    def extent(self):
        """The first byte and the one after the last, from the first element."""
        pairs = list(zip(self._shape, self._strides, strict=True))
        return (sum((n - 1) * s for n, s in pairs if s < 0),
                sum((n - 1) * s for n, s in pairs if s > 0) + self.dtype.itemsize)

    def view_at(self, offset, shape, dtype, strides):
        view = ndarray(shape, dtype, self.data + offset, strides)
        view.base = self if self.base is None else self.base
        return view

    @property
    def __cuda_array_interface__(self):
        return {"shape": self._shape, "typestr": self.dtype.str, "descr": self.dtype.descr,
                "stream": 1, "version": 3, "data": (self.data.ptr, False),
                "strides": None if self.flags.c_contiguous else self._strides}

    # ------------------------------------------------------------------------- to the host

    def get(self, stream=None, order="C", out=None, blocking=True):
        """Copied on the current stream of the *current* device, whichever the array's is."""
        stream = get_current_stream() if stream is None else stream
        result = np.empty(self._shape, self.dtype, host_order(self, order)) if out is None else out
        source = self.host()
        if self.size:
            with self.device:
                queue = machine.gpu.queue_of(stream.ptr)
                machine.gpu.enqueue(queue, lambda: np.copyto(result, source))
                machine.gpu.log.append(
                    machine.Entry("copy", "get", self.data.device_id, queue.handle))
                if blocking:
                    machine.gpu.synchronize_stream(stream.ptr)
        return result

    def set(self, arr, stream=None):
        elements.set_array(self, arr, stream)

    def item(self, *args):
        return self.get().item(*args)

    def tolist(self):
        return self.get().tolist()

    def tobytes(self, order="C"):
        return self.get().tobytes(order)

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Implicit conversion to a NumPy array is not allowed. "
                        "Please use `.get()` to construct a NumPy array explicitly.")

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        if method != "__call__" or not signatures.exists("", ufunc.__name__):
            return NotImplemented
        return getattr(functions, ufunc.__name__)(*inputs, **keywords)

    def __bool__(self):
        return bool(self.get())

    def __int__(self):
        return int(self.get())

    def __float__(self):
        return float(self.get())

    def __complex__(self):
        return complex(self.get())

    def __repr__(self):
        return repr(self.get())

    def __str__(self):
        return str(self.get())

    def __format__(self, spec):
        return format(self.get(), spec)

    # ------------------------------------------------------------------------- layout changed

    def __len__(self):
        if not self._shape:
            raise TypeError("len() of unsized object")
        return self._shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def transpose(self, *axes):
        return functions.transpose(self, axes[0] if len(axes) == 1 else axes or None)

    def reshape(self, *shape, order="C", copy=None):
        shape = shape[0] if len(shape) == 1 else shape
        return launch.launch("reshape", np.reshape, (self, shape), {"order": order, "copy": copy})

    def view(self, dtype=None, type=None):
        if dtype is None:
            return self.view_at(0, self._shape, self.dtype, self._strides)
        seen = launch.example(self, False).view(dtype)
        return self.view_at(0, seen.shape, seen.dtype, seen.strides)

    @property
    def real(self):
        return functions.real(self)

    @real.setter
    def real(self, value):
        self.real[...] = value

    @property
    def imag(self):
        return functions.imag(self)

    @imag.setter
    def imag(self, value):
        self.imag[...] = value

    # ------------------------------------------------------------------------- copies

    def astype(self, dtype, order="K", casting=None, subok=None, copy=True):
        return launch.launch(
            "astype", np.ndarray.astype, (self, dtype), {"order": order, "copy": copy})

    def copy(self, order="C"):
        return elements.copy_array(self, order)

    def fill(self, value):
        self[...] = value

    # ------------------------------------------------------------------------- elements

    def __getitem__(self, index):
        return elements.get_item(self, index)

    def __setitem__(self, index, value):
        elements.set_item(self, index, value)


def strides_of(shape, itemsize, order):
    steps, step = [], itemsize
    for n in shape if order == "F" else reversed(shape):
        steps.append(step)
        step *= max(n, 1)
    return tuple(steps) if order == "F" else tuple(reversed(steps))


def host_order(x, order):
    if order == "A":
        flags = x.flags
        return "F" if flags.f_contiguous and not flags.c_contiguous else "C"
    return "C" if order == "K" else order


def method_of(name):
    def method(self, *args, **keywords):
        signatures.check_call(f"ndarray.{name}", (self, *args), keywords)
        return getattr(functions, name)(self, *args, **keywords)

    method.__name__ = name
    return method


METHODS = (
    "all any argmax argmin clip conj cumprod cumsum diagonal dot max mean min nonzero prod "
    "ravel repeat round searchsorted squeeze std sum swapaxes take trace var argsort"
)
for name in METHODS.split():
    setattr(ndarray, name, method_of(name))


def binary_operator(name):
    def method(self, other):
        if not isinstance(other, (ndarray, int, float, complex, np.generic)):
            return NotImplemented
        return getattr(functions, name)(self, other)

    return method


def reflected_operator(name):
    def method(self, other):
        if not isinstance(other, (int, float, complex, np.generic)):
            return NotImplemented
        return getattr(functions, name)(other, self)

    return method


def inplace_operator(name):
    def method(self, other):
        getattr(functions, name)(self, other, out=self)
        return self

    return method


BINARY = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide",
    "floordiv": "floor_divide", "mod": "remainder", "pow": "power", "matmul": "matmul",
    "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "left_shift",
    "rshift": "right_shift",
}  # fmt: skip
for name, function in BINARY.items():
    setattr(ndarray, f"__{name}__", binary_operator(function))
    setattr(ndarray, f"__r{name}__", reflected_operator(function))
    setattr(ndarray, f"__i{name}__", inplace_operator(function))

COMPARE = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal",
}  # fmt: skip
for name, function in COMPARE.items():
    setattr(ndarray, f"__{name}__", binary_operator(function))

UNARY = {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}
for name, function in UNARY.items():
    setattr(ndarray, f"__{name}__",
            lambda self, function=function: getattr(functions, function)(self))

launch.ndarray = ndarray
