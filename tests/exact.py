"""Comparison to the last bit, and the layouts that every function must take."""

import numpy as np

import xpdl as xp

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REALS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
NUMBERS = [*INTEGERS, *REALS, *COMPLEX]
DTYPES = ["bool", *NUMBERS]

LAYOUTS = ["empty", "0-d", "1-d", "3-d", "strided", "reversed", "transposed", "read-only"]


def check(result, expected):
    """Assert that an Array has the dtype, shape and values expected, signs of zeros included."""
    expected = np.asarray(expected)
    assert type(result) is xp.Array
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
    values = np.asarray(result)
    np.testing.assert_array_equal(values, expected)
    if expected.dtype.kind in "fc":
        for got, want in ((values.real, expected.real), (values.imag, expected.imag)):
            np.testing.assert_array_equal(np.signbit(got[got == 0]), np.signbit(want[want == 0]))


def values(dtype, layout="1-d"):
    """A NumPy array of small numbers of either sign, where the dtype has one, without zeros."""
    numbers = np.arange(1, 25)
    kind = np.dtype(dtype).kind
    if kind == "b":
        numbers = numbers % 3 == 1
    elif kind == "i":
        numbers = numbers * np.where(numbers % 2, 1, -1)
    elif kind == "f":
        numbers = numbers * np.where(numbers % 2, 0.25, -0.5)
    elif kind == "c":
        numbers = numbers * np.where(numbers % 2, 0.25 - 1j, -0.5 + 0.125j)
    array = numbers.astype(dtype)
    if layout == "empty":
        return array[:0].reshape(0, 3)
    if layout == "0-d":
        return array[3].reshape(())
    if layout == "1-d":
        return array
    array = array.reshape(2, 3, 4)
    if layout == "strided":
        return array[:, ::2, 1::2]
    if layout == "reversed":
        return array[::-1, :, ::-1]
    if layout == "transposed":
        return array.transpose(2, 0, 1)
    if layout == "read-only":
        array.flags.writeable = False
    return array
