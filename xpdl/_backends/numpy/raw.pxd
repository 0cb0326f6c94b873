cdef extern from "error_return.h":
    pass

cpdef bint any_set(object mask)
cpdef object scalar_like(object scalar, object x)
cpdef object complex_of(object x)
