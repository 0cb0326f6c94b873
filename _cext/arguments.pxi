# Arguments that are ints, axes or bools. An int is what operator.index takes: Python's bool and 0-d
# integer Arrays are ints, NumPy's bool and floats are not. No bool is an axis.

cdef bint are_ints(tuple items):
    """Whether all items are exactly of the type int."""
    for item in items:
        if type(item) is not int:
            return False
    return True


cdef object index_from(object value, bint no_bool):
    if isinstance(value, np.bool) or (no_bool and isinstance(value, bool)):
        raise TypeError
    return operator.index(value)


cdef object indices_from(object value, bint no_bool):
    """An int or, as a tuple, the ints in what can be iterated over."""
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError
    if not hasattr(value, "__iter__") or getattr(value, "ndim", 1) == 0:
        return index_from(value, no_bool)
    found = []
    for item in value:
        found.append(index_from(item, no_bool))
    return tuple(found)


cdef object raise_not(str requirement, str function, str parameter, object value):
    raise TypeError(f"{function}: {parameter} must be {requirement}, got {value!r}")


cpdef object int_from(str function, str parameter, object value):
    """The int that ``value`` is."""
    if type(value) is int:
        return value
    try:
        return index_from(value, False)
    except TypeError:
        pass
    raise_not("an int", function, parameter, value)


cpdef object ints_from(str function, str parameter, object value):
    """The int or, as a tuple, the ints that ``value`` is."""
    if type(value) is int or (type(value) is tuple and are_ints(<tuple>value)):
        return value
    try:
        return indices_from(value, False)
    except TypeError:
        pass
    raise_not("an int or a tuple of ints", function, parameter, value)


cpdef object tuple_from(str function, str parameter, object value):
    """The ints that ``value`` holds as a tuple; None stays None."""
    if value is None or (type(value) is tuple and are_ints(<tuple>value)):
        return value
    try:
        found = indices_from(value, True)
        if type(found) is tuple:
            return found
    except TypeError:
        pass
    raise_not("a tuple of ints or None", function, parameter, value)


cpdef object axis_from(str function, object x, object axis, bint optional=False):
    """The int that ``axis`` is; None stays None where it is ``optional``.

    If ``x`` is an Array, the axis is one of its own, and is counted from the first.
    """
    if axis is None and optional:
        return None
    found = axis
    if type(axis) is not int:
        try:
            found = index_from(axis, True)
        except TypeError:
            found = None
        if found is None:
            raise_not("an int or None" if optional else "an int", function, "axis", axis)
    if type(x) is Array:
        check_axes(function, <Array>x, found)
        if found < 0:
            return found + x.ndim
    return found


cpdef object axes_from(
        str function, object x, str parameter, object axes, bint optional=True):
    """The int or, as a tuple, the ints that ``axes`` is; None stays None where it is ``optional``.

    If ``x`` is an Array, the axes are its own.
    """
    if axes is None and optional:
        return None
    found = axes
    if type(axes) is not int and not (type(axes) is tuple and are_ints(<tuple>axes)):
        try:
            found = indices_from(axes, True)
        except TypeError:
            found = None
        if found is None:
            raise_not(
                "an int, a tuple of ints or None" if optional else "an int or a tuple of ints",
                function, parameter, axes)
    if type(x) is Array:
        check_axes(function, <Array>x, found)
    return found


cpdef int check_axes(str function, Array x, object axes) except -1:
    """AxisError, an IndexError and a ValueError, unless ``x`` has the one or several ``axes``.

    NumPy lets the axes 0 and -1 of a 0-d array pass in most functions, CuPy in none.
    """
    cdef Py_ssize_t ndim = PyArray_NDIM(x.raw) if x.device is CPU else x.raw.ndim
    if type(axes) is tuple:
        for axis in <tuple>axes:
            check_axis(function, ndim, axis)
    else:
        check_axis(function, ndim, axes)
    return 0


cdef inline int check_axis(str function, Py_ssize_t ndim, object axis) except -1:
    cdef int overflow = 0
    cdef long found = PyLong_AsLongAndOverflow(axis, &overflow)
    if overflow or not -ndim <= found < ndim:
        raise np.exceptions.AxisError(
            f"{function}: axis {axis} is out of bounds for array of dimension {ndim}")
    return 0


cpdef bint flag_from(str function, str parameter, object value) except -1:
    """The bool that ``value`` is; ints and 0-d Arrays of bools or ints count as one."""
    if type(value) is bool:
        return value
    if isinstance(value, (int, np.bool, np.integer)) or (
            type(value) is Array and value.ndim == 0 and value.dtype.kind in "biu"):
        return bool(value)
    raise_not("a bool", function, parameter, value)


cpdef int check_copy(str function, object copy) except -1:
    """TypeError unless ``copy`` is True, False or None."""
    if copy is not None and type(copy) is not bool:
        raise_not("True, False or None", function, "copy", copy)
    return 0


cpdef tuple shape_from(str function, object shape):
    """A shape, given as an int or a sequence of ints, as a tuple."""
    if type(shape) is int:
        sizes = (shape,)
    elif type(shape) is tuple and are_ints(<tuple>shape):
        sizes = shape
    else:
        sizes = sizes_from(function, shape)
    for size in sizes:
        if size < -1:  # libraries take it for -1 where that is allowed
            raise ValueError(f"{function}: shape must not have negative sizes, got {sizes}")
    return sizes


cdef tuple sizes_from(str function, object shape):
    try:
        if isinstance(shape, (tuple, list)):
            return tuple(map(operator.index, shape))
        return (operator.index(shape),)
    except TypeError:
        pass
    raise_not("an int or a tuple of ints", function, "shape", shape)
