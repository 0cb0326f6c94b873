from xpdl._cext cimport Array, Device, apply, check_array, check_dtype, create
