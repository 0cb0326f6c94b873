"""The libraries that are tried: how each makes an array, and how it imports one of another.

Arrays have 64 elements, 1 and 2 in turn (True and False for bool), which every dtype holds. A kind
of array is a dtype, or a layout of float32.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

import xpdl as xp

__all__ = ["DTYPES", "KINDS", "LAYOUTS", "LIBRARIES", "Library", "installed", "make"]

DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
    "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float8_e3m4",
)  # fmt: skip
LENGTH = 64
ALIGNMENT = 64


@dataclass(frozen=True)
class Library:
    """A module, how it makes an array of a dtype on ``device``, and its import function.

    ``make`` raises where the library has no such dtype. ``to_cuda`` moves an array of a library on
    the CPU to the first CUDA device, for the exchange with a library that is there.
    """

    module: str
    make: Callable[[Any, str], Any]
    importer: Callable[[Any], Callable[[Any], object]]
    device: str = "cpu"
    to_cuda: Callable[[Any, Any], Any] = lambda module, array: array


def values(dtype: str) -> list[int]:
    """The elements, before they are converted to ``dtype``."""
    return [1, 0 if dtype == "bool" else 2] * (LENGTH // 2)


def aligned_array(dtype: str) -> np.ndarray[Any, Any]:
    """The elements in memory that starts at a multiple of 64 bytes, as JAX wants it."""
    array = np.asarray(values(dtype)).astype(getattr(np, dtype, None) or getattr(xp, dtype))
    memory = np.zeros(array.nbytes + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    place = memory[start : start + array.nbytes].view(array.dtype)
    place[:] = array
    return place


def _read_only(array: Any) -> Any:
    if isinstance(array, xp.Array):
        return xp.from_dlpack(xp.ReadOnlyWrapper(array))
    view = array.view()
    view.flags.writeable = False
    return view


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "0-d": lambda a: a[0, ...],
    "size 0": lambda a: a[:0],
    "from element 4": lambda a: a[4:],
    "every second": lambda a: a[::2],
    "transposed": lambda a: a.reshape(8, 8).T,
    "read-only": _read_only,
    "reversed": lambda a: a[::-1],
}
"""How each layout is made of 64 float32; what raises is a layout that the library lacks."""

KINDS = (*DTYPES, *LAYOUTS)


def make(library: Library, module: Any, kind: str, device: str = "cpu") -> Any:
    """An array of that kind, of the library's own making; raises where the library lacks it."""
    array = library.make(module, "float32" if kind in LAYOUTS else kind)
    if device == "cuda":
        array = library.to_cuda(module, array)
    return LAYOUTS[kind](array) if kind in LAYOUTS else array


def _make_xpdl(module: Any, dtype: str) -> object:
    return module.from_dlpack(aligned_array(dtype))


def _make_jax(jax: Any, dtype: str) -> object:
    jax.config.update("jax_enable_x64", True)
    array = jax.numpy.asarray(values(dtype)).astype(jax.numpy.dtype(dtype))
    return jax.device_put(array, jax.devices("cpu")[0])


def _make_tensorflow(tensorflow: Any, dtype: str) -> object:
    with tensorflow.device("CPU"):
        return tensorflow.cast(tensorflow.constant(values(dtype)), tensorflow.as_dtype(dtype))


def _make_mlx(mlx: Any, dtype: str) -> object:
    return mlx.array(values(dtype)).astype(mlx.bool_ if dtype == "bool" else getattr(mlx, dtype))


def _make_warp(warp: Any, dtype: str) -> object:
    warp.config.quiet = True
    return warp.array(aligned_array(dtype), dtype=getattr(warp, dtype), device="cpu")


def _tensorflow_importer(tensorflow: Any) -> Callable[[Any], object]:
    """TensorFlow imports capsules only."""
    take = tensorflow.experimental.dlpack.from_dlpack
    return lambda x: take(x.__dlpack__())


LIBRARIES = {
    "xpdl": Library(
        "xpdl", _make_xpdl, lambda m: m.from_dlpack, to_cuda=lambda m, x: x.to_device("cuda")
    ),
    "numpy": Library("numpy", lambda m, dtype: aligned_array(dtype), lambda m: m.from_dlpack),
    "torch": Library(
        "torch",
        lambda m, dtype: m.tensor(values(dtype), device="cpu").to(getattr(m, dtype)),
        lambda m: m.from_dlpack,
        to_cuda=lambda m, t: t.to("cuda"),
    ),
    "jax": Library(
        "jax",
        _make_jax,
        lambda m: m.numpy.from_dlpack,
        to_cuda=lambda m, j: m.device_put(j, m.devices("cuda")[0]),
    ),
    "tvm_ffi": Library(
        "tvm_ffi", lambda m, dtype: m.from_dlpack(_make_xpdl(xp, dtype)), lambda m: m.from_dlpack
    ),
    "array_api_strict": Library(
        "array_api_strict",
        lambda m, dtype: m.asarray(values(dtype), dtype=getattr(m, dtype)),
        lambda m: m.from_dlpack,
    ),
    "cupy": Library(
        "cupy", lambda m, dtype: m.asarray(aligned_array(dtype)), lambda m: m.from_dlpack, "cuda"
    ),
    "tensorflow": Library("tensorflow", _make_tensorflow, _tensorflow_importer),
    "paddle": Library(
        "paddle",
        lambda m, dtype: m.to_tensor(values(dtype), dtype, place=m.CPUPlace()),
        lambda m: m.from_dlpack,
    ),
    "mlx": Library("mlx.core", _make_mlx, lambda m: m.from_dlpack),
    "warp": Library("warp", _make_warp, lambda m: m.from_dlpack),
    "pyarrow": Library(
        "pyarrow", lambda m, dtype: m.array(aligned_array(dtype)), lambda m: m.Array.from_dlpack
    ),
}
"""The libraries that are tried, by the name under which they are reported; xpdl is the first."""


def installed(names: Sequence[str] = tuple(LIBRARIES)) -> list[str]:
    """Those of ``names`` whose package can be found; none of them is imported."""
    return [name for name in names if find_spec(LIBRARIES[name].module.partition(".")[0])]
