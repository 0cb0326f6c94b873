"""Which installed libraries exchange arrays, found out by exchanging arrays between them.

``libraries`` says how each library makes and imports arrays, ``exchange`` judges one exchange,
``processes`` makes those of a pair of libraries in a process of its own, and ``matrix`` puts the
pairs together.
"""

from xpdl._interop.exchange import OUTCOMES, Exchange
from xpdl._interop.libraries import DTYPES, KINDS, LAYOUTS, LIBRARIES, installed
from xpdl._interop.matrix import Group, Matrix, count_pairs, measure_matrix
from xpdl._interop.processes import Failure

__all__ = [
    "DTYPES",
    "KINDS",
    "LAYOUTS",
    "LIBRARIES",
    "OUTCOMES",
    "Exchange",
    "Failure",
    "Group",
    "Matrix",
    "count_pairs",
    "installed",
    "measure_matrix",
]
