"""Managed tensors of any fields, in capsules of any name and tables of any kind, by every way in.

Nothing but the documented errors comes out, what comes in is what the fields say, and the deleter
of every tensor handed over is called once.
"""

import ctypes

import fake_producer
import numpy as np
from fake_producer import (
    EXCHANGE,
    READ_ONLY,
    DLManagedTensorVersioned,
    DLPackExchangeAPI,
    ExchangeTable,
    FakeProducer,
    delete,
    make_capsule,
    peek,
    peek_address,
    stray_deletions,
)

import xpdl as xp

from .fields import BYTES, check_import, draw_fields

REFUSALS = (BufferError, MemoryError)
NAMES = (None, b"", b"used_dltensor", b"used_dltensor_versioned", b"dltensor2", b"\xff\xfe",
         b"DLTENSOR", b"dltensor_versioned ", b"x" * 300)  # fmt: skip
OF_ARRAY, OF_WRAPPER = ExchangeTable(xp.Array), ExchangeTable(xp.ReadOnlyWrapper)


def run_case(random):
    """One exchange."""
    large = random.random() < 0.1
    fields = draw_fields(random.choice, large)
    producer = FakeProducer(BYTES, **fields)
    way = random.choice(WAYS)
    outcome = "taken"
    x = None
    try:
        x = way(random, producer, large)
    except REFUSALS:
        outcome = "refused"
    if type(x) is xp.Array:
        versioned = isinstance(producer._made[0].managed, DLManagedTensorVersioned)
        check_import(x, fields, "versioned" if versioned else "legacy", large)
        if not large:
            use(random, x)
    x = None
    producer.settle()
    expected = len(producer._made) if fields["deleter"] else 0
    found = producer.deleted, stray_deletions()
    fake_producer._records.clear()
    assert found == (expected, []), (way.__name__, fields, found)
    return outcome


def by_object(random, producer, large):
    copy = None if large else random.choice((None, None, True, False))
    x = xp.from_dlpack(producer, copy=copy, device=random.choice((None, "cpu", (1, 0))))
    return x


def by_capsule(random, producer, large):
    capsule = producer.capsule()
    x = xp.from_dlpack(capsule, copy=None if large else random.choice((None, True, False)))
    try:
        xp.from_dlpack(capsule)
    except BufferError:
        return x
    raise AssertionError("a capsule was consumed twice")


def by_asarray(random, producer, large):
    try:
        x = xp.asarray(producer, copy=None if large else random.choice((None, True, False)))
    except ValueError:
        raise BufferError from None
    return x


def by_wrapper(random, producer, large):
    wrapper = xp.ReadOnlyWrapper(producer)
    if random.random() < 0.2:
        capsule = wrapper.__dlpack__()
        raise AssertionError(f"a read-only wrapper gave a legacy capsule {capsule}")
    if random.random() < 0.3:
        address = OF_WRAPPER.from_py(wrapper)
        assert peek_address(address).flags & READ_ONLY
        delete(address, thread=random.choice((None, "foreign")))
        return None
    capsule = wrapper.__dlpack__(max_version=(1, 3))
    assert peek(capsule).flags & READ_ONLY
    return capsule


def by_inspect(random, producer, large):
    offered = random.choice((producer, producer.capsule() if random.random() < 0.5 else producer))
    return xp.dlpack.inspect(offered)


def by_to_address(random, producer, large):
    versioned = random.random() < 0.7
    address = xp.dlpack.to_address(producer, versioned=versioned)
    if random.random() < 0.5:
        delete(address, versioned=versioned, thread=random.choice((None, "foreign")))
    else:
        xp.dlpack.from_address(address, versioned=versioned)


def by_from_address(random, producer, large):
    versioned = random.random() < 0.7
    return xp.dlpack.from_address(producer.address(versioned=versioned), versioned=versioned)


def by_our_table(random, producer, large):
    """A tensor that our table refuses stays the caller's."""
    table = random.choice((OF_ARRAY, OF_WRAPPER))
    address = producer.address()
    try:
        x = table.to_py(address)
    except REFUSALS:
        delete(address)
        raise
    assert table is OF_ARRAY or x.readonly
    return x


def by_another_name(random, producer, large):
    """A tensor in a capsule that is not named as one is not touched."""
    producer.name = random.choice(NAMES)
    offered = random.choice((producer, producer.capsule()))
    try:
        random.choice((xp.from_dlpack, xp.dlpack.inspect, xp.dlpack.to_address))(offered)
    except BufferError:
        assert producer.deleted == 0
        producer._made.clear()
        return None
    raise AssertionError(f"a capsule named {producer.name} was taken")


def length_of(self):
    """What a slot that is PyObject_Size returns."""
    if isinstance(self.length, type):
        raise self.length  # a new exception: a kept one would keep the frames that it went through
    return self.length


def by_their_table(random, producer, large):
    """A type that publishes a chain of tables, whose slots may break their contract."""

    def hand_over(obj, out):
        ctypes.c_void_p.from_address(out).value = producer.address()
        return 0

    calls = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    slots = [
        None, calls(hand_over), calls(hand_over), calls(lambda obj, out: random.choice((0, -1, 5))),
        ctypes.pythonapi.PyObject_Size, ctypes.pythonapi.PyErr_BadArgument,
        ctypes.pythonapi.PyErr_NoMemory,
    ]  # fmt: skip
    chain = []
    for _ in range(random.choice((1, 1, 2, 3))):
        api = DLPackExchangeAPI()
        api.header.version.major = random.choice((1, 1, 0, 2, 2**32 - 1))
        api.header.version.minor = random.choice((0, 3, 99))
        slot = random.choice(slots)
        api.managed_tensor_from_py_object_no_sync = ctypes.cast(slot, ctypes.c_void_p).value
        if chain:
            chain[-1].header.prev_api = ctypes.addressof(api)
        chain.append(api)
    if random.random() < 0.1:
        chain[-1].header.prev_api = ctypes.addressof(random.choice(chain))
    address = ctypes.addressof(chain[0])
    published = random.choice((
        make_capsule(address, EXCHANGE), make_capsule(address, EXCHANGE), address,
        make_capsule(address, b"another name"), None, -8, 12, 2**70, "nonsense",
    ))  # fmt: skip
    kind = type("Publisher", (type(producer),), {
        "__dlpack_c_exchange_api__": published, "__len__": length_of,
        "length": random.choice((0, 5, ValueError, MemoryError, TypeError)),
    })  # fmt: skip
    KEPT.append((chain, slots, published))
    try:
        producer.__class__ = kind
        x = xp.from_dlpack(producer)
    finally:
        producer.__class__ = kind.__mro__[1]
        if len(KEPT) > 1000:  # the first types are remembered for ever, and so their tables
            del KEPT[100]
    return x


KEPT = []
WAYS = (by_object, by_object, by_capsule, by_asarray, by_wrapper, by_inspect, by_to_address,
        by_from_address, by_our_table, by_another_name, by_their_table)  # fmt: skip


def use(random, x):
    """What a program does with an Array, on memory that is there."""
    y = xp.from_dlpack(x.__dlpack__(max_version=(1, 0)))
    assert y.shape == x.shape
    np.asarray(x).sum() if x.dtype.kind in "iufcb" else None
    repr(x)
    x.copy().reshape(-1)
    if x.ndim and x.size:
        x[random.randrange(x.shape[0])]
    if not x.readonly:
        address = OF_ARRAY.from_py(x)
        delete(address, thread=random.choice((None, "foreign")))
