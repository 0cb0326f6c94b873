# x[key] and x[key] = value. Keys are what NumPy takes: ints, slices, None, Ellipsis, masks, integer
# arrays and lists, in any mix; an Array in a key must be on the device of x.

# An index of ints alone is, as in NumPy, the value of an element and no view of it: a program that
# swaps x[i] and x[j] must find what was there. A row is a view.

cdef Array row(Array x, object key):
    """``x[key]`` for an int on the CPU."""
    array = x.raw
    cdef int ndim = PyArray_NDIM(array)
    if ndim == 0:
        raise IndexError("__getitem__: a 0-d array takes no integer index; x[()] is its value")
    cdef Py_ssize_t n = PyArray_DIMS(array)[0]
    cdef Py_ssize_t i = PyNumber_AsSsize_t(key, NULL)  # the nearest for one that does not fit
    if not -n <= i < n:
        raise_out_of_bounds("__getitem__", key, n)
    cdef char* data = <char*>PyArray_DATA(array)
    data += (i + n if i < 0 else i) * PyArray_STRIDES(array)[0]
    if ndim == 1:
        return wrap_array(array_of_item(PyArray_DESCR(array), data), x.device)
    return wrap_array(
        ndarray_view(
            array, array, ndim - 1, PyArray_DIMS(array) + 1, PyArray_STRIDES(array) + 1, data),
        x.device)


cdef object raise_out_of_bounds(str name, object i, Py_ssize_t n):
    raise IndexError(f"{name}: index {i} is out of bounds for axis 0 with size {n}")


cdef inline bint is_plain(object index):
    """Whether every library takes ``index`` as it is."""
    return type(index) is int or type(index) is slice or index is None or index is Ellipsis


cdef object raw_index(str name, Array x, object index):
    """The library's index; every kind of integer becomes an int."""
    if type(index) is Array:
        a = raw_operand(name, "an index", index, x)
        if x.device is CPU and PyArray_NDIM(a) == 0 and a.dtype.kind in "iu":
            return int(a)
        return a
    if is_plain(index):
        return index
    if isinstance(index, np.integer) or hasattr(type(index), "__index__") and not (
            type(index) is bool or hasattr(type(index), "__array__")):
        return operator.index(index)
    return index


cdef object raw_key(str name, Array x, object key):
    """The library's key."""
    if type(key) is tuple:
        return raw_indices(name, x, key)
    index = raw_index(name, x, key)
    if type(index) is int and not fits(index) and x.raw.ndim > 0:
        raise_out_of_bounds(name, index, x.raw.shape[0])
    return index


cdef inline bint fits(object number) except -1:
    """Whether an int is in the range of what libraries take for an index, but for its ends."""
    return -INT64_MAX <= PyNumber_AsSsize_t(number, NULL) < INT64_MAX


cdef tuple raw_indices(str name, Array x, tuple indices):
    """The library's indices: another tuple only where one of them has to be another."""
    cdef Py_ssize_t i, count = len(indices)
    cdef tuple result
    for i in range(count):
        if not is_plain(indices[i]):
            break
    else:
        return indices
    result = PyTuple_New(count)
    for i in range(count):
        put(result, i, raw_index(name, x, indices[i]))
    return result


cdef object region(Array x, object key):
    """A key for assignment: with an Ellipsis an element takes what its array would take."""
    if type(key) is int:
        return key if x.device is CPU and PyArray_NDIM(x.raw) > 1 else (key, Ellipsis)
    if type(key) is tuple:
        for index in <tuple>key:
            if type(index) is not int:
                return key
        return <tuple>key + (Ellipsis,)
    return key


cdef Array get_item(Array x, object key):
    cdef Array result
    if type(key) is int and x.device is CPU:
        return row(x, key)
    library_key = raw_key("__getitem__", x, key)
    if x.device is not CPU:
        result = wrap(call_many(x.device, "__getitem__", (x.raw, library_key)), x.device)
        result.locked = shares_locked(x, result)
        return result
    return wrap(
        result_of(
            PyObject_GetItem(<PyObject*>x.raw, <PyObject*>library_key), "__getitem__",
            <PyObject*>x.raw, NULL),
        x.device)


cdef bint set_float(Array x, object key, double value):
    """``x[key] = value`` for an int in the range of a 1-d array of float64; False for others."""
    array = x.raw
    if x.device is not CPU or PyArray_TYPE(array) != cnp.NPY_DOUBLE or PyArray_NDIM(array) != 1:
        return False
    cdef Py_ssize_t n = PyArray_DIMS(array)[0]
    cdef Py_ssize_t i = PyNumber_AsSsize_t(key, NULL)
    if not -n <= i < n:
        return False
    memcpy(
        <char*>PyArray_DATA(array) + (i + n if i < 0 else i) * PyArray_STRIDES(array)[0],
        &value, sizeof(double))
    return True


cdef object set_item(Array x, object key, object value):
    """Assign as NumPy does: cast to the dtype of x, except from complex to real."""
    if is_readonly(x):
        raise_readonly("__setitem__")
    if type(value) is float and type(key) is int and set_float(x, key, value):
        return
    library_key = region(x, raw_key("__setitem__", x, key))
    if type(value) is not Array and isinstance(value, (list, tuple)):
        value = array_from("__setitem__", value, None, x.device, None)
    library_value = raw_operand("__setitem__", "value", value, x)
    if not is_complex(x) and (
            type(library_value) is complex or type(value) is Array and is_complex(<Array>value)):
        raise TypeError(
            f"__setitem__: value must be real for x of dtype {x.raw.dtype}, got a complex one; "
            f"take its real part with xpdl.real")
    if x.device is not CPU:
        call_many(x.device, "__setitem__", (x.raw, library_key, library_value))
        return None
    if PyObject_SetItem(<PyObject*>x.raw, <PyObject*>library_key, <PyObject*>library_value) < 0:
        raise_named("__setitem__", (x.raw,))
