cpdef object number_in(object value)
cpdef object number_from(str function, str parameter, object value)
cpdef object real_from(str function, str parameter, object value)
cpdef object inexact_from(str function, str parameter, object number)
