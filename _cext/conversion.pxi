# asarray: what becomes an Array, and whether it shares memory.

cpdef Array array_from(str function, object obj, object dtype, object device, object copy):
    """``obj`` as an Array: the whole of ``asarray``."""
    dtype = check_dtype(function, dtype)
    check_copy(function, copy)
    if type(obj) is Array:
        return convert(function, <Array>obj, dtype, device, copy)
    cdef Device place = None if device is None else check_device(function, device)
    cdef Array x
    if PyArray_Check(obj):
        x = wrap_array(array_of_ndarray(function, obj, dtype, copy), CPU)
    elif isinstance(obj, (bool, int, float, complex, list, tuple, range, np.generic)):
        if copy is False:
            raise ValueError(
                f"{function}: copy=False cannot be honoured for {type_name(obj)}, "
                f"which has no array memory; use copy=None")
        found = device_in(function, obj, 0)
        if found is not None and found is not CPU:
            x = stacked(function, obj, dtype, 0)
        else:
            x = wrap_array(array_of_values(function, obj, dtype), CPU)
        if place is None:
            place = found  # of the arrays inside, before the default device
    elif hasattr(type(obj), "__dlpack__") and hasattr(type(obj), "__dlpack_device__"):
        x = from_dlpack(obj, copy=copy)
        if place is None:
            place = x.device
    elif hasattr(type(obj), "__cuda_array_interface__"):
        x = array_of_cuda_interface(function, obj, copy)
        if place is None:
            place = x.device
    elif PyObject_CheckBuffer(obj):
        buffer = call(memoryview, function, (obj,))
        x = wrap_array(
            array_of_ndarray(function, call(np.asarray, function, (buffer,)), dtype, copy), CPU)
    elif any_hook(type(obj)):
        array = call(array_of_protocol, function, (obj, copy))
        x = wrap_array(array_of_ndarray(function, array, dtype, None), CPU)
    else:
        raise TypeError(
            f"{function}: obj must be an array, a nested sequence of numbers, a scalar, or an "
            f"object with DLPack or a buffer, got {type_name(obj)}")
    # A copy that was asked for is made by now, or will be by the change of dtype.
    if place is None:
        place = check_device(function, None)
    return convert(function, x, dtype, place, None if copy is True else copy)


cdef Array convert(str function, Array x, object dtype, object device, object copy):
    """``x`` in a dtype on a device, copied only if that or ``copy`` needs it."""
    if device is not None and device is not x.device:
        x_moved = to_device(function, x, check_device(function, device), copy)
        if x_moved is not x:
            copy = None
        x = x_moved
    if dtype is not None and dtype != x.raw.dtype:
        if copy is False:
            raise ValueError(
                f"{function}: copy=False cannot be honoured for a change of dtype from "
                f"{x.raw.dtype} to {dtype}; use copy=None")
        if x.raw.dtype.kind == "c" and dtype.kind not in "cb":
            raise_complex(function, dtype)
        return wrap(call_many(x.device, "astype", (x.raw, dtype, True)), x.device)
    if copy:
        return wrap(call_many(x.device, "copy", (x.raw,)), x.device)
    return x


cdef Array to_device(str function, Array x, Device device, object copy, object stream=None):
    """``x`` on ``device``; what is not on the CPU gives the move and takes ``stream``."""
    if x.device is device:
        return x
    if copy is False:
        raise ValueError(
            f"{function}: copy=False cannot be honoured for a move from {x.device.name} to "
            f"{device.name}; use copy=None")
    require_backend(function, device)
    away = x.device if device is CPU else device
    move = "from_device" if device is CPU else "to_device"
    args = (x.raw,) if stream is None else (x.raw, stream)
    return wrap(call(<object>function_of(away, move), function, args), device)


cdef object array_of_ndarray(str function, object array, object dtype, object copy):
    """A private ndarray of a dtype that xpdl holds, in native byte order."""
    cdef DLDataType code
    check_unmasked(function, array)
    if not code_from_dtype(PyArray_TYPE(array), &code):
        raise TypeError(
            f"{function}: obj must have a dtype that xpdl holds (bool, integer, float, complex), "
            f"got {array.dtype}")
    if not PyArray_ISNOTSWAPPED(array):
        if copy is False:
            raise ValueError(
                f"{function}: copy=False cannot be honoured for data in foreign byte order; "
                f"use copy=None")
        return view_of_ndarray(array).astype(dtype_from_code(code))
    held = dtype_from_code(code)
    plain = view_of_ndarray(array)  # without the methods of a subclass
    if PyArray_DESCR(plain) != <PyObject*>held:  # an alias, or one with metadata
        plain = plain.view(held)
    if copy is True and (dtype is None or dtype == held):
        return PyArray_NewCopy(plain, cnp.NPY_KEEPORDER)
    return plain


cdef Array array_of_cuda_interface(str function, object obj, object copy):
    """An Array over the memory that ``obj.__cuda_array_interface__`` describes."""
    cdef Device device = intern_device("cuda", 0)
    cdef Array x
    require_backend(function, device)
    take = <object>function_of(device, "from_cuda_array_interface")
    number, raw, readonly = call(take, function, (obj,))
    device = intern_device("cuda", number)
    require_backend(function, device)
    x = wrap_array(raw, device)
    x.locked = readonly
    return wrap(call_many(device, "copy", (raw,)), device) if copy is True else x


def array_of_protocol(obj, copy, /):
    """What ``obj.__array__`` returns."""
    return np.asarray(obj, copy=copy)


cdef bint any_hook(object kind):
    return (hasattr(kind, "__array__") or hasattr(kind, "__array_interface__")
            or hasattr(kind, "__array_struct__"))


cdef bint is_masked(object array):
    return not PyArray_CheckExact(array) and isinstance(array, np.ma.MaskedArray)


cdef int check_unmasked(str function, object array) except -1:
    if is_masked(array):
        raise TypeError(
            f"{function}: obj must not be a masked array, whose mask would be lost; "
            f"use its filled() values")
    return 0


cdef object np_array = np.array


cdef object array_of_values(str function, object values, object dtype):
    """An ndarray of a scalar or of nested sequences of scalars and CPU arrays."""
    cdef DLDataType code
    try:
        array = np_array(values)
        if not code_from_dtype(PyArray_TYPE(array), &code) and not (
                array.dtype.kind == "O" and is_integral(values, 0)):
            raise TypeError(
                f"obj must hold numbers, got values that NumPy reads as dtype {array.dtype}")
        if dtype is not None and array.dtype != dtype:
            if array.dtype.kind == "c" and dtype.kind not in "cb":
                raise_complex(function, dtype)
            if dtype.num >= BUILTIN_TYPES and array.dtype.kind in "iu":
                for value in (array.min(), array.max()) if array.size else ():
                    check_small_integer(value, dtype)
            array = np.array(values, dtype=dtype)
        elif PyArray_TYPE(array) == cnp.NPY_DOUBLE and is_integral(values, 0):
            # NumPy makes floats of ints that do not all fit int64; they may all fit uint64.
            array = np.array(values, dtype=np.uint64)
    except RENAMED as error:
        renamed = named_error(function, error, ())
    else:
        if code_from_dtype(PyArray_TYPE(array), &code):
            return array
        renamed = OverflowError(
            f"{function}: obj must hold integers that fit int64 or uint64, got larger ones")
    raise renamed from None


cdef bint is_integral(object values, int depth):
    if isinstance(values, (list, tuple)) and depth < MAX_NDIM:
        for value in values:
            if not is_integral(value, depth + 1):
                return False
        return len(values) > 0
    return isinstance(values, (int, np.integer, np.bool))


cdef object raise_complex(str function, object dtype):
    raise TypeError(
        f"{function}: dtype must be complex for complex values, got {dtype}; "
        f"take the real part with xpdl.real")


cdef Device device_in(str function, object values, int depth):
    """The device of the Arrays nested in ``values``, None if there are none."""
    cdef Device found = None
    if type(values) is Array:
        return (<Array>values).device
    if not isinstance(values, (list, tuple)):
        return None
    if depth > MAX_NDIM:  # as every list is that holds itself
        raise ValueError(f"{function}: obj must be nested at most {MAX_NDIM} deep")
    PyErr_CheckSignals()
    for value in values:
        if is_scalar(value):
            continue
        if type(value) is Array or isinstance(value, (list, tuple)):
            device = device_in(function, value, depth + 1)
            if found is None:
                found = device
            elif device is not None and device is not found:
                raise_mixed_devices(function, found, device)
        elif PyArray_Check(value):
            check_unmasked(function, value)
    return found


cdef Array stacked(str function, object values, object dtype, int depth):
    """Nested sequences with arrays of a device other than the host inside, stacked there."""
    if type(values) is Array:
        return convert(function, <Array>values, dtype, None, None)
    cdef Device device = device_in(function, values, depth)
    raws = []
    for value in values:
        if device_in(function, value, depth + 1) is not None:
            raws.append(stacked(function, value, dtype, depth + 1).raw)
        else:
            raws.append(array_from(function, value, dtype, device, None).raw)
    return wrap(call(<object>function_of(device, "stack"), function, (tuple(raws), 0)), device)
