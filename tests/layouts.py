"""Inputs of every memory layout, and the comparison that most tests make."""

import numpy as np

import xpdl as xp

DTYPES = [*xp.__array_namespace_info__().dtypes().values()]
NUMERIC = [dtype for dtype in DTYPES if dtype != xp.bool]
REAL_FLOATING = [xp.float32, xp.float64]
COMPLEX_FLOATING = [xp.complex64, xp.complex128]
FLOATING = REAL_FLOATING + COMPLEX_FLOATING


def values(shape, dtype=np.float64):
    """Distinct values of a dtype, both parts of complex ones set."""
    dtype = np.dtype(dtype)
    plain = np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape)
    return (
        plain - 3j * plain if dtype.kind == "c" else plain % 2 if dtype.kind == "b" else plain
    ).astype(dtype)


def readonly(array):
    """A copy that cannot be written to."""
    array = array.copy()
    array.flags.writeable = False
    return array


LAYOUTS = {
    "empty": values((0,)),
    "empty-2d": values((3, 0)),
    "0d": values(()),
    "1d": values((5,)),
    "2d": values((2, 3)),
    "3d": values((2, 3, 4)),
    "strided": values((6, 4))[::2, 1:],
    "reversed": values((5,))[::-1],
    "transposed": values((2, 3, 4)).T,
    "broadcast": np.broadcast_to(values((3,)), (2, 3)),
    "readonly": readonly(values((2, 3))),
}


def assert_same(actual, expected):
    """``actual`` is an Array of the values, dtype and shape of ``expected``."""
    assert type(actual) is xp.Array
    expected = np.asarray(expected)
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(np.asarray(actual), expected)


def assert_close(actual, expected, rtol=1e-12):
    """``actual`` is an Array of the dtype and shape of ``expected``, and close to its values."""
    assert type(actual) is xp.Array
    expected = np.asarray(expected)
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    if expected.dtype in (np.float32, np.complex64):
        rtol = 2e-5
    np.testing.assert_allclose(np.asarray(actual), expected, rtol=rtol, atol=rtol)
