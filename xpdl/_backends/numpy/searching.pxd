from xpdl._backends.numpy.raw cimport axes_of, scalar_like
