"""Data type functions.

Source: array API 2025.12, data type functions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from xpdl._cext import Array, Device, array_from, check_array, check_dtype, flag_from

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]

# The kinds of the standard, each with the kinds it is the union of.
KINDS = {
    "bool": ("bool",),
    "signed integer": ("signed integer",),
    "unsigned integer": ("unsigned integer",),
    "integral": ("signed integer", "unsigned integer"),
    "real floating": ("real floating",),
    "complex floating": ("complex floating",),
    "numeric": ("signed integer", "unsigned integer", "real floating", "complex floating"),
}
KIND_OF_LETTER = {
    "b": "bool",
    "i": "signed integer",
    "u": "unsigned integer",
    "f": "real floating",
    "c": "complex floating",
}
# In place of a Python scalar: promotion depends on its kind only. In the order of the kinds.
WEAK: dict[type, bool | int | float | complex] = {bool: False, int: 0, float: 0.0, complex: 0j}


class FInfo(NamedTuple):
    """Limits of a real floating dtype, as Python numbers; ``dtype`` is that dtype."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: np.dtype[Any]


class IInfo(NamedTuple):
    """Limits of an integer dtype, as Python ints; ``dtype`` is that dtype."""

    bits: int
    max: int
    min: int
    dtype: np.dtype[Any]


def astype(
    x: Array,
    dtype: DTypeLike,
    /,
    *,
    copy: bool = True,
    device: Device | str | tuple[int, int] | None = None,
) -> Array:
    """``x`` cast to ``dtype``, whatever type promotion says, on ``device`` or on its own.

    Copy, unless ``copy=False`` and neither dtype nor device change: then ``x`` itself.
    NumPy differs: complex to real drops the imaginary part with a warning there.

    Raises
    ------
    TypeError
        If ``x`` is not an Array, ``dtype`` is none that xpdl holds, or it is real and ``x``
        complex.

    Source: array API 2025.12, data type functions, ``astype``.
    """
    source = check_array("astype", "x", x)
    return array_from(
        "astype",
        source,
        required_dtype("astype", "dtype", dtype),
        device,
        True if flag_from("astype", "copy", copy) else None,
    )


def can_cast(from_: DTypeLike | Array, to: DTypeLike, /) -> bool:
    """Whether a dtype, or an Array's dtype, casts to another by type promotion.

    Between kinds, which the standard leaves open, it follows NumPy: a cast that keeps every value
    is one, and so is that of 64-bit integers to float64, which rounds those beyond 2**53.

    Raises
    ------
    TypeError
        If an argument is neither a dtype nor, the first, an Array.

    Source: array API 2025.12, data type functions, ``can_cast``.
    """
    source = dtype_of("can_cast", "from_", from_)
    return bool(np.can_cast(source, required_dtype("can_cast", "to", to)))


def finfo(type: DTypeLike | Array, /) -> FInfo:
    """Limits of a floating dtype, or of an Array's; of the component dtype for complex ones.

    Returns ``bits``, ``eps``, ``max``, ``min`` and ``smallest_normal`` as Python numbers, and
    ``dtype``.

    Raises
    ------
    TypeError
        If ``type`` is neither a floating dtype nor an Array of one.

    Source: array API 2025.12, data type functions, ``finfo``.
    """
    return limits_of_floating(dtype_of("finfo", "type", type))


def iinfo(type: DTypeLike | Array, /) -> IInfo:
    """Limits of an integer dtype, or of an Array's.

    Returns ``bits``, ``max`` and ``min`` as Python ints, and ``dtype``.

    Raises
    ------
    TypeError
        If ``type`` is neither an integer dtype nor an Array of one.

    Source: array API 2025.12, data type functions, ``iinfo``.
    """
    return limits_of_integer(dtype_of("iinfo", "type", type))


def isdtype(dtype: DTypeLike, kind: DTypeLike | str | tuple[DTypeLike | str, ...]) -> bool:
    """Whether ``dtype`` equals a dtype, is of a kind, or is or does so for one of a tuple.

    The kinds are ``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"integral"``,
    ``"real floating"``, ``"complex floating"`` and ``"numeric"``. The dtypes beyond the standard,
    float16 and those of ml_dtypes, belong to the kind of their values.

    Raises
    ------
    TypeError
        If ``dtype`` is no dtype, or ``kind`` neither a dtype, a str nor a tuple of these.
    ValueError
        If a str is no kind of the standard.

    Source: array API 2025.12, data type functions, ``isdtype``.
    """
    found = required_dtype("isdtype", "dtype", dtype)
    own = kind_of(found)
    for item in kind if isinstance(kind, (tuple, list)) else (kind,):
        if isinstance(item, str):
            if item not in KINDS:
                raise ValueError(
                    f"isdtype: kind must be one of {', '.join(map(repr, KINDS))}, got {item!r}"
                )
            if own in KINDS[item]:
                return True
        elif found == required_dtype("isdtype", "kind", item):
            return True
    return False


def result_type(
    *arrays_and_dtypes: Array | DTypeLike | bool | int | float | complex,
) -> np.dtype[Any]:
    """Dtype that type promotion gives for Arrays, dtypes and Python scalars together.

    Scalars count by their kind only, not by their value or, for NumPy's, by their dtype. Mixed
    kinds, which the standard leaves open, follow NumPy.

    Raises
    ------
    TypeError
        If no argument is an Array or a dtype, or one is something else.

    Source: array API 2025.12, data type functions, ``result_type``.
    """
    typed: list[np.dtype[Any]] = []
    weak: list[bool | int | float | complex] = []
    for item in arrays_and_dtypes:
        if isinstance(item, Array):
            typed.append(item.dtype)
        elif isinstance(item, (bool, int, float, complex, np.generic)):
            weak.append(weak_from(item))
        else:
            typed.append(required_dtype("result_type", "each argument", item))
    if not typed:
        raise TypeError(
            "result_type: at least one argument must be an Array or a dtype, got "
            + (", ".join(type(item).__name__ for item in arrays_and_dtypes) or "none")
        )
    if not weak and typed.count(typed[0]) == len(typed):
        return typed[0]
    if weak and any(dtype.kind == "V" for dtype in typed):
        weak = stronger_scalars(weak, np.result_type(*typed))
    found: np.dtype[Any] = np.result_type(*typed, *weak)
    return found


def required_dtype(function: str, parameter: str, dtype: Any) -> np.dtype[Any]:
    """The numpy dtype meant by ``dtype``; None means none."""
    found: np.dtype[Any] | None = check_dtype(function, dtype)
    if found is None:
        raise TypeError(f"{function}: {parameter} must be a dtype, got None")
    return found


def dtype_of(function: str, parameter: str, x: Any) -> np.dtype[Any]:
    """The dtype of an Array, or the dtype meant by anything else."""
    return x.dtype if isinstance(x, Array) else required_dtype(function, parameter, x)


def weak_from(scalar: Any) -> bool | int | float | complex:
    """A Python scalar of the kind of ``scalar``, which stands for it in promotion."""
    value = scalar.item() if isinstance(scalar, np.generic) else scalar
    for kind, weak in WEAK.items():
        if isinstance(value, kind):
            return weak
    raise TypeError(f"result_type: scalars must be numbers, got {type(scalar).__name__}")


def stronger_scalars(weak: list[Any], dtype: np.dtype[Any]) -> list[Any]:
    """The scalars of a higher kind than a dtype's; NumPy lets others promote ml_dtypes' too."""
    kind = kind_of(dtype)
    kinds = list(WEAK)
    lower = kinds[: 2 if kind in KINDS["integral"] else 3 if kind == "real floating" else 4]
    return [scalar for scalar in weak if type(scalar) not in lower]


def kind_of(dtype: np.dtype[Any]) -> str:
    """The standard's kind of a dtype; those of ml_dtypes tell it by their names only."""
    kind = KIND_OF_LETTER.get(dtype.kind)
    if kind is not None:
        return kind
    if dtype.name.startswith("int"):
        return "signed integer"
    return "unsigned integer" if dtype.name.startswith("uint") else "real floating"


@lru_cache(maxsize=64)
def limits_of_floating(dtype: np.dtype[Any]) -> FInfo:
    """What ``finfo`` returns for a dtype."""
    if kind_of(dtype) not in ("real floating", "complex floating"):
        raise TypeError(f"finfo: type must be a floating dtype, got {dtype}; iinfo is for integers")
    info = library_limits(dtype, "finfo")
    return FInfo(
        bits=int(info.bits),
        eps=float(info.eps),
        max=float(info.max),
        min=float(info.min),
        smallest_normal=float(info.smallest_normal),
        dtype=np.dtype(info.dtype),
    )


@lru_cache(maxsize=64)
def limits_of_integer(dtype: np.dtype[Any]) -> IInfo:
    """What ``iinfo`` returns for a dtype."""
    if kind_of(dtype) not in ("signed integer", "unsigned integer"):
        raise TypeError(f"iinfo: type must be an integer dtype, got {dtype}; finfo is for floats")
    info = library_limits(dtype, "iinfo")
    return IInfo(bits=int(info.bits), max=int(info.max), min=int(info.min), dtype=dtype)


def library_limits(dtype: np.dtype[Any], function: str) -> Any:
    """The ``finfo`` or ``iinfo`` of the library that the dtype comes from."""
    if dtype.kind in KIND_OF_LETTER:
        return getattr(np, function)(dtype)
    import ml_dtypes

    return getattr(ml_dtypes, function)(dtype)
