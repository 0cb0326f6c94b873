"""What CuPy does for CUDA: one function table for each GPU, made at its first use.

The tables have the keys of the CPU's, and the modules of this package its chapters. CuPy's own
callable serves where its positional call is right. Otherwise there is a small function whose
docstring says which rule it restores. What is not about a device (arguments, promotion, limits) is
checked before, by the chapters of xpdl and by functions of the CPU's backend, so that results on
CUDA are those of the CPU.

Importing this module does not import CuPy: ``load`` does. ROCm builds of CuPy are taken too.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from xpdl._backends.numpy.raw import Table
from xpdl._cext import Device, register_loader

OLDEST = (14, 2)
INSTALL = "pip install 'xpdl[cuda12]' or 'xpdl[cuda13]', after the version of CUDA"


def load(device: Device) -> tuple[Table, Table, Table]:
    """The function tables of a GPU, one for arrays of all kinds of dtypes.

    NotImplementedError says what is missing for it.
    """
    count = count_gpus(f"device {device}")
    if device.id >= count:
        raise NotImplementedError(
            f"device must be one of the {count} GPUs that are there, from cuda:0, got {device}"
        )
    from xpdl._backends.cupy.table import table_of

    table = table_of(device.id)
    return table, table, table


def library(subject: str) -> Any:
    """The module cupy."""
    needs = f"{subject} needs CuPy {OLDEST[0]}.{OLDEST[1]} or newer"
    try:
        cupy = import_module("cupy")
    except ImportError as error:
        found = "none" if error.name == "cupy" else f"one that cannot be imported ({error})"
        raise NotImplementedError(f"{needs}, got {found}; {INSTALL}") from None
    version = tuple(int(part) for part in cupy.__version__.split(".")[:2])
    if version < OLDEST:
        raise NotImplementedError(f"{needs}, got {cupy.__version__}; {INSTALL}")
    return cupy


def count_gpus(subject: str) -> int:
    """How many GPUs CuPy sees; NotImplementedError where there is none, or no CuPy."""
    runtime = library(subject).cuda.runtime
    try:
        count: int = runtime.getDeviceCount()
    except runtime.CUDARuntimeError as error:
        found = str(error)
    else:
        if count > 0:
            return count
        found = "no GPU"
    raise NotImplementedError(f"{subject} needs a GPU and its driver, got {found}; use 'cpu'")


def devices() -> tuple[Device, ...]:
    """The GPUs that are there, none where there is no CuPy."""
    try:
        count = count_gpus("")
    except NotImplementedError:
        return ()
    return tuple([Device(f"cuda:{number}") for number in range(count)])


register_loader("cuda", load)
