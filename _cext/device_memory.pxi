# Memory that is not the host's: the backend of its device describes it, makes arrays over it, and
# knows the streams. Nothing here reads it.

cdef bint is_host_type(int kind) noexcept:
    """Whether a DLPack device type is for memory that xpdl holds on the CPU in any case."""
    return kind == kDLCPU or kind == kDLCUDAHost or kind == kDLROCMHost


cdef tuple dl_device_away(Device device, object array):
    """The DLPack device of a library's array: that of the tensor it came in with, else its own."""
    address, kind, number = call_many(device, "describe", (array,))
    return kind, number


cdef bint describe_away(
        Device device, object array, DLTensor* out, int64_t* shape, int64_t* strides) except -1:
    """Fill ``out`` for a library's array that is not on the CPU; False if its strides do not fit.

    ``shape`` and ``strides`` are its storage.
    """
    cdef int64_t itemsize = array.dtype.itemsize
    cdef int i = 0
    address, kind, number = call_many(device, "describe", (array,))
    out.data = <void*><uintptr_t>address if array.size != 0 else NULL
    out.device = DLDevice(<DLDeviceType><int>kind, number)
    out.ndim = array.ndim
    code_from_dtype(array.dtype.num, &out.dtype)
    out.shape = shape
    out.strides = strides
    out.byte_offset = 0
    for i, (length, byte_stride) in enumerate(zip(array.shape, array.strides)):
        shape[i] = length
        if byte_stride % itemsize != 0:
            return False
        strides[i] = byte_stride // itemsize
    return True


cdef object device_view(str function, Device device, Owner owner, object dtype):
    """A library's array over the memory of a checked tensor, which it keeps alive."""
    cdef DLTensor* tensor = owner.tensor
    cdef object byte_strides = None
    address = <uintptr_t>tensor.data + tensor.byte_offset if tensor.data != NULL else 0
    if tensor.dtype.bits < 8 and not owner.flags & SUBBYTE_PADDED:
        raise BufferError(
            f"{function}: packed {dtype} must be on the host, got a tensor on {device.name}; "
            f"ask for it there, device='cpu'")
    if address % dtype.itemsize != 0:
        raise BufferError(
            f"{function}: the tensor's data on {device.name} must be aligned to its dtype "
            f"{dtype}, got address {address:#x}; copy it with its own library")
    if tensor.strides != NULL:
        byte_strides = tuple([tensor.strides[i] * dtype.itemsize for i in range(tensor.ndim)])
    return call(<object>function_of(device, "from_memory"), function, (
        function, keeper_of(owner), address, shape_of(tensor), byte_strides, dtype,
        <int>tensor.device.device_type, tensor.device.device_id, device.id))


cdef int require_backend_for_exchange(str function, Device device) except -1:
    """Load the backend of a tensor's device; where there is none, the exchange cannot be."""
    try:
        require_backend(function, device)
        return 0
    except NotImplementedError as error:
        refused = BufferError(f"{error}; or import it on the host, device='cpu'")
    raise refused from None


cdef int wait_for_producer(str function, Device device, object stream) except -1:
    """Let xpdl's stream on ``device`` wait for what a producer queued on its own so far."""
    call(<object>function_of(device, "wait_for"), function, (stream,))
    return 0
