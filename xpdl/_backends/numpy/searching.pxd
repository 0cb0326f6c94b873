from xpdl._backends.numpy.raw cimport scalar_like
