"""Whether the contestants of a case do the same: their results, as NumPy's arrays, are equal."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

import xpdl as xp

__all__ = ["Compared", "check_agreement"]

Compared = Literal["values", "sorted values", "shapes"]

CAPSULE = type(xp.zeros(1).__dlpack__())
KINDS = {"i": "int", "u": "int", "f": "float", "c": "complex", "b": "bool"}


def check_agreement(results: Sequence[object], compared: Compared, tolerance: float) -> None:
    """AssertionError unless every result equals the first: structure, shapes, kinds and values.

    Values may differ by ``tolerance``, relative to the largest.
    """
    first, *others = [_plain(result) for result in results]
    for other in others:
        _check_equal(first, other, compared, tolerance)


def _plain(result: Any) -> Any:
    """Arrays as NumPy's, sequences as lists of these, everything else as it is.

    Of the limits of a dtype the standard's common ones count, of an object that describes a
    namespace what it can be asked.
    """
    if hasattr(result, "bits"):
        return [float(limit) for limit in (result.bits, result.min, result.max)]
    if hasattr(result, "default_dtypes"):
        return sorted(name for name in dir(result) if not name.startswith("_"))
    if isinstance(result, (tuple, list)):
        return [_plain(item) for item in result]
    if isinstance(result, np.generic):
        return np.asarray(result)
    if isinstance(result, CAPSULE):
        result = xp.from_dlpack(result)
    if isinstance(result, xp.ReadOnlyWrapper) or type(result).__module__.startswith("tvm_ffi"):
        result = xp.from_dlpack(result)
    if isinstance(result, xp.Array):
        return np.asarray(result.to_device("cpu"))
    if type(result).__module__.startswith("cupy"):
        return result.get() if hasattr(result, "get") else result
    if hasattr(result, "__dlpack__"):
        return np.asarray(result if hasattr(result, "__array__") else np.from_dlpack(result))
    return result


def _check_equal(a: Any, b: Any, compared: Compared, tolerance: float) -> None:
    if isinstance(a, list) and isinstance(b, list):
        assert len(a) == len(b), f"{len(a)} results beside {len(b)}"
        for item, other in zip(a, b, strict=True):
            _check_equal(item, other, compared, tolerance)
    elif isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a), np.asarray(b)
        assert a.shape == b.shape, f"shape {a.shape} beside {b.shape}"
        assert KINDS.get(a.dtype.kind) == KINDS.get(b.dtype.kind), f"{a.dtype} beside {b.dtype}"
        if compared == "sorted values":
            a, b = np.sort(a, axis=None), np.sort(b, axis=None)
        if compared != "shapes":
            _check_values(a, b, tolerance)
    else:
        assert a == b, f"{a!r} beside {b!r}"


def _check_values(a: np.ndarray, b: np.ndarray, tolerance: float) -> None:
    if a.dtype.kind not in "fc":
        assert np.array_equal(a, b), "the values differ"
        return
    with np.errstate(invalid="ignore"):
        largest = np.max(np.abs(b), initial=0, where=np.isfinite(b))
        same = np.isclose(a, b, rtol=0, atol=tolerance * largest, equal_nan=True)
    assert np.all(same), f"the values differ by more than {tolerance} of the largest"
