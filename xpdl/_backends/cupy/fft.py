"""Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from xpdl._backends.cupy.raw import Raw, cupy
from xpdl._backends.cupy.transfer import to_device
from xpdl._backends.numpy import fft as host
from xpdl._backends.numpy.raw import Table, complex_of


def transforming(transform: Callable[..., Raw]) -> Callable[..., Raw]:
    """A transform over several axes: sizes go with their axes.

    CuPy takes sizes for the shape of x when they equal it as tuples, whatever the axes; lists never
    equal it. Sizes without axes are of the last ones. -1 is the size of x.
    """

    def transform_sizes(x: Raw, s: Any, axes: Any, norm: Any) -> Raw:
        if s is None:
            return new_array(x, transform(x, None, axes, norm))
        if axes is None:
            axes = tuple(range(x.ndim - len(s), x.ndim))
        if len(axes) != len(s):
            raise ValueError("Shape and axes have different lengths.")
        sizes = [x.shape[axis] if size == -1 else size for size, axis in zip(s, axes, strict=True)]
        return new_array(x, transform(x, sizes, axes, norm))

    return transform_sizes


def new_array(x: Raw, result: Raw) -> Raw:
    """A result that is not x itself, which CuPy gives for a transform over no axes."""
    return complex_of(x).copy() if result is x else result


def fftfreq(n: int, d: float, dtype: np.dtype[Any]) -> Raw:
    """fftfreq: the values of the CPU, from where they are copied."""
    return to_device(host.fftfreq(n, d, dtype))


def rfftfreq(n: int, d: float, dtype: np.dtype[Any]) -> Raw:
    """rfftfreq: the values of the CPU, from where they are copied."""
    return to_device(host.rfftfreq(n, d, dtype))


FFT: Table = {
    "fft.fft": cupy.fft.fft,
    "fft.fftfreq": fftfreq,
    "fft.fftn": transforming(cupy.fft.fftn),
    "fft.fftshift": cupy.fft.fftshift,
    "fft.hfft": cupy.fft.hfft,
    "fft.ifft": cupy.fft.ifft,
    "fft.ifftn": transforming(cupy.fft.ifftn),
    "fft.ifftshift": cupy.fft.ifftshift,
    "fft.ihfft": cupy.fft.ihfft,
    "fft.irfft": cupy.fft.irfft,
    "fft.irfftn": transforming(cupy.fft.irfftn),
    "fft.rfft": cupy.fft.rfft,
    "fft.rfftfreq": rfftfreq,
    "fft.rfftn": transforming(cupy.fft.rfftn),
}
