"""Manipulation functions, and the indexing functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from xpdl._backends.cupy.raw import Raw, as_bits, cupy, ndarray
from xpdl._backends.numpy.creation import full
from xpdl._backends.numpy.manipulation import unstack
from xpdl._backends.numpy.raw import Table


def broadcast_arrays(*raws: Raw) -> tuple[Raw, ...]:
    """broadcast_arrays: a view of each, also of one that has the shape already."""
    shape = np.broadcast_shapes(*[x.shape for x in raws])
    return tuple([cupy.broadcast_to(x, shape) for x in raws])


def concat(raws: tuple[Raw, ...], axis: int | None) -> Raw:
    """concat: the arrays flattened for None; a fresh array of one too."""
    return cupy.concatenate(raws, axis)


def pad(x: Raw, pad_width: Any, mode: Any, constant_values: complex) -> Raw:
    """pad: CuPy takes constant_values only where they are used."""
    bits = as_bits(x)
    if mode == "constant":
        value = as_bits(np.asarray(constant_values).astype(x.dtype))[()]
        return cupy.pad(bits, pad_width, mode, constant_values=value).view(x.dtype)
    return cupy.pad(bits, pad_width, mode).view(x.dtype)


def repeat(x: Raw, repeats: Any, axis: int | None) -> Raw:
    """repeat: uint64 repeats, which CuPy refuses; one number in an array of one is read."""
    if isinstance(repeats, ndarray):
        repeats = repeats.astype(np.int64, copy=False)
        if repeats.size == 1:
            repeats = int(repeats.reshape(()))
    elif isinstance(repeats, tuple):
        repeats = list(repeats)
    return x.repeat(repeats, axis)


def reshape(x: Raw, shape: tuple[int, ...], copy: bool | None) -> Raw:
    """reshape with a positional copy."""
    return x.reshape(shape) if copy is None else x.reshape(shape, copy=copy)


def permute_dims(x: Raw, axes: Any) -> Raw:
    """permute_dims: None reverses the axes."""
    return x.transpose() if axes is None else x.transpose(axes)


MANIPULATION: Table = {
    "broadcast_arrays": broadcast_arrays,
    "broadcast_to": cupy.broadcast_to,
    "concat": concat,
    "expand_dims": cupy.expand_dims,
    "flip": cupy.flip,
    "moveaxis": cupy.moveaxis,
    "pad": pad,
    "permute_dims": permute_dims,
    "repeat": repeat,
    "reshape": reshape,
    "roll": cupy.roll,
    "squeeze": cupy.squeeze,
    "stack": cupy.stack,
    "tile": cupy.tile,
    "unstack": unstack,
}


# ----------------------------------------------------------------------------------------- indexing


def get_item(x: Raw, key: Any) -> Raw:
    """__getitem__: an index of ints alone is the value of an element, and no view of it."""
    result = x[index_of(x, key)]
    if result.ndim == 0 and result.data.mem is x.data.mem and not holds_ellipsis(key):
        return result.copy()
    return result


def set_item(x: Raw, key: Any, value: Any) -> None:
    """__setitem__: a scalar of x's dtype, cast as on the CPU, or refused as there.

    A region of slices is filled by a copy, which keeps the sign of zero. A mask of the shape of x
    and a scalar do not make the host wait, as CuPy's own assignment does.
    """
    index = index_of(x, key)
    if not isinstance(value, ndarray):
        value = full((), value, x.dtype)[()]
    if is_region(index):
        cupy.copyto(x[index], value, "unsafe")
    elif is_mask_of(index, x) and (not isinstance(value, ndarray) or value.ndim == 0):
        cupy.copyto(x, value, "unsafe", index)
    else:
        x[index] = value


def index_of(x: Raw, key: Any) -> Any:
    """A key in which lists and arrays of the host are arrays of the device."""
    if isinstance(key, tuple):
        return tuple([array_of_index(index) for index in key])
    return array_of_index(key)


def array_of_index(index: Any) -> Any:
    """A list as an array of integers or a mask; an empty one holds integers."""
    if not isinstance(index, (list, tuple, np.ndarray)):
        return index
    array = np.asarray(index)
    if isinstance(index, (list, tuple)) and array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind not in "biu":
        raise IndexError(
            f"arrays used as indices must be of integer or boolean type, got {array.dtype}"
        )
    return cupy.asarray(array)


def holds_ellipsis(key: Any) -> bool:
    """Whether a key, whose comparison with an array has no truth, is or holds an Ellipsis."""
    return any(index is Ellipsis for index in (key if isinstance(key, tuple) else (key,)))


def is_region(index: Any) -> bool:
    """Whether an index selects a view: ints, slices, None and Ellipsis alone."""
    indices = index if isinstance(index, tuple) else (index,)
    return all(
        i is None or i is Ellipsis or isinstance(i, slice) or type(i) is int for i in indices
    )


def is_mask_of(index: Any, x: Raw) -> bool:
    """Whether an index is one mask over all of x."""
    return isinstance(index, ndarray) and index.dtype.kind == "b" and index.shape == x.shape


def take(x: Raw, indices: Any, axis: int | None) -> Raw:
    """take: what the host can check is an error, as on the CPU: an int out of bounds, no elements.

    In an array indices out of bounds wrap, as in CuPy. A 0-d x counts as one of size 1.
    """
    x = x.reshape(1) if x.ndim == 0 else x
    size = x.size if axis is None else x.shape[axis]
    if isinstance(indices, int):
        if not -size <= indices < size:
            raise IndexError(f"index {indices} is out of bounds for size {size}")
    elif indices.dtype.kind not in "iu":
        raise TypeError(f"indices must be integers, got dtype {indices.dtype}")
    elif size == 0 and indices.size > 0:
        raise IndexError("cannot take elements along an axis without any")
    return x.take(indices, axis)


def take_along_axis(x: Raw, indices: Raw, axis: int) -> Raw:
    """take_along_axis: indices of another kind are an error, as on the CPU."""
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    return cupy.take_along_axis(x, indices, axis)


INDEXING: Table = {
    "__getitem__": get_item,
    "__setitem__": set_item,
    "take": take,
    "take_along_axis": take_along_axis,
}
