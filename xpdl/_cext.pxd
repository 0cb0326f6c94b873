"""What compiled chapters may use of xpdl._cext: its two classes and the families of dispatch."""

cdef extern from "error_return.h":
    pass


cdef class Device:
    cdef readonly str type
    cdef readonly int id
    cdef str name
    cdef dict functions  # the backend's function table; None until the backend is loaded
    cdef dict integral_functions  # those of one array for integers and bool
    cdef dict complex_functions


cdef class Array:
    cdef object raw  # the library's array; this object never leaves the package
    cdef readonly Device device
    cdef bint locked  # read-only on a device whose library has no such flag; unused on the CPU
    cdef bytes element_strides  # storage lent out by the exchange API; None until asked for
    cdef object __weakref__


cpdef Array unary(str name, object x)
cpdef Array binary(str name, object x1, object x2)
cpdef Array reduce(str name, object x, object axis, object dtype, object keepdims)
cpdef Array apply(str name, object x, tuple args)
cpdef Array view(str name, object x, tuple args)
cpdef Array nary(str name, tuple operands, tuple args)
cpdef Array gather(str name, object arrays, tuple args)
cpdef tuple split(str name, object operands, tuple args)
cpdef Array create(str name, object device, tuple args)

cpdef bint has_half(object x)
cpdef bint has_infinity(object x)
cpdef bint has_sign(object x)
cpdef bint is_real_floating(object x) noexcept

cpdef Array array_from(str function, object obj, object dtype, object device, object copy)
cpdef object check_dtype(str function, object dtype)
cpdef object check_result_dtype(str function, object x, object dtype)
cpdef Device check_device(str function, object device)
cpdef Array check_array(str function, str parameter, object x)

cpdef object int_from(str function, str parameter, object value)
cpdef object ints_from(str function, str parameter, object value)
cpdef object tuple_from(str function, str parameter, object value)
cpdef object axis_from(str function, object x, object axis, bint optional=*)
cpdef object axes_from(str function, object x, str parameter, object axes, bint optional=*)
cpdef int check_axes(str function, Array x, object axes) except -1
cpdef int check_copy(str function, object copy) except -1
cpdef bint flag_from(str function, str parameter, object value) except -1
cpdef tuple shape_from(str function, object shape)

cpdef object raw(object x)
cpdef Array wrap(object raw, Device device)
