from xpdl._arguments cimport check_word, inexact_from, number_in, real_from
from xpdl._cext cimport (
    Array, apply, axes_from, axis_from, binary, check_array, check_axes, check_result_dtype, flag_from,
    int_from, nary, split, view,
)
