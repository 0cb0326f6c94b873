"""The linear algebra extension: decompositions, solutions and norms of matrices.

Integer input gives the default floating dtype; bool input does too where the library allows it.

Source: array API 2025.12, linear algebra extension.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

from numpy.typing import DTypeLike

from xpdl._arguments import check_word, inexact_from, number_in, real_from
from xpdl._cext import (
    Array,
    apply,
    axes_from,
    axis_from,
    binary,
    check_array,
    check_axes,
    check_result_dtype,
    flag_from,
    int_from,
    nary,
    split,
    view,
)
from xpdl._linear_algebra import check_matrices, matmul, matrix_transpose, tensordot, vecdot

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


def __dir__() -> list[str]:
    """The public names, which an editor completes."""
    return __all__


class EigResult(NamedTuple):
    """Eigenvalues of shape ``(..., M)`` and eigenvectors, the columns of ``(..., M, M)``."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """Real eigenvalues of shape ``(..., M)`` and eigenvectors, the columns of ``(..., M, M)``."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """Orthonormal columns ``Q`` and upper triangular ``R``."""

    Q: Array
    R: Array


class SlogdetResult(NamedTuple):
    """Sign of a determinant and natural logarithm of its absolute value."""

    sign: Array
    logabsdet: Array


class SVDResult(NamedTuple):
    """Left singular vectors, singular values and adjoint right singular vectors."""

    U: Array
    S: Array
    Vh: Array


def cholesky(x: Array, /, *, upper: bool = False) -> Array:
    """Triangular factor of Hermitian positive-definite matrices of shape ``(..., M, M)``.

    Lower L with ``x = L @ conj(L).mT``, or with ``upper=True`` U with ``x = conj(U).mT @ U``.
    Only the triangle of ``x`` that is asked for is read.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, its dtype is one that the library lacks, or an option is of the
        wrong type.
    ValueError
        If ``x`` is not square, or not positive-definite (as ``numpy.linalg.LinAlgError``).

    Source: array API 2025.12, linear algebra extension, ``cholesky``.
    """
    return apply("linalg.cholesky", x, (flag_from("linalg.cholesky", "upper", upper),))


def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """Cross products of the vectors of three elements along ``axis``; other axes broadcast.

    Raises
    ------
    TypeError
        If ``x1`` or ``x2`` is not an Array, or ``axis`` not an int.
    ValueError
        If the size of ``axis`` is not 3 in both, or the devices differ.
    IndexError
        If ``axis`` is out of bounds.

    Source: array API 2025.12, linear algebra extension, ``cross``.
    """
    check_array("linalg.cross", "x1", x1)
    check_array("linalg.cross", "x2", x2)
    along = axis_from("linalg.cross", None, axis)
    check_axes("linalg.cross", x1, along)
    check_axes("linalg.cross", x2, along)
    return nary("linalg.cross", (x1, x2), (along,))


def det(x: Array, /) -> Array:
    """Determinants, of shape ``(...)``, of matrices of shape ``(..., M, M)``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is of a dtype that the library lacks.
    ValueError
        If ``x`` is not square (as ``numpy.linalg.LinAlgError``).

    Source: array API 2025.12, linear algebra extension, ``det``.
    """
    return apply("linalg.det", x, ())


def diagonal(x: Array, /, *, offset: int = 0) -> Array:
    """Diagonals of matrices of shape ``(..., M, N)``; a positive offset is above the main one.

    View, read-only.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``x`` has fewer than two dimensions.

    Source: array API 2025.12, linear algebra extension, ``diagonal``.
    """
    return view("linalg.diagonal", x, (int_from("linalg.diagonal", "offset", offset),))


def eig(x: Array, /) -> EigResult:
    """Eigenvalues and eigenvectors of matrices of shape ``(..., M, M)``, both complex.

    Returns ``eigenvalues`` of shape ``(..., M)``, and ``eigenvectors``, the columns of
    ``(..., M, M)``. NumPy before 2.5 differs: both are real if every eigenvalue is.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is of a dtype that the library lacks.
    ValueError
        If ``x`` is not square or not finite, or the iteration does not converge (as
        ``numpy.linalg.LinAlgError``).

    Source: array API 2025.12, linear algebra extension, ``eig``.
    """
    return EigResult(*split("linalg.eig", (check_array("linalg.eig", "x", x),), ()))


def eigh(x: Array, /) -> EighResult:
    """Eigenvalues, ascending, and eigenvectors of Hermitian matrices of shape ``(..., M, M)``.

    Returns ``eigenvalues`` of shape ``(..., M)``, which are real, and ``eigenvectors``, the columns
    of ``(..., M, M)``. Only the lower triangle of ``x`` is read.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is of a dtype that the library lacks.
    ValueError
        If ``x`` is not square, or the iteration does not converge (as
        ``numpy.linalg.LinAlgError``).

    Source: array API 2025.12, linear algebra extension, ``eigh``.
    """
    return EighResult(*split("linalg.eigh", (check_array("linalg.eigh", "x", x),), ()))


def eigvals(x: Array, /) -> Array:
    """Eigenvalues, of shape ``(..., M)`` and complex, of matrices of shape ``(..., M, M)``.

    NumPy before 2.5 differs: they are real if each of them is.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is of a dtype that the library lacks.
    ValueError
        If ``x`` is not square or not finite, or the iteration does not converge (as
        ``numpy.linalg.LinAlgError``).

    Source: array API 2025.12, linear algebra extension, ``eigvals``.
    """
    return apply("linalg.eigvals", x, ())


def eigvalsh(x: Array, /) -> Array:
    """Eigenvalues, ascending and real, of Hermitian matrices of shape ``(..., M, M)``.

    Only the lower triangle of ``x`` is read.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is of a dtype that the library lacks.
    ValueError
        If ``x`` is not square, or the iteration does not converge (as
        ``numpy.linalg.LinAlgError``).

    Source: array API 2025.12, linear algebra extension, ``eigvalsh``.
    """
    return apply("linalg.eigvalsh", x, ())


def inv(x: Array, /) -> Array:
    """Inverses of matrices of shape ``(..., M, M)``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is of a dtype that the library lacks.
    ValueError
        If ``x`` is not square or a matrix is singular (as ``numpy.linalg.LinAlgError``).

    Source: array API 2025.12, linear algebra extension, ``inv``.
    """
    return apply("linalg.inv", x, ())


def matrix_norm(
    x: Array,
    /,
    *,
    keepdims: bool = False,
    ord: int | float | Literal["fro", "nuc"] | None = "fro",
) -> Array:
    """Norms of matrices of shape ``(..., M, N)``, real, of shape ``(...)`` or ``(..., 1, 1)``.

    ``"fro"`` and None: root of the sum of squares. ``"nuc"``: sum of the singular values. 2 and
    -2: their largest and smallest. 1 and -1: largest and smallest sum of a column's absolute
    values, inf and -inf of a row's.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``ord`` is none of these, ``x`` has fewer than two dimensions, or a smallest value of
        none is asked for.

    Source: array API 2025.12, linear algebra extension, ``matrix_norm``.
    """
    check_matrices("linalg.matrix_norm", x)
    named: Any = "fro" if ord is None else ord
    found = named if isinstance(named, str) else number_in(named)
    if found not in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        raise ValueError(
            "linalg.matrix_norm: ord must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got "
            f"{ord!r}"
        )
    kept = flag_from("linalg.matrix_norm", "keepdims", keepdims)
    return apply("linalg.matrix_norm", x, (kept, found))


def matrix_power(x: Array, n: int, /) -> Array:
    """Matrices of shape ``(..., M, M)`` raised to the power ``n``, inverted first if negative.

    Integer matrices stay so for ``n`` of 0 and more.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``n`` not an int.
    ValueError
        If ``x`` is not square, or ``n`` is negative and a matrix singular (as
        ``numpy.linalg.LinAlgError``).

    Source: array API 2025.12, linear algebra extension, ``matrix_power``.
    """
    return apply("linalg.matrix_power", x, (int_from("linalg.matrix_power", "n", n),))


def matrix_rank(x: Array, /, *, rtol: float | Array | None = None) -> Array:
    """Number of singular values above ``rtol`` times the largest, in the default integer dtype.

    ``x`` has the shape ``(..., M, N)``, the result and an Array of tolerances ``(...)``. The
    tolerance for None is max(M, N) times the machine epsilon.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is of a dtype that the library lacks, or ``rtol`` is not real.
    ValueError
        If ``x`` has fewer than two dimensions, or ``rtol`` does not broadcast.

    Source: array API 2025.12, linear algebra extension, ``matrix_rank``.
    """
    check_matrices("linalg.matrix_rank", x)
    check_tolerance("linalg.matrix_rank", rtol)
    return nary("linalg.matrix_rank", (x, rtol), ())


def outer(x1: Array, x2: Array, /) -> Array:
    """Products of all pairs of elements of two 1-d arrays, of shape ``(N, M)``.

    Raises
    ------
    TypeError
        If an argument is not an Array.
    ValueError
        If an argument is not 1-d, or the devices differ.

    Source: array API 2025.12, linear algebra extension, ``outer``.
    """
    return binary("linalg.outer", x1, x2)


def pinv(x: Array, /, *, rtol: float | Array | None = None) -> Array:
    """Pseudo-inverses, of shape ``(..., N, M)``, of matrices of shape ``(..., M, N)``.

    Singular values up to ``rtol`` times the largest count as zero; the tolerance for None is
    max(M, N) times the machine epsilon, an Array of them has the shape ``(...)``.
    NumPy differs: it takes 1e-15 if none is given.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is of a dtype that the library lacks, or ``rtol`` is not real.
    ValueError
        If ``x`` has fewer than two dimensions, or ``rtol`` does not broadcast.

    Source: array API 2025.12, linear algebra extension, ``pinv``.
    """
    check_matrices("linalg.pinv", x)
    check_tolerance("linalg.pinv", rtol)
    return nary("linalg.pinv", (x, rtol), ())


def qr(x: Array, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """Orthonormal Q and upper triangular R with ``x = Q @ R``.

    For ``x`` of shape ``(..., M, N)`` and K = min(M, N) the shapes are ``(..., M, K)`` and
    ``(..., K, N)``, or for ``"complete"`` ``(..., M, M)`` and ``(..., M, N)``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is of a dtype that the library lacks.
    ValueError
        If ``mode`` is neither of the two, or ``x`` has fewer than two dimensions.

    Source: array API 2025.12, linear algebra extension, ``qr``.
    """
    check_array("linalg.qr", "x", x)
    check_word("linalg.qr", "mode", mode, ("reduced", "complete"))
    return QRResult(*split("linalg.qr", (x,), (mode,)))


def slogdet(x: Array, /) -> SlogdetResult:
    """Sign of the determinant, and natural logarithm of its absolute value, of each matrix.

    ``x`` has the shape ``(..., M, M)``, the results, ``sign`` and ``logabsdet``, ``(...)``. The
    logarithm is real, and -inf with a sign of 0 for a singular matrix.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is of a dtype that the library lacks.
    ValueError
        If ``x`` is not square (as ``numpy.linalg.LinAlgError``).

    Source: array API 2025.12, linear algebra extension, ``slogdet``.
    """
    return SlogdetResult(*split("linalg.slogdet", (check_array("linalg.slogdet", "x", x),), ()))


def solve(x1: Array, x2: Array, /) -> Array:
    """The X of ``x1 @ X = x2`` for ``x1`` of shape ``(..., M, M)``.

    ``x2`` is one vector if it has the shape ``(M,)``, and matrices ``(..., M, K)`` otherwise. The
    shape is ``(..., M)`` or ``(..., M, K)``.

    Raises
    ------
    TypeError
        If an argument is not an Array, or is of a dtype that the library lacks.
    ValueError
        If ``x1`` is not square or singular (as ``numpy.linalg.LinAlgError``), the shapes do not
        match, or the devices differ.

    Source: array API 2025.12, linear algebra extension, ``solve``.
    """
    return binary("linalg.solve", x1, x2)


def svd(x: Array, /, *, full_matrices: bool = True) -> SVDResult:
    """U, S and Vh with ``x = U @ diag(S) @ Vh``, the real S in descending order.

    For ``x`` of shape ``(..., M, N)`` and K = min(M, N) the shapes are ``(..., M, M)``,
    ``(..., K)`` and ``(..., N, N)``, or without ``full_matrices`` ``(..., M, K)``, ``(..., K)``
    and ``(..., K, N)``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, its dtype is one that the library lacks, or an option is of the
        wrong type.
    ValueError
        If ``x`` has fewer than two dimensions, or the iteration does not converge (as
        ``numpy.linalg.LinAlgError``).

    Source: array API 2025.12, linear algebra extension, ``svd``.
    """
    full = flag_from("linalg.svd", "full_matrices", full_matrices)
    return SVDResult(*split("linalg.svd", (check_array("linalg.svd", "x", x),), (full,)))


def svdvals(x: Array, /) -> Array:
    """Singular values, real and descending, of matrices of shape ``(..., M, N)``.

    The shape is ``(..., K)`` with K = min(M, N).

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is of a dtype that the library lacks.
    ValueError
        If ``x`` has fewer than two dimensions, or the iteration does not converge (as
        ``numpy.linalg.LinAlgError``).

    Source: array API 2025.12, linear algebra extension, ``svdvals``.
    """
    return apply("linalg.svdvals", x, ())


def trace(x: Array, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Sums along the diagonals of matrices of shape ``(..., M, N)``.

    For ``dtype=None`` integers are summed in the widest dtype of their signedness.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``x`` has fewer than two dimensions.

    Source: array API 2025.12, linear algebra extension, ``trace``.
    """
    checked = check_result_dtype("linalg.trace", x, dtype)
    return apply("linalg.trace", x, (int_from("linalg.trace", "offset", offset), checked))


def vector_norm(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: int | float = 2,
) -> Array:
    """Norms of the vectors that lie along ``axis``, all elements for None; the dtype is real.

    The p-norm ``sum(abs(x)**p)**(1/p)`` for p = ``ord``, of any sign; the largest and smallest
    absolute value for inf and -inf, the number of nonzero elements for 0.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``ord`` not a real number.
    ValueError
        If ``ord`` is -inf and there are no elements.
    OverflowError
        If ``ord`` does not fit a float.
    IndexError
        If ``axis`` is out of bounds.

    Source: array API 2025.12, linear algebra extension, ``vector_norm``.
    """
    axes = axes_from("linalg.vector_norm", x, "axis", axis)
    kept = flag_from("linalg.vector_norm", "keepdims", keepdims)
    power = inexact_from("linalg.vector_norm", "ord", real_from("linalg.vector_norm", "ord", ord))
    return apply("linalg.vector_norm", x, (axes, kept, power))


def check_tolerance(function: str, rtol: Any) -> None:
    """TypeError unless ``rtol`` is None, a real number or a real Array."""
    if isinstance(rtol, Array):
        if rtol.dtype.kind == "c":
            raise TypeError(f"{function}: rtol must be real, got dtype {rtol.dtype}")
    elif rtol is not None:
        real_from(function, "rtol", rtol)
