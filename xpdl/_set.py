"""Set functions.

``x`` is flattened. Values come in ascending order. NaN, and a complex number with a NaN component,
is distinct from every other element; the two zeros are one value.

Source: array API 2025.12, set functions.
"""

from __future__ import annotations

from typing import NamedTuple

from xpdl._cext import Array, apply, flag_from, nary, split

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


class UniqueAllResult(NamedTuple):
    """What unique_all gives."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """What unique_counts gives."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """What unique_inverse gives."""

    values: Array
    inverse_indices: Array


def isin(
    x1: Array | bool | int | float | complex,
    x2: Array | bool | int | float | complex,
    /,
    *,
    invert: bool = False,
) -> Array:
    """Whether each element of ``x1`` equals one of ``x2``; the opposite under ``invert``.

    Returns bool of the shape of ``x1``, 0-d for a scalar. One operand may be a scalar. Integers are
    compared by value, where NumPy compares uint64 with signed ones as floats. NaN equals nothing.

    Raises
    ------
    TypeError
        If neither operand is an Array, or ``invert`` is not a bool.
    ValueError
        If the operands are on two devices.

    Source: array API 2025.12, set functions, ``isin``.
    """
    if x1 is None or x2 is None:
        raise TypeError("isin: x1 and x2 must be Arrays or scalars, got None")
    return nary("isin", (x1, x2), (flag_from("isin", "invert", invert),))


def unique_all(x: Array, /) -> UniqueAllResult:
    """The distinct values of ``x``, where each is first, what rebuilds ``x``, and their counts.

    Returns ``values`` of shape ``(K,)``, and int64 ``indices`` and ``counts`` of the same shape and
    ``inverse_indices`` of the shape of ``x``: ``values[inverse_indices]`` equals ``x``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, set functions, ``unique_all``.
    """
    return UniqueAllResult(*split("unique_all", (x,), ()))


def unique_counts(x: Array, /) -> UniqueCountsResult:
    """The distinct values of ``x`` and how often each occurs.

    Returns ``values`` and int64 ``counts``, both of shape ``(K,)``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, set functions, ``unique_counts``.
    """
    return UniqueCountsResult(*split("unique_counts", (x,), ()))


def unique_inverse(x: Array, /) -> UniqueInverseResult:
    """The distinct values of ``x`` and what rebuilds ``x`` from them.

    Returns ``values`` of shape ``(K,)`` and int64 ``inverse_indices`` of the shape of ``x``:
    ``values[inverse_indices]`` equals ``x``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, set functions, ``unique_inverse``.
    """
    return UniqueInverseResult(*split("unique_inverse", (x,), ()))


def unique_values(x: Array, /) -> Array:
    """The distinct values of ``x``, of shape ``(K,)``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array.

    Source: array API 2025.12, set functions, ``unique_values``.
    """
    return apply("unique_values", x, ())
