# What a DLPack stream number means. The host has no streams: the standard takes None there, and -1,
# no ordering, is as true. What the numbers mean on another device its backend knows.

cdef object OWN_STREAM = object()  # in place of a number: the stream on which xpdl works
cdef object NO_ORDER = -1


cdef inline int check_stream(str function, Device device, object stream) except -1:
    return 0 if stream is None else check_given_stream(function, device, stream)


cdef int check_given_stream(str function, Device device, object stream) except -1:
    if not is_stream_number(stream):
        raise TypeError(f"{function}: stream must be an int or None, got {type_name(stream)}")
    return check_stream_number(function, device, stream)


cdef int check_stream_object(str function, Device device, object stream) except -1:
    """``check_stream`` that takes objects of the CUDA stream protocol too."""
    if stream is None:
        return 0
    if is_stream_number(stream):
        return check_stream_number(function, device, stream)
    if not hasattr(type(stream), "__cuda_stream__"):
        raise TypeError(
            f"{function}: stream must be an int, None or an object with __cuda_stream__, "
            f"got {type_name(stream)}")
    if device is CPU:
        raise_host_stream(function, type_name(stream))
    return 0


cdef bint is_stream_number(object stream) except -1:
    try:
        index_from(stream, True)
    except TypeError:
        return False
    return True


cdef int check_stream_number(str function, Device device, object stream) except -1:
    if device is CPU and operator.index(stream) != NO_ORDER:
        raise_host_stream(function, stream)
    return 0


cdef int raise_host_stream(str function, object stream) except -1:
    raise ValueError(
        f"{function}: stream must be None or -1 for an array on the host, got {stream}")


cdef object order_consumer(str function, Device device, object stream):
    """Let a consumer's stream wait for the work of xpdl on ``device`` so far."""
    return call(<object>function_of(device, "order"), function, (function, stream))


def record_stream(x: Array, stream: object, /) -> None:
    """Keep the memory of ``x`` until what is queued on ``stream`` now has run.

    Memory of a dropped array is used again, or given back to its producer, in the order of the
    streams that xpdl knows. Another stream that reads or writes it has to be told: call this after
    its last use of ``x`` is queued. The host has no streams: for an array there None and -1 are
    taken, and nothing is done. Beyond the standard.

    Parameters
    ----------
    x : Array
        The array that the stream uses.
    stream : int, None or object
        A DLPack stream number, or an object with ``__cuda_stream__``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``stream`` no stream.
    ValueError
        If ``stream`` is no stream of x's device, as each is for an array on the host.
    """
    cdef Array a = check_array("record_stream", "x", x)
    check_stream_object("record_stream", a.device, stream)
    if a.device is not CPU:
        call_many(a.device, "record_stream", (a.raw, stream))
