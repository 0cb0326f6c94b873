"""The constants of the standard and the data types, which are ``numpy.dtype`` instances.

Source: array API 2025.12, constants and data types.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from xpdl._cext import DTYPES

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

bool: Final = DTYPES["bool"]
int8: Final = DTYPES["int8"]
int16: Final = DTYPES["int16"]
int32: Final = DTYPES["int32"]
int64: Final = DTYPES["int64"]
uint8: Final = DTYPES["uint8"]
uint16: Final = DTYPES["uint16"]
uint32: Final = DTYPES["uint32"]
uint64: Final = DTYPES["uint64"]
float16: Final = DTYPES["float16"]
float32: Final = DTYPES["float32"]
float64: Final = DTYPES["float64"]
complex64: Final = DTYPES["complex64"]
complex128: Final = DTYPES["complex128"]

# Declared for type checkers; `__getattr__` below finds them where ml_dtypes is installed.
bfloat16: np.dtype[Any]
float4_e2m1fn: np.dtype[Any]
float6_e2m3fn: np.dtype[Any]
float6_e3m2fn: np.dtype[Any]
float8_e3m4: np.dtype[Any]
float8_e4m3: np.dtype[Any]
float8_e4m3b11fnuz: np.dtype[Any]
float8_e4m3fn: np.dtype[Any]
float8_e4m3fnuz: np.dtype[Any]
float8_e5m2: np.dtype[Any]
float8_e5m2fnuz: np.dtype[Any]
float8_e8m0fnu: np.dtype[Any]
int2: np.dtype[Any]
int4: np.dtype[Any]
uint2: np.dtype[Any]
uint4: np.dtype[Any]


def __getattr__(name: str) -> np.dtype[Any]:
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
    dtype: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
    return dtype
