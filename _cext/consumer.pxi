# The protocol as caller: ask a producer for a managed tensor, make an Array of it.

VERSION = (<int>DLPACK_MAJOR_VERSION, <int>DLPACK_MINOR_VERSION)
cdef tuple IMMUTABLE_LIBRARIES = ("jax", "jaxlib", "tensorflow")


def from_dlpack(
        x: object, /, *, device: str | Device | tuple | None = None,
        copy: bool | None = None) -> Array:
    """An Array over the memory of any object with DLPack, or of a raw capsule.

    Parameters
    ----------
    x : object or capsule
        An object with ``__dlpack__`` and ``__dlpack_device__``, or a capsule named ``dltensor``
        or ``dltensor_versioned``, which this call consumes.
    device : str, Device or (int, int), optional
        Where the result must be; None is where ``x`` is.
    copy : bool, optional
        True copies always, False never; None copies only when data has to move to another device,
        is not aligned to its dtype, or is packed below a byte an element.

    Returns
    -------
    Array
        Of the shape, strides and dtype of ``x``. View of its memory where nothing was copied:
        writes are seen by both sides. Read-only if the producer says so, and also for a legacy
        capsule of a library whose arrays are immutable (jax, tensorflow).

    Raises
    ------
    AttributeError
        If ``x`` has no DLPack methods.
    BufferError
        If what ``x`` hands out cannot be held; the exception of ``x.__dlpack__`` passes unchanged.
    CopyRequiredError
        If ``copy=False`` and a copy is needed. It is a BufferError and a ValueError.
    TypeError, ValueError
        If ``device`` or ``copy`` is not one of the above.

    Source: array API 2025.12, creation functions, ``from_dlpack``; DLPack 1.3, Python protocol.
    """
    cdef Device place = None
    check_copy("from_dlpack", copy)
    if device is not None:
        place = requested_device(device)
    if type(x) is Array:
        return finish_import("from_dlpack", (<Array>x).raw, (<Array>x).device, (<Array>x).locked,
                             place, copy, False)
    if PyArray_Check(x):
        return array_from_ndarray(x, place, copy)
    owner = acquire("from_dlpack", x, OWN_STREAM, place, copy)
    return array_from_owner("from_dlpack", owner, place, copy)


cdef Device requested_device(object device):
    cdef Device place = device_from("from_dlpack", device)
    try:
        require_backend("from_dlpack", place)
    except NotImplementedError as error:
        refused = BufferError(str(error))
    else:
        return place
    raise refused from None


cdef Array array_from_ndarray(object x, Device place, object copy):
    """An ndarray needs no capsule: the same checks, a view of the same memory."""
    cdef DLDataType code
    if is_masked(x):
        raise BufferError(
            "from_dlpack: x must not be a masked array, whose mask would be lost; "
            "use its filled() values")
    if not code_from_dtype(PyArray_TYPE(x), &code):
        raise BufferError(
            f"from_dlpack: x must have a dtype that DLPack can express, got {x.dtype}")
    if not PyArray_ISNOTSWAPPED(x):
        raise BufferError(
            f"from_dlpack: x must be in native byte order, got dtype {x.dtype.str}; "
            f"convert it with xpdl.asarray")
    return finish_import("from_dlpack", view_of_ndarray(x), CPU, False, place, copy, False)


cdef Array array_from_owner(str function, Owner owner, Device place, object copy):
    """Check a managed tensor and make an Array of it: the one way in for foreign memory."""
    cdef DLTensor* tensor = owner.tensor
    check_version(function, owner)
    dtype = dtype_of_tensor(function, tensor)
    check_tensor(function, tensor, PyDataType_ELSIZE(dtype))
    source = device_of_tensor(function, tensor)
    copied = (owner.flags & IS_COPIED) != 0
    if copied and copy is False:
        raise CopyRequiredError(
            f"{function}: copy=False cannot be honoured, since the producer made a copy; "
            f"use copy=None")
    # A copy that cannot be written to is not the one that copy=True asks for.
    copied = copied and not owner.flags & READ_ONLY
    if source is not CPU:
        require_backend_for_exchange(function, source)
        return finish_import(
            function, device_view(function, source, owner, dtype), source,
            (owner.flags & READ_ONLY) != 0, place, copy, copied)
    if tensor.dtype.bits < 8 and not owner.flags & SUBBYTE_PADDED:
        if copy is False:
            raise CopyRequiredError(
                f"{function}: copy=False cannot be honoured for packed {dtype}; use copy=None")
        return wrap_array(unpacked(function, owner, dtype), CPU)
    return finish_import(function, host_view(owner, dtype), CPU, False, place, copy, copied)


cdef Array finish_import(
        str function, object array, Device source, bint locked, Device place, object copy,
        bint copied):
    """Copy what has to be copied: because it was asked for, for its alignment, for the device."""
    cdef Array x = wrap_array(array, source)
    x.locked = locked
    if source is CPU and not PyArray_ISALIGNED(array) and PyArray_SIZE(array) != 0:
        if copy is False:
            raise CopyRequiredError(
                f"{function}: copy=False cannot be honoured for data that is not aligned to its "
                f"dtype {array.dtype}; use copy=None")
        return wrap_array(PyArray_NewCopy(array, cnp.NPY_KEEPORDER), CPU)
    if place is not None and place is not source:
        if copy is False:
            raise CopyRequiredError(
                f"{function}: copy=False cannot be honoured for a move from {source.name} to "
                f"{place.name}; use copy=None")
        return to_device(function, x, place, None)
    if copy is True and not copied:
        return wrap(call_many(source, "copy", (array,)), source)
    return x


cdef object unpacked(str function, Owner owner, object dtype):
    """The elements of a packed sub-byte tensor, little end first, one to a byte."""
    cdef DLTensor* tensor = owner.tensor
    cdef int bits = tensor.dtype.bits
    cdef int64_t step = 1
    cdef cnp.npy_intp size
    for i in range(tensor.ndim - 1, -1, -1):
        if tensor.strides != NULL and tensor.shape[i] > 1 and tensor.strides[i] != step:
            raise BufferError(
                f"{function}: a packed tensor of {dtype} must be in C order, got strides "
                f"{ints_at(tensor.strides, tensor.ndim)}")
        step *= tensor.shape[i]
    shape = shape_of(tensor)
    if step > INT64_MAX // bits:
        raise MemoryError(f"{function}: no memory to unpack {dtype} of shape {shape}")
    size = (step * bits + 7) // 8
    if size == 0:
        return np.empty(shape, dtype)
    data = <char*>tensor.data + tensor.byte_offset
    packed = new_ndarray(uint8_descr(), 1, &size, NULL, data, 0)
    spread = np.unpackbits(packed, count=step * bits, bitorder="little").reshape(step, bits)
    values = np.packbits(spread, axis=1, bitorder="little").reshape(shape)
    return values.view(dtype)


cdef PyObject* uint8_descr():
    descr = DTYPES["uint8"]
    Py_INCREF(<PyObject*>descr)
    return <PyObject*>descr


# ---------------------------------------------------------------------- a producer's capsule

cdef Owner acquire(str function, object x, object stream, Device place, object copy):
    """Take a managed tensor over from any producer: capsule, exchange API or ``__dlpack__``.

    A producer is asked for ``place`` only if it says that it is elsewhere. ``copy=True`` is not
    asked of it, but done here: some refuse it, some ignore it, and some copy without saying so.
    ``stream`` is the consumer's: a number, or OWN_STREAM for the one on which xpdl works.
    """
    cdef Owner owner
    cdef Publisher found
    cdef Publisher* publisher
    cdef Device device = None
    if PyCapsule_CheckExact(x):
        owner = open_capsule(function, x)
        if stream is OWN_STREAM and not is_on_host(owner.tensor):
            order_tensor(function, owner, None)  # what a capsule asked for without a stream means
        return owner
    publisher = find_publisher(x, &found)
    if publisher != NULL:
        owner = owner_from_api(function, x, publisher)
        if owner is not None and (
                is_on_host(owner.tensor) or is_ordered(function, publisher, owner, stream)):
            return owner
    claimed = claimed_device(function, x)
    check_exportable(function, x)
    asked = None
    if not is_host_type(claimed[0]):
        device = device_of_claim(function, claimed, stream)
        if device is None and place is CPU:
            asked = (kDLCPU, 0)
    elif stream is not OWN_STREAM and stream == NO_ORDER:
        stream = None
    capsule = request_capsule(x, stream, asked, False if copy is False else None, device)
    owner = open_capsule(function, capsule)
    if owner.tensor != NULL:
        check_claim(function, claimed, asked, owner.tensor)
        if owner.legacy != NULL and is_of_library(type(x), IMMUTABLE_LIBRARIES):
            owner.flags |= READ_ONLY
    return owner


cdef bint is_of_library(object kind, tuple names):
    """Whether the top-level module of a type is one of ``names``."""
    module = getattr(kind, "__module__", None)
    if isinstance(module, str):
        for name in names:
            if (<str>module).startswith(<str>name):
                return (<str>module).partition(".")[0] in names
    return False


cdef int check_exportable(str function, object x) except -1:
    """TensorFlow ends the process when it is asked for one of these, so it is not asked."""
    if is_of_library(type(x), ("tensorflow",)):
        dtype = getattr(getattr(x, "dtype", None), "name", None)
        if dtype in ("string", "resource", "variant"):
            raise BufferError(
                f"{function}: x must have a dtype that DLPack can express, got {dtype}")
    return 0


cdef Owner own_any(str function, object x, object stream, Device place):
    """A checked managed tensor of any producer, of whatever dtype."""
    cdef Owner owner = acquire(function, x, stream, place, None)
    cdef DLDataType dtype
    check_version(function, owner)
    dtype = owner.tensor.dtype
    check_tensor(function, owner.tensor, (dtype.bits * dtype.lanes + 7) // 8 or 1)
    return owner


cdef DLTensor tensor_with_strides(Owner owner, int64_t* storage) noexcept:
    """The tensor of an owner; absent strides, which mean C order, are written to ``storage``."""
    cdef DLTensor tensor = owner.tensor[0]
    cdef int64_t step = 1
    cdef int i
    if tensor.strides == NULL:
        tensor.strides = storage
        for i in range(tensor.ndim - 1, -1, -1):
            tensor.strides[i] = step
            step *= tensor.shape[i] if tensor.shape[i] > 0 else 1
    return tensor


cdef tuple claimed_device(str function, object x):
    """The DLPack device that a producer says its array is on."""
    method = getattr(x, "__dlpack_device__", None)
    if method is None or isinstance(x, type) or not hasattr(x, "__dlpack__"):
        raise AttributeError(
            f"{function}: x must have __dlpack__ and __dlpack_device__ or be a DLPack capsule, "
            f"got {type_name(x)}; convert it with xpdl.asarray")
    pair = method()
    try:
        kind, number = pair
        return PyNumber_Index(kind), 0 if number is None else PyNumber_Index(number)
    except (TypeError, ValueError):
        pass
    raise BufferError(
        f"{function}: x.__dlpack_device__() must return a pair of ints (type, id), got {pair!r}")


cdef int check_claim(str function, tuple claimed, tuple asked, DLTensor* tensor) except -1:
    """A tensor must be where its producer said or where it was asked to be."""
    if tensor.device.device_type == kDLCPU and claimed[0] == kDLCPU:
        return 0
    actual = (<int>tensor.device.device_type, tensor.device.device_id)
    if actual == asked or actual == claimed:
        return 0
    raise BufferError(
        f"{function}: the tensor must be on the device that x.__dlpack_device__() returns, "
        f"{claimed}, got a tensor on {actual}")


cdef object request_capsule(
        object x, object stream, object dl_device, object copy, Device device=None):
    """``x.__dlpack__`` with what is asked for, and of that with the keywords that it takes.

    On ``device`` it is called while that is current, with the stream on which xpdl works there.
    """
    keywords = {"max_version": VERSION}
    if device is not None:
        return request_on_device(x, device, keywords, copy)
    if stream is OWN_STREAM:
        stream = None
    if stream is not None:
        keywords["stream"] = stream
    if dl_device is not None:
        keywords["dl_device"] = dl_device
    if copy is not None:
        keywords["copy"] = copy
    return call_producer(x.__dlpack__, keywords)


cdef object request_on_device(object x, Device device, dict keywords, object copy):
    within = <object>function_of(device, "within")
    stream = call_many(device, "consumer_stream", ())
    keywords["stream"] = stream
    if copy is not None:
        keywords["copy"] = copy
    capsule = within(call_producer, x.__dlpack__, keywords)
    wait_for_producer("from_dlpack", device, stream)
    return capsule


cpdef object call_producer(object method, dict keywords):
    """Call ``method``, again without a keyword only if its signature does not take that keyword.

    So a TypeError from inside a producer comes out unchanged, and no producer runs twice.
    """
    try:
        return PyObject_VectorcallDict(method, NULL, 0, keywords)
    except TypeError as error:
        accepted = accepted_keywords(method, keywords, str(error))
        if len(accepted) == len(keywords):
            raise
    return method(**accepted)


cdef dict accepted_keywords(object method, dict keywords, str message):
    try:
        parameters = inspect.signature(method).parameters
    except (TypeError, ValueError):  # written in C without a signature: its message has to tell
        return {} if "keyword" in message or "takes no arguments" in message else keywords
    for parameter in parameters.values():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            return keywords
    return {name: value for name, value in keywords.items()
            if name in parameters
            and parameters[name].kind is not inspect.Parameter.POSITIONAL_ONLY}


cdef Owner open_capsule(str function, object capsule):
    """Take over what a capsule holds."""
    if not PyCapsule_CheckExact(capsule):
        raise BufferError(
            f"{function}: x.__dlpack__() must return a DLPack capsule, got {type_name(capsule)}")
    cdef Owner owner = Owner.__new__(Owner)
    with cython.critical_section(capsule):  # of two threads that are offered it, one gets it
        if is_taken_over(owner, capsule):
            return owner
    cdef const char* name = PyCapsule_GetName(capsule)
    text = "no name" if name == NULL else repr((<bytes>name).decode("utf-8", "replace"))
    if text in ("'used_dltensor'", "'used_dltensor_versioned'"):
        raise BufferError(
            f"{function}: a DLPack capsule can be consumed once, got one that was already "
            f"consumed; ask the producer for another")
    raise BufferError(
        f"{function}: a DLPack capsule must be named 'dltensor' or 'dltensor_versioned', "
        f"got {text}")


cdef bint is_taken_over(Owner owner, object capsule) except -1:
    """Whether ``capsule`` has a tensor, now the owner's. Renaming it comes first."""
    cdef const char* name = PyCapsule_GetName(capsule)
    cdef void* managed
    if name != NULL and strcmp(name, "dltensor_versioned") == 0:
        managed = PyCapsule_GetPointer(capsule, "dltensor_versioned")
        PyCapsule_SetName(capsule, "used_dltensor_versioned")
        own_versioned(owner, <DLManagedTensorVersioned*>managed)
        return True
    if name != NULL and strcmp(name, "dltensor") == 0:
        managed = PyCapsule_GetPointer(capsule, "dltensor")
        PyCapsule_SetName(capsule, "used_dltensor")
        own_legacy(owner, <DLManagedTensor*>managed)
        return True
    return False


def to_dlpack(
        x: object, /, *, stream: int | None = None, max_version: tuple | None = None,
        dl_device: tuple | None = None, copy: bool | None = None) -> CapsuleType:
    """A capsule of any object with DLPack, for consumers that take capsules.

    The arguments are those of ``__dlpack__``; the ones that are None are not passed on. Without
    ``max_version`` the capsule is a legacy one, named ``dltensor``. The capsule can be consumed
    once; one that nobody consumes releases the memory when it is dropped.

    Raises
    ------
    AttributeError
        If ``x`` has no DLPack methods.
    BufferError
        If ``x`` cannot be exported so; any exception of ``x.__dlpack__`` passes unchanged.

    Source: array API 2025.12, ``array.__dlpack__``; DLPack 1.3, Python protocol.
    """
    cdef Publisher found
    cdef Publisher* publisher
    check_copy("to_dlpack", copy)
    if isinstance(x, type) or not hasattr(x, "__dlpack__"):
        raise AttributeError(
            f"to_dlpack: x must have __dlpack__, got {type_name(x)}; "
            f"convert it with xpdl.asarray")
    publisher = find_publisher(x, &found)
    if publisher != NULL and publisher.lazy_bits:
        needs_resolving("to_dlpack", x, False)
    check_exportable("to_dlpack", x)
    asked = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
    return x.__dlpack__(**{name: value for name, value in asked.items() if value is not None})
