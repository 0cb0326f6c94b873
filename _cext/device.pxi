# Device: one object per device within a process, so that identity is equality.

cdef dict DEVICES = {}  # (type, id) -> the Device


@cython.final
cdef class Device:
    """A place where arrays live: ``"cpu"``, ``"cuda"`` (its device 0) or ``"cuda:i"``.

    A Device equals every name of it, ``x.device == "cuda"``, and hashes like the one it prints.

    Parameters
    ----------
    device : str, Device or (int, int)
        A name, a Device, or a DLPack pair ``(device type, device id)``, whose host-readable types
        1, 3 and 11 are ``"cpu"`` and whose types 2, 10 and 13 are ``"cuda:i"``.

    Raises
    ------
    TypeError
        If ``device`` is of another type.
    ValueError
        If there is no such kind of device.

    Source: array API 2025.12, device support.
    """

    def __eq__(self, other):
        if isinstance(other, Device):
            return self is other
        if isinstance(other, str):
            return self.name == other or self is device_or_none(other)
        return NotImplemented

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"Device({self.name!r})"

    def __reduce__(self):
        return Device, (self.name,)


cdef Device intern_device(str type, int id):
    cdef Device device = DEVICES.get((type, id))
    if device is None:
        device = Device.__new__(Device)
        device.type = type
        device.id = id
        device.name = "cpu" if type == "cpu" else f"{type}:{id}"
        device = DEVICES.setdefault((type, id), device)  # another thread may have been faster
    return device


cdef Device device_from_name(str function, str name):
    kind, colon, number = name.partition(":")
    if kind == "cpu" and number in ("", "0") and (number or not colon):
        return intern_device("cpu", 0)
    if kind == "cuda" and (not colon or (number.isascii() and number.isdigit())):
        return cuda_device(function, int(number[:6] or 0), name)  # longer is too large anyway
    raise ValueError(f"{function}: device must be 'cpu', 'cuda' or 'cuda:<id>', got {name!r}")


cdef Device device_or_none(str name):
    try:
        return device_from_name("Device", name)
    except ValueError:
        return None


cdef Device cuda_device(str function, object number, object got):
    if not 0 <= number <= 0xFFFF:
        raise ValueError(f"{function}: device must have an id of 0 to 65535, got {got!r}")
    return intern_device("cuda", number)


cdef Device device_from_dlpack(str function, object pair):
    """The Device of a DLPack pair, whichever of its two numbers is an enumeration or None."""
    kind, number = pair
    try:
        kind = operator.index(kind)
        number = 0 if number is None else operator.index(number)
    except TypeError:
        raise TypeError(
            f"{function}: device must be a pair of ints (type, id), got {pair!r}") from None
    if kind in (kDLCPU, kDLCUDAHost, kDLROCMHost):
        return intern_device("cpu", 0)
    if kind in (kDLCUDA, kDLROCM, kDLCUDAManaged):
        return cuda_device(function, number, (kind, number))
    raise ValueError(
        f"{function}: device must be of a DLPack type for the host (1, 3, 11) or for CUDA and "
        f"ROCm (2, 10, 13), got {(kind, number)}")


cdef Device device_from(str function, object device):
    if type(device) is Device:
        return device
    if isinstance(device, str):
        return device_from_name(function, "".join(device))  # also of a subclass of str
    if isinstance(device, tuple) and len(device) == 2:
        return device_from_dlpack(function, device)
    raise TypeError(
        f"{function}: device must be a str, an xpdl.Device or a DLPack pair of ints, "
        f"got {type_name(device)}")


cdef PyObject* new_device(PyTypeObject* type, PyObject* args, PyObject* keywords) except NULL:
    """``Device(device)``: the one object of that device, never a second."""
    if keywords != NULL and len(<dict>keywords) != 0:
        raise TypeError("Device: takes one positional argument and no keywords")
    if len(<tuple>args) != 1:
        raise TypeError(f"Device: takes one argument, got {len(<tuple>args)}")
    argument = (<tuple>args)[0]
    if argument is None:
        raise TypeError("Device: device must be a str, an xpdl.Device or a DLPack pair of ints, "
                        "got NoneType")
    found = device_from("Device", argument)
    Py_INCREF(<PyObject*>found)
    return <PyObject*>found


set_new(Device, <void*>new_device)

cdef Device CPU = intern_device("cpu", 0)

# ------------------------------------------------------------------------ the default device

cdef object context_device = contextvars.ContextVar("xpdl.default_device")
cdef Device process_device = CPU


cdef Device current_device():
    cdef PyObject* value = NULL
    PyContextVar_Get(context_device, NULL, &value)
    if value == NULL:
        return process_device
    found = <object>value
    Py_DECREF(value)
    return <Device?>found


@contextlib.contextmanager
def device_context(device):
    token = context_device.set(device)
    try:
        yield device
    finally:
        context_device.reset(token)


def default_device(
        device: str | Device | tuple | None = None, /) -> Device | AbstractContextManager:
    """The default device of creation functions, or a context in which it is another.

    ``default_device()`` returns the Device on which creation functions without ``device=`` put
    their arrays; ``with default_device(device):`` sets it for a block, for this thread or
    asyncio task only.

    Raises
    ------
    TypeError, ValueError
        If ``device`` is not one that Device accepts.
    """
    if device is None:
        return current_device()
    return device_context(device_from("default_device", device))


def set_default_device(device: str | Device | tuple, /) -> None:
    """Set the default device of the process, outside of ``with default_device(...)`` blocks.

    The environment variable ``XPDL_DEVICE`` sets it at start.

    Raises
    ------
    TypeError, ValueError
        If ``device`` is not one that Device accepts.
    """
    global process_device
    process_device = device_from("set_default_device", device)


if os.environ.get("XPDL_DEVICE"):
    process_device = device_from_name("XPDL_DEVICE", os.environ["XPDL_DEVICE"])

# ----------------------------------------------------------------------------------- backends

cdef dict LOADERS = {}  # device type -> function of a Device that returns its function tables


def register_loader(device_type, loader, /):
    """Let ``loader`` make the function table of each device of ``device_type`` at its first use.

    It raises NotImplementedError, which says what is missing, where there is no such device.
    """
    LOADERS[device_type] = loader


def register_functions(device_type, functions, integral=None, complex=None, /):
    """Give the devices of ``device_type`` their function table: name -> callable on raw arrays.

    ``integral`` and ``complex`` have what replaces functions of one array for arrays of integers
    and bool, and for complex ones, so that real floats go straight to the library's function.
    """
    tables = dict(functions), functions | (integral or {}), functions | (complex or {})
    for (kind, _), device in DEVICES.items():
        if kind == device_type:
            set_functions(device, tables)
    LOADERS[device_type] = lambda device: tables


cdef object set_functions(Device device, tuple tables):
    device.integral_functions, device.complex_functions = tables[1:]
    device.functions = tables[0]  # last: it tells other threads that all is there


cdef int require_backend(str function, Device device) except -1:
    """Load the backend of ``device`` at its first use."""
    if device.functions is not None:
        return 0
    try:
        set_functions(device, LOADERS[device.type](device))
        return 0
    except NotImplementedError as error:
        refused = NotImplementedError(f"{function}: {error}")
    raise refused from None


cdef bint has_backend(Device device):
    """Whether ``device`` is there and its library can be loaded."""
    try:
        require_backend("", device)
    except NotImplementedError:
        return False
    return True


cpdef Device check_device(str function, object device):
    """The Device meant by ``device``, the default device for None, its backend loaded."""
    cdef Device found = current_device() if device is None else device_from(function, device)
    require_backend(function, found)
    return found
