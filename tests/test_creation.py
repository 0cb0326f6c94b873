"""Creation functions: values, dtypes, devices and messages."""

import numpy as np
import pytest
from samples import COMPLEX, DTYPES, EMPTY, LAYOUTS, NUMBERS, WITH_AXES, check, laid_out

import xpdl as xp

SHAPES = [
    ((2, 3), (2, 3)),
    ([2, 3], (2, 3)),
    (3, (3,)),
    ((), ()),
    ((0, 4), (0, 4)),
    (np.int64(2), (2,)),
]


@pytest.mark.parametrize(("shape", "expected"), SHAPES)
@pytest.mark.parametrize("name", ["zeros", "ones", "empty"])
def test_filled_shape_forms_give_default_dtype(name, shape, expected):
    x = getattr(xp, name)(shape)
    assert (x.shape, x.dtype, x.device) == (expected, xp.float64, "cpu")


@pytest.mark.parametrize("dtype", [*DTYPES, float, "int8", np.uint16])
def test_filled_dtype_given_is_taken(dtype):
    check(xp.zeros(2, dtype=dtype), np.zeros(2, dtype))
    check(xp.ones(2, dtype=dtype), np.ones(2, dtype))
    check(xp.full(2, 1, dtype=dtype), np.ones(2, dtype))
    assert xp.empty(2, dtype=dtype).dtype == np.dtype(dtype)


@pytest.mark.parametrize("device", [None, "cpu", xp.Device("cpu"), (1, 0)])
def test_creation_device_forms_are_the_cpu(device):
    x = xp.asarray([1.0])
    made = [
        xp.asarray(1, device=device),
        xp.zeros(1, device=device),
        xp.ones(1, device=device),
        xp.empty(1, device=device),
        xp.full(1, 2, device=device),
        xp.arange(1, device=device),
        xp.linspace(0, 1, 2, device=device),
        xp.logspace(0, 1, 2, device=device),
        xp.eye(1, device=device),
        xp.zeros_like(x, device=device),
        xp.ones_like(x, device=device),
        xp.empty_like(x, device=device),
        xp.full_like(x, 2, device=device),
    ]
    assert {y.device for y in made} == {xp.Device("cpu")}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_like_layout_gives_fresh_array_of_shape_and_dtype(layout):
    source = laid_out("float64", layout).astype(np.float32)
    x = xp.asarray(source)
    check(xp.zeros_like(x), np.zeros(source.shape, np.float32))
    check(xp.ones_like(x), np.ones(source.shape, np.float32))
    check(xp.full_like(x, 7), np.full(source.shape, 7, np.float32))
    check(xp.ones_like(x, dtype=xp.int8), np.ones(source.shape, np.int8))
    assert not xp.empty_like(x).readonly


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (True, xp.bool),
        (3, xp.int64),
        (2.5, xp.float64),
        (1j, xp.complex128),
        (np.float32(2.5), xp.float32),
        (np.int8(3), xp.int8),
        (np.bool(True), xp.bool),
        (xp.asarray(2, dtype=xp.uint8), xp.uint8),
        (xp.asarray(1j), xp.complex128),
    ],
)
def test_full_dtype_none_follows_value(value, dtype):
    check(xp.full((2, 1), value), np.full((2, 1), np.asarray(value), dtype))


@pytest.mark.parametrize("value", [-0.0, np.nan, np.inf, complex(-0.0, -0.0)])
def test_full_special_value_keeps_its_bits(value):
    x = np.asarray(xp.full(3, value))
    assert x.tobytes() == np.array([value] * 3).tobytes()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: xp.full(2, [1]),
            TypeError,
            "full: fill_value must be a number or a 0-d Array, got list",
        ),
        (
            lambda: xp.full(2, "1"),
            TypeError,
            "full: fill_value must be a number or a 0-d Array, got str",
        ),
        (
            lambda: xp.full(2, xp.ones(1)),
            TypeError,
            "full: fill_value must be a number or a 0-d Array, got Array",
        ),
        (
            lambda: xp.full(2, 1j, dtype=xp.float32),
            TypeError,
            "full: fill_value must be real for dtype float32, got 1j",
        ),
        (
            lambda: xp.full_like(xp.ones(1), 1j),
            TypeError,
            "full_like: fill_value must be real for dtype float64, got 1j",
        ),
        (
            lambda: xp.full(2, 300, dtype=xp.uint8),
            OverflowError,
            "full: Python integer 300 out of bounds for uint8",
        ),
        (
            lambda: xp.full(2, 2**64),
            OverflowError,
            "full: Python int too large to convert to C long",
        ),
        (
            lambda: xp.full(2, np.nan, dtype=xp.int8),
            ValueError,
            "full: cannot convert float NaN to integer",
        ),
        (lambda: xp.zeros(-1), ValueError, "zeros: negative dimensions are not allowed"),
        (
            lambda: xp.zeros(1.5),
            TypeError,
            "zeros: shape must be an int or a tuple of ints, got 1.5",
        ),
        (
            lambda: xp.zeros(1, dtype="S3"),
            TypeError,
            "zeros: dtype must be one that xpdl holds (bool, integer, float, complex), got |S3",
        ),
        (
            lambda: xp.zeros_like([1]),
            TypeError,
            "zeros_like: x must be an xpdl Array, got list; convert it with xpdl.asarray",
        ),
        (lambda: xp.arange(0, 1, 0), ValueError, "arange: step must not be 0, got 0"),
        (
            lambda: xp.arange("3"),
            TypeError,
            "arange: stop must be a real number, got '3'",
        ),
        (lambda: xp.arange(0, 1j), TypeError, "arange: stop must be a real number, got 1j"),
        (lambda: xp.arange(0, np.inf), ValueError, "arange: Maximum allowed size exceeded"),
        (
            lambda: xp.linspace(0, 1, -1),
            ValueError,
            "linspace: num must not be negative, got -1",
        ),
        (
            lambda: xp.linspace(0, 1j, 2, dtype=float),
            TypeError,
            "linspace: start and stop must be real for dtype float64, got (0, 1j)",
        ),
        (lambda: xp.eye(-1), ValueError, "eye: negative dimensions are not allowed"),
        (
            lambda: xp.tril(xp.ones(2)),
            ValueError,
            "tril: x must have at least two dimensions, got shape (2,)",
        ),
        (
            lambda: xp.triu(xp.ones(())),
            ValueError,
            "triu: x must have at least two dimensions, got shape ()",
        ),
        (lambda: xp.diag(xp.ones((1, 1, 1))), ValueError, "diag: Input must be 1- or 2-d."),
        (
            lambda: xp.meshgrid(xp.ones(1), indexing="x"),
            ValueError,
            "meshgrid: indexing must be 'xy' or 'ij', got 'x'",
        ),
    ],
)
def test_creation_wrong_argument_raises(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((5,), [0, 1, 2, 3, 4]),
        ((2, 5), [2, 3, 4]),
        ((5, 2, -1), [5, 4, 3]),
        ((5, None, 2), [0, 2, 4]),
        ((0,), []),
        ((5, 2), []),
        ((2, 5, -1), []),
        ((0, 7, 3), [0, 3, 6]),
        ((2**62, 2**62 + 4, 3), [2**62, 2**62 + 3]),
        ((np.int8(3),), [0, 1, 2]),
        ((xp.asarray(3),), [0, 1, 2]),
    ],
)
def test_arange_ints_give_int64(arguments, expected):
    check(xp.arange(*arguments), np.array(expected, np.int64))


@pytest.mark.parametrize(
    ("arguments", "dtype", "expected"),
    [
        ((3.0,), None, np.array([0.0, 1.0, 2.0])),
        ((0, 1, 0.25), None, np.array([0, 0.25, 0.5, 0.75])),
        ((1, 0, -0.5), None, np.array([1, 0.5])),
        ((0.5, 3), None, np.array([0.5, 1.5, 2.5])),
        ((1, -1, 0.5), None, np.zeros(0)),
        ((3,), xp.float32, np.array([0, 1, 2], np.float32)),
        ((3.0,), xp.int8, np.array([0, 1, 2], np.int8)),
        ((0, 2, 0.5), xp.int64, np.array([0, 0, 1, 1])),
        ((2,), xp.bool, np.array([False, True])),
        ((3,), xp.complex64, np.array([0, 1, 2], np.complex64)),
        ((2**63, 2**63 + 2), xp.uint64, np.array([2**63, 2**63 + 1], np.uint64)),
    ],
)
def test_arange_floats_and_dtypes_give_exact_values(arguments, dtype, expected):
    check(xp.arange(*arguments, dtype=dtype), expected)


@pytest.mark.parametrize(
    ("arguments", "dtype"),
    [
        ((2**63, 2**63 + 2), None),
        ((129,), xp.int8),
        ((-1, 3), xp.uint8),
        ((250, 257), xp.uint8),
        ((0, -130, -1), xp.int8),
        ((0, 200.5), xp.int8),
    ],
)
def test_arange_value_beyond_dtype_overflows(arguments, dtype):
    with pytest.raises(OverflowError, match=r"^arange: "):
        xp.arange(*arguments, dtype=dtype)


@pytest.mark.parametrize(
    ("arguments", "dtype"),
    [((256,), xp.uint8), ((-128, 128), xp.int8), ((0, -129, -1), xp.int8), ((300, 0), xp.int8)],
)
def test_arange_bound_beyond_dtype_is_fine_where_no_value_is(arguments, dtype):
    check(xp.arange(*arguments, dtype=dtype), np.arange(*arguments).astype(dtype))


@pytest.mark.parametrize("num", [0, 1, 2, 3, 7, 50])
@pytest.mark.parametrize("dtype", [xp.float16, xp.float32, xp.float64, *COMPLEX])
@pytest.mark.parametrize("endpoint", [True, False])
def test_linspace_ends_are_exact(num, dtype, endpoint):
    x = xp.linspace(0.1, 0.7, num, dtype=dtype, endpoint=endpoint)
    assert (x.shape, x.dtype) == ((num,), dtype)
    check(x[:1], np.array([0.1] * min(num, 1), dtype))
    if endpoint and num > 1:
        check(x[-1], np.array(0.7, dtype))


@pytest.mark.parametrize(
    ("arguments", "keywords", "expected"),
    [
        ((0, 4, 5), {}, np.array([0.0, 1, 2, 3, 4])),
        ((4, 0, 4), {"endpoint": False}, np.array([4.0, 3, 2, 1])),
        ((0, 2j, 3), {}, np.array([0, 1j, 2j])),
        ((1, 2j, 2), {"dtype": xp.complex64}, np.array([1, 2j], np.complex64)),
        ((0, 3, 7), {"dtype": xp.int64}, np.array([0, 0, 1, 1, 2, 2, 3])),
        ((-1.7e308, 1.7e308, 3), {}, np.array([-1.7e308, 0, 1.7e308])),
        ((-3.4e38, 3.4e38, 3), {"dtype": xp.float32}, np.array([-3.4e38, 0, 3.4e38], np.float32)),
        ((xp.asarray(0), np.float32(1), xp.asarray(2)), {}, np.array([0.0, 1.0])),
        ((2, 2, 3), {}, np.array([2.0, 2.0, 2.0])),
    ],
)
def test_linspace_values_match(arguments, keywords, expected):
    check(xp.linspace(*arguments, **keywords), expected)


def test_logspace_base_and_endpoint_match_numpy():
    check(xp.logspace(0, 2, 3), np.array([1.0, 10, 100]))
    check(xp.logspace(0, 3, 3, base=2, endpoint=False), np.logspace(0, 3, 3, False, 2))
    check(xp.logspace(0, 1, dtype=xp.float32), np.logspace(0, 1, dtype=np.float32))


@pytest.mark.parametrize("shape", [(3,), (2, 4), (4, 2), (0,), (0, 3), (3, 0)])
@pytest.mark.parametrize("k", [-9, -1, 0, 1, 2, 9])
def test_eye_diagonal_k_matches_numpy(shape, k):
    check(xp.eye(*shape, k=k), np.eye(*shape, k=k))


@pytest.mark.parametrize("dtype", DTYPES)
def test_eye_dtype_has_exact_ones(dtype):
    check(xp.eye(2, dtype=dtype), np.eye(2, dtype=dtype))


@pytest.mark.parametrize("name", ["tril", "triu"])
@pytest.mark.parametrize("layout", [*WITH_AXES[1:], *EMPTY])
@pytest.mark.parametrize("k", [-5, -1, 0, 1, 5])
def test_triangle_layout_matches_numpy_and_is_a_copy(name, layout, k):
    source = laid_out("float64", layout)
    x = xp.asarray(source)
    result = getattr(xp, name)(x, k=k)
    check(result, getattr(np, name)(source, k))
    assert not result.readonly
    assert not np.shares_memory(np.asarray(result), np.asarray(x))


@pytest.mark.parametrize("dtype", DTYPES)
def test_triangle_dtype_is_kept(dtype):
    check(xp.tril(xp.ones((2, 2), dtype=dtype)), np.tril(np.ones((2, 2), dtype)))


@pytest.mark.parametrize("k", [-1, 0, 1])
def test_diag_vector_and_matrix_are_fresh(k):
    check(xp.diag(xp.asarray([1, 2]), k), np.diag([1, 2], k))
    x = xp.asarray(np.arange(6).reshape(2, 3))
    result = xp.diag(x, k=k)
    check(result, np.diag(np.asarray(x), k))
    result += 1
    check(x, np.arange(6).reshape(2, 3))


@pytest.mark.parametrize("indexing", ["xy", "ij"])
@pytest.mark.parametrize("sizes", [(2,), (2, 3), (2, 3, 4), (0, 2)])
def test_meshgrid_sizes_match_numpy(indexing, sizes):
    vectors = [np.arange(size, dtype=np.float32) for size in sizes]
    result = xp.meshgrid(*map(xp.asarray, vectors), indexing=indexing)
    assert type(result) is tuple
    for actual, expected in zip(result, np.meshgrid(*vectors, indexing=indexing), strict=True):
        check(actual, expected)
        assert not actual.readonly


def test_meshgrid_nothing_gives_empty_tuple():
    assert xp.meshgrid() == ()


def test_meshgrid_dtypes_are_each_kept():
    a, b = xp.meshgrid(xp.asarray([1], dtype=xp.int8), xp.asarray([1.0]))
    assert (a.dtype, b.dtype) == (xp.int8, xp.float64)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_asarray_array_shares_memory_and_protection(layout):
    source = laid_out("float64", layout)
    x = xp.asarray(source)
    assert xp.asarray(x) is x
    assert xp.asarray(x, copy=False) is x
    check(xp.asarray(x, copy=True), source)
    assert not xp.asarray(x, copy=True).readonly
    assert x.readonly is not source.flags.writeable


@pytest.mark.parametrize("dtype", NUMBERS)
def test_asarray_dtype_casts_python_values(dtype):
    check(xp.asarray([[1, 2], [3, 4]], dtype=dtype), np.array([[1, 2], [3, 4]], dtype))


@pytest.mark.parametrize(
    ("obj", "dtype"),
    [
        (True, xp.bool),
        (1, xp.int64),
        (1.0, xp.float64),
        (1j, xp.complex128),
        ([True, 2], xp.int64),
        ([1, 2.0], xp.float64),
        ([1, 1j], xp.complex128),
        ([], xp.float64),
        ([[True], [False]], xp.bool),
        ((1, 2), xp.int64),
        (range(3), xp.int64),
    ],
)
def test_asarray_python_values_give_default_dtypes(obj, dtype):
    check(xp.asarray(obj), np.asarray(obj, dtype))


@pytest.mark.parametrize(
    ("start", "stop", "num", "endpoint", "dtype", "expected"),
    [
        (0, 2**63 - 1, 2, True, "int64", [0, 2**63 - 1]),
        (0, 2**64 - 1, 2, True, "uint64", [0, 2**64 - 1]),
        (2**53 + 1, 2**53 + 3, 3, True, "int64", [2**53 + 1, 2**53 + 2, 2**53 + 3]),
        (-(2**63), 2**63 - 1, 3, True, "int64", [-(2**63), -1, 2**63 - 1]),
        (2**63 - 1, -(2**63), 2, True, "int64", [2**63 - 1, -(2**63)]),
        (5, -5, 4, True, "int8", [5, 1, -2, -5]),
        (0, 128, 4, False, "int8", [0, 32, 64, 96]),
        (-0.5, 2.5, 4, True, "int8", [-1, 0, 1, 2]),
        (300, 0, 0, True, "int8", []),
        (7, 300, 1, True, "uint8", [7]),
    ],
)
def test_linspace_of_an_integer_dtype_is_exact(start, stop, num, endpoint, dtype, expected):
    x = xp.linspace(start, stop, num, dtype=dtype, endpoint=endpoint)
    assert (x.dtype, x.tolist()) == (xp.asarray(0, dtype=dtype).dtype, expected)


@pytest.mark.parametrize(
    ("start", "stop", "dtype"),
    [
        (0, 300, "int8"),
        (0, -1, "uint8"),
        (0, 2**63, "int64"),
        (0.5, 128.0, "int8"),
        (float("nan"), 1, "int64"),
        (float("inf"), 1, "int64"),
    ],
)
def test_linspace_beyond_an_integer_dtype_raises(start, stop, dtype):
    with pytest.raises(OverflowError, match=f"linspace: values must fit dtype {dtype}, got "):
        xp.linspace(start, stop, 3, dtype=dtype)


def test_logspace_of_an_integer_dtype_truncates_what_fits():
    assert xp.logspace(0, 2, 4, dtype=xp.int8).tolist() == [1, 4, 21, 100]
    with pytest.raises(OverflowError, match="logspace: values must fit dtype int8, got 1000"):
        xp.logspace(0, 3, 4, dtype=xp.int8)


@pytest.mark.parametrize("function", [xp.linspace, xp.logspace])
def test_spaced_values_of_an_int_beyond_floats_raise(function):
    with pytest.raises(OverflowError, match="stop must fit a float, got an int of 1329 bits"):
        function(0, 10**400, 3)


@pytest.mark.parametrize("k", [1.0, b"0", "1", 1j, None, np.float64(1), xp.asarray(1.0)])
def test_creation_with_a_diagonal_that_is_no_int_raises(k):
    x = xp.ones((2, 2))
    for name, call in [
        ("eye", lambda: xp.eye(2, k=k)),
        ("tril", lambda: xp.tril(x, k=k)),
        ("triu", lambda: xp.triu(x, k=k)),
        ("diag", lambda: xp.diag(x, k)),
    ]:
        with pytest.raises(TypeError, match=f"^{name}: k must be an int, got "):
            call()


@pytest.mark.parametrize("k", [1, True, np.int8(1), xp.asarray(1)])
def test_eye_takes_every_int_for_k(k):
    assert xp.eye(2, k=k).tolist() == [[0, 1], [0, 0]]
