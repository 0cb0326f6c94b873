"""DLPack in all directions: each library's arrays into each library, and what each hands out."""

import importlib
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

import xpdl as xp
from benchmarks.timing import Case, Statement

__all__ = ["exchange_cases", "peers"]

PEERS = ("torch", "jax", "tvm_ffi", "array_api_strict")

LEGACY = "x.__dlpack__()"
VERSIONED = "x.__dlpack__(max_version=(1, 3))"
# What a consumer makes of a capsule is no business of the producer's: capsules are left to expire.
PROTOCOL = (LEGACY, VERSIONED, "x.__dlpack_device__()")


def peers() -> dict[str, ModuleType]:
    """The peers that are installed, imported."""
    return {name: importlib.import_module(name) for name in PEERS if find_spec(name)}


def exchange_cases() -> Iterator[Case]:
    """Imports by each library, exports by each, both ways through torch, and tvm-ffi's calls.

    The label ``from_dlpack(numpy array)`` is an import of NumPy's array by all consumers, xpdl
    first; ``torch.from_dlpack(x)`` is torch's import of arrays of all producers, xpdl first.
    """
    modules = peers()
    arrays, consumers = producers(modules), importers(modules)
    for producer, array in arrays.items():
        takers = {name: take for name, take in consumers.items() if _takes(name, take, array)}
        yield Case("exchange", f"from_dlpack({producer})", "4", [
            Statement(name, "from_dlpack(x)", {"from_dlpack": take, "x": array})
            for name, take in takers.items()
        ])  # fmt: skip
    for name, take in consumers.items():
        if name != "xpdl":
            taken = {p: array for p, array in arrays.items() if _takes(name, take, array)}
            yield Case("exchange", f"{name}.from_dlpack(x)", "4", [
                Statement(producer, "from_dlpack(x)", {"from_dlpack": take, "x": array})
                for producer, array in taken.items()
            ])  # fmt: skip
    for call in PROTOCOL:
        able = [name for name in arrays if _answers(arrays[name], call)]
        yield Case("exchange", call, "4", [
            Statement(name, call, {"x": arrays[name]}) for name in able
        ])  # fmt: skip
    if "tvm_ffi" in modules:
        call = modules["tvm_ffi"].get_global_func("testing.nop")
        yield Case("exchange", "call of a tvm-ffi function", "4", [
            Statement(name, "call(x)", {"call": call, "x": arrays[name]})
            for name in ("xpdl", "numpy", "torch") if name in arrays
        ])  # fmt: skip


def producers(modules: dict[str, ModuleType]) -> dict[str, Any]:
    """Four float32 of each library, a dtype that all of them have by default or by name."""
    values = np.arange(4, dtype=np.float32)
    arrays: dict[str, Any] = {"xpdl": xp.asarray(values.copy()), "numpy": values}
    if "torch" in modules:
        arrays["torch"] = modules["torch"].from_numpy(values.copy())
    if "jax" in modules:
        arrays["jax"] = modules["jax"].numpy.asarray(values)
    if "tvm_ffi" in modules:
        arrays["tvm_ffi"] = modules["tvm_ffi"].from_dlpack(values.copy())
    return arrays | {"ReadOnlyWrapper": xp.ReadOnlyWrapper(values)}


def importers(modules: dict[str, ModuleType]) -> dict[str, Callable[[Any], Any]]:
    """Each library's public ``from_dlpack``."""
    found: dict[str, Callable[[Any], Any]] = {"xpdl": xp.from_dlpack, "numpy": np.from_dlpack}
    found |= {name: modules[name].from_dlpack for name in ("torch", "tvm_ffi") if name in modules}
    if "jax" in modules:
        found["jax"] = modules["jax"].dlpack.from_dlpack
    return found


def _takes(consumer: str, take: Callable[[Any], Any], array: Any) -> bool:
    """Whether a peer takes this array at all; what it refuses is no contest. xpdl must take all."""
    try:
        take(array)
    except Exception:
        if consumer == "xpdl":
            raise
        return False
    return True


def _answers(array: Any, call: str) -> bool:
    """Whether a peer's array answers this call of the protocol at all."""
    try:
        eval(call, {"x": array})
    except Exception:
        if isinstance(array, xp.Array):
            raise
        return False
    return True
