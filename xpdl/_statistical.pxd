from xpdl._cext cimport Array, apply, check_dtype, reduce
