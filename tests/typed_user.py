"""Typical code of a user, which mypy and pyright must accept, with the types that both must see.

Run as a program it computes what it says; test_types.py runs it, and the type checkers over it.
"""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import xpdl as xp
from xpdl import Array, Device, ReadOnlyWrapper


def create() -> Array:
    assert_type(xp.asarray([[1, 2], [3, 4]], dtype=xp.float32), Array)
    assert_type(xp.zeros((2, 3)), Array)
    assert_type(xp.zeros(3, dtype="int8", device="cpu"), Array)
    assert_type(xp.zeros(3, device=(1, 0)), Array)
    assert_type(xp.full((2,), 1.5), Array)
    assert_type(xp.arange(3), Array)
    assert_type(xp.arange(0, 10, 2, dtype=np.int64), Array)
    assert_type(xp.linspace(0.0, 1.0, 5, endpoint=False), Array)
    assert_type(xp.eye(3, k=1), Array)
    assert_type(xp.zeros_like(xp.ones(2)), Array)
    assert_type(xp.meshgrid(xp.arange(2), xp.arange(3)), tuple[Array, ...])
    return xp.ones((2, 3))


def attributes(x: Array) -> None:
    assert_type(x.shape, tuple[int, ...])
    assert_type(x.dtype, np.dtype[Any])
    assert_type(x.device, Device)
    assert_type(x.device == "cpu", bool)
    assert_type(x.ndim, int)
    assert_type(x.size, int)
    assert_type(x.nbytes, int)
    assert_type(x.strides, tuple[int, ...])
    assert_type(x.readonly, bool)
    assert_type(x.T, Array)
    assert_type(len(x), int)
    assert_type(iter(x), Iterator[Array])
    assert_type(x.__array_namespace__(), ModuleType)


def operators(x: Array) -> Array:
    assert_type(x + 1, Array)
    assert_type(2.5 * x, Array)
    assert_type(1j - x, Array)
    assert_type(np.float32(2) * 1.0 + x, Array)
    assert_type(x @ x.T, Array)
    assert_type(-x, Array)
    assert_type(x == 1, Array)
    assert_type(x != x, Array)
    assert_type(x < 2.0, Array)
    assert_type((x > 1) & (x < 3), Array)
    assert_type(x**2 / 3 // 1 % 2, Array)
    x += 1
    x[0, :] = 0
    x[x > 1] = x[x > 1] * 2
    assert_type(x[0], Array)
    assert_type(x[..., None, ::2], Array)
    assert_type(x[[0, 1]], Array)
    assert_type(x[xp.asarray([0]), xp.asarray([1])], Array)
    return x


def scalars(x: Array) -> None:
    assert_type(float(x[0, 0]), float)
    assert_type(int(x[0, 0]), int)
    assert_type(bool(xp.any(x > 0)), bool)
    assert_type(x[0, 0].item(), bool | int | float | complex)
    assert_type(1.0 in x, bool)


def functions(x: Array) -> None:
    assert_type(xp.sum(x), Array)
    assert_type(xp.sum(x, axis=(0, 1), keepdims=True), Array)
    assert_type(xp.mean(x, axis=0), Array)
    assert_type(xp.where(x > 0, x, 0.0), Array)
    assert_type(xp.clip(x, 0, None), Array)
    assert_type(xp.concat([x, x], axis=0), Array)
    assert_type(xp.stack((x, x)), Array)
    assert_type(xp.unstack(x), tuple[Array, ...])
    assert_type(xp.reshape(x, (3, -1)), Array)
    assert_type(xp.broadcast_arrays(x, xp.ones(3)), tuple[Array, ...])
    assert_type(xp.broadcast_shapes((2, 1), (3,)), tuple[int, ...])
    assert_type(xp.nonzero(x), tuple[Array, ...])
    assert_type(xp.unique_counts(x).counts, Array)
    assert_type(xp.take(x, xp.asarray([0, 1]), axis=1), Array)
    assert_type(xp.astype(x, xp.int32), Array)
    assert_type(xp.isdtype(x.dtype, "real floating"), bool)
    assert_type(xp.finfo(x.dtype).eps, float)
    assert_type(xp.iinfo(xp.int8).max, int)
    assert_type(xp.result_type(x, xp.float32), np.dtype[Any])
    assert_type(xp.can_cast(xp.int8, xp.int16), bool)
    assert_type(xp.einsum("ij,ij->i", x, x), Array)
    values, vectors = xp.linalg.eigh(x @ x.T)
    assert_type(values, Array)
    assert_type(vectors, Array)
    assert_type(xp.linalg.svd(x, full_matrices=False).S, Array)
    assert_type(xp.linalg.vector_norm(x, axis=-1), Array)
    assert_type(xp.fft.rfft(x, axis=-1), Array)
    assert_type(x.mean(axis=0).reshape(-1).tolist(), Any)
    assert_type(x.astype("float64").copy(), Array)


def devices() -> None:
    assert_type(Device("cpu"), Device)
    assert_type(Device((1, 0)).type, str)
    assert_type(xp.default_device(), Device)
    assert_type(xp.default_device("cpu"), AbstractContextManager[Device])
    with xp.default_device("cpu") as device:
        assert_type(device, Device)
        assert_type(xp.ones(1, device=device).to_device("cpu"), Array)
    with xp.unpickle_device(Device("cpu")) as device:
        assert_type(device, Device)


def exchange(a: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
    x = xp.from_dlpack(a)
    assert_type(x, Array)
    assert_type(xp.from_dlpack(a, device="cpu", copy=True), Array)
    lent = ReadOnlyWrapper(x)
    assert_type(lent, ReadOnlyWrapper)
    assert_type(lent.__dlpack_device__(), tuple[int, int])
    assert_type(np.asarray(x), npt.NDArray[Any])
    assert_type(xp.dlpack.VERSION, tuple[int, int])
    capsule = xp.to_dlpack(x, max_version=(1, 0))
    assert_type(xp.from_dlpack(capsule), Array)
    return np.asarray(x)


def refused(x: Array) -> None:
    """Each line is an error: a checker that lets one pass says that its comment is not needed."""
    x.shape = (6,)  # type: ignore[misc]
    xp.sum(x, axes=0)  # type: ignore[call-arg]
    xp.sin([1.0])  # type: ignore[arg-type]
    x + "1"  # type: ignore[operator]
    xp.zeros(1, device=3)  # type: ignore[arg-type]


class Model:
    """An array as an attribute, and a function of any namespace of the standard."""

    def __init__(self, weights: Array) -> None:
        self.weights = weights

    def __call__(self, x: Array) -> Array:
        return xp.maximum(x @ self.weights, 0.0)


def namespace_of(x: Array) -> Any:
    return x.__array_namespace__(api_version="2025.12")


if __name__ == "__main__":
    x = create()
    attributes(x)
    operators(x)
    scalars(x)
    functions(xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]]))
    devices()
    print(exchange(np.ones(2)), Model(xp.ones((3, 1)))(x).shape, namespace_of(x).__name__)
