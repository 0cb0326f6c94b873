# Pickling: the memory as an ndarray of the host, whether it is read-only, and the device if that is
# not the CPU. NumPy's own pickling of the ndarray gives the buffers of protocol 5.

cdef object unpickling_device = contextvars.ContextVar("xpdl.unpickle_device", default=None)
cdef Device process_unpickling_device = None

if os.environ.get("XPDL_UNPICKLE_DEVICE"):
    process_unpickling_device = device_from_name(
        "XPDL_UNPICKLE_DEVICE", os.environ["XPDL_UNPICKLE_DEVICE"])


@contextlib.contextmanager
def unpickling_context(device):
    token = unpickling_device.set(device)
    try:
        yield device
    finally:
        unpickling_device.reset(token)


def unpickle_device(device: str | Device | tuple, /) -> AbstractContextManager:
    """A context in which arrays that are unpickled go to ``device``, wherever they come from.

    Without it an Array goes back to the device on which it was pickled. It holds for this thread
    or asyncio task only; the environment variable ``XPDL_UNPICKLE_DEVICE`` holds for a process.

    Raises
    ------
    TypeError, ValueError
        If ``device`` is not one that Device accepts.
    """
    return unpickling_context(device_from("unpickle_device", device))


cdef tuple reduced(Array x):
    if x.device is CPU:
        return array_from_pickle, (view_for_pickler(x), is_readonly(x))
    return array_from_pickle, (host_array(x), is_readonly(x), x.device)


# joblib knows by the identity of an ndarray that tasks share it, and by its base that it is a
# mapped file, and then writes one file for all tasks, or none. A large Array therefore gives
# picklers one view as long as it lives. That must not keep the Array alive, so its base is the
# memory's keeper.

cdef enum:
    LARGE = 1 << 20  # bytes; from where joblib maps files, unless it is told otherwise

cdef dict views_for_picklers = {}  # id of a large Array -> a weak reference to it, the view


@cython.final
cdef class Keeper:
    """What keeps the memory of a view alive, out of the reach of its users."""
    cdef object kept


cdef object view_for_pickler(Array x):
    if x.raw.nbytes < LARGE:
        return view_of_array(x)
    key = id(x)
    found = views_for_picklers.get(key)
    if found is not None and found[1].shape == x.raw.shape:  # a user may have changed the view's
        return found[1]
    base = mapped_file_of(x.raw)
    if base is None:
        base = Keeper.__new__(Keeper)
        (<Keeper>base).kept = x.raw
    array = x.raw
    view = ndarray_view(
        base, array, PyArray_NDIM(array), PyArray_DIMS(array), PyArray_STRIDES(array),
        PyArray_DATA(array))
    views_for_picklers[key] = weakref.ref(x, functools.partial(views_for_picklers.pop, key)), view
    return view


cdef object mapped_file_of(object array):
    """The numpy.memmap whose memory an ndarray shows, or None."""
    while array is not None and not isinstance(array, np.memmap):
        array = getattr(array, "base", None)
    return array


def array_from_pickle(array, readonly, device=CPU, /):
    """The Array of an unpickled ndarray; refuses anything else."""
    cdef Device wanted = unpickling_device.get()
    if not PyArray_Check(array):
        raise TypeError(f"pickle: an Array is made from numpy.ndarray, got {type_name(array)}")
    x = array_from("pickle", array, None, CPU, None)
    if wanted is None:
        wanted = process_unpickling_device or device_from("pickle", device)
    if wanted is not CPU:
        x = moved_to("pickle", x, wanted)
    if readonly:
        protect(x)
    return x


cdef Array moved_to(str function, Array x, Device device):
    try:
        require_backend(function, device)
        return to_device(function, x, device, None)
    except (ImportError, RuntimeError, ValueError) as error:
        raise NotImplementedError(
            f"{function}: device must be one of this machine, got {device.name}; load the array "
            f"elsewhere with xpdl.unpickle_device('cpu')") from error
