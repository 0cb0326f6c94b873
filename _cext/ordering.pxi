# Who waits when a tensor comes in: xpdl's stream for the producer's, on the tensor's device.

cdef bint is_on_host(DLTensor* tensor) noexcept:
    """Whether a tensor is on the host; one of a foreign major version is taken as it is."""
    return tensor == NULL or is_host_type(tensor.device.device_type)


cdef bint is_ordered(
        str function, Publisher* publisher, Owner owner, object stream) except -1:
    """Whether a tensor on another device, from an exchange API, can be used on ``stream``.

    That API does not order streams: xpdl's own is made to wait for the producer's.
    """
    cdef DLDevice where = owner.tensor.device
    cdef Device device = device_of_tensor(function, owner.tensor)
    cdef void* theirs = NULL
    if device is CPU or type(stream) is int and stream == NO_ORDER:
        return True
    if stream is not OWN_STREAM or not has_backend(device):
        return False
    if <void*>publisher.api.current_work_stream == NULL:
        return False
    status = publisher.api.current_work_stream(where.device_type, where.device_id, &theirs)
    if PyErr_Occurred() != NULL:  # whatever the status says
        raise_pending()
    if status != 0:
        return False
    wait_for_producer(function, device, <uintptr_t>theirs or None)
    return True


cdef int order_tensor(str function, Owner owner, object stream) except -1:
    """Let xpdl's stream wait for ``stream`` on the device of a tensor, if that device is here."""
    cdef Device device = device_of_tensor(function, owner.tensor)
    if device is not CPU and has_backend(device):
        wait_for_producer(function, device, stream)
    return 0


cdef Device device_of_claim(str function, tuple claimed, object stream):
    """The device whose stream orders an import from ``claimed``, None where none does.

    None is for another consumer's stream, and for devices that are not here: then the producer is
    to move its data to the host, or the tensor is refused.
    """
    cdef Device device
    if stream is not OWN_STREAM or claimed[0] not in (kDLCUDA, kDLROCM, kDLCUDAManaged):
        return None
    device = device_from_dlpack(function, claimed)
    return device if has_backend(device) else None
