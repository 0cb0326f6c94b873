from xpdl._cext cimport (
    Array, axes_from, axis_from, binary, check_array, check_axes, gather, int_from, nary,
    view,
)
