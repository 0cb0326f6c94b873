"""How a function of NumPy becomes a kernel: its results are known at once, its values later.

A function first runs on examples, arrays of the operands' shapes, strides and dtypes. What comes
out of that tells the shape and dtype of each result, and whether it is a view. Fresh results are
allocated, and the work that fills them is queued on the current stream of the current device.
"""

import inspect
import warnings

import numpy as np

from cupy_double import machine, memory, signatures
from cupy_double.stream import get_current_stream

ndarray = None  # array.py puts its class here


def queue_kernel(name, action):
    """Queue work that runs on the current device, and on no stream but one of that device."""
    gpu = machine.gpu
    with gpu.lock:
        queue = gpu.queue_for_kernel(get_current_stream().ptr)
        gpu.enqueue(queue, action)
        gpu.log.append(machine.Entry("kernel", name, queue.device, queue.handle))


def synchronize():
    """Wait for the current stream, as the functions do whose result's size depends on values."""
    machine.gpu.synchronize_stream(get_current_stream().ptr)


def map_arrays(function, value):
    """``value`` with ``function`` applied to the arrays in it, at any depth."""
    if isinstance(value, ndarray):
        return function(value)
    if isinstance(value, (tuple, list)):
        return type(value)([map_arrays(function, item) for item in value])
    return value


def map_arrays_of_host(function, value):
    """The same for NumPy's arrays."""
    if isinstance(value, np.ndarray):
        return function(value)
    if isinstance(value, (tuple, list)):
        return type(value)([map_arrays_of_host(function, item) for item in value])
    return value


def arrays_in(value):
    found = []
    map_arrays(found.append, value)
    return found


def check_operands(name, value):
    """Refuse what the real CuPy refuses: arrays of the host, and arrays of another device."""
    if isinstance(value, (np.ndarray, memoryview)):
        raise TypeError(f"cupy.{name}: Unsupported type {type(value)}")
    if isinstance(value, (tuple, list)):
        for item in value:
            check_operands(name, item)
    elif isinstance(value, ndarray):
        current = machine.gpu.current_device()
        if value.size and value.data.device_id != current:
            raise ValueError(
                f"cupy.{name}: Array device must be same as the current device: array device = "
                f"{value.data.device_id} while current = {current}")


def example(x, matrices):
    """An array of the host with the layout of ``x``; stacks of identities where matrices count."""
    if x.size == 0:
        return np.empty(x.shape, x.dtype)
    low, high = x.extent()
    # Items of neighbours overlap only if the strides say so: there is a byte for each byte.
    found = np.ndarray(x.shape, x.dtype, np.zeros(high - low, "u1"), -low, x.strides)
    if matrices and x.ndim >= 2 and x.shape[-1] == x.shape[-2]:
        found = np.zeros(x.shape, x.dtype)
        found[...] = np.eye(x.shape[-1])
    return found


def run_quietly(function, args, keywords):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*args, **keywords)


def kernel_of(name, function, *, folder="", waits=None):
    """A function of the double's arrays that does what ``function`` does to NumPy's.

    ``waits`` tells, for given arguments, whether the result's shape depends on values.
    """
    path = f"{folder}.{name}" if folder else name

    def call(*args, **keywords):
        machine.gpu.require_gpu()
        signatures.check_call(path, args, keywords)
        out = keywords.pop("out", None)
        check_operands(path, (*args, *keywords.values()))
        if signatures.is_ufunc(path, function):
            return launch_ufunc(path, function, args, out, keywords)
        return launch(
            path, function, args, keywords, out=out, matrices=folder == "linalg",
            wait=waits is not None and waits(*args, **keywords))

    call.__name__ = call.__qualname__ = name
    call.__signature__ = signatures.signature_of(path) or inspect.Signature()
    return call


def launch_ufunc(path, function, args, out, keywords):
    """Run in the loop that the real CuPy takes, which is not always NumPy's."""
    inputs = getattr(signatures.real_object(path), "nin", getattr(function, "nin", len(args)))
    if len(args) > inputs:
        args, out = args[:inputs], args[inputs]
    if any(isinstance(x, (tuple, list)) or x is None for x in args):
        raise TypeError(f"cupy.{path}: Unsupported type {[type(x) for x in args]}")
    loop = None if "dtype" in keywords else signatures.loop_of(path, args)

    def compute(*operands):
        if loop is None:
            return function(*operands, **keywords)
        cast = [np.asarray(x, t) for x, t in zip(operands, loop[0], strict=True)]
        return np.asarray(function(*cast)).astype(loop[1][0])

    if loop is not None:
        wanted = np.asarray(run_quietly(function, map_examples(args), {})).dtype
        if wanted == loop[1][0]:
            loop = None  # NumPy does the same, also with scalars out of range
    return launch(path, compute, args, {}, out=out)


def map_examples(args):
    return [map_arrays(lambda x: example(x, False), x) for x in args]


def launch(name, function, args, keywords, *, out=None, matrices=False, wait=False):
    """Run ``function`` on examples now and on the values later; the results as arrays here."""
    given = args, keywords
    examples = {}
    if wait:
        synchronize()
        with memory.unlocked():
            found = map_results(np.array, run_quietly(function, *map_arrays(host_of, given)))

        def compute():
            return found
    else:
        examples = {id(x): (x, example(x, matrices)) for x in arrays_in(given)}
        found = run_quietly(function, *map_arrays(lambda x: examples[id(x)][1], given))
        hosts = map_arrays(host_of, given)  # a queued kernel keeps no array alive

        def compute():
            return run_quietly(function, *hosts)

    fresh = []  # an entry for each result, None for a view
    results = map_results(lambda value: placed(value, examples.values(), fresh, out), found)
    targets = [None if x is None else x.host() for x in fresh]

    def action():
        try:
            values = compute()
        except np.linalg.LinAlgError:
            return  # as in the real one, the results are then any bytes
        for target, value in zip(targets, arrays_of_host(values), strict=True):
            if target is not None:
                np.copyto(target, value, casting="unsafe")

    if any(target is not None for target in targets):
        queue_kernel(name, action)
    return results


def host_of(x):
    return x.host()


def arrays_of_host(value):
    """The results among what a function of NumPy returned, in order."""
    found = []
    map_results(found.append, value)
    return found


def map_results(function, value):
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[map_results(function, item) for item in value])
    if isinstance(value, (tuple, list)):
        return type(value)([map_results(function, item) for item in value])
    if isinstance(value, (np.ndarray, np.generic)):
        return function(value)
    return value


def placed(value, operands, fresh, out):
    """The array for one result of the examples: a view of an operand, ``out``, or a fresh one."""
    value = np.asarray(value)
    if out is None:
        for x, seen in operands:
            if value is seen:
                fresh.append(None)
                return x
            if value.size and value.base is not None and np.may_share_memory(value, seen):
                fresh.append(None)
                offset = value.ctypes.data - seen.ctypes.data
                return x.view_at(offset, value.shape, value.dtype, value.strides)
        fortran = value.flags.f_contiguous and not value.flags.c_contiguous
        fresh.append(ndarray(value.shape, value.dtype, order="F" if fortran else "C"))
    else:
        if not np.can_cast(value.dtype, out.dtype, "same_kind"):
            raise TypeError(f"output of {value.dtype} cannot be cast to {out.dtype}")
        if out.shape != np.broadcast_shapes(out.shape, value.shape):
            raise ValueError(f"Out shape is mismatched {out.shape} {value.shape}")
        fresh.append(out)
    return fresh[-1]
