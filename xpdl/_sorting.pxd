from xpdl._cext cimport Array, apply
