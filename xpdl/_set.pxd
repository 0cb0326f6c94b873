from xpdl._cext cimport Array, apply, flag_from, nary, split
