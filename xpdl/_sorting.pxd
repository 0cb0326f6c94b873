from xpdl._cext cimport Array, apply, axis_from, flag_from
