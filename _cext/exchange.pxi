# The C exchange API: the one that a library publishes on its type, and the one of Array.

# ----------------------------------------------------------------------------------- consumed

cdef extern from *:
    """
    typedef struct {
      PyTypeObject *type;
      DLPackExchangeAPI *api;
      int lazy_bits;
      PyObject *requires_grad;
      PyObject *is_neg;
    } XpdlPublisher;
    """
    ctypedef struct Publisher "XpdlPublisher":
        PyTypeObject* type      # a strong reference: the address stays that of this type
        DLPackExchangeAPI* api
        bint lazy_bits          # whether its arrays can need resolving, as torch's
        PyObject* requires_grad  # then the type's getter and method, strong references too; NULL
        PyObject* is_neg        # where they are not written in C

cdef enum:
    MAX_PUBLISHERS = 16
    MAX_VERSIONS = 64  # tables in one chain: a longer one goes round in circles
    FIRST_PAGES = 1 << 16  # no address below is ever mapped
    ALIGNMENT = 256  # bytes, what the DLPack header recommends for data

cdef Publisher publishers[MAX_PUBLISHERS]
cdef int publisher_count = 0
# Types that publish none, since asking one takes an exception: by address, since a metaclass can
# change their hash, each with a weak reference that takes it out when the type dies.
cdef dict WITHOUT_API = {}


cdef Publisher* publisher_of(PyTypeObject* type) noexcept:
    for i in range(publisher_count):
        if publishers[i].type == type:
            return &publishers[i]
    return NULL


cdef Publisher* find_publisher(object x, Publisher* storage) except? NULL:
    """The exchange API of the type of ``x``, NULL if it has none of this major version."""
    cdef Publisher* found
    with cython.critical_section(WITHOUT_API):
        found = publisher_of(Py_TYPE(<PyObject*>x))
    if found != NULL:
        return found
    kind = type(x)
    address = <uintptr_t><PyObject*>kind
    if address in WITHOUT_API:
        return NULL
    published = getattr(kind, "__dlpack_c_exchange_api__", None)
    if published is None:
        WITHOUT_API[address] = weakref.ref(kind, functools.partial(WITHOUT_API.pop, address))
        return NULL
    storage.api = compatible_api(address_of_api(published))
    if storage.api == NULL:
        return NULL
    storage.type = <PyTypeObject*>kind
    storage.lazy_bits = (
        hasattr(kind, "requires_grad") and hasattr(kind, "is_neg") and hasattr(kind, "is_conj"))
    storage.requires_grad = storage.is_neg = NULL
    getter = method = None
    if storage.lazy_bits:
        getter, method = kind.requires_grad, kind.is_neg
    with cython.critical_section(WITHOUT_API):
        return remembered(storage, getter, method)


cdef Publisher* remembered(Publisher* new, object getter, object method) noexcept:
    """Where a publisher is remembered; ``new`` itself where there is no room for it.

    No Python code runs here, so that two threads cannot both enter a type.
    """
    global publisher_count
    cdef Publisher* found = publisher_of(new.type)
    if found != NULL:
        return found
    if publisher_count == MAX_PUBLISHERS:
        return new
    Py_INCREF(<PyObject*>new.type)
    if type(getter) is GetSetDescriptorType and type(method) is MethodDescriptorType:
        Py_INCREF(<PyObject*>getter)
        Py_INCREF(<PyObject*>method)
        new.requires_grad, new.is_neg = <PyObject*>getter, <PyObject*>method
    publishers[publisher_count] = new[0]
    publisher_count += 1
    return &publishers[publisher_count - 1]


cdef void* address_of_api(object published) except? NULL:
    """The address in a capsule, or in an int, as DLPack 1.2 had it."""
    if PyCapsule_CheckExact(published):
        if not PyCapsule_IsValid(published, "dlpack_exchange_api"):
            return NULL
        return PyCapsule_GetPointer(published, "dlpack_exchange_api")
    if type(published) is int and published % sizeof(void*) == 0 and (
            FIRST_PAGES <= published <= INT64_MAX):
        return <void*><uintptr_t>published
    return NULL


cdef DLPackExchangeAPI* compatible_api(void* address) noexcept:
    """The first API of our major version in the chain that begins at ``address``.

    NULL where that lacks the one slot that is used here.
    """
    cdef DLPackExchangeAPI* api = <DLPackExchangeAPI*>address
    cdef int left = MAX_VERSIONS
    while api != NULL and api.header.version.major != DLPACK_MAJOR_VERSION:
        left -= 1
        api = NULL if left == 0 else <DLPackExchangeAPI*>api.header.prev_api
    if api == NULL or api.managed_tensor_from_py_object_no_sync == NULL:
        return NULL
    return api


cdef bint may_need_resolving(object x, Publisher* publisher, DLTensor* tensor) except -1:
    """A quick look before ``needs_resolving``, past the search for the attributes of ``x``."""
    cdef PyObject* args[1]
    if publisher.is_neg == NULL or tensor.dtype.code == kDLComplex:
        return True
    args[0] = <PyObject*>x
    if Py_TYPE(publisher.requires_grad).tp_descr_get(
            <object>publisher.requires_grad, x, <object>publisher.type):
        return True
    answer = PyObject_Vectorcall(publisher.is_neg, args, 1, NULL)
    if answer == NULL:
        raise_pending()
    return taken(answer)


cdef bint needs_resolving(str function, object x, bint is_complex) except -1:
    """Whether the memory of a torch tensor is not its values, or must not be shared as it is.

    Its own ``__dlpack__`` refuses gradients and the conjugate bit, but not the negative bit.
    """
    if x.requires_grad:
        return True
    if x.is_neg():
        raise BufferError(
            f"{function}: x must not have its negative bit set, since its memory holds the "
            f"values with the other sign; use x.resolve_neg()")
    return is_complex and x.is_conj()


cdef Owner owner_from_api(str function, object x, Publisher* publisher):
    """Take a managed tensor over from the exchange API; None if that cannot describe ``x``."""
    cdef DLManagedTensorVersioned* managed = NULL
    cdef Owner owner = Owner.__new__(Owner)
    try:
        if publisher.api.managed_tensor_from_py_object_no_sync(<void*>x, &managed) == 0:
            if managed != NULL:
                own_versioned(owner, managed)
        if PyErr_Occurred() != NULL:  # whatever the status says
            raise_pending()
    except Exception:  # the documented error is that of x.__dlpack__()
        return None
    if owner.versioned == NULL:
        return None
    if publisher.lazy_bits and owner.tensor != NULL:
        if may_need_resolving(x, publisher, owner.tensor) and needs_resolving(
                function, x, owner.tensor.dtype.code == kDLComplex):
            return None
    return owner


# ---------------------------------------------------------------------------------- published
# Errors: -1 with a Python exception. The allocator runs without the GIL and reports to set_error.

cdef int api_from_object(void* py_object, DLManagedTensorVersioned** out) except? -1:
    """A managed tensor of an Array; the caller owns it."""
    cdef DLTensor tensor
    cdef int64_t strides[MAX_NDIM]
    cdef int64_t shape[MAX_NDIM]
    cdef bint fits
    cdef Array x = array_of_pointer(py_object)
    if x.device is CPU:
        fits = describe_host(x.raw, &tensor, strides)
    else:
        fits = describe_away(x.device, x.raw, &tensor, shape, strides)
    if not fits:
        raise BufferError(
            "DLPack exchange API: the array's strides must be multiples of its itemsize; "
            "exchange a copy, x.copy()")
    out[0] = export_versioned(
        &tensor, x.raw, (READ_ONLY if is_readonly(x) else 0) | padding_flag(&tensor))
    return 0


cdef int api_borrow_from_object(void* py_object, DLTensor* out) except? -1:
    """Describe an Array for the duration of a call; a DLTensor cannot say read-only."""
    cdef Array x = array_of_pointer(py_object)
    if is_readonly(x):
        raise BufferError(
            "DLPack exchange API: a DLTensor cannot mark a read-only array; exchange a copy, "
            "x.copy(), or a managed tensor")
    cdef bint fits
    cdef size_t ndim = x.raw.ndim
    with cython.critical_section(x):
        if x.element_strides is None:  # strides, and away from the CPU behind them the shape
            x.element_strides = PyBytes_FromStringAndSize(
                NULL, (1 if x.device is CPU else 2) * ndim * sizeof(int64_t))
    cdef char* storage = x.element_strides
    cdef int64_t* strides = <int64_t*>storage
    if x.device is CPU:
        fits = describe_host(x.raw, out, strides)
    else:
        fits = describe_away(x.device, x.raw, out, strides + ndim, strides)
    if not fits or out.dtype.bits < 8:
        raise BufferError(
            "DLPack exchange API: a DLTensor cannot describe this array's layout; "
            "exchange a copy, x.copy(), or a managed tensor")
    return 0


cdef Array array_of_pointer(void* py_object):
    x = <object>py_object
    if type(x) is not Array:
        raise BufferError(
            f"DLPack exchange API: the object must be an xpdl Array, got {type_name(x)}")
    return <Array>x


cdef int api_to_object(DLManagedTensorVersioned* managed, void** out) except? -1:
    """An Array of a managed tensor, which on success is the Array's and else stays the caller's."""
    return object_of_managed(managed, False, out)


cdef int object_of_managed(
        DLManagedTensorVersioned* managed, bint readonly, void** out) except -1:
    cdef Owner owner = Owner.__new__(Owner)
    if managed == NULL:
        raise BufferError("DLPack exchange API: the managed tensor must be given, got NULL")
    own_versioned(owner, managed)
    try:
        x = array_from_owner("DLPack exchange API", owner, None, None)
        if readonly:
            protect(<Array>x)
    except BaseException:
        owner.versioned = NULL
        raise
    Py_INCREF(<PyObject*>x)
    out[0] = <void*>x
    return 0


cdef int api_current_work_stream(DLDeviceType kind, int32_t number, void** out) except? -1:
    """The stream on which xpdl works: none on the host."""
    cdef Device device
    out[0] = NULL
    if is_host_type(kind):
        return 0
    if kind not in (kDLCUDA, kDLROCM, kDLCUDAManaged):
        raise BufferError(
            f"DLPack exchange API: no work stream for DLPack device ({<int>kind}, {number})")
    device = device_from_dlpack("DLPack exchange API", (<int>kind, number))
    require_backend_for_exchange("DLPack exchange API", device)
    out[0] = <void*><uintptr_t>call_many(device, "work_stream", ())
    return 0


cdef int api_allocate(
        DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
        DLPackSetError set_error) noexcept nogil:
    """A new C-ordered tensor like ``prototype``; on the host data and struct are one block."""
    cdef int64_t size, step, n
    cdef int ndim
    cdef void* block
    cdef char* data
    cdef DLManagedTensorVersioned* managed
    if prototype == NULL or out == NULL:
        return refuse(
            error_ctx, set_error, "ValueError",
            "DLPack exchange API: the prototype must be given, got NULL")
    ndim = prototype.ndim
    if not 0 <= ndim <= MAX_NDIM or (ndim > 0 and prototype.shape == NULL):
        return refuse(
            error_ctx, set_error, "ValueError",
            "DLPack exchange API: the shape must have 0 to 64 axes")
    if (prototype.dtype.code >= CODES or prototype.dtype.lanes != 1
            or prototype.dtype.bits == 0 or prototype.dtype.bits > 128):
        return refuse(
            error_ctx, set_error, "BufferError",
            "DLPack exchange API: the dtype must be one of DLPack 1.3, of one lane")
    size = step = (prototype.dtype.bits + 7) // 8
    for i in range(ndim):
        n = prototype.shape[i]
        if n < 0:
            return refuse(
                error_ctx, set_error, "ValueError",
                "DLPack exchange API: the shape must not be negative")
        if n > 0 and step > (INT64_MAX >> 1) // n:
            return refuse(
                error_ctx, set_error, "MemoryError",
                "DLPack exchange API: the tensor is too large")
        step *= n if n > 0 else 1  # the strides of an empty tensor must fit too
        size *= n
    if prototype.device.device_type != kDLCPU:
        return allocate_away(prototype, out, error_ctx, set_error)
    size = (size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
    block = malloc(
        ALIGNMENT - 1 + size + storage_size(sizeof(DLManagedTensorVersioned), ndim))
    if block == NULL:
        return refuse(
            error_ctx, set_error, "MemoryError",
            "DLPack exchange API: no memory for the tensor")
    data = <char*>((<uintptr_t>block + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT)
    managed = <DLManagedTensorVersioned*>(data + size)
    managed.version = DLPackVersion(DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION)
    managed.manager_ctx = block
    managed.deleter = delete_allocated
    managed.flags = 0
    managed.dl_tensor = prototype[0]
    managed.dl_tensor.data = data if size > 0 else NULL
    managed.dl_tensor.byte_offset = 0
    managed.dl_tensor.shape = <int64_t*>(managed + 1)
    managed.dl_tensor.strides = managed.dl_tensor.shape + ndim
    n = 1
    for i in range(ndim - 1, -1, -1):
        managed.dl_tensor.shape[i] = prototype.shape[i]
        managed.dl_tensor.strides[i] = n
        n *= prototype.shape[i] if prototype.shape[i] > 0 else 1
    out[0] = managed
    return 0


cdef int allocate_away(
        DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
        DLPackSetError set_error) noexcept with gil:
    """The same on another device, whose library allocates."""
    cdef DLTensor tensor
    cdef int64_t shape[MAX_NDIM]
    cdef int64_t strides[MAX_NDIM]
    cdef Device device
    try:
        device = device_of_tensor("DLPack exchange API", prototype)
        if device is CPU:
            raise BufferError("DLPack exchange API: the device must be the CPU or a GPU")
        require_backend_for_exchange("DLPack exchange API", device)
        dtype = dtype_of_tensor("DLPack exchange API", prototype)
        array = call_many(device, "empty", (shape_of(prototype), dtype))
        describe_away(device, array, &tensor, shape, strides)
        out[0] = export_versioned(&tensor, array, padding_flag(&tensor))
        return 0
    except BaseException as error:
        kind = type(error).__name__.encode() if isinstance(error, RENAMED) else b"BufferError"
        message = str(error).encode()
        return refuse(error_ctx, set_error, kind, message)


cdef void delete_allocated(DLManagedTensorVersioned* managed) noexcept nogil:
    if managed != NULL:
        free(managed.manager_ctx)


cdef int refuse(
        void* error_ctx, DLPackSetError set_error, const char* kind, const char* message
        ) noexcept nogil:
    if set_error != NULL:
        set_error(error_ctx, kind, message)
    return -1


cdef DLPackExchangeAPI array_api
array_api.header.version = DLPackVersion(DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION)
array_api.header.prev_api = NULL
array_api.managed_tensor_allocator = api_allocate
array_api.managed_tensor_from_py_object_no_sync = api_from_object
array_api.managed_tensor_to_py_object_no_sync = api_to_object
array_api.dltensor_from_py_object_no_sync = api_borrow_from_object
array_api.current_work_stream = api_current_work_stream
