from xpdl._arguments cimport int_from
from xpdl._cext cimport Array, check_array, nary, reduce
