from xpdl._backends.numpy.raw cimport complex_of

cpdef object root_of_squares(object x, object axis, object keepdims)
