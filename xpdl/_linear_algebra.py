"""Linear algebra functions of the main namespace, which ``xpdl.linalg`` has too.

Source: array API 2025.12, linear algebra functions.
"""

from __future__ import annotations

from collections.abc import Sequence

from xpdl._cext import (
    Array,
    axes_from,
    axis_from,
    binary,
    check_array,
    check_axes,
    gather,
    int_from,
    nary,
    view,
)

__all__ = ["einsum", "matmul", "matrix_transpose", "tensordot", "vecdot"]


def einsum(subscripts: str, /, *operands: Array) -> Array:
    """Sums of products by Einstein's convention: ``einsum("ij,jk->ik", x1, x2)`` is a matmul.

    ``subscripts`` names the axes of each operand by a letter, and after ``->`` those of the
    result; without it the result has the letters that occur once, in order of the alphabet. The
    other letters are summed over. Copy. Beyond the standard.

    Raises
    ------
    TypeError
        If ``subscripts`` is not a str, or an operand is not an Array.
    ValueError
        If ``subscripts`` does not fit the operands' shapes, or the devices differ.
    """
    if not isinstance(subscripts, str):
        raise TypeError(f"einsum: subscripts must be a str, got {type(subscripts).__name__}")
    return gather("einsum", operands, (subscripts,))


def matmul(x1: Array, x2: Array, /) -> Array:
    """Matrix product of shapes ``(..., M, K)`` and ``(..., K, N)``, as the operator ``@``.

    A 1-d ``x1`` counts as one row, a 1-d ``x2`` as one column, and that axis is left out of the
    result. Nothing is conjugated.

    Raises
    ------
    TypeError
        If an argument is not an Array.
    ValueError
        If an argument is 0-d, the shapes do not match, or the devices differ.

    Source: array API 2025.12, linear algebra functions, ``matmul``.
    """
    return binary("matmul", x1, x2)


def matrix_transpose(x: Array, /) -> Array:
    """Matrices of shape ``(..., M, N)`` transposed to ``(..., N, M)``. View.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.
    ValueError
        If ``x`` has fewer than two dimensions.

    Source: array API 2025.12, linear algebra functions, ``matrix_transpose``.
    """
    return view("matrix_transpose", x, ())


def tensordot(
    x1: Array,
    x2: Array,
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
) -> Array:
    """Sum of products over pairs of axes, whose sizes match; the other axes stay, x1's first.

    An int N pairs the last N axes of ``x1`` with the first N of ``x2``; two sequences name the
    axes of each. Nothing is conjugated. NumPy differs: a negative N means none.

    Raises
    ------
    TypeError
        If ``x1`` or ``x2`` is not an Array, or ``axes`` does not hold ints.
    ValueError
        If ``axes`` is a negative int, sizes do not match, an axis is given twice, or the devices
        differ.
    IndexError
        If an axis is out of bounds.

    Source: array API 2025.12, linear algebra functions, ``tensordot``.
    """
    check_array("tensordot", "x1", x1)
    check_array("tensordot", "x2", x2)
    if isinstance(axes, (tuple, list)):
        if len(axes) != 2:
            raise ValueError(f"tensordot: axes must be an int or two tuples of ints, got {axes!r}")
        first = axes_from("tensordot", x1, "axes", axes[0], False)
        second = axes_from("tensordot", x2, "axes", axes[1], False)
        return nary("tensordot", (x1, x2), ((first, second),))
    count = int_from("tensordot", "axes", axes)
    if count < 0:
        raise ValueError(f"tensordot: axes must not be negative, got {count}")
    return nary("tensordot", (x1, x2), (count,))


def vecdot(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """Sum of ``conj(x1) * x2`` along ``axis``, which has one size in both.

    The other axes broadcast. ``axis`` counts in each array by itself, so that only a negative one
    means the same axis in arrays of different numbers of dimensions.

    Raises
    ------
    TypeError
        If ``x1`` or ``x2`` is not an Array, or ``axis`` not an int.
    ValueError
        If the sizes along ``axis`` differ, the other axes do not broadcast, or the devices differ.
    IndexError
        If ``axis`` is out of bounds in one of the arrays.

    Source: array API 2025.12, linear algebra functions, ``vecdot``.
    """
    check_array("vecdot", "x1", x1)
    check_array("vecdot", "x2", x2)
    along = axis_from("vecdot", None, axis)
    check_axes("vecdot", x1, along)
    check_axes("vecdot", x2, along)
    return nary("vecdot", (x1, x2), (along,))


def check_matrices(function: str, x: Array) -> None:
    """ValueError unless ``x`` has the shape ``(..., M, N)``."""
    if check_array(function, "x", x).ndim < 2:
        raise ValueError(f"{function}: x must have at least two dimensions, got shape {x.shape}")
