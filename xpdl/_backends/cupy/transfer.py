"""Copies between devices."""

from __future__ import annotations

from typing import Any

import numpy as np

from xpdl._backends.cupy.raw import Raw, as_bits, cupy
from xpdl._backends.cupy.streams import is_unordered, mark, own_stream, work_on
from xpdl._backends.numpy.raw import Raw as HostRaw, Table

runtime = cupy.cuda.runtime


def to_device(x: Any, stream: Any = None) -> Raw:
    """A copy on the current device of an array of the host or of another device."""
    if stream is not None and not is_unordered(stream):
        with work_on(stream):
            return to_device(x)
    plain = as_bits(x)
    copied = from_host(plain) if isinstance(x, np.ndarray) else from_gpu(plain)
    return copied if plain is x else copied.view(x.dtype)


def from_host(x: HostRaw) -> Raw:
    """A copy of an array of the host, which may change as soon as this returns.

    CuPy copies it into pinned memory first, which it keeps until the copy has run. Memory that is
    pinned it reads directly: then this waits. An array without axes CuPy fills with a scalar,
    which loses the sign of zero; one with an axis it copies.
    """
    if x.ndim == 0:
        return from_host(x.reshape(1)).reshape(())
    return cupy.array(x, copy=True, order="K", blocking=is_pinned(x))


def is_pinned(x: HostRaw) -> bool:
    """Whether CUDA can read the memory of an array of the host directly."""
    if x.size == 0:
        return False
    kind = runtime.pointerGetAttributes(x.ctypes.data).type
    return kind in (runtime.memoryTypeHost, runtime.memoryTypeManaged)


def from_gpu(x: Raw) -> Raw:
    """A copy of an array of another GPU. CuPy's own is ordered with neither stream."""
    here = own_stream()
    with x.device:
        source = cupy.ascontiguousarray(x)
        written = mark(own_stream())
    here.wait_event(written)  # a default stream is one of the device that is current
    copied = source.copy()
    done = mark(here)
    with x.device:
        own_stream().wait_event(done)  # before the memory of ``source`` is used again
    return copied


def from_device(x: Raw, stream: Any = None) -> HostRaw:
    """A copy on the host, for which the host waits."""
    if stream is not None and not is_unordered(stream):
        with work_on(stream):
            return from_device(x)
    plain = as_bits(x)
    host: HostRaw = plain.get(order="A")
    if host.base is not None:  # where host and GPU share memory, CuPy may give that itself
        host = host.copy()
    return host if plain is x else host.view(x.dtype)


TRANSFER: Table = {
    "from_device": from_device,
    "to_device": to_device,
}
