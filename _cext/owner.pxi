# Owner: a managed tensor that a producer handed over, kept until nothing views it any more.

cdef enum:
    MAX_NDIM = 64


@cython.final
@cython.no_gc
@cython.freelist(32)
cdef class Owner:
    """Holds one managed tensor, of either kind, and calls its deleter exactly once."""
    cdef DLManagedTensor* legacy
    cdef DLManagedTensorVersioned* versioned
    cdef DLTensor* tensor  # of whichever of the two is set
    cdef uint64_t flags    # 0 for a legacy tensor, which has none

    def __dealloc__(self):
        if self.versioned != NULL and self.versioned.deleter != NULL:
            self.versioned.deleter(self.versioned)
        elif self.legacy != NULL and self.legacy.deleter != NULL:
            self.legacy.deleter(self.legacy)


# An Owner is made before what it is to own is taken over, so that nothing can fail in between.

cdef void own_legacy(Owner owner, DLManagedTensor* managed) noexcept:
    owner.legacy = managed
    owner.tensor = &managed.dl_tensor


cdef void own_versioned(Owner owner, DLManagedTensorVersioned* managed) noexcept:
    """Of a foreign major version nothing may be used but the deleter: ``tensor`` stays NULL."""
    owner.versioned = managed
    if managed.version.major == DLPACK_MAJOR_VERSION:
        owner.tensor = &managed.dl_tensor
        owner.flags = managed.flags


cdef int check_version(str function, Owner owner) except -1:
    if owner.tensor == NULL:
        raise BufferError(
            f"{function}: the tensor must follow DLPack {DLPACK_MAJOR_VERSION}.x, got version "
            f"{owner.versioned.version.major}.{owner.versioned.version.minor}")
    return 0


cdef int check_tensor(str function, DLTensor* tensor, int64_t itemsize) except -1:
    """Refuse what cannot be a tensor in memory. ``itemsize`` in bytes."""
    cdef int32_t ndim = tensor.ndim
    cdef int64_t size = itemsize
    cdef int64_t below = 0  # how far the elements reach from the first one, in bytes
    cdef int64_t above = itemsize
    cdef int64_t n, stride, reach
    cdef bint empty = False
    if not 0 <= ndim <= MAX_NDIM:
        raise BufferError(
            f"{function}: the tensor's ndim must be 0 to {MAX_NDIM}, got {ndim}")
    if ndim > 0 and tensor.shape == NULL:
        raise BufferError(
            f"{function}: the tensor's shape must be given for ndim {ndim}, got NULL")
    for i in range(ndim):
        n = tensor.shape[i]
        if n < 0:
            raise BufferError(
                f"{function}: the tensor's shape must not be negative, got {n} in axis {i}")
        empty = empty or n == 0
        if n > 1:
            if size > INT64_MAX // n:
                raise_too_large(function, tensor)
            size *= n
    if empty:
        return 0
    if tensor.data == NULL:
        raise BufferError(
            f"{function}: the tensor's data must be given for shape {shape_of(tensor)}, got NULL")
    if tensor.strides == NULL:
        above = size
    else:
        for i in range(ndim):
            n = tensor.shape[i] - 1
            stride = tensor.strides[i]
            if n > 0 and stride != 0:
                if stride == -INT64_MAX - 1:
                    raise_too_large(function, tensor)
                reach = -stride if stride < 0 else stride
                if reach > INT64_MAX // itemsize // n:
                    raise_too_large(function, tensor)
                reach *= itemsize * n
                if reach > INT64_MAX - (below if stride < 0 else above):
                    raise_too_large(function, tensor)
                if stride < 0:
                    below += reach
                else:
                    above += reach
    cdef uint64_t first = <uint64_t><uintptr_t>tensor.data
    if first > <uint64_t>INT64_MAX or tensor.byte_offset > <uint64_t>INT64_MAX - first:
        raise_outside(function, tensor)
    first += tensor.byte_offset
    if first < <uint64_t>below or <uint64_t>above > <uint64_t>INT64_MAX - first:
        raise_outside(function, tensor)
    return 0


cdef object raise_outside(str function, DLTensor* tensor):
    raise BufferError(
        f"{function}: the tensor's elements must lie in the address space, got data at "
        f"{<uintptr_t>tensor.data:#x} with byte_offset {tensor.byte_offset}")


cdef tuple shape_of(DLTensor* tensor):
    return ints_at(tensor.shape, tensor.ndim)


cdef tuple ints_at(const int64_t* values, int count):
    found = []
    for i in range(count):
        found.append(values[i])
    return tuple(found)


cdef object raise_too_large(str function, DLTensor* tensor):
    strides = None
    if tensor.strides != NULL:
        strides = ints_at(tensor.strides, tensor.ndim)
    raise BufferError(
        f"{function}: the tensor must fit an address space of 2**63 bytes, "
        f"got shape {shape_of(tensor)} and strides {strides}")


cdef Device device_of_tensor(str function, DLTensor* tensor):
    cdef int kind = tensor.device.device_type
    if kind == kDLCPU or kind == kDLCUDAHost or kind == kDLROCMHost:
        return CPU
    try:
        device = device_from_dlpack(function, (kind, tensor.device.device_id))
        if kind == kDLCUDAManaged:
            return device_of_managed(function, device, tensor)
        return device
    except ValueError:
        raise BufferError(
            f"{function}: the tensor must be on the host or on CUDA or ROCm, "
            f"got DLPack device ({kind}, {tensor.device.device_id})") from None


cdef Device device_of_managed(str function, Device device, DLTensor* tensor):
    """Where managed memory was allocated, whose id in DLPack is 0 or that.

    It is host-readable: where there is no CUDA, nothing can be writing it, and it is on the CPU.
    """
    if not has_backend(device):
        return CPU
    address = <uintptr_t>tensor.data
    number = call(<object>function_of(device, "device_of_address"), function, (address,))
    return device if number is None else intern_device("cuda", number)


cdef object dtype_of_tensor(str function, DLTensor* tensor):
    dtype = dtype_from_code(tensor.dtype)
    if dtype is None:
        if (tensor.dtype.code, tensor.dtype.bits) in ML_TYPES.values() and tensor.dtype.lanes == 1:
            raise BufferError(
                f"{function}: dtype {code_name(tensor.dtype)} needs ml_dtypes; "
                f"pip install ml_dtypes")
        raise BufferError(
            f"{function}: the tensor's dtype must be one that xpdl holds, "
            f"got {code_name(tensor.dtype)}")
    return dtype


cdef object host_view(Owner owner, object dtype):
    """An ndarray over the memory of a checked tensor, which it keeps alive."""
    cdef DLTensor* tensor = owner.tensor
    cdef cnp.npy_intp shape[MAX_NDIM]
    cdef cnp.npy_intp byte_strides[MAX_NDIM]
    cdef cnp.npy_intp itemsize = PyDataType_ELSIZE(dtype)
    cdef cnp.npy_intp step = itemsize
    cdef bint empty = False
    cdef bint ordered = True  # in C order, whose strides NumPy fills in faster than it checks them
    cdef int i
    for i in range(tensor.ndim - 1, -1, -1):
        shape[i] = tensor.shape[i]
        byte_strides[i] = step  # C order, which is what absent strides mean
        step *= shape[i] if shape[i] > 0 else 1
        empty = empty or shape[i] == 0
    if tensor.strides != NULL and not empty:
        for i in range(tensor.ndim):
            step = tensor.strides[i] * itemsize if shape[i] > 1 else itemsize
            ordered = ordered and step == byte_strides[i]
            byte_strides[i] = step
    data = <char*>tensor.data + tensor.byte_offset if tensor.data != NULL else <char*>&NOWHERE
    flags = cnp.NPY_ARRAY_ALIGNED
    if not owner.flags & READ_ONLY:
        flags |= cnp.NPY_ARRAY_WRITEABLE
    Py_INCREF(<PyObject*>dtype)
    view = new_ndarray(
        <PyObject*>dtype, tensor.ndim, shape, NULL if ordered else byte_strides, data, flags)
    base = keeper_of(owner)
    Py_INCREF(<PyObject*>base)
    PyArray_SetBaseObject(view, <PyObject*>base)
    return view


cdef object keeper_of(Owner owner):
    """What keeps the memory alive: the owner, or behind an export of ours what that keeps alive.

    So an array that goes through many hops does not grow a chain of owners.
    """
    if owner.versioned != NULL and owner.versioned.deleter == delete_versioned:
        return <object>owner.versioned.manager_ctx
    if owner.legacy != NULL and owner.legacy.deleter == delete_legacy:
        return <object>owner.legacy.manager_ctx
    return owner


cdef int64_t NOWHERE[2]  # where an empty array points when its tensor points nowhere


cdef DLDevice dl_device_of(object array) noexcept:
    """The DLPack device of host memory: that of the tensor it came in with, else the CPU."""
    cdef PyObject* base = PyArray_BASE(<PyObject*>array)
    while base != NULL:
        if Py_TYPE(base) == <PyTypeObject*>Owner:
            return (<Owner>base).tensor.device
        if Py_TYPE(base) == <PyTypeObject*>Array:
            base = <PyObject*>(<Array>base).raw
        if not PyArray_Check(<object>base):
            break
        base = PyArray_BASE(base)
    return DLDevice(kDLCPU, 0)
