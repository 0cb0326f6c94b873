from xpdl._arguments cimport check_word
from xpdl._cext cimport Array, apply, axes_from, axis_from, check_array, flag_from, nary, split
