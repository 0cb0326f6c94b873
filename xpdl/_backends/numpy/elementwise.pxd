from xpdl._backends.numpy.raw cimport any_set
from xpdl._cext cimport has_half, has_infinity, has_sign, is_real_floating

cdef object numpy_floor_divide
cdef object numpy_power

cpdef object bound_of_dtype(str name, object bound, object dtype)
cpdef object bound_of_integer(str name, object bound, object dtype)
