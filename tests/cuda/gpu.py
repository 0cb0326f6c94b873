"""What the tests of this folder run on: a GPU, or the double of CuPy.

Importing this module skips the importing test module where there is neither. With
XPDL_TESTS_ON_DOUBLE set, to "lazy", "eager" or a seed, the double is installed as ``cupy``, with
XPDL_TESTS_ROCM as a build for ROCm; the suite for the CPU runs this folder so
(test_cuda_on_double.py).
"""

import ctypes
import os

import numpy as np
import pytest

ON_DOUBLE = os.environ.get("XPDL_TESTS_ON_DOUBLE")
LATE = ON_DOUBLE in (None, "lazy")  # whether work that nobody waits for is sure to be late


def require_gpu():
    """cupy, with at least one device; else skip."""
    if ON_DOUBLE:
        import cupy_double

        schedule = ON_DOUBLE if ON_DOUBLE in ("lazy", "eager") else int(ON_DOUBLE)
        return cupy_double.install(
            devices=2, schedule=schedule, hip="XPDL_TESTS_ROCM" in os.environ)
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        pytest.skip("needs a GPU: there is no CUDA driver", allow_module_level=True)
    cupy = pytest.importorskip(
        "cupy", "14.2", reason="needs CuPy 14.2: pip install 'xpdl[cuda13]'")
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        pytest.skip(f"needs a GPU: {error}", allow_module_level=True)
    return cupy


cp = require_gpu()
DEVICES = cp.cuda.runtime.getDeviceCount()
two_devices = pytest.mark.skipif(DEVICES < 2, reason="needs a second GPU")
on_double_only = pytest.mark.skipif(not ON_DOUBLE, reason="reads what only the double tells")
on_gpu_only = pytest.mark.skipif(bool(ON_DOUBLE), reason="needs a GPU, which the double is not")

SPIN = r"""
extern "C" __global__ void spin(long long cycles) {
    long long start = clock64();
    while (clock64() - start < cycles) { }
}
"""
spin = cp.RawKernel(SPIN, "spin")
CYCLES = 300_000_000  # about 0.15 to 0.2 s


def delay(cycles=CYCLES):
    """Keep the current stream busy for about a sixth of a second; the double is always late."""
    spin((1,), (1,), (np.int64(cycles),))


def new_stream():
    """A stream that does not wait for the default one, nor that for it.

    Its part of the pool has memory, since what CuPy asks of the driver may wait for the device.
    """
    stream = cp.cuda.Stream(non_blocking=True)
    if not ON_DOUBLE:
        with stream:
            blocks = [cp.empty(1 << 20, "uint8") for _ in range(8)]
            del blocks
    return stream


def cold_stream():
    """The same with an empty part of the pool: a block given back is the one that is used next."""
    return cp.cuda.Stream(non_blocking=True)


def warm_up(*functions):
    """Call functions once and wait, so that nothing is compiled while a race is on."""
    for function in functions:
        function()
    for device in range(DEVICES):
        cp.cuda.Device(device).synchronize()
