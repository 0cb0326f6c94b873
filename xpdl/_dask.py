"""What Dask is told about arrays. It finds this by an entry point and calls it at import.

Nothing more is needed: Dask moves an Array by pickle protocol 5, whose buffers are its frames.
"""

from __future__ import annotations

import math
from typing import Any

from xpdl._cext import Array


def register_sizeof(sizeof: Any) -> None:
    """Register Array with ``dask.sizeof.sizeof``, by which Dask spills, moves and pauses."""
    sizeof.register(Array, size_of_elements)


def size_of_elements(x: Array) -> int:
    """The bytes of the elements, also of a view; what is broadcast counts once."""
    steps = zip(x.shape, x.strides, strict=True)
    return math.prod(n for n, step in steps if step != 0 or n == 0) * x.itemsize
