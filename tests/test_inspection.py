"""xpdl.dlpack: what inspect tells, managed tensors by address, NumPy's registry of dtypes."""

import gc
import os
import subprocess
import sys
import textwrap
import weakref
from inspect import signature
from pathlib import Path

import numpy as np
import pytest
from fake_producer import (
    IS_COPIED,
    LEGACY,
    READ_ONLY,
    SUBBYTE_PADDED,
    USED_LEGACY,
    USED_VERSIONED,
    VERSIONED,
    ExchangeTable,
    FakeProducer,
    capsule_name,
    delete,
    make_capsule,
    peek,
    peek_address,
    stray_deletions,
    take,
)
from fake_publisher import make_publisher
from flat_memory import assert_flat
from samples import readonly

import xpdl as xp
from xpdl.dlpack import TensorInfo, from_address, inspect, register_with_numpy, to_address

FLAGS = {1: "READ_ONLY", 2: "IS_COPIED", 4: "IS_SUBBYTE_TYPE_PADDED"}
STANDARD = [*xp.__array_namespace_info__().dtypes().values(), np.dtype("float16")]

each_kind = pytest.mark.parametrize("versioned", [True, False], ids=["versioned", "legacy"])
each_thread = pytest.mark.parametrize("thread", [None, "foreign"])


@pytest.fixture(autouse=True)
def _no_deleter_is_called_twice():
    yield
    assert stray_deletions() == []


def told(found, route):
    """What inspect must say of a tensor that `peek` has read."""
    return TensorInfo(
        route=route,
        kind=found.kind,
        version=found.version,
        flags=tuple(name for bit, name in FLAGS.items() if (found.flags or 0) & bit),
        device=found.device,
        dtype={2: "float", 0: "int", 1: "uint", 5: "complex", 4: "bfloat"}[found.dtype[0]]
        + str(found.dtype[1]),
        shape=found.shape or (),
        strides=found.strides if found.ndim else (),
        byte_offset=found.byte_offset,
        address=found.pointer,
        alignment=found.pointer & -found.pointer,
    )


# --------------------------------------------------------------------------------------------------
# inspect: arrays

LAYOUTS = {
    "0-d": lambda a: a[0, 0],
    "2-d": lambda a: a,
    "transposed": lambda a: a.T,
    "reversed": lambda a: a[::-1, ::-1],
    "strided": lambda a: a[:, 1::2],
    "broadcast": lambda a: np.broadcast_to(a[0], (2, 4)),
}
each_layout = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


@each_layout
@pytest.mark.parametrize("dtype", STANDARD, ids=str)
def test_inspect_array_is_its_memory_through_the_exchange_api(layout, dtype):
    a = np.asarray(layout(np.ones((3, 4), dtype)))
    found = inspect(xp.from_dlpack(a))
    assert found == TensorInfo(
        route="exchange API",
        kind="versioned",
        version=xp.dlpack.VERSION,
        flags=() if a.flags.writeable else ("READ_ONLY",),
        device=(1, 0),
        dtype=dtype.name,
        shape=a.shape,
        strides=tuple(step // a.itemsize for step in a.strides),
        byte_offset=0,
        address=a.ctypes.data,
        alignment=a.ctypes.data & -a.ctypes.data,
    )


@pytest.mark.parametrize("shape", [(0,), (2, 0, 3)])
def test_inspect_empty_array_has_address_and_alignment_0(shape):
    found = inspect(xp.ones(shape))
    assert (found.shape, found.address, found.alignment) == (shape, 0, 0)


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("bfloat16", ()),
        ("float8_e4m3fn", ()),
        ("float6_e2m3fn", ("IS_SUBBYTE_TYPE_PADDED",)),
        ("float4_e2m1fn", ("IS_SUBBYTE_TYPE_PADDED",)),
        ("int4", ("IS_SUBBYTE_TYPE_PADDED",)),
        ("uint2", ("IS_SUBBYTE_TYPE_PADDED",)),
    ],
)
def test_inspect_array_of_an_ml_dtype_has_its_name_and_padding(name, flags):
    pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    found = inspect(xp.ones(3, dtype=getattr(xp, name)))
    assert (found.dtype, found.flags, found.shape) == (name, flags, (3,))


@pytest.mark.parametrize("wrapped", [xp.ones(3), np.ones(3)], ids=["array", "numpy"])
def test_inspect_read_only_wrapper_is_read_only_and_versioned(wrapped):
    found = inspect(xp.ReadOnlyWrapper(wrapped))
    assert (found.route, found.kind, found.flags) == ("exchange API", "versioned", ("READ_ONLY",))
    assert found.address == inspect(wrapped).address


@each_layout
@pytest.mark.parametrize("change", [np.asarray, readonly], ids=["writable", "read-only"])
def test_inspect_numpy_array_is_what_its_capsule_holds(layout, change):
    a = change(layout(np.arange(12.0).reshape(3, 4)))
    assert inspect(a) == told(peek(a.__dlpack__(max_version=(1, 3))), "__dlpack__")
    assert inspect(a).flags == (() if a.flags.writeable else ("READ_ONLY",))
    assert inspect(a).address == a.ctypes.data


@pytest.mark.parametrize("dtype", ["float32", "int64", "complex64", "bfloat16"])
def test_inspect_torch_tensor_is_what_its_exchange_api_gives(dtype):
    torch = pytest.importorskip("torch", reason="needs torch")
    if not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
        pytest.skip("this torch publishes no exchange API")
    t = torch.ones(3, 4, dtype=getattr(torch, dtype))[1:, ::2]
    address = ExchangeTable(torch.Tensor).from_py(t)
    assert inspect(t) == told(peek_address(address), "exchange API")
    delete(address)
    assert inspect(t).dtype == dtype
    assert (inspect(t).strides, inspect(t).address) == ((4, 2), t.data_ptr())


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda torch: torch.ones(3, requires_grad=True), "gradient|requires_grad"),
        (lambda torch: torch.tensor([1 + 2j]).conj(), "conj"),
        (lambda torch: torch.tensor([1 + 2j]).conj().imag, "resolve_neg"),
    ],
    ids=["requires_grad", "conj", "neg"],
)
def test_inspect_torch_tensor_that_must_not_go_out_raw_raises_buffererror(make, match):
    torch = pytest.importorskip("torch", reason="needs torch")
    with pytest.raises(BufferError, match=match):
        inspect(make(torch))


def test_inspect_jax_array_is_what_its_capsule_holds():
    jax = pytest.importorskip("jax.numpy", reason="needs jax")
    j = jax.arange(6.0).reshape(2, 3)
    takes_version = "max_version" in signature(j.__dlpack__).parameters
    capsule = j.__dlpack__(max_version=(1, 3)) if takes_version else j.__dlpack__()
    found = inspect(j)
    assert found == told(peek(capsule), "__dlpack__")
    assert (found.dtype, found.shape, found.address) == (
        "float32", (2, 3), j.unsafe_buffer_pointer()
    )  # fmt: skip


# --------------------------------------------------------------------------------------------------
# inspect: every field


def of_producer(**fields):
    """What inspect says of a fake producer, whose one tensor must then still be there."""
    producer = FakeProducer(np.arange(12.0).reshape(3, 4), **fields)
    found = inspect(producer)
    assert (producer.made, producer.deleted, producer.unconsumed) == (1, 0, 1)
    assert producer.settle() == (1 if producer.deleter else 0)
    return found


@each_kind
def test_inspect_producer_is_what_its_capsule_holds(versioned):
    producer = FakeProducer(np.arange(12.0).reshape(3, 4).T, versioned=versioned)
    assert inspect(producer) == told(peek(producer.capsule()), "__dlpack__")
    producer.settle()


@pytest.mark.parametrize("version", [(1, 0), (1, 3), (1, 99)])
def test_inspect_version_of_major_1_is_told(version):
    found = of_producer(version=version)
    assert (found.kind, found.version, found.shape) == ("versioned", version, (3, 4))


def test_inspect_legacy_tensor_has_no_version_and_no_flags():
    found = of_producer(versioned=False)
    assert (found.kind, found.version, found.flags) == ("legacy", None, ())


@pytest.mark.parametrize("version", [(0, 8), (2, 0), (2**32 - 1, 7)])
def test_inspect_foreign_major_tells_its_version_and_nothing_else(version):
    found = of_producer(version=version, ndim=-1, data=None, flags=7)._asdict()
    assert found.pop("route") == "__dlpack__"
    assert found.pop("kind") == "versioned"
    assert found.pop("version") == version
    assert found == dict.fromkeys(
        ("flags", "device", "dtype", "shape", "strides", "byte_offset", "address", "alignment")
    )


@pytest.mark.parametrize(
    ("flags", "names"),
    [
        (0, ()),
        (READ_ONLY, ("READ_ONLY",)),
        (IS_COPIED, ("IS_COPIED",)),
        (SUBBYTE_PADDED, ("IS_SUBBYTE_TYPE_PADDED",)),
        (7, ("READ_ONLY", "IS_COPIED", "IS_SUBBYTE_TYPE_PADDED")),
        (8, ("0x8",)),
        (2**63, ("0x8000000000000000",)),
        (READ_ONLY | 0x50, ("READ_ONLY", "0x50")),
        (2**64 - 1, (*FLAGS.values(), "0xfffffffffffffff8")),
    ],
)
def test_inspect_flags_are_named_and_unknown_bits_shown(flags, names):
    assert of_producer(flags=flags).flags == names


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ((0, 8, 1), "int8"),
        ((1, 64, 1), "uint64"),
        ((1, 4, 1), "uint4"),
        ((2, 16, 1), "float16"),
        ((2, 128, 1), "float128"),
        ((3, 64, 1), "opaque handle of 64 bits"),
        ((4, 16, 1), "bfloat16"),
        ((5, 32, 1), "complex32"),
        ((6, 8, 1), "bool"),
        ((6, 1, 1), "bool1"),
        ((6, 8, 4), "bool with 4 lanes"),
        ((10, 8, 1), "float8_e4m3fn"),
        ((17, 4, 1), "float4_e2m1fn"),
        ((17, 8, 1), "float4_e2m1fn of 8 bits"),
        ((99, 24, 1), "type code 99 of 24 bits"),
        ((2, 32, 4), "float32 with 4 lanes"),
        ((17, 4, 2), "float4_e2m1fn with 2 lanes"),
        ((2, 32, 0), "float32 with 0 lanes"),
    ],
)
@each_kind
def test_inspect_dtype_is_named_whether_xpdl_holds_it_or_not(code, name, versioned):
    assert of_producer(dtype=code, versioned=versioned).dtype == name


@pytest.mark.parametrize("device", [(1, 0), (2, 3), (13, 1), (99, -5), (-1, 0)])
@each_kind
def test_inspect_device_is_that_of_the_tensor(device, versioned):
    assert of_producer(device=device, claimed_device=(1, 0), versioned=versioned).device == device


@each_kind
def test_inspect_null_strides_are_none(versioned):
    found = of_producer(strides=None, versioned=versioned)
    assert (found.shape, found.strides) == ((3, 4), None)


def test_inspect_axis_free_tensor_without_shape_and_strides_has_empty_ones():
    found = of_producer(ndim=0, shape=None, strides=None)
    assert (found.shape, found.strides) == ((), ())


@pytest.mark.parametrize(
    "fields",
    [{"ndim": -1}, {"ndim": 65}, {"ndim": 2**31 - 1}, {"ndim": 2, "shape": None, "strides": None}],
    ids=str,
)
@each_kind
def test_inspect_tensor_of_impossible_shape_has_neither_shape_nor_strides(fields, versioned):
    found = of_producer(**fields, versioned=versioned)
    assert (found.shape, found.strides, found.dtype) == (None, None, "float64")


def test_inspect_shape_that_no_memory_holds_is_told_as_it_is():
    found = of_producer(shape=(2**62, -3), strides=(-(2**63), 2**63 - 1))
    assert (found.shape, found.strides) == ((2**62, -3), (-(2**63), 2**63 - 1))


def test_inspect_64_axes_are_told():
    assert of_producer(shape=(1,) * 64, strides=(1,) * 64).shape == (1,) * 64


@pytest.mark.parametrize(
    ("data", "byte_offset", "address", "alignment"),
    [
        (0x1000, 0, 0x1000, 0x1000),
        (0x1000, 24, 0x1018, 8),
        (0x1001, 0, 0x1001, 1),
        (0x1001, 1, 0x1002, 2),
        (2**63, 0, 2**63, 2**63),
        (None, 0, 0, 0),
        (None, 8, 0, 0),
    ],
)
def test_inspect_address_is_that_of_the_first_element(data, byte_offset, address, alignment):
    found = of_producer(data=data, byte_offset=byte_offset)
    assert (found.byte_offset, found.address, found.alignment) == (byte_offset, address, alignment)


def test_tensorinfo_has_every_field_and_cannot_be_changed():
    assert TensorInfo._fields == (
        "route", "kind", "version", "flags", "device", "dtype", "shape", "strides", "byte_offset",
        "address", "alignment",
    )  # fmt: skip
    found = inspect(xp.ones(3))
    with pytest.raises(AttributeError):
        found.route = "another"


# --------------------------------------------------------------------------------------------------
# inspect: how a producer is asked

KINDS = {True: (VERSIONED, USED_VERSIONED), False: (LEGACY, USED_LEGACY)}


@pytest.mark.parametrize(
    ("accept", "calls"),
    [
        (("stream", "max_version", "dl_device", "copy"), [{"max_version": (1, 3)}]),
        (("stream",), [{}]),
        ((), [{}]),
        ("**", [{"max_version": (1, 3)}]),
    ],
)
def test_inspect_asks_a_producer_once_for_a_versioned_tensor(accept, calls):
    producer = FakeProducer(np.arange(3.0), accept=accept)
    inspect(producer)
    assert (producer.calls, producer.device_calls) == (calls, 1)
    producer.settle()


@each_kind
def test_inspect_raw_capsule_leaves_it_to_be_imported(versioned):
    a = np.arange(12.0).reshape(3, 4)
    producer = FakeProducer(a, versioned=versioned)
    capsule = producer.capsule()
    assert inspect(capsule) == inspect(capsule) == told(peek(capsule), "raw capsule")
    assert capsule_name(capsule) == KINDS[versioned][0]
    x = xp.from_dlpack(capsule)
    assert capsule_name(capsule) == KINDS[versioned][1]
    assert (inspect(x).address, producer.deleted) == (a.ctypes.data, 0)
    del x
    assert producer.deleted == 1


@pytest.mark.parametrize("max_version", [None, (1, 3)], ids=["legacy", "versioned"])
def test_inspect_raw_capsule_that_is_then_dropped_releases_its_memory(max_version):
    a = np.arange(3.0)
    alive = weakref.ref(a)
    capsule = xp.from_dlpack(a).__dlpack__(max_version=max_version)
    assert inspect(capsule).address == a.ctypes.data
    del a
    assert alive() is not None
    del capsule
    gc.collect()
    assert alive() is None


@each_kind
def test_inspect_consumed_capsule_raises_buffererror(versioned):
    producer = FakeProducer(np.arange(3.0), versioned=versioned)
    capsule = producer.capsule()
    kept = xp.from_dlpack(capsule)
    with pytest.raises(BufferError) as caught:
        inspect(capsule)
    assert str(caught.value) == (
        "inspect: a DLPack capsule can be consumed once, got one that was already consumed; "
        "ask the producer for another"
    )
    assert (kept.tolist(), producer.deleted) == ([0.0, 1.0, 2.0], 0)


@pytest.mark.parametrize(
    ("name", "text"), [(b"dltensor_v2", "'dltensor_v2'"), (b"", "''"), (None, "no name")]
)
@pytest.mark.parametrize("way", ["object", "capsule"])
def test_inspect_capsule_of_another_name_raises_buffererror(name, text, way):
    producer = FakeProducer(np.arange(3.0), result=make_capsule(0xBAD0, name))
    with pytest.raises(BufferError) as caught:
        inspect(producer if way == "object" else producer.result)
    assert str(caught.value) == (
        f"inspect: a DLPack capsule must be named 'dltensor' or 'dltensor_versioned', got {text}"
    )
    assert capsule_name(producer.result) == name


def test_inspect_producer_without_a_capsule_raises_buffererror():
    with pytest.raises(BufferError) as caught:
        inspect(FakeProducer(np.arange(3.0), result=3))
    assert str(caught.value) == "inspect: x.__dlpack__() must return a DLPack capsule, got int"


@pytest.mark.parametrize("error", [TypeError("no"), BufferError("no"), KeyError("no")])
@pytest.mark.parametrize("place", ["result", "claimed_device"])
def test_inspect_producer_that_raises_passes_its_exception_unchanged(error, place):
    producer = FakeProducer(np.arange(3.0), **{place: error})
    with pytest.raises(type(error)) as caught:
        inspect(producer)
    assert caught.value is error
    assert len(producer.calls) == (1 if place == "result" else 0)


class OnlyExport:
    def __dlpack__(self, **keywords):
        raise AssertionError("called")


class OnlyDevice:
    def __dlpack_device__(self):
        raise AssertionError("called")


@pytest.mark.parametrize("x", [3, None, [1.0], "text", OnlyExport(), OnlyDevice()])
@pytest.mark.parametrize("function", [inspect, to_address])
def test_object_without_dlpack_raises_attributeerror(x, function):
    names = {"OnlyExport": f"{__name__}.OnlyExport", "OnlyDevice": f"{__name__}.OnlyDevice"}
    name = type(x).__name__
    with pytest.raises(AttributeError) as caught:
        function(x)
    assert str(caught.value) == (
        f"{function.__name__}: x must have __dlpack__ and __dlpack_device__ or be a DLPack "
        f"capsule, got {names.get(name, name)}; convert it with xpdl.asarray"
    )


# --------------------------------------------------------------------------------------------------
# inspect: what it was handed is released


def test_inspect_publisher_deletes_the_one_tensor_that_it_asked_for():
    producer = FakeProducer(np.arange(3.0), flags=READ_ONLY)
    publisher = make_publisher(producer)
    found = inspect(publisher())
    assert (found.route, found.flags, found.shape) == ("exchange API", ("READ_ONLY",), (3,))
    assert (publisher.calls, publisher.capsules) == (1, 0)
    assert (producer.made, producer.deleted) == (1, 1)


def test_inspect_publisher_of_a_foreign_major_deletes_its_tensor():
    producer = FakeProducer(np.arange(3.0), version=(2, 1))
    found = inspect(make_publisher(producer)())
    assert (found.route, found.version, found.shape) == ("exchange API", (2, 1), None)
    assert (producer.made, producer.deleted) == (1, 1)


def test_inspect_publisher_that_fails_is_asked_for_a_capsule():
    producer = FakeProducer(np.arange(3.0))
    publisher = make_publisher(producer, code=-1, capsule=producer)
    assert inspect(publisher()).route == "__dlpack__"
    assert (publisher.calls, publisher.capsules, producer.settle()) == (1, 1, 1)


@each_kind
def test_inspect_array_keeps_nothing_of_it(versioned):
    producer = FakeProducer(np.arange(3.0), versioned=versioned)
    x = xp.from_dlpack(producer)
    before = sys.getrefcount(x)
    for _ in range(100):
        inspect(x)
    assert (sys.getrefcount(x), producer.deleted) == (before, 0)
    del x
    assert producer.deleted == 1


INSPECTED = {
    "array": lambda: xp.ones((2, 3)),
    "numpy": lambda: np.ones((2, 3)),
    "wrapper": lambda: xp.ReadOnlyWrapper(np.ones(3)),
    "legacy capsule": lambda: xp.ones(3).__dlpack__(),
    "versioned capsule": lambda: xp.ones(3).__dlpack__(max_version=(1, 3)),
    "torch": lambda: pytest.importorskip("torch", reason="needs torch").ones(3),
    "no DLPack": lambda: 3,
}


@pytest.mark.parametrize("make", INSPECTED.values(), ids=INSPECTED)
def test_memory_of_inspections_is_flat(make):
    x = make()

    def action():
        try:
            inspect(x)
        except AttributeError:
            assert x == 3

    assert_flat(action, 20_000)


# --------------------------------------------------------------------------------------------------
# to_address


def source_and_owner(kind):
    """An exporter of one tensor and a weak reference to what owns its memory."""
    a = np.ones((3, 4))
    owner = weakref.ref(a)
    if kind == "array":
        return xp.from_dlpack(a), owner
    if kind == "numpy":
        return a, owner
    if kind == "wrapper":
        return xp.ReadOnlyWrapper(a), owner
    return a.__dlpack__(max_version=(1, 0) if kind == "versioned capsule" else None), owner


@each_kind
@each_thread
@pytest.mark.parametrize("kind", ["array", "numpy", "legacy capsule", "versioned capsule"])
def test_to_address_keeps_the_memory_until_its_deleter_is_called(kind, versioned, thread):
    x, owner = source_and_owner(kind)
    pointer = owner().ctypes.data
    address = to_address(x, versioned=versioned)
    del x
    gc.collect()
    found = peek_address(address, versioned=versioned)
    assert (found.pointer, found.shape, found.strides) == (pointer, (3, 4), (4, 1))
    assert owner() is not None
    delete(address, versioned=versioned, thread=thread)
    gc.collect()
    assert owner() is None


@each_kind
def test_to_address_is_a_whole_tensor_of_dlpack_1_3(versioned):
    a = np.arange(12, dtype="int16").reshape(3, 4)[::-1, 1:]
    address = to_address(xp.from_dlpack(a), versioned=versioned)
    found = peek_address(address, versioned=versioned)
    assert type(address) is int
    assert (found.version, found.flags) == ((xp.dlpack.VERSION, 0) if versioned else (None, None))
    assert (found.device, found.dtype, found.ndim) == ((1, 0), (0, 16, 1), 2)
    assert (found.shape, found.strides, found.byte_offset) == ((3, 3), (-4, 1), 0)
    assert (found.data, found.deleter is None) == (a.ctypes.data, False)
    delete(address, versioned=versioned)


@each_kind
@pytest.mark.parametrize("source", [True, False], ids=["from versioned", "from legacy"])
def test_to_address_of_a_producer_owns_the_tensor_that_it_was_handed(versioned, source):
    producer = FakeProducer(np.arange(3.0), versioned=source)
    address = to_address(producer, versioned=versioned)
    assert (producer.made, producer.deleted, producer.unconsumed) == (1, 0, 0)
    delete(address, versioned=versioned)
    assert producer.deleted == 1


@each_kind
def test_to_address_consumes_a_raw_capsule(versioned):
    producer = FakeProducer(np.arange(3.0))
    capsule = producer.capsule()
    address = to_address(capsule, versioned=versioned)
    assert (capsule_name(capsule), producer.deleted) == (USED_VERSIONED, 0)
    with pytest.raises(BufferError, match=r"^to_address: a DLPack capsule can be consumed once"):
        to_address(capsule)
    delete(address, versioned=versioned)
    assert producer.deleted == 1


@each_kind
@pytest.mark.parametrize(("shape", "strides"), [((3, 4), (4, 1)), ((), ()), ((2, 0), (1, 1))])
def test_to_address_sets_strides_that_the_producer_left_out(versioned, shape, strides):
    producer = FakeProducer(np.arange(12.0), shape=shape, strides=None)
    address = to_address(producer, versioned=versioned)
    assert peek_address(address, versioned=versioned).strides == strides
    delete(address, versioned=versioned)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (0, 0),
        (READ_ONLY, READ_ONLY),
        (IS_COPIED, 0),
        (READ_ONLY | IS_COPIED | SUBBYTE_PADDED, READ_ONLY | SUBBYTE_PADDED),
    ],
)
def test_to_address_flags_are_those_of_the_producer_without_is_copied(flags, expected):
    address = to_address(FakeProducer(np.arange(3, dtype="u1"), flags=flags))
    assert peek_address(address).flags == expected
    delete(address)


@pytest.mark.parametrize("kind", ["array", "numpy", "wrapper"])
def test_to_address_of_a_read_only_object_is_flagged(kind):
    a = readonly(np.arange(3.0))
    x = {"array": xp.from_dlpack, "numpy": np.asarray, "wrapper": xp.ReadOnlyWrapper}[kind](a)
    address = to_address(x)
    assert (peek_address(address).flags, peek_address(address).data) == (READ_ONLY, a.ctypes.data)
    delete(address)


def test_to_address_of_a_jax_array_is_read_only_though_its_capsule_cannot_say_so():
    jax = pytest.importorskip("jax.numpy", reason="needs jax")
    address = to_address(jax.arange(3.0))
    assert peek_address(address).flags == READ_ONLY
    delete(address)
    with pytest.raises(BufferError, match="x needs READ_ONLY"):
        to_address(jax.arange(3.0), versioned=False)


@pytest.mark.parametrize(
    ("flags", "needed"),
    [
        (READ_ONLY, "READ_ONLY"),
        (SUBBYTE_PADDED, "IS_SUBBYTE_TYPE_PADDED"),
        (READ_ONLY | IS_COPIED | SUBBYTE_PADDED, "READ_ONLY and IS_SUBBYTE_TYPE_PADDED"),
    ],
)
def test_to_address_legacy_of_a_tensor_that_needs_flags_is_refused(flags, needed):
    producer = FakeProducer(np.arange(3, dtype="u1"), flags=flags, dtype=(1, 4, 1))
    with pytest.raises(BufferError) as caught:
        to_address(producer, versioned=False)
    assert str(caught.value) == (
        f"to_address: a legacy managed tensor has no flags, and x needs {needed}; "
        "use versioned=True"
    )
    assert (producer.made, producer.deleted) == (1, 1)


def test_to_address_legacy_of_packed_elements_below_a_byte_needs_no_flag():
    producer = FakeProducer(np.arange(3, dtype="u1"), shape=(6,), strides=(1,), dtype=(1, 4, 1))
    address = to_address(producer, versioned=False)
    assert peek_address(address, versioned=False).dtype == (1, 4, 1)
    delete(address, versioned=False)
    assert producer.deleted == 1


@each_kind
@pytest.mark.parametrize(
    "fields", [{"device": (2, 0)}, {"dtype": (2, 32, 2)}, {"dtype": (3, 64, 1)}], ids=str
)
def test_to_address_passes_on_devices_and_dtypes_that_arrays_cannot_hold(versioned, fields):
    producer = FakeProducer(np.arange(3.0), **fields)
    address = to_address(producer, versioned=versioned)
    found = peek_address(address, versioned=versioned)
    assert {"device": found.device, "dtype": found.dtype}.items() >= fields.items()
    delete(address, versioned=versioned)
    assert producer.deleted == 1


REFUSED = {
    "version": ({"version": (2, 0)}, "the tensor must follow DLPack 1.x, got version 2.0"),
    "ndim": ({"ndim": 65}, "the tensor's ndim must be 0 to 64, got 65"),
    "shape": (
        {"shape": (-1,), "strides": (1,)},
        "the tensor's shape must not be negative, got -1 in axis 0",
    ),
    "data": ({"data": None}, "the tensor's data must be given for shape (3,), got NULL"),
    "address space": (
        {"data": 2**63 - 8, "byte_offset": 0},
        "the tensor's elements must lie in the address space, "
        "got data at 0x7ffffffffffffff8 with byte_offset 0",
    ),
}
each_refused = pytest.mark.parametrize(("fields", "text"), REFUSED.values(), ids=REFUSED)


@each_kind
@each_refused
def test_to_address_of_a_tensor_that_cannot_be_one_is_refused_and_deleted(versioned, fields, text):
    producer = FakeProducer(np.arange(3.0), **fields)
    with pytest.raises(BufferError) as caught:
        to_address(producer, versioned=versioned)
    assert str(caught.value) == f"to_address: {text}"
    assert (producer.made, producer.deleted) == (1, 1)


def test_to_address_producer_that_raises_passes_its_exception_unchanged():
    error = KeyError("no")
    with pytest.raises(KeyError) as caught:
        to_address(FakeProducer(np.arange(3.0), result=error))
    assert caught.value is error


# --------------------------------------------------------------------------------------------------
# from_address


@each_kind
@each_layout
def test_from_address_is_an_array_of_the_tensor_until_it_is_dropped(versioned, layout):
    a = np.asarray(layout(np.arange(12.0).reshape(3, 4)))
    producer = FakeProducer(a)
    x = from_address(producer.address(versioned=versioned), versioned=versioned)
    assert type(x) is xp.Array
    assert (x.tolist(), x.device, x.readonly) == (a.tolist(), "cpu", False)
    assert inspect(x).address == a.ctypes.data
    view = x[...]
    del x
    assert producer.deleted == 0
    del view
    assert producer.deleted == 1


@each_kind
def test_from_address_of_a_tensor_without_deleter_is_an_array(versioned):
    producer = FakeProducer(np.arange(3.0), deleter=False)
    x = from_address(producer.address(versioned=versioned), versioned=versioned)
    assert x.tolist() == [0.0, 1.0, 2.0]
    del x
    assert producer.deleted == 0


@pytest.mark.parametrize("flags", [READ_ONLY, READ_ONLY | IS_COPIED])
def test_from_address_of_a_read_only_tensor_is_read_only(flags):
    x = from_address(FakeProducer(np.arange(3.0), flags=flags).address())
    assert x.readonly
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1.0


@each_kind
def test_from_address_takes_what_to_address_gives(versioned):
    x = xp.arange(3.0)
    y = from_address(to_address(x, versioned=versioned), versioned=versioned)
    y[0] = 9.0
    assert (x.tolist(), inspect(y).address) == ([9.0, 1.0, 2.0], inspect(x).address)


@each_kind
def test_from_address_takes_what_a_capsule_of_numpy_held(versioned):
    a = np.arange(3.0)
    capsule = a.__dlpack__(max_version=(1, 0) if versioned else None)
    x = from_address(take(capsule), versioned=versioned)
    a[0] = 9.0
    assert x.tolist() == [9.0, 1.0, 2.0]


@each_refused
def test_from_address_of_a_tensor_that_cannot_be_one_is_refused_and_deleted(fields, text):
    producer = FakeProducer(np.arange(3.0), **fields)
    with pytest.raises(BufferError) as caught:
        from_address(producer.address())
    assert str(caught.value) == f"from_address: {text}"
    assert producer.deleted == 1


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"device": (2, 0)}, "device cuda:0 needs"),
        ({"device": (8, 0)}, "the tensor must be on the host or on CUDA or ROCm"),
        ({"dtype": (5, 32, 1)}, "the tensor's dtype must be one that xpdl holds, got complex32"),
    ],
)
@each_kind
def test_from_address_of_a_tensor_that_no_array_holds_is_refused_and_deleted(
    versioned, fields, text
):
    producer = FakeProducer(np.arange(3.0), **fields)
    with pytest.raises(BufferError) as caught:
        from_address(producer.address(versioned=versioned), versioned=versioned)
    assert str(caught.value).startswith(f"from_address: {text}")
    assert producer.deleted == 1


@each_kind
@pytest.mark.parametrize("address", ["0x10", None, 1.0, True, np.int64(16), b"\x10"], ids=repr)
def test_from_address_of_no_int_raises_typeerror(versioned, address):
    with pytest.raises(TypeError, match=r"^from_address: address must be an int, got "):
        from_address(address, versioned=versioned)


@each_kind
@pytest.mark.parametrize("address", [0, -1, -(2**64), 2**64, 2**100])
def test_from_address_of_an_impossible_address_raises_valueerror(versioned, address):
    with pytest.raises(ValueError, match=r"^from_address: ") as caught:
        from_address(address, versioned=versioned)
    assert str(caught.value) == (
        f"from_address: address must be that of a managed tensor, got {address}"
    )


@each_kind
def test_memory_of_addresses_is_flat(versioned):
    x = xp.ones((2, 3))
    refused = xp.from_dlpack(readonly(np.ones(3)))

    def action():
        from_address(to_address(x, versioned=versioned), versioned=versioned)
        delete(to_address(x, versioned=versioned), versioned=versioned)
        try:
            to_address(refused, versioned=False)
        except BufferError:
            return
        raise AssertionError("not refused")

    assert_flat(action, 10_000)


# --------------------------------------------------------------------------------------------------
# register_with_numpy


def of_whole_bytes():
    """DLPack (code, bits) and name of each dtype of ml_dtypes that fills its bytes."""
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    codes = {
        (4, 16): "bfloat16",
        (7, 8): "float8_e3m4",
        (8, 8): "float8_e4m3",
        (9, 8): "float8_e4m3b11fnuz",
        (10, 8): "float8_e4m3fn",
        (11, 8): "float8_e4m3fnuz",
        (12, 8): "float8_e5m2",
        (13, 8): "float8_e5m2fnuz",
        (14, 8): "float8_e8m0fnu",
    }
    return {key: name for key, name in codes.items() if hasattr(ml_dtypes, name)}


def test_register_with_numpy_registers_every_dtype_of_whole_bytes(monkeypatch):
    expected = of_whole_bytes()
    registered = {}
    monkeypatch.setattr(np.dtypes, "register_dlpack_dtype", registered.__setitem__, raising=False)
    names = register_with_numpy()
    assert names == tuple(expected.values())
    assert {key: dtype.name for key, dtype in registered.items()} == expected


def test_register_with_numpy_before_2_5_raises_notimplementederror(monkeypatch):
    monkeypatch.delattr(np.dtypes, "register_dlpack_dtype", raising=False)
    with pytest.raises(NotImplementedError) as caught:
        register_with_numpy()
    assert str(caught.value) == (
        f"register_with_numpy: NumPy must be 2.5 or newer, got {np.__version__}"
    )


def run_script(body):
    """Run a script in a process of its own, since NumPy's registry is that of the process."""
    folders = [Path(xp.__file__).parent.parent, Path(__file__).parent]
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(body)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, folders))},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


needs_registry = pytest.mark.skipif(
    not hasattr(np.dtypes, "register_dlpack_dtype"), reason="needs NumPy 2.5"
)


@needs_registry
@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_numpy_exchanges_registered_dtypes_without_a_copy(name):
    pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    done = run_script(f"""
        import numpy as np
        import xpdl as xp

        x = xp.asarray([1.0, -2.0, 0.5], dtype=xp.{name})
        names = xp.dlpack.register_with_numpy()
        assert xp.dlpack.register_with_numpy() == names and "{name}" in names
        a = np.from_dlpack(x)
        assert (a.dtype.name, a.tolist()) == ("{name}", [1.0, -2.0, 0.5])
        a[0] = 4.0
        assert x.tolist() == [4.0, -2.0, 0.5]
        y = xp.from_dlpack(a.__dlpack__(max_version=(1, 0)))
        y[1] = 2.0
        assert (y.dtype, x.tolist()) == (xp.{name}, [4.0, 2.0, 0.5])
        assert xp.dlpack.inspect(a).dtype == "{name}"
    """)
    assert (done.returncode, done.stderr) == (0, "")


@needs_registry
def test_register_with_numpy_after_another_dtype_raises_valueerror():
    pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    done = run_script("""
        import ml_dtypes, numpy as np, xpdl as xp

        taken = np.dtype(ml_dtypes.float8_e4m3)
        np.dtypes.register_dlpack_dtype((12, 8), taken)
        try:
            xp.dlpack.register_with_numpy()
        except ValueError as error:
            print(error)
    """)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("register_with_numpy: float8_e4m3 cannot be registered; ")


@needs_registry
def test_register_with_numpy_without_ml_dtypes_raises_importerror():
    done = run_script("""
        import sys
        sys.modules["ml_dtypes"] = None
        import xpdl as xp

        try:
            xp.dlpack.register_with_numpy()
        except ImportError as error:
            print("pip install" in str(error))
    """)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")
