"""Creation functions, and the data type functions, which create copies."""

from __future__ import annotations

from operator import methodcaller
from typing import Any

import numpy as np

from xpdl._backends.cupy.raw import Raw, as_bits, cupy, is_container, is_extended, on_bits
from xpdl._backends.cupy.transfer import from_device, to_device
from xpdl._backends.numpy import creation as host
from xpdl._backends.numpy.raw import Table


def zeros(shape: Any, dtype: Any) -> Raw:
    """zeros: the default dtype for None."""
    return cupy.zeros(shape, np.float64 if dtype is None else dtype)


def ones(shape: Any, dtype: Any) -> Raw:
    """ones: the default dtype for None, and ones of ml_dtypes."""
    return full(shape, 1, np.dtype(np.float64) if dtype is None else dtype)


def empty(shape: Any, dtype: Any) -> Raw:
    """empty: the default dtype for None."""
    return cupy.empty(shape, np.float64 if dtype is None else dtype)


def full(shape: Any, fill_value: Any, dtype: np.dtype[Any]) -> Raw:
    """full: a fill that keeps the sign of zero, with the value that the CPU would fill in."""
    value = as_bits(host.full((), fill_value, dtype))
    result = cupy.empty(shape, dtype)
    cupy.copyto(as_bits(result), value[()], "unsafe")
    return result


def arange(start: Any, stop: Any, step: Any, dtype: np.dtype[Any], whole: bool) -> Raw:
    """arange: made on the GPU for the default dtypes, on the host where values must be checked."""
    if (whole and dtype == np.int64) or (not whole and dtype == np.float64):
        return cupy.arange(start, stop, step, dtype)
    return to_device(host.arange(start, stop, step, dtype, whole))


def linspace(start: Any, stop: Any, num: int, endpoint: bool, dtype: Any) -> Raw:
    """linspace: the values of the CPU, from where they are copied."""
    return to_device(host.linspace(start, stop, num, endpoint, dtype))


def logspace(start: Any, stop: Any, num: int, endpoint: bool, base: Any, dtype: Any) -> Raw:
    """logspace: the values of the CPU, from where they are copied."""
    return to_device(host.logspace(start, stop, num, endpoint, base, dtype))


def eye(rows: int, columns: int, k: int, dtype: Any) -> Raw:
    """eye: the default dtype for None; CuPy's takes no negative sizes for none."""
    if rows < 0 or columns < 0:
        raise ValueError("negative dimensions are not allowed")
    if dtype is not None and is_extended(dtype):
        return to_device(np.eye(rows, columns, k, dtype))
    return cupy.eye(rows, columns, k, np.float64 if dtype is None else dtype)


def meshgrid(*raws_and_indexing: Any) -> tuple[Raw, ...]:
    """meshgrid: copies, also of one array, which CuPy gives back, and 0-d arrays as of size 1.

    ``indexing`` is the last argument.
    """
    *raws, indexing = raws_and_indexing
    lines = [x.ravel() for x in raws]
    grids = cupy.meshgrid(*lines, indexing=indexing)
    return (grids[0].copy(),) if len(raws) == 1 else tuple(grids)


def diag(x: Raw, k: int) -> Raw:
    """diag: always a copy."""
    if x.ndim not in (1, 2):
        raise ValueError("Input must be 1- or 2-d.")
    return cupy.diag(x, k) if x.ndim == 1 else cupy.diag(x, k).copy()


CREATION: Table = {
    "arange": arange,
    "diag": diag,
    "empty": empty,
    "empty_like": empty,
    "eye": eye,
    "full": full,
    "full_like": full,
    "linspace": linspace,
    "logspace": logspace,
    "meshgrid": meshgrid,
    "ones": ones,
    "ones_like": ones,
    "tril": cupy.tril,
    "triu": cupy.triu,
    "zeros": zeros,
    "zeros_like": zeros,
}


# ---------------------------------------------------------------------------------------- data type


def astype(x: Raw, dtype: np.dtype[Any], copy: bool) -> Raw:
    """astype; from and to a dtype that CuPy only holds by way of the host."""
    if x.dtype == dtype:
        return on_bits(methodcaller("copy", "K"))(x) if copy else x
    if is_container(x.dtype) or is_container(dtype):
        return to_device(from_device(x).astype(dtype))
    return x.astype(dtype)


DATA_TYPE: Table = {
    "astype": astype,
    "copy": methodcaller("copy", "K"),
    "copyto": cupy.copyto,
}
