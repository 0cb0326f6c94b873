from xpdl._arguments cimport axes_from, ints_from
from xpdl._cext cimport Array, apply, check_array, gather, nary, shape_from, split, view
