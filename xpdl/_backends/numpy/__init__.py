"""What NumPy does for the CPU: tables from names to functions, and the repairs that it needs.

Each chapter of the standard has its table, in a module that small chapters share. An entry is
NumPy's own callable where its positional call is right. Otherwise it is a small function beside the
table whose docstring says which rule of the standard it restores. Functions get raw arrays, dtypes
that were checked and plain Python values; the dispatch puts the function's name before the text of
what they raise.
"""

from xpdl._backends.numpy.creation import CREATION, DATA_TYPE
from xpdl._backends.numpy.elementwise import COMPLEX, ELEMENTWISE, INTEGRAL
from xpdl._backends.numpy.fft import FFT
from xpdl._backends.numpy.linear_algebra import LINALG, LINEAR_ALGEBRA
from xpdl._backends.numpy.manipulation import INDEXING, MANIPULATION
from xpdl._backends.numpy.raw import undispatched
from xpdl._backends.numpy.searching import SEARCHING
from xpdl._backends.numpy.sorting import SET, SORTING
from xpdl._backends.numpy.statistical import STATISTICAL, UTILITY
from xpdl._cext import register_functions

TABLES = (
    ELEMENTWISE
    | STATISTICAL
    | SEARCHING
    | SORTING
    | SET
    | UTILITY
    | CREATION
    | DATA_TYPE
    | INDEXING
    | LINEAR_ALGEBRA
    | MANIPULATION
    | LINALG
    | FFT
)

FUNCTIONS = {name: undispatched(function) for name, function in TABLES.items()}

register_functions("cpu", FUNCTIONS, INTEGRAL, COMPLEX)
