"""Linear algebra functions, those of the main namespace and those of linalg."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from xpdl._backends import norms
from xpdl._backends.numpy.raw import (
    Raw,
    Table,
    add_reduce,
    complex_of,
    maximum_reduce,
    minimum_reduce,
    undispatched,
)


def vecdot(x1: Raw, x2: Raw, axis: int) -> Any:
    """vecdot with a positional axis."""
    ufunc: Any = np.vecdot
    return ufunc(x1, x2) if axis == -1 else ufunc(x1, x2, axis=axis)


def einsum(raws: tuple[Raw, ...], subscripts: str) -> Any:
    """einsum: a copy, where NumPy gives a view for a diagonal or an order of axes."""
    result = np.einsum(subscripts, *raws, optimize=len(raws) > 2)
    return result if result.base is None else result.copy()


LINEAR_ALGEBRA: Table = {
    "einsum": einsum,
    "matmul": np.matmul,
    "matrix_transpose": attrgetter("mT"),
    "tensordot": np.tensordot,
    "vecdot": vecdot,
}


# ------------------------------------------------------------------------------------------- linalg


numpy_cholesky = undispatched(np.linalg.cholesky)
numpy_cross = undispatched(np.linalg.cross)
numpy_eig = undispatched(np.linalg.eig)
numpy_eigvals = undispatched(np.linalg.eigvals)
numpy_matrix_power = undispatched(np.linalg.matrix_power)
numpy_svdvals = undispatched(np.linalg.svdvals)
numpy_pinv = undispatched(np.linalg.pinv)


def cholesky(x: Raw, upper: bool) -> Raw:
    """cholesky with a positional upper."""
    return numpy_cholesky(x, upper=upper)


def cross(x1: Raw, x2: Raw, axis: int) -> Raw:
    """cross with a positional axis."""
    return numpy_cross(x1, x2, axis=axis)


def diagonal(x: Raw, offset: int) -> Raw:
    """diagonal of the last two axes."""
    return x.diagonal(offset, -2, -1)


def trace(x: Raw, offset: int, dtype: Any) -> Any:
    """trace of the last two axes."""
    return x.trace(offset, -2, -1, dtype)


def eig(x: Raw) -> tuple[Raw, Raw]:
    """eig: "must have a complex floating-point array data type"; before 2.5 NumPy's can be real."""
    values, vectors = numpy_eig(x)
    return complex_of(values), complex_of(vectors)


def eigvals(x: Raw) -> Raw:
    """eigvals: "a complex floating-point array data type"; before 2.5 NumPy's can be real."""
    return complex_of(numpy_eigvals(x))


def matrix_power(x: Raw, n: int) -> Raw:
    """matrix_power: a new array for n = 1 too, where NumPy returns x itself."""
    result = numpy_matrix_power(x, n)
    return x.copy() if result is x else result


def default_rtol(x: Raw) -> float:
    """matrix_rank and pinv: "if None, the default value is max(M, N) * eps"."""
    precision: Any = x.dtype if x.dtype.kind in "fc" else np.dtype(np.float64)
    longer: int = max(x.shape[-2:])
    return longer * float(np.finfo(precision).eps)


def matrix_rank(x: Raw, rtol: Any) -> Any:
    """matrix_rank: the rank of a matrix without elements is 0; NumPy finds no largest value."""
    values = numpy_svdvals(x)
    if rtol is None:
        rtol = default_rtol(x)
    elif isinstance(rtol, np.ndarray):
        rtol = rtol[..., np.newaxis]
    smallest = rtol * maximum_reduce(values, -1, None, None, True, 0)
    return add_reduce(values > smallest, -1, np.int64)


def pinv(x: Raw, rtol: Any) -> Raw:
    """pinv: the standard's default tolerance, for integers too."""
    return numpy_pinv(x, default_rtol(x) if rtol is None else rtol)


def magnitudes(x: Raw) -> Raw:
    """Absolute values of a floating dtype."""
    return np.absolute(x) if x.dtype.kind in "fc" else np.absolute(x, dtype=np.float64)


def root_of_squares(x: Raw, axis: Any, keepdims: bool) -> Any:
    """The 2-norm, of real and imaginary parts where x is complex."""
    if axis is None and not keepdims and x.dtype.char in "fdFD":
        flat = x.ravel("K")
        return np.sqrt(np.vdot(flat, flat).real)
    if x.dtype.kind == "c":
        squares = np.square(x.real) + np.square(x.imag)
    else:
        squares = np.square(x if x.dtype.kind == "f" else x.astype(np.float64))
    return np.sqrt(add_reduce(squares, axis, None, None, keepdims))


def total(x: Raw, axis: Any, keepdims: bool) -> Any:
    """A sum in the order of arguments of norms."""
    return add_reduce(x, axis, None, None, keepdims)


def largest(x: Raw, axis: Any, keepdims: bool) -> Any:
    """The largest of values that are not negative, 0 of none."""
    return maximum_reduce(x, axis, None, None, keepdims, 0)


def smallest(x: Raw, axis: Any, keepdims: bool) -> Any:
    """The smallest value."""
    return minimum_reduce(x, axis, None, None, keepdims)


NORMS = norms.Reductions(magnitudes, total, largest, smallest, root_of_squares, numpy_svdvals)


LINALG: Table = {
    "linalg.cholesky": cholesky,
    "linalg.cross": cross,
    "linalg.det": np.linalg.det,
    "linalg.diagonal": diagonal,
    "linalg.eig": eig,
    "linalg.eigh": np.linalg.eigh,
    "linalg.eigvals": eigvals,
    "linalg.eigvalsh": np.linalg.eigvalsh,
    "linalg.inv": np.linalg.inv,
    "linalg.matrix_norm": partial(norms.matrix_norm, NORMS),
    "linalg.matrix_power": matrix_power,
    "linalg.matrix_rank": matrix_rank,
    "linalg.outer": np.linalg.outer,
    "linalg.pinv": pinv,
    "linalg.qr": np.linalg.qr,
    "linalg.slogdet": np.linalg.slogdet,
    "linalg.solve": np.linalg.solve,
    "linalg.svd": np.linalg.svd,
    "linalg.svdvals": np.linalg.svdvals,
    "linalg.trace": trace,
    "linalg.vector_norm": partial(norms.vector_norm, NORMS),
}
