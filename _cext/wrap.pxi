# Between a library's array and an Array. A raw array never leaves the package, so its shape,
# strides and flags stay as they are: what comes in and what goes out is a view, and the base of a
# view that goes out is the Array.

cdef inline Array wrap_array(object raw, Device device):
    """Wrap a library's array that nobody outside the package holds."""
    cdef Array x = Array.__new__(Array)
    x.raw = raw
    x.device = device
    return x


cpdef inline Array wrap(object raw, Device device):
    """Wrap a library's result; a scalar of NumPy becomes 0-d."""
    if device is CPU and not PyArray_CheckExact(raw):
        return wrap_array(array_from_scalar(raw), device)
    return wrap_array(raw, device)


# NumPy hands out its scalars where a result is 0-d. The standard ones keep their value right behind
# the object's head, where it is read without a look-up of the dtype.

cdef enum:
    SCALAR_TYPES = 14

cdef PyTypeObject* scalar_types[SCALAR_TYPES]
cdef PyObject* scalar_descrs[SCALAR_TYPES]


cdef object fill_scalar_types():
    common = ("float64", "int64", "bool", "float32")
    names = (*common, *[name for name in DTYPES if name not in common])
    for i, name in enumerate(names):
        scalar_types[<int>i] = <PyTypeObject*>DTYPES[name].type
        scalar_descrs[<int>i] = <PyObject*>DTYPES[name]  # DTYPES keeps it alive


fill_scalar_types()


cdef object array_from_scalar(object scalar):
    """A 0-d ndarray of a library's scalar."""
    for i in range(SCALAR_TYPES):
        if Py_TYPE(<PyObject*>scalar) == scalar_types[i]:
            return array_of_item(
                scalar_descrs[i], <char*><PyObject*>scalar + SCALAR_VALUE_OFFSET)
    cdef int64_t count
    if type(scalar) is int and -INT64_MAX <= scalar <= INT64_MAX:
        count = scalar
        return array_of_item(<PyObject*>DTYPES["int64"], <char*>&count)
    return np.array(scalar)


cdef object array_of_item(PyObject* descr, const char* item):
    """A 0-d ndarray with a copy of an element in memory."""
    Py_INCREF(descr)
    array = new_ndarray(descr, 0, NULL, NULL, NULL, 0)
    memcpy(PyArray_DATA(array), item, PyArray_ITEMSIZE(array))
    return array


cdef object view_of_ndarray(object array):
    """A new ndarray over the memory of an ndarray, which it keeps alive."""
    return ndarray_view(
        array, array, PyArray_NDIM(array), PyArray_DIMS(array), PyArray_STRIDES(array),
        PyArray_DATA(array))


cdef object view_of_array(Array x):
    """A new ndarray for others over the memory of an Array on the CPU, which it keeps alive."""
    array = x.raw
    return ndarray_view(
        x, array, PyArray_NDIM(array), PyArray_DIMS(array), PyArray_STRIDES(array),
        PyArray_DATA(array))


cdef object ndarray_view(
        object base, object array, int ndim, const cnp.npy_intp* shape,
        const cnp.npy_intp* byte_strides, void* data):
    """An ndarray over some of the memory of ``array``, of its dtype and its writability."""
    cdef int flags = 0
    if PyArray_ISWRITEABLE(array):
        flags |= cnp.NPY_ARRAY_WRITEABLE
    if PyArray_ISALIGNED(array):
        flags |= cnp.NPY_ARRAY_ALIGNED
    Py_INCREF(PyArray_DESCR(array))
    view = new_ndarray(PyArray_DESCR(array), ndim, shape, byte_strides, data, flags)
    Py_INCREF(<PyObject*>base)
    PyArray_SetBaseObject(view, <PyObject*>base)
    return view


cdef inline bint is_readonly(Array x):
    return not PyArray_ISWRITEABLE(x.raw) if x.device is CPU else x.locked


cdef inline bint is_complex(Array x):
    if x.device is CPU:
        return cnp.NPY_CFLOAT <= PyArray_TYPE(x.raw) <= cnp.NPY_CLONGDOUBLE
    return x.raw.dtype.kind == "c"


cdef inline bint is_extended(Array x):
    """Whether the dtype is of ml_dtypes."""
    return (PyArray_TYPE(x.raw) if x.device is CPU else x.raw.dtype.num) >= BUILTIN_TYPES


cdef int protect(Array x) except -1:
    if x.device is CPU:
        x.raw.flags.writeable = False
    else:
        x.locked = True
    return 0


cpdef object raw(object x):
    """The library's array of an Array; it must not be changed or handed out."""
    return check_array("raw", "x", x).raw


cpdef Array check_array(str function, str parameter, object x):
    """``x`` itself if it is an Array, else TypeError."""
    if type(x) is not Array:
        raise_not_an_array(function, parameter, x)
    return <Array>x
