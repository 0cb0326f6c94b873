from xpdl._cext cimport Array, Device, array_from, check_array, check_dtype, flag_from
