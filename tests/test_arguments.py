"""Ints, axes and flags of the wrong type: one message for each kind of parameter."""

import re

import numpy as np
import pytest

import xpdl as xp

X = xp.asarray([[3.0, 1.0], [2.0, 4.0]])
V = xp.asarray([1.0, 2.0, 3.0])
INDICES = xp.asarray([0, 1, 2])
Z = xp.asarray(5.0)

REDUCTIONS = [
    "all", "any", "count_nonzero", "max", "mean", "median", "min", "nanmax", "nanmean", "nanmedian",
    "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "prod", "std", "sum", "var",
]  # fmt: skip
EXTREMA = ["argmax", "argmin", "nanargmax", "nanargmin"]
METHODS = ["all", "any", "max", "mean", "min", "prod", "std", "sum", "var"]


def along_axis(name, x=X):
    """A call of a function of ``x`` and an axis."""
    return lambda axis: getattr(xp, name)(x, axis=axis)


ONE_AXIS = {
    **{name: along_axis(name) for name in ("argsort", "diff", "sort", "unstack")},
    "stack": lambda axis: xp.stack([X, X], axis=axis),
    "vecdot": lambda axis: xp.vecdot(X, X, axis=axis),
    "linalg.cross": lambda axis: xp.linalg.cross(xp.ones((3, 3)), xp.ones((3, 3)), axis=axis),
    **{
        f"fft.{name}": lambda axis, name=name: getattr(xp.fft, name)(X, axis=axis)
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
    },
}
ONE_AXIS_OR_NONE = {
    **{name: along_axis(name) for name in (*EXTREMA, "cumulative_prod", "cumulative_sum")},
    "argmax method": lambda axis: X.argmax(axis),
    "argmin method": lambda axis: X.argmin(axis),
    "concat": lambda axis: xp.concat([X, X], axis=axis),
    "repeat": lambda axis: xp.repeat(X, 2, axis=axis),
    "take": lambda axis: xp.take(V, INDICES, axis=axis),
    "take_along_axis": lambda axis: xp.take_along_axis(V, INDICES, axis=axis),
}
AXES_OR_NONE = {
    **{name: along_axis(name) for name in (*REDUCTIONS, "flip")},
    **{f"{name} method": lambda axis, name=name: getattr(X, name)(axis) for name in METHODS},
    "roll": lambda axis: xp.roll(X, 1, axis=axis),
    "squeeze": along_axis("squeeze", xp.ones((1, 1))),
    "linalg.vector_norm": lambda axis: xp.linalg.vector_norm(X, axis=axis),
}
INTS = {
    ("diagonal", "offset"): lambda i: xp.linalg.diagonal(X, offset=i),
    ("trace", "offset"): lambda i: xp.linalg.trace(X, offset=i),
    ("matrix_power", "n"): lambda i: xp.linalg.matrix_power(X, i),
}
FLAGS = {
    **{
        (name, "keepdims"): lambda flag, name=name: getattr(xp, name)(X, keepdims=flag)
        for name in (*REDUCTIONS, *EXTREMA)
    },
    ("linalg.vector_norm", "keepdims"): lambda flag: xp.linalg.vector_norm(X, keepdims=flag),
    ("linalg.matrix_norm", "keepdims"): lambda flag: xp.linalg.matrix_norm(X, keepdims=flag),
    ("cumulative_sum", "include_initial"): lambda flag: xp.cumulative_sum(V, include_initial=flag),
    ("cumulative_prod", "include_initial"): (
        lambda flag: xp.cumulative_prod(V, include_initial=flag)
    ),
    ("sort", "descending"): lambda flag: xp.sort(X, descending=flag),
    ("sort", "stable"): lambda flag: xp.sort(X, stable=flag),
    ("argsort", "descending"): lambda flag: xp.argsort(X, descending=flag),
    ("argsort", "stable"): lambda flag: xp.argsort(X, stable=flag),
    ("isin", "invert"): lambda flag: xp.isin(X, X, invert=flag),
    ("linspace", "endpoint"): lambda flag: xp.linspace(0, 1, 3, endpoint=flag),
    ("logspace", "endpoint"): lambda flag: xp.logspace(0, 1, 3, endpoint=flag),
    ("linalg.cholesky", "upper"): lambda flag: xp.linalg.cholesky(xp.eye(2), upper=flag),
    ("linalg.svd", "full_matrices"): lambda flag: xp.linalg.svd(X, full_matrices=flag)[0],
}

NO_INTS = ["0", b"", 0.0, 1j, np.float64(0), np.True_, xp.asarray(0.0), object, {"a": 0}]
NO_AXES = [*NO_INTS, True, ((0,),), (0.0,), (True,), "", ["0"]]


def shown(value):
    return re.escape(repr(value))


def plain(result):
    """One NumPy array of an Array or a tuple of some."""
    return np.asarray(result if isinstance(result, xp.Array) else [np.asarray(r) for r in result])


def cases(table):
    return pytest.mark.parametrize("name", table)


@pytest.mark.parametrize("value", [*NO_AXES, None, (0,), [0]], ids=repr)
@cases(ONE_AXIS)
def test_axis_that_is_no_int_raises(name, value):
    with pytest.raises(TypeError, match=f"^{name}: axis must be an int, got {shown(value)}$"):
        ONE_AXIS[name](value)


@pytest.mark.parametrize("value", [*NO_AXES, (0,), [0]], ids=repr)
@cases(ONE_AXIS_OR_NONE)
def test_optional_axis_that_is_no_int_raises(name, value):
    function = name.removesuffix(" method")
    text = f"^{function}: axis must be an int or None, got {shown(value)}$"
    with pytest.raises(TypeError, match=text):
        ONE_AXIS_OR_NONE[name](value)


@pytest.mark.parametrize("value", NO_AXES, ids=repr)
@cases(AXES_OR_NONE)
def test_axes_that_are_no_ints_raise(name, value):
    function = name.removesuffix(" method")
    text = f"^{function}: axis must be an int, a tuple of ints or None, got {shown(value)}$"
    with pytest.raises(TypeError, match=text):
        AXES_OR_NONE[name](value)


@pytest.mark.parametrize("value", [*NO_AXES, None], ids=repr)
def test_axes_that_must_be_given_and_are_no_ints_raise(value):
    for call, text in (
        (lambda: xp.expand_dims(X, axis=value), "expand_dims: axis"),
        (lambda: xp.moveaxis(X, value, 0), "moveaxis: source"),
        (lambda: xp.moveaxis(X, 0, value), "moveaxis: destination"),
    ):
        wanted = f"^{text} must be an int or a tuple of ints, got {shown(value)}$"
        with pytest.raises(TypeError, match=wanted):
            call()


@pytest.mark.parametrize("value", [*NO_INTS, None, (0,)], ids=repr)
@cases(INTS)
def test_number_that_is_no_int_raises(name, value):
    function, parameter = name
    text = f"^linalg.{function}: {parameter} must be an int, got {shown(value)}$"
    with pytest.raises(TypeError, match=text):
        INTS[name](value)


@pytest.mark.parametrize("axis", [np.int64(0), np.uint8(0), xp.asarray(0), np.asarray(0)], ids=repr)
@cases(ONE_AXIS | ONE_AXIS_OR_NONE | AXES_OR_NONE)
def test_axis_of_any_kind_of_int_is_that_axis(name, axis):
    call = (ONE_AXIS | ONE_AXIS_OR_NONE | AXES_OR_NONE)[name]
    np.testing.assert_array_equal(plain(call(axis)), plain(call(0)))


@pytest.mark.parametrize("name", ["sort", "argmax", "cumulative_sum", "sum", "flip", "unstack"])
def test_negative_axis_counts_from_the_end(name):
    call = along_axis(name)
    np.testing.assert_array_equal(plain(call(-2)), plain(call(0)))
    np.testing.assert_array_equal(plain(call(-1)), plain(call(1)))


@pytest.mark.parametrize("axes", [[0, 1], (np.int8(0), xp.asarray(1)), np.array([0, 1])], ids=repr)
@cases(AXES_OR_NONE)
def test_sequence_of_axes_is_the_tuple(name, axes):
    call = AXES_OR_NONE[name]
    np.testing.assert_array_equal(np.asarray(call(axes)), np.asarray(call((0, 1))))


@pytest.mark.parametrize("axis", [0, -1, 2**70])
@pytest.mark.parametrize("name", [*REDUCTIONS, *EXTREMA, "cumulative_sum", "squeeze", "sort"])
def test_axis_of_a_0d_array_raises(name, axis):
    text = f"^{name}: axis {axis} is out of bounds for array of dimension 0$"
    with pytest.raises(np.exceptions.AxisError, match=text):
        along_axis(name, Z)(axis)


@pytest.mark.parametrize("axis", [2, -3, 2**70, -(2**70)])
@cases(ONE_AXIS_OR_NONE | AXES_OR_NONE | {"sort": along_axis("sort")})
def test_axis_out_of_bounds_raises(name, axis):
    call = (ONE_AXIS_OR_NONE | AXES_OR_NONE | ONE_AXIS)[name]
    with pytest.raises((IndexError, OverflowError)):
        call(axis)


@pytest.mark.parametrize(
    "value", [None, "False", "", 0.0, (), xp.asarray([True]), object], ids=repr
)
@cases(FLAGS)
def test_flag_that_is_no_bool_raises(name, value):
    function, parameter = name
    with pytest.raises(TypeError, match=f"^{function}: {parameter} must be a bool, got "):
        FLAGS[name](value)


@pytest.mark.parametrize("one", [1, np.True_, np.int8(1), xp.asarray(True)], ids=repr)
@cases(FLAGS)
def test_flag_of_any_kind_of_bool_is_that_bool(name, one):
    for value, expected in ((one, True), (one * 0 == 1, False)):
        found = FLAGS[name](value)
        np.testing.assert_array_equal(np.asarray(found), np.asarray(FLAGS[name](expected)))


@pytest.mark.parametrize("value", ["1", None, 1j, (1,), xp.asarray([1, 1])], ids=repr)
@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        *[(name, "correction") for name in ("std", "var", "nanstd", "nanvar")],
        *[(name, "ddof") for name in ("nanstd", "nanvar")],
    ],
)
def test_correction_that_is_no_real_number_raises(name, parameter, value):
    with pytest.raises(TypeError, match=f"^{name}: {parameter} must be a real number, got "):
        getattr(xp, name)(X, **{parameter: value})


@pytest.mark.parametrize("value", [1, True, 1.0, np.int8(1), xp.asarray(1.0)], ids=repr)
@pytest.mark.parametrize("name", ["std", "var", "nanstd", "nanvar"])
def test_correction_of_any_kind_of_number_is_that_number(name, value):
    expected = {"std": 1.6666666666666667**0.5, "var": 1.6666666666666667}[name.removeprefix("nan")]
    assert float(getattr(xp, name)(X, correction=value)) == pytest.approx(expected)


@pytest.mark.parametrize(
    "value", ["1", 1.0, None, True, [1, 2.0], [[1], [1, 2]], {0: 1}], ids=repr
)
def test_pad_by_what_are_no_ints_raises(value):
    text = "^pad: pad_width must be an int, a pair of ints or a pair for each axis, got "
    with pytest.raises(TypeError, match=text):
        xp.pad(V, value)


@pytest.mark.parametrize("value", [1, np.uint8(1), xp.asarray(1), [1, 1], np.array([[1, 1]])])
def test_pad_by_ints_of_any_kind_is_that_by_int(value):
    assert xp.pad(INDICES, value).tolist() == [0, 0, 1, 2, 0]


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        (lambda bad: xp.where(bad, X, X), "condition"),
        (lambda bad: xp.where(X > 1, bad, X), "x1"),
        (lambda bad: xp.where(X > 1, X, bad), "x2"),
        (lambda bad: xp.clip(X, min=bad), "min"),
        (lambda bad: xp.clip(X, max=bad), "max"),
        (lambda bad: xp.isin(X, bad), "x2"),
        (lambda bad: xp.isin(bad, X), "x1"),
        (lambda bad: xp.diff(X, prepend=bad), "prepend"),
        (lambda bad: xp.diff(X, append=bad), "append"),
        (lambda bad: xp.searchsorted(V, bad), "x2"),
    ],
)
def test_operand_that_is_no_array_is_named(call, parameter):
    text = rf"^\w+: {parameter} must be an xpdl Array or a Python scalar, got list; convert "
    with pytest.raises(TypeError, match=text):
        call([1.0])


@pytest.mark.parametrize("sorter", ["a", 1, [0, 1, 2], xp.asarray([0.0, 1.0, 2.0])], ids=repr)
def test_sorter_that_is_no_integer_array_raises(sorter):
    text = "^searchsorted: sorter must be an Array of integers or None, got "
    with pytest.raises(TypeError, match=text):
        xp.searchsorted(V, V, sorter=sorter)


@pytest.mark.parametrize("value", ["edges", None, 1, b"edge", np.ones(2), ["edge"]], ids=repr)
@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda word: xp.pad(X, 1, word), "pad: mode must be 'constant', 'edge', 'reflect', "),
        (lambda word: xp.searchsorted(V, V, side=word), "searchsorted: side must be 'left' or "),
        (lambda word: xp.meshgrid(V, V, indexing=word), "meshgrid: indexing must be 'xy' or 'ij'"),
        (lambda word: xp.linalg.qr(X, mode=word), "linalg.qr: mode must be 'reduced' or "),
        (lambda word: xp.fft.fft(X, norm=word), "fft.fft: norm must be 'backward', 'ortho' or "),
    ],
)
def test_word_that_is_unknown_raises(call, text, value):
    with pytest.raises(ValueError, match=f"^{text}"):
        call(value)


@pytest.mark.parametrize("value", ["euclid", 3, np.ones(2), [2], object], ids=repr)
def test_order_of_a_matrix_norm_that_is_unknown_raises(value):
    with pytest.raises(ValueError, match=r"^linalg.matrix_norm: ord must be 'fro', 'nuc', 1, -1,"):
        xp.linalg.matrix_norm(X, ord=value)


@pytest.mark.parametrize("one", [1, 1.0, True, np.int8(1), np.float32(1), xp.asarray(1)], ids=repr)
def test_order_of_a_norm_of_any_kind_of_number_is_that_number(one):
    assert xp.linalg.matrix_norm(X, ord=one).tolist() == 5.0
    assert xp.linalg.vector_norm(X, ord=one).tolist() == 10.0


@pytest.mark.parametrize("value", [1, "False", np.ones(2), np.True_], ids=repr)
def test_copy_that_is_no_bool_raises(value):
    for call, name in (
        (lambda: xp.reshape(X, -1, copy=value), "reshape"),
        (lambda: xp.asarray(X, copy=value), "asarray"),
        (lambda: xp.from_dlpack(X, copy=value), "from_dlpack"),
        (lambda: X.__dlpack__(copy=value), "__dlpack__"),
    ):
        with pytest.raises(TypeError, match=f"^{name}: copy must be True, False or None, got "):
            call()


@pytest.mark.parametrize("value", [None, 1, 1.5, object, len], ids=repr)
@pytest.mark.parametrize("function", [xp.concat, xp.stack])
def test_arrays_that_are_no_sequence_raise(function, value):
    name = function.__name__
    with pytest.raises(TypeError, match=f"^{name}: arrays must be a sequence of xpdl Arrays, got "):
        function(value)


@pytest.mark.parametrize("value", [1.5, "1", True, np.True_, np.ones(2), X, [1]], ids=repr)
def test_stream_that_is_no_int_raises(value):
    for call, name in (
        (lambda: X.__dlpack__(stream=value), "__dlpack__"),
        (lambda: xp.record_stream(X, value), "record_stream"),
        (lambda: X.to_device("cpu", stream=value), "to_device"),
    ):
        with pytest.raises(TypeError, match=f"^{name}: stream must be an int(, None| or None)"):
            call()
