"""The linear algebra extension: results against their definitions and against NumPy."""

import math

import numpy as np
import pytest
from samples import FLOATING, LAYOUTS, REALS, check, check_close, laid_out, readonly, values

import xpdl as xp

REAL_OF = {
    "float32": "float32",
    "complex64": "float32",
    "float64": "float64",
    "complex128": "float64",
}
COMPLEX_OF = {
    "float32": "complex64",
    "complex64": "complex64",
    "float64": "complex128",
    "complex128": "complex128",
}


def matrices(shape, dtype, seed=0):
    """Well-conditioned random matrices."""
    rng = np.random.default_rng(seed)
    result = rng.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        result = result + 1j * rng.normal(size=shape)
    return (result + 3 * np.eye(*shape[-2:])).astype(dtype)


def hermitian(shape, dtype):
    """Positive-definite Hermitian matrices."""
    x = matrices(shape, dtype)
    return (x @ np.conj(np.swapaxes(x, -1, -2))).astype(dtype)


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def tolerance(dtype):
    return 2e-4 if REAL_OF[dtype] == "float32" else 1e-10


SQUARE = [(1, 1), (3, 3), (2, 3, 3), (0, 3, 3), (0, 0), (2, 0, 0)]
OBLONG = [(3, 2), (2, 3), (2, 4, 3), (0, 2, 3)]


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("shape", SQUARE)
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_factor_gives_x_back(shape, dtype, upper):
    source = hermitian(shape, dtype)
    result = xp.linalg.cholesky(xp.asarray(source), upper=upper)
    factor = np.asarray(result)
    check_close(result, np.triu(factor) if upper else np.tril(factor), 0)
    product = adjoint(factor) @ factor if upper else factor @ adjoint(factor)
    np.testing.assert_allclose(product, source, rtol=tolerance(dtype), atol=tolerance(dtype))


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("shape", SQUARE)
def test_det_inv_slogdet_match_numpy(shape, dtype):
    source = matrices(shape, dtype)
    x = xp.asarray(source)
    check_close(xp.linalg.det(x), np.linalg.det(source))
    check_close(xp.linalg.inv(x), np.linalg.inv(source))
    sign, logabsdet = xp.linalg.slogdet(x)
    expected = np.linalg.slogdet(source)
    check_close(sign, np.asarray(expected.sign, dtype))
    check_close(logabsdet, np.asarray(expected.logabsdet, REAL_OF[dtype]))


def test_slogdet_singular_matrix_has_sign_zero_and_minus_infinity():
    sign, logabsdet = xp.linalg.slogdet(xp.zeros((2, 2)))
    check(sign, np.array(0.0))
    check(logabsdet, np.array(-np.inf))


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("shape", SQUARE)
def test_eigh_result_diagonalises_x(shape, dtype):
    source = hermitian(shape, dtype)
    result = xp.linalg.eigh(xp.asarray(source))
    assert result._fields == ("eigenvalues", "eigenvectors")
    assert (result.eigenvalues.dtype, result.eigenvectors.dtype) == (REAL_OF[dtype], dtype)
    lam, vec = map(np.asarray, result)
    eps = tolerance(dtype) * 20
    np.testing.assert_allclose(vec * lam[..., None, :] @ adjoint(vec), source, rtol=eps, atol=eps)
    check_close(xp.linalg.eigvalsh(xp.asarray(source)), lam, 1e-10)


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("shape", SQUARE)
def test_eig_result_is_complex_and_satisfies_its_equation(shape, dtype):
    for source in (matrices(shape, dtype), hermitian(shape, dtype)):
        result = xp.linalg.eig(xp.asarray(source))
        assert result._fields == ("eigenvalues", "eigenvectors")
        assert (result.eigenvalues.dtype, result.eigenvectors.dtype) == (COMPLEX_OF[dtype],) * 2
        lam, vec = map(np.asarray, result)
        eps = tolerance(dtype) * 20
        np.testing.assert_allclose(source @ vec, vec * lam[..., None, :], rtol=eps, atol=eps)
        assert xp.linalg.eigvals(xp.asarray(source)).dtype == COMPLEX_OF[dtype]
        check_close(xp.linalg.eigvals(xp.asarray(source)), lam, 1e-10)


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("shape", [*OBLONG, (3, 3), (0, 3), (3, 0)])
@pytest.mark.parametrize("mode", ["reduced", "complete"])
def test_qr_factors_give_x_back(shape, dtype, mode):
    source = matrices(shape, dtype)
    result = xp.linalg.qr(xp.asarray(source), mode=mode)
    assert result._fields == ("Q", "R")
    q, r = map(np.asarray, result)
    m, n = shape[-2:]
    k = m if mode == "complete" else min(m, n)
    assert (q.shape, r.shape) == ((*shape[:-2], m, k), (*shape[:-2], k, n))
    assert (q.dtype, r.dtype) == (dtype, dtype)
    np.testing.assert_array_equal(np.tril(r, -1), 0)
    eps = tolerance(dtype)
    np.testing.assert_allclose(q @ r, source, rtol=eps, atol=eps)
    np.testing.assert_allclose(
        adjoint(q) @ q, np.broadcast_to(np.eye(k), (*shape[:-2], k, k)), atol=eps
    )


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("shape", [*OBLONG, (3, 3)])
@pytest.mark.parametrize("full", [True, False])
def test_svd_factors_give_x_back(shape, dtype, full):
    source = matrices(shape, dtype)
    result = xp.linalg.svd(xp.asarray(source), full_matrices=full)
    assert result._fields == ("U", "S", "Vh")
    u, s, vh = map(np.asarray, result)
    m, n = shape[-2:]
    k = min(m, n)
    assert (u.shape, s.shape, vh.shape) == (
        (*shape[:-2], m, m if full else k),
        (*shape[:-2], k),
        (*shape[:-2], n if full else k, n),
    )
    assert (u.dtype, s.dtype, vh.dtype) == (dtype, REAL_OF[dtype], dtype)
    assert np.all(np.diff(s, axis=-1) <= 0)
    eps = tolerance(dtype)
    np.testing.assert_allclose(
        u[..., :k] * s[..., None, :] @ vh[..., :k, :], source, rtol=eps, atol=eps
    )
    check_close(xp.linalg.svdvals(xp.asarray(source)), s, 1e-10)


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((3, 3), (3,), (3,)),
        ((2, 3, 3), (3,), (2, 3)),
        ((3, 3), (3, 2), (3, 2)),
        ((2, 2, 2), (2, 2), (2, 2, 2)),
        ((2, 3, 3), (2, 3, 1), (2, 3, 1)),
        ((3, 3), (4, 3, 2), (4, 3, 2)),
        ((0, 3, 3), (3,), (0, 3)),
        ((1, 3, 3), (4, 3, 2), (4, 3, 2)),
        ((0, 0), (0,), (0,)),
        ((3, 3), (3, 0), (3, 0)),
    ],
)
def test_solve_vector_only_if_one_dimensional(one, other, expected, dtype):
    a, b = matrices(one, dtype), values(dtype, other)
    result = xp.linalg.solve(xp.asarray(a), xp.asarray(b))
    assert (result.shape, result.dtype) == (expected, dtype)
    x = np.asarray(result)
    product = (a @ x[..., None])[..., 0] if len(other) == 1 else a @ x
    eps = tolerance(dtype) * 10
    np.testing.assert_allclose(product, np.broadcast_to(b, product.shape), rtol=eps, atol=eps)


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("shape", [*OBLONG, (3, 3), (3, 0), (2, 0, 3)])
def test_pinv_satisfies_its_equations(shape, dtype):
    source = matrices(shape, dtype)
    result = xp.linalg.pinv(xp.asarray(source))
    assert (result.shape, result.dtype) == ((*shape[:-2], shape[-1], shape[-2]), dtype)
    p = np.asarray(result)
    eps = tolerance(dtype) * 5
    np.testing.assert_allclose(source @ p @ source, source, rtol=eps, atol=eps)
    np.testing.assert_allclose(p @ source @ p, p, rtol=eps, atol=eps)


SMALL = np.stack([np.diag([1.0, 1e-3, 0.0]), np.diag([2.0, 1.0, 1e-14])])


@pytest.mark.parametrize(
    ("rtol", "rank"),
    [
        (None, [2, 3]),
        (1e-2, [1, 2]),
        (0.0, [2, 3]),
        (1e-13, [2, 2]),
        ([1e-2, 0.0], [1, 3]),
        (2.0, [0, 0]),
    ],
)
def test_matrix_rank_and_pinv_rtol_is_relative_to_the_largest(rtol, rank):
    tolerances = xp.asarray(rtol) if isinstance(rtol, list) else rtol
    check(xp.linalg.matrix_rank(xp.asarray(SMALL), rtol=tolerances), np.array(rank, np.int64))
    kept = np.count_nonzero(
        np.asarray(xp.linalg.pinv(xp.asarray(SMALL), rtol=tolerances)), axis=(1, 2)
    )
    assert kept.tolist() == rank


@pytest.mark.parametrize("dtype", FLOATING)
def test_matrix_rank_default_tolerance_is_that_of_the_dtype(dtype):
    x = np.diag([1.0, float(np.finfo(dtype).eps), 3.9 * float(np.finfo(dtype).eps)]).astype(dtype)
    check(xp.linalg.matrix_rank(xp.asarray(x)), np.array(2, np.int64))


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 3, 0), (0, 2, 2)])
def test_matrix_rank_without_elements_is_zero(shape):
    check(xp.linalg.matrix_rank(xp.zeros(shape)), np.zeros(shape[:-2], np.int64))


@pytest.mark.parametrize("dtype", ["float16", *FLOATING, "int32", "uint8"])
@pytest.mark.parametrize("ord", [0, 1, 2, 3, 2.5, 0.5, -1, -2, -0.5, math.inf, -math.inf])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), (0, 2), [1, 2], (0, 1, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_vector_norm_matches_its_definition(dtype, ord, axis, keepdims):
    source = values(dtype, (2, 3, 4))
    exact = np.abs(source.astype(np.complex128))
    axis_tuple = tuple(axis) if isinstance(axis, list) else axis
    if ord == 0:
        expected = np.sum(exact != 0, axis_tuple, keepdims=keepdims)
    elif math.isinf(ord):
        expected = (np.max if ord > 0 else np.min)(exact, axis_tuple, keepdims=keepdims)
    else:
        expected = np.sum(exact**ord, axis_tuple, keepdims=keepdims) ** (1 / ord)
    found = xp.linalg.vector_norm(xp.asarray(source), axis=axis, ord=ord, keepdims=keepdims)
    kind = np.dtype(dtype).kind
    real = np.dtype(np.float64) if kind in "iu" else np.zeros(1, dtype).real.dtype
    assert found.dtype == real
    assert found.shape == expected.shape
    rtol = {2: 3e-2, 4: 1e-5, 8: 1e-12}[real.itemsize]
    np.testing.assert_allclose(np.asarray(found), expected, rtol=rtol)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_vector_norm_layout_matches_numpy(layout):
    source = laid_out("float64", layout)
    check_close(xp.linalg.vector_norm(xp.asarray(source)), np.sqrt(np.sum(source**2)))
    check_close(
        xp.linalg.vector_norm(xp.asarray(source), ord=math.inf), np.max(np.abs(source), initial=0.0)
    )


@pytest.mark.parametrize(
    ("ord", "expected"), [("fro", 500.0), ("nuc", 700.0), (2, 400.0), (-2, 300.0), (1, 400.0)]
)
def test_norm_of_float16_whose_squares_leave_its_range_is_right(ord, expected):
    x = xp.asarray([[300.0, 0.0], [0.0, 400.0]], dtype=xp.float16)
    check(xp.linalg.matrix_norm(x, ord=ord), np.array(expected, np.float16))
    check(xp.linalg.vector_norm(x), np.array(500.0, np.float16))


def test_vector_norm_zero_element_under_negative_order_gives_zero():
    x = xp.asarray([0.0, 2.0])
    check(xp.linalg.vector_norm(x, ord=-1), np.array(0.0))
    check(xp.linalg.vector_norm(x, ord=-2), np.array(0.0))


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("ord", ["fro", "nuc", None, 1, -1, 2, -2, math.inf, -math.inf])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("shape", [(3, 2), (2, 3, 4)])
def test_matrix_norm_matches_numpy(dtype, ord, keepdims, shape):
    source = matrices(shape, dtype)
    expected = np.linalg.matrix_norm(source, ord=ord, keepdims=keepdims)
    check_close(xp.linalg.matrix_norm(xp.asarray(source), ord=ord, keepdims=keepdims), expected)


@pytest.mark.parametrize("ord", ["fro", "nuc", 1, 2, math.inf])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (2, 0, 3), (0, 2, 3)])
def test_matrix_norm_without_elements_is_zero(ord, shape):
    check(xp.linalg.matrix_norm(xp.zeros(shape), ord=ord), np.zeros(shape[:-2]))


@pytest.mark.parametrize("n", [-3, -1, 0, 1, 2, 5])
@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3), (0, 0)])
def test_matrix_power_matches_numpy_and_is_fresh(n, shape):
    source = matrices(shape, np.float64)
    x = xp.asarray(source)
    result = xp.linalg.matrix_power(x, n)
    check_close(result, np.linalg.matrix_power(source, n))
    assert not np.shares_memory(np.asarray(result), np.asarray(x))


@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 2), (2, 3, 4), (0, 3), (2, 0, 0)])
@pytest.mark.parametrize("offset", [-5, -1, 0, 1, 5])
def test_diagonal_and_trace_offset_match_numpy(shape, offset):
    source = values(shape=shape)
    x = xp.asarray(source)
    check(xp.linalg.diagonal(x, offset=offset), source.diagonal(offset, -2, -1))
    check(xp.linalg.trace(x, offset=offset), source.trace(offset, -2, -1))


def test_diagonal_is_a_readonly_view():
    x = xp.asarray(np.eye(3))
    result = xp.linalg.diagonal(x)
    assert result.readonly
    x[0, 0] = 7.0
    check(result, np.array([7.0, 1, 1]))


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        ("int8", "int64"),
        ("int64", "int64"),
        ("uint8", "uint64"),
        ("uint32", "uint64"),
        ("float32", "float32"),
        ("float64", "float64"),
        ("complex64", "complex64"),
        ("float16", "float16"),
    ],
)
def test_trace_dtype_follows_sum(dtype, expected):
    x = xp.asarray(np.full((2, 2), 100, dtype))
    check(xp.linalg.trace(x), np.array(200, expected))
    check(xp.linalg.trace(x, dtype=xp.complex128), np.array(200 + 0j))


@pytest.mark.parametrize(
    ("one", "other", "axis"),
    [
        ((3,), (3,), -1),
        ((2, 3), (3,), -1),
        ((2, 3), (4, 1, 3), -1),
        ((3, 2), (3, 2), 0),
        ((3, 2), (3, 1), -2),
        ((0, 3), (0, 3), -1),
    ],
)
@pytest.mark.parametrize("dtype", ["int32", *FLOATING])
def test_cross_matches_its_definition(one, other, axis, dtype):
    x1, x2 = values(dtype, one), values(dtype, other)[..., ::-1]
    a, b = np.broadcast_arrays(np.moveaxis(x1, axis, -1), np.moveaxis(x2, axis, -1))
    expected = np.stack(
        [
            a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1],
            a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
            a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0],
        ],
        axis=axis,
    )
    check_close(xp.linalg.cross(xp.asarray(x1), xp.asarray(x2), axis=axis), expected)


@pytest.mark.parametrize("dtype", ["int8", *FLOATING])
def test_outer_vectors_give_all_products(dtype):
    a, b = values(dtype, (2,)), values(dtype, (3,))
    check(xp.linalg.outer(xp.asarray(a), xp.asarray(b)), np.multiply.outer(a, b))


@pytest.mark.parametrize(
    "name",
    [
        "cholesky",
        "det",
        "eigh",
        "eig",
        "eigvals",
        "eigvalsh",
        "inv",
        "matrix_norm",
        "pinv",
        "qr",
        "slogdet",
        "svd",
        "svdvals",
    ],
)
def test_integer_input_gives_default_floating_dtype(name):
    result = getattr(xp.linalg, name)(xp.asarray([[2, 1], [1, 2]]))
    for x in result if isinstance(result, tuple) else (result,):
        assert x.dtype in (xp.float64, xp.complex128)


@pytest.mark.parametrize(
    "name", ["cholesky", "det", "eigh", "eig", "inv", "pinv", "qr", "svd", "matrix_rank"]
)
@pytest.mark.parametrize("dtype", REALS[1:])
def test_decomposition_layout_does_not_matter(name, dtype):
    source = hermitian((2, 3, 3), dtype)
    function = getattr(xp.linalg, name)
    expected = function(xp.asarray(source))
    wide = np.zeros((2, 6, 6), dtype)
    wide[:, ::2, 1::2] = source
    for other in (np.asfortranarray(source), wide[:, ::2, 1::2], readonly(source)):
        actual = function(xp.asarray(other))
        pairs = (
            zip(actual, expected, strict=True)
            if isinstance(actual, tuple)
            else [(actual, expected)]
        )
        for one, two in pairs:
            check_close(one, np.asarray(two), tolerance(dtype))


def test_linalg_shares_the_products_of_the_namespace():
    for name in ("matmul", "matrix_transpose", "tensordot", "vecdot"):
        assert getattr(xp.linalg, name) is getattr(xp, name)


X = xp.ones((2, 3))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: xp.linalg.inv(xp.zeros((2, 2))),
            np.linalg.LinAlgError,
            "linalg.inv: Singular matrix",
        ),
        (
            lambda: xp.linalg.solve(xp.zeros((2, 2)), xp.ones(2)),
            ValueError,
            "linalg.solve: Singular matrix",
        ),
        (
            lambda: xp.linalg.cholesky(-xp.ones((2, 2))),
            ValueError,
            "linalg.cholesky: Matrix is not positive definite",
        ),
        (
            lambda: xp.linalg.det(X),
            ValueError,
            "linalg.det: Last 2 dimensions of the array must be square",
        ),
        (
            lambda: xp.linalg.eig(xp.full((2, 2), np.nan)),
            ValueError,
            "linalg.eig: Array must not contain infs or NaNs",
        ),
        (
            lambda: xp.linalg.svd(xp.ones(2)),
            ValueError,
            "linalg.svd: 1-dimensional array given. Array must be at least two-dimensional",
        ),
        (
            lambda: xp.linalg.eigh([1]),
            TypeError,
            "linalg.eigh: x must be an xpdl Array, got list; convert it with xpdl.asarray",
        ),
        (
            lambda: xp.linalg.det(xp.ones((2, 2), dtype=xp.float16)),
            TypeError,
            "linalg.det: array type float16 is unsupported in linalg",
        ),
        (
            lambda: xp.linalg.qr(X, mode="r"),
            ValueError,
            "linalg.qr: mode must be 'reduced' or 'complete', got 'r'",
        ),
        (
            lambda: xp.linalg.matrix_norm(X, ord=3),
            ValueError,
            "linalg.matrix_norm: ord must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got 3",
        ),
        (
            lambda: xp.linalg.matrix_norm(xp.ones(2)),
            ValueError,
            "linalg.matrix_norm: x must have at least two dimensions, got shape (2,)",
        ),
        (
            lambda: xp.linalg.matrix_rank(xp.ones(2)),
            ValueError,
            "linalg.matrix_rank: x must have at least two dimensions, got shape (2,)",
        ),
        (
            lambda: xp.linalg.pinv(xp.ones(2)),
            ValueError,
            "linalg.pinv: x must have at least two dimensions, got shape (2,)",
        ),
        (
            lambda: xp.linalg.vector_norm(X, ord="fro"),
            TypeError,
            "linalg.vector_norm: ord must be a real number, got 'fro'",
        ),
        (
            lambda: xp.linalg.vector_norm(X, axis=2),
            IndexError,
            "linalg.vector_norm: axis 2 is out of bounds for array of dimension 2",
        ),
        (
            lambda: xp.linalg.matrix_power(xp.ones((2, 2)), 1.5),
            TypeError,
            "linalg.matrix_power: n must be an int, got 1.5",
        ),
        (
            lambda: xp.linalg.cross(xp.ones(2), xp.ones(3)),
            ValueError,
            "linalg.cross: Both input arrays must be (arrays of) 3-dimensional vectors, but they "
            "are 2 and 3 dimensional instead.",
        ),
        (
            lambda: xp.linalg.outer(X, xp.ones(2)),
            ValueError,
            "linalg.outer: Input arrays must be one-dimensional, but they are x1.ndim=2 and "
            "x2.ndim=1.",
        ),
        (
            lambda: xp.linalg.trace(xp.ones(2)),
            ValueError,
            "linalg.trace: diag requires an array of at least two dimensions",
        ),
    ],
)
def test_linalg_wrong_argument_raises(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize("rtol", [1j, "1", b"1", xp.asarray([1j])])
@pytest.mark.parametrize("name", ["matrix_rank", "pinv"])
def test_tolerance_that_is_not_real_raises(name, rtol):
    with pytest.raises(TypeError, match=f"^linalg.{name}: rtol must be "):
        getattr(xp.linalg, name)(xp.eye(2), rtol=rtol)


def test_vector_norm_of_an_order_beyond_floats_raises():
    with pytest.raises(OverflowError, match="vector_norm: ord must fit a float, got an int"):
        xp.linalg.vector_norm(xp.ones(2), ord=10**400)
