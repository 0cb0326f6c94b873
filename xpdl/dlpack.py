# ruff: noqa: N815  (the enumerations have the names of the C header)
"""DLPack: zero-copy exchange of arrays with every library that has it.

``from_dlpack`` imports, ``to_dlpack`` exports, ``ReadOnlyWrapper`` exports read-only. VERSION is
the version of the ABI, (major, minor), that arrays are exported with; every 1.x is imported, and
so are unversioned capsules.

Source: DLPack 1.3, the C header.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from xpdl._cext import (
    VERSION,
    CopyRequiredError,
    ReadOnlyWrapper,
    from_address,
    from_dlpack,
    inspect_producer,
    ml_dtype_codes,
    to_address,
    to_dlpack,
)

__all__ = [
    "VERSION",
    "CopyRequiredError",
    "DLDataTypeCode",
    "DLDeviceType",
    "ReadOnlyWrapper",
    "TensorInfo",
    "from_address",
    "from_dlpack",
    "inspect",
    "register_with_numpy",
    "to_address",
    "to_dlpack",
]


def __dir__() -> list[str]:
    """The public names, which an editor completes."""
    return __all__


class TensorInfo(NamedTuple):
    """What a producer hands out; None for what its version or its tensor does not tell."""

    route: str
    """``"exchange API"``, ``"__dlpack__"`` or ``"raw capsule"``."""
    kind: str
    """``"versioned"`` or ``"legacy"``."""
    version: tuple[int, int] | None
    """Version of DLPack, (major, minor), of a versioned tensor."""
    flags: tuple[str, ...] | None
    """Names of the flags that are set; unknown bits in hexadecimal."""
    device: tuple[int, int] | None
    """DLPack device, (type, id)."""
    dtype: str | None
    """Data type, such as ``"float32"``, ``"float8_e4m3fn"`` or ``"float32 with 4 lanes"``."""
    shape: tuple[int, ...] | None
    """Length of each axis, in elements."""
    strides: tuple[int, ...] | None
    """Step along each axis, in elements; None where the tensor has none, which is C order."""
    byte_offset: int | None
    """From the tensor's data pointer to its first element, in bytes."""
    address: int | None
    """Of the first element; 0 for none."""
    alignment: int | None
    """Greatest power of two, in bytes, that divides the address; 0 for address 0."""


def inspect(x: Any, /) -> TensorInfo:
    """What ``from_dlpack(x)`` would be handed, without importing or consuming it.

    A raw capsule stays usable. Of an object, one tensor is asked for and released.

    Raises
    ------
    AttributeError
        If ``x`` has no DLPack methods and is no capsule.
    BufferError
        If ``x`` hands out no DLPack capsule, or a used one; the exception of ``x.__dlpack__``
        passes unchanged.

    Source: DLPack 1.3, ``DLManagedTensorVersioned``.
    """
    return TensorInfo(**inspect_producer(x))


def register_with_numpy() -> tuple[str, ...]:
    """Let ``numpy.from_dlpack`` and ``ndarray.__dlpack__`` take the dtypes of ml_dtypes.

    Registers, for the whole process, those of 8 and 16 bits: bfloat16 and the float8 kinds.
    Returns their names.

    Raises
    ------
    ImportError
        If ml_dtypes is not installed.
    NotImplementedError
        If NumPy is older than 2.5, which has no registry.
    ValueError
        If a dtype or its DLPack type is registered with another already.

    Source: DLPack 1.3, ``DLDataTypeCode``.
    """
    register = getattr(np.dtypes, "register_dlpack_dtype", None)
    if register is None:
        raise NotImplementedError(
            f"register_with_numpy: NumPy must be 2.5 or newer, got {np.__version__}"
        )
    registered = []
    for (code, bits), dtype in ml_dtype_codes().items():
        if bits == 8 * dtype.itemsize:
            try:
                register((code, bits), dtype)
            except ValueError as error:
                raise ValueError(
                    f"register_with_numpy: {dtype.name} cannot be registered; {error}"
                ) from None
            registered.append(dtype.name)
    return tuple(registered)


class DLDeviceType(IntEnum):
    """Kind of memory, with the names of the C header.

    xpdl reads kDLCPU, kDLCUDAHost and kDLROCMHost as ``"cpu"``, and kDLCUDA, kDLROCM and
    kDLCUDAManaged as ``"cuda"``.

    Source: DLPack 1.3, ``DLDeviceType``.
    """

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17
    kDLTrn = 18


class DLDataTypeCode(IntEnum):
    """Kind of a data type, with the names of the C header; its width is given beside it.

    Source: DLPack 1.3, ``DLDataTypeCode``.
    """

    kDLInt = 0
    kDLUInt = 1
    kDLFloat = 2
    kDLOpaqueHandle = 3
    kDLBfloat = 4
    kDLComplex = 5
    kDLBool = 6
    kDLFloat8_e3m4 = 7
    kDLFloat8_e4m3 = 8
    kDLFloat8_e4m3b11fnuz = 9
    kDLFloat8_e4m3fn = 10
    kDLFloat8_e4m3fnuz = 11
    kDLFloat8_e5m2 = 12
    kDLFloat8_e5m2fnuz = 13
    kDLFloat8_e8m0fnu = 14
    kDLFloat6_e2m3fn = 15
    kDLFloat6_e3m2fn = 16
    kDLFloat4_e2m1fn = 17
