"""What xpdl makes of what producers hand out: right, wrong, old, new and lying."""

import enum
import functools
import gc
import types

import numpy as np
import pytest
from fake_producer import (
    IS_COPIED,
    LEGACY,
    READ_ONLY,
    USED_LEGACY,
    USED_VERSIONED,
    VERSIONED,
    FakeProducer,
    capsule_name,
    make_capsule,
    peek,
    stray_deletions,
)

import xpdl as xp
from xpdl.dlpack import CopyRequiredError

EVERY_KEYWORD = ("stream", "max_version", "dl_device", "copy")


@pytest.fixture(autouse=True)
def _no_deleter_is_called_twice():
    yield
    assert stray_deletions() == []


def pointer(x):
    return peek(x.__dlpack__(max_version=(1, 0))).pointer


# --------------------------------------------------------------------------------------------------
# Refusals

both_kinds = pytest.mark.parametrize("versioned", [True, False], ids=["versioned", "legacy"])
both_ways = pytest.mark.parametrize("way", ["object", "capsule"])


def import_from(producer, way, **keywords):
    return xp.from_dlpack(producer if way == "object" else producer.capsule(), **keywords)


def refusal(producer, way="object", **keywords):
    """The text of the BufferError; the tensor must have been deleted once, and right then."""
    with pytest.raises(BufferError) as caught:
        import_from(producer, way, **keywords)
    if producer.deleter:
        assert (producer.made, producer.deleted, producer.unconsumed) == (1, 1, 0)
    return str(caught.value)


MALFORMED = {
    "ndim -1": ({"ndim": -1}, "the tensor's ndim must be 0 to 64, got -1"),
    "ndim 65": (
        {"shape": (1,) * 65, "strides": (1,) * 65},
        "the tensor's ndim must be 0 to 64, got 65",
    ),
    "ndim huge": ({"ndim": 2**31 - 1}, "the tensor's ndim must be 0 to 64, got 2147483647"),
    "ndim lowest": ({"ndim": -(2**31)}, "the tensor's ndim must be 0 to 64, got -2147483648"),
    "shape negative": (
        {"shape": (2, -3), "strides": (1, 1)},
        "the tensor's shape must not be negative, got -3 in axis 1",
    ),
    "shape negative beside 0": (
        {"shape": (0, -3), "strides": (1, 1)},
        "the tensor's shape must not be negative, got -3 in axis 1",
    ),
    "shape NULL": (
        {"shape": None, "strides": None, "ndim": 1},
        "the tensor's shape must be given for ndim 1, got NULL",
    ),
    "size overflows": (
        {"shape": (2**40, 2**40), "strides": None},
        "the tensor must fit an address space of 2**63 bytes, "
        "got shape (1099511627776, 1099511627776) and strides None",
    ),
    "bytes overflow": (
        {"shape": (2**62,), "strides": (1,)},
        "the tensor must fit an address space of 2**63 bytes, "
        "got shape (4611686018427387904,) and strides (1,)",
    ),
    "bytes overflow beside 0": (
        {"shape": (2**40, 0, 2**40), "strides": None},
        "the tensor must fit an address space of 2**63 bytes, "
        "got shape (1099511627776, 0, 1099511627776) and strides None",
    ),
    "stride overflows": (
        {"shape": (2,), "strides": (2**62,)},
        "the tensor must fit an address space of 2**63 bytes, "
        "got shape (2,) and strides (4611686018427387904,)",
    ),
    "stride lowest": (
        {"shape": (2,), "strides": (-(2**63),)},
        "the tensor must fit an address space of 2**63 bytes, "
        "got shape (2,) and strides (-9223372036854775808,)",
    ),
    "strides overflow together": (
        {"shape": (3, 3), "strides": (2**58, 2**58)},
        "the tensor must fit an address space of 2**63 bytes, "
        "got shape (3, 3) and strides (288230376151711744, 288230376151711744)",
    ),
    "NULL data": (
        {"data": None},
        "the tensor's data must be given for shape (4,), got NULL",
    ),
    "NULL data of 0-d": (
        {"data": None, "shape": (), "strides": ()},
        "the tensor's data must be given for shape (), got NULL",
    ),
    "NULL data and byte_offset": (
        {"data": None, "byte_offset": 64},
        "the tensor's data must be given for shape (4,), got NULL",
    ),
}


@pytest.mark.parametrize(("fields", "text"), MALFORMED.values(), ids=MALFORMED)
@both_kinds
@both_ways
def test_import_malformed_tensor_is_refused_and_deleted_once(fields, text, versioned, way):
    producer = FakeProducer(np.arange(4.0), versioned=versioned, **fields)
    assert refusal(producer, way) == f"from_dlpack: {text}"


@pytest.mark.parametrize("byte_offset", [2**63 - 1, 2**63, 2**64 - 8])
@both_kinds
def test_import_byte_offset_beyond_the_address_space_is_refused(byte_offset, versioned):
    producer = FakeProducer(np.arange(4.0), versioned=versioned, byte_offset=byte_offset)
    assert refusal(producer) == (
        "from_dlpack: the tensor's elements must lie in the address space, "
        f"got data at {producer.data:#x} with byte_offset {byte_offset}"
    )


@pytest.mark.parametrize("fields", [fields for fields, _ in MALFORMED.values()], ids=MALFORMED)
@both_kinds
def test_import_malformed_tensor_without_a_deleter_is_refused(fields, versioned):
    producer = FakeProducer(np.arange(4.0), versioned=versioned, deleter=False, **fields)
    assert refusal(producer).startswith("from_dlpack: ")


@pytest.mark.parametrize("version", [(0, 0), (0, 8), (2, 0), (99, 3), (2**32 - 1, 0)])
@both_ways
def test_import_foreign_major_version_is_refused_and_only_its_deleter_called(version, way):
    # nothing past the flags may be read: the rest of this struct makes no sense
    producer = FakeProducer(
        np.arange(4.0), version=version, ndim=-5, data=None, dtype=(255, 255, 0), device=(-1, -1)
    )
    assert refusal(producer, way) == (
        f"from_dlpack: the tensor must follow DLPack 1.x, got version {version[0]}.{version[1]}"
    )


def test_import_foreign_major_version_without_a_deleter_is_refused():
    producer = FakeProducer(np.arange(4.0), version=(2, 0), deleter=False)
    assert "got version 2.0" in refusal(producer)


@pytest.mark.parametrize("version", [(1, 0), (1, 1), (1, 3), (1, 99)])
def test_import_minor_version_of_any_number_is_taken(version):
    x = xp.from_dlpack(FakeProducer(np.arange(4.0), version=version))
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("flags", [8, 2**63, 8 + READ_ONLY])
def test_import_unknown_flags_are_ignored(flags):
    x = xp.from_dlpack(FakeProducer(np.arange(4.0), flags=flags))
    assert x.readonly == bool(flags & READ_ONLY)


# -- dtypes

DTYPES = {
    "bool": (6, 8, 1),
    "int8": (0, 8, 1),
    "int16": (0, 16, 1),
    "int32": (0, 32, 1),
    "int64": (0, 64, 1),
    "uint8": (1, 8, 1),
    "uint16": (1, 16, 1),
    "uint32": (1, 32, 1),
    "uint64": (1, 64, 1),
    "float16": (2, 16, 1),
    "float32": (2, 32, 1),
    "float64": (2, 64, 1),
    "complex64": (5, 64, 1),
    "complex128": (5, 128, 1),
}


@pytest.mark.parametrize(("name", "dtype"), DTYPES.items())
@both_kinds
def test_import_dtype_is_that_of_its_code_and_bits(name, dtype, versioned):
    a = np.ones(3, dtype=name)
    x = xp.from_dlpack(FakeProducer(a.view("u1"), shape=(3,), dtype=dtype, versioned=versioned))
    assert x.dtype == getattr(xp, name) == a.dtype
    assert np.array_equal(np.asarray(x), a)


UNHELD = {
    "complex32": ((5, 32, 1), "complex32"),
    "complex96": ((5, 96, 1), "complex96"),
    "float80": ((2, 80, 1), "float80"),
    "float128": ((2, 128, 1), "float128"),
    "float8 of code float": ((2, 8, 1), "float8"),
    "float0": ((2, 0, 1), "float0"),
    "float33": ((2, 33, 1), "float33"),
    "int0": ((0, 0, 1), "int0"),
    "int1": ((0, 1, 1), "int1"),
    "int24": ((0, 24, 1), "int24"),
    "int128": ((0, 128, 1), "int128"),
    "uint1": ((1, 1, 1), "uint1"),
    "uint255": ((1, 255, 1), "uint255"),
    "bool1": ((6, 1, 1), "bool1"),
    "bool32": ((6, 32, 1), "bool32"),
    "opaque": ((3, 64, 1), "opaque handle of 64 bits"),
    "bfloat32": ((4, 32, 1), "bfloat32"),
    "bfloat8": ((4, 8, 1), "bfloat8"),
    "float8_e4m3fn of 16 bits": ((10, 16, 1), "float8_e4m3fn of 16 bits"),
    "float6_e2m3fn of 8 bits": ((15, 8, 1), "float6_e2m3fn of 8 bits"),
    "float4_e2m1fn of 8 bits": ((17, 8, 1), "float4_e2m1fn of 8 bits"),
    "code 18": ((18, 8, 1), "type code 18 of 8 bits"),
    "code 255": ((255, 8, 1), "type code 255 of 8 bits"),
    "lanes 0": ((2, 64, 0), "float64 with 0 lanes"),
    "lanes 2": ((2, 64, 2), "float64 with 2 lanes"),
    "lanes 4": ((2, 32, 4), "float32 with 4 lanes"),
    "lanes 65535": ((2, 32, 65535), "float32 with 65535 lanes"),
    "float4 with 2 lanes": ((17, 4, 2), "float4_e2m1fn with 2 lanes"),
}


@pytest.mark.parametrize(("dtype", "name"), UNHELD.values(), ids=UNHELD)
@both_kinds
@both_ways
def test_import_dtype_that_xpdl_does_not_hold_is_refused_by_name(dtype, name, versioned, way):
    producer = FakeProducer(np.arange(64.0), versioned=versioned, dtype=dtype)
    assert refusal(producer, way) == (
        f"from_dlpack: the tensor's dtype must be one that xpdl holds, got {name}"
    )


@pytest.mark.parametrize("value", [b"\0", b"\1"])
def test_import_bool_of_8_bits_is_bool(value):
    a = np.frombuffer(value * 3, dtype=np.uint8)
    x = xp.from_dlpack(FakeProducer(a, dtype=(6, 8, 1)))
    assert x.dtype == xp.bool
    assert x.tolist() == [value == b"\1"] * 3


# -- devices


@pytest.mark.parametrize(
    "device", [(kind, 0) for kind in (-1, 0, 4, 7, 8, 9, 12, 14, 15, 16, 17, 18, 99)]
)
@both_kinds
@both_ways
def test_import_device_that_xpdl_does_not_know_is_refused(device, versioned, way):
    text = refusal(FakeProducer(np.arange(4.0), versioned=versioned, device=device), way)
    assert text == (
        "from_dlpack: the tensor must be on the host or on CUDA or ROCm, "
        f"got DLPack device {device}"
    )


@pytest.mark.parametrize("device", [(2, 0), (2, 1), (10, 0)])
@both_kinds
@both_ways
def test_import_device_that_is_not_there_is_refused(device, versioned, way):
    producer = FakeProducer(np.arange(4.0), versioned=versioned, device=device)
    text = refusal(producer, way)
    assert text.startswith("from_dlpack: ")
    assert f"cuda:{device[1]}" in text


@pytest.mark.parametrize(
    ("claimed", "device"),
    [((1, 0), (2, 0)), ((2, 0), (1, 0)), ((1, 0), (3, 0)), ((1, 0), (8, 0)), ((2, 0), (2, 1)),
     ((2, 1), (2, 0)), ((3, 0), (1, 0)), ((13, 0), (2, 0))],
)  # fmt: skip
@both_kinds
def test_import_device_other_than_claimed_is_refused(claimed, device, versioned):
    text = refusal(
        FakeProducer(np.arange(4.0), versioned=versioned, claimed_device=claimed, device=device)
    )
    assert text == (
        "from_dlpack: the tensor must be on the device that x.__dlpack_device__() returns, "
        f"{claimed}, got a tensor on {device}"
    )


class Kind(enum.IntEnum):
    CPU = 1
    PINNED = 3


@pytest.mark.parametrize(
    "claimed", [(1, 0), (1, None), (Kind.CPU, 0), [1, 0], (np.int64(1), np.int32(0)), (1, 7)]
)
def test_import_device_claimed_in_any_form_of_a_pair_is_understood(claimed):
    x = xp.from_dlpack(FakeProducer(np.arange(4.0), claimed_device=claimed))
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    "claimed", [None, 1, "cpu", (1,), (1, 0, 0), ("cpu", 0), (1, "0"), (1.0, 0), (None, 0), ()]
)
def test_import_device_claimed_in_another_form_is_refused_and_no_capsule_asked_for(claimed):
    producer = FakeProducer(np.arange(4.0), claimed_device=claimed)
    with pytest.raises(BufferError) as caught:
        xp.from_dlpack(producer)
    assert str(caught.value) == (
        "from_dlpack: x.__dlpack_device__() must return a pair of ints (type, id), "
        f"got {claimed!r}"
    )
    assert producer.calls == []


@pytest.mark.parametrize("device", [(1, 0), (3, 0), (11, 0), (13, 0), (1, 7), (3, 1)])
@both_kinds
@both_ways
def test_import_host_readable_memory_of_any_type_is_on_the_cpu(device, versioned, way):
    a = np.arange(4.0)
    x = import_from(FakeProducer(a, versioned=versioned, device=device), way)
    assert x.device == "cpu"
    assert (pointer(x), x.tolist()) == (a.ctypes.data, a.tolist())
    x[0] = 9.0
    assert a[0] == 9.0


@pytest.mark.parametrize("device", [(3, 0), (11, 0), (13, 0)])
def test_import_pinned_memory_keeps_its_type_through_views_and_loses_it_in_copies(device):
    x = xp.from_dlpack(FakeProducer(np.arange(4.0), device=device))
    assert tuple(x.__dlpack_device__()) == device
    assert tuple(x[1:].__dlpack_device__()) == device
    assert tuple((x + x).__dlpack_device__()) == (1, 0)
    assert tuple(xp.asarray(x, copy=True).__dlpack_device__()) == (1, 0)
    assert tuple(xp.from_dlpack(x).__dlpack_device__()) == device


# --------------------------------------------------------------------------------------------------
# Layouts


@both_kinds
@pytest.mark.parametrize("shape", [(4,), (2, 2), (1, 4), (), (0,), (2, 0)])
def test_import_null_strides_are_c_order(versioned, shape):
    a = np.arange(4.0)
    producer = FakeProducer(a, shape=shape, strides=None, versioned=versioned, version=(1, 0))
    x = xp.from_dlpack(producer)
    assert x.tolist() == a[: int(np.prod(shape))].reshape(shape).tolist()
    assert x.shape == shape


LAYOUTS = {
    "transposed": lambda a: a.T,
    "every second": lambda a: a[::2, ::2],
    "offset": lambda a: a[1:, 1:],
    "reversed": lambda a: a[::-1],
    "reversed both": lambda a: a[::-1, ::-1],
    "reversed every second": lambda a: a[::-2, ::-3],
    "one row": lambda a: a[1],
    "one element": lambda a: a[1, 1:2].reshape(()),
    "new axis": lambda a: a[:, None, :],
    "zero stride": lambda a: np.broadcast_to(a, (2, 4, 6)),
    "sliding": lambda a: np.lib.stride_tricks.sliding_window_view(a[0], 3),
    "permuted 5-d": lambda a: a.reshape(2, 2, 1, 3, 2).transpose(4, 1, 3, 2, 0),
    "empty": lambda a: a[2:2],
    "64 axes": lambda a: a[0, 0].reshape((1,) * 64),
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@both_kinds
@both_ways
def test_import_layout_is_kept_without_a_copy(layout, versioned, way):
    a = layout(np.arange(24.0).reshape(4, 6))
    x = import_from(FakeProducer(a, versioned=versioned), way)
    assert x.shape == a.shape
    assert np.array_equal(np.asarray(x), a)
    if a.size:
        assert np.asarray(x).ctypes.data == a.ctypes.data
        lengths = zip(x.strides, a.strides, a.shape, strict=True)
        assert all(got == expected for got, expected, length in lengths if length > 1)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_import_layout_of_a_real_ndarray_is_kept_without_a_copy(layout):
    a = layout(np.arange(24.0).reshape(4, 6))
    x = xp.from_dlpack(a)
    assert (x.shape, x.readonly) == (a.shape, not a.flags.writeable)
    assert np.array_equal(np.asarray(x), a)
    if a.size:
        assert np.asarray(x).ctypes.data == a.ctypes.data


@both_kinds
@pytest.mark.parametrize("extents", [None, ()], ids=["NULL", "empty"])
def test_import_0d_with_or_without_extents(versioned, extents):
    producer = FakeProducer(
        np.array(5.0), shape=extents, strides=extents, ndim=0, versioned=versioned
    )
    x = xp.from_dlpack(producer)
    assert (x.shape, x.ndim, x.tolist()) == ((), 0, 5.0)


@both_kinds
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (0, 0), (1, 8, 0, 128)])
@pytest.mark.parametrize("strides", [None, "C", "nonsense", "zero"])
@pytest.mark.parametrize("data", [None, ...], ids=["NULL", "data"])
def test_import_size_0_is_taken_whatever_its_data_and_strides(shape, strides, data, versioned):
    steps = {
        None: None,
        "C": tuple(max(1, n) for n in shape),
        "nonsense": (2**62, -(2**63), 7, -5)[: len(shape)],
        "zero": (0,) * len(shape),
    }[strides]
    producer = FakeProducer(
        np.empty(4), shape=shape, strides=steps, data=data, versioned=versioned
    )
    x = xp.from_dlpack(producer)
    assert (x.shape, x.size, x.dtype) == (shape, 0, xp.float64)
    assert float(xp.sum(x)) == 0.0
    del x
    assert producer.deleted == 1


@both_kinds
def test_import_stride_of_a_length_1_axis_is_never_followed(versioned):
    a = np.arange(4.0)
    producer = FakeProducer(
        a, shape=(1, 4, 1), strides=(2**62, 1, -(2**63)), versioned=versioned
    )
    assert xp.from_dlpack(producer).tolist() == [[[0.0], [1.0], [2.0], [3.0]]]


@both_kinds
@both_ways
@pytest.mark.parametrize("strides", [(1,), None, (2,)])
def test_import_byte_offset_is_honoured(versioned, way, strides):
    a = np.arange(9.0)
    shape = (4,) if strides == (2,) else (8,)
    producer = FakeProducer(a, shape=shape, strides=strides, byte_offset=8, versioned=versioned)
    x = import_from(producer, way)
    assert x.tolist() == a[1 :: 2 if strides == (2,) else 1].tolist()
    assert pointer(x) == a.ctypes.data + 8
    assert peek(x.__dlpack__(max_version=(1, 3))).byte_offset == 0


UNALIGNED = {
    "data": lambda a: {"data": a.ctypes.data + 1},
    "byte_offset": lambda a: {"byte_offset": 1},
    "byte_offset of half an item": lambda a: {"byte_offset": 4},
}


@pytest.mark.parametrize("fields", UNALIGNED.values(), ids=UNALIGNED)
@pytest.mark.parametrize("copy", [None, True])
@both_kinds
@both_ways
def test_import_unaligned_data_is_copied(fields, copy, versioned, way):
    a = np.zeros(4)
    fields = fields(a)
    start = fields.get("byte_offset", 1)
    a.view("u1")[start : start + 24] = np.arange(3.0).view("u1")
    producer = FakeProducer(a, shape=(3,), strides=(1,), versioned=versioned, **fields)
    x = import_from(producer, way, copy=copy)
    assert x.tolist() == [0.0, 1.0, 2.0]
    assert pointer(x) % 8 == 0
    assert not x.readonly
    assert producer.deleted == 1


@pytest.mark.parametrize("fields", UNALIGNED.values(), ids=UNALIGNED)
@both_kinds
@both_ways
def test_import_unaligned_data_with_copy_false_is_refused(fields, versioned, way):
    a = np.zeros(4)
    producer = FakeProducer(a, shape=(3,), strides=(1,), versioned=versioned, **fields(a))
    with pytest.raises(CopyRequiredError) as caught:
        import_from(producer, way, copy=False)
    assert str(caught.value) == (
        "from_dlpack: copy=False cannot be honoured for data that is not aligned to its dtype "
        "float64; use copy=None"
    )
    assert producer.deleted == 1


def test_import_unaligned_readonly_data_is_a_writable_copy():
    a = np.zeros(4)
    producer = FakeProducer(a, shape=(3,), byte_offset=1, flags=READ_ONLY)
    assert not xp.from_dlpack(producer).readonly


def test_import_unaligned_ndarray_is_copied():
    a = np.zeros(33, np.uint8)[1:].view(np.float64)
    assert not a.flags.aligned
    x = xp.from_dlpack(a)
    assert pointer(x) % 8 == 0
    with pytest.raises(CopyRequiredError, match="aligned"):
        xp.from_dlpack(a, copy=False)


# --------------------------------------------------------------------------------------------------
# Read-only


@both_ways
@pytest.mark.parametrize(
    ("fields", "readonly"),
    [
        ({"versioned": True, "flags": 0}, False),
        ({"versioned": True, "flags": READ_ONLY}, True),
        ({"versioned": True, "flags": IS_COPIED}, False),
        ({"versioned": True, "flags": READ_ONLY | IS_COPIED}, True),
        ({"versioned": False}, False),
    ],
)
def test_import_readonly_is_as_the_flag_says(fields, readonly, way):
    a = np.arange(4.0)
    x = import_from(FakeProducer(a, **fields), way)
    assert x.readonly is readonly
    if readonly:
        with pytest.raises(ValueError, match="read-only"):
            x[0] = 9.0
        assert a[0] == 0.0
    else:
        x[0] = 9.0
        assert a[0] == 9.0
    assert np.asarray(x).flags.writeable is not readonly


@pytest.mark.parametrize("module", ["jax", "jaxlib._jax", "tensorflow.python.framework.ops"])
def test_import_legacy_capsule_of_a_library_of_immutable_arrays_is_readonly(module):
    producer = FakeProducer(np.arange(4.0), versioned=False)
    producer.__class__ = type("Immutable", (type(producer),), {"__module__": module})
    assert xp.from_dlpack(producer).readonly


@pytest.mark.parametrize("module", ["jaxtyping", "my.jax", "torch", "tensorflow_like"])
def test_import_legacy_capsule_of_another_library_is_writable(module):
    producer = FakeProducer(np.arange(4.0), versioned=False)
    producer.__class__ = type("Mutable", (type(producer),), {"__module__": module})
    assert not xp.from_dlpack(producer).readonly


class TensorOfTensorFlow:
    """Stands for one whose export ends the process: TensorFlow checks the dtype with an abort."""

    __module__ = "tensorflow.python.framework.ops"

    def __init__(self, dtype):
        self.dtype = types.SimpleNamespace(name=dtype)

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **keywords):
        raise KeyboardInterrupt("the process ends here")


@pytest.mark.parametrize("dtype", ["string", "resource", "variant"])
@pytest.mark.parametrize(
    ("call", "function"),
    [
        (xp.from_dlpack, "from_dlpack"),
        (xp.asarray, "from_dlpack"),
        (xp.to_dlpack, "to_dlpack"),
        (xp.dlpack.inspect, "inspect"),
        (xp.dlpack.to_address, "to_address"),
        (lambda t: xp.from_dlpack(xp.ReadOnlyWrapper(t)), "ReadOnlyWrapper"),
    ],
)
def test_import_of_what_tensorflow_cannot_export_raises_before_it_is_asked(call, function, dtype):
    with pytest.raises(
        BufferError,
        match=rf"^{function}: x must have a dtype that DLPack can express, got {dtype}$",
    ):
        call(TensorOfTensorFlow(dtype))


def test_import_of_strings_of_tensorflow_raises():
    tensorflow = pytest.importorskip("tensorflow", reason="needs tensorflow")
    with pytest.raises(BufferError, match=r"^from_dlpack: x must have a dtype that DLPack can "):
        xp.from_dlpack(tensorflow.constant(["a"]))


@pytest.mark.parametrize("flags", [READ_ONLY, READ_ONLY | IS_COPIED])
def test_import_readonly_with_copy_true_is_writable(flags):
    a = np.arange(4.0)
    x = xp.from_dlpack(FakeProducer(a, flags=flags), copy=True)
    assert not x.readonly
    x[0] = 9.0
    assert a[0] == 0.0


@pytest.mark.parametrize(
    "hop", [lambda x: x[1:], lambda x: x.T, lambda x: xp.reshape(x, (4,)), lambda x: x[None],
            lambda x: xp.from_dlpack(x), lambda x: xp.from_dlpack(x.__dlpack__(max_version=(1, 0))),
            lambda x: xp.from_dlpack(np.asarray(x)), lambda x: xp.asarray(x),
            lambda x: xp.flip(x), lambda x: xp.squeeze(x[None], axis=0)]
)  # fmt: skip
def test_import_readonly_survives_every_view_and_hop(hop):
    x = xp.from_dlpack(FakeProducer(np.arange(4.0).reshape(2, 2), flags=READ_ONLY))
    y = hop(x)
    assert y.readonly
    assert peek(y.__dlpack__(max_version=(1, 0))).flags == READ_ONLY
    with pytest.raises(BufferError, match="read-only"):
        y.__dlpack__()


# --------------------------------------------------------------------------------------------------
# Negotiation


def test_negotiation_plain_call_asks_for_the_version_and_nothing_else():
    producer = FakeProducer(np.arange(4.0), accept="**")
    xp.from_dlpack(producer)
    assert producer.calls == [{"max_version": (1, 3)}]


def test_negotiation_copy_false_is_passed_on():
    producer = FakeProducer(np.arange(4.0), accept="**")
    xp.from_dlpack(producer, copy=False)
    assert producer.calls == [{"max_version": (1, 3), "copy": False}]


def test_negotiation_copy_true_is_not_passed_on_since_some_refuse_or_ignore_it():
    a = np.arange(4.0)
    producer = FakeProducer(a, accept="**")
    x = xp.from_dlpack(producer, copy=True)
    assert producer.calls == [{"max_version": (1, 3)}]
    assert (pointer(x) != a.ctypes.data, producer.deleted) == (True, 1)


@pytest.mark.parametrize("accept", [EVERY_KEYWORD, "**", "*, **", (), ("stream",),
                                    ("max_version",), ("stream", "max_version"), ("copy",),
                                    ("dl_device", "copy")], ids=str)  # fmt: skip
@pytest.mark.parametrize("copy", [None, True, False])
@pytest.mark.parametrize("device", [None, "cpu"])
@pytest.mark.parametrize("versioned", [True, False, None])
def test_negotiation_with_any_signature_runs_the_producer_once(accept, copy, device, versioned):
    a = np.arange(4.0)
    producer = FakeProducer(a, accept=accept, versioned=versioned)
    x = xp.from_dlpack(producer, copy=copy, device=device)
    assert x.tolist() == a.tolist()
    assert (pointer(x) != a.ctypes.data) == (copy is True)
    assert len(producer.calls) == 1
    takes = EVERY_KEYWORD if isinstance(accept, str) else accept
    given = producer.calls[0]
    assert given.get("max_version") == ((1, 3) if "max_version" in takes else None)
    assert given.get("copy") == (False if copy is False and "copy" in takes else None)
    assert "stream" not in given
    assert not x.readonly
    x[0] = 9.0
    assert (a[0] == 9.0) == (copy is not True)
    assert producer.deleted == (1 if copy else 0)
    del x
    assert producer.settle() == 1


@pytest.mark.parametrize("copy", [None, True, False])
def test_negotiation_with_a_function_of_c_without_signature_and_keywords(copy):
    a = np.arange(4.0)
    producer = FakeProducer(a, versioned=False)
    method = functools.partial(next, iter([producer.capsule()]))

    class OldProducer:
        __dlpack__ = staticmethod(method)

        def __dlpack_device__(self):
            return (1, 0)

    x = xp.from_dlpack(OldProducer(), copy=copy)
    assert (x.tolist(), pointer(x) != a.ctypes.data) == (a.tolist(), copy is True)


def test_negotiation_copy_true_of_a_tensor_that_is_a_copy_already_is_not_copied_again():
    a = np.arange(4.0)
    producer = FakeProducer(a, flags=IS_COPIED)
    x = xp.from_dlpack(producer, copy=True)
    assert (pointer(x), x.readonly, producer.deleted) == (a.ctypes.data, False, 0)


@pytest.mark.parametrize("flags", [0, READ_ONLY])
@both_kinds
def test_negotiation_producer_that_lies_about_copy_true_is_copied(flags, versioned):
    a = np.arange(4.0)
    producer = FakeProducer(a, flags=flags, versioned=versioned)
    x = xp.from_dlpack(producer, copy=True)
    assert pointer(x) != a.ctypes.data
    assert (producer.deleted, x.readonly) == (1, False)


def test_negotiation_producer_that_lies_about_copy_false_is_refused():
    text = refusal(FakeProducer(np.arange(4.0), flags=IS_COPIED), copy=False)
    assert text == (
        "from_dlpack: copy=False cannot be honoured, since the producer made a copy; use copy=None"
    )


def test_negotiation_producer_that_copies_unasked_is_taken():
    x = xp.from_dlpack(FakeProducer(np.arange(4.0), flags=IS_COPIED))
    assert (x.tolist(), x.readonly) == ([0.0, 1.0, 2.0, 3.0], False)


@pytest.mark.parametrize("accept", [EVERY_KEYWORD, "**", "*, **"], ids=str)
@pytest.mark.parametrize(
    "text", ["unsupported operand", "got an unexpected keyword argument 'max_version'",
             "takes no keyword arguments", "takes no arguments", ""]
)  # fmt: skip
@pytest.mark.parametrize("keywords", [{}, {"copy": True}, {"device": "cpu"}])
def test_negotiation_typeerror_inside_the_producer_comes_out_unchanged(accept, text, keywords):
    error = TypeError(text)
    producer = FakeProducer(np.arange(4.0), accept=accept, result=error)
    with pytest.raises(TypeError) as caught:
        xp.from_dlpack(producer, **keywords)
    assert caught.value is error
    assert len(producer.calls) == 1


@pytest.mark.parametrize("accept", [(), ("stream",), ("copy",)], ids=str)
def test_negotiation_typeerror_inside_an_old_producer_comes_out_unchanged(accept):
    error = TypeError("got an unexpected keyword argument 'max_version'")
    producer = FakeProducer(np.arange(4.0), accept=accept, result=error)
    with pytest.raises(TypeError) as caught:
        xp.from_dlpack(producer)
    assert caught.value is error
    assert len(producer.calls) == 1


@pytest.mark.parametrize(
    "error", [BufferError("not today"), ValueError("v"), RuntimeError("r"), KeyError("k"),
              AttributeError("a"), MemoryError("m"), NotImplementedError("n"), OSError("o"),
              CopyRequiredError("c")], ids=lambda error: type(error).__name__
)  # fmt: skip
def test_negotiation_exception_of_the_producer_comes_out_unchanged(error):
    producer = FakeProducer(np.arange(4.0), result=error)
    with pytest.raises(type(error)) as caught:
        xp.from_dlpack(producer)
    assert caught.value is error
    assert len(producer.calls) == 1


@pytest.mark.parametrize("error", [BufferError("b"), RuntimeError("r"), TypeError("t")])
def test_negotiation_exception_of_dlpack_device_comes_out_unchanged(error):
    producer = FakeProducer(np.arange(4.0), claimed_device=error)
    with pytest.raises(type(error)) as caught:
        xp.from_dlpack(producer)
    assert caught.value is error
    assert producer.calls == []


@pytest.mark.parametrize(
    ("result", "name"), [(None, "NoneType"), (3, "int"), ("x", "str"), (b"x", "bytes"),
                         ((), "tuple"), (np.ones(2), "numpy.ndarray"),
                         (NotImplemented, "NotImplementedType")], ids=str
)  # fmt: skip
def test_negotiation_producer_that_returns_no_capsule_is_refused(result, name):
    producer = FakeProducer(np.arange(4.0), result=result)
    with pytest.raises(BufferError) as caught:
        xp.from_dlpack(producer)
    assert str(caught.value) == (
        f"from_dlpack: x.__dlpack__() must return a DLPack capsule, got {name}"
    )


@pytest.mark.parametrize("name", [b"dltensor_versioned2", b"DLTENSOR", b"", b"arrow_array",
                                  b"dlpack_exchange_api", b"\xff\xfe"])  # fmt: skip
@both_kinds
@both_ways
def test_negotiation_capsule_of_another_name_is_refused_and_left_alone(name, versioned, way):
    producer = FakeProducer(np.arange(4.0), versioned=versioned, name=name)
    with pytest.raises(BufferError) as caught:
        import_from(producer, way)
    assert str(caught.value) == (
        "from_dlpack: a DLPack capsule must be named 'dltensor' or 'dltensor_versioned', "
        f"got {name.decode('utf-8', 'replace')!r}"
    )
    assert (producer.deleted, capsule_name(producer._made[0].capsule)) == (0, name)
    assert producer.settle() == 1


def test_negotiation_capsule_without_a_name_is_refused():
    producer = FakeProducer(np.arange(4.0))
    capsule = make_capsule(producer.address(), None)
    with pytest.raises(BufferError, match=r"'dltensor_versioned', got no name$"):
        xp.from_dlpack(capsule)
    assert producer.deleted == 0


@both_kinds
def test_negotiation_same_capsule_offered_twice_is_refused_and_the_first_stays(versioned):
    producer = FakeProducer(np.arange(4.0), versioned=versioned)
    offering = FakeProducer(np.arange(4.0), result=producer.capsule())
    first = xp.from_dlpack(offering)
    with pytest.raises(BufferError) as caught:
        xp.from_dlpack(offering)
    assert str(caught.value) == (
        "from_dlpack: a DLPack capsule can be consumed once, got one that was already consumed; "
        "ask the producer for another"
    )
    assert (first.tolist(), producer.deleted) == ([0.0, 1.0, 2.0, 3.0], 0)
    del first
    assert producer.deleted == 1


@pytest.mark.parametrize("copy", [None, False, True])
def test_negotiation_null_deleter_is_fine(copy):
    a = np.arange(4.0)
    for versioned in (True, False):
        x = xp.from_dlpack(FakeProducer(a, versioned=versioned, deleter=False), copy=copy)
        assert x.tolist() == a.tolist()
        del x


# -- device=


@pytest.mark.parametrize("device", ["cpu", "cpu:0", (1, 0), (3, 0), (Kind.CPU, 0)])
def test_device_of_the_host_in_any_form_shares(device):
    a = np.arange(4.0)
    x = xp.from_dlpack(FakeProducer(a), device=device)
    assert (x.device, pointer(x)) == (xp.Device("cpu"), a.ctypes.data)


def test_device_as_a_device_shares():
    a = np.arange(4.0)
    assert pointer(xp.from_dlpack(FakeProducer(a), device=xp.Device("cpu"))) == a.ctypes.data
    assert pointer(xp.from_dlpack(FakeProducer(a), device=xp.asarray(1).device)) == a.ctypes.data


@pytest.mark.parametrize("device", ["gpu", "", "cpu:1", "CPU", "cuda:x", (99, 0), (0, 0)])
def test_device_that_does_not_exist_raises_valueerror_before_asking(device):
    producer = FakeProducer(np.arange(4.0))
    with pytest.raises(ValueError, match=r"^from_dlpack: device must be"):
        xp.from_dlpack(producer, device=device)
    assert producer.calls == []


@pytest.mark.parametrize("device", [1, 1.0, (1,), (1, 0, 0), [1, 0], object(), b"cpu", ("cpu", 0)])
def test_device_of_another_type_raises_typeerror_before_asking(device):
    producer = FakeProducer(np.arange(4.0))
    with pytest.raises(TypeError, match=r"^from_dlpack: device must be"):
        xp.from_dlpack(producer, device=device)
    assert producer.calls == []


def test_device_cpu_of_a_cuda_producer_asks_it_for_the_host():
    a = np.arange(4.0)
    producer = FakeProducer(a, claimed_device=(2, 0), device=(1, 0), flags=IS_COPIED)
    x = xp.from_dlpack(producer, device="cpu")
    assert producer.calls == [{"max_version": (1, 3), "dl_device": (1, 0)}]
    assert (x.device, x.tolist()) == (xp.Device("cpu"), a.tolist())


@pytest.mark.parametrize("accept", [EVERY_KEYWORD, ()], ids=str)
def test_device_cpu_of_managed_memory_is_where_it_is(accept):
    a = np.arange(4.0)
    x = xp.from_dlpack(FakeProducer(a, device=(13, 0), accept=accept), device="cpu")
    assert (x.device, pointer(x)) == (xp.Device("cpu"), a.ctypes.data)


def test_device_cpu_of_a_cuda_producer_with_copy_false_passes_both_on():
    error = BufferError("only with a copy")
    producer = FakeProducer(np.arange(4.0), device=(2, 0), result=error)
    with pytest.raises(BufferError) as caught:
        xp.from_dlpack(producer, device="cpu", copy=False)
    assert caught.value is error
    assert producer.calls == [{"max_version": (1, 3), "dl_device": (1, 0), "copy": False}]


def test_device_cuda_that_is_not_there_is_refused_before_asking():
    producer = FakeProducer(np.arange(4.0))
    with pytest.raises(BufferError, match=r"^from_dlpack: .*cuda:0"):
        xp.from_dlpack(producer, device="cuda")
    assert producer.calls == []


def test_device_cpu_of_a_cuda_producer_that_takes_no_dl_device_is_refused():
    producer = FakeProducer(np.arange(4.0), device=(2, 0), accept=("stream", "max_version"))
    assert "cuda:0" in refusal(producer, device="cpu")


def test_device_cpu_of_a_cuda_producer_that_does_not_move_is_refused():
    producer = FakeProducer(np.arange(4.0), device=(2, 0))
    assert "cuda:0" in refusal(producer, device="cpu")
    assert producer.calls[0]["dl_device"] == (1, 0)


# -- copy=


@pytest.mark.parametrize("copy", ["yes", "", 1, 0, 1.0, [], object()])
def test_copy_of_another_type_raises_typeerror_before_asking(copy):
    producer = FakeProducer(np.arange(4.0))
    with pytest.raises(TypeError, match=r"^from_dlpack: copy must be True, False or None, got"):
        xp.from_dlpack(producer, copy=copy)
    assert producer.calls == []


@pytest.mark.parametrize("copy", [None, False])
def test_copy_of_an_array_not_true_shares(copy):
    x = xp.asarray([1.0, 2.0])
    assert pointer(xp.from_dlpack(x, copy=copy)) == pointer(x)


@pytest.mark.parametrize("source", [lambda: xp.asarray([1.0, 2.0]), lambda: np.array([1.0, 2.0])])
def test_copy_true_leaves_the_source_alone(source):
    x = source()
    y = xp.from_dlpack(x, copy=True)
    y += 1
    assert x.tolist() == [1.0, 2.0]
    assert y.tolist() == [2.0, 3.0]


def test_copyrequirederror_is_a_buffererror_and_a_valueerror():
    assert issubclass(CopyRequiredError, BufferError)
    assert issubclass(CopyRequiredError, ValueError)
    assert CopyRequiredError.__module__ == "xpdl.dlpack"


# -- raw capsules


@both_kinds
@pytest.mark.parametrize("copy", [None, False, True])
@pytest.mark.parametrize("device", [None, "cpu", (1, 0)])
def test_raw_capsule_is_consumed(versioned, copy, device):
    a = np.arange(4.0)
    producer = FakeProducer(a, versioned=versioned)
    capsule = producer.capsule()
    x = xp.from_dlpack(capsule, copy=copy, device=device)
    assert capsule_name(capsule) == (USED_VERSIONED if versioned else USED_LEGACY)
    assert (x.tolist(), pointer(x) != a.ctypes.data) == (a.tolist(), copy is True)
    del x
    assert producer.deleted == 1


@both_kinds
def test_raw_capsule_consumed_twice_is_refused(versioned):
    producer = FakeProducer(np.arange(4.0), versioned=versioned)
    capsule = producer.capsule()
    x = xp.from_dlpack(capsule)
    with pytest.raises(BufferError) as caught:
        xp.from_dlpack(capsule)
    assert str(caught.value) == (
        "from_dlpack: a DLPack capsule can be consumed once, got one that was already consumed; "
        "ask the producer for another"
    )
    assert (x.tolist(), producer.deleted) == ([0.0, 1.0, 2.0, 3.0], 0)


@both_kinds
def test_raw_capsule_of_a_refused_tensor_is_used_up(versioned):
    producer = FakeProducer(np.arange(4.0), versioned=versioned, ndim=-1)
    capsule = producer.capsule()
    with pytest.raises(BufferError, match="ndim"):
        xp.from_dlpack(capsule)
    with pytest.raises(BufferError, match="already consumed"):
        xp.from_dlpack(capsule)
    assert producer.deleted == 1


@pytest.mark.parametrize("kind", [LEGACY, VERSIONED])
def test_raw_capsule_from_numpy(kind):
    a = np.arange(4.0)
    capsule = a.__dlpack__(max_version=(1, 0) if kind == VERSIONED else None)
    assert capsule_name(capsule) == kind
    assert pointer(xp.from_dlpack(capsule)) == a.ctypes.data


# -- objects that are no producers


class OnlyDlpack:
    def __dlpack__(self, **keywords):
        raise AssertionError("must not be called")


class OnlyDevice:
    def __dlpack_device__(self):
        return (1, 0)


@pytest.mark.parametrize(
    ("x", "name"), [(None, "NoneType"), (3, "int"), ("x", "str"), ([1.0], "list"), (b"x", "bytes"),
                    (object(), "object"), (memoryview(b"x"), "memoryview"),
                    (OnlyDlpack(), f"{__name__}.OnlyDlpack"),
                    (OnlyDevice(), f"{__name__}.OnlyDevice")],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_object_without_the_methods_raises_attributeerror(x, name):
    with pytest.raises(AttributeError) as caught:
        xp.from_dlpack(x)
    assert str(caught.value) == (
        "from_dlpack: x must have __dlpack__ and __dlpack_device__ or be a DLPack capsule, "
        f"got {name}; convert it with xpdl.asarray"
    )


def test_from_dlpack_arguments_are_positional_only_and_keyword_only():
    a = np.arange(4.0)
    with pytest.raises(TypeError):
        xp.from_dlpack(x=a)
    with pytest.raises(TypeError):
        xp.from_dlpack(a, "cpu")
    with pytest.raises(TypeError):
        xp.from_dlpack()


# -- ndarrays


@pytest.mark.parametrize("dtype", ["O", "U3", "S3", "M8[s]", "m8[s]", "f8,i4", "longdouble"])
def test_ndarray_of_a_dtype_without_dlpack_type_is_refused(dtype):
    a = np.zeros(2, dtype=dtype)
    with pytest.raises(BufferError, match=r"^from_dlpack: x must have a dtype that DLPack"):
        xp.from_dlpack(a)


@pytest.mark.parametrize("copy", [None, False])
def test_ndarray_in_foreign_byte_order_is_refused(copy):
    a = np.arange(3, dtype=np.dtype("i4").newbyteorder())
    with pytest.raises(BufferError) as caught:
        xp.from_dlpack(a, copy=copy)
    assert str(caught.value) == (
        f"from_dlpack: x must be in native byte order, got dtype {a.dtype.str}; "
        "convert it with xpdl.asarray"
    )


def test_ndarray_masked_is_refused_since_its_mask_would_be_lost():
    a = np.ma.masked_array([1.0, 2.0], mask=[True, False])
    with pytest.raises(BufferError) as caught:
        xp.from_dlpack(a)
    assert str(caught.value) == (
        "from_dlpack: x must not be a masked array, whose mask would be lost; "
        "use its filled() values"
    )


@pytest.mark.parametrize("kind", [np.memmap, np.matrix])
@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_ndarray_subclass_is_shared(kind, tmp_path):
    if kind is np.memmap:
        a = np.memmap(tmp_path / "m", dtype=np.float64, mode="w+", shape=(3,))
    else:
        a = np.matrix([[1.0, 2.0]])
    x = xp.from_dlpack(a)
    assert (pointer(x), x.tolist()) == (a.ctypes.data, a.tolist())


# -- life


@both_kinds
@both_ways
def test_life_of_the_tensor_ends_with_the_last_view(versioned, way):
    producer = FakeProducer(np.arange(12.0).reshape(3, 4), versioned=versioned)
    x = import_from(producer, way)
    views = [x[1:], x.T, np.asarray(x), x.__dlpack__(), xp.from_dlpack(x)]
    del x
    while views:
        assert producer.deleted == 0
        views.pop()
        gc.collect()
    assert producer.deleted == 1


def test_life_deletion_while_an_exception_is_pending_keeps_the_exception():
    producer = FakeProducer(np.arange(4.0))
    # The list under construction is dropped while ZeroDivisionError is being raised.
    with pytest.raises(ZeroDivisionError, match="by zero"):
        [xp.from_dlpack(producer), 1 // 0]
    assert producer.deleted == 1
