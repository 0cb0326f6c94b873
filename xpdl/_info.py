"""Inspection: what the namespace and its devices can do.

Source: array API 2025.12, inspection.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from xpdl._backends.cupy import devices as gpus
from xpdl._cext import DTYPES, Device, check_device, default_device
from xpdl._data_type import KINDS, kind_of

__all__ = ["__array_namespace_info__"]


class Info:
    """What ``__array_namespace_info__`` returns.

    Source: array API 2025.12, inspection.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "xpdl.__array_namespace_info__()"

    def capabilities(self) -> dict[str, Any]:
        """Whether masks and data-dependent shapes work, and the largest number of dimensions.

        Source: array API 2025.12, inspection, ``capabilities``.
        """
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> Device:
        """Device of arrays that are created without ``device=``.

        Source: array API 2025.12, inspection, ``default_device``.
        """
        return default_device()

    def default_dtypes(
        self, *, device: Device | str | tuple[int, int] | None = None
    ) -> dict[str, np.dtype[Any]]:
        """Default dtype of each kind of array, the same on every device.

        The keys are ``"real floating"``, ``"complex floating"``, ``"integral"`` and ``"indexing"``.

        Raises
        ------
        TypeError, ValueError
            If ``device`` is no device.

        Source: array API 2025.12, inspection, ``default_dtypes``.
        """
        check_device("default_dtypes", device)
        return {
            "real floating": DTYPES["float64"],
            "complex floating": DTYPES["complex128"],
            "integral": DTYPES["int64"],
            "indexing": DTYPES["int64"],
        }

    def devices(self) -> tuple[Device, ...]:
        """Devices that arrays can be created on: the CPU, and CUDA devices if there are any.

        Source: array API 2025.12, inspection, ``devices``.
        """
        return (Device("cpu"), *gpus())

    def dtypes(
        self,
        *,
        device: Device | str | tuple[int, int] | None = None,
        kind: str | tuple[str, ...] | None = None,
    ) -> dict[str, np.dtype[Any]]:
        """The standard's dtypes by name, all for None or those of a kind or of a tuple of kinds.

        The kinds are those of ``isdtype``. Dtypes beyond the standard are not listed.

        Raises
        ------
        TypeError
            If ``kind`` is neither a str nor a tuple.
        ValueError
            If ``kind`` is unknown, or ``device`` is no device.

        Source: array API 2025.12, inspection, ``dtypes``.
        """
        check_device("dtypes", device)
        wanted: set[str] = set()
        for item in kind if isinstance(kind, (tuple, list)) else KINDS if kind is None else (kind,):
            if not isinstance(item, str):
                raise TypeError(f"dtypes: kind must be a str or a tuple of str, got {kind!r}")
            if item not in KINDS:
                raise ValueError(
                    f"dtypes: kind must be one of {', '.join(map(repr, KINDS))}, got {item!r}"
                )
            wanted.update(KINDS[item])
        return {
            name: dtype
            for name, dtype in DTYPES.items()
            if name != "float16" and kind_of(dtype) in wanted
        }


def __array_namespace_info__() -> Info:  # noqa: N807
    """The namespace's inspection functions, as methods of one object.

    Source: array API 2025.12, inspection, ``__array_namespace_info__``.
    """
    return Info()
