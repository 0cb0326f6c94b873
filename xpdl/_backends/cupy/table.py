"""The function table of a GPU: every call enters its device.

CuPy works on the current device and its current stream. So no function of this package switches
devices, but for copies between two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xpdl._backends.cupy import streams
from xpdl._backends.cupy.creation import CREATION, DATA_TYPE
from xpdl._backends.cupy.elementwise import ELEMENTWISE
from xpdl._backends.cupy.exchange import EXCHANGE
from xpdl._backends.cupy.fft import FFT
from xpdl._backends.cupy.linear_algebra import LINALG, LINEAR_ALGEBRA
from xpdl._backends.cupy.manipulation import INDEXING, MANIPULATION
from xpdl._backends.cupy.raw import cupy, on_bits
from xpdl._backends.cupy.searching import SEARCHING
from xpdl._backends.cupy.sorting import SET, SORTING
from xpdl._backends.cupy.statistical import STATISTICAL, UTILITY
from xpdl._backends.cupy.streams import STREAMS
from xpdl._backends.cupy.transfer import TRANSFER
from xpdl._backends.numpy.raw import Table

# CuPy has no kernels for the dtypes of ml_dtypes, and not all for bfloat16; to move them, bits do.
MOVING = (
    "__getitem__",
    "__setitem__",
    "concat",
    "copy",
    "copy_for",
    "copyto",
    "diag",
    "flip",
    "meshgrid",
    "repeat",
    "reshape",
    "roll",
    "stack",
    "take",
    "take_along_axis",
    "tile",
    "tril",
    "triu",
    "where",
)

FUNCTIONS: Table = (
    ELEMENTWISE
    | STATISTICAL
    | SEARCHING
    | SORTING
    | SET
    | UTILITY
    | CREATION
    | DATA_TYPE
    | INDEXING
    | LINEAR_ALGEBRA
    | MANIPULATION
    | LINALG
    | FFT
    | TRANSFER
    | EXCHANGE
    | STREAMS
)
FUNCTIONS |= {name: on_bits(FUNCTIONS[name]) for name in MOVING}


def table_of(number: int) -> Table:
    """The function table of the GPU of a number."""
    device = cupy.cuda.Device(number)
    return {name: on_device(device, function) for name, function in FUNCTIONS.items()}


def on_device(device: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` with ``device`` as the current one; what streams have passed is released."""

    def call(*args: Any) -> Any:
        if streams.pending:
            streams.release_done()
        with device:
            return function(*args)

    return call
