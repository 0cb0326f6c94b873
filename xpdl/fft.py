"""The Fourier transform extension: transforms, their sample frequencies and shifts.

Transforms keep the precision of their input: float32 gives complex64, and complex64 float32.
Integers count as the default floating dtype. ``norm`` scales by 1/n: ``"backward"`` the inverse
transforms, ``"forward"`` the others, ``"ortho"`` both by its root; n is the number of points.

Source: array API 2025.12, Fourier transform extension.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from numpy.typing import DTypeLike

from xpdl._arguments import check_word, inexact_from, real_from
from xpdl._cext import (
    DTYPES,
    Array,
    Device,
    apply,
    axes_from,
    axis_from,
    check_array,
    check_axes,
    check_dtype,
    create,
    int_from,
    tuple_from,
)

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


def __dir__() -> list[str]:
    """The public names, which an editor completes."""
    return __all__

Norm = Literal["backward", "ortho", "forward"]


def fft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """Discrete Fourier transform along ``axis``, complex.

    ``n`` elements along ``axis``, cut or padded with zeros, are transformed; all for None.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``n`` is below 1 or ``norm`` unknown.
    IndexError
        If ``axis`` is out of bounds.

    Source: array API 2025.12, Fourier transform extension, ``fft``.
    """
    points, along = points_from("fft.fft", n), axis_from("fft.fft", x, axis)
    return apply("fft.fft", x, (points, along, norm_from("fft.fft", norm)))


def ifft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """Inverse discrete Fourier transform along ``axis``, complex.

    ``n`` elements along ``axis``, cut or padded with zeros, are transformed; all for None.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``n`` is below 1 or ``norm`` unknown.
    IndexError
        If ``axis`` is out of bounds.

    Source: array API 2025.12, Fourier transform extension, ``ifft``.
    """
    points, along = points_from("fft.ifft", n), axis_from("fft.ifft", x, axis)
    return apply("fft.ifft", x, (points, along, norm_from("fft.ifft", norm)))


def fftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Array:
    """Discrete Fourier transform along ``axes``, complex.

    ``s`` elements along ``axes``, cut or padded with zeros, are transformed; all for None or -1.
    ``axes`` for None are the last ones of ``s``, or all.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If a size is 0, ``s`` and ``axes`` differ in length, or ``norm`` is unknown.
    IndexError
        If an axis is out of bounds.

    Source: array API 2025.12, Fourier transform extension, ``fftn``.
    """
    sizes, chosen = sizes_and_axes("fft.fftn", x, s, axes)
    return apply("fft.fftn", x, (sizes, chosen, norm_from("fft.fftn", norm)))


def ifftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Array:
    """Inverse discrete Fourier transform along ``axes``, complex.

    ``s`` elements along ``axes``, cut or padded with zeros, are transformed; all for None or -1.
    ``axes`` for None are the last ones of ``s``, or all.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If a size is 0, ``s`` and ``axes`` differ in length, or ``norm`` is unknown.
    IndexError
        If an axis is out of bounds.

    Source: array API 2025.12, Fourier transform extension, ``ifftn``.
    """
    sizes, chosen = sizes_and_axes("fft.ifftn", x, s, axes)
    return apply("fft.ifftn", x, (sizes, chosen, norm_from("fft.ifftn", norm)))


def rfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """Discrete Fourier transform of real ``x`` along ``axis``: the n//2 + 1 frequencies from 0 on.

    ``n`` elements along ``axis``, cut or padded with zeros, are transformed; all for None.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is complex, or an option is of the wrong type.
    ValueError
        If ``n`` is below 1 or ``norm`` unknown.
    IndexError
        If ``axis`` is out of bounds.

    Source: array API 2025.12, Fourier transform extension, ``rfft``.
    """
    check_real("fft.rfft", x)
    points, along = points_from("fft.rfft", n), axis_from("fft.rfft", x, axis)
    return apply("fft.rfft", x, (points, along, norm_from("fft.rfft", norm)))


def irfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """Inverse of ``rfft``: ``n`` real elements along ``axis``.

    ``n`` for None is 2*(M - 1) for M elements. The n//2 + 1 elements that it reads are cut or
    padded with zeros; an odd ``n`` must be given.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``n`` is below 1 or ``norm`` unknown.
    IndexError
        If ``axis`` is out of bounds.

    Source: array API 2025.12, Fourier transform extension, ``irfft``.
    """
    points, along = points_from("fft.irfft", n), axis_from("fft.irfft", x, axis)
    return apply("fft.irfft", x, (points, along, norm_from("fft.irfft", norm)))


def rfftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Array:
    """Discrete Fourier transform of real ``x`` along ``axes``, ``rfft`` along the last of them.

    ``s`` elements along ``axes``, cut or padded with zeros, are transformed; all for None or -1.
    ``axes`` for None are the last ones of ``s``, or all.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is complex, or an option is of the wrong type.
    ValueError
        If a size is 0, ``s`` and ``axes`` differ in length, there is no axis,
        or ``norm`` is unknown.
    IndexError
        If an axis is out of bounds.

    Source: array API 2025.12, Fourier transform extension, ``rfftn``.
    """
    check_real("fft.rfftn", x)
    sizes, chosen = sizes_and_axes("fft.rfftn", x, s, axes)
    check_any_axis("fft.rfftn", x, chosen)
    return apply("fft.rfftn", x, (sizes, chosen, norm_from("fft.rfftn", norm)))


def irfftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Array:
    """Inverse of ``rfftn``: real, with sizes ``s`` along ``axes``.

    ``s`` for None or -1 is the size of ``x``, but 2*(M - 1) for M elements along the last axis; an
    odd size there must be given. ``axes`` for None are the last ones of ``s``, or all.
    NumPy differs: -1 along the last axis means M.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If a size is 0, ``s`` and ``axes`` differ in length, there is no axis,
        or ``norm`` is unknown.
    IndexError
        If an axis is out of bounds.

    Source: array API 2025.12, Fourier transform extension, ``irfftn``.
    """
    check_array("fft.irfftn", "x", x)
    sizes, chosen = sizes_and_axes("fft.irfftn", x, s, axes)
    check_any_axis("fft.irfftn", x, chosen)
    if sizes is not None and chosen and sizes[-1] == -1:
        sizes = (*sizes[:-1], 2 * (x.shape[chosen[-1]] - 1))
    return apply("fft.irfftn", x, (sizes, chosen, norm_from("fft.irfftn", norm)))


def hfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """Discrete Fourier transform of a Hermitian signal along ``axis``: ``n`` real elements.

    ``x`` holds the n//2 + 1 elements from time 0 on, cut or padded with zeros. ``n`` for None is
    2*(M - 1) for M elements; an odd ``n`` must be given.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    ValueError
        If ``n`` is below 1 or ``norm`` unknown.
    IndexError
        If ``axis`` is out of bounds.

    Source: array API 2025.12, Fourier transform extension, ``hfft``.
    """
    points, along = points_from("fft.hfft", n), axis_from("fft.hfft", x, axis)
    return apply("fft.hfft", x, (points, along, norm_from("fft.hfft", norm)))


def ihfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """Inverse of ``hfft``: the n//2 + 1 elements of a Hermitian signal from time 0 on.

    ``n`` elements along ``axis``, cut or padded with zeros, are transformed; all for None.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or is complex, or an option is of the wrong type.
    ValueError
        If ``n`` is below 1 or ``norm`` unknown.
    IndexError
        If ``axis`` is out of bounds.

    Source: array API 2025.12, Fourier transform extension, ``ihfft``.
    """
    check_real("fft.ihfft", x)
    points, along = points_from("fft.ihfft", n), axis_from("fft.ihfft", x, axis)
    return apply("fft.ihfft", x, (points, along, norm_from("fft.ihfft", norm)))


def fftfreq(
    n: int,
    /,
    *,
    d: float = 1.0,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """Frequencies of the ``n`` results of ``fft``, in cycles per unit of the sample spacing ``d``.

    They are the integers 0, 1, ..., (n - 1)//2, -(n//2), ..., -1 divided by n*d.
    NumPy differs: it has no ``dtype``.

    Raises
    ------
    TypeError
        If ``n`` is not an int or ``dtype`` not a real floating one.
    ValueError
        If ``n`` is below 1 or ``d`` is 0.

    Source: array API 2025.12, Fourier transform extension, ``fftfreq``.
    """
    return frequencies("fft.fftfreq", n, d, dtype, device)


def rfftfreq(
    n: int,
    /,
    *,
    d: float = 1.0,
    dtype: DTypeLike | None = None,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """Frequencies of the n//2 + 1 results of ``rfft``, in cycles per unit of the spacing ``d``.

    They are the integers 0, 1, ..., n//2 divided by n*d. NumPy differs: it has no ``dtype``.

    Raises
    ------
    TypeError
        If ``n`` is not an int or ``dtype`` not a real floating one.
    ValueError
        If ``n`` is below 1 or ``d`` is 0.

    Source: array API 2025.12, Fourier transform extension, ``rfftfreq``.
    """
    return frequencies("fft.rfftfreq", n, d, dtype, device)


def fftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """``x`` with the zero frequency moved to the middle of ``axes``, all axes for None. Copy.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    IndexError
        If an axis is out of bounds.

    Source: array API 2025.12, Fourier transform extension, ``fftshift``.
    """
    return shifted("fft.fftshift", x, axes)


def ifftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Inverse of ``fftshift``; the two differ by one element for an odd size. Copy.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    IndexError
        If an axis is out of bounds.

    Source: array API 2025.12, Fourier transform extension, ``ifftshift``.
    """
    return shifted("fft.ifftshift", x, axes)


def norm_from(function: str, norm: Norm) -> Norm:
    """``norm`` itself if it is one of the three."""
    check_word(function, "norm", norm, ("backward", "ortho", "forward"))
    return norm


def shifted(function: str, x: Array, axes: int | Sequence[int] | None) -> Array:
    """The result of ``fftshift`` and ``ifftshift``; without an axis a copy, which NumPy refuses."""
    chosen = axes_from(function, x, "axes", axes)
    if chosen == () or (chosen is None and check_array(function, "x", x).ndim == 0):
        return apply("copy", x, ())
    return apply(function, x, (chosen,))


def check_real(function: str, x: Array) -> None:
    """TypeError if ``x`` is complex."""
    if check_array(function, "x", x).dtype.kind == "c":
        raise TypeError(f"{function}: x must be real, got dtype {x.dtype}")


def check_any_axis(function: str, x: Array, axes: tuple[int, ...] | None) -> None:
    """ValueError if there is no axis to transform along."""
    if (x.ndim if axes is None else len(axes)) == 0:
        raise ValueError(f"{function}: axes must name at least one axis, got {axes!r}")


def points_from(function: str, n: int | None) -> Any:
    """The number of points ``n``, None as it is."""
    return None if n is None else int_from(function, "n", n)


def sizes_and_axes(
    function: str, x: Array, s: Sequence[int] | None, axes: Sequence[int] | None
) -> Any:
    """``s`` and ``axes`` as tuples; the last axes, one for each size, if only ``s`` is given."""
    sizes = tuple_from(function, "s", s)
    chosen = tuple_from(function, "axes", axes)
    if chosen is None and sizes is not None:
        chosen = tuple(range(-len(sizes), 0))
    check_axes(function, check_array(function, "x", x), chosen or ())
    if sizes is not None and chosen is not None and len(sizes) != len(chosen):
        raise ValueError(f"{function}: s and axes must have one length, got {sizes} and {chosen}")
    return sizes, chosen


def frequencies(
    function: str,
    n: int,
    d: float,
    dtype: DTypeLike | None,
    device: Device | str | tuple[int, int] | None,
) -> Array:
    """The result of ``fftfreq`` and ``rfftfreq``."""
    found = check_dtype(function, dtype)
    if found is None:
        found = DTYPES["float64"]
    elif found.kind in "biuc":
        raise TypeError(f"{function}: dtype must be a real floating dtype, got {found}")
    points = int_from(function, "n", n)
    if points < 1:
        raise ValueError(f"{function}: n must be at least 1, got {n!r}")
    spacing = float(inexact_from(function, "d", real_from(function, "d", d)))
    if spacing == 0:
        raise ValueError(f"{function}: d must not be 0, got {d!r}")
    return create(function, device, (points, spacing, found))
