# What a DLPack stream number means. The host has no streams: the standard takes None there, and -1,
# no ordering, is as true.

cdef int check_stream(str function, Device device, object stream) except -1:
    if stream is None:
        return 0
    if isinstance(stream, (bool, np.bool)) or not hasattr(type(stream), "__index__"):
        raise TypeError(f"{function}: stream must be an int or None, got {type_name(stream)}")
    if device is CPU and operator.index(stream) != -1:
        raise ValueError(
            f"{function}: stream must be None or -1 for an array on the host, got {stream}")
    return 0
