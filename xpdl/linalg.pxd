from xpdl._cext cimport Array, apply, binary, check_array, check_dtype, nary, split, view
