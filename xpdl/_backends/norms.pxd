# Compiled as it stands; nothing of it is used from C.

cdef extern from "error_return.h":
    pass
