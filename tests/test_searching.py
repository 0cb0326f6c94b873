"""xpdl._searching: positions and counts against NumPy, scalars, and the errors."""

import inspect
import math
from bisect import bisect_left, bisect_right

import numpy as np
import pytest
from samples import DTYPES, INTEGERS, LAYOUTS, REALS, WITH_AXES, check, laid_out, values

import xpdl as xp

nan = math.nan

SEARCHES = {
    "argmax": np.argmax,
    "argmin": np.argmin,
    "nanargmax": np.nanargmax,
    "nanargmin": np.nanargmin,
    "count_nonzero": np.count_nonzero,
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SEARCHES)
def test_search_of_each_dtype_gives_int64_of_numpy(name, dtype):
    x = values(dtype)
    x[2:4] = 0
    check(getattr(xp, name)(xp.asarray(x)), np.int64(SEARCHES[name](x)))


@pytest.mark.parametrize("layout", ["0-d", *WITH_AXES])
@pytest.mark.parametrize("name", SEARCHES)
def test_search_of_each_layout_gives_values_of_numpy(name, layout):
    x = laid_out("float32", layout)
    function = getattr(xp, name)
    check(function(xp.asarray(x)), np.int64(SEARCHES[name](x)))
    check(function(xp.asarray(x), keepdims=True), np.int64(SEARCHES[name](x, keepdims=True)))
    for axis in range(-x.ndim, x.ndim):
        for keepdims in (False, True):
            check(
                function(xp.asarray(x), axis=axis, keepdims=keepdims),
                SEARCHES[name](x, axis=axis, keepdims=keepdims),
            )


@pytest.mark.parametrize("axis", [(0, 2), [0, 2], (), (-1,)])
def test_count_nonzero_over_several_axes_counts(axis):
    x = laid_out("int8", "3-d") % 2
    check(xp.count_nonzero(xp.asarray(x), axis=axis), np.count_nonzero(x, axis=tuple(axis)))


@pytest.mark.parametrize(
    ("name", "expected"), [("argmax", 1), ("argmin", 1), ("nanargmax", 2), ("nanargmin", 0)]
)
def test_search_with_nan_finds_or_passes_it(name, expected):
    check(getattr(xp, name)(xp.asarray([1.0, nan, 3.0, nan, 3.0, 1.0])), np.int64(expected))


def test_count_nonzero_of_no_elements_is_zero_and_counts_nan():
    check(xp.count_nonzero(xp.zeros((2, 0)), axis=1), np.zeros(2, np.int64))
    check(xp.count_nonzero(xp.asarray([nan, -0.0, 0.0, 1.0])), np.int64(2))


# --------------------------------------------------------------------------------------- nonzero


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", ["1-d", "3-d", "strided", "reversed", "transposed", "empty"])
def test_nonzero_gives_indices_in_c_order(dtype, layout):
    x = laid_out(dtype, layout).copy()
    x[..., ::2] = 0
    result = xp.nonzero(xp.asarray(x))
    assert type(result) is tuple
    assert len(result) == x.ndim
    for got, expected in zip(result, np.nonzero(x), strict=True):
        check(got, expected)


# ---------------------------------------------------------------------------------- searchsorted


@pytest.mark.parametrize("dtype", [*INTEGERS, *REALS])
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted_gives_positions(dtype, side):
    x1, x2 = np.array([1, 2, 2, 5], dtype), np.array([[0, 1, 2], [3, 5, 6]], dtype)
    expected = [[0, 0, 1], [3, 3, 4]] if side == "left" else [[0, 1, 3], [3, 4, 4]]
    check(xp.searchsorted(xp.asarray(x1), xp.asarray(x2), side=side), np.array(expected))
    shuffled, sorter = xp.asarray(x1[[2, 3, 0, 1]]), xp.asarray(np.array([2, 0, 3, 1]))
    check(xp.searchsorted(shuffled, xp.asarray(x2), side=side, sorter=sorter), np.array(expected))
    check(
        xp.searchsorted(xp.asarray(x1[::-1].copy()[::-1]), xp.asarray(x2), side=side),
        np.array(expected),
    )


@pytest.mark.parametrize(
    ("dtype", "scalar", "left", "right"),
    [
        ("float32", 0.1, 0, 1),
        ("float16", 0.1, 0, 1),
        ("float64", 0.1, 0, 1),
        ("int8", 300, 1, 1),
        ("int8", -300, 0, 0),
        ("uint8", -1, 0, 0),
        ("int64", 2**70, 1, 1),
        ("uint64", 2**63 + 1, 1, 1),
        ("int8", 0.5, 1, 1),
        ("int8", 0, 0, 1),
        ("float32", np.float64(0.1), 0, 1),
        ("float32", nan, 1, 1),
    ],
)
def test_searchsorted_of_scalar_gives_zero_d_position(dtype, scalar, left, right):
    x1 = xp.asarray(np.array([0.1]).astype(dtype))
    check(xp.searchsorted(x1, scalar), np.int64(left))
    check(xp.searchsorted(x1, scalar, side="right"), np.int64(right))


def test_searchsorted_agrees_with_sort_on_nan():
    x1 = xp.asarray([1.0, 2.0, nan, nan])
    check(xp.searchsorted(x1, xp.asarray([nan, 3.0])), np.array([2, 2]))
    check(xp.searchsorted(x1, xp.asarray([nan, 3.0]), side="right"), np.array([4, 2]))


# ----------------------------------------------------------------------------------------- where


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_where_chooses_by_condition(dtype, layout):
    x1 = laid_out(dtype, layout)
    x2, condition = np.zeros_like(x1), np.abs(x1) > 3
    check(
        xp.where(xp.asarray(condition), xp.asarray(x1), xp.asarray(x2)), np.where(condition, x1, x2)
    )


@pytest.mark.parametrize(
    ("dtype", "scalar", "result_dtype"),
    [
        ("float32", 0.5, "float32"),
        ("float32", 7, "float32"),
        ("int8", 7, "int8"),
        ("uint8", True, "uint8"),
        ("bool", False, "bool"),
        ("complex64", 1j, "complex64"),
        ("float32", 1j, "complex64"),
        ("int8", 0.5, "float64"),
        ("float32", np.float64(0.5), "float32"),
    ],
)
def test_where_with_scalar_on_either_side_follows_array(dtype, scalar, result_dtype):
    condition, x = xp.asarray([True, False]), xp.asarray([1, 1], dtype=dtype)
    value = np.array([scalar, 1]).astype(result_dtype)
    check(xp.where(condition, scalar, x), value)
    check(xp.where(condition, x, scalar), value[::-1])


def test_where_of_broadcast_shapes_and_two_scalars():
    condition = xp.asarray([[True], [False]])
    check(xp.where(condition, xp.asarray([1, 2]), xp.asarray(9)), [[1, 2], [9, 9]])
    check(xp.where(condition, 1, 0.5), [[1.0], [0.5]])
    check(xp.where(xp.asarray([2, 0]), xp.asarray([1, 2]), -1), [1, -1])


# ---------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("kind", "text", "function"),
    [
        (
            ValueError,
            "nonzero: x must have one or more dimensions, got shape (); reshape it to (1,)",
            lambda: xp.nonzero(xp.asarray(1)),
        ),
        (
            ValueError,
            "searchsorted: x1 must be 1-D, got shape (2, 2)",
            lambda: xp.searchsorted(xp.zeros((2, 2)), 1.0),
        ),
        (
            ValueError,
            "searchsorted: side must be 'left' or 'right', got 'middle'",
            lambda: xp.searchsorted(xp.zeros(2), 1.0, side="middle"),
        ),
        (
            TypeError,
            "searchsorted: x1 must be an xpdl Array, got int; convert it with xpdl.asarray",
            lambda: xp.searchsorted(1, xp.zeros(2)),
        ),
        (
            TypeError,
            "searchsorted: x2 must be an Array or a scalar, got None",
            lambda: xp.searchsorted(xp.zeros(2), None),
        ),
        (
            OverflowError,
            "where: Python integer 300 out of bounds for int8",
            lambda: xp.where(xp.asarray([True]), xp.zeros(1, dtype=xp.int8), 300),
        ),
        (
            OverflowError,
            "where: Python integer -1 out of bounds for uint8",
            lambda: xp.where(xp.asarray([True]), -1, xp.zeros(1, dtype=xp.uint8)),
        ),
        (
            TypeError,
            "where: condition, x1 and x2 must be Arrays or scalars, got None",
            lambda: xp.where(xp.asarray([True]), None, 1),
        ),
        (
            IndexError,
            "count_nonzero: axis 3 is out of bounds for array of dimension 1",
            lambda: xp.count_nonzero(xp.zeros(2), axis=3),
        ),
        (
            IndexError,
            "argmax: axis 3 is out of bounds for array of dimension 1",
            lambda: xp.argmax(xp.zeros(2), axis=3),
        ),
        (
            ValueError,
            "argmin: attempt to get argmin of an empty sequence",
            lambda: xp.argmin(xp.zeros(0)),
        ),
        (
            ValueError,
            "nanargmax: All-NaN slice encountered",
            lambda: xp.nanargmax(xp.asarray([nan])),
        ),
    ],
)
def test_wrong_argument_raises(kind, text, function):
    with pytest.raises(kind) as error:
        function()
    assert str(error.value) == text


@pytest.mark.parametrize("name", [*SEARCHES, "nonzero"])
def test_search_of_list_raises(name):
    with pytest.raises(TypeError, match=f"^{name}: .* must be an xpdl Array, got list; convert it"):
        getattr(xp, name)([1.0])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("argmax", "(x, /, *, axis=None, keepdims=False)"),
        ("argmin", "(x, /, *, axis=None, keepdims=False)"),
        ("nanargmax", "(x, /, *, axis=None, keepdims=False)"),
        ("nanargmin", "(x, /, *, axis=None, keepdims=False)"),
        ("count_nonzero", "(x, /, *, axis=None, keepdims=False)"),
        ("nonzero", "(x, /)"),
        ("searchsorted", "(x1, x2, /, *, side='left', sorter=None)"),
        ("where", "(condition, x1, x2, /)"),
    ],
)
def test_signature_is_that_of_standard(name, text):
    signature = inspect.signature(getattr(xp, name))
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    assert str(inspect.Signature(bare)) == text
    assert "Array" in str(signature.return_annotation)


EDGES = [0, 1, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1]
SIGNED = [-(2**63), -(2**53) - 1, -1, *EDGES]
UNSIGNED = [*EDGES, 2**63, 2**64 - 2, 2**64 - 1]


@pytest.mark.parametrize(("side", "position"), [("left", bisect_left), ("right", bisect_right)])
@pytest.mark.parametrize(
    ("sorted_values", "dtype", "values", "other"),
    [(SIGNED, "int64", UNSIGNED, "uint64"), (UNSIGNED, "uint64", SIGNED, "int64")],
)
def test_searchsorted_across_signs_is_exact(sorted_values, dtype, values, other, side, position):
    expected = [position(sorted_values, value) for value in values]
    x1 = xp.asarray(sorted_values, dtype=dtype)
    assert xp.searchsorted(x1, xp.asarray(values, dtype=other), side=side).tolist() == expected
    assert [int(xp.searchsorted(x1, value, side=side)) for value in values] == expected
    sorter = xp.arange(len(sorted_values) - 1, -1, -1)
    found = xp.searchsorted(xp.flip(x1), xp.asarray(values, dtype=other), side=side, sorter=sorter)
    assert found.tolist() == expected


@pytest.mark.parametrize("dtype", ["uint8", "uint64", "int16"])
def test_searchsorted_takes_a_sorter_of_every_integer_dtype(dtype):
    sorter = xp.asarray([1, 0], dtype=dtype)
    assert xp.searchsorted(xp.asarray([5, 3]), xp.asarray([4]), sorter=sorter).tolist() == [1]


@pytest.mark.parametrize("sorter", [[0], [0, 7], [0, -1]])
@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_searchsorted_with_a_sorter_of_other_elements_raises(sorter, dtype):
    x2 = xp.asarray([2], dtype=dtype)
    with pytest.raises(ValueError, match="searchsorted: "):
        xp.searchsorted(xp.asarray([1, 3]), x2, sorter=xp.asarray(sorter))


@pytest.mark.parametrize("x2", [1j, xp.asarray([1j])])
def test_searchsorted_of_complex_in_real_values_raises(x2):
    with pytest.raises(TypeError, match="searchsorted: x2 must be real for x1 of dtype int64"):
        xp.searchsorted(xp.asarray([1, 2]), x2)
