"""Manipulation functions, and the indexing functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from xpdl._backends.numpy.raw import Raw, Table


def broadcast_arrays(*raws: Raw) -> tuple[Raw, ...]:
    """broadcast_arrays: read-only views; NumPy's are writable, with a warning when written to."""
    shapes = [x.shape for x in raws]
    if shapes.count(shapes[0]) == len(shapes):
        return tuple([readonly_view(x) for x in raws])
    shape = np.broadcast_shapes(*shapes)
    return tuple([np.broadcast_to(x, shape) for x in raws])


def readonly_view(x: Raw) -> Raw:
    """A view of all of x that cannot be written to."""
    view = x.view()
    view.flags.writeable = False
    return view


def pad(x: Raw, pad_width: Any, mode: Any, constant_values: complex) -> Raw:
    """pad: NumPy takes constant_values only where they are used."""
    if mode == "constant":
        return np.pad(x, pad_width, mode, constant_values=constant_values)
    return np.pad(x, pad_width, mode)


def repeat(x: Raw, repeats: Any, axis: int | None) -> Raw:
    """repeat: "the array must have an integer data type", of which NumPy refuses uint64."""
    if isinstance(repeats, np.ndarray) and repeats.dtype == np.uint64:
        repeats = repeats.astype(np.int64)
    return x.repeat(repeats, axis)


def reshape(x: Raw, shape: tuple[int, ...], copy: bool | None) -> Raw:
    """reshape with a positional copy."""
    return x.reshape(shape) if copy is None else np.reshape(x, shape, copy=copy)


def unstack(x: Raw, axis: int) -> tuple[Raw, ...]:
    """unstack: views, of shape () for 1-d x too, where NumPy gives scalars; CuPy lacks it."""
    before: Any = (slice(None),) * axis
    return tuple([x[(*before, i, ...)] for i in range(x.shape[axis])])


MANIPULATION: Table = {
    "broadcast_arrays": broadcast_arrays,
    "broadcast_to": np.broadcast_to,
    "concat": np.concatenate,
    "expand_dims": np.expand_dims,
    "flip": np.flip,
    "moveaxis": np.moveaxis,
    "pad": pad,
    "permute_dims": np.ndarray.transpose,
    "repeat": repeat,
    "reshape": reshape,
    "roll": np.roll,
    "squeeze": np.ndarray.squeeze,
    "stack": np.stack,
    "tile": np.tile,
    "unstack": unstack,
}


# ----------------------------------------------------------------------------------------- indexing


INDEXING: Table = {
    "take": np.ndarray.take,
    "take_along_axis": np.take_along_axis,
}
