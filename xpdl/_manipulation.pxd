from xpdl._cext cimport (
    Array, apply, axes_from, axis_from, check_array, gather, ints_from, nary, shape_from, split, view,
)
