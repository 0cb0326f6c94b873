"""What ``import xpdl`` costs, in fresh processes, and what it imports."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from benchmarks.timing import Case, Effort, Reading, Timer

__all__ = ["Process", "import_cases", "libraries_imported"]

TIMED = """
{before}
from time import perf_counter
start = perf_counter()
import {module}
print(perf_counter() - start)
"""
LISTED = """
import sys, {module}
print(*(name for name, module in sys.modules.items() if getattr(module, "__spec__", None)))
"""


@dataclass(frozen=True)
class Process:
    """The import of a module in a new process, after other imports that are not timed."""

    library: str
    before: str = ""

    def result(self) -> object:
        """Nothing to compare; compiles what is not compiled yet."""
        self.timer()(1)
        return None

    def timer(self) -> Timer:
        script = TIMED.format(before=self.before, module=self.library)
        return lambda loops: sum(float(_output(script)) for _ in range(loops))


def import_cases() -> Iterator[Case | Reading]:
    """The import alone, the import where NumPy is there already, and the libraries imported."""
    strict = ["array_api_strict"] if find_spec("array_api_strict") else []
    yield Case(
        "imports", "import", "", [Process(name) for name in ("xpdl", "numpy", *strict)], patience=10
    )
    after = [Process(name, "import numpy") for name in ("xpdl", *strict)]
    yield Case("imports", "import after numpy", "", after, patience=5)
    yield Reading("imports", "libraries imported beside NumPy", "", "libraries", _count_libraries)


def libraries_imported(module: str) -> set[str]:
    """The top-level modules, outside Python's own library, that are there after an import.

    Cython's runtime has modules without a spec, which come from no file.
    """
    names = _output(LISTED.format(module=module)).split()
    return {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names)


def _count_libraries(_: Effort) -> dict[str, float]:
    beside = libraries_imported("xpdl") - libraries_imported("numpy")
    return {"xpdl": len({name for name in beside if name != "xpdl"})}


@cache
def _environment() -> dict[str, str]:
    """This process's environment, with a folder of its own for the compiled modules."""
    folder = tempfile.mkdtemp(prefix="xpdl-benchmarks-")
    atexit.register(shutil.rmtree, folder)
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": folder}


def _output(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], env=_environment(), capture_output=True, check=True
    )
    return done.stdout.decode()
