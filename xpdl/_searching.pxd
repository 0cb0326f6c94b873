from xpdl._cext cimport Array, apply, check_array, nary, split
