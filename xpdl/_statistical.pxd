from xpdl._arguments cimport axes_from
from xpdl._cext cimport Array, apply, check_result_dtype, reduce
