from xpdl._arguments cimport inexact_from, real_from
from xpdl._cext cimport (
    Array, apply, axes_from, axis_from, binary, check_array, check_axes, check_result_dtype, flag_from,
    int_from, nary, split, view,
)
