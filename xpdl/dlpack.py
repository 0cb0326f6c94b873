# ruff: noqa: N815  (the enumerations have the names of the C header)
"""DLPack: zero-copy exchange of arrays with every library that has it.

``from_dlpack`` imports, ``to_dlpack`` exports, ``ReadOnlyWrapper`` exports read-only. VERSION is
the version of the ABI, (major, minor), that arrays are exported with; every 1.x is imported, and
so are unversioned capsules.

Source: DLPack 1.3, the C header.
"""

from __future__ import annotations

from enum import IntEnum

from xpdl._cext import VERSION, CopyRequiredError, ReadOnlyWrapper, from_dlpack, to_dlpack

__all__ = [
    "VERSION",
    "CopyRequiredError",
    "DLDataTypeCode",
    "DLDeviceType",
    "ReadOnlyWrapper",
    "from_dlpack",
    "to_dlpack",
]


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
