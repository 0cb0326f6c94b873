"""What an Array hands out: the capsule, every keyword, every field, and the life of the memory."""

import gc
import inspect
import weakref
from typing import NamedTuple

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
    nogil_delete,
    peek,
    stray_deletions,
)

import xpdl as xp
from xpdl.dlpack import DLDeviceType

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


@pytest.fixture(autouse=True)
def _no_deleter_is_called_twice():
    yield
    assert stray_deletions() == []


def readonly(array):
    array = array.copy()
    array.flags.writeable = False
    return xp.from_dlpack(array)


def pointer(x):
    return peek(x.__dlpack__(max_version=(1, 0))).pointer


# -- max_version


@pytest.mark.parametrize("max_version", [None, (0, 0), (0, 1), (0, 8), (0, 99)])
def test_dlpack_max_version_below_1_gives_a_legacy_capsule(max_version):
    capsule = xp.asarray([1.0, 2.0]).__dlpack__(max_version=max_version)
    assert capsule_name(capsule) == LEGACY


def test_dlpack_without_keywords_gives_a_legacy_capsule():
    assert capsule_name(xp.asarray([1.0]).__dlpack__()) == LEGACY


class Version(NamedTuple):
    major: int
    minor: int


@pytest.mark.parametrize(
    "max_version", [(1, 0), (1, 1), (1, 3), (1, 99), (2, 0), (99, 0), Version(1, 0)]
)
def test_dlpack_max_version_from_1_gives_our_own_version(max_version):
    capsule = xp.asarray([1.0, 2.0]).__dlpack__(max_version=max_version)
    assert capsule_name(capsule) == VERSIONED
    assert peek(capsule).version == (1, 3)


@pytest.mark.parametrize(
    "max_version", [1, 1.0, "1.0", b"10", [1, 0], (), (1,), (1, 0, 0), ("1", 0), (1, "0"), (1.0, 0),
                    (1, None), {1, 0}, object()]
)  # fmt: skip
def test_dlpack_max_version_of_another_form_raises_typeerror(max_version):
    with pytest.raises(TypeError, match="max_version"):
        xp.asarray([1.0]).__dlpack__(max_version=max_version)


REFUSALS = {
    "max_version": (
        {"max_version": [1, 0]},
        TypeError,
        "max_version must be None or a tuple of two ints (major, minor), got [1, 0]",
    ),
    "stream number": (
        {"stream": 1},
        ValueError,
        "stream must be None or -1 for an array on the host, got 1",
    ),
    "stream type": ({"stream": True}, TypeError, "stream must be an int or None, got bool"),
    "dl_device": (
        {"dl_device": (2, 0)},
        BufferError,
        "dl_device must be (1, 0) or the array's own (1, 0), got (2, 0); "
        "move the array with to_device",
    ),
    "dl_device form": (
        {"dl_device": "cpu"},
        TypeError,
        "dl_device must be None or a tuple of two ints (device type, device id), got 'cpu'",
    ),
    "copy": ({"copy": 1}, TypeError, "copy must be True, False or None, got 1"),
}
READONLY_REFUSAL = (
    "__dlpack__: a read-only array cannot go out in a legacy capsule, which has no flag for it; "
    "ask with max_version=(1, 0) or copy=True"
)


@pytest.mark.parametrize(("keywords", "error", "text"), REFUSALS.values(), ids=REFUSALS)
def test_dlpack_refusal_says_what_is_wrong(keywords, error, text):
    with pytest.raises(error) as caught:
        xp.asarray([1.0]).__dlpack__(**keywords)
    assert str(caught.value) == f"__dlpack__: {text}"


# -- stream


@pytest.mark.parametrize("stream", [None, -1])
def test_dlpack_stream_on_the_cpu_none_and_minus_one_are_accepted(stream):
    capsule = xp.asarray([1.0]).__dlpack__(stream=stream)
    assert capsule_name(capsule) == LEGACY


@pytest.mark.parametrize("stream", [0, 1, 2, 3, 2**40, -2, -(2**40), 2**70])
def test_dlpack_stream_on_the_cpu_a_number_raises_valueerror(stream):
    with pytest.raises(ValueError, match="stream"):
        xp.asarray([1.0]).__dlpack__(stream=stream)


@pytest.mark.parametrize("stream", [True, False, 1.0, -1.0, "x", "-1", b"1", (1,), object()])
def test_dlpack_stream_of_another_type_raises_typeerror(stream):
    with pytest.raises(TypeError, match="stream"):
        xp.asarray([1.0]).__dlpack__(stream=stream)


# -- dl_device


@pytest.mark.parametrize("dl_device", [None, (1, 0), (DLDeviceType.kDLCPU, 0)])
def test_dlpack_dl_device_its_own_shares(dl_device):
    x = xp.asarray([1.0, 2.0])
    found = peek(x.__dlpack__(max_version=(1, 0), dl_device=dl_device))
    assert (found.device, found.pointer, found.flags) == ((1, 0), pointer(x), 0)


@pytest.mark.parametrize("dl_device", [None, (3, 0), (1, 0)])
@pytest.mark.parametrize("copy", [None, False])
def test_dlpack_dl_device_of_pinned_memory_shares_it_as_its_own_type_or_as_the_cpu(dl_device, copy):
    a = np.arange(3.0)
    x = xp.from_dlpack(FakeProducer(a, device=(3, 0)))
    found = peek(x.__dlpack__(max_version=(1, 0), dl_device=dl_device, copy=copy))
    assert (found.device, found.pointer, found.flags) == (dl_device or (3, 0), a.ctypes.data, 0)


def test_dlpack_dl_device_pinned_of_a_copy_which_is_not_pinned_raises_buffererror():
    x = xp.from_dlpack(FakeProducer(np.arange(3.0), device=(3, 0)))
    with pytest.raises(BufferError, match="dl_device"):
        x.__dlpack__(dl_device=(3, 0), copy=True)


@pytest.mark.parametrize("dl_device", [(1, 1), (2, 0), (10, 0), (8, 0), (99, 0), (0, 0), (-1, 0)])
@pytest.mark.parametrize("copy", [None, True, False])
def test_dlpack_dl_device_that_is_not_served_raises_buffererror(dl_device, copy):
    with pytest.raises(BufferError, match="dl_device"):
        xp.asarray([1.0]).__dlpack__(dl_device=dl_device, copy=copy)


@pytest.mark.parametrize(
    "dl_device", [1, "cpu", [1, 0], (1,), (1, 0, 0), ("cpu", 0), (1, "0"), (1.0, 0), (1, None)]
)
def test_dlpack_dl_device_of_another_form_raises_typeerror(dl_device):
    with pytest.raises(TypeError, match="dl_device"):
        xp.asarray([1.0]).__dlpack__(dl_device=dl_device)


# -- copy


@pytest.mark.parametrize("copy", [None, False])
@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_dlpack_copy_not_true_shares_the_memory(copy, max_version):
    x = xp.asarray([1.0, 2.0])
    found = peek(x.__dlpack__(max_version=max_version, copy=copy))
    assert found.pointer == pointer(x)
    assert found.flags in (0, None)


@pytest.mark.parametrize("max_version", [None, (0, 8), (1, 0)])
@pytest.mark.parametrize("dl_device", [None, (1, 0)])
def test_dlpack_copy_true_gives_other_memory(max_version, dl_device):
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    capsule = x.__dlpack__(max_version=max_version, dl_device=dl_device, copy=True)
    found = peek(capsule)
    assert found.pointer != pointer(x)
    assert found.flags == (None if found.kind == "legacy" else IS_COPIED)
    y = xp.from_dlpack(capsule)
    y[...] = 0.0
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize("copy", ["yes", "", 1, 0, 1.0, [], object()])
def test_dlpack_copy_of_another_type_raises_typeerror(copy):
    with pytest.raises(TypeError, match="copy"):
        xp.asarray([1.0]).__dlpack__(copy=copy)


@pytest.mark.parametrize(
    "layout", [lambda a: a[::-1], lambda a: a.T, lambda a: a[:, ::2], lambda a: a[1:, 1:]],
    ids=["reversed", "transposed", "strided", "offset"],
)  # fmt: skip
def test_dlpack_copy_true_of_any_layout_is_a_plain_buffer(layout):
    a = layout(np.arange(12.0).reshape(3, 4))
    x = xp.from_dlpack(a)
    found = peek(x.__dlpack__(max_version=(1, 3), copy=True))
    assert found.strides == tuple(step // 8 for step in np.ascontiguousarray(a).strides)
    assert np.array_equal(np.asarray(xp.from_dlpack(x.__dlpack__(copy=True))), a)


# -- flags


def test_dlpack_flags_writable_are_0():
    assert peek(xp.asarray([1.0]).__dlpack__(max_version=(1, 3))).flags == 0


def test_dlpack_flags_readonly_are_read_only():
    x = readonly(np.arange(3.0))
    assert peek(x.__dlpack__(max_version=(1, 3))).flags == READ_ONLY


@pytest.mark.parametrize("readonly_", [False, True])
def test_dlpack_flags_of_a_copy_are_is_copied_alone(readonly_):
    x = readonly(np.arange(3.0)) if readonly_ else xp.asarray([1.0])
    assert peek(x.__dlpack__(max_version=(1, 3), copy=True)).flags == IS_COPIED


@pytest.mark.parametrize(
    "view", [lambda x: x[1:], lambda x: x.T, lambda x: x[..., None], lambda x: x.reshape((4,)),
             lambda x: x[0, 0, ...], lambda x: xp.flip(x), lambda x: xp.expand_dims(x, axis=0)]
)  # fmt: skip
def test_dlpack_flags_of_a_view_of_a_readonly_array_are_read_only(view):
    x = view(readonly(np.arange(4.0).reshape(2, 2)))
    assert peek(x.__dlpack__(max_version=(1, 3))).flags == READ_ONLY


def test_dlpack_flags_of_a_broadcast_view_are_read_only():
    x = xp.broadcast_to(xp.asarray([1.0, 2.0]), (3, 2))
    found = peek(x.__dlpack__(max_version=(1, 3)))
    assert (found.flags, found.strides) == (READ_ONLY, (0, 1))


@pytest.mark.parametrize("keywords", [{}, {"max_version": (0, 8)}, {"copy": False}])
def test_dlpack_readonly_to_a_legacy_caller_raises_buffererror(keywords):
    x = readonly(np.arange(3.0))
    with pytest.raises(BufferError) as caught:
        x.__dlpack__(**keywords)
    assert str(caught.value) == READONLY_REFUSAL


@pytest.mark.parametrize("keywords", [{}, {"max_version": (0, 8)}])
def test_dlpack_readonly_to_a_legacy_caller_with_copy_true_is_a_writable_copy(keywords):
    x = readonly(np.arange(3.0))
    capsule = x.__dlpack__(copy=True, **keywords)
    assert capsule_name(capsule) == LEGACY
    y = xp.from_dlpack(capsule)
    assert not y.readonly
    y[0] = 9.0
    assert x.tolist() == [0.0, 1.0, 2.0]


# -- fields


@pytest.mark.parametrize(("name", "expected"), DTYPES.items())
@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_dlpack_dtype_is_its_code_and_bits(name, expected, max_version):
    x = xp.zeros(3, dtype=getattr(xp, name))
    assert peek(x.__dlpack__(max_version=max_version)).dtype == expected


@pytest.mark.parametrize("max_version", [None, (1, 0)])
@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (0, 0), (1, 8, 0, 128)])
def test_dlpack_size_0_has_null_data_and_keeps_its_shape(shape, max_version):
    found = peek(xp.zeros(shape).__dlpack__(max_version=max_version))
    assert (found.data, found.byte_offset, found.shape) == (None, 0, shape)
    assert found.strides is not None


@pytest.mark.parametrize(
    ("layout", "strides"),
    [
        (lambda a: a, (4, 1)),
        (lambda a: a.T, (1, 4)),
        (lambda a: a[:, ::2], (4, 2)),
        (lambda a: a[::-1, ::-1], (-4, -1)),
        (lambda a: a[1:, 1:], (4, 1)),
        (lambda a: a[1], (1,)),
        (lambda a: a[:, None], (4, 0, 1)),
        (lambda a: np.broadcast_to(a[0], (5, 4)), (0, 1)),
    ],
)
def test_dlpack_layout_strides_in_elements_and_data_at_the_first_element(layout, strides):
    a = layout(np.arange(12.0).reshape(3, 4))
    x = xp.from_dlpack(a)
    found = peek(x.__dlpack__(max_version=(1, 3)))
    assert found.shape == a.shape
    assert found.byte_offset == 0
    assert found.data == a.__array_interface__["data"][0]
    lengths = zip(found.strides, strides, a.shape, strict=True)
    assert all(got == expected for got, expected, length in lengths if length > 1)


@pytest.mark.parametrize("max_version", [None, (1, 0), (1, 3)])
@pytest.mark.parametrize("shape", [(1,), (5,), (2, 3), (1, 1, 1), (1,) * 64])
def test_dlpack_strides_are_never_null(shape, max_version):
    found = peek(xp.ones(shape).__dlpack__(max_version=max_version))
    assert found.strides is not None
    assert len(found.strides) == len(shape) == found.ndim


def test_dlpack_0d_has_no_extents_and_its_data():
    x = xp.asarray(5.0)
    found = peek(x.__dlpack__(max_version=(1, 3)))
    assert (found.ndim, found.shape or (), found.strides or ()) == (0, (), ())
    assert xp.from_dlpack(x.__dlpack__()).tolist() == 5.0


def test_dlpack_slice_has_byte_offset_0_and_its_own_pointer():
    x = xp.arange(10, dtype=xp.int64)
    found = peek(x[3:].__dlpack__())
    assert (found.byte_offset, found.data) == (0, pointer(x) + 3 * 8)


@pytest.mark.parametrize("device", [(1, 0), (3, 0), (11, 0), (13, 0)])
def test_dlpack_device_type_that_came_in_goes_out(device):
    producer = FakeProducer(np.arange(3.0), device=device)
    x = xp.from_dlpack(producer)
    assert tuple(x.__dlpack_device__()) == device
    assert peek(x.__dlpack__(max_version=(1, 3))).device == device
    assert peek(x[1:].__dlpack__()).device == device


def test_dlpack_odd_byte_strides_go_out_as_a_copy():
    record = np.zeros(3, dtype=[("tag", "u1"), ("value", "<f4")])
    record["value"] = [1.0, 2.0, 3.0]
    x = xp.asarray(record["value"])
    capsule = x.__dlpack__(max_version=(1, 3))
    assert peek(capsule).strides == (1,)
    assert np.asarray(xp.from_dlpack(capsule)).tolist() == [1.0, 2.0, 3.0]


# -- signatures and __dlpack_device__


def test_dlpack_signature_is_that_of_the_standard():
    signature = inspect.signature(xp.Array.__dlpack__)
    kinds = [(name, parameter.kind) for name, parameter in signature.parameters.items()][1:]
    assert kinds == [
        (name, inspect.Parameter.KEYWORD_ONLY)
        for name in ("stream", "max_version", "dl_device", "copy")
    ]
    defaults = [parameter.default for parameter in signature.parameters.values()][1:]
    assert defaults == [None] * 4


@pytest.mark.parametrize("value", [None, 1, (1, 0)])
def test_dlpack_positional_argument_raises_typeerror(value):
    with pytest.raises(TypeError):
        xp.asarray([1.0]).__dlpack__(value)


def test_dlpack_unknown_keyword_raises_typeerror():
    with pytest.raises(TypeError, match="version"):
        xp.asarray([1.0]).__dlpack__(version=(1, 0))


def test_dlpack_device_is_a_pair_of_numbers():
    kind, number = xp.asarray([1.0]).__dlpack_device__()
    assert int(kind) == 1
    assert (type(number), number) == (int, 0)


def test_dlpack_device_takes_no_argument():
    with pytest.raises(TypeError):
        xp.asarray([1.0]).__dlpack_device__(0)


# -- to_dlpack


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"max_version": (1, 3)},
        {"copy": True},
        {"dl_device": (1, 0), "max_version": (1, 0)},
        {"stream": None, "max_version": None, "dl_device": None, "copy": None},
        {"stream": -1},
    ],
)
def test_to_dlpack_of_an_array_is_its_dlpack_method(keywords):
    x = xp.asarray([1.0, 2.0])
    one, two = peek(xp.to_dlpack(x, **keywords)), peek(x.__dlpack__(**keywords))
    assert (one.kind, one.version, one.flags, one.dtype) == (
        two.kind, two.version, two.flags, two.dtype
    )  # fmt: skip
    assert (one.pointer == pointer(x)) == (keywords.get("copy") is not True)


def test_to_dlpack_of_a_foreign_object_shares_its_memory():
    a = np.arange(3.0)
    found = peek(xp.to_dlpack(a, max_version=(1, 0)))
    assert (found.kind, found.pointer) == ("versioned", a.ctypes.data)


def test_to_dlpack_without_keywords_gives_a_legacy_capsule():
    assert capsule_name(xp.to_dlpack(np.arange(3.0))) == LEGACY


def test_to_dlpack_signature_is_positional_only_and_keyword_only():
    parameters = inspect.signature(xp.to_dlpack).parameters
    assert list(parameters) == ["x", "stream", "max_version", "dl_device", "copy"]
    kinds = [parameter.kind for parameter in parameters.values()]
    assert kinds == [inspect.Parameter.POSITIONAL_ONLY] + [inspect.Parameter.KEYWORD_ONLY] * 4


def test_to_dlpack_of_an_object_without_the_method_raises_attributeerror():
    with pytest.raises(AttributeError) as caught:
        xp.to_dlpack([1, 2, 3])
    assert str(caught.value) == (
        "to_dlpack: x must have __dlpack__, got list; convert it with xpdl.asarray"
    )


# -- the life of the memory


@pytest.mark.parametrize("max_version", [None, (1, 0)])
@pytest.mark.parametrize("thread", [None, "foreign"])
@pytest.mark.parametrize("copy", [None, True])
def test_deleter_without_the_gil_releases_the_memory(max_version, thread, copy):
    producer = FakeProducer(np.arange(3.0))
    x = xp.from_dlpack(producer)
    capsule = x.__dlpack__(max_version=max_version, copy=copy)
    del x
    assert producer.deleted == (1 if copy else 0)
    nogil_delete(capsule, thread=thread)
    assert producer.deleted == 1
    del capsule
    assert producer.deleted == 1


@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_capsule_that_nobody_consumes_releases_the_memory(max_version):
    a = np.arange(1000.0)
    alive = weakref.ref(a)
    x = xp.from_dlpack(a)
    capsule = x.__dlpack__(max_version=max_version)
    del a, x
    gc.collect()
    assert alive() is not None
    del capsule
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize(("max_version", "used"), [(None, USED_LEGACY), ((1, 0), USED_VERSIONED)])
def test_capsule_that_was_consumed_keeps_its_memory_for_the_consumer(max_version, used):
    producer = FakeProducer(np.arange(3.0))
    capsule = xp.from_dlpack(producer).__dlpack__(max_version=max_version)
    y = xp.from_dlpack(capsule)
    assert capsule_name(capsule) == used
    del capsule
    assert (producer.deleted, y.tolist()) == (0, [0.0, 1.0, 2.0])
    del y
    assert producer.deleted == 1


@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_capsule_destroyed_while_an_exception_is_pending_keeps_it(max_version):
    producer = FakeProducer(np.arange(3.0))
    arrays = [xp.from_dlpack(producer)]
    # The list under construction is dropped while ZeroDivisionError is being raised.
    with pytest.raises(ZeroDivisionError, match="by zero"):
        [arrays.pop().__dlpack__(max_version=max_version), 1 // 0]
    assert producer.deleted == 1


def test_capsules_of_one_array_are_independent():
    producer = FakeProducer(np.arange(3.0))
    x = xp.from_dlpack(producer)
    capsules = [x.__dlpack__(max_version=version) for version in (None, (1, 0), None)]
    assert len({peek(capsule).address for capsule in capsules}) == 3
    del x
    nogil_delete(capsules.pop(1))
    assert producer.deleted == 0
    assert xp.from_dlpack(capsules[1]).tolist() == [0.0, 1.0, 2.0]
    capsules.clear()
    assert producer.deleted == 1
