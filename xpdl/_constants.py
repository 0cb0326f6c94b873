"""The constants of the standard and the data types.

A data type is here by NumPy's scalar type, as in NumPy and CuPy, and on an Array as the
``numpy.dtype`` that equals it.

Source: array API 2025.12, constants and data types.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

import numpy as np

__all__ = [
    "bool",
    "complex64",
    "complex128",
    "e",
    "float16",
    "float32",
    "float64",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "nan",
    "newaxis",
    "pi",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

e: Final = 2.718281828459045
inf: Final = float("inf")
nan: Final = float("nan")
newaxis: Final = None
pi: Final = 3.141592653589793

bool: Final = np.bool
int8: Final = np.int8
int16: Final = np.int16
int32: Final = np.int32
int64: Final = np.int64
uint8: Final = np.uint8
uint16: Final = np.uint16
uint32: Final = np.uint32
uint64: Final = np.uint64
float16: Final = np.float16
float32: Final = np.float32
float64: Final = np.float64
complex64: Final = np.complex64
complex128: Final = np.complex128

# Declared for type checkers; `__getattr__` below finds them where ml_dtypes is installed.
bfloat16: type[np.generic]
float4_e2m1fn: type[np.generic]
float6_e2m3fn: type[np.generic]
float6_e3m2fn: type[np.generic]
float8_e3m4: type[np.generic]
float8_e4m3: type[np.generic]
float8_e4m3b11fnuz: type[np.generic]
float8_e4m3fn: type[np.generic]
float8_e4m3fnuz: type[np.generic]
float8_e5m2: type[np.generic]
float8_e5m2fnuz: type[np.generic]
float8_e8m0fnu: type[np.generic]
int2: type[np.generic]
int4: type[np.generic]
uint2: type[np.generic]
uint4: type[np.generic]


def __getattr__(name: str) -> type[np.generic]:
    """The dtypes of ml_dtypes, which is imported when the first of them is asked for."""
    if name not in __annotations__:
        raise AttributeError(f"module 'xpdl' has no attribute {name!r}")
    try:
        import ml_dtypes
    except ImportError:
        raise AttributeError(
            f"xpdl.{name} needs the package ml_dtypes: pip install 'xpdl[dtypes]'"
        ) from None
    if not hasattr(ml_dtypes, name):
        raise AttributeError(f"xpdl.{name} needs a newer ml_dtypes than {ml_dtypes.__version__}")
    scalar_type: type[np.generic] = getattr(ml_dtypes, name)
    return scalar_type


def __dir__() -> list[str]:
    """The public names of xpdl, which an editor completes, with those above if they are there."""
    import xpdl

    return sorted({*xpdl.__all__, *(__annotations__ if find_spec("ml_dtypes") else ())})
