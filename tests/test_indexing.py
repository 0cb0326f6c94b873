"""take and take_along_axis."""

import numpy as np
import pytest
from samples import DTYPES, WITH_AXES, check, laid_out, values

import xpdl as xp

INDEX_DTYPES = [xp.int8, xp.int32, xp.int64, xp.uint8, xp.uint64]


@pytest.mark.parametrize("layout", WITH_AXES)
def test_take_layout_matches_numpy_on_every_axis(layout):
    source = laid_out("float64", layout)
    x = xp.asarray(source)
    for axis in range(-source.ndim, source.ndim):
        indices = np.array([0, -1, 0])
        check(xp.take(x, xp.asarray(indices), axis=axis), np.take(source, indices, axis))


@pytest.mark.parametrize("dtype", DTYPES)
def test_take_dtype_is_kept_and_result_fresh(dtype):
    x = xp.asarray(values(dtype, (4,)))
    result = xp.take(x, xp.asarray([1, 2]))
    check(result, values(dtype, (4,))[1:3])
    assert not np.shares_memory(np.asarray(result), np.asarray(x))


@pytest.mark.parametrize("dtype", INDEX_DTYPES)
def test_take_index_dtypes_all_work(dtype):
    indices = xp.asarray([2, 0], dtype=dtype)
    check(xp.take(xp.asarray([5, 6, 7]), indices), np.array([7, 5]))
    check(xp.take_along_axis(xp.asarray([5, 6, 7]), indices), np.array([7, 5]))


def test_take_no_indices_gives_no_elements():
    none = xp.asarray([], dtype=xp.int64)
    check(xp.take(xp.ones((2, 3)), none, axis=1), np.ones((2, 0)))
    check(xp.take(xp.ones((0, 3)), none, axis=0), np.ones((0, 3)))


def test_take_scalar_index_drops_the_axis():
    check(xp.take(xp.asarray([[1, 2], [3, 4]]), 1, axis=0), np.array([3, 4]))
    check(xp.take(xp.asarray([1, 2]), xp.asarray(-1)), np.array(2))


@pytest.mark.parametrize("layout", WITH_AXES)
def test_take_along_axis_layout_matches_numpy_on_every_axis(layout):
    source = laid_out("float64", layout)
    for axis in range(-source.ndim, source.ndim):
        order = np.argsort(-source, axis=axis)
        actual = xp.take_along_axis(xp.asarray(source), xp.asarray(order), axis=axis)
        check(actual, np.take_along_axis(source, order, axis))


def test_take_along_axis_default_is_the_last():
    x = np.array([[3, 1, 2], [6, 4, 5]])
    indices = np.array([[0, -1], [2, 2]])
    expected = np.array([[3, 2], [5, 5]])
    check(xp.take_along_axis(xp.asarray(x), xp.asarray(indices)), expected)


@pytest.mark.parametrize(
    ("shape", "indices_shape"), [((1, 3), (4, 2)), ((4, 3), (1, 2)), ((2, 0), (2, 0))]
)
def test_take_along_axis_other_axes_broadcast(shape, indices_shape):
    indices = np.zeros(indices_shape, np.int64)
    expected = np.take_along_axis(values(shape=shape), indices, axis=1)
    check(
        xp.take_along_axis(xp.asarray(values(shape=shape)), xp.asarray(indices), axis=1), expected
    )


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: xp.take(xp.ones((2, 2)), xp.asarray([0])),
            ValueError,
            "take: axis must be an int for an array of 2 dimensions, got None",
        ),
        (
            lambda: xp.take([1], xp.asarray([0])),
            TypeError,
            "take: x must be an xpdl Array, got list; convert it with xpdl.asarray",
        ),
        (
            lambda: xp.take(xp.ones(2), xp.asarray([2])),
            IndexError,
            "take: index 2 is out of bounds for axis 0 with size 2",
        ),
        (
            lambda: xp.take(xp.ones(2), xp.asarray([-3])),
            IndexError,
            "take: index -3 is out of bounds for axis 0 with size 2",
        ),
        (
            lambda: xp.take(xp.ones(2), xp.asarray([0]), axis=1),
            IndexError,
            "take: axis 1 is out of bounds for array of dimension 1",
        ),
        (
            lambda: xp.take(xp.ones(2), xp.asarray([0.0])),
            TypeError,
            "take: Cannot cast array data from dtype('float64') to dtype('int64') according to "
            "the rule 'same_kind'",
        ),
        (
            lambda: xp.take_along_axis(xp.ones((2, 2)), xp.asarray([0])),
            ValueError,
            "take_along_axis: `indices` and `arr` must have the same number of dimensions",
        ),
        (
            lambda: xp.take_along_axis(xp.ones(2), xp.ones(2)),
            IndexError,
            "take_along_axis: `indices` must be an integer array",
        ),
        (
            lambda: xp.take_along_axis(xp.ones(2), 0),
            TypeError,
            "take_along_axis: indices must be an xpdl Array, got int; convert it with xpdl.asarray",
        ),
        (
            lambda: xp.take_along_axis(xp.ones(2), xp.asarray([0]), axis=1),
            IndexError,
            "take_along_axis: axis 1 is out of bounds for array of dimension 1",
        ),
    ],
)
def test_take_wrong_argument_raises(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "indices", [True, np.True_, 1.0, 1j, np.float64(1), None, "1", b"1", [1], xp.asarray([True])]
)
def test_take_with_indices_that_are_no_integers_raises(indices):
    with pytest.raises(TypeError, match="take: indices must be "):
        xp.take(xp.asarray([10, 20, 30]), indices)


@pytest.mark.parametrize("indices", [1, np.uint8(1), xp.asarray(1), xp.asarray(1, dtype=xp.uint64)])
def test_take_at_one_integer_is_that_element(indices):
    assert xp.take(xp.asarray([10, 20, 30]), indices).tolist() == 20
