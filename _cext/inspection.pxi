# What a producer hands out, looked at and given back; managed tensors by address.

def inspect_producer(x, /):
    """The facts behind ``xpdl.dlpack.inspect``, as a dict."""
    cdef Owner owner
    cdef Publisher found
    cdef Publisher* publisher
    cdef void* managed
    if PyCapsule_CheckExact(x):
        return inspect_capsule(x, "raw capsule")
    publisher = find_publisher(x, &found)
    if publisher != NULL:
        owner = owner_from_api("inspect", x, publisher)
        if owner is not None:
            return facts_of("exchange API", owner.legacy, owner.versioned)
    claimed_device("inspect", x)
    check_exportable("inspect", x)
    capsule = request_capsule(x, None, None, None)
    return inspect_capsule(capsule, "__dlpack__")


cdef dict inspect_capsule(object capsule, str route):
    """Read a capsule; it keeps its name and its tensor, and releases it when it is dropped.

    The facts are made of a copy: while they are, another thread may consume the capsule.
    """
    cdef DLManagedTensorVersioned versioned
    cdef DLManagedTensor legacy
    cdef int64_t shape[MAX_NDIM]
    cdef int64_t strides[MAX_NDIM]
    cdef DLManagedTensorVersioned* found
    with cython.critical_section(capsule):
        if PyCapsule_IsValid(capsule, "dltensor_versioned"):
            found = <DLManagedTensorVersioned*>PyCapsule_GetPointer(capsule, "dltensor_versioned")
            versioned.version = found.version
            if found.version.major == DLPACK_MAJOR_VERSION:  # of another, no more can be read
                versioned = found[0]
                copy_lengths(&versioned.dl_tensor, shape, strides)
            return facts_of(route, NULL, &versioned)
        if PyCapsule_IsValid(capsule, "dltensor"):
            legacy = (<DLManagedTensor*>PyCapsule_GetPointer(capsule, "dltensor"))[0]
            copy_lengths(&legacy.dl_tensor, shape, strides)
            return facts_of(route, &legacy, NULL)
    open_capsule("inspect", capsule)  # neither: raises


cdef void copy_lengths(DLTensor* tensor, int64_t* shape, int64_t* strides) noexcept:
    """Let a tensor point at copies of its shape and its strides, where it has any to read."""
    if not 0 <= tensor.ndim <= MAX_NDIM:
        return
    if tensor.shape != NULL:
        memcpy(shape, tensor.shape, tensor.ndim * sizeof(int64_t))
        tensor.shape = shape
        if tensor.strides != NULL:
            memcpy(strides, tensor.strides, tensor.ndim * sizeof(int64_t))
            tensor.strides = strides


cdef dict facts_of(str route, DLManagedTensor* legacy, DLManagedTensorVersioned* versioned):
    cdef DLTensor* tensor
    cdef dict facts = dict.fromkeys((
        "version", "flags", "device", "dtype", "shape", "strides", "byte_offset", "address",
        "alignment"))
    facts["route"] = route
    facts["kind"] = "legacy" if versioned == NULL else "versioned"
    if versioned != NULL:
        facts["version"] = (versioned.version.major, versioned.version.minor)
        if versioned.version.major != DLPACK_MAJOR_VERSION:
            return facts
        facts["flags"] = flag_names(versioned.flags)
        tensor = &versioned.dl_tensor
    else:
        facts["flags"] = ()
        tensor = &legacy.dl_tensor
    facts["device"] = (<int>tensor.device.device_type, tensor.device.device_id)
    facts["dtype"] = code_name(tensor.dtype)
    facts["byte_offset"] = tensor.byte_offset
    facts["address"] = <uintptr_t>tensor.data + tensor.byte_offset if tensor.data != NULL else 0
    facts["alignment"] = facts["address"] & -facts["address"]
    if 0 <= tensor.ndim <= MAX_NDIM and (tensor.ndim == 0 or tensor.shape != NULL):
        facts["shape"] = shape_of(tensor)
        if tensor.ndim == 0 or tensor.strides != NULL:
            facts["strides"] = ints_at(tensor.strides, tensor.ndim)
    return facts


cdef tuple flag_names(uint64_t flags):
    names = []
    for i, name in enumerate(("READ_ONLY", "IS_COPIED", "IS_SUBBYTE_TYPE_PADDED")):
        if flags >> i & 1:
            names.append(name)
    if flags >> 3:
        names.append(hex(flags >> 3 << 3))
    return tuple(names)


def to_address(x, /, *, versioned=True):
    """The address of a managed tensor of any object with DLPack, for users of ctypes and cffi.

    A raw capsule is consumed.

    The tensor is a ``DLManagedTensorVersioned``, or a ``DLManagedTensor`` with
    ``versioned=False``. It is the caller's: call its deleter, or pass the address to
    ``from_address``, exactly once.

    Raises
    ------
    AttributeError
        If ``x`` has no DLPack methods.
    BufferError
        If ``x`` cannot be exported, or is read-only with ``versioned=False``.

    Source: DLPack 1.3, ``DLManagedTensorVersioned``.
    """
    cdef DLTensor tensor
    cdef int64_t strides[MAX_NDIM]
    cdef Owner owner = own_any("to_address", x, None, None)
    cdef uint64_t flags = owner.flags & (READ_ONLY | SUBBYTE_PADDED)
    tensor = tensor_with_strides(owner, strides)
    if versioned:
        return address_of_versioned(export_versioned(&tensor, owner, flags))
    if flags:
        raise BufferError(
            f"to_address: a legacy managed tensor has no flags, and x needs "
            f"{' and '.join(flag_names(flags))}; use versioned=True")
    return address_of_legacy(export_legacy(&tensor, owner))


cdef object address_of_versioned(DLManagedTensorVersioned* managed):
    """An int that owns a managed tensor; without memory for it, the tensor is released."""
    try:
        return <uintptr_t>managed
    except MemoryError:
        delete_versioned(managed)
        raise


cdef object address_of_legacy(DLManagedTensor* managed):
    try:
        return <uintptr_t>managed
    except MemoryError:
        delete_legacy(managed)
        raise


def from_address(address, /, *, versioned=True):
    """An Array of the managed tensor at ``address``, which becomes the Array's.

    The tensor must be a ``DLManagedTensorVersioned``, or with ``versioned=False`` a
    ``DLManagedTensor``; nothing can check that. Its deleter is called when the last view of its
    memory is dropped, or before this call raises.

    Raises
    ------
    TypeError
        If ``address`` is not an int.
    ValueError
        If ``address`` is 0.
    BufferError
        If the tensor cannot be held.

    Source: DLPack 1.3, ``DLManagedTensorVersioned``.
    """
    cdef Owner owner
    if type(address) is not int:
        raise TypeError(f"from_address: address must be an int, got {type_name(address)}")
    if not 0 < address < 1 << 64:
        raise ValueError(f"from_address: address must be that of a managed tensor, got {address}")
    try:
        owner = Owner.__new__(Owner)
    except MemoryError:
        release_at(<void*><uintptr_t>address, versioned)
        raise
    if versioned:
        own_versioned(owner, <DLManagedTensorVersioned*><uintptr_t>address)
    else:
        own_legacy(owner, <DLManagedTensor*><uintptr_t>address)
    return array_from_owner("from_address", owner, None, None)


cdef void release_at(void* managed, bint versioned) noexcept:
    """Call the deleter of a managed tensor for which there is no Owner."""
    if versioned:
        if (<DLManagedTensorVersioned*>managed).deleter != NULL:
            (<DLManagedTensorVersioned*>managed).deleter(<DLManagedTensorVersioned*>managed)
    elif (<DLManagedTensor*>managed).deleter != NULL:
        (<DLManagedTensor*>managed).deleter(<DLManagedTensor*>managed)
