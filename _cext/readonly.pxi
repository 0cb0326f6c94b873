# ReadOnlyWrapper: export, nothing else.

cdef object raise_export_only(str operation):
    raise RuntimeError(
        f"ReadOnlyWrapper: only DLPack export is allowed, got {operation}; "
        f"import it first, xpdl.from_dlpack(wrapper)")


cdef class ReadOnlyExport:
    """The part of ReadOnlyWrapper that exports."""
    cdef object wrapped
    cdef object __weakref__

    def __init__(self, x, /):
        if not hasattr(x, "__dlpack__") or not hasattr(x, "__dlpack_device__"):
            raise TypeError(
                f"ReadOnlyWrapper: x must have __dlpack__ and __dlpack_device__, "
                f"got {type_name(x)}; convert it with xpdl.asarray")
        self.wrapped = (<ReadOnlyExport>x).wrapped if isinstance(x, ReadOnlyExport) else x

    def __dlpack_device__(self):
        """The DLPack device ``(type, id)`` of what is wrapped."""
        return self.wrapped.__dlpack_device__()

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A versioned capsule with the read-only flag, which a legacy one cannot carry.

        Raises
        ------
        BufferError
            If ``max_version`` is None or below (1, 0), unless ``copy=True`` makes a fresh copy;
            or if what is wrapped cannot be exported.
        """
        cdef DLManagedTensorVersioned* managed
        check_copy("__dlpack__", copy)
        if type(self.wrapped) is Array or copy is True:
            x = self.wrapped if type(self.wrapped) is Array else from_dlpack(self.wrapped)
            return export_array(
                "__dlpack__", <Array>x, True, stream, max_version, dl_device, copy)
        if not wants_versioned("__dlpack__", max_version):
            raise BufferError(
                "__dlpack__: a read-only wrapper cannot go out in a legacy capsule, which has no "
                "flag for it; ask with max_version=(1, 0)")
        asked = None if dl_device is None else check_dl_device("__dlpack__", dl_device)
        if asked is not None and asked != (kDLCPU, 0) and asked != self.__dlpack_device__():
            raise BufferError(
                f"__dlpack__: dl_device must be (1, 0) or the device of what is wrapped, "
                f"{self.__dlpack_device__()}, got {asked}")
        if is_host_type(claimed_device("ReadOnlyWrapper", self.wrapped)[0]):
            check_stream("__dlpack__", CPU, stream)
            stream = None
        managed = export_readonly(self.wrapped, stream, CPU if asked == (kDLCPU, 0) else None)
        return versioned_capsule(managed)

    def __repr__(self):
        return f"ReadOnlyWrapper({self.wrapped!r})"

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        raise_export_only("the buffer protocol")


cdef DLManagedTensorVersioned* export_readonly(
        object wrapped, object stream, Device place) except NULL:
    """A managed tensor with the read-only flag over whatever ``wrapped`` exports."""
    cdef DLTensor tensor
    cdef int64_t strides[MAX_NDIM]
    cdef Owner owner
    if is_copy_on_write(wrapped) and (stream == NO_ORDER or wrapped.device.type == "cpu"):
        return export_copy_on_write(wrapped)
    owner = own_any("ReadOnlyWrapper", wrapped, stream, place)
    tensor = tensor_with_strides(owner, strides)
    return export_versioned(&tensor, owner, owner.flags & SUBBYTE_PADDED | READ_ONLY)


# A copy-on-write tensor of torch is copied when its memory is asked for in order to write. The
# wrapper only reads: it takes the address of a lazy clone, which shares the memory as long as it
# lives, also when the tensor is written to or dropped.

cdef bint is_copy_on_write(object x) except -1:
    torch = sys.modules.get("torch")
    tensor = getattr(torch, "Tensor", ())
    ask = getattr(getattr(torch, "_C", None), "_is_cow_tensor", None)
    return ask is not None and isinstance(x, tensor) and ask(x)


cdef DLManagedTensorVersioned* export_copy_on_write(object x) except NULL:
    cdef DLTensor tensor
    cdef int64_t strides[MAX_NDIM]
    cdef int64_t shape[MAX_NDIM]
    cdef Owner owner
    if needs_resolving("ReadOnlyWrapper", x, x.is_complex()):
        raise BufferError(
            "ReadOnlyWrapper: x must not require a gradient or have its conjugate bit set; "
            "use x.detach() or x.resolve_conj()")
    torch = sys.modules["torch"]
    clone = torch._lazy_clone(x)
    # The dtype and device as torch itself describes them, of a tensor without memory.
    owner = own_any(
        "ReadOnlyWrapper", torch.empty(0, dtype=x.dtype, device=x.device), None, None)
    tensor = owner.tensor[0]
    if clone.dim() > MAX_NDIM:
        raise BufferError(
            f"ReadOnlyWrapper: x must have at most {MAX_NDIM} axes, got {clone.dim()}")
    tensor.ndim = clone.dim()
    tensor.shape = shape
    tensor.strides = strides
    for i in range(tensor.ndim):
        shape[i] = clone.shape[i]
        strides[i] = clone.stride(i)
    address = clone.const_data_ptr()
    tensor.data = <void*><uintptr_t>address
    tensor.byte_offset = 0
    return export_versioned(&tensor, clone, owner.flags & SUBBYTE_PADDED | READ_ONLY)


REFUSED = (
    "__getitem__ __setitem__ __delitem__ __len__ __iter__ __contains__ __reversed__ "
    "__bool__ __int__ __float__ __complex__ __index__ __round__ __trunc__ __floor__ __ceil__ "
    "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __neg__ __pos__ __abs__ __invert__ "
    "__add__ __radd__ __iadd__ __sub__ __rsub__ __isub__ __mul__ __rmul__ __imul__ "
    "__truediv__ __rtruediv__ __itruediv__ __floordiv__ __rfloordiv__ __ifloordiv__ "
    "__mod__ __rmod__ __imod__ __pow__ __rpow__ __ipow__ __matmul__ __rmatmul__ __imatmul__ "
    "__divmod__ __rdivmod__ __and__ __rand__ __iand__ __or__ __ror__ __ior__ "
    "__xor__ __rxor__ __ixor__ __lshift__ __rlshift__ __ilshift__ "
    "__rshift__ __rrshift__ __irshift__ __getattr__ __setattr__ __delattr__ "
    "__array__ __copy__ __deepcopy__ __reduce_ex__"
).split()


def refusal(name):
    def refuse(self, *args, **keywords):
        raise_export_only(f"attribute {args[0]!r}" if name == "__getattr__" else name)
    refuse.__name__ = name
    return refuse


class ReadOnlyWrapper(ReadOnlyExport):
    """A read-only view of an Array or of any object with DLPack, which can only be exported.

    Every consumer that knows the read-only flag of DLPack gets an array that it cannot write to.
    Anything but export (operators, indexing, iteration, ``numpy.asarray``, pickling, attributes)
    raises RuntimeError; ``xpdl.from_dlpack(wrapper)`` is a read-only Array.

    Parameters
    ----------
    x : object
        An Array, or an object with ``__dlpack__`` and ``__dlpack_device__``.

    Raises
    ------
    TypeError
        If ``x`` has no DLPack methods.

    Source: DLPack 1.3, ``DLPACK_FLAG_BITMASK_READ_ONLY``.
    """
    __slots__ = ()
    __hash__ = object.__hash__

    def __init_subclass__(cls, **keywords):
        raise TypeError("ReadOnlyWrapper: cannot be subclassed")


for _name in REFUSED:
    setattr(ReadOnlyWrapper, _name, refusal(_name))
ReadOnlyWrapper.__module__ = "xpdl"


# The exchange API of the wrapper's type. What it hands out carries the flag; a bare DLTensor could
# not, so it lends none.

cdef int api_from_wrapper(void* py_object, DLManagedTensorVersioned** out) except? -1:
    x = <object>py_object
    if type(x) is not ReadOnlyWrapper:
        raise BufferError(
            f"DLPack exchange API: the object must be a ReadOnlyWrapper, got {type_name(x)}")
    out[0] = export_readonly((<ReadOnlyExport>x).wrapped, NO_ORDER, None)
    return 0


cdef int api_to_readonly(DLManagedTensorVersioned* managed, void** out) except? -1:
    """A read-only Array of a managed tensor."""
    return object_of_managed(managed, True, out)


cdef DLPackExchangeAPI wrapper_api = array_api
wrapper_api.managed_tensor_from_py_object_no_sync = api_from_wrapper
wrapper_api.managed_tensor_to_py_object_no_sync = api_to_readonly
wrapper_api.dltensor_from_py_object_no_sync = NULL
ReadOnlyWrapper.__dlpack_c_exchange_api__ = PyCapsule_New(
    &wrapper_api, "dlpack_exchange_api", NULL)
