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


cdef object raise_named(str function, tuple operands):
    """Raise the library's pending exception again, with the function's name in front."""
    try:
        raise_pending()
    except RENAMED as error:
        renamed = named_error(function, error, operands)
    raise renamed from None


cdef int raise_pending() except -1:
    if PyErr_Occurred() == NULL:
        raise SystemError("a function failed without an exception")
    return -1


cdef object named_error(str function, object error, tuple operands):
    """The exception for a library's ``error`` in a call of ``function`` with raw ``operands``."""
    text = str(error).removeprefix(f"{function}: ")  # generalised ufuncs put theirs in themselves
    if isinstance(error, TypeError) and (
            "not supported for the input types" in text or "did not contain a loop" in text
            or text.startswith("Wrong type (")):  # as CuPy says it
        dtypes = []
        for x in operands:
            dtypes.append(str(x.dtype) if hasattr(x, "dtype") else type_name(x))
        return TypeError(f"{function}: no such operation on dtype {' and '.join(dtypes)}")
    for kind in (np.exceptions.AxisError, np.linalg.LinAlgError, *RENAMED):
        if isinstance(error, kind):
            return kind(f"{function}: {text}")
