"""Do things while memory fails: run by test_faults.py in a process with failing_malloc preloaded.

Each action is done again and again, and each time the next of its allocations fails, until one
goes through without a failure. It must end in its result or in a MemoryError; every tensor that it
took over is deleted once, and what it worked on is as before or as after. Prints one line for each
action: its name, the faults, the blocks lost in a sweep, and whether all tensors are gone.
"""

import copy
import ctypes
import gc
import pickle
import sys

import numpy as np
from fake_producer import (
    EXCHANGE,
    LEGACY,
    VERSIONED,
    DLPackExchangeAPI,
    DLTensor,
    ExchangeTable,
    capsule_name,
    delete,
    make_capsule,
)

import xpdl as xp

library = ctypes.CDLL(sys.argv[1])
library.make_versioned.restype = library.make_legacy.restype = ctypes.c_void_p
library.make_versioned.argtypes = [ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint64]
library.make_legacy.argtypes = [ctypes.c_int32, ctypes.c_uint64]
made, deleted, alive = (
    ctypes.c_long.in_dll(library, name) for name in ("made", "deleted", "alive"))  # fmt: skip
arm, disarm = library.arm, library.disarm
arm.argtypes, arm.restype, disarm.restype = [ctypes.c_long] * 2, None, ctypes.c_long

MOST_FAULTS = 2000
SWEEPS = 40


def new_capsule(versioned, ndim=2, byte_offset=0, flags=0):
    if versioned:
        return make_capsule(library.make_versioned(ndim, byte_offset, flags), VERSIONED)
    return make_capsule(library.make_legacy(ndim, byte_offset), LEGACY)


class Producer:
    """Gives the capsule that it was made with."""

    def __init__(self, versioned=True, **fields):
        self.capsule = new_capsule(versioned, **fields)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self.capsule

    def __dlpack_device__(self):
        return (1, 0)


class Publisher:
    """Has an exchange API in C."""

    def __dlpack__(self, **keywords):
        raise BufferError("not by __dlpack__")

    def __dlpack_device__(self):
        return (1, 0)


api = DLPackExchangeAPI()
api.header.version.major, api.header.version.minor = 1, 3
api.managed_tensor_from_py_object_no_sync = ctypes.cast(library.from_object, ctypes.c_void_p).value
Publisher.__dlpack_c_exchange_api__ = make_capsule(ctypes.addressof(api), EXCHANGE)

F = xp.asarray([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
I = xp.asarray([1, 0, 2])  # noqa: E741
OF_ARRAY, OF_WRAPPER = ExchangeTable(xp.Array), ExchangeTable(xp.ReadOnlyWrapper)
PICKLED = pickle.dumps(F, 5)
NESTED = [[0.0, 1.0], [F[0, 0], F[0, 1]]]


def nothing():
    return None


def give_back(capsule):
    """The deleter of a capsule that nobody consumed."""
    if capsule is not None and not capsule_name(capsule).startswith(b"used"):
        address = ctypes.pythonapi.PyCapsule_GetPointer
        address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        name = capsule_name(capsule)
        delete(address(capsule, name), versioned=name == VERSIONED)


class Call:
    """A call of a slot in C, all of it made before memory fails: what comes back is in `out`."""

    prototype = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)

    def __init__(self, slot, argument):
        self.out = ctypes.c_void_p()
        self.kept = argument
        self.arguments = argument if type(argument) is int else id(argument), self.out_address()
        self.slot = self.prototype(slot)

    def out_address(self):
        return ctypes.addressof(self.out)

    def __call__(self):
        self.slot(*self.arguments)


class FromObject(Call):
    """A table's slot that gives a managed tensor of an object."""

    def __init__(self, table, x):
        super().__init__(table.struct.managed_tensor_from_py_object_no_sync, x)

    def settle(self):
        if self.out.value:
            delete(self.out.value)
        if isinstance(self.kept, xp.ReadOnlyWrapper):
            give_back(the_producer().capsule)


class ToObject(Call):
    """A table's slot that makes an Array of a managed tensor, which it takes over only then."""

    def __init__(self, table):
        address = library.make_versioned(2, 0, 0)
        super().__init__(table.struct.managed_tensor_to_py_object_no_sync, address)

    def settle(self):
        if not self.out.value:
            delete(self.kept)
            return
        x = ctypes.cast(self.out, ctypes.py_object).value
        ctypes.pythonapi.Py_DecRef(self.out)
        assert x.tolist() == F.tolist()


class Borrow(Call):
    """The slot that lends a DLTensor."""

    def __init__(self):
        super().__init__(OF_ARRAY.struct.dltensor_from_py_object_no_sync, F.copy())

    def out_address(self):
        self.tensor = DLTensor()
        return ctypes.addressof(self.tensor)

    def settle(self):
        pass


class Allocate(Call):
    """The slot that allocates."""

    prototype = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)

    def __init__(self):
        self.tensor = OF_ARRAY.dltensor(F)
        super().__init__(OF_ARRAY.struct.managed_tensor_allocator, ctypes.addressof(self.tensor))
        self.arguments = (*self.arguments, None, None)

    def settle(self):
        if self.out.value:
            delete(self.out.value)


class Address:
    """A managed tensor, which from_address takes over whatever comes of it."""

    def __init__(self):
        self.address = library.make_versioned(2, 0, 0)

    def __call__(self):
        return xp.dlpack.from_address(self.address)

    def settle(self):
        pass


def in_place(x):
    x += 1.0


def assign(x):
    x[:, 1] = 7.0


# name: what the action gets, made before memory fails; the action.
ACTIONS = {
    "from_dlpack versioned": (Producer, xp.from_dlpack),
    "from_dlpack legacy": (lambda: Producer(False), xp.from_dlpack),
    "from_dlpack copy": (Producer, lambda p: xp.from_dlpack(p, copy=True)),
    "from_dlpack unaligned": (lambda: Producer(byte_offset=4), xp.from_dlpack),
    "from_dlpack refused": (lambda: Producer(ndim=65), xp.from_dlpack),
    "from_dlpack raw capsule": (lambda: new_capsule(True), xp.from_dlpack),
    "from_dlpack exchange API": (Publisher, xp.from_dlpack),
    "from_dlpack ndarray": (lambda: np.ones(3), xp.from_dlpack),
    "asarray producer": (Producer, xp.asarray),
    "asarray list": (lambda: [[1.0, 2.0], [3.0, 4.0]], xp.asarray),
    "asarray list of Arrays": (lambda: NESTED, xp.asarray),
    "inspect": (Producer, xp.dlpack.inspect),
    "to_address": (Producer, xp.dlpack.to_address),
    "from_address": (Address, Address.__call__),
    "wrapper": (Producer, lambda p: xp.ReadOnlyWrapper(p).__dlpack__(max_version=(1, 0))),
    "wrapper exchange API": (
        lambda: FromObject(OF_WRAPPER, xp.ReadOnlyWrapper(Producer())), Call.__call__),
    "exchange API to object": (lambda: ToObject(OF_ARRAY), Call.__call__),
    "exchange API to read-only": (lambda: ToObject(OF_WRAPPER), Call.__call__),
    "exchange API from object": (lambda: FromObject(OF_ARRAY, F), Call.__call__),
    "exchange API borrowed": (Borrow, Call.__call__),
    "exchange API allocator": (Allocate, Call.__call__),
    "export legacy": (nothing, lambda _: F.__dlpack__()),
    "export versioned": (nothing, lambda _: F.__dlpack__(max_version=(1, 3))),
    "export copy": (nothing, lambda _: F.__dlpack__(max_version=(1, 3), copy=True)),
    "export refused": (nothing, lambda _: F.__dlpack__(max_version=3)),
    "to_dlpack": (Producer, lambda p: xp.to_dlpack(p, max_version=(1, 0))),
    "round trip": (nothing, lambda _: xp.from_dlpack(F.__dlpack__(max_version=(1, 3)))),
    "NumPy imports": (nothing, lambda _: np.from_dlpack(F)),
    "pickle": (nothing, lambda _: pickle.dumps(F, 5)),
    "unpickle": (nothing, lambda _: pickle.loads(PICKLED)),
    "copy": (nothing, lambda _: copy.copy(F)),
    "deepcopy": (nothing, lambda _: copy.deepcopy(F)),
    "add": (nothing, lambda _: F + F),
    "add scalar": (nothing, lambda _: 2 * F),
    "compare": (nothing, lambda _: F < 3.0),
    "matmul": (nothing, lambda _: F @ F.mT),
    "in-place": (lambda: F.copy(), in_place),
    "get item": (nothing, lambda _: F[0, 1]),
    "get slice": (nothing, lambda _: F[:, ::-1]),
    "get by array": (nothing, lambda _: F[:, I]),
    "set item": (lambda: F.copy(), assign),
    "sum": (nothing, lambda _: xp.sum(F, axis=0)),
    "mean": (nothing, lambda _: xp.mean(F)),
    "sin": (nothing, lambda _: xp.sin(F)),
    "concat": (nothing, lambda _: xp.concat([F, F])),
    "reshape": (nothing, lambda _: xp.reshape(F, (3, -1))),
    "zeros": (nothing, lambda _: xp.zeros((3, 4))),
    "where": (nothing, lambda _: xp.where(F > 1, F, 0.0)),
    "astype": (nothing, lambda _: xp.astype(F, xp.float32)),
    "tolist": (nothing, lambda _: F.tolist()),
}  # fmt: skip


# NumPy, ctypes and pickle make errors of their own of some errors of memory; a function of NumPy's
# that fails without an exception ends in a SystemError.
REFUSALS = (BufferError, TypeError, ValueError, ctypes.ArgumentError, pickle.PickleError,
            SystemError)  # fmt: skip


def do_with_fault(setup, action, skip, count):
    """Do an action once, with the allocations from number `skip` on failing; how many failed."""
    given = setup()
    before = given.tolist() if type(given) is xp.Array else None
    result = None
    arm(skip, count)
    try:
        result = action(given)
        failed = disarm()
    except MemoryError:
        failed = disarm()
        assert failed, "a MemoryError of nothing"
    except REFUSALS:
        failed = disarm()
        if not failed and "refused" not in NAME:
            raise
    if type(given) is xp.Array and result is None and failed:
        assert given.tolist() in (before, done(setup, action)), "half done"
    if type(result) is xp.Array:
        result.tolist()
        result = None
    if type(result) is int:
        delete(result)
    if isinstance(given, (Call, Address)):
        given.settle()
    elif isinstance(given, Producer):
        give_back(given.capsule)
    elif type(given) is type(api_capsule):
        give_back(given)
    return failed


api_capsule = Publisher.__dlpack_c_exchange_api__


def the_producer():
    """The one producer that is alive."""
    (producer,) = [x for x in gc.get_objects() if type(x) is Producer]
    return producer


def done(setup, action):
    given = setup()
    action(given)
    return given.tolist()


def sweep(setup, action, count):
    """Fail each allocation of an action in turn; how many were there."""
    for skip in range(MOST_FAULTS):
        if not do_with_fault(setup, action, skip, count):
            return skip
    raise AssertionError("no end")


def run(setup, action):
    """The faults of two sweeps, and the blocks that a sweep loses."""
    faults = sweep(setup, action, 1) + sweep(setup, action, 3)
    for _ in range(40):  # caches fill up first
        gc.collect()
        before = alive.value
        for _ in range(SWEEPS):
            sweep(setup, action, 1)
        gc.collect()
        lost = round((alive.value - before) / SWEEPS)
        if lost <= 0:
            return faults, 0
    return faults, lost


for NAME, (setup, action) in ACTIONS.items():
    if len(sys.argv) > 2 and sys.argv[2] not in NAME:
        continue
    print(NAME, end="\t", flush=True)
    faults, memory = run(setup, action)
    gc.collect()
    print(faults, memory, "balanced" if made.value == deleted.value else
          f"{made.value} made, {deleted.value} deleted", sep="\t", flush=True)  # fmt: skip
    if made.value != deleted.value:
        deleted.value = made.value
