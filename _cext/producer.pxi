# The protocol as callee: an array, described by a DLTensor, goes out in a managed tensor. Each
# export is one allocation, which holds the struct and behind it the shape and the strides.

cdef size_t storage_size(size_t struct_size, int ndim) noexcept nogil:
    return struct_size + 2 * <size_t>ndim * sizeof(int64_t)


cdef void copy_tensor(DLTensor* out, const DLTensor* tensor, int64_t* storage) noexcept:
    """Copy a tensor whose strides are set, with its shape and strides in ``storage``."""
    out[0] = tensor[0]
    out.shape = storage
    out.strides = storage + tensor.ndim
    for i in range(tensor.ndim):
        out.shape[i] = tensor.shape[i]
        out.strides[i] = tensor.strides[i]


cdef DLManagedTensor* export_legacy(const DLTensor* tensor, object keeper) except NULL:
    """A legacy managed tensor that holds a reference to ``keeper``, which owns the memory."""
    cdef DLManagedTensor* managed = <DLManagedTensor*>malloc(
        storage_size(sizeof(DLManagedTensor), tensor.ndim))
    if managed == NULL:
        raise MemoryError("__dlpack__: no memory for a managed tensor")
    copy_tensor(&managed.dl_tensor, tensor, <int64_t*>(managed + 1))
    managed.manager_ctx = <void*>keeper
    managed.deleter = delete_legacy
    Py_INCREF(<PyObject*>keeper)
    return managed


cdef DLManagedTensorVersioned* export_versioned(
        const DLTensor* tensor, object keeper, uint64_t flags) except NULL:
    """The same with a version and flags."""
    cdef DLManagedTensorVersioned* managed = <DLManagedTensorVersioned*>malloc(
        storage_size(sizeof(DLManagedTensorVersioned), tensor.ndim))
    if managed == NULL:
        raise MemoryError("__dlpack__: no memory for a managed tensor")
    copy_tensor(&managed.dl_tensor, tensor, <int64_t*>(managed + 1))
    managed.version = DLPackVersion(DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION)
    managed.manager_ctx = <void*>keeper
    managed.deleter = delete_versioned
    managed.flags = flags
    Py_INCREF(<PyObject*>keeper)
    return managed


# A deleter is called by any thread, with or without the GIL, and possibly when the interpreter is
# gone or going: the memory then stays, for its owner cannot be reached any more.

cdef void release_keeper(void* keeper) noexcept nogil:
    if not Py_IsInitialized() or (is_finalizing() and not PyGILState_Check()):
        return
    cdef PyGILState_STATE state = PyGILState_Ensure()
    with_gil_release(keeper)
    PyGILState_Release(state)


cdef extern from *:
    """
    /* Drops a reference while keeping an exception that may be pending. */
    static inline void xpdl_drop(void *object) {
      PyObject *kind, *value, *traceback;
      if (XPDL_HAS_GIL && Py_REFCNT((PyObject *)object) > 1) { /* not the last: no code runs */
        Py_DECREF((PyObject *)object);
        return;
      }
      PyErr_Fetch(&kind, &value, &traceback);
      Py_DECREF((PyObject *)object);
      PyErr_Restore(kind, value, traceback);
    }
    """
    void with_gil_release "xpdl_drop"(void*) nogil


cdef void delete_legacy(DLManagedTensor* managed) noexcept nogil:
    if managed != NULL:
        release_keeper(managed.manager_ctx)
        free(managed)


cdef void delete_versioned(DLManagedTensorVersioned* managed) noexcept nogil:
    if managed != NULL:
        release_keeper(managed.manager_ctx)
        free(managed)


# ----------------------------------------------------------------------------------- capsules
# A consumer renames the capsule it takes over; one that nobody took calls the deleter itself.

cdef extern from *:
    """
    /* Our own deleters; a capsule dies with the GIL held, so that what they do can be done here. */
    static struct {
      void (*legacy)(DLManagedTensor *);
      void (*versioned)(DLManagedTensorVersioned *);
    } xpdl_own;

    static void xpdl_drop_legacy_capsule(PyObject *capsule) {
      if (PyCapsule_IsValid(capsule, "dltensor")) {
        DLManagedTensor *managed = (DLManagedTensor *)PyCapsule_GetPointer(capsule, "dltensor");
        if (managed->deleter == xpdl_own.legacy) {
          xpdl_drop(managed->manager_ctx);
          free(managed);
        } else {
          managed->deleter(managed);
        }
      }
    }
    static void xpdl_drop_versioned_capsule(PyObject *capsule) {
      if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        DLManagedTensorVersioned *managed =
            (DLManagedTensorVersioned *)PyCapsule_GetPointer(capsule, "dltensor_versioned");
        if (managed->deleter == xpdl_own.versioned) {
          xpdl_drop(managed->manager_ctx);
          free(managed);
        } else {
          managed->deleter(managed);
        }
      }
    }
    """
    void drop_legacy_capsule "xpdl_drop_legacy_capsule"(PyObject*) noexcept
    void drop_versioned_capsule "xpdl_drop_versioned_capsule"(PyObject*) noexcept
    ctypedef void (*CapsuleDestructor "PyCapsule_Destructor")(PyObject*) noexcept
    PyObject* new_capsule "PyCapsule_New"(void*, const char*, CapsuleDestructor) noexcept
    ctypedef struct OwnDeleters:
        void (*legacy)(DLManagedTensor*) noexcept nogil
        void (*versioned)(DLManagedTensorVersioned*) noexcept nogil
    OwnDeleters own_deleters "xpdl_own"

own_deleters.legacy = delete_legacy
own_deleters.versioned = delete_versioned


cdef object legacy_capsule(const DLTensor* tensor, object keeper):
    cdef DLManagedTensor* managed = export_legacy(tensor, keeper)
    cdef PyObject* capsule = new_capsule(managed, "dltensor", drop_legacy_capsule)
    if capsule == NULL:
        delete_legacy(managed)
        raise_pending()
    return taken(capsule)


cdef object versioned_capsule(DLManagedTensorVersioned* managed):
    """A capsule that takes a managed tensor of ours over."""
    cdef PyObject* capsule = new_capsule(managed, "dltensor_versioned", drop_versioned_capsule)
    if capsule == NULL:
        delete_versioned(managed)
        raise_pending()
    return taken(capsule)


# -------------------------------------------------------------------------- what is asked for

cdef inline bint wants_versioned(str function, object max_version) except -1:
    """Whether ``max_version`` allows a versioned capsule; None and major 0 ask for a legacy one."""
    return max_version is not None and major_of(function, max_version) >= 1


cdef object major_of(str function, object max_version):
    """The major version of a ``max_version`` that is given."""
    if isinstance(max_version, tuple) and len(max_version) == 2:
        major, minor = max_version
        if is_version_number(major) and is_version_number(minor):
            return major
    raise TypeError(
        f"{function}: max_version must be None or a tuple of two ints (major, minor), "
        f"got {max_version!r}")


cdef bint is_version_number(object x):
    if type(x) is int:
        return x >= 0
    return isinstance(x, (int, np.integer)) and not isinstance(x, bool) and x >= 0


cdef object check_dl_device(str function, object dl_device):
    """A requested DLPack device as a pair of ints."""
    if isinstance(dl_device, tuple) and len(dl_device) == 2:
        kind, number = dl_device
        try:
            return operator.index(kind), operator.index(number)
        except TypeError:
            pass
    raise TypeError(
        f"{function}: dl_device must be None or a tuple of two ints (device type, device id), "
        f"got {dl_device!r}")


# ------------------------------------------------------------------------------------- arrays

cdef bint describe_host(object array, DLTensor* out, int64_t* strides) noexcept:
    """Fill ``out`` for an ndarray, with ``strides`` as its storage; False if they do not fit.

    Shape and strides are valid as long as the ndarray and the storage.
    """
    cdef int64_t itemsize = PyArray_ITEMSIZE(array)
    cdef cnp.npy_intp* byte_strides = PyArray_STRIDES(array)
    cdef int ndim = PyArray_NDIM(array)
    out.data = PyArray_DATA(array) if PyArray_SIZE(array) != 0 else NULL
    out.device = dl_device_of(array)
    out.ndim = ndim
    code_from_dtype(PyArray_TYPE(array), &out.dtype)
    out.shape = <int64_t*>PyArray_DIMS(array)
    out.strides = strides
    out.byte_offset = 0
    for i in range(ndim):
        strides[i] = byte_strides[i] // itemsize
        if strides[i] * itemsize != byte_strides[i]:
            return False
    return True


cdef uint64_t padding_flag(const DLTensor* tensor) noexcept:
    """The flag of a tensor whose items are under a byte: ndarrays hold one to a byte."""
    return SUBBYTE_PADDED if tensor.dtype.bits < 8 else 0


cdef object export_host(
        str function, object array, bint readonly, object max_version, object dl_device,
        object copy):
    """A capsule of an ndarray; its memory, or that of a copy, lives as long as the capsule's."""
    cdef DLTensor tensor
    cdef int64_t strides[MAX_NDIM]
    cdef uint64_t flags = READ_ONLY if readonly else 0
    cdef bint versioned = wants_versioned(function, max_version)
    check_copy(function, copy)
    asked = None if dl_device is None else check_dl_device(function, dl_device)
    if copy is True:
        array = PyArray_NewCopy(array, cnp.NPY_CORDER)
        flags = IS_COPIED
    if not describe_host(array, &tensor, strides):
        if copy is False:
            raise CopyRequiredError(
                f"{function}: copy=False cannot be honoured, since the array's strides are no "
                f"multiple of its itemsize; use copy=None")
        array = PyArray_NewCopy(array, cnp.NPY_CORDER)
        flags = IS_COPIED
        describe_host(array, &tensor, strides)
    if asked is not None and asked != (tensor.device.device_type, tensor.device.device_id):
        if asked != (kDLCPU, 0):
            raise BufferError(
                f"{function}: dl_device must be (1, 0) or the array's own "
                f"({<int>tensor.device.device_type}, {tensor.device.device_id}), got {asked}; "
                f"move the array with to_device")
        tensor.device = DLDevice(kDLCPU, 0)
    return capsule_of(function, &tensor, array, flags, versioned)


cdef object capsule_of(
        str function, const DLTensor* tensor, object array, uint64_t flags, bint versioned):
    """A capsule of a library's array, which ``tensor`` describes."""
    if versioned:
        return versioned_capsule(export_versioned(tensor, array, flags | padding_flag(tensor)))
    if flags & READ_ONLY:
        raise_readonly_legacy(function)
    if padding_flag(tensor):
        raise BufferError(
            f"{function}: {array.dtype} with a byte for each item cannot go out in a legacy "
            f"capsule, which has no flag for it; ask with max_version=(1, 0)")
    return legacy_capsule(tensor, array)


cdef object raise_readonly_legacy(str function):
    raise BufferError(
        f"{function}: a read-only array cannot go out in a legacy capsule, which has no flag "
        f"for it; ask with max_version=(1, 0) or copy=True")


cdef inline object export_array(
        str function, Array x, bint readonly, object stream, object max_version,
        object dl_device, object copy):
    """A capsule of an Array on any device, ordered for the consumer's ``stream``."""
    if x.device is CPU:
        check_stream(function, CPU, stream)
        return export_host(function, x.raw, readonly, max_version, dl_device, copy)
    return export_away(function, x, readonly, stream, max_version, dl_device, copy)


cdef object export_away(
        str function, Array x, bint readonly, object stream, object max_version,
        object dl_device, object copy):
    """A capsule of an Array that is not on the CPU.

    The consumer's stream waits for the work of xpdl so far, and the host does not, unless the host
    is where the data is asked for. A copy is made on the consumer's stream.
    """
    cdef DLTensor tensor
    cdef int64_t shape[MAX_NDIM]
    cdef int64_t strides[MAX_NDIM]
    cdef uint64_t flags = READ_ONLY if readonly else 0
    cdef bint versioned = wants_versioned(function, max_version)
    check_copy(function, copy)
    check_stream(function, x.device, stream)
    asked = None if dl_device is None else check_dl_device(function, dl_device)
    if asked == (kDLCPU, 0):
        return export_to_host(function, x, stream, versioned, copy)
    array = x.raw
    fits = describe_away(x.device, array, &tensor, shape, strides)
    if asked is not None and asked != (tensor.device.device_type, tensor.device.device_id):
        raise BufferError(
            f"{function}: dl_device must be (1, 0) or the array's own "
            f"({<int>tensor.device.device_type}, {tensor.device.device_id}), got {asked}; "
            f"move the array with to_device")
    if not fits and copy is False:
        raise CopyRequiredError(
            f"{function}: copy=False cannot be honoured, since the array's strides are no "
            f"multiple of its itemsize; use copy=None")
    if copy is True or not fits:
        array = call(
            <object>function_of(x.device, "copy_for"), function, (function, array, stream))
        describe_away(x.device, array, &tensor, shape, strides)
        return capsule_of(function, &tensor, array, IS_COPIED, versioned)
    if readonly and not versioned:
        raise_readonly_legacy(function)
    order_consumer(function, x.device, stream)
    return capsule_of(function, &tensor, array, flags, versioned)


cdef object export_to_host(
        str function, Array x, object stream, bint versioned, object copy):
    """A capsule of a copy on the host, which waits for the work that makes it."""
    cdef DLTensor tensor
    cdef int64_t strides[MAX_NDIM]
    if stream is not None:
        raise ValueError(
            f"{function}: stream must be None for dl_device (1, 0), since the host has no "
            f"streams, got {stream}")
    if copy is False:
        raise CopyRequiredError(
            f"{function}: copy=False cannot be honoured for a move from {x.device.name} to cpu; "
            f"use copy=None")
    array = to_device(function, x, CPU, None).raw
    describe_host(array, &tensor, strides)
    return capsule_of(function, &tensor, array, IS_COPIED, versioned)
