from xpdl._cext cimport Array, binary, check_array, nary, view
