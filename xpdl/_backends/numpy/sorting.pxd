from xpdl._backends.numpy.raw cimport any_set

cpdef object backwards(object x, object axis)
cpdef bint has_nan(object x)
