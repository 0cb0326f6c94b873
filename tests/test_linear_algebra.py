"""einsum, matmul, matrix_transpose, tensordot and vecdot."""

import numpy as np
import pytest
from samples import DTYPES, NUMBERS, WITH_AXES, check, laid_out, values

import xpdl as xp

MATMUL_SHAPES = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((0, 3), (3, 2)),
    ((2, 0), (0, 2)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 2)),
]


@pytest.mark.parametrize(("one", "other"), MATMUL_SHAPES)
def test_matmul_shapes_match_numpy(one, other):
    x1, x2 = values(shape=one), values(shape=other)
    check(xp.matmul(xp.asarray(x1), xp.asarray(x2)), x1 @ x2)


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_dtype_is_kept_and_nothing_but_vecdot_conjugates(dtype):
    source = values(dtype, (2, 2))
    x = xp.asarray(source)
    check(xp.matmul(x, x), source @ source)
    check(xp.tensordot(x, x, axes=1), source @ source)
    check(xp.vecdot(x, x), np.sum(np.conj(source) * source, -1, dtype=source.dtype))


@pytest.mark.parametrize("layout", WITH_AXES[1:])
def test_matrix_transpose_layout_is_a_view(layout):
    source = laid_out("float64", layout)
    x = xp.asarray(source)
    result = xp.matrix_transpose(x)
    check(result, np.swapaxes(source, -1, -2))
    assert np.shares_memory(np.asarray(result), np.asarray(x))
    assert result.readonly is x.readonly


@pytest.mark.parametrize(
    "axes",
    [0, 1, 2, ([1], [0]), ((0, 1), (1, 0)), ((-1,), (-2,)), ((), ()), (1, 0), ([0, 1], [0, 1])],
)
def test_tensordot_axes_match_numpy(axes):
    x1, x2 = values(shape=(3, 3)), values(shape=(3, 3)) + 2
    check(xp.tensordot(xp.asarray(x1), xp.asarray(x2), axes=axes), np.tensordot(x1, x2, axes))


def test_tensordot_default_contracts_two_axes():
    x1, x2 = values(shape=(4, 2, 3)), values(shape=(2, 3, 5))
    check(xp.tensordot(xp.asarray(x1), xp.asarray(x2)), np.tensordot(x1, x2, 2))


@pytest.mark.parametrize(
    ("one", "other", "axis"),
    [
        ((3,), (3,), -1),
        ((2, 3), (3,), -1),
        ((2, 3), (4, 2, 3), -1),
        ((2, 3), (2, 1), -2),
        ((2, 3), (2, 3), 0),
        ((2, 3), (2, 3), 1),
        ((2, 0), (2, 0), -1),
        ((0, 3), (0, 3), -1),
    ],
)
@pytest.mark.parametrize("dtype", [xp.int64, xp.float64, xp.complex128])
def test_vecdot_shapes_match_the_sum_of_products(one, other, axis, dtype):
    x1, x2 = values(dtype, one), values(dtype, other)
    left, right = np.broadcast_arrays(np.moveaxis(x1, axis, -1), np.moveaxis(x2, axis, -1))
    expected = np.sum(np.conj(left) * right, -1)
    check(xp.vecdot(xp.asarray(x1), xp.asarray(x2), axis=axis), expected)


def test_vecdot_imaginary_vectors_have_positive_square():
    check(xp.vecdot(xp.asarray([1j]), xp.asarray([1j])), np.array(1 + 0j))


@pytest.mark.parametrize("one", [xp.int8, xp.float32, xp.complex64])
@pytest.mark.parametrize("other", NUMBERS)
def test_products_dtypes_promote(one, other):
    x1, x2 = xp.ones((2, 2), dtype=one), xp.ones((2, 2), dtype=other)
    for function in (xp.matmul, xp.tensordot, xp.vecdot):
        assert function(x1, x2).dtype == np.result_type(one, other)


X = xp.ones((2, 3))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: xp.matmul(X, X),
            ValueError,
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
            "signature (n?,k),(k,m?)->(n?,m?) (size 2 is different from 3)",
        ),
        (
            lambda: xp.matmul(X, xp.asarray(2.0)),
            ValueError,
            "matmul: Input operand 1 does not have enough dimensions (has 0, gufunc core with "
            "signature (n?,k),(k,m?)->(n?,m?) requires 1)",
        ),
        (
            lambda: xp.matmul([1], X),
            TypeError,
            "matmul: x1 must be an xpdl Array or a Python scalar, got list; convert it with "
            "xpdl.asarray",
        ),
        (
            lambda: xp.matrix_transpose(xp.ones(2)),
            ValueError,
            "matrix_transpose: matrix transpose with ndim < 2 is undefined",
        ),
        (
            lambda: xp.tensordot(X, X, axes=-1),
            ValueError,
            "tensordot: axes must not be negative, got -1",
        ),
        (lambda: xp.tensordot(X, X, axes=1), ValueError, "tensordot: shape-mismatch for sum"),
        (
            lambda: xp.tensordot(X, 1),
            TypeError,
            "tensordot: x2 must be an xpdl Array, got int; convert it with xpdl.asarray",
        ),
        (
            lambda: xp.vecdot(X, xp.ones(2)),
            ValueError,
            "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
            "signature (n),(n)->() (size 2 is different from 3)",
        ),
        (
            lambda: xp.vecdot(X, xp.ones(1)),
            ValueError,
            "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
            "signature (n),(n)->() (size 1 is different from 3)",
        ),
        (
            lambda: xp.vecdot(X, xp.ones(3), axis=-2),
            IndexError,
            "vecdot: axis -2 is out of bounds for array of dimension 1",
        ),
        (
            lambda: xp.vecdot([1], X),
            TypeError,
            "vecdot: x1 must be an xpdl Array, got list; convert it with xpdl.asarray",
        ),
    ],
)
def test_products_wrong_argument_raises(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize("axes", [1.0, b"00", "00", ([0.0], [0]), (b"0", b"0"), xp.asarray(1.0)])
def test_tensordot_with_axes_that_are_no_ints_raises(axes):
    x = xp.ones((3,))
    with pytest.raises(TypeError, match="tensordot: axes must be an int"):
        xp.tensordot(x, x, axes=axes)


@pytest.mark.parametrize("axes", [1, True, (0, 0), [[0], [0]], (range(1), xp.asarray([0]))])
def test_tensordot_takes_ints_and_sequences_of_ints(axes):
    x = xp.asarray([1, 2, 3])
    assert xp.tensordot(x, x, axes=axes).tolist() == 14


# ----------------------------------------------------------------------------------------- einsum


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("ij,jk->ik", [(2, 3), (3, 4)]),
        ("ij,jk", [(2, 3), (3, 4)]),
        ("ij->ji", [(2, 3)]),
        ("ii->i", [(3, 3)]),
        ("ii", [(3, 3)]),
        ("i,j->ij", [(2,), (3,)]),
        ("...i,...i->...", [(2, 3), (2, 3)]),
        ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]),
        (",ij->ij", [(), (2, 3)]),
    ],
)
@pytest.mark.parametrize("dtype", ["int8", "float32", "complex128"])
def test_einsum_is_that_of_numpy(subscripts, shapes, dtype):
    operands = [values(dtype, shape) for shape in shapes]
    expected = np.einsum(subscripts, *operands, optimize=len(shapes) > 2)
    check(xp.einsum(subscripts, *map(xp.asarray, operands)), expected)


@pytest.mark.parametrize("subscripts", ["ij->ji", "ii->i", "ij->ij"])
def test_einsum_of_one_array_is_a_copy(subscripts):
    x = xp.zeros((3, 3))
    y = xp.einsum(subscripts, x)
    assert not np.shares_memory(np.asarray(x), np.asarray(y))
    y[...] = 1.0
    assert x.tolist() == [[0.0] * 3] * 3


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("ij,jk->ik", xp.ones((2, 3)), xp.ones((2, 3))), ValueError, "einsum: "),
        (("ij->k", xp.ones((2, 3))), ValueError, "einsum: "),
        (("i", [1.0]), TypeError, "einsum: arrays[0] must be an xpdl Array, got list; "),
        (("i",), ValueError, "einsum: arrays must hold at least one Array, got none"),
    ],
)
def test_einsum_of_wrong_arguments_raises(arguments, error, message):
    with pytest.raises(error) as caught:
        xp.einsum(*arguments)
    assert str(caught.value).startswith(message)
