"""DLPack: importing what other libraries hand out, and handing out, against the same peers."""

import importlib
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from types import ModuleType

import numpy as np

import xpdl as xp
from benchmarks.timing import Case, Contestant

__all__ = ["exchange_cases", "peers"]

PEERS = ("torch", "jax", "tvm_ffi")


def peers() -> dict[str, ModuleType]:
    """The peers that are installed, imported."""
    return {name: importlib.import_module(name) for name in PEERS if find_spec(name)}


def exchange_cases() -> Iterator[Case]:
    """``from_dlpack`` of each library's array by each consumer, then ``__dlpack__`` of each."""
    modules = peers()
    arrays = _arrays(modules)
    consumers: dict[str, Callable[[object], object]] = {
        "xpdl": xp.from_dlpack,
        "numpy": np.from_dlpack,
    }
    if "tvm_ffi" in modules:
        consumers["tvm_ffi"] = modules["tvm_ffi"].from_dlpack
    for producer, array in arrays.items():
        contestants = tuple(
            Contestant(library, "from_dlpack(x)", {"from_dlpack": consume, "x": array})
            for library, consume in consumers.items()
            if _takes(consume, array)
        )
        yield Case("exchange", f"from_dlpack({producer} array)", "4", contestants)
    for call in ("x.__dlpack__()", "x.__dlpack__(max_version=(1, 3))"):
        contestants = tuple(
            Contestant(library, call, {"x": array}) for library, array in arrays.items()
        )
        yield Case("exchange", call, "4", contestants)


def _arrays(modules: dict[str, ModuleType]) -> dict[str, object]:
    """Four float64 zeros of each library; float32 where float64 is off by default."""
    arrays: dict[str, object] = {"xpdl": xp.zeros(4), "numpy": np.zeros(4)}
    if "torch" in modules:
        arrays["torch"] = modules["torch"].zeros(4, dtype=modules["torch"].float64)
    if "jax" in modules:
        arrays["jax"] = modules["jax"].numpy.zeros(4)
    if "tvm_ffi" in modules:
        arrays["tvm_ffi"] = modules["tvm_ffi"].from_dlpack(np.zeros(4))
    return arrays


def _takes(consume: Callable[[object], object], array: object) -> bool:
    """Whether a peer takes this array at all; what it refuses is no contest. xpdl must take all."""
    try:
        consume(array)
    except Exception:
        if consume is xp.from_dlpack:
            raise
        return False
    return True
