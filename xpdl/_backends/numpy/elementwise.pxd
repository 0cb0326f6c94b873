from xpdl._backends.numpy.raw cimport any_set
from xpdl._cext cimport has_infinity

cpdef object bound_of_dtype(str name, object bound, object dtype)
cpdef object bound_of_integer(str name, object bound, object dtype)
