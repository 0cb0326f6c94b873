"""xpdl._sorting: order, stability in both directions, and where NaN and the zeros go."""

import inspect
import math

import numpy as np
import pytest
from samples import COMPLEX, DTYPES, EMPTY, REALS, WITH_AXES, check, laid_out

import xpdl as xp

nan = math.nan


def lines_sorted(x, axis, descending):
    """Stable indices and values by Python's sort, line by line, NaN last."""
    moved = np.moveaxis(x, axis, -1)
    order = np.empty(moved.shape, np.int64)
    for line in np.ndindex(moved.shape[:-1]):
        numbers = moved[line].tolist()
        real = [i for i, number in enumerate(numbers) if number == number]
        key = [(v.real, v.imag) if isinstance(v, complex) else v for v in numbers]
        ordered = sorted(real, key=lambda i, key=key: key[i], reverse=descending)
        order[line] = ordered + [i for i in range(len(numbers)) if i not in real]
    sorted_values = np.take_along_axis(moved, order, -1)
    return np.moveaxis(order, -1, axis), np.moveaxis(sorted_values, -1, axis)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("descending", [False, True])
def test_sort_of_ties_is_stable_in_each_dtype(dtype, descending):
    x = (np.arange(40) * 7 % 5).reshape(5, 8).astype(dtype)
    order, expected = lines_sorted(x, -1, descending)
    check(xp.sort(xp.asarray(x), descending=descending), expected)
    check(xp.argsort(xp.asarray(x), descending=descending), order)


@pytest.mark.parametrize("layout", [*WITH_AXES, *EMPTY])
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("stable", [False, True])
@pytest.mark.parametrize("dtype", ["int8", "uint64", "float32", "complex64"])
def test_sort_along_each_axis_orders_lines(layout, descending, stable, dtype):
    x = laid_out(dtype, layout)
    for axis in range(-x.ndim, x.ndim):
        order, expected = lines_sorted(x, axis, descending)
        options = {"axis": axis, "descending": descending, "stable": stable}
        check(xp.sort(xp.asarray(x), **options), expected)
        check(xp.argsort(xp.asarray(x), **options), order)


@pytest.mark.parametrize("dtype", [*REALS, *COMPLEX])
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
def test_sort_puts_nan_at_the_end(dtype, descending, axis):
    x = np.array([[1, nan, 3], [nan, 2, nan], [3, 1, 1], [0, nan, 3]]).astype(dtype)
    order, expected = lines_sorted(x, axis, descending)
    check(xp.sort(xp.asarray(x), axis=axis, descending=descending), expected)
    check(xp.argsort(xp.asarray(x), axis=axis, descending=descending), order)
    result = xp.sort(xp.asarray(x), axis=axis, descending=descending, stable=False)
    check(result, expected)


@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("shape", [(3000,), (50, 60)])
def test_sort_of_large_array_keeps_order_of_signed_zeros(dtype, descending, shape):
    x = np.random.default_rng(0).choice(np.array([-1.0, -0.0, 0.0, 1.0]), shape).astype(dtype)
    x.reshape(-1)[::97] = nan
    for axis in range(len(shape)):
        order, expected = lines_sorted(x, axis, descending)
        check(xp.sort(xp.asarray(x), axis=axis, descending=descending), expected)
        check(xp.argsort(xp.asarray(x), axis=axis, descending=descending), order)


@pytest.mark.parametrize("dtype", ["int64", "uint64", "int32", "float64"])
def test_sort_of_extreme_values_descends(dtype):
    info = np.finfo(dtype) if dtype == "float64" else np.iinfo(dtype)
    x = np.array([info.min, 0, info.max, info.min, 1], dtype)
    check(xp.sort(xp.asarray(x), descending=True), np.array(sorted(x.tolist())[::-1], dtype))


@pytest.mark.parametrize("descending", [False, True])
def test_sort_gives_a_contiguous_copy(descending):
    x = xp.asarray([[3, 1, 2], [1, 5, 0]])
    result = xp.sort(x, descending=descending)
    assert result.strides == (24, 8)
    assert xp.argsort(x, descending=descending).strides == (24, 8)
    check(x, [[3, 1, 2], [1, 5, 0]])


@pytest.mark.parametrize("name", ["sort", "argsort"])
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(("shape", "axis"), [((), -1), ((2,), 1), ((2, 2), -3)])
def test_sort_along_missing_axis_raises(name, descending, shape, axis):
    with pytest.raises(IndexError) as error:
        getattr(xp, name)(xp.zeros(shape), axis=axis, descending=descending)
    assert str(error.value) == (
        f"{name}: axis {axis} is out of bounds for array of dimension {len(shape)}"
    )


@pytest.mark.parametrize("name", ["sort", "argsort"])
def test_sort_of_list_raises(name):
    with pytest.raises(TypeError) as error:
        getattr(xp, name)([1.0])
    assert str(error.value) == (
        f"{name}: x must be an xpdl Array, got list; convert it with xpdl.asarray"
    )


@pytest.mark.parametrize("name", ["sort", "argsort"])
def test_signature_is_that_of_standard(name):
    signature = inspect.signature(getattr(xp, name))
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    assert str(inspect.Signature(bare)) == "(x, /, *, axis=-1, descending=False, stable=True)"
    assert "Array" in str(signature.return_annotation)
