"""Array: attributes, conversions, protocols, the methods that NumPy and torch arrays share."""

import copy
import copyreg
import gc
import operator
import pickle
import sys
import weakref

import numpy as np
import pytest
from samples import (
    COMPLEX,
    DTYPES,
    EMPTY,
    INTEGERS,
    LAYOUTS,
    NUMBERS,
    REALS,
    WITH_AXES,
    check,
    laid_out,
    values,
)

import xpdl as xp

MANY = [dtype for dtype in DTYPES if dtype not in ("bool", "float16")]


def label(x):
    """A parameter in a test's name, without an address."""
    return repr(x).partition(" at 0x")[0]


def matrix():
    return xp.asarray(np.arange(6.0).reshape(2, 3))


def shares(x, y):
    return np.shares_memory(np.asarray(x), np.asarray(y))


# ------------------------------------------------------------------------------------ attributes


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_attributes_of_each_layout_are_those_of_numpy(dtype, layout):
    a = laid_out(dtype, layout)
    x = xp.asarray(a)
    for name in ("dtype", "ndim", "shape", "size", "itemsize", "nbytes", "strides"):
        assert getattr(x, name) == getattr(a, name)
        assert type(getattr(x, name)) is type(getattr(a, name))
    assert isinstance(x.dtype, np.dtype)
    assert x.readonly is not a.flags.writeable
    assert x.device is xp.Device("cpu")


@pytest.mark.parametrize(
    "name", ["dtype", "ndim", "shape", "size", "strides", "readonly", "T", "mT", "device", "new"]
)
def test_attribute_assigned_to_raises(name):
    with pytest.raises(AttributeError):
        setattr(matrix(), name, 1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_transpose_of_matrix_is_view(dtype):
    a = laid_out(dtype, "3-d")[0]
    x = xp.asarray(a)
    check(x.T, a.T)
    assert shares(x, x.T)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_matrix_transpose_of_stack_is_view(layout):
    a = np.atleast_2d(laid_out("int32", layout))
    x = xp.asarray(a)
    check(x.mT, a.swapaxes(-1, -2))
    assert x.readonly is x.mT.readonly
    assert x.size == 0 or shares(x, x.mT)


@pytest.mark.parametrize("shape", [(), (2,), (1, 2, 3)])
def test_transpose_of_other_than_matrix_raises(shape):
    with pytest.raises(ValueError, match=rf"T: x must be 2-d, got ndim {len(shape)}"):
        _ = xp.zeros(shape).T


@pytest.mark.parametrize("shape", [(), (2,)])
def test_matrix_transpose_below_two_axes_raises(shape):
    with pytest.raises(
        ValueError, match=rf"^mT: x must have two axes or more, got ndim {len(shape)}"
    ):
        _ = xp.zeros(shape).mT


# ------------------------------------------------------------------------------- Python's scalars


@pytest.mark.parametrize("shape", [(), (1,), (1, 1, 1)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_conversion_of_one_element_is_that_of_the_scalar(dtype, shape):
    a = laid_out(dtype, "0-d").reshape(shape)
    scalar = a.item()
    x = xp.asarray(a)
    assert bool(x) is bool(scalar)
    assert x.item() == scalar
    assert type(x.item()) is type(scalar)
    assert complex(x) == scalar
    if dtype not in COMPLEX:
        assert int(x) == int(scalar)
        assert float(x) == scalar


@pytest.mark.parametrize("number", [0, 1, -1, 0.0, -0.0, 0.5, 1e-300, float("nan"), 0j, 1j])
def test_bool_of_one_element_is_whether_it_is_nonzero(number):
    assert bool(xp.asarray(number)) is bool(number)


@pytest.mark.parametrize(
    ("convert", "error"),
    [
        (bool, ValueError),
        (int, TypeError),
        (float, TypeError),
        (complex, TypeError),
        (xp.Array.item, ValueError),
        (operator.index, TypeError),
    ],
)
@pytest.mark.parametrize("shape", [(0,), (2,), (1, 0), (2, 2)])
def test_conversion_of_none_or_many_elements_raises(convert, error, shape):
    with pytest.raises(error, match=r"x must "):
        convert(xp.ones(shape, dtype=xp.int64))


@pytest.mark.parametrize("convert", [int, float])
def test_conversion_of_complex_to_real_raises(convert):
    with pytest.raises(TypeError, match=rf"__{convert.__name__}__: x must be real"):
        convert(xp.asarray(1 + 0j))


@pytest.mark.parametrize(
    ("number", "error"), [(float("nan"), ValueError), (float("inf"), OverflowError)]
)
def test_int_of_what_is_no_number_raises(number, error):
    with pytest.raises(error, match=r"^__int__: cannot convert float "):
        int(xp.asarray(number))


@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 2**64 - 1])
def test_conversion_of_wide_integer_is_exact(number):
    x = xp.asarray(number)
    assert (int(x), x.item(), x.tolist(), operator.index(x)) == (number,) * 4


@pytest.mark.parametrize("dtype", INTEGERS)
def test_index_of_integer_counts(dtype):
    two = xp.asarray(2, dtype=dtype)
    assert operator.index(two) == 2
    assert "abc"[two] == "c"
    assert list(range(two)) == [0, 1]
    assert hex(two) == "0x2"


@pytest.mark.parametrize("x", [True, 1.0, 1j, [1]], ids=str)
def test_index_of_other_than_0d_integer_raises(x):
    with pytest.raises(TypeError, match=r"__index__: x must be a 0-d array of integers"):
        operator.index(xp.asarray(x))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_tolist_is_nested_scalars(dtype, layout):
    a = laid_out(dtype, layout)
    assert xp.asarray(a).tolist() == a.tolist()


def test_tolist_of_0d_is_scalar():
    assert type(xp.asarray(1.5).tolist()) is float


# ---------------------------------------------------------------------------------------- sequence


@pytest.mark.parametrize("shape", [(0,), (3,), (2, 0), (0, 2), (4, 5, 6)])
def test_len_is_length_of_first_axis(shape):
    assert len(xp.zeros(shape)) == shape[0]


@pytest.mark.parametrize("function", [len, iter, list, reversed])
def test_sequence_of_0d_raises(function):
    with pytest.raises(TypeError):
        function(xp.asarray(1))


@pytest.mark.parametrize("layout", [*WITH_AXES, *EMPTY])
@pytest.mark.parametrize("dtype", DTYPES)
def test_iteration_gives_rows_as_views_and_elements_as_values(dtype, layout):
    a = laid_out(dtype, layout)
    x = xp.asarray(a)
    rows = list(x)
    assert len(rows) == len(a)
    for row, expected in zip(rows, a, strict=True):
        check(row, expected)
        assert row.readonly is (x.readonly and row.ndim > 0)
        assert a.size == 0 or shares(row, x) is (row.ndim > 0)


def test_iterator_ends_after_the_last_row():
    rows = iter(matrix())
    assert iter(rows) is rows
    assert len(list(rows)) == 2
    with pytest.raises(StopIteration):
        next(rows)


def test_iterator_keeps_the_array():
    rows = iter(xp.asarray([1, 2]))
    gc.collect()
    assert [int(row) for row in rows] == [1, 2]


def test_unpacking_and_reversing_follow_first_axis():
    first, *rest = xp.asarray([1, 2, 3])
    assert (int(first), [int(x) for x in rest]) == (1, [2, 3])
    assert [int(x) for x in reversed(xp.asarray([1, 2, 3]))] == [3, 2, 1]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (2, True),
        (2.0, True),
        (9, False),
        (np.float32(2), True),
        (xp.asarray(3), True),
        (xp.asarray([3.0, 7.0, 8.0]), True),
        (float("nan"), False),
        (object(), False),
        ("2", False),
        (None, False),
        ([2], False),
    ],
    ids=label,
)
def test_contains_is_whether_any_element_equals(value, found):
    assert (value in matrix()) is found


# ------------------------------------------------------------------------------------------- text


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (np.array([1, 2]), "Array([1, 2], dtype=int64)"),
        (np.array(5, "int8"), "Array(5, dtype=int8)"),
        (np.array(1.5, "float32"), "Array(1.5, dtype=float32)"),
        (np.array([True, False]), "Array([ True, False], dtype=bool)"),
        (np.array([1j], "complex64"), "Array([0.+1.j], dtype=complex64)"),
        (np.array([0.5, np.nan, np.inf]), "Array([0.5, nan, inf], dtype=float64)"),
        (np.zeros(0), "Array([], dtype=float64)"),
        (np.zeros((0, 3), "int64"), "Array([], shape=(0, 3), dtype=int64)"),
        (np.ones((2, 1), "uint8"), "Array([[1],\n       [1]], dtype=uint8)"),
    ],
    ids=str,
)
def test_repr_shows_values_and_dtype(x, text):
    assert repr(xp.asarray(x)) == text


def test_repr_of_many_elements_is_short():
    text = repr(xp.asarray(np.arange(10**6)))
    assert text.startswith("Array([     0,      1,      2, ..., ")
    assert text.endswith("999999], dtype=int64)")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_str_is_that_of_numpy(dtype, layout):
    a = laid_out(dtype, layout)
    assert str(xp.asarray(a)) == str(a)


@pytest.mark.parametrize(
    ("x", "spec", "text"),
    [
        (1.5, "", "1.5"),
        (1.5, ".3f", "1.500"),
        (7, "04d", "0007"),
        (255, "x", "ff"),
        (True, "", "True"),
        (1j, ".1f", "0.0+1.0j"),
        ([1, 2], "", "[1 2]"),
    ],
)
def test_format_is_that_of_the_scalar(x, spec, text):
    assert format(xp.asarray(x), spec) == text


def test_format_with_a_specification_of_many_elements_raises():
    with pytest.raises(TypeError, match=r"__format__: x must be 0-d for the format '.2f'"):
        format(xp.asarray([1.0, 2.0]), ".2f")


# ------------------------------------------------------------------------------------------ NumPy


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_asarray_shares_memory(dtype, layout):
    a = np.asarray(laid_out(dtype, layout))
    b = np.asarray(xp.asarray(a))
    assert type(b) is np.ndarray
    assert (b.dtype, b.shape) == (a.dtype, a.shape)
    np.testing.assert_array_equal(b, a)
    assert b.flags.writeable is a.flags.writeable
    assert a.size == 0 or (np.shares_memory(a, b) and b.strides == a.strides)


def test_numpy_writes_are_seen():
    x = xp.asarray([1, 2])
    np.asarray(x)[0] = 9
    assert x.tolist() == [9, 2]


def test_numpy_asarray_keeps_the_memory():
    b = np.asarray(xp.asarray([1, 2]))
    gc.collect()
    assert b.tolist() == [1, 2]


def test_array_changed_through_its_numpy_view_keeps_its_shape():
    x = matrix()
    b = x.__array__()
    assert b is not x.__array__()
    b.flags.writeable = False
    assert not x.readonly
    assert x.shape == (2, 3)


@pytest.mark.parametrize("to", ["float32", "complex64", "int8", "bool"])
@pytest.mark.parametrize("by", [np.asarray, lambda x, dtype: x.__array__(dtype)])
def test_numpy_asarray_of_another_dtype_casts(by, to):
    x = xp.asarray([0, 1, 2])
    b = by(x, dtype=to)
    assert b.dtype == to
    assert b.tolist() == np.arange(3).astype(to).tolist()
    assert not np.shares_memory(b, x.__array__())


@pytest.mark.parametrize("copied", [True, False, None])
@pytest.mark.parametrize("by", [np.array, xp.Array.__array__])
def test_numpy_copy_is_made_as_asked(by, copied):
    x = matrix()
    b = by(x, copy=copied)
    assert np.shares_memory(b, x.__array__()) is (copied is not True)
    np.testing.assert_array_equal(b, np.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize("by", [np.asarray, lambda x, **keywords: x.__array__(**keywords)])
def test_numpy_copy_needed_and_forbidden_raises(by):
    with pytest.raises(ValueError, match=r"copy"):
        by(xp.asarray([1, 2]), dtype="float32", copy=False)


def test_numpy_copy_of_readonly_is_writable():
    x = xp.asarray(laid_out("int8", "read-only"))
    assert np.array(x).flags.writeable
    assert x.__array__(copy=True).flags.writeable


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_array_of_nested_arrays_has_their_dtype(dtype):
    a = values(dtype)
    x = xp.asarray(a)
    b = np.array([x, x])
    assert b.dtype == a.dtype
    np.testing.assert_array_equal(b, np.array([a, a]))
    c = np.array([x[0], x[1]])
    assert (c.dtype, c.shape) == (a.dtype, (2,))


def test_numpy_stack_takes_arrays():
    x = xp.asarray([1, 2])
    np.testing.assert_array_equal(np.concatenate([x, np.array([3])]), [1, 2, 3])


def test_memoryview_is_refused():
    # torch.asarray would take it for the bytes of a dtype of its own choice.
    with pytest.raises(TypeError, match="bytes-like object is required"):
        memoryview(xp.ones(3))


# ------------------------------------------------------------------------------------------ making


@pytest.mark.parametrize(
    "make",
    [
        xp.Array,
        lambda: xp.Array([1]),
        lambda: xp.Array.__new__(xp.Array),
        lambda: copyreg.__newobj__(xp.Array),
        lambda: pickle.loads(b"\x80\x04cxpdl._cext\nArray\n)\x81."),
        lambda: object.__new__(xp.Array),
    ],
)
def test_array_made_without_a_function_raises(make):
    with pytest.raises(TypeError):
        make()


# ------------------------------------------------------------------------------------------ copies


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", MANY)
@pytest.mark.parametrize("by", [copy.copy, copy.deepcopy, xp.Array.copy])
def test_copy_is_writable_and_apart(by, dtype, layout):
    a = laid_out(dtype, layout)
    x = xp.asarray(a)
    y = by(x)
    check(y, a)
    assert not y.readonly
    assert not shares(x, y)


def test_deepcopy_of_one_array_held_twice_is_one_array():
    x = matrix()
    first, second = copy.deepcopy([x, x])
    assert first is second


# ----------------------------------------------------------------------------------------- the type


def test_hash_is_refused():
    with pytest.raises(TypeError, match=r"unhashable type"):
        hash(xp.asarray(1))
    assert xp.Array.__hash__ is None


@pytest.mark.parametrize("kind", [xp.Array, xp.Device])
def test_subclass_is_refused(kind):
    with pytest.raises(TypeError, match=r"not an acceptable base type"):
        type("Sub", (kind,), {})


def test_type_belongs_to_xpdl():
    assert xp.Array.__module__.startswith("xpdl")
    assert xp.Array.__name__ == "Array"
    assert type(matrix()) is xp.Array
    assert xp.Array.__array_ufunc__ is None


def test_weak_reference_dies_with_the_array():
    x = matrix()
    reference = weakref.ref(x)
    assert reference() is x
    del x
    assert reference() is None


@pytest.mark.parametrize("dtype", ["int8", "complex128"])
def test_size_of_owner_counts_its_memory(dtype):
    x = xp.zeros(1000, dtype=dtype)
    assert x.nbytes + 300 > sys.getsizeof(x) >= x.nbytes
    assert sys.getsizeof(x[1:]) < 400


def test_array_is_freed_with_its_last_view():
    a = np.zeros(3)
    kept = weakref.ref(a)
    x = xp.asarray(a)
    y = x[1:].reshape(2, 1).mT
    del a, x
    gc.collect()
    assert kept() is not None
    del y
    gc.collect()
    assert kept() is None


# -------------------------------------------------------------------------------------- namespace


@pytest.mark.parametrize("version", [None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"])
def test_array_namespace_is_the_module(version):
    assert matrix().__array_namespace__(api_version=version) is xp
    assert matrix().__array_namespace__() is xp


@pytest.mark.parametrize("version", ["2020.12", "2026.12", "", 2025, 2025.12, ["2025.12"]])
def test_array_namespace_of_another_version_raises(version):
    with pytest.raises(
        ValueError, match=r"__array_namespace__: api_version must be None or one of"
    ):
        matrix().__array_namespace__(api_version=version)


def test_array_namespace_takes_its_version_by_keyword_only():
    with pytest.raises(TypeError):
        matrix().__array_namespace__("2025.12")


@pytest.mark.parametrize("device", ["cpu", xp.Device("cpu"), (1, 0), "cpu:0"])
@pytest.mark.parametrize("stream", [None, -1])
def test_to_device_where_it_is_gives_the_array(device, stream):
    x = matrix()
    assert x.to_device(device, stream=stream) is x


@pytest.mark.parametrize(
    ("device", "stream", "error"),
    [
        ("gpu", None, ValueError),
        (3, None, TypeError),
        ("cpu", 1, ValueError),
        ("cpu", 0, ValueError),
        ("cpu", "1", TypeError),
        ("cpu", True, TypeError),
        ("cpu", 1.0, TypeError),
    ],
)
def test_to_device_with_a_wrong_argument_raises(device, stream, error):
    with pytest.raises(error, match=r"^to_device: "):
        matrix().to_device(device, stream=stream)


class CudaStream:
    def __cuda_stream__(self):
        raise AssertionError("the host has no streams to order")


@pytest.mark.parametrize(
    ("call", "function"),
    [
        (lambda x: x.to_device("cpu", stream=CudaStream()), "to_device"),
        (lambda x: xp.record_stream(x, CudaStream()), "record_stream"),
    ],
)
def test_stream_object_for_an_array_on_the_host_is_refused_as_a_number_is(call, function):
    with pytest.raises(
        ValueError,
        match=rf"^{function}: stream must be None or -1 for an array on the host, got .*CudaStream",
    ):
        call(matrix())


@pytest.mark.parametrize("stream", [None, -1, np.int64(-1)])
def test_record_stream_on_the_host_takes_what_names_no_stream(stream):
    assert xp.record_stream(matrix(), stream) is None


# --------------------------------------------------------------------- methods of NumPy and torch


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", [None, 0, -1])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize(
    "name", ["sum", "prod", "mean", "std", "var", "min", "max", "argmin", "argmax", "any", "all"]
)
def test_reduction_method_is_the_function(name, layout, axis, keepdims):
    x = xp.asarray(np.atleast_1d(laid_out("float32", layout)))
    if x.size == 0:
        x = xp.ones((0, 3), dtype=xp.float32) if axis == -1 else xp.ones((3, 1))
    if name in ("min", "max", "argmin", "argmax", "std", "var", "mean") and 0 in x.shape:
        x = xp.ones((3, 1))
    expected = getattr(xp, name)(x, axis=axis, keepdims=keepdims)
    for result in (
        getattr(x, name)(axis, keepdims=keepdims),
        getattr(x, name)(axis=axis, keepdims=keepdims),
    ):
        check(result, np.asarray(expected))


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("name", ["sum", "prod", "any", "all", "mean"])
def test_reduction_method_of_each_dtype_is_the_function(name, dtype):
    x = xp.asarray(values(dtype)[:6])
    check(getattr(x, name)(), np.asarray(getattr(xp, name)(x)))


@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "any", "all", "mean", "std", "var"])
@pytest.mark.parametrize("axis", [(0, 1), [0, 1], (0, -1)])
def test_reduction_method_over_several_axes_is_the_function(name, axis):
    x = xp.asarray(laid_out("float64", "3-d"))
    check(getattr(x, name)(axis), np.asarray(getattr(xp, name)(x, axis=tuple(axis))))


@pytest.mark.parametrize("name", ["sum", "prod"])
@pytest.mark.parametrize("dtype", ["float32", "complex128", int, xp.int8])
def test_reduction_method_in_another_dtype_is_the_function(name, dtype):
    x = xp.asarray([1, 2, 3], dtype=xp.int16)
    check(
        getattr(x, name)(dtype=dtype),
        np.asarray(getattr(xp, name)(x, dtype=np.dtype(dtype))),
    )


@pytest.mark.parametrize("name", ["std", "var"])
@pytest.mark.parametrize("correction", [0, 1, 0.5])
def test_spread_method_takes_a_correction(name, correction):
    x = xp.asarray([1.0, 2.0, 4.0])
    check(
        getattr(x, name)(correction=correction),
        np.asarray(getattr(xp, name)(x, correction=correction)),
    )


@pytest.mark.parametrize("name", ["std", "var"])
@pytest.mark.parametrize(
    "options", [{"ddof": 1}, {"ddof": 0.5, "axis": 0}, {"dtype": "float64"}, {"keepdims": True}]
)
def test_spread_takes_the_options_of_numpy(name, options):
    a = np.array([[1.0, 2.0], [4.0, 9.0]], "float32")
    x = xp.asarray(a)
    check(getattr(x, name)(**options), np.asarray(getattr(a, name)(**options)))
    check(getattr(np, name)(x, **options), np.asarray(getattr(np, name)(a, **options)))


@pytest.mark.parametrize(
    "name", ["sum", "prod", "mean", "std", "var", "min", "max", "argmin", "argmax", "any", "all"]
)
def test_reduction_method_over_a_wrong_axis_raises(name):
    with pytest.raises(IndexError, match=rf"^{name}: axis 5 is out of bounds"):
        getattr(matrix(), name)(axis=5)


@pytest.mark.parametrize("name", ["min", "max", "argmin", "argmax"])
def test_extremum_method_of_nothing_raises(name):
    with pytest.raises(ValueError, match=rf"^{name}: "):
        getattr(xp.zeros(0), name)()


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((6,), (6,)),
        (((6,),), (6,)),
        (([3, 2],), (3, 2)),
        ((3, 2), (3, 2)),
        ((-1,), (6,)),
        ((1, -1, 2), (1, 3, 2)),
        ((np.int64(3), xp.asarray(2)), (3, 2)),
    ],
)
def test_reshape_method_takes_lengths_or_one_shape(shape, expected):
    x = matrix()
    y = x.reshape(*shape)
    check(y, np.arange(6.0).reshape(expected))
    assert shares(x, y)


def test_reshape_method_of_one_element_to_0d():
    check(xp.asarray([7]).reshape(()), np.array(7))
    check(xp.asarray([[7]]).reshape(), np.array(7))


@pytest.mark.parametrize("axes", [(), (2, 1, 0), ((2, 1, 0),), ([0, -1, 1],)])
def test_transpose_method_takes_axes_or_one_order(axes):
    a = laid_out("int16", "3-d")
    x = xp.asarray(a)
    y = x.transpose(*axes)
    check(y, a.transpose(*axes))
    assert shares(x, y)


@pytest.mark.parametrize(
    ("axes", "error"),
    [
        ((0, 0, 1), ValueError),
        ((0,), ValueError),
        ((0, 1, 2, 2), ValueError),
        ((5, 0, 1), ValueError),
        ((0, 1, -4), ValueError),
        (("a",), TypeError),
        ((None, 0, 1), TypeError),
        ((0, 1, 2.0), TypeError),
    ],
)
def test_transpose_method_with_wrong_axes_raises(axes, error):
    with pytest.raises(error, match=r"^transpose: axes must "):
        xp.zeros((2, 3, 4)).transpose(*axes)
    with pytest.raises(error, match=r"^transpose: axes must "):
        xp.zeros((2, 3, 4)).transpose(list(axes))


def test_transpose_method_of_0d_takes_no_axes():
    check(xp.asarray(5).transpose(), np.array(5))
    check(xp.asarray(5).transpose(()), np.array(5))
    with pytest.raises(ValueError, match=r"^transpose: axes must "):
        xp.asarray(5).transpose(0)


def test_view_methods_keep_readonly():
    x = xp.asarray(laid_out("int16", "read-only"))
    assert x.transpose().readonly
    assert x.reshape(-1).readonly
    assert not x.astype("int32").readonly
    assert not x.astype("int16").readonly


@pytest.mark.parametrize("to", DTYPES)
@pytest.mark.parametrize("dtype", ["bool", "int16", "float64"])
def test_astype_method_casts(dtype, to):
    a = values(dtype)[::2] if dtype == "float64" else values(dtype)
    a = abs(a) if to.startswith("u") and dtype != "bool" else a
    check(xp.asarray(a).astype(to), a.astype(to))


def test_astype_method_of_the_same_dtype_copies_unless_told():
    x = matrix()
    assert not shares(x, x.astype(float))
    assert x.astype(float, copy=False) is x
    assert x.astype("float32", copy=False).dtype == xp.float32


@pytest.mark.parametrize("dtype", ["float64", "int8"])
def test_astype_method_of_complex_to_real_raises(dtype):
    with pytest.raises(TypeError, match=r"astype: dtype must be complex for complex values"):
        xp.asarray([1j]).astype(dtype)


@pytest.mark.parametrize("dtype", [None, object, "no", np.longdouble])
def test_astype_method_to_what_is_no_dtype_raises(dtype):
    with pytest.raises(TypeError, match=r"^astype: dtype must be "):
        matrix().astype(dtype)


@pytest.mark.parametrize("dtype", REALS + COMPLEX)
def test_ordering_methods_of_floats_carry_nan(dtype):
    x = xp.asarray(np.array([1, np.nan, 3], dtype))
    assert np.isnan(np.asarray(x.sum()))
    assert int(x.argmax()) == 1
