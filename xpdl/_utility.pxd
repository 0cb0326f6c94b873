from xpdl._cext cimport Array, axis_from, check_array, int_from, nary, reduce
