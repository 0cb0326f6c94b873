"""Checks of arguments that are numbers or words, which several chapters share."""

from __future__ import annotations

from typing import Any

import numpy as np


def number_in(value: Any) -> Any:
    """The Python number that ``value`` is or holds, None if there is none.

    Scalars of NumPy and 0-d arrays hold one. The item of NumPy's times is an int in some units,
    but no number.
    """
    if type(value) is int or type(value) is float:
        return value
    number = value
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        if isinstance(value, (np.timedelta64, np.datetime64)):
            return None
        number = value.item()
    return number if isinstance(number, (int, float, complex)) else None


def number_from(function: str, parameter: str, value: Any) -> Any:
    """The Python number that ``value`` is or holds."""
    number = number_in(value)
    if number is None:
        raise TypeError(
            f"{function}: {parameter} must be a number or a 0-d Array, got {type(value).__name__}"
        )
    return number


def real_from(function: str, parameter: str, value: Any) -> Any:
    """The Python int or float that ``value`` is or holds."""
    number = number_in(value)
    if number is None or isinstance(number, complex):
        raise TypeError(f"{function}: {parameter} must be a real number, got {value!r}")
    return number


def check_word(function: str, parameter: str, value: Any, words: tuple[str, ...]) -> None:
    """ValueError unless ``value`` is one of ``words``."""
    if not (isinstance(value, str) and value in words):
        *first, last = map(repr, words)
        raise ValueError(
            f"{function}: {parameter} must be {', '.join(first)} or {last}, got {value!r}"
        )


def inexact_from(function: str, parameter: str, number: Any) -> Any:
    """A Python number as the float or complex nearest to it."""
    if not isinstance(number, int):
        return number
    try:
        return float(number)
    except OverflowError:
        raise OverflowError(
            f"{function}: {parameter} must fit a float, got an int of {number.bit_length()} bits"
        ) from None
