from xpdl._backends.numpy.raw cimport scalar_like

cpdef object count_along(object x, object axis)
cpdef object undefined(object x, object axis, object keepdims)
cpdef object var(object x, object axis, object correction, object keepdims)
