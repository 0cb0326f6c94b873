from xpdl._arguments cimport real_from
from xpdl._cext cimport (
    Array, apply, array_from, axes_from, axis_from, check_array, check_result_dtype, flag_from, reduce,
)
