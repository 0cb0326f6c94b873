"""Checks of plain Python arguments that several chapters share: ints and numbers.

An int is what ``operator.index`` takes: bools of Python and 0-d integer Arrays are, floats and
bytes are not.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from xpdl._cext import are_ints


def index_from(value: Any) -> int:
    """What ``operator.index`` gives, but for NumPy's bool, which old versions of it take."""
    if isinstance(value, np.bool):
        raise TypeError
    return operator.index(value)


def int_from(function: str, parameter: str, value: Any) -> Any:
    """The int that ``value`` is."""
    if type(value) is int:
        return value
    try:
        return index_from(value)
    except TypeError:
        raise TypeError(f"{function}: {parameter} must be an int, got {value!r}") from None


def ints_from(function: str, parameter: str, value: Any) -> Any:
    """The int or, as a tuple, the ints that ``value`` is."""
    if type(value) is int or (type(value) is tuple and are_ints(value)):
        return value
    try:
        if isinstance(value, (str, bytes, bytearray)):
            raise TypeError
        if hasattr(value, "__iter__") and getattr(value, "ndim", 1) != 0:
            return tuple(map(index_from, value))
        return index_from(value)
    except TypeError:
        raise TypeError(
            f"{function}: {parameter} must be an int or a sequence of ints, got {value!r}"
        ) from None


def axes_from(function: str, parameter: str, value: Any) -> Any:
    """As ``ints_from``, but None stays None."""
    return None if value is None else ints_from(function, parameter, value)


def number_from(function: str, parameter: str, value: Any) -> Any:
    """The Python number that ``value`` is or holds; scalars of NumPy and 0-d arrays hold one."""
    if type(value) is int or type(value) is float:
        return value
    number = value
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        number = value.item()
    # The item of NumPy's times is an int in some units, but they are no numbers.
    if isinstance(value, (np.timedelta64, np.datetime64)) or not isinstance(
        number, (int, float, complex)
    ):
        raise TypeError(
            f"{function}: {parameter} must be a number or a 0-d Array, got {type(value).__name__}"
        )
    return number


def real_from(function: str, parameter: str, value: Any) -> Any:
    """The Python int or float that ``value`` is or holds."""
    number = number_from(function, parameter, value)
    if isinstance(number, complex):
        raise TypeError(f"{function}: {parameter} must be a real number, got {value!r}")
    return number


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
