"""xpdl._utility: all and any over every dtype and axis; differences with what is put around."""

import inspect
import math

import numpy as np
import pytest
from samples import DTYPES, LAYOUTS, NUMBERS, WITH_AXES, check, laid_out, values

import xpdl as xp

TESTS = {"all": np.all, "any": np.any}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", TESTS)
def test_truth_of_each_dtype_is_bool(name, dtype):
    for numbers in ([0, 1], [0, 0], [1, 1], []):
        x = np.array(numbers).astype(dtype)
        check(getattr(xp, name)(xp.asarray(x)), TESTS[name](x))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), [0, 1], ()])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("name", TESTS)
def test_truth_over_axes_is_that_of_numpy(name, layout, axis, keepdims):
    x = (
        np.broadcast_to(laid_out("int16", layout) % 3, (2, 3, 4))
        if layout == "0-d"
        else (np.atleast_2d(laid_out("int16", layout) % 3))
    )
    numpys = tuple(axis) if isinstance(axis, list) else axis
    check(
        getattr(xp, name)(xp.asarray(x), axis=axis, keepdims=keepdims),
        TESTS[name](x, axis=numpys, keepdims=keepdims),
    )


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 1j, complex(0, math.nan)])
def test_truth_of_nan_and_infinity_is_true(number):
    check(xp.all(xp.asarray([number])), np.True_)
    check(xp.any(xp.asarray([0, number])), np.True_)


# ------------------------------------------------------------------------------------------ diff


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_diff_of_each_dtype_is_that_of_numpy(dtype, n):
    x = values(dtype)
    check(xp.diff(xp.asarray(x), n=n), np.diff(x, n))


@pytest.mark.parametrize("layout", WITH_AXES)
def test_diff_along_each_axis_is_that_of_numpy(layout):
    x = laid_out("float32", layout)
    for axis in range(-x.ndim, x.ndim):
        check(xp.diff(xp.asarray(x), axis=axis), np.diff(x, axis=axis))
        edge = np.take(x, [0], axis) * 3
        for n in (1, 2):
            check(
                xp.diff(
                    xp.asarray(x),
                    axis=axis,
                    n=n,
                    prepend=xp.asarray(edge),
                    append=xp.asarray(np.concatenate([edge, edge], axis)),
                ),
                np.diff(x, n, axis, prepend=edge, append=np.concatenate([edge, edge], axis)),
            )


def test_diff_taken_as_often_as_there_are_elements_is_empty():
    check(xp.diff(xp.asarray([1, 2, 4]), n=3), np.zeros(0, np.int64))
    check(xp.diff(xp.asarray([1, 2, 4]), n=9), np.zeros(0, np.int64))


def test_diff_of_bool_says_where_neighbours_differ():
    check(xp.diff(xp.asarray([True, True, False])), np.array([False, True]))


def test_diff_taken_no_times_puts_around_and_copies():
    x = xp.asarray([1, 2])
    check(xp.diff(x, n=0, prepend=xp.asarray([0]), append=xp.asarray([3, 4])), [0, 1, 2, 3, 4])
    xp.diff(x, n=0)[0] = 7
    check(x, [1, 2])


def test_diff_with_single_value_keeps_dtype():
    x = xp.asarray([[1, 4], [2, 8]], dtype=xp.float32)
    expected = np.array([[1, 3], [2, 6]], np.float32)
    check(xp.diff(x, prepend=xp.asarray(0, dtype=xp.float32)), expected)
    check(xp.diff(x, prepend=0.0), expected)


# ---------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("kind", "text", "function"),
    [
        (
            IndexError,
            "all: axis 1 is out of bounds for array of dimension 1",
            lambda: xp.all(xp.zeros(2), axis=1),
        ),
        (ValueError, "any: duplicate value in 'axis'", lambda: xp.any(xp.zeros(2), axis=(0, 0))),
        (
            IndexError,
            "diff: axis 1 is out of bounds for array of dimension 1",
            lambda: xp.diff(xp.zeros(2), axis=1),
        ),
        (
            IndexError,
            "diff: axis -1 is out of bounds for array of dimension 0",
            lambda: xp.diff(xp.asarray(1.0)),
        ),
        (
            ValueError,
            "diff: order must be non-negative but got -1",
            lambda: xp.diff(xp.zeros(2), n=-1),
        ),
        (
            TypeError,
            "diff: x must be an xpdl Array, got list; convert it with xpdl.asarray",
            lambda: xp.diff([1, 2], prepend=xp.zeros(1)),
        ),
    ],
)
def test_wrong_argument_raises(kind, text, function):
    with pytest.raises(kind) as error:
        function()
    assert str(error.value) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("all", "(x, /, *, axis=None, keepdims=False)"),
        ("any", "(x, /, *, axis=None, keepdims=False)"),
        ("diff", "(x, /, *, axis=-1, n=1, prepend=None, append=None)"),
    ],
)
def test_signature_is_that_of_standard(name, text):
    signature = inspect.signature(getattr(xp, name))
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    assert str(inspect.Signature(bare)) == text
    assert "Array" in str(signature.return_annotation)


def test_diff_taken_more_often_than_there_are_elements_is_empty():
    x = xp.asarray([[1, 2, 3]], dtype=xp.int8)
    result = xp.diff(x, n=10**18)
    assert (result.shape, result.dtype) == ((1, 0), xp.int8)
    assert xp.diff(result, n=10**18).shape == (1, 0)


@pytest.mark.parametrize("n", [1.0, b"", "1", None])
def test_diff_taken_a_number_of_times_that_is_no_int_raises(n):
    with pytest.raises(TypeError, match="diff: n must be an int, got "):
        xp.diff(xp.asarray([1, 2]), n=n)
