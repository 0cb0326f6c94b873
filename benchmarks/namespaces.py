"""A common subset of the standard in xpdl, NumPy, array-api-strict, torch and jax.

Each library is called by its own names. The peers are spelled ``lib`` where they agree.
"""

from collections.abc import Iterator
from types import ModuleType

import numpy as np

import xpdl as xp
from benchmarks.exchange import peers
from benchmarks.operands import operands
from benchmarks.timing import Case, Statement

__all__ = ["CALLS", "namespace_cases"]

# The call of all libraries, and what of it a library spells otherwise.
CALLS: dict[str, dict[str, str]] = {
    "x + y": {},
    "2.0 * x": {},
    "x[1:3]": {},
    "lib.sin(x)": {},
    "lib.maximum(x, y)": {},
    "lib.where(p, x, y)": {},
    "lib.sum(x)": {},
    "lib.mean(x)": {},
    "lib.argmax(x)": {},
    "lib.sort(x)": {"torch": "lib.sort(x)[0]"},
    "lib.concat((x, y))": {},
    "lib.reshape(x, (2, -1))": {},
    "lib.matmul(s, s)": {},
    "lib.zeros(4)": {},
}

LIBRARIES = ("array_api_strict", "torch", "jax")


def namespace_cases() -> Iterator[Case]:
    """Each call in float32, at four elements and at a thousand."""
    for size in ("4", "1000"):
        held = [_names(name, module, size) for name, module in _modules().items()]
        for call, otherwise in CALLS.items():
            contestants = [
                Statement(library, _awaited(library, otherwise.get(library, call)), names)
                for library, names in held
            ]
            yield Case("namespaces", call, size, contestants, tolerance=1e-4)


def _modules() -> dict[str, ModuleType]:
    installed = peers()
    found = {"xpdl": xp, "numpy": np}
    found |= {name: installed[name] for name in LIBRARIES if name in installed}
    if "jax" in found:
        found["jax"] = found["jax"].numpy
    return found


def _names(library: str, module: ModuleType, size: str) -> tuple[str, dict[str, object]]:
    names = {}
    for name in ("x", "y", "s", "p"):
        value = np.asarray(operands(size)[name])
        value = value if name == "p" else value.astype(np.float32)
        names[name] = module.asarray(value.copy())
    return library, {"lib": module, **names}


def _awaited(library: str, call: str) -> str:
    """jax returns before the work is done."""
    return f"({call}).block_until_ready()" if library == "jax" else call
