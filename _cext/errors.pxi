# Messages read `<function>: <parameter> <requirement>, got <value>[; <way out>]`.

class CopyRequiredError(BufferError, ValueError):
    """An exchange needs a copy, which ``copy=False`` forbids.

    It is a BufferError and a ValueError, since the standard names both (array API 2025.12,
    ``from_dlpack``, ``copy`` and Raises).
    """


CopyRequiredError.__module__ = "xpdl.dlpack"


cdef str type_name(object x):
    cdef type kind = type(x)
    if kind.__module__ == "builtins":
        return kind.__qualname__
    return f"{kind.__module__}.{kind.__qualname__}"


cdef object raise_not_an_array(str function, str parameter, object x):
    raise TypeError(
        f"{function}: {parameter} must be an xpdl Array, got {type_name(x)}; "
        f"convert it with xpdl.asarray")


cdef object raise_not_an_operand(str function, str parameter, object x):
    raise TypeError(
        f"{function}: {parameter} must be an xpdl Array or a Python scalar, got {type_name(x)}; "
        f"convert it with xpdl.asarray")


cdef object raise_mixed_devices(str function, Device one, Device other):
    raise ValueError(
        f"{function}: all arrays must be on one device, got {one.name} and {other.name}; "
        f"move one with x.to_device")


cdef object raise_readonly(str function):
    raise ValueError(
        f"{function}: x must be writable, got a read-only array; write to a copy, x.copy()")


# The standard's classes of error; an exception of any other class passes through unchanged.
RENAMED = (TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError, MemoryError)


cdef object raise_named(str function):
    """Raise the library's pending exception again, with the function's name in front."""
    cdef PyObject* kind
    cdef PyObject* value
    cdef PyObject* traceback
    PyErr_Fetch(&kind, &value, &traceback)
    PyErr_Restore(kind, value, traceback)
    try:
        raise_pending()
    except RENAMED as error:
        renamed = named_error(function, error)
    raise renamed from None


cdef int raise_pending() except -1:
    return -1


cdef object named_error(str function, object error):
    text = str(error).removeprefix(f"{function}: ")  # generalised ufuncs put theirs in themselves
    dtypes = getattr(error, "dtypes", None)
    if dtypes is not None and type(error).__name__ == "_UFuncNoLoopError":
        names = " and ".join(str(dtype) for dtype in dtypes if dtype is not None)
        return TypeError(f"{function}: no such operation on dtype {names}")
    for kind in (np.exceptions.AxisError, np.linalg.LinAlgError, *RENAMED):
        if isinstance(error, kind):
            return kind(f"{function}: {text}")
