"""Functions in which the real CuPy departs from NumPy: known faults and narrower rules.

Each function gets arrays of the host, as NumPy's would, and does what CuPy's kernel does.
"""

import inspect

import numpy as np


def remainder(x1, x2):
    """As x1 - floor(x1 / x2) * x2: NaN for an infinite x2, and zeros lose their sign."""
    if np.result_type(x1, x2).kind in "biu":
        return np.remainder(x1, x2)
    return np.subtract(x1, np.multiply(np.floor(np.divide(x1, x2)), x2))


def floor_divide(x1, x2):
    if np.result_type(x1, x2).kind in "biu":
        return np.floor_divide(x1, x2)
    return np.floor(np.divide(x1, x2))


def power(x1, x2):
    """Integers to negative integer powers are whole numbers, mostly 0; NumPy refuses them."""
    dtype = np.result_type(x1, x2)
    if dtype.kind not in "iu" or not np.any(np.less(x2, 0)):
        return np.power(x1, x2)
    whole = np.power(x1, np.maximum(x2, 0))
    inverse = np.where(np.abs(x1) == 1, np.power(x1, np.abs(x2)), 0)
    return np.where(np.less(x2, 0), inverse, whole).astype(dtype)


def clip(a, a_min, a_max):
    """A bound that is NaN bounds nothing."""
    for bound, beyond in ((a_min, np.less), (a_max, np.greater)):
        if bound is not None:
            a = np.where(beyond(a, bound), bound, a)
    return a


def take(a, indices, axis=None):
    """Out of range wraps around."""
    return np.take(a, indices, axis, mode="wrap")


def take_along_axis(a, indices, axis=None):
    if axis is None:
        a, axis = a.ravel(), 0
    return np.take_along_axis(a, indices % max(a.shape[axis], 1), axis)


def as_in_c(x1, x2):
    """Both in the type that C compares them in: uint64 beside int64, where NumPy takes float64."""
    if {x1.dtype.kind, x2.dtype.kind} == {"i", "u"}:
        unsigned = x1.dtype if x1.dtype.kind == "u" else x2.dtype
        signed = x2.dtype if x1.dtype.kind == "u" else x1.dtype
        if unsigned.itemsize >= signed.itemsize:
            return x1.astype(unsigned), x2.astype(unsigned)
    return x1, x2


def searchsorted(a, v, side="left", sorter=None):
    a, v = as_in_c(np.asarray(a), np.asarray(v))
    return np.searchsorted(a, v, side, sorter)


def isin(element, test_elements, assume_unique=False, invert=False):
    element, test_elements = as_in_c(element, test_elements)
    return np.isin(element, test_elements, assume_unique=assume_unique, invert=invert)


def sort(a, axis=-1, kind=None):
    check_kind(kind)
    return np.sort(a, axis, "stable")


def argsort(a, axis=-1, kind=None):
    check_kind(kind)
    return np.argsort(a, axis, "stable")


def check_kind(kind):
    if kind not in (None, "stable"):
        raise ValueError("kind can only be None or 'stable'")


def repeat(a, repeats, axis=None):
    if isinstance(repeats, np.ndarray) and not np.can_cast(repeats.dtype, np.int64):
        raise TypeError(f"Cannot cast array data from {repeats.dtype} to int64")
    return np.repeat(a, repeats, axis)


def nonzero(a):
    if a.ndim == 0:
        raise ValueError("nonzero of a 0-d array")
    return np.nonzero(a)


def unique_values(x):
    """Sorted, as NumPy's are not always."""
    return np.unique(x, equal_nan=False)


# -------------------------------------------------------------------------------------- linalg, fft


def solve(a, b):
    """No broadcasting of stacks: the shapes of the two must agree in all but the last axis."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2] or a.shape[:-1] != b.shape[: a.ndim - 1]:
        raise ValueError("incompatible dimensions")
    return np.linalg.solve(a, b[..., None])[..., 0] if b.ndim == a.ndim - 1 else np.linalg.solve(
        a, b)


def eig(a):
    """Complex whatever the values, but for empty arrays."""
    values, vectors = np.linalg.eig(a)
    dtype = a.dtype if a.size == 0 and a.dtype.kind in "fc" else complex_of(values.dtype)
    return values.astype(dtype), vectors.astype(dtype)


def eigvals(a):
    values = np.linalg.eigvals(a)
    return values.astype(
        a.dtype if a.size == 0 and a.dtype.kind in "fc" else complex_of(values.dtype))


def complex_of(dtype):
    return np.result_type(dtype, np.complex64)


def plain(name):
    """A function of numpy.linalg that gives a plain tuple."""
    def call(*args, **keywords):
        found = getattr(np.linalg, name)(*args, **keywords)
        return tuple(found) if isinstance(found, tuple) else found

    return call


def transform(name):
    """A transform over several axes: s equal to the array's shape is taken as no s at all."""
    function = getattr(np.fft, name)

    def call(a, s=None, axes=None, norm=None):
        if s is not None and type(s) is tuple and s == a.shape and axes is not None:
            return whole(a, axes, norm)
        return function(a, s, axes, norm)

    def whole(a, axes, norm):
        if name.startswith("irfft"):
            return function(a, [a.shape[i] for i in axes], axes, norm)
        return function(a, None, axes, norm)

    return call


FUNCTIONS = {
    "": {
        name: function for name, function in globals().items()
        if inspect.isfunction(function) and name in (
            "remainder", "floor_divide", "clip", "take", "take_along_axis", "searchsorted", "isin",
            "sort", "argsort", "repeat", "nonzero", "unique_values")
    } | {"mod": remainder, "power": power, "pow": power},
    "linalg": {"solve": solve, "eig": eig, "eigvals": eigvals}
    | {name: plain(name) for name in ("svd", "eigh", "qr", "slogdet")},
    "fft": {name: transform(name) for name in ("fftn", "ifftn", "rfftn", "irfftn")},
}  # fmt: skip
