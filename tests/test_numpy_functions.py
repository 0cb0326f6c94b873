"""NumPy's own functions that are given an Array: those that call its methods give an Array."""

import numpy as np
import pytest

import xpdl as xp

A = np.asarray([[3.0, 1.0, 2.0], [2.0, 4.0, 8.0]])

ITS_METHODS = {
    "all": lambda x: np.all(x, axis=0),
    "amax": lambda x: np.amax(x),
    "amin": lambda x: np.amin(x, axis=-1),
    "any": lambda x: np.any(x),
    "argmax": lambda x: np.argmax(x),
    "argmax kept": lambda x: np.argmax(x, axis=0, keepdims=True),
    "argmin": lambda x: np.argmin(x, axis=1),
    "max": lambda x: np.max(x, axis=(0, 1)),
    "mean": lambda x: np.mean(x, axis=0),
    "mean in float32": lambda x: np.mean(x, dtype=np.float32),
    "min": lambda x: np.min(x),
    "prod": lambda x: np.prod(x, axis=1),
    "prod in float32": lambda x: np.prod(x, dtype=np.float32),
    "reshape": lambda x: np.reshape(x, (3, 2)),
    "reshape copied": lambda x: np.reshape(x, -1, copy=True),
    "std": lambda x: np.std(x),
    "std corrected": lambda x: np.std(x, axis=1, correction=1),
    "std in float32": lambda x: np.std(x, dtype=np.float32),
    "std of a sample": lambda x: np.std(x, axis=1, ddof=1, keepdims=True),
    "sum": lambda x: np.sum(x, axis=0),
    "sum kept": lambda x: np.sum(x, axis=1, keepdims=True),
    "transpose": lambda x: np.transpose(x),
    "transpose in an order": lambda x: np.transpose(x, (1, 0)),
    "var": lambda x: np.var(x, axis=0),
    "var of a sample": lambda x: np.var(x, ddof=1),
}
ITS_MEMORY = {
    "clip": lambda x: np.clip(x, 2, 3),
    "concatenate": lambda x: np.concatenate([x, x]),
    "cumsum": lambda x: np.cumsum(x),
    "linalg.norm": lambda x: np.linalg.norm(x),
    "median": lambda x: np.median(x, axis=0),
    "repeat": lambda x: np.repeat(x, 2),
    "sort": lambda x: np.sort(x),
    "squeeze": lambda x: np.squeeze(x),
    "take": lambda x: np.take(x, [0], axis=0),
    "where": lambda x: np.where(np.asarray(x) > 2, x, 0),
}


@pytest.mark.parametrize("name", ITS_METHODS)
def test_function_that_calls_a_method_gives_an_array(name):
    found, expected = ITS_METHODS[name](xp.asarray(A)), ITS_METHODS[name](A)
    assert type(found) is xp.Array
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-6)


@pytest.mark.parametrize("name", ITS_MEMORY)
def test_function_that_converts_gives_what_it_gives_of_numpy(name):
    found, expected = ITS_MEMORY[name](xp.asarray(A)), ITS_MEMORY[name](A)
    assert type(found) is type(expected)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.sin(x),
        lambda x: np.add(x, x),
        lambda x: np.matmul(x, A.T),
        lambda x: np.equal(A, x),
        lambda x: np.add.reduce(x),
        lambda x: np.ptp(x),
    ],
)
def test_ufunc_refuses(call):
    text = r"^operand 'xpdl._cext.Array' does not support ufuncs \(__array_ufunc__=None\)$"
    with pytest.raises(TypeError, match=text):
        call(xp.asarray(A))


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "std", "var", "max", "min", "all", "any"])
def test_function_with_an_output_refuses(name):
    text = f"^{name}: out must be None, got numpy.ndarray; assign the result, "
    with pytest.raises(TypeError, match=text):
        getattr(np, name)(xp.asarray(A), out=np.empty(()))


def test_reshape_in_another_order_refuses():
    with pytest.raises(ValueError, match=r"^reshape: order must be 'C', got 'F'; use xpdl.permute"):
        np.reshape(xp.asarray(A), (3, 2), order="F")


def test_reshape_without_a_copy_is_a_view():
    x = xp.asarray(A)
    np.reshape(x, -1, copy=False)[0] = 7
    assert float(x[0, 0]) == 7
