from xpdl._backends.numpy.raw cimport axes_of, scalar_like

cpdef object count_along(object x, object axis)
cpdef object undefined(object x, object axis, object keepdims)
cpdef object var(object x, object axis, object correction, object keepdims)
