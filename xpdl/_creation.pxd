from xpdl._arguments cimport check_word, inexact_from, number_from, real_from
from xpdl._cext cimport (
    Array, Device, apply, array_from, check_array, check_device, check_dtype,
    check_result_dtype, create, flag_from, int_from, shape_from, split,
)
