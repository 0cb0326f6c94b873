"""Arrays of every dtype and memory layout, and the comparisons that most tests make."""

import numpy as np

import xpdl as xp

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REALS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
NUMBERS = [*INTEGERS, *REALS, *COMPLEX]
DTYPES = ["bool", *NUMBERS]
FLOATING = [*REALS[1:], *COMPLEX]  # what linalg and fft compute in

WITH_AXES = ["1-d", "3-d", "strided", "reversed", "transposed", "broadcast", "read-only"]
EMPTY = ["empty", "empty inside"]
LAYOUTS = ["0-d", *WITH_AXES, *EMPTY]


def values(dtype="float64", shape=(24,)):
    """A NumPy array of small numbers of either sign, where the dtype has one, without zeros."""
    numbers = np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape)
    kind = np.dtype(dtype).kind
    if kind == "b":
        numbers = numbers % 3 == 1
    elif kind == "i":
        numbers = numbers * np.where(numbers % 2, 1, -1)
    elif kind == "f":
        numbers = numbers * np.where(numbers % 2, 0.25, -0.5)
    elif kind == "c":
        numbers = numbers * np.where(numbers % 2, 0.25 - 1j, -0.5 + 0.125j)
    return np.asarray(numbers, dtype)


def laid_out(dtype, layout):
    """`values` in one of LAYOUTS."""
    if layout in SHAPES:
        return values(dtype, SHAPES[layout])
    array = values(dtype, (2, 3, 4))
    return readonly(array) if layout == "read-only" else VIEWS[layout](array)


SHAPES = {"0-d": (), "1-d": (24,), "3-d": (2, 3, 4), "empty": (0, 3), "empty inside": (2, 0, 3)}
VIEWS = {
    "strided": lambda array: array[:, ::2, 1::2],
    "reversed": lambda array: array[::-1, :, ::-1],
    "transposed": lambda array: array.transpose(2, 0, 1),
    "broadcast": lambda array: np.broadcast_to(array[:, :1], array.shape),
}


def readonly(array):
    """A copy that cannot be written to."""
    array = np.array(array)
    array.flags.writeable = False
    return array


def check(result, expected):
    """Assert that an Array has the dtype, shape and values expected, signs of zeros included."""
    found, expected = arrays_of_one_kind(result, expected)
    np.testing.assert_array_equal(found, expected)
    if expected.dtype.kind in "fc":
        for got, want in ((found.real, expected.real), (found.imag, expected.imag)):
            np.testing.assert_array_equal(np.signbit(got[got == 0]), np.signbit(want[want == 0]))


def check_close(result, expected, rtol=1e-12):
    """Assert that an Array has the dtype and shape expected, and almost the values."""
    found, expected = arrays_of_one_kind(result, expected)
    if expected.dtype in ("float32", "complex64"):
        rtol = 2e-5
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol)


def arrays_of_one_kind(result, expected):
    """Both as NumPy arrays; assert that `result` is an Array of the dtype and shape expected."""
    expected = np.asarray(expected)
    assert type(result) is xp.Array
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
    return np.asarray(result), expected
