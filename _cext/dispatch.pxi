# The families of functions: check the operands, call the function of their device's table on the
# raw arrays, wrap the result. A table is keyed by the public name, which also begins every error.

# Names are interned and tables never change, so that a look-up that was made before is found again
# by addresses alone. A place holds references: no address in it can become that of something else.
# It cannot be written at once, so without the GIL nothing is remembered.

cdef enum:
    FOUND_PLACES = 256

ctypedef struct Found:
    PyObject* table
    PyObject* name
    PyObject* function

cdef Found found_before[FOUND_PLACES]


cdef inline PyObject* function_of(Device device, str name) except NULL:
    return function_in(device.functions, device, name)


cdef inline PyObject* function_in(dict table, Device device, str name) except NULL:
    cdef Found* found = &found_before[(<uintptr_t><PyObject*>name >> 4) % FOUND_PLACES]
    if found.name == <PyObject*>name and found.table == <PyObject*>table:
        return found.function
    return look_up(table, device, name, found)


cdef PyObject* look_up(dict table, Device device, str name, Found* found) except NULL:
    cdef PyObject* function = PyDict_GetItemWithError(table, name)
    if function == NULL:
        raise NotImplementedError(f"{name}: not available on {device.name}")
    if not HAS_GIL:
        return function
    cdef Found before = found[0]
    found[0] = Found(<PyObject*>table, <PyObject*>name, function)
    Py_INCREF(found.table)
    Py_INCREF(found.name)
    Py_INCREF(found.function)
    Py_XDECREF(before.table)
    Py_XDECREF(before.name)
    Py_XDECREF(before.function)
    return function


cdef inline object result_of(PyObject* result, str name, PyObject* x1, PyObject* x2):
    """Take over a new reference to a library's result, or raise the exception it left.

    ``x1`` and ``x2`` are the operands for the message; ``x2`` is NULL where there is one.
    """
    if result == NULL:
        raise_named(name, (<object>x1,) if x2 == NULL else (<object>x1, <object>x2))
    return taken(result)


cdef inline object taken(PyObject* owned):
    value = <object>owned
    Py_DECREF(owned)
    return value


cdef inline Array call_one(PyObject* function, str name, Array x):
    cdef PyObject* args[2]
    args[0] = <PyObject*>x.raw
    return wrap(
        result_of(call_elementwise(function, args, 1, x), name, args[0], NULL), x.device)


cdef inline Array call_two(str name, PyObject* x1, PyObject* x2, Array beside):
    cdef PyObject* args[3]
    args[0] = x1
    args[1] = x2
    return wrap(
        result_of(
            call_elementwise(function_of(beside.device, name), args, 2, beside), name, x1, x2),
        beside.device)


cdef PyTypeObject* UFUNC = <PyTypeObject*>np.ufunc
cdef object AS_ARRAY = ("out",) if keeps_arrays() else None


cdef bint keeps_arrays():
    """Whether ufuncs take ``out=...``, as NumPy 2.3 and later do."""
    try:
        np.positive(1.0, out=...)
    except TypeError:
        return False
    return True


cdef inline PyObject* call_elementwise(
        PyObject* function, PyObject** args, size_t count, Array x) noexcept:
    """Call a function with ``count`` operands, ``x`` among them; ``args`` has room for one more.

    A ufunc makes a scalar of 0-d operands, but with ``out=...`` the array that xpdl needs.
    """
    if Py_TYPE(function) == UFUNC and PyArray_NDIM(x.raw) == 0 and AS_ARRAY is not None:
        args[count] = <PyObject*>...
        return PyObject_Vectorcall(function, args, count, <PyObject*>AS_ARRAY)
    return PyObject_Vectorcall(function, args, count, NULL)


cdef object call_many(Device device, str name, tuple args):
    return call(<object>function_of(device, name), name, args)


cdef object call(object function, str name, tuple args):
    """Call a library's function; its errors get ``name`` in front."""
    cdef PyObject* result = PyObject_Call(<PyObject*>function, args, NULL)
    if result == NULL:
        raise_named(name, args)
    return taken(result)


cdef tuple with_first(object first, tuple args):
    """``(first, *args)``."""
    cdef tuple result = PyTuple_New(len(args) + 1)
    cdef Py_ssize_t i
    put(result, 0, first)
    for i in range(len(args)):
        put(result, i + 1, args[i])
    return result


cdef inline void put(tuple new, Py_ssize_t i, object item) noexcept:
    """Set an item of a tuple that nobody else has seen yet."""
    Py_INCREF(<PyObject*>item)
    PyTuple_SET_ITEM(new, i, <PyObject*>item)


# ----------------------------------------------------------------------------------- operands

cdef inline bint is_scalar(object x):
    """Whether ``x`` is exactly a Python scalar, which is weak in type promotion."""
    return type(x) is float or type(x) is int or type(x) is bool or type(x) is complex


cdef object scalar_from(object x):
    """The Python scalar that ``x`` counts as, or None: NumPy scalars count as their kind's."""
    if is_scalar(x):
        return x
    if isinstance(x, np.generic):
        if isinstance(x, (np.number, np.bool)) and not isinstance(x, np.timedelta64):
            value = x.item()
            if is_scalar(value):
                return value
        if code_of_ml_scalar(x):
            return x.item() if is_scalar(x.item()) else float(x)
        return None
    for kind in (bool, int, float, complex):  # subclasses: enumerations, users' own
        if isinstance(x, kind):
            return kind(x)
    return None


cdef bint code_of_ml_scalar(object x):
    cdef DLDataType code
    return code_from_dtype(x.dtype.num, &code)


cdef inline object raw_operand(str name, str parameter, object x, Array beside):
    """What the library gets for an operand beside the array ``beside``."""
    if type(x) is Array and (<Array>x).device is beside.device:
        check_computable(name, <Array>x)
        return (<Array>x).raw
    return raw_scalar(name, parameter, x, beside)


cdef object raw_scalar(str name, str parameter, object x, Array beside):
    """What the library gets for an operand that is no Array of the device of ``beside``."""
    if type(x) is Array:
        raise_mixed_devices(name, beside.device, (<Array>x).device)
    scalar = x if is_scalar(x) else scalar_from(x)
    if scalar is None:
        raise_not_an_operand(name, parameter, x)
    return weak_scalar(name, scalar, beside)


cdef inline object weak_scalar(str name, object scalar, Array beside):
    """A scalar that takes the dtype of the array beside it, also where NumPy would widen that."""
    if beside.device is not CPU:
        return weak_scalar_away(name, scalar, beside)
    if PyArray_TYPE(beside.raw) >= BUILTIN_TYPES:
        return call(weak_ml_scalar, name, (scalar, beside.raw))
    return scalar


cdef object weak_scalar_away(str name, object scalar, Array beside):
    """``weak_scalar`` beside an array that is not on the CPU."""
    if beside.raw.dtype.num < BUILTIN_TYPES:
        return scalar
    value = call(weak_ml_scalar, name, (scalar, beside.raw))
    return call_many(beside.device, "to_device", (value,)) if PyArray_Check(value) else value


def weak_ml_scalar(scalar, array, /):
    if type(scalar) is complex:
        return scalar
    check_small_integer(scalar, array.dtype)
    return np.asarray(scalar, dtype=array.dtype)


cdef int check_small_integer(object value, object dtype) except -1:
    """Refuse what ml_dtypes would wrap: an integer that does not fit its integer dtypes."""
    cdef DLDataType code
    code_from_dtype(dtype.num, &code)
    if code.bits < 8 and code.code in (kDLInt, kDLUInt) and isinstance(value, (int, np.integer)):
        low = -(1 << (code.bits - 1)) if code.code == kDLInt else 0
        if not low <= value < low + (1 << code.bits):
            raise OverflowError(f"Python integer {value} out of bounds for {dtype}")
    return 0


# What ml_dtypes computes is not always right: its integers wrap without a word, widen sums into
# themselves and divide by zero without the GIL; its floats sort NaN anywhere. The functions that
# only move elements take all of its dtypes, the arithmetic takes its floats.

cdef frozenset MOVING = frozenset((
    "__getitem__", "__setitem__", "astype", "broadcast_arrays", "concat", "copy", "diag", "flip",
    "meshgrid", "pad", "repeat", "roll", "stack", "take", "take_along_axis", "tile", "tril", "triu",
    "unstack", "where"))
cdef frozenset ORDERING = frozenset((
    "argsort", "isin", "median", "nanargmax", "nanargmin", "nanmax", "nanmean", "nanmedian",
    "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "searchsorted", "sort", "unique_all",
    "unique_counts", "unique_inverse", "unique_values"))


cdef inline int check_computable(str name, Array x) except -1:
    if x.device is CPU and PyArray_TYPE(x.raw) < BUILTIN_TYPES:
        return 0
    return check_computable_beyond(name, x)


cdef int check_computable_beyond(str name, Array x) except -1:
    """Beyond NumPy's own dtypes on the CPU; elsewhere only bfloat16 computes of ml_dtypes."""
    dtype = x.raw.dtype
    if dtype.num >= BUILTIN_TYPES:
        check_ml_computable(name, dtype)
        if x.device is not CPU and name not in MOVING and dtype.name != "bfloat16":
            raise TypeError(
                f"{name}: x must have a dtype that {x.device.name} computes with, got {dtype}; "
                f"convert it with xpdl.astype(x, xpdl.float32)")
    return 0


cpdef object check_result_dtype(str function, object x, object dtype):
    """``check_dtype`` for a result computed in that dtype, from ``x`` if that is an Array."""
    found = check_dtype(function, dtype)
    if found is not None:
        if found.num >= BUILTIN_TYPES:
            check_ml_computable(function, found)
        if type(x) is Array and (<Array>x).raw.dtype.kind == "c" and found.kind not in "cb":
            raise TypeError(
                f"{function}: dtype must be complex for complex values, got {found}; "
                f"take the real part with xpdl.real")
    return found


cdef int check_ml_computable(str name, object dtype) except -1:
    integral = "int" in dtype.name
    if name in MOVING or not integral and name not in ORDERING:
        return 0
    raise TypeError(
        f"{name}: x must have a dtype that xpdl computes with, got {dtype}; convert it with "
        f"xpdl.astype(x, xpdl.{'int8' if integral else 'float32'})")


# ----------------------------------------------------------------------------------- families

cpdef Array unary(str name, object x):
    """Elementwise function of one array."""
    if type(x) is not Array:
        raise_not_an_array(name, "x", x)
    cdef Array a = <Array>x
    check_computable(name, a)
    return call_one(unary_function(a, name), name, a)


cdef inline PyObject* unary_function(Array x, str name) except NULL:
    """The library's function, or what replaces it for the kind of dtype of ``x``."""
    if x.device is CPU and PyArray_TYPE(x.raw) < cnp.NPY_FLOAT:
        return function_in(x.device.integral_functions, x.device, name)
    if is_complex(x):
        return function_in(x.device.complex_functions, x.device, name)
    return function_of(x.device, name)


cpdef Array binary(str name, object x1, object x2):
    """Elementwise function of two operands, one of which may be a scalar."""
    cdef Array a
    if type(x1) is Array:
        a = <Array>x1
        check_computable(name, a)
        operand = raw_operand(name, "x2", x2, a)
        return call_two(name, <PyObject*>a.raw, <PyObject*>operand, a)
    if type(x2) is Array:
        a = <Array>x2
        check_computable(name, a)
        operand = raw_operand(name, "x1", x1, a)
        return call_two(name, <PyObject*>operand, <PyObject*>a.raw, a)
    raise_not_an_array(name, "x1" if scalar_from(x1) is None else "x1 or x2", x1)


cpdef Array reduce(str name, object x, object axis, object dtype, object keepdims):
    """Reduction over ``axis``; the function has the parameters of ``ufunc.reduce``."""
    if type(x) is not Array:
        raise_not_an_array(name, "x", x)
    cdef Array a = <Array>x
    cdef PyObject* args[5]
    cdef PyObject* result
    check_computable(name, a)
    axis = axes_from(name, a, "axis", axis)
    keepdims = flag_from(name, "keepdims", keepdims)
    args[0] = <PyObject*>a.raw
    args[1] = <PyObject*>axis
    args[2] = <PyObject*>dtype
    args[3] = <PyObject*>None
    args[4] = <PyObject*>keepdims
    result = PyObject_Vectorcall(function_of(a.device, name), args, 5, NULL)
    return wrap(result_of(result, name, args[0], NULL), a.device)


cpdef Array apply(str name, object x, tuple args):
    """Any function of one array whose result is fresh."""
    cdef Array a = check_array(name, "x", x)
    check_computable(name, a)
    return wrap(call_many(a.device, name, with_first(a.raw, args)), a.device)


cpdef Array view(str name, object x, tuple args):
    """Any function of one array whose result may share its memory, and then its protection."""
    cdef Array a = check_array(name, "x", x)
    cdef Array result = wrap(call_many(a.device, name, with_first(a.raw, args)), a.device)
    if a.device is not CPU:
        result.locked = name in READONLY_VIEWS or shares_locked(a, result)
    return result


# Where the library has no read-only arrays, what NumPy makes read-only is locked here.

cdef frozenset READONLY_VIEWS = frozenset(("broadcast_arrays", "broadcast_to", "linalg.diagonal"))


cdef bint shares_locked(Array x, Array result) except -1:
    """Whether ``result`` is a view of the locked ``x``, away from the CPU."""
    return x.locked and call_many(
        x.device, "same_memory", (x.raw, result.raw))


cdef Array first_array(str name, object operands):
    for x in operands:
        if type(x) is Array:
            return <Array>x
    types = []
    for x in operands:
        types.append(type_name(x))
    raise TypeError(
        f"{name}: at least one argument must be an xpdl Array, got "
        f"{', '.join(types) or 'none'}; convert one with xpdl.asarray")


# The parameters of those of ``nary`` whose operands are not checked before.

cdef dict OPERANDS = {
    "clip": ("x", "min", "max"),
    "diff": ("x", "prepend", "append"),
    "isin": ("x1", "x2"),
    "searchsorted": ("x1", "x2", "sorter"),
    "where": ("condition", "x1", "x2"),
}


cdef str parameter_of(str name, Py_ssize_t i):
    cdef tuple parameters = OPERANDS.get(name)
    return f"argument {i + 1}" if parameters is None else parameters[i]


cpdef Array nary(str name, tuple operands, tuple args):
    """Function of several operands, each an Array, a scalar or None; at least one an Array."""
    cdef Array a = first_array(name, operands)
    cdef Py_ssize_t count = len(operands)
    cdef tuple given = PyTuple_New(count + len(args))
    cdef Py_ssize_t i
    for x in operands:  # a scalar beside a dtype of ml_dtypes takes that
        if type(x) is Array:
            check_computable(name, <Array>x)
            if is_extended(<Array>x):
                a = <Array>x
    for i in range(count):
        x = operands[i]
        if type(x) is Array and (<Array>x).device is a.device:
            put(given, i, (<Array>x).raw)
        else:
            put(given, i, None if x is None else raw_operand(name, parameter_of(name, i), x, a))
    for i in range(len(args)):
        put(given, count + i, args[i])
    return wrap(call_many(a.device, name, given), a.device)


cdef tuple check_arrays(str name, object arrays):
    """A sequence of one or more Arrays of one device, as a tuple."""
    cdef Device device = None
    if type(arrays) is Array:
        raise TypeError(f"{name}: arrays must be a sequence of xpdl Arrays, got one Array")
    if type(arrays) is not tuple and type(arrays) is not list and not hasattr(arrays, "__iter__"):
        raise TypeError(
            f"{name}: arrays must be a sequence of xpdl Arrays, got {type_name(arrays)}")
    cdef tuple checked = tuple(arrays)
    cdef Py_ssize_t i
    for i in range(len(checked)):
        x = checked[i]
        if type(x) is not Array:
            raise_not_an_array(name, f"arrays[{i}]", x)
        check_computable(name, <Array>x)
        if device is None:
            device = (<Array>x).device
        elif device is not (<Array>x).device:
            raise_mixed_devices(name, device, (<Array>x).device)
    if device is None:
        raise ValueError(f"{name}: arrays must hold at least one Array, got none")
    return checked


cdef tuple raws_before(tuple arrays, tuple args):
    """The raw arrays of Arrays, then ``args``."""
    cdef Py_ssize_t i, count = len(arrays)
    cdef tuple result = PyTuple_New(count + len(args))
    for i in range(count):
        put(result, i, (<Array>arrays[i]).raw)
    for i in range(len(args)):
        put(result, count + i, args[i])
    return result


cpdef Array gather(str name, object arrays, tuple args):
    """Function of a sequence of arrays, given to the library as one tuple."""
    cdef tuple checked = check_arrays(name, arrays)
    cdef Device device = (<Array>checked[0]).device
    return wrap(call_many(device, name, with_first(raws_before(checked, ()), args)), device)


cpdef tuple split(str name, object operands, tuple args):
    """Function of several arrays with several results, which may share the operands' memory."""
    cdef tuple checked = check_arrays(name, operands)
    cdef Device device = (<Array>checked[0]).device
    cdef Array result
    results = []
    for item in call_many(device, name, raws_before(checked, args)):
        result = wrap(item, device)
        if device is not CPU:
            result.locked = name in READONLY_VIEWS
            for x in checked:
                result.locked = result.locked or shares_locked(<Array>x, result)
        results.append(result)
    return tuple(results)


cpdef Array create(str name, object device, tuple args):
    """Function that makes an array on ``device``, the default device for None."""
    cdef Device place = check_device(name, device)
    return wrap(call_many(place, name, args), place)


# ---------------------------------------------------------------------------------- operators

cdef inline object operator_operand(str name, object other, Array x):
    """The other operand for the library; NotImplemented lets an unknown type's operator answer."""
    if type(other) is Array:
        return raw_operand(name, "x2", other, x)
    if is_scalar(other):
        return weak_scalar(name, other, x)
    return foreign_operand(name, other, x)


cdef object foreign_operand(str name, object other, Array x):
    if PyArray_Check(other):
        raise_not_an_operand(name, "an operand", other)
    scalar = scalar_from(other)
    return NotImplemented if scalar is None else weak_scalar(name, scalar, x)


cdef inline object operate(str name, Array x, object other, bint reflected):
    """``x <op> other``, or with ``reflected`` ``other <op> x``, by the function of ``name``."""
    operand = operator_operand(name, other, x)
    if operand is NotImplemented:
        return NotImplemented
    check_computable(name, x)
    if reflected:
        return call_two(name, <PyObject*>operand, <PyObject*>x.raw, x)
    return call_two(name, <PyObject*>x.raw, <PyObject*>operand, x)


cdef object operate_inplace(str name, BinarySlot slot, Array x, object other):
    """``x <op>= other``: dtype, shape and identity of ``x`` stay.

    By NumPy's own ``slot`` where that is not the ufunc of ``name`` with ``x`` for its output.
    """
    cdef PyObject* args[3]
    cdef PyObject* function
    operand = operator_operand(name, other, x)
    if operand is NotImplemented:
        if hasattr(type(other), "__dlpack__"):  # whose operator would put its array in x's place
            raise_not_an_operand(name, "an operand", other)
        return NotImplemented
    check_computable(name, x)
    if is_readonly(x):
        raise_readonly(name)
    args[0] = args[2] = <PyObject*>x.raw
    args[1] = <PyObject*>operand
    if x.device is not CPU:
        assign_result(name, x, call_two(name, args[0], args[1], x).raw)
        return x
    function = NULL if slot != NULL else function_of(CPU, name)
    result = result_of(
        slot(args[0], args[1]) if slot != NULL else PyObject_Vectorcall(function, args, 3, NULL),
        name, args[0], args[1])
    if result is not x.raw:
        assign_result(name, x, result)
    return x


cdef int assign_result(str name, Array x, object result) except -1:
    """Copy what an in-place operator gave, if it has the shape of ``x``."""
    if result.shape != x.raw.shape:
        raise ValueError(
            f"{name}: non-broadcastable output operand with shape {x.raw.shape} doesn't match "
            f"the broadcast shape {result.shape}")
    call(<object>function_of(x.device, "copyto"), name, (x.raw, result, "same_kind"))
    return 0
