from xpdl._arguments cimport axes_from
from xpdl._cext cimport Array, apply, array_from, check_array, check_result_dtype, reduce
