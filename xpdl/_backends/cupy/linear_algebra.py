"""Linear algebra functions, those of the main namespace and those of linalg.

What is singular, or does not converge, is no error on the GPU: to find out, the host would wait.
The results hold NaN, infinities or no meaning then. CuPy raises within
``cupyx.errstate(linalg="raise")``.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from xpdl._backends import norms
from xpdl._backends.cupy.raw import Raw, cupy, ndarray
from xpdl._backends.numpy.linear_algebra import default_rtol
from xpdl._backends.numpy.raw import Table, complex_of


def vecdot(x1: Raw, x2: Raw, axis: int) -> Raw:
    """vecdot, which CuPy lacks: a matrix product of one row and one column."""
    x1, x2 = cupy.moveaxis(x1, axis, -1), cupy.moveaxis(x2, axis, -1)
    if x1.shape[-1] != x2.shape[-1]:
        raise ValueError(
            f"x1 and x2 must have one size along axis, got {x1.shape[-1]} and {x2.shape[-1]}"
        )
    row = (x1.conj() if x1.dtype.kind == "c" else x1)[..., None, :]
    return cupy.matmul(row, x2[..., None])[..., 0, 0]


def einsum(raws: tuple[Raw, ...], subscripts: str) -> Raw:
    """einsum: a copy, where CuPy gives a view for a diagonal or an order of axes."""
    result = cupy.einsum(subscripts, *raws, optimize=len(raws) > 2)
    return result.copy() if any(result.data.mem is x.data.mem for x in raws) else result


LINEAR_ALGEBRA: Table = {
    "einsum": einsum,
    "matmul": cupy.matmul,
    "matrix_transpose": attrgetter("mT"),
    "tensordot": cupy.tensordot,
    "vecdot": vecdot,
}


# ------------------------------------------------------------------------------------------- linalg


def cholesky(x: Raw, upper: bool) -> Raw:
    """cholesky: the upper factor, which CuPy lacks, of the upper triangle."""
    return adjoint(cupy.linalg.cholesky(adjoint(x))) if upper else cupy.linalg.cholesky(x)


def adjoint(x: Raw) -> Raw:
    """Conjugate transposes."""
    return x.mT.conj() if x.dtype.kind == "c" else x.mT


def cross(x1: Raw, x2: Raw, axis: int) -> Raw:
    """cross: vectors of three elements only; CuPy's takes two as well."""
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(f"x1 and x2 must have the size 3 along axis {axis}")
    return cupy.linalg.cross(x1, x2, axis=axis)


def diagonal(x: Raw, offset: int) -> Raw:
    """diagonal of the last two axes."""
    return x.diagonal(offset, -2, -1)


def trace(x: Raw, offset: int, dtype: Any) -> Raw:
    """trace of the last two axes, in the dtype of a sum."""
    return cupy.sum(diagonal(x, offset), -1, dtype)


def eig(x: Raw) -> tuple[Raw, Raw]:
    """eig: "must have a complex floating-point array data type"; CuPy's of no matrix are real."""
    values, vectors = cupy.linalg.eig(x)
    return complex_of(values), complex_of(vectors)


def eigh(x: Raw) -> tuple[Raw, Raw]:
    """eigh as a plain tuple."""
    values, vectors = cupy.linalg.eigh(x)
    return values, vectors


def eigvals(x: Raw) -> Raw:
    """eigvals: "a complex floating-point array data type"; CuPy's of no matrix are real."""
    return complex_of(cupy.linalg.eigvals(x))


def matrix_power(x: Raw, n: int) -> Raw:
    """matrix_power: a new array for n = 1 too."""
    result = cupy.linalg.matrix_power(x, n)
    return x.copy() if result is x else result


def svdvals(x: Raw) -> Raw:
    """svdvals, which CuPy lacks."""
    return cupy.linalg.svd(x, False, False)


def matrix_rank(x: Raw, rtol: Any) -> Raw:
    """matrix_rank: tolerances relative to the largest singular value, where CuPy's are absolute."""
    values = svdvals(x)
    if rtol is None:
        rtol = default_rtol(x)
    elif isinstance(rtol, ndarray):
        rtol = rtol[..., None]
    return cupy.sum(values > rtol * largest(values, -1, True), -1, np.int64)


def pinv(x: Raw, rtol: Any) -> Raw:
    """pinv: the standard's default tolerance."""
    return cupy.linalg.pinv(x, default_rtol(x) if rtol is None else rtol)


def outer(x1: Any, x2: Any) -> Raw:
    """outer: of one-dimensional arrays only; CuPy's flattens others."""
    for x in (x1, x2):
        if not isinstance(x, ndarray) or x.ndim != 1:
            raise ValueError(f"x1 and x2 must be 1-D, got shape {getattr(x, 'shape', ())}")
    return cupy.multiply(x1[:, None], x2[None, :])


def qr(x: Raw, mode: str) -> tuple[Raw, Raw]:
    """qr as a plain tuple."""
    q, r = cupy.linalg.qr(x, mode)
    return q, r


def slogdet(x: Raw) -> tuple[Raw, Raw]:
    """slogdet as a plain tuple."""
    sign, logarithm = cupy.linalg.slogdet(x)
    return sign, logarithm


def solve(x1: Any, x2: Any) -> Raw:
    """solve: the axes before the last two broadcast, and only a 1-D x2 is a vector."""
    for x, least in ((x1, 2), (x2, 1)):
        if not isinstance(x, ndarray) or x.ndim < least:
            raise np.linalg.LinAlgError(
                f"x1 must have two dimensions and x2 one at least, got shape "
                f"{getattr(x, 'shape', ())}"
            )
    right = x2[:, None] if x2.ndim == 1 else x2
    if x1.shape[-1] != x1.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if x1.shape[-1] != right.shape[-2]:
        raise ValueError(f"x1 and x2 must match, got shapes {x1.shape} and {x2.shape}")
    stack = np.broadcast_shapes(x1.shape[:-2], right.shape[:-2])
    result = cupy.linalg.solve(
        cupy.broadcast_to(x1, stack + x1.shape[-2:]),
        cupy.broadcast_to(right, stack + right.shape[-2:]),
    )
    return result[..., 0] if x2.ndim == 1 else result


def svd(x: Raw, full_matrices: bool) -> tuple[Raw, Raw, Raw]:
    """svd as a plain tuple."""
    u, s, vh = cupy.linalg.svd(x, full_matrices)
    return u, s, vh


# -------------------------------------------------------------------------------------------- norms


def magnitudes(x: Raw) -> Raw:
    """Absolute values of a floating dtype."""
    return cupy.absolute(x if x.dtype.kind in "fc" else x.astype(np.float64))


def largest(x: Raw, axis: Any, keepdims: bool) -> Raw:
    """The largest of values that are not negative, 0 of none."""
    empty = x.size == 0
    return (cupy.sum if empty else cupy.max)(x, axis, keepdims=keepdims)


def root_of_squares(x: Raw, axis: Any, keepdims: bool) -> Raw:
    """The 2-norm, of real and imaginary parts where x is complex."""
    if x.dtype.kind == "c":
        squares = cupy.square(x.real) + cupy.square(x.imag)
    else:
        squares = cupy.square(x if x.dtype.kind == "f" else x.astype(np.float64))
    return cupy.sqrt(cupy.sum(squares, axis, keepdims=keepdims))


def total(x: Raw, axis: Any, keepdims: bool) -> Raw:
    """A sum in the order of arguments of norms."""
    return cupy.sum(x, axis, None, None, keepdims)


def smallest(x: Raw, axis: Any, keepdims: bool) -> Raw:
    """The smallest value."""
    return cupy.min(x, axis, None, keepdims)


NORMS = norms.Reductions(magnitudes, total, largest, smallest, root_of_squares, svdvals)


LINALG: Table = {
    "linalg.cholesky": cholesky,
    "linalg.cross": cross,
    "linalg.det": cupy.linalg.det,
    "linalg.diagonal": diagonal,
    "linalg.eig": eig,
    "linalg.eigh": eigh,
    "linalg.eigvals": eigvals,
    "linalg.eigvalsh": cupy.linalg.eigvalsh,
    "linalg.inv": cupy.linalg.inv,
    "linalg.matrix_norm": partial(norms.matrix_norm, NORMS),
    "linalg.matrix_power": matrix_power,
    "linalg.matrix_rank": matrix_rank,
    "linalg.outer": outer,
    "linalg.pinv": pinv,
    "linalg.qr": qr,
    "linalg.slogdet": slogdet,
    "linalg.solve": solve,
    "linalg.svd": svd,
    "linalg.svdvals": svdvals,
    "linalg.trace": trace,
    "linalg.vector_norm": partial(norms.vector_norm, NORMS),
}
