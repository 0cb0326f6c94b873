from xpdl._cext cimport are_ints

cpdef object int_from(str function, str parameter, object value)
cpdef object ints_from(str function, str parameter, object value)
cpdef object axes_from(str function, str parameter, object value)
cpdef object number_from(str function, str parameter, object value)
cpdef object real_from(str function, str parameter, object value)
cpdef object inexact_from(str function, str parameter, object number)
