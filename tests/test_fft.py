"""The Fourier transform extension, against the sums that define it."""

import numpy as np
import pytest
from samples import COMPLEX, FLOATING, REALS, WITH_AXES, check, check_close, laid_out, values

import xpdl as xp

COMPLEX_OF = {
    "float32": "complex64",
    "float64": "complex128",
    "complex64": "complex64",
    "complex128": "complex128",
}
REAL_OF = {
    "complex64": "float32",
    "complex128": "float64",
    "float32": "float32",
    "float64": "float64",
}
NORMS = ["backward", "ortho", "forward"]


def scale(norm, points, inverse):
    return {
        "backward": 1 / points if inverse else 1,
        "ortho": points**-0.5,
        "forward": 1 if inverse else 1 / points,
    }[norm]


def transform(x, n, axis, norm, inverse=False):
    """The discrete Fourier transform by its definition, in complex128."""
    x = np.moveaxis(np.asarray(x, np.complex128), axis, -1)
    padded = np.zeros((*x.shape[:-1], n), np.complex128)
    taken = min(n, x.shape[-1])
    padded[..., :taken] = x[..., :taken]
    turns = np.outer(np.arange(n), np.arange(n)) / n
    matrix = np.exp((2j if inverse else -2j) * np.pi * turns)
    return np.moveaxis(padded @ matrix * scale(norm, n, inverse), -1, axis)


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("n", "axis"), [(None, -1), (3, 0), (7, 1), (1, -1)])
@pytest.mark.parametrize("inverse", [False, True])
def test_fft_and_ifft_match_the_definition(dtype, norm, n, axis, inverse):
    source = values(dtype, (2, 4))
    function = xp.fft.ifft if inverse else xp.fft.fft
    expected = transform(source, n or source.shape[axis], axis, norm, inverse)
    actual = function(xp.asarray(source), n=n, axis=axis, norm=norm)
    assert actual.dtype == COMPLEX_OF[dtype]
    check_close(actual, expected.astype(COMPLEX_OF[dtype]))


@pytest.mark.parametrize("dtype", REALS[1:])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("n", [None, 1, 3, 6])
def test_rfft_and_ihfft_are_half_of_fft(dtype, norm, n):
    source = values(dtype, (2, 5))
    size = n or 5
    for function, inverse in ((xp.fft.rfft, False), (xp.fft.ihfft, True)):
        expected = transform(source, size, -1, norm, inverse)[..., : size // 2 + 1]
        actual = function(xp.asarray(source), n=n, norm=norm)
        check_close(actual, expected.astype(COMPLEX_OF[dtype]))


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("size", [4, 5])
def test_irfft_and_hfft_undo_rfft_and_ihfft(dtype, norm, size):
    source = values(REAL_OF[dtype], (2, size))
    half = xp.fft.rfft(xp.asarray(source), norm=norm)
    check_close(xp.fft.irfft(half, n=size, norm=norm), source, 1e-12)
    half = xp.fft.ihfft(xp.asarray(source), norm=norm)
    check_close(xp.fft.hfft(half, n=size, norm=norm), source, 1e-12)
    assert xp.fft.irfft(half).shape == xp.fft.hfft(half).shape == (2, 2 * (size // 2))


N_DIMENSIONAL = [
    (None, None),
    (None, (0,)),
    (None, [1, 2]),
    (None, (-1, 0)),
    ((3, 5), (0, 1)),
    ((2, -1), (1, 2)),
    ([4, 3, 2], None),
    ((4,), None),
]


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("s", "axes"), N_DIMENSIONAL)
@pytest.mark.parametrize("inverse", [False, True])
def test_fftn_and_ifftn_match_the_definition(dtype, norm, s, axes, inverse):
    source = values(dtype, (2, 3, 4))
    chosen = axes if axes is not None else range(-len(s), 0) if s is not None else range(3)
    sizes = s if s is not None else [-1] * len(chosen)
    expected = source.astype(np.complex128)
    for size, axis in zip(sizes, chosen, strict=True):
        expected = transform(
            expected, size if size != -1 else expected.shape[axis], axis, norm, inverse
        )
    function = xp.fft.ifftn if inverse else xp.fft.fftn
    actual = function(xp.asarray(source), s=s, axes=axes, norm=norm)
    check_close(actual, expected.astype(COMPLEX_OF[dtype]), 1e-11)


@pytest.mark.parametrize("dtype", REALS[1:])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("s", "axes"), N_DIMENSIONAL)
def test_rfftn_is_half_of_fftn(dtype, norm, s, axes):
    x = xp.asarray(values(dtype, (2, 3, 4)))
    whole = np.asarray(xp.fft.fftn(x, s=s, axes=axes, norm=norm))
    last = axes[-1] if axes is not None else -1
    half = np.moveaxis(np.moveaxis(whole, last, -1)[..., : whole.shape[last] // 2 + 1], -1, last)
    check_close(xp.fft.rfftn(x, s=s, axes=axes, norm=norm), half, 1e-11)


@pytest.mark.parametrize("dtype", REALS[1:])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("axes", [None, (0, 2), (2, 1), [-1]])
@pytest.mark.parametrize("last", [4, 5])
def test_irfftn_undoes_rfftn(dtype, norm, axes, last):
    shape = [2, 3, 4]
    shape[axes[-1] if axes else -1] = last
    source = values(dtype, tuple(shape))
    x = xp.asarray(source)
    chosen = axes or (0, 1, 2)
    half = xp.fft.rfftn(x, axes=axes, norm=norm)
    actual = xp.fft.irfftn(half, s=[source.shape[a] for a in chosen], axes=chosen, norm=norm)
    check_close(actual, source, 1e-11)


@pytest.mark.parametrize("s", [None, (-1, -1), (3, -1)])
def test_irfftn_size_minus_one_uses_all_elements(s):
    half = xp.asarray(values(xp.complex128, (3, 4)))
    check_close(
        xp.fft.irfftn(half, s=s, axes=(0, 1)),
        np.fft.irfftn(np.asarray(half), (3, 6), (0, 1)),
        1e-12,
    )


def test_fftn_without_axes_is_a_fresh_complex_array():
    for x, keywords in ((xp.asarray(2.0), {}), (xp.asarray([2 + 1j]), {"axes": ()})):
        for function in (xp.fft.fftn, xp.fft.ifftn):
            result = function(x, **keywords)
            check(result, np.asarray(x).astype(np.complex128))
            assert not np.shares_memory(np.asarray(result), np.asarray(x))


@pytest.mark.parametrize("layout", WITH_AXES)
def test_fft_layout_does_not_matter(layout):
    source = laid_out("float64", layout)
    check_close(
        xp.fft.fft(xp.asarray(source), axis=0), transform(source, len(source), 0, "backward")
    )
    check_close(xp.fft.fftn(xp.asarray(source)), np.fft.fftn(source.copy()))


@pytest.mark.parametrize("n", [1, 2, 5, 8])
@pytest.mark.parametrize("d", [1.0, 0.25, 3])
@pytest.mark.parametrize("dtype", [None, xp.float32, xp.float64])
def test_frequencies_match_the_definition(n, d, dtype):
    whole = np.array([*range((n - 1) // 2 + 1), *range(-(n // 2), 0)]) / (n * d)
    half = np.arange(n // 2 + 1) / (n * d)
    for function, expected in ((xp.fft.fftfreq, whole), (xp.fft.rfftfreq, half)):
        result = function(n, d=d, dtype=dtype)
        check_close(result, expected.astype(dtype or np.float64))
        assert function(n, device="cpu").device == "cpu"


@pytest.mark.parametrize("axes", [None, 0, -1, (0,), [1, 2], ()])
@pytest.mark.parametrize("dtype", [xp.int8, xp.float32, xp.complex128])
def test_shifts_match_numpy_and_undo_each_other(axes, dtype):
    source = values(dtype, (2, 3, 5))
    x = xp.asarray(source)
    axes_tuple = tuple(axes) if isinstance(axes, list) else axes
    check(xp.fft.fftshift(x, axes=axes), np.fft.fftshift(source, axes_tuple))
    check(xp.fft.ifftshift(xp.fft.fftshift(x, axes=axes), axes=axes), source)


X = xp.ones((2, 3))
Z = xp.ones((2, 3), dtype=xp.complex128)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: xp.fft.fft([1]),
            TypeError,
            "fft.fft: x must be an xpdl Array, got list; convert it with xpdl.asarray",
        ),
        (
            lambda: xp.fft.fft(X, norm="x"),
            ValueError,
            "fft.fft: norm must be 'backward', 'ortho' or 'forward', got 'x'",
        ),
        (
            lambda: xp.fft.fft(X, n=0),
            ValueError,
            "fft.fft: Invalid number of FFT data points (0) specified.",
        ),
        (
            lambda: xp.fft.fft(X, n=2, axis=2),
            IndexError,
            "fft.fft: axis 2 is out of bounds for array of dimension 2",
        ),
        (lambda: xp.fft.rfft(Z), TypeError, "fft.rfft: x must be real, got dtype complex128"),
        (lambda: xp.fft.ihfft(Z), TypeError, "fft.ihfft: x must be real, got dtype complex128"),
        (lambda: xp.fft.rfftn(Z), TypeError, "fft.rfftn: x must be real, got dtype complex128"),
        (
            lambda: xp.fft.rfftn(X, axes=()),
            ValueError,
            "fft.rfftn: axes must name at least one axis, got ()",
        ),
        (
            lambda: xp.fft.irfftn(xp.asarray(1j)),
            ValueError,
            "fft.irfftn: axes must name at least one axis, got None",
        ),
        (
            lambda: xp.fft.irfftn([1]),
            TypeError,
            "fft.irfftn: x must be an xpdl Array, got list; convert it with xpdl.asarray",
        ),
        (
            lambda: xp.fft.fftn(X, s=(2, 2), axes=(0,)),
            ValueError,
            "fft.fftn: s and axes must have one length, got (2, 2) and (0,)",
        ),
        (lambda: xp.fft.fftfreq(0), ValueError, "fft.fftfreq: n must be at least 1, got 0"),
        (lambda: xp.fft.rfftfreq(2, d=0), ValueError, "fft.rfftfreq: d must not be 0, got 0"),
        (lambda: xp.fft.fftfreq(2.5), TypeError, "fft.fftfreq: n must be an int, got 2.5"),
        (
            lambda: xp.fft.fftfreq(2, dtype=xp.int64),
            TypeError,
            "fft.fftfreq: dtype must be a real floating dtype, got int64",
        ),
        (
            lambda: xp.fft.rfftfreq(2, dtype=xp.complex64),
            TypeError,
            "fft.rfftfreq: dtype must be a real floating dtype, got complex64",
        ),
        (
            lambda: xp.fft.fftshift(X, axes=2),
            IndexError,
            "fft.fftshift: axis 2 is out of bounds for array of dimension 2",
        ),
    ],
)
def test_fft_wrong_argument_raises(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize("value", [1.0, b"0", "1", np.True_, xp.asarray(True)])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_transform_of_a_number_of_points_that_is_no_int_raises(name, value):
    with pytest.raises(TypeError, match=f"^fft.{name}: n must be an int, got "):
        getattr(xp.fft, name)(xp.ones(3), n=value)


@pytest.mark.parametrize("value", [1, 1.0, b"0", b"", "1", [1.0], (b"0",)])
@pytest.mark.parametrize("parameter", ["s", "axes"])
@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
def test_transform_over_what_is_no_tuple_of_ints_raises(name, parameter, value):
    text = f"^fft.{name}: {parameter} must be a tuple of ints or None, got "
    with pytest.raises(TypeError, match=text):
        getattr(xp.fft, name)(xp.ones(3), **{parameter: value})


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
@pytest.mark.parametrize(("shape", "axes"), [((), None), ((), ()), ((2, 3), ()), ((2, 3), [])])
def test_shift_without_an_axis_is_a_copy(name, shape, axes):
    x = xp.ones(shape)
    y = getattr(xp.fft, name)(x, axes=axes)
    check(y, np.ones(shape))
    y[...] = 0
    check(x, np.ones(shape))


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
def test_shift_along_bytes_raises(name):
    text = f"^fft.{name}: axes must be an int, a tuple of ints or None, got "
    with pytest.raises(TypeError, match=text):
        getattr(xp.fft, name)(xp.ones(3), axes=b"0")


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
@pytest.mark.parametrize("d", ["0.5", 1j, None])
def test_frequencies_with_a_spacing_that_is_not_real_raise(name, d):
    with pytest.raises(TypeError, match=f"^fft.{name}: d must be a "):
        getattr(xp.fft, name)(3, d=d)
