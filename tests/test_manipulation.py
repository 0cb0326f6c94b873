"""Manipulation functions: values, views and copies, messages."""

import numpy as np
import pytest
from samples import DTYPES, EMPTY, WITH_AXES, check, laid_out, values

import xpdl as xp

# name, call on the namespace and x, of any rank from 1 on; np has the same names but for these.
VIEWS = {
    "broadcast_to": lambda ns, x: ns.broadcast_to(x, (2, *x.shape)),
    "expand_dims": lambda ns, x: ns.expand_dims(x, axis=(0, -1)),
    "flip": lambda ns, x: ns.flip(x, axis=0),
    "flip-all": lambda ns, x: ns.flip(x),
    "moveaxis": lambda ns, x: ns.moveaxis(x, 0, -1),
    "permute_dims": lambda ns, x: ns.permute_dims(x, tuple(range(x.ndim))[::-1]),
    "permute_dims-negative": lambda ns, x: ns.permute_dims(x, tuple(range(-x.ndim, 0))[::-1]),
    "squeeze": lambda ns, x: ns.squeeze(x[None, ...], axis=0),
    "transpose": lambda ns, x: ns.transpose(x),
    "transpose-axes": lambda ns, x: ns.transpose(x, (-1, *range(x.ndim - 1))),
}
COPIES = {
    "concat": lambda ns, x: ns.concat([x, x], axis=-1),
    "concat-flat": lambda ns, x: ns.concat([x, x], axis=None),
    "repeat": lambda ns, x: ns.repeat(x, 2, axis=0),
    "repeat-flat": lambda ns, x: ns.repeat(x, 3),
    "reshape-copy": lambda ns, x: ns.reshape(x, x.shape, copy=True),
    "roll": lambda ns, x: ns.roll(x, 1),
    "roll-axis": lambda ns, x: ns.roll(x, (1, -2), axis=(0, -1)),
    "stack": lambda ns, x: ns.stack([x, x], axis=-1),
    "stack-one": lambda ns, x: ns.stack([x]),
    "concat-one": lambda ns, x: ns.concat([x]),
    "tile": lambda ns, x: ns.tile(x, (2, 1)),
    "tile-once": lambda ns, x: ns.tile(x, (1,)),
}


@pytest.mark.parametrize("layout", [*WITH_AXES, *EMPTY])
@pytest.mark.parametrize("name", VIEWS)
def test_view_layout_matches_numpy_shares_memory_and_protection(name, layout):
    source = laid_out("float64", layout)
    x = xp.asarray(source)
    result = VIEWS[name](xp, x)
    check(result, VIEWS[name](np, source))
    assert result.readonly == (x.readonly or name == "broadcast_to")
    assert not source.size or np.shares_memory(np.asarray(result), np.asarray(x))


@pytest.mark.parametrize("layout", [*WITH_AXES, *EMPTY])
@pytest.mark.parametrize("name", COPIES)
def test_copy_layout_matches_numpy_and_is_fresh(name, layout):
    source = laid_out("float64", layout)
    x = xp.asarray(source)
    result = COPIES[name](xp, x)
    check(result, COPIES[name](np, source))
    assert not result.readonly
    assert not np.shares_memory(np.asarray(result), np.asarray(x))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [*VIEWS, *COPIES])
def test_manipulation_dtype_is_kept(name, dtype):
    source = values(dtype, (2, 2))
    call = (VIEWS | COPIES)[name]
    check(call(xp, xp.asarray(source)), call(np, source))


def test_manipulation_zero_dimensions_work():
    x = xp.asarray(3)
    check(xp.broadcast_to(x, (2,)), np.array([3, 3]))
    check(xp.concat([x, x], axis=None), np.array([3, 3]))
    check(xp.expand_dims(x, 0), np.array([3]))
    check(xp.flip(x), np.array(3))
    check(xp.permute_dims(x, ()), np.array(3))
    check(xp.repeat(x, 2), np.array([3, 3]))
    check(xp.reshape(x, (1, 1)), np.array([[3]]))
    check(xp.roll(x, 1), np.array(3))
    check(xp.squeeze(x, ()), np.array(3))
    check(xp.stack([x, x]), np.array([3, 3]))
    check(xp.tile(x, (2,)), np.array([3, 3]))


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        ((), ()),
        (((),), ()),
        (((2, 1), (3,)), (2, 3)),
        (((0,), (1,)), (0,)),
        ((3, (2, 1)), (2, 3)),
        (([4, 1], (1, 5), ()), (4, 5)),
        (((1, 0), (7, 1)), (7, 0)),
        (((2,) * 70,), (2,) * 70),
    ],
)
def test_broadcast_shapes_match(shapes, expected):
    assert xp.broadcast_shapes(*shapes) == expected


def test_broadcast_arrays_give_a_tuple_of_readonly_views():
    x, y = xp.asarray([1, 2]), xp.asarray([[1.0], [2.0]])
    result = xp.broadcast_arrays(x, y)
    assert type(result) is tuple
    check(result[0], np.array([[1, 2], [1, 2]]))
    check(result[1], np.array([[1.0, 1], [2, 2]]))
    assert [r.readonly for r in result] == [True, True]
    assert np.shares_memory(np.asarray(result[0]), np.asarray(x))
    assert xp.broadcast_arrays() == ()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (xp.int8, xp.uint8, xp.int16),
        (xp.float32, xp.complex64, xp.complex64),
        (xp.int64, xp.float32, xp.float64),
    ],
)
def test_joining_dtypes_promote(one, other, expected):
    pair = [xp.ones(2, dtype=one), xp.ones(2, dtype=other)]
    assert xp.concat(pair).dtype == expected
    assert xp.stack(pair).dtype == expected


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_stack_and_unstack_axis_are_inverse(axis):
    arrays = [values(shape=(2, 3)), values(shape=(2, 3)) + 10]
    stacked = xp.stack([xp.asarray(a) for a in arrays], axis=axis)
    check(stacked, np.stack(arrays, axis))
    parts = xp.unstack(stacked, axis=axis)
    assert type(parts) is tuple
    for part, a in zip(parts, arrays, strict=True):
        check(part, a)
        assert np.shares_memory(np.asarray(part), np.asarray(stacked))


def test_unstack_vector_gives_zero_dimensional_views():
    x = xp.asarray([1, 2])
    parts = xp.unstack(x)
    check(parts[1], np.array(2))
    x[1] = 7
    check(parts[1], np.array(7))


@pytest.mark.parametrize("axis", [(0,), (0, 1), (1, 3), (-1,), (0, -1), (-1, -2), [2, 0]])
def test_expand_dims_axes_match_numpy(axis):
    x = values(shape=(2, 3))
    check(xp.expand_dims(xp.asarray(x), axis), np.expand_dims(x, axis))


@pytest.mark.parametrize("axis", [0, (0, 2), [0, 2], (-1, 0), ()])
def test_squeeze_axes_match_numpy(axis):
    x = values(shape=(1, 3, 1))
    expected = np.squeeze(x, tuple(axis) if isinstance(axis, list) else axis)
    check(xp.squeeze(xp.asarray(x), axis), expected)


@pytest.mark.parametrize(
    ("source", "destination"), [(0, 2), (-1, 0), ((0, 1), (1, 0)), ([0], [-1])]
)
def test_moveaxis_axes_match_numpy(source, destination):
    x = values(shape=(2, 3, 4))
    check(xp.moveaxis(xp.asarray(x), source, destination), np.moveaxis(x, source, destination))


@pytest.mark.parametrize("shape", [(6,), 6, -1, (3, -1), [3, 2], (1, 6, 1)])
def test_reshape_shape_forms_match_numpy(shape):
    check(xp.reshape(xp.asarray(values(shape=(2, 3))), shape), values(shape=(2, 3)).reshape(shape))


def test_reshape_copy_none_and_false_share_where_strides_allow():
    x = xp.asarray(values(shape=(2, 3)))
    for copy in (None, False):
        assert np.shares_memory(np.asarray(xp.reshape(x, 6, copy=copy)), np.asarray(x))
    transposed = xp.permute_dims(x, (1, 0))
    check(xp.reshape(transposed, 6), values(shape=(2, 3)).T.reshape(6))
    with pytest.raises(
        ValueError, match=r"^reshape: Unable to avoid creating a copy while reshaping\.$"
    ):
        xp.reshape(transposed, 6, copy=False)


@pytest.mark.parametrize("dtype", [xp.int8, xp.int64, xp.uint8, xp.uint64])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_repeat_array_of_repeats_matches_numpy(dtype, axis):
    x = values(shape=(2, 2))
    repeats = np.array([2, 0] if axis is not None else [2, 0, 1, 3])
    actual = xp.repeat(xp.asarray(x), xp.asarray(repeats, dtype=dtype), axis=axis)
    check(actual, np.repeat(x, repeats, axis))


def test_repeat_one_number_forms_are_alike():
    x = xp.asarray([1, 2])
    for repeats in (2, np.int64(2), xp.asarray(2), xp.asarray([2]), [2, 2]):
        check(xp.repeat(x, repeats), np.array([1, 1, 2, 2]))
    check(xp.repeat(x, 0), np.array([], np.int64))


@pytest.mark.parametrize(
    ("shift", "axis"),
    [
        (1, None),
        (-7, None),
        (10, 0),
        (1, (0, 1)),
        ((1, 2), (0, 1)),
        ([1, 2], [0, -1]),
        (0, 1),
        (2, (0, 0)),
    ],
)
def test_roll_shifts_match_numpy(shift, axis):
    x = values(shape=(3, 4))
    check(xp.roll(xp.asarray(x), shift, axis=axis), np.roll(x, shift, axis))


@pytest.mark.parametrize("repetitions", [(2,), (2, 3), (2, 1, 3), (0,), (), 2, [1, 2]])
def test_tile_repetitions_match_numpy(repetitions):
    x = values(shape=(2, 3))
    check(xp.tile(xp.asarray(x), repetitions), np.tile(x, repetitions))


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), [0, 2]])
def test_flip_axes_match_numpy(axis):
    x = values(shape=(2, 3, 4))
    expected = np.flip(x, tuple(axis) if isinstance(axis, list) else axis)
    check(xp.flip(xp.asarray(x), axis=axis), expected)


X = xp.ones((2, 3))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: xp.broadcast_shapes((2,), (3,)),
            ValueError,
            "broadcast_shapes: shapes must be equal or 1 along each axis, counted from the last, "
            "got (2,) and (3,)",
        ),
        (
            lambda: xp.broadcast_shapes((-1,)),
            ValueError,
            "broadcast_shapes: sizes must not be negative, got (-1,)",
        ),
        (
            lambda: xp.broadcast_shapes("a"),
            TypeError,
            "broadcast_shapes: shape must be an int or a tuple of ints, got 'a'",
        ),
        (
            lambda: xp.broadcast_to(X, (2,)),
            ValueError,
            "broadcast_to: shape must have as many sizes as x of shape (2, 3) or more, got (2,)",
        ),
        (
            lambda: xp.broadcast_arrays(X, xp.ones(2)),
            ValueError,
            "broadcast_arrays: shape mismatch: objects cannot be broadcast to a single shape.  "
            "Mismatch is between arg 0 with shape (2, 3) and arg 1 with shape (2,).",
        ),
        (
            lambda: xp.concat([]),
            ValueError,
            "concat: arrays must hold at least one Array, got none",
        ),
        (
            lambda: xp.concat([X, [1]]),
            TypeError,
            "concat: arrays[1] must be an xpdl Array, got list; convert it with xpdl.asarray",
        ),
        (
            lambda: xp.concat([xp.asarray(1)]),
            ValueError,
            "concat: zero-dimensional arrays cannot be concatenated",
        ),
        (
            lambda: xp.concat([X, X], axis=2),
            IndexError,
            "concat: axis 2 is out of bounds for array of dimension 2",
        ),
        (
            lambda: xp.stack([X, X], axis=3),
            IndexError,
            "stack: axis 3 is out of bounds for array of dimension 3",
        ),
        (
            lambda: xp.stack([X, xp.ones(2)]),
            ValueError,
            "stack: all input arrays must have the same shape",
        ),
        (
            lambda: xp.expand_dims(X, 3),
            IndexError,
            "expand_dims: axis 3 is out of bounds for array of dimension 3",
        ),
        (
            lambda: xp.expand_dims(X, -4),
            IndexError,
            "expand_dims: axis -4 is out of bounds for array of dimension 3",
        ),
        (lambda: xp.expand_dims(X, (0, 0)), ValueError, "expand_dims: repeated axis"),
        (
            lambda: xp.squeeze(X, 0),
            ValueError,
            "squeeze: cannot select an axis to squeeze out which has size not equal to one",
        ),
        (
            lambda: xp.squeeze(X, 2),
            IndexError,
            "squeeze: axis 2 is out of bounds for array of dimension 2",
        ),
        (
            lambda: xp.flip(X, axis=2),
            IndexError,
            "flip: axis 2 is out of bounds for array of dimension 2",
        ),
        (lambda: xp.permute_dims(X, (0,)), ValueError, "permute_dims: axes don't match array"),
        (
            lambda: xp.permute_dims(X, (0, 0)),
            ValueError,
            "permute_dims: repeated axis in transpose",
        ),
        (
            lambda: xp.permute_dims(X, (0, 2)),
            IndexError,
            "permute_dims: axis 2 is out of bounds for array of dimension 2",
        ),
        (
            lambda: xp.transpose(X, (0, 0)),
            ValueError,
            "transpose: axes must name each of the 2 axes once, got (0, 0)",
        ),
        (
            lambda: xp.transpose(X, (0, 2)),
            ValueError,
            "transpose: axes must name each of the 2 axes once, got (0, 2)",
        ),
        (
            lambda: xp.moveaxis(X, 0, 2),
            IndexError,
            "moveaxis: axis 2 is out of bounds for array of dimension 2",
        ),
        (
            lambda: xp.repeat(X, 1.5),
            TypeError,
            "repeat: repeats must be an int or a tuple of ints, got 1.5",
        ),
        (
            lambda: xp.repeat(X, xp.ones(6)),
            TypeError,
            "repeat: repeats must be integers, got float64",
        ),
        (
            lambda: xp.repeat(X, xp.asarray([1, 2, 3]), axis=0),
            ValueError,
            "repeat: operands could not be broadcast together with shape (2,) (3,)",
        ),
        (
            lambda: xp.repeat(X, xp.asarray([-1, 1]), axis=0),
            ValueError,
            "repeat: repeats may not contain negative values.",
        ),
        (
            lambda: xp.reshape(X, (4, 2)),
            ValueError,
            "reshape: cannot reshape array of size 6 into shape (4,2)",
        ),
        (
            lambda: xp.reshape(X, (-1, -1)),
            ValueError,
            "reshape: can only specify one unknown dimension",
        ),
        (
            lambda: xp.roll(X, 1, axis=2),
            IndexError,
            "roll: axis 2 is out of bounds for array of dimension 2",
        ),
        (lambda: xp.tile(X, (-1,)), ValueError, "tile: negative dimensions are not allowed"),
        (
            lambda: xp.unstack(xp.asarray(1)),
            IndexError,
            "unstack: axis 0 is out of bounds for array of dimension 0",
        ),
        (
            lambda: xp.unstack([X]),
            TypeError,
            "unstack: x must be an xpdl Array, got list; convert it with xpdl.asarray",
        ),
    ],
)
def test_manipulation_wrong_argument_raises(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


NO_INTS = [1.0, b"0", b"", "1", 1j, (1.0,), [b"0"], np.float64(1), np.True_, xp.asarray(1.0)]


@pytest.mark.parametrize("value", NO_INTS, ids=repr)
@pytest.mark.parametrize(
    ("name", "parameter", "call"),
    [
        ("flip", "axis", lambda x, value: xp.flip(x, axis=value)),
        ("moveaxis", "source", lambda x, value: xp.moveaxis(x, value, 0)),
        ("moveaxis", "destination", lambda x, value: xp.moveaxis(x, 0, value)),
        ("permute_dims", "axes", lambda x, value: xp.permute_dims(x, value)),
        ("repeat", "repeats", lambda x, value: xp.repeat(x, value)),
        ("roll", "shift", lambda x, value: xp.roll(x, value)),
        ("roll", "axis", lambda x, value: xp.roll(x, 1, axis=value)),
        ("tile", "repetitions", lambda x, value: xp.tile(x, value)),
    ],
)
def test_manipulation_by_what_is_no_int_raises(name, parameter, call, value):
    if name == "repeat" and isinstance(value, xp.Array):
        value = xp.asarray(True)
    with pytest.raises(TypeError, match=f"^{name}: {parameter} must be "):
        call(xp.ones((2, 2)), value)


@pytest.mark.parametrize("function", [xp.repeat, xp.roll, xp.tile])
def test_manipulation_by_none_raises(function):
    with pytest.raises(TypeError, match="must be an int or a tuple of ints, got None"):
        function(xp.asarray([1, 2]), None)


@pytest.mark.parametrize("shift", [1, (), []])
def test_roll_along_no_axis_is_a_copy(shift):
    x = xp.asarray([1, 2])
    y = xp.roll(x, shift, axis=())
    y[...] = 0
    assert (x.tolist(), y.tolist()) == ([1, 2], [0, 0])


@pytest.mark.parametrize(("shift", "axis"), [((1, 2), 0), ((1, 2), (0,)), ((1,), (0, 1))])
def test_roll_by_other_numbers_of_shifts_than_axes_raises(shift, axis):
    with pytest.raises(ValueError, match=r"^roll: shift and axis must have one length, got \("):
        xp.roll(xp.ones((2, 2)), shift, axis=axis)


@pytest.mark.parametrize("one", [1, True, np.int8(1), [1], (1,), range(1, 2), np.array([1])])
def test_roll_takes_every_int_and_sequence_of_ints(one):
    assert xp.roll(xp.asarray([1, 2, 3]), one).tolist() == [3, 1, 2]
    assert xp.roll(xp.asarray([1, 2, 3]), xp.asarray(one)[...] * 1).tolist() == [3, 1, 2]


# -------------------------------------------------------------------------------------------- pad


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap"])
@pytest.mark.parametrize("width", [1, (1, 2), [(0, 1), (2, 0)], ((1, 1), (1, 1))])
@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex128"])
def test_pad_is_that_of_numpy(dtype, width, mode):
    a = values(dtype, (3, 4))
    check(xp.pad(xp.asarray(a), width, mode), np.pad(a, width, mode))


def test_pad_with_a_constant_keeps_the_dtype():
    x = xp.asarray([1, 2], dtype="int8")
    check(xp.pad(x, (1, 0), constant_values=7), np.array([7, 1, 2], "int8"))
    check(xp.pad(x, 0), np.array([1, 2], "int8"))


@pytest.mark.parametrize(
    ("dtype", "constant", "error"),
    [
        ("uint8", 300, OverflowError),
        ("uint8", -1, OverflowError),
        ("int64", 2**63, OverflowError),
        ("int32", float("nan"), ValueError),
        ("float64", 1j, TypeError),
        ("float64", None, TypeError),
        ("float64", "1", TypeError),
    ],
)
def test_pad_with_a_constant_that_does_not_fit_raises(dtype, constant, error):
    with pytest.raises(error, match=r"^pad: "):
        xp.pad(xp.ones(3, dtype=dtype), 1, constant_values=constant)


@pytest.mark.parametrize("constant", [np.float32(7), xp.asarray(7), 7.0])
def test_pad_with_a_constant_of_another_kind_is_that_of_full(constant):
    x = xp.pad(xp.ones(1, dtype="int16"), 1, constant_values=constant)
    check(x, np.array([7, 1, 7], "int16"))


@pytest.mark.parametrize(
    ("width", "error"), [(-1, ValueError), (1.5, TypeError), ([(1, 1)] * 2, ValueError)]
)
def test_pad_by_a_wrong_width_raises(width, error):
    with pytest.raises(error, match=r"^pad: "):
        xp.pad(xp.ones(3), width)
