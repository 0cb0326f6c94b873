"""A DLPack producer made of ctypes: a test sets every field and sees every call and deletion.

What is written here follows the tables of DLPack 1.3 and shares no text with the extension, so
that a mistake in one is not repeated in the other.

The deleter is a ctypes callback: it takes the GIL and runs Python code, as the deleters of some
real producers do. It counts, and it spoils the fields of the tensor it was called for, so that a
consumer that looks at a tensor after releasing it is caught. Capsules are made without a
destructor; `FakeProducer.settle` calls the deleter of those that nobody consumed.
"""

import ctypes
from ctypes import (
    POINTER,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
    py_object,
    pythonapi,
)
from typing import NamedTuple

__all__ = [
    "CODES",
    "IS_COPIED",
    "READ_ONLY",
    "SUBBYTE_PADDED",
    "DLDevice",
    "DLManagedTensor",
    "DLManagedTensorVersioned",
    "DLPackExchangeAPI",
    "DLTensor",
    "ExchangeTable",
    "FakeProducer",
    "Peek",
    "address_of",
    "capsule_name",
    "delete",
    "make_capsule",
    "nogil_delete",
    "peek",
    "peek_address",
    "rename",
    "stray_deletions",
    "take",
]

# --------------------------------------------------------------------------------------------------
# The ABI


class DLPackVersion(ctypes.Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32)]


class DLDevice(ctypes.Structure):
    _fields_ = [("device_type", c_int32), ("device_id", c_int32)]


class DLDataType(ctypes.Structure):
    _fields_ = [("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)]


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device", DLDevice),
        ("ndim", c_int32),
        ("dtype", DLDataType),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("dl_tensor", DLTensor), ("manager_ctx", c_void_p), ("deleter", c_void_p)]


class DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = [
        ("version", DLPackVersion),
        ("manager_ctx", c_void_p),
        ("deleter", c_void_p),
        ("flags", c_uint64),
        ("dl_tensor", DLTensor),
    ]


class DLPackExchangeAPIHeader(ctypes.Structure):
    _fields_ = [("version", DLPackVersion), ("prev_api", c_void_p)]


class DLPackExchangeAPI(ctypes.Structure):
    _fields_ = [
        ("header", DLPackExchangeAPIHeader),
        ("managed_tensor_allocator", c_void_p),
        ("managed_tensor_from_py_object_no_sync", c_void_p),
        ("managed_tensor_to_py_object_no_sync", c_void_p),
        ("dltensor_from_py_object_no_sync", c_void_p),
        ("current_work_stream", c_void_p),
    ]


READ_ONLY, IS_COPIED, SUBBYTE_PADDED = 1, 2, 4

# NumPy's kind characters and the DLPack type codes.
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}

# A capsule keeps the pointer to its name and not a copy: these bytes live as long as the module.
LEGACY, VERSIONED = b"dltensor", b"dltensor_versioned"
USED_LEGACY, USED_VERSIONED = b"used_dltensor", b"used_dltensor_versioned"
EXCHANGE = b"dlpack_exchange_api"

_STRUCTS = {LEGACY: DLManagedTensor, VERSIONED: DLManagedTensorVersioned}
_USED = {LEGACY: USED_LEGACY, VERSIONED: USED_VERSIONED}

# Prototypes of our own: the attributes of `pythonapi` are shared with everyone in the process.
_new = ctypes.PYFUNCTYPE(py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", pythonapi))
_get_name = ctypes.PYFUNCTYPE(c_char_p, py_object)(("PyCapsule_GetName", pythonapi))
_set_name = ctypes.PYFUNCTYPE(c_int, py_object, c_char_p)(("PyCapsule_SetName", pythonapi))
_get_pointer = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", pythonapi))
_decref = ctypes.PYFUNCTYPE(None, c_void_p)(("Py_DecRef", pythonapi))

# A function called through CFUNCTYPE runs without the GIL, one through PYFUNCTYPE with it.
DELETER = ctypes.CFUNCTYPE(None, c_void_p)

_libc = ctypes.CDLL(None)


# --------------------------------------------------------------------------------------------------
# Capsules


def capsule_name(capsule):
    """The capsule's name, a bytes object, or None for the NULL name."""
    return _get_name(capsule)


def address_of(capsule):
    """The address that the capsule holds, whatever its name; the capsule is not consumed."""
    return _get_pointer(capsule, _get_name(capsule))


def make_capsule(address, name):
    """A capsule without a destructor; `name` is bytes that outlive it."""
    return _new(address, name, None)


def rename(capsule, name):
    """Give the capsule another name; `name` is bytes that outlive it."""
    _set_name(capsule, name)


class Peek(NamedTuple):
    """What a managed tensor says; `data` is None for NULL, and so are `shape` and `strides`."""

    kind: str
    version: tuple | None
    flags: int | None
    data: int | None
    device: tuple
    ndim: int
    dtype: tuple
    shape: tuple | None
    strides: tuple | None
    byte_offset: int
    deleter: int | None
    manager_ctx: int | None
    address: int

    @property
    def pointer(self):
        """The address of the first element."""
        return (self.data or 0) + self.byte_offset


def peek(capsule):
    """Read a capsule of either name, used or not, and leave it as it is."""
    name = _get_name(capsule)
    if name not in (LEGACY, VERSIONED, USED_LEGACY, USED_VERSIONED):
        raise AssertionError(f"not a DLPack capsule: {name!r}")
    return peek_address(address_of(capsule), versioned=name.endswith(b"versioned"))


def peek_address(address, *, versioned=True):
    """Read a managed tensor by its address."""
    managed = (DLManagedTensorVersioned if versioned else DLManagedTensor).from_address(address)
    tensor = managed.dl_tensor
    length = max(tensor.ndim, 0)
    return Peek(
        kind="versioned" if versioned else "legacy",
        version=(managed.version.major, managed.version.minor) if versioned else None,
        flags=managed.flags if versioned else None,
        data=tensor.data,
        device=(tensor.device.device_type, tensor.device.device_id),
        ndim=tensor.ndim,
        dtype=(tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes),
        shape=tuple(tensor.shape[:length]) if tensor.shape else None,
        strides=tuple(tensor.strides[:length]) if tensor.strides else None,
        byte_offset=tensor.byte_offset,
        deleter=managed.deleter,
        manager_ctx=managed.manager_ctx,
        address=address,
    )


def take(capsule):
    """Consume a capsule as a C consumer does: rename it; the address is the caller's to delete."""
    name = _get_name(capsule)
    address = _get_pointer(capsule, name)
    _set_name(capsule, _USED[name])
    return address


def delete(address, *, versioned=True, thread=None):
    """Call the deleter of a managed tensor without the GIL.

    With ``thread="foreign"`` it is called on a thread that Python has never seen: the deleter
    itself is the start routine of a POSIX thread.
    """
    struct = DLManagedTensorVersioned if versioned else DLManagedTensor
    deleter = struct.from_address(address).deleter
    if deleter is None:
        return
    if thread is None:
        DELETER(deleter)(address)
        return
    handle = ctypes.c_ulong()
    start = c_void_p(deleter)
    if _libc.pthread_create(ctypes.byref(handle), None, start, c_void_p(address)):
        raise OSError("pthread_create failed")
    if _libc.pthread_join(handle, None):
        raise OSError("pthread_join failed")


def nogil_delete(capsule, *, thread=None):
    """Consume a capsule and call its deleter without the GIL; see `delete`."""
    versioned = _get_name(capsule) == VERSIONED
    delete(take(capsule), versioned=versioned, thread=thread)


# --------------------------------------------------------------------------------------------------
# Deletions

_records = {}
_strays = []


class _Record:
    """One managed tensor handed out: its memory, and how often its deleter was called."""

    def __init__(self, producer, managed, keep):
        self.producer = producer
        self.managed = managed
        self.keep = keep
        self.capsule = None
        self.address = ctypes.addressof(managed)
        self.deleted = 0

    def consumed(self):
        name = _get_name(self.capsule)
        return name is None or name.startswith(b"used_")


def _on_delete(address):
    record = _records.pop(address, None)
    if record is None:
        _strays.append(address)
        return
    record.deleted += 1
    record.producer._deleted.append(record)
    tensor = record.managed.dl_tensor
    tensor.ndim = -77
    tensor.data = 1
    tensor.dtype.bits = 77


_deleter = DELETER(_on_delete)
_DELETER = ctypes.cast(_deleter, c_void_p).value


def stray_deletions():
    """The deletions since the last call that nothing stood for: each is a deleter called twice."""
    found = list(_strays)
    _strays.clear()
    return found


# --------------------------------------------------------------------------------------------------
# The producer


class FakeProducer:
    """A DLPack producer over a NumPy array, wrong wherever a test wants it wrong.

    Parameters
    ----------
    array
        The memory; also where everything comes from that is not given.
    versioned
        True: a versioned capsule always. False: a legacy one always. None: as it was asked.
    version, flags
        What the versioned struct says.
    device, claimed_device
        What the tensor says, and what ``__dlpack_device__`` returns (an exception is raised).
    dtype, shape, strides, ndim, byte_offset, data
        The tensor's fields; ``...`` is as the array has it, None for a pointer is NULL.
    deleter
        False for a NULL deleter.
    accept
        The keywords in the signature of ``__dlpack__``: one of `ACCEPT`.
    name
        The capsule's name, bytes; the struct stays as `versioned` says.
    result
        What ``__dlpack__`` gives instead of a capsule; an exception is raised.
    """

    def __new__(cls, array, *, accept=("stream", "max_version", "dl_device", "copy"), **fields):
        return object.__new__(_BY_ACCEPT[accept])

    def __init__(
        self,
        array,
        *,
        versioned=True,
        version=(1, 3),
        flags=0,
        device=(1, 0),
        claimed_device=...,
        dtype=...,
        shape=...,
        strides=...,
        ndim=...,
        byte_offset=0,
        data=...,
        deleter=True,
        accept=("stream", "max_version", "dl_device", "copy"),
        name=...,
        result=...,
    ):
        self.array = array
        self.versioned = versioned
        self.version = version
        self.flags = flags
        self.device = device
        self.claimed_device = device if claimed_device is ... else claimed_device
        self.dtype = _dtype_of(array) if dtype is ... else dtype
        self.shape = array.shape if shape is ... else shape
        self.strides = _strides_of(array, self.shape) if strides is ... else strides
        self.ndim = len(self.shape or ()) if ndim is ... else ndim
        self.byte_offset = byte_offset
        self.data = array.ctypes.data if data is ... else data
        self.deleter = deleter
        self.name = name
        self.result = result
        self.calls = []
        self.device_calls = 0
        self._made = []
        self._deleted = []

    def __dlpack_device__(self):
        self.device_calls += 1
        if isinstance(self.claimed_device, Exception):
            raise self.claimed_device
        return self.claimed_device

    def _dlpack(self, given):
        self.calls.append(given)
        if isinstance(self.result, Exception):
            raise self.result
        if self.result is not ...:
            return self.result
        return self.capsule(given)

    def capsule(self, given=None):
        """A capsule, as ``__dlpack__`` called with the keywords `given` makes it."""
        given = {} if given is None else given
        versioned = self.versioned
        if versioned is None:
            asked = given.get("max_version")
            versioned = asked is not None and asked[0] >= 1
        record = self._build(versioned)
        name = (VERSIONED if versioned else LEGACY) if self.name is ... else self.name
        record.capsule = make_capsule(record.address, name)
        self._made.append(record)
        return record.capsule

    def address(self, *, versioned=True):
        """A managed tensor without a capsule, owned by the caller."""
        record = self._build(versioned)
        self._made.append(record)
        return record.address

    def _build(self, versioned):
        managed = DLManagedTensorVersioned() if versioned else DLManagedTensor()
        tensor = managed.dl_tensor
        shape = None if self.shape is None else (c_int64 * len(self.shape))(*self.shape)
        strides = None if self.strides is None else (c_int64 * len(self.strides))(*self.strides)
        tensor.data = self.data
        tensor.device = DLDevice(*self.device)
        tensor.ndim = self.ndim
        tensor.dtype = DLDataType(*self.dtype)
        tensor.shape = shape
        tensor.strides = strides
        tensor.byte_offset = self.byte_offset
        if versioned:
            managed.version = DLPackVersion(*self.version)
            managed.flags = self.flags
        managed.deleter = _DELETER if self.deleter else None
        record = _Record(self, managed, (shape, strides, self.array))
        if self.deleter:
            _records[record.address] = record
        return record

    @property
    def deleted(self):
        """How often deleters of this producer's tensors were called."""
        return len(self._deleted)

    @property
    def made(self):
        """How many tensors were handed out."""
        return len(self._made)

    @property
    def unconsumed(self):
        """How many capsules still carry the name they were made with."""
        return sum(not record.consumed() for record in self._made if record.capsule is not None)

    def settle(self):
        """Delete the tensors of capsules that nobody consumed; the number of deleter calls so far.

        A consumer that keeps nothing has then caused exactly `made` calls.
        """
        for record in self._made:
            if record.capsule is not None and not record.consumed() and not record.deleted:
                _set_name(record.capsule, USED_VERSIONED)
                if self.deleter:
                    _on_delete(record.address)
        return self.deleted


def _dtype_of(array):
    code = CODES.get(array.dtype.kind)
    return None if code is None else (code, array.dtype.itemsize * 8, 1)


def _strides_of(array, shape):
    if shape == array.shape:
        return tuple(step // array.itemsize for step in array.strides)
    steps, step = [], 1
    for length in reversed(shape or ()):
        steps.append(step)
        step *= length
    return tuple(reversed(steps))


class _All(FakeProducer):
    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        given = {
            "stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy
        }
        return self._dlpack({key: value for key, value in given.items() if value is not None})


class _Any(FakeProducer):
    def __dlpack__(self, **keywords):
        return self._dlpack(keywords)


class _AnyAny(FakeProducer):
    def __dlpack__(self, *positional, **keywords):
        assert positional == ()
        return self._dlpack(keywords)


class _Nothing(FakeProducer):
    def __dlpack__(self):
        return self._dlpack({})


class _Stream(FakeProducer):
    def __dlpack__(self, stream=None):
        return self._dlpack({} if stream is None else {"stream": stream})


class _Version(FakeProducer):
    def __dlpack__(self, *, max_version=None):
        return self._dlpack({} if max_version is None else {"max_version": max_version})


class _StreamVersion(FakeProducer):
    def __dlpack__(self, *, stream=None, max_version=None):
        given = {"stream": stream, "max_version": max_version}
        return self._dlpack({key: value for key, value in given.items() if value is not None})


class _Copy(FakeProducer):
    def __dlpack__(self, *, copy=None):
        return self._dlpack({} if copy is None else {"copy": copy})


class _DeviceCopy(FakeProducer):
    def __dlpack__(self, *, dl_device=None, copy=None):
        given = {"dl_device": dl_device, "copy": copy}
        return self._dlpack({key: value for key, value in given.items() if value is not None})


_BY_ACCEPT = {
    ("stream", "max_version", "dl_device", "copy"): _All,
    "**": _Any,
    "*, **": _AnyAny,
    (): _Nothing,
    ("stream",): _Stream,
    ("max_version",): _Version,
    ("stream", "max_version"): _StreamVersion,
    ("copy",): _Copy,
    ("dl_device", "copy"): _DeviceCopy,
}
ACCEPT = tuple(_BY_ACCEPT)


# --------------------------------------------------------------------------------------------------
# The exchange API

SET_ERROR = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
ALLOCATOR = ctypes.CFUNCTYPE(c_int, POINTER(DLTensor), POINTER(c_void_p), c_void_p, SET_ERROR)
FROM_PY = ctypes.PYFUNCTYPE(c_int, c_void_p, POINTER(c_void_p))
TO_PY = ctypes.PYFUNCTYPE(c_int, c_void_p, POINTER(c_void_p))
DLTENSOR_FROM_PY = ctypes.PYFUNCTYPE(c_int, c_void_p, POINTER(DLTensor))
WORK_STREAM = ctypes.PYFUNCTYPE(c_int, c_int32, c_int32, POINTER(c_void_p))


class ExchangeTable:
    """The table that a type publishes, its slots callable.

    Every slot but the allocator runs with the GIL, and a Python exception that it sets comes out
    as it is; the allocator runs without the GIL.
    """

    def __init__(self, kind):
        found = kind.__dlpack_c_exchange_api__
        address = found if isinstance(found, int) else _get_pointer(found, EXCHANGE)
        self.address = address
        self.struct = DLPackExchangeAPI.from_address(address)
        self.version = (self.struct.header.version.major, self.struct.header.version.minor)
        self.prev_api = self.struct.header.prev_api

    def from_py(self, obj, *, out=None):
        """The address of a managed tensor that the caller owns; -1 comes out as the exception."""
        out = c_void_p() if out is None else out
        slot = FROM_PY(self.struct.managed_tensor_from_py_object_no_sync)
        code = slot(id(obj), ctypes.byref(out))
        assert code == 0, "failed and set no exception"
        return out.value

    def to_py(self, address):
        """The object made of a managed tensor, which it takes over."""
        out = c_void_p()
        slot = TO_PY(self.struct.managed_tensor_to_py_object_no_sync)
        code = slot(address, ctypes.byref(out))
        assert code == 0, "failed and set no exception"
        obj = ctypes.cast(out, py_object).value
        _decref(out)
        return obj

    def dltensor(self, obj):
        """The DLTensor of an object, which stays its owner."""
        out = DLTensor()
        slot = DLTENSOR_FROM_PY(self.struct.dltensor_from_py_object_no_sync)
        code = slot(id(obj), ctypes.byref(out))
        assert code == 0, "failed and set no exception"
        return out

    def allocate(self, shape, dtype, device=(1, 0), *, ndim=None):
        """Call the allocator: its return code, the address it gave, and the errors it reported."""
        extents = (c_int64 * len(shape))(*shape)
        prototype = DLTensor()
        prototype.ndim = len(shape) if ndim is None else ndim
        prototype.shape = extents
        prototype.dtype = DLDataType(*dtype)
        prototype.device = DLDevice(*device)
        errors = []
        marker = 0x5EED

        def set_error(context, kind, message):
            errors.append((context, kind.decode(), message.decode()))

        out = c_void_p()
        slot = ALLOCATOR(self.struct.managed_tensor_allocator)
        code = slot(ctypes.byref(prototype), ctypes.byref(out), marker, SET_ERROR(set_error))
        assert all(context == marker for context, _, _ in errors)
        return code, out.value, [(kind, message) for _, kind, message in errors]

    def work_stream(self, device_type, device_id):
        """The return code and the stream; the stream is 777 when the slot did not write it."""
        out = c_void_p(777)
        slot = WORK_STREAM(self.struct.current_work_stream)
        code = slot(device_type, device_id, ctypes.byref(out))
        return code, out.value
