from xpdl._arguments cimport check_word, inexact_from, real_from
from xpdl._cext cimport (
    Array, Device, apply, axes_from, axis_from, check_array, check_axes, check_dtype, create, int_from,
    tuple_from,
)
