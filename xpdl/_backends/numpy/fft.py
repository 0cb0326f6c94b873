"""Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from xpdl._backends.numpy.raw import Raw, Table, complex_of, undispatched

numpy_fftn = undispatched(np.fft.fftn)
numpy_ifftn = undispatched(np.fft.ifftn)


def fftn(x: Raw, s: Any, axes: Any, norm: Any) -> Raw:
    """fftn: a new, complex array also without axes, where NumPy returns x itself."""
    result = numpy_fftn(x, s, axes, norm)
    return complex_of(x).copy() if result is x else result


def ifftn(x: Raw, s: Any, axes: Any, norm: Any) -> Raw:
    """ifftn: a new, complex array also without axes, where NumPy returns x itself."""
    result = numpy_ifftn(x, s, axes, norm)
    return complex_of(x).copy() if result is x else result


def fftfreq(n: int, d: float, dtype: np.dtype[Any]) -> Raw:
    """fftfreq: "dtype: output array data type", which NumPy's function lacks."""
    return np.fft.fftfreq(n, d).astype(dtype, copy=False)


def rfftfreq(n: int, d: float, dtype: np.dtype[Any]) -> Raw:
    """rfftfreq: "dtype: output array data type", which NumPy's function lacks."""
    return np.fft.rfftfreq(n, d).astype(dtype, copy=False)


FFT: Table = {
    "fft.fft": np.fft.fft,
    "fft.fftfreq": fftfreq,
    "fft.fftn": fftn,
    "fft.fftshift": np.fft.fftshift,
    "fft.hfft": np.fft.hfft,
    "fft.ifft": np.fft.ifft,
    "fft.ifftn": ifftn,
    "fft.ifftshift": np.fft.ifftshift,
    "fft.ihfft": np.fft.ihfft,
    "fft.irfft": np.fft.irfft,
    "fft.irfftn": np.fft.irfftn,
    "fft.rfft": np.fft.rfft,
    "fft.rfftfreq": rfftfreq,
    "fft.rfftn": np.fft.rfftn,
}
