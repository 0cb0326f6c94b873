from xpdl._arguments cimport inexact_from, real_from
from xpdl._cext cimport Array, apply, binary, check_array, check_result_dtype, nary, split, view
