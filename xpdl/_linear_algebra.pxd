from xpdl._arguments cimport int_from, ints_from
from xpdl._cext cimport Array, binary, check_array, gather, nary, view
