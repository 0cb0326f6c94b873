# What a DLPack stream number means. The host has no streams: the standard takes None there, and -1,
# no ordering, is as true. What the numbers mean on another device its backend knows.

cdef object OWN_STREAM = object()  # in place of a number: the stream on which xpdl works
cdef object NO_ORDER = -1


cdef int check_stream(str function, Device device, object stream) except -1:
    if stream is None:
        return 0
    if isinstance(stream, (bool, np.bool)) or not hasattr(type(stream), "__index__"):
        raise TypeError(f"{function}: stream must be an int or None, got {type_name(stream)}")
    if device is CPU and operator.index(stream) != NO_ORDER:
        raise ValueError(
            f"{function}: stream must be None or -1 for an array on the host, got {stream}")
    return 0


cdef int check_stream_object(str function, Device device, object stream) except -1:
    """``check_stream`` that takes objects of the CUDA stream protocol too, off the host."""
    if device is not CPU and hasattr(type(stream), "__cuda_stream__"):
        return 0
    return check_stream(function, device, stream)


cdef object order_consumer(str function, Device device, object stream):
    """Let a consumer's stream wait for the work of xpdl on ``device`` so far."""
    return call(<object>function_of(device, "order"), function, (function, stream))


def record_stream(x: Array, stream: object, /) -> None:
    """Keep the memory of ``x`` until what is queued on ``stream`` now has run.

    Memory of a dropped array is used again, or given back to its producer, in the order of the
    streams that xpdl knows. Another stream that reads or writes it has to be told: call this after
    its last use of ``x`` is queued. On the host it does nothing. Beyond the standard.

    Parameters
    ----------
    x : Array
        The array that the stream uses.
    stream : int or object
        A DLPack stream number, or an object with ``__cuda_stream__``.

    Raises
    ------
    TypeError
        If ``x`` is not an Array or ``stream`` no stream.
    ValueError
        If ``stream`` is a number that is no stream of x's device.
    """
    cdef Array a = check_array("record_stream", "x", x)
    check_stream_object("record_stream", a.device, stream)
    if a.device is not CPU:
        call_many(a.device, "record_stream", (a.raw, stream))
