from xpdl._cext cimport Array, check_array, nary
