"""A double of CuPy for machines without a GPU, on which a missing order is seen every time.

`install` puts it into ``sys.modules`` as ``cupy`` for the life of the process. It models devices,
streams, events, the memory pool, and the way of values between host and device; functions are
NumPy's, run by work that waits in the queue of a stream until the host waits for it.

| module | models |
| --- | --- |
| machine | devices, streams, the order of work, schedules, the log, the count of waits |
| memory | address ranges that only kernels can touch |
| device, stream, pointer, runtime | cupy.cuda |
| array, elements, launch, functions, kernels, capsule | cupy |
| faults | what the real CuPy does wrong |
| signatures | the real CuPy's signatures and loops, where its wheel is installed |
| peers | libraries like torch and JAX on the same GPU |

It cannot show what CUDA's own code computes, nor how fast: that is what the tests marked ``cuda``
are for, which also run its own tests (cuda/test_cuda_double*.py) on the real CuPy.
"""

import sys
import types

from cupy_double import machine, memory, signatures

__all__ = ["install"]


def install(devices=2, schedule="lazy", hip=False):
    """Make ``import cupy`` give the double, with so many devices.

    ``schedule`` is "lazy", "eager" or a seed; see machine.
    """
    signatures.load_real()
    machine.gpu = machine.Machine(devices, schedule)
    memory.make_ranges(devices)
    from cupy_double import capsule, device, functions, pointer, runtime, stream

    runtime.is_hip = hip
    cupy = functions.cupy
    cupy.from_dlpack = capsule.from_dlpack
    cuda = types.ModuleType("cupy.cuda")
    cuda.__path__ = []
    for home, names in {
        device: "Device get_device_id",
        stream: "Stream Event get_current_stream get_elapsed_time Graph",
        pointer: "BaseMemory Memory ManagedMemory UnownedMemory MemoryPointer MemoryPool "
        "PinnedMemoryPointer PinnedMemoryPool alloc set_allocator get_allocator using_allocator "
        "malloc_managed alloc_pinned_memory",
    }.items():
        for name in names.split():
            setattr(cuda, name, getattr(home, name))
    cuda.is_available = cupy.is_available
    cupy.get_default_memory_pool = lambda: pointer.default_pool
    cupy.get_default_pinned_memory_pool = lambda: pointer.default_pinned_pool
    submodules = {
        "device": device, "stream": stream, "memory": pointer, "runtime": runtime,
        "pinned_memory": pointer,
    }  # fmt: skip
    for name, module in submodules.items():
        setattr(cuda, name, module)
        sys.modules[f"cupy.cuda.{name}"] = module
    cupy.cuda, cupy.linalg, cupy.fft = cuda, functions.linalg, functions.fft
    exceptions = types.ModuleType("cupy.exceptions")
    import numpy as np

    exceptions.AxisError, exceptions.ComplexWarning = (
        np.exceptions.AxisError, np.exceptions.ComplexWarning)
    cupy.exceptions = exceptions
    sys.modules |= {
        "cupy": cupy, "cupy.cuda": cuda, "cupy.linalg": cupy.linalg, "cupy.fft": cupy.fft,
        "cupy.exceptions": exceptions,
    }  # fmt: skip
    return cupy
