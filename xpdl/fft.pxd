from xpdl._arguments cimport axes_from, inexact_from, int_from, real_from
from xpdl._cext cimport Array, Device, apply, check_array, check_dtype, create
