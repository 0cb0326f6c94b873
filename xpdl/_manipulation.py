"""Manipulation functions.

Source: array API 2025.12, manipulation functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from xpdl._arguments import check_word, number_from
from xpdl._cext import (
    Array,
    apply,
    array_from,
    axes_from,
    axis_from,
    check_array,
    check_copy,
    gather,
    ints_from,
    nary,
    shape_from,
    split,
    view,
)
from xpdl._creation import check_complex_fits

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "pad",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "transpose",
    "unstack",
]


def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]:
    """Each array broadcast to the shape that all of them broadcast to.

    View, read-only, since elements may share memory.

    Raises
    ------
    TypeError
        If an argument is not an Array.
    ValueError
        If the shapes do not broadcast, or the arrays are on several devices.

    Source: array API 2025.12, manipulation functions, ``broadcast_arrays``.
    """
    if not arrays:
        return ()
    return split("broadcast_arrays", arrays, ())


def broadcast_shapes(*shapes: int | tuple[int, ...] | list[int]) -> tuple[int, ...]:
    """Shape that arrays of the given shapes broadcast to; ``()`` for none.

    Raises
    ------
    TypeError
        If a shape does not hold ints.
    ValueError
        If the shapes do not broadcast, or a size is negative.

    Source: array API 2025.12, manipulation functions, ``broadcast_shapes``.
    """
    found = [shape_from("broadcast_shapes", shape) for shape in shapes]
    result = [1] * max(map(len, found), default=0)
    for shape in found:
        skipped = len(result) - len(shape)
        for i, size in enumerate(shape, skipped):
            if size < 0:
                raise ValueError(f"broadcast_shapes: sizes must not be negative, got {shape}")
            if result[i] == 1:
                result[i] = size
            elif size not in (1, result[i]):
                raise ValueError(
                    "broadcast_shapes: shapes must be equal or 1 along each axis, counted from "
                    f"the last, got {' and '.join(map(str, found))}"
                )
    return tuple(result)


def broadcast_to(x: Array, /, shape: int | tuple[int, ...] | list[int]) -> Array:
    """``x`` repeated along new axes and axes of size 1 to the given shape.

    View, read-only, since elements may share memory.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``shape`` does not hold ints.
    ValueError
        If ``x`` does not broadcast to ``shape``.

    Source: array API 2025.12, manipulation functions, ``broadcast_to``.
    """
    sizes = shape_from("broadcast_to", shape)
    if check_array("broadcast_to", "x", x).ndim > len(sizes):
        raise ValueError(
            f"broadcast_to: shape must have as many sizes as x of shape {x.shape} or more, "
            f"got {sizes}"
        )
    return view("broadcast_to", x, (sizes,))


def concat(arrays: Sequence[Array], /, *, axis: int | None = 0) -> Array:
    """Arrays of one shape, but for the size of ``axis``, joined along it.

    With ``axis=None`` all are flattened first. The dtype is that of type promotion. Copy.

    Raises
    ------
    TypeError
        If an element of ``arrays`` is not an Array, or ``axis`` not an int.
    ValueError
        If there is none, the shapes do not match, or the arrays are on several devices.
    IndexError
        If ``axis`` is out of bounds.

    Source: array API 2025.12, manipulation functions, ``concat``.
    """
    return gather("concat", arrays, (axis_from("concat", None, axis, True),))


def expand_dims(x: Array, /, axis: int | Sequence[int]) -> Array:
    """``x`` with new axes of size 1 at positions ``axis`` of the result. View.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    IndexError
        If a position is out of bounds.
    ValueError
        If a position is given twice.

    Source: array API 2025.12, manipulation functions, ``expand_dims``.
    """
    return view("expand_dims", x, (axes_from("expand_dims", None, "axis", axis, False),))


def flip(x: Array, /, *, axis: int | Sequence[int] | None = None) -> Array:
    """``x`` with its elements in reverse order along ``axis``, all axes for None. View.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    IndexError
        If an axis is out of bounds.
    ValueError
        If an axis is given twice.

    Source: array API 2025.12, manipulation functions, ``flip``.
    """
    return view("flip", x, (axes_from("flip", x, "axis", axis),))


def moveaxis(x: Array, source: int | Sequence[int], destination: int | Sequence[int], /) -> Array:
    """``x`` with the axes ``source`` moved to ``destination``, the others in their order. View.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    IndexError
        If an axis is out of bounds.
    ValueError
        If an axis is given twice, or the numbers of axes differ.

    Source: array API 2025.12, manipulation functions, ``moveaxis``.
    """
    first = axes_from("moveaxis", x, "source", source, False)
    last = axes_from("moveaxis", x, "destination", destination, False)
    return view("moveaxis", x, (first, last))


def pad(
    x: Array,
    /,
    pad_width: int | Sequence[int] | Sequence[Sequence[int]],
    mode: str = "constant",
    *,
    constant_values: complex = 0,
) -> Array:
    """``x`` with elements added before and after each axis. Copy. Beyond the standard.

    ``pad_width`` is how many: one number, a pair ``(before, after)`` for all axes, or a pair for
    each. Under ``mode`` ``"constant"`` they are ``constant_values``, a number or a 0-d Array, as
    ``full`` makes it an element; the other modes are those of NumPy that take no more arguments:
    ``"edge"``, ``"reflect"``, ``"symmetric"``, ``"wrap"``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, ``pad_width`` does not hold ints, or ``constant_values`` is not a
        number, or is complex and ``x`` real.
    ValueError
        If ``pad_width`` is negative or does not fit x's axes, or ``mode`` is none of those.
    OverflowError
        If a Python int does not fit the dtype of ``x``.
    """
    dtype = check_array("pad", "x", x).dtype
    check_word("pad", "mode", mode, ("constant", "edge", "reflect", "symmetric", "wrap"))
    value = number_from("pad", "constant_values", constant_values)
    if isinstance(value, complex):
        check_complex_fits("pad", "constant_values", constant_values, dtype)
    value = array_from("pad", value, dtype, "cpu", None).item()  # refuses what does not fit
    return apply("pad", x, (widths_from(pad_width), mode, value))


def permute_dims(x: Array, /, axes: Sequence[int]) -> Array:
    """``x`` with its axes in the order ``axes``. View.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    IndexError
        If an axis is out of bounds.
    ValueError
        If ``axes`` is not a permutation of x's axes.

    Source: array API 2025.12, manipulation functions, ``permute_dims``.
    """
    return view("permute_dims", x, (axes_from("permute_dims", x, "axes", axes),))


def repeat(x: Array, repeats: int | Array, /, *, axis: int | None = None) -> Array:
    """Each element of ``x`` along ``axis`` ``repeats`` times; ``x`` is flattened for None.

    ``repeats`` is one number or, as integers of shape ``(1,)`` or ``(N,)``, one for each of the
    ``N`` elements along ``axis``. Copy. On CUDA an Array of repeats is read by the host, which
    waits for it.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``repeats`` not integers.
    ValueError
        If ``repeats`` is negative or of another shape.
    IndexError
        If ``axis`` is out of bounds.

    Source: array API 2025.12, manipulation functions, ``repeat``.
    """
    if isinstance(repeats, Array):
        check_array("repeat", "x", x)
        if repeats.dtype.kind not in "iu":
            raise TypeError(f"repeat: repeats must be integers, got {repeats.dtype}")
        return nary("repeat", (x, repeats), (axis_from("repeat", x, axis, True),))
    times = ints_from("repeat", "repeats", repeats)
    return apply("repeat", x, (times, axis_from("repeat", x, axis, True)))


def reshape(
    x: Array, /, shape: int | tuple[int, ...] | list[int], *, copy: bool | None = None
) -> Array:
    """``x`` in another shape of as many elements, in row-major order; one size may be -1.

    Copy for ``copy=True``. View for ``copy=False``. For None a view where strides allow it.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, ``shape`` does not hold ints, or ``copy`` is no bool.
    ValueError
        If the sizes do not fit, or ``copy=False`` and a copy is needed.

    Source: array API 2025.12, manipulation functions, ``reshape``.
    """
    check_copy("reshape", copy)
    if copy:
        return apply("reshape", x, (shape_from("reshape", shape), True))
    return view("reshape", x, (shape_from("reshape", shape), copy))


def roll(
    x: Array,
    /,
    shift: int | Sequence[int],
    *,
    axis: int | Sequence[int] | None = None,
) -> Array:
    """``x`` with its elements moved ``shift`` places up along ``axis``, those at the end first.

    With ``axis=None`` the shift is that of the flattened array. One shift serves all axes, a
    tuple holds one for each. Copy.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or ``shift`` or ``axis`` does not hold ints.
    IndexError
        If an axis is out of bounds.
    ValueError
        If the numbers of shifts and axes differ.

    Source: array API 2025.12, manipulation functions, ``roll``.
    """
    places = ints_from("roll", "shift", shift)
    axes = axes_from("roll", x, "axis", axis)
    if isinstance(places, tuple) and axes is not None:
        if len(places) != (len(axes) if isinstance(axes, tuple) else 1):
            raise ValueError(
                f"roll: shift and axis must have one length, got {places} and {axes}"
            )
    if axes == ():
        return apply("copy", x, ())
    return apply("roll", x, (places, axes))


def squeeze(x: Array, /, axis: int | Sequence[int]) -> Array:
    """``x`` without the axes ``axis``, whose size is 1. View.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    IndexError
        If an axis is out of bounds.
    ValueError
        If the size of an axis is not 1, or an axis is given twice.

    Source: array API 2025.12, manipulation functions, ``squeeze``.
    """
    return view("squeeze", x, (axes_from("squeeze", x, "axis", axis),))


def stack(arrays: Sequence[Array], /, *, axis: int = 0) -> Array:
    """Arrays of one shape joined along a new axis, at position ``axis`` of the result.

    The dtype is that of type promotion. Copy.

    Raises
    ------
    TypeError
        If an element of ``arrays`` is not an Array, or ``axis`` not an int.
    ValueError
        If there is none, the shapes differ, or the arrays are on several devices.
    IndexError
        If ``axis`` is out of bounds.

    Source: array API 2025.12, manipulation functions, ``stack``.
    """
    return gather("stack", arrays, (axis_from("stack", None, axis),))


def tile(x: Array, repetitions: int | Sequence[int], /) -> Array:
    """``x`` laid side by side with itself, ``repetitions[i]`` times along axis ``i``.

    The shorter of x's shape and ``repetitions`` gets ones in front. Copy.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``repetitions`` does not hold ints.
    ValueError
        If a number of repetitions is negative.

    Source: array API 2025.12, manipulation functions, ``tile``.
    """
    return apply("tile", x, (ints_from("tile", "repetitions", repetitions),))


def transpose(x: Array, /, axes: Sequence[int] | None = None) -> Array:
    """``x`` with its axes in the order ``axes``, reversed for None. View. Beyond the standard.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``axes`` does not hold ints.
    ValueError
        If ``axes`` is not a permutation of x's axes.
    """
    check_array("transpose", "x", x)
    order = axes_from("transpose", None, "axes", axes)
    return x.transpose() if order is None else x.transpose(order)


def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
    """The slices of ``x`` along ``axis``, without that axis. View.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, or an option is of the wrong type.
    IndexError
        If ``axis`` is out of bounds, as every one is for a 0-d array.

    Source: array API 2025.12, manipulation functions, ``unstack``.
    """
    return split("unstack", (check_array("unstack", "x", x),), (axis_from("unstack", x, axis),))


def widths_from(pad_width: Any) -> Any:
    """``pad_width`` as one int or nested lists of ints."""
    try:
        widths = np.asarray(pad_width)
    except (TypeError, ValueError):
        widths = None
    if widths is None or widths.dtype.kind not in "iu":
        raise TypeError(
            f"pad: pad_width must be an int, a pair of ints or a pair for each axis, got "
            f"{pad_width!r}"
        )
    return widths.tolist()
