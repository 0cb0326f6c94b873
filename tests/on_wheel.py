"""What is true of real arrays of CuPy where there is no GPU: arrays over memory of the host.

CuPy's wheel makes arrays over any address and views of them without a driver; nothing here runs a
kernel. Run as a program it gives CUDA devices the function table without the device guard, which
would need a driver, and prints the outcomes of its tests; test_cupy_wheel.py reports each as one.
"""

import contextlib
import ctypes
import gc
import re
import sys

import cupy
import numpy as np
import pytest
from fake_producer import (
    IS_COPIED,
    READ_ONLY,
    ExchangeTable,
    FakeProducer,
    delete,
    peek,
    peek_address,
)
from fake_publisher import make_publisher
from outcomes import print_outcomes

import xpdl as xp
from xpdl import _cext
from xpdl._backends.cupy import exchange, streams, table

CUDA, ROCM, MANAGED = 2, 10, 13
VERSIONED = {"max_version": (1, 3)}


class Attributes:
    """What pointerGetAttributes says of an address."""

    device = 0
    type = cupy.cuda.runtime.memoryTypeDevice


class Runtime:
    """CuPy's runtime, with an answer about addresses."""

    attributes = Attributes()

    def __getattr__(self, name):
        return getattr(cupy.cuda.runtime, name)

    def pointerGetAttributes(self, address):  # noqa: N802, CuPy's name
        return self.attributes


class Event:
    """An event that happens when a test says so."""

    done = False

    def synchronize(self):
        self.done = True


def use_wheel_without_driver():
    exchange.runtime = Runtime()
    streams.own_stream = lambda: cupy.cuda.Stream.null
    _cext.register_functions("cuda", table.FUNCTIONS)


@contextlib.contextmanager
def deferred():
    """Events are ours, and CUDA lets them be recorded."""
    events = []

    def mark(stream):
        events.append(Event())
        return events[-1]

    guarded, streams.mark = streams.mark, mark
    real, cupy.cuda.Device = cupy.cuda.Device, contextlib.nullcontext
    capturing, streams.is_capturing = streams.is_capturing, lambda stream: False
    try:
        yield events
    finally:
        streams.mark, cupy.cuda.Device, streams.is_capturing = guarded, real, capturing
        streams.pending.clear()


class Memory:
    def __init__(self, interface):
        self.__array_interface__ = interface


def elements(capsule):
    """The elements that a capsule describes, read from the host, and its `Peek`."""
    seen = peek(capsule)
    kind = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}[seen.dtype[0]]
    itemsize = seen.dtype[1] // 8
    interface = {
        "version": 3,
        "shape": seen.shape,
        "strides": tuple(stride * itemsize for stride in seen.strides),
        "typestr": f"|{kind}{itemsize}" if itemsize == 1 else f"<{kind}{itemsize}",
        "data": (seen.pointer, True),
    }
    return np.array(np.asarray(Memory(interface))), seen


def imported(array, **fields):
    """An Array on CUDA over the memory of `array`, and its producer."""
    producer = FakeProducer(array, **({"device": (CUDA, 0)} | fields))
    return xp.from_dlpack(producer), producer


def raises(error, text):
    return pytest.raises(error, match=f"^{re.escape(text)}$")


def values(shape=(3, 4), dtype="float64"):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


# ------------------------------------------------------------------------------ in and out again

VIEWS = {
    "whole": (lambda x: x, lambda a: a),
    "row": (lambda x: x[1], lambda a: a[1]),
    "slices": (lambda x: x[1:, ::2], lambda a: a[1:, ::2]),
    "reversed": (lambda x: x[::-1, ::-1], lambda a: a[::-1, ::-1]),
    "new axes": (lambda x: x[None, ..., None], lambda a: a[None, ..., None]),
    "T": (lambda x: x.T, lambda a: a.T),
    "mT": (lambda x: x.mT, lambda a: a.mT),
    "transpose": (lambda x: x.transpose(1, 0), lambda a: a.transpose(1, 0)),
    "permute_dims": (lambda x: xp.permute_dims(x, (1, 0)), lambda a: a.transpose(1, 0)),
    "matrix_transpose": (xp.matrix_transpose, lambda a: a.mT),
    "moveaxis": (lambda x: xp.moveaxis(x, 0, 1), lambda a: np.moveaxis(a, 0, 1)),
    "expand_dims": (lambda x: xp.expand_dims(x, (0, 2)), lambda a: np.expand_dims(a, (0, 2))),
    "squeeze": (lambda x: xp.squeeze(x[:1], 0), lambda a: np.squeeze(a[:1], 0)),
    "flip": (lambda x: xp.flip(x, axis=1), lambda a: np.flip(a, 1)),
    "reshape": (lambda x: xp.reshape(x, (2, 6)), lambda a: a.reshape(2, 6)),
    "reshape in place": (lambda x: xp.reshape(x, -1, copy=False), lambda a: a.reshape(-1)),
    "broadcast_to": (
        lambda x: xp.broadcast_to(x, (2, 3, 4)),
        lambda a: np.broadcast_to(a, (2, 3, 4)),
    ),
    "broadcast_arrays": (
        lambda x: xp.broadcast_arrays(x[0], x)[0],
        lambda a: np.broadcast_arrays(a[0], a)[0],
    ),
    "diagonal": (lambda x: xp.linalg.diagonal(x, offset=1), lambda a: a.diagonal(1)),
    "unstack": (lambda x: xp.unstack(x, axis=1)[2], lambda a: a[:, 2]),
    "real": (lambda x: xp.real(x), lambda a: a.real),
    "iteration": (lambda x: list(x)[2], lambda a: a[2]),
    "astype": (lambda x: x.astype(x.dtype, copy=False), lambda a: a),
    "empty": (lambda x: x[:, :0], lambda a: a[:, :0]),
}


def test_views_go_out_with_the_layout_of_numpy():
    a = values()
    x, _ = imported(a)
    for name, (of_array, of_numpy) in VIEWS.items():
        expected = of_numpy(a)
        view = of_array(x)
        found, seen = elements(view.__dlpack__(**VERSIONED))
        np.testing.assert_array_equal(found, expected, err_msg=name)
        assert (view.shape, view.strides) == (expected.shape, expected.strides), name
        assert seen.device == (CUDA, 0), name
        assert seen.data == (expected.ctypes.data if expected.size else None), name


def test_parts_of_complex_arrays_are_views():
    a = values((3,), "complex128")
    x, _ = imported(a)
    for part, expected in ((xp.real(x), a.real), (xp.imag(x), a.imag)):
        assert part.strides == (16,)
        found, seen = elements(part.__dlpack__(**VERSIONED))
        assert seen.pointer == expected.ctypes.data
        np.testing.assert_array_equal(found, expected)


def test_every_kind_of_tensor_comes_in_and_goes_out():
    for versioned in (True, False):
        for dtype in xp.__array_namespace_info__().dtypes():
            a = values(dtype=dtype)
            x, producer = imported(a, versioned=versioned)
            assert (x.dtype, x.shape, x.device) == (a.dtype, a.shape, xp.Device("cuda:0"))
            for keywords in (VERSIONED, {}):
                capsule = x.__dlpack__(**keywords)
                assert peek(capsule).kind == ("versioned" if keywords else "legacy")
                found, _ = elements(capsule)
                np.testing.assert_array_equal(found, a)
                assert found.dtype == a.dtype
            del x, capsule
            gc.collect()
            assert producer.deleted == producer.made == 1


def test_dtypes_of_ml_dtypes_come_in_and_go_out():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    for (code, bits), dtype in _cext.ml_dtype_codes().items():
        a = np.zeros(6, np.uint16 if bits == 16 else np.uint8)
        x, _ = imported(a, dtype=(code, bits, 1), flags=4 if bits < 8 else 0)
        assert x.dtype == dtype
        seen = peek(xp.reshape(x[::-1], (2, 3)).__dlpack__(**VERSIONED))
        assert (seen.dtype, seen.shape) == ((code, bits, 1), (2, 3))
        assert seen.flags == (4 if bits < 8 else 0)
    assert x.dtype.type in vars(ml_dtypes).values()


def test_byte_offset_and_absent_strides_are_honoured():
    a = values((9,))
    x, _ = imported(a, shape=(8,), byte_offset=8, strides=None)
    found, seen = elements(x[2:].__dlpack__(**VERSIONED))
    np.testing.assert_array_equal(found, a[3:])
    assert (seen.byte_offset, seen.strides) == (0, (1,))


def test_empty_tensor_without_data_comes_in_and_goes_out():
    x, producer = imported(np.empty((0, 3)), data=None)
    assert (x.shape, x.size) == ((0, 3), 0)
    assert peek(x.__dlpack__(**VERSIONED)).data is None
    del x
    assert producer.deleted == 1


def test_arrays_of_64_axes_come_in_and_more_are_refused():
    a = np.ones(1)
    x, _ = imported(a, shape=(1,) * 64, strides=(1,) * 64)
    assert x.ndim == 64
    assert peek(x.__dlpack__(**VERSIONED)).ndim == 64
    with pytest.raises(BufferError, match="ndim must be 0 to 64"):
        imported(a, shape=(1,) * 65, strides=(1,) * 65)


def test_unaligned_data_are_refused():
    a = values((4,))
    with pytest.raises(BufferError, match=r"^from_dlpack: the tensor's data on cuda:0 must be al"):
        imported(a, data=a.ctypes.data + 4, shape=(2,))


def test_packed_items_are_refused():
    pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    with pytest.raises(BufferError, match=r"^from_dlpack: packed int4 must be on the host, got"):
        imported(np.zeros(4, "u1"), dtype=(0, 4, 1))


# ------------------------------------------------------------------------------------- protection


def test_readonly_stays_in_views_and_hops():
    a = values()
    x, _ = imported(a, flags=READ_ONLY)
    for name, (of_array, _) in VIEWS.items():
        assert of_array(x).readonly, name
    again = xp.from_dlpack(x.__dlpack__(**VERSIONED))
    assert again.readonly
    with raises(ValueError, "__setitem__: x must be writable, got a read-only array; write to a "
                "copy, x.copy()"):
        again[0] = 1.0
    with pytest.raises(ValueError, match=r"^add: x must be writable"):
        again += 1
    with pytest.raises(BufferError, match=r"^__dlpack__: a read-only array cannot go out in a leg"):
        x.__dlpack__()
    with pytest.raises(BufferError, match="a DLTensor cannot mark a read-only array"):
        ExchangeTable(xp.Array).dltensor(x)


def test_broadcast_views_and_diagonals_are_readonly_as_on_the_cpu():
    x, _ = imported(values())
    y = xp.asarray(values())
    for name, (of_array, _) in VIEWS.items():
        if name != "astype":
            assert of_array(x).readonly == of_array(y).readonly, name


def test_wrapper_and_legacy_tensors_of_immutable_libraries_are_readonly():
    x, _ = imported(values())
    wrapper = xp.ReadOnlyWrapper(x)
    assert wrapper.__dlpack_device__() == (CUDA, 0)
    assert peek(wrapper.__dlpack__(**VERSIONED)).flags == READ_ONLY
    assert xp.from_dlpack(wrapper).readonly
    assert not x.readonly
    with pytest.raises(BufferError, match="legacy"):
        wrapper.__dlpack__()


# --------------------------------------------------------------------------------------- lifetime


def test_memory_is_released_once_when_the_last_view_has_gone():
    x, producer = imported(values())
    views = [x.T, x[1:], xp.from_dlpack(x.__dlpack__()), x.__dlpack__(**VERSIONED)]
    del x
    while views:
        gc.collect()
        assert producer.deleted == 0
        views.pop()
    gc.collect()
    assert producer.deleted == 1


def test_memory_is_released_when_an_import_fails():
    for fields, device in (
        ({"dtype": (5, 32, 1)}, CUDA),
        ({"shape": (-1,), "strides": (1,)}, CUDA),
        ({"version": (2, 0)}, CUDA),
        ({"data": 8 * 7 + 1}, CUDA),
        ({}, ROCM),
    ):
        producer = FakeProducer(values((4,)), **({"device": (device, 0)} | fields))
        with pytest.raises(BufferError):
            xp.from_dlpack(producer)
        gc.collect()
        assert producer.deleted == producer.made == 1


def test_hops_do_not_grow_a_chain():
    x, _ = imported(values())
    memory = _cext.raw(x).data.mem
    for _ in range(50):
        x = xp.from_dlpack(x.__dlpack__(**VERSIONED))
    assert _cext.raw(x).data.mem is memory


def test_memory_is_kept_until_its_stream_has_run():
    with deferred() as events:
        x, producer = imported(values())
        del x
        gc.collect()
        assert (producer.deleted, len(streams.pending)) == (0, 1)
        streams.release_done()
        assert producer.deleted == 0
        events[0].done = True
        streams.release_done()
        assert (producer.deleted, len(streams.pending)) == (1, 0)


def test_memory_that_is_kept_is_released_at_exit():
    with deferred():
        x, producer = imported(values())
        del x
        streams.release_all()
        assert (producer.deleted, len(streams.pending)) == (1, 0)


def test_entries_that_have_not_run_do_not_hold_up_others():
    with deferred() as events:
        producers = [imported(values())[1] for _ in range(20)]
        assert len(streams.pending) == 20
        events[-1].done = True
        for _ in range(20):
            streams.release_done()
        assert [producer.deleted for producer in producers] == [0] * 19 + [1]


def test_recorded_stream_keeps_the_memory_of_a_dropped_array():
    with deferred() as events:
        x, producer = imported(values())
        xp.record_stream(x, 1)
        xp.record_stream(x, cupy.cuda.Stream.null)
        xp.record_stream(x, -1)
        assert len(events) == 2
        del x
        events[0].done = True
        streams.release_done()
        assert (producer.deleted, len(streams.pending)) == (0, 1)
        events[1].done = True
        streams.release_done()  # the array's memory, whose own event is asked from now on
        assert (producer.deleted, len(events)) == (0, 3)
        events[2].done = True
        streams.release_done()
        assert producer.deleted == 1


# ----------------------------------------------------------------------------------------- streams


def test_stream_numbers():
    x, _ = imported(values())
    for stream in (None, 1, -1, np.int64(1)):
        assert peek(x.__dlpack__(stream=stream)).device == (CUDA, 0)
    known = "None, -1, 1 (legacy default), 2 (per-thread default) or a handle above 2"
    for stream in (0, -2):
        with raises(ValueError, f"__dlpack__: stream must be {known}, got {stream}"):
            x.__dlpack__(stream=stream)
    for stream in (True, 1.0, "1", cupy.cuda.Stream.null):
        with pytest.raises(TypeError, match=r"^__dlpack__: stream must be an int or None, got "):
            x.__dlpack__(stream=stream)
    with raises(TypeError, "record_stream: stream must be an int, None or an object with "
                "__cuda_stream__, got str"):  # fmt: skip
        xp.record_stream(x, "1")


def test_producer_is_asked_for_the_stream_of_xpdl():
    for versioned in (True, False):
        _, producer = imported(values(), versioned=versioned)
        assert producer.calls == [{"stream": 1, "max_version": (1, 3)}]
    _, producer = imported(values(), accept=("stream",), versioned=False)
    assert producer.calls == [{"stream": 1}]


def test_host_memory_is_asked_for_without_a_stream():
    for device in ((1, 0), (3, 0), (11, 0)):
        producer = FakeProducer(values(), device=device)
        assert xp.from_dlpack(producer).device == "cpu"
        assert producer.calls == [{"max_version": (1, 3)}]


def test_exchange_api_without_a_work_stream_is_passed_by():
    on_gpu = FakeProducer(values(), device=(CUDA, 0))
    by_capsule = FakeProducer(values(), device=(CUDA, 0))
    publisher = make_publisher(on_gpu, capsule=by_capsule, claimed=(CUDA, 0))
    assert xp.from_dlpack(publisher()).device == "cuda:0"
    assert (on_gpu.deleted, on_gpu.made) == (1, 1)
    assert by_capsule.calls == [{"stream": 1, "max_version": (1, 3)}]


def test_exchange_api_whose_work_stream_leaves_an_exception_raises_it():
    on_gpu = FakeProducer(values(), device=(CUDA, 0))
    # Returns 0 and sets a TypeError.
    publisher = make_publisher(
        on_gpu, claimed=(CUDA, 0), work_stream=ctypes.pythonapi.PyErr_BadArgument)
    with raises(TypeError, "bad argument type for built-in operation"):
        xp.from_dlpack(publisher())
    assert (on_gpu.deleted, on_gpu.made) == (1, 1)


def test_no_stream_for_a_copy_on_the_host():
    x, _ = imported(values())
    with raises(ValueError, "__dlpack__: stream must be None for dl_device (1, 0), since the host "
                "has no streams, got 1"):
        x.__dlpack__(stream=1, dl_device=(1, 0))


# -------------------------------------------------------------------------------- other devices


def test_devices_of_tensors():
    for device, name in (((CUDA, 0), "cuda:0"), ((CUDA, 3), "cuda:3")):
        x, _ = imported(values(), device=device)
        assert x.device == name
        assert x.__dlpack_device__() == device
        assert peek(x.T.__dlpack__(**VERSIONED)).device == device


def test_managed_memory_is_on_its_device_and_leaves_as_it_came():
    Attributes.type, Attributes.device = cupy.cuda.runtime.memoryTypeManaged, 1
    try:
        x, _ = imported(values(), device=(MANAGED, 0))
        assert x.device == "cuda:1"
        assert x[1:].__dlpack_device__() == (MANAGED, 0)
        assert peek(x.__dlpack__(**VERSIONED)).device == (MANAGED, 0)
    finally:
        Attributes.type, Attributes.device = cupy.cuda.runtime.memoryTypeDevice, 0


def test_memory_of_rocm_is_refused_by_a_build_for_cuda():
    with raises(BufferError, "from_dlpack: the tensor must be of DLPack device type 2 or 13 for "
                "this build of CuPy, got 10"):
        imported(values(), device=(ROCM, 0))


def test_devices_that_an_array_is_not_on_are_refused():
    x, _ = imported(values())
    assert peek(x.__dlpack__(dl_device=(CUDA, 0))).device == (CUDA, 0)
    for device in ((CUDA, 1), (MANAGED, 0), (1, 1)):
        with raises(BufferError, f"__dlpack__: dl_device must be (1, 0) or the array's own "
                    f"(2, 0), got {device}; move the array with to_device"):
            x.__dlpack__(dl_device=device)
    with raises(xp.dlpack.CopyRequiredError, "__dlpack__: copy=False cannot be honoured for a "
                "move from cuda:0 to cpu; use copy=None"):
        x.__dlpack__(dl_device=(1, 0), copy=False)
    with raises(xp.dlpack.CopyRequiredError, "from_dlpack: copy=False cannot be honoured for a "
                "move from cuda:0 to cpu; use copy=None"):
        xp.from_dlpack(x, device="cpu", copy=False)
    with pytest.raises(TypeError, match="x must be on the CPU, got cuda:0"):
        np.asarray(x)


def test_producer_that_copied_is_not_what_copy_false_asks_for():
    with pytest.raises(xp.dlpack.CopyRequiredError, match="the producer made a copy"):
        xp.from_dlpack(FakeProducer(values(), device=(CUDA, 0), flags=IS_COPIED), copy=False)
    x = xp.from_dlpack(FakeProducer(values(), device=(CUDA, 0), flags=IS_COPIED), copy=True)
    assert not x.readonly


# ------------------------------------------------------------------------------------ exchange API


def test_exchange_api_gives_managed_tensors_and_takes_them():
    api = ExchangeTable(xp.Array)
    a = values()
    x, producer = imported(a)
    address = api.from_py(x[:, 1:])
    seen = peek_address(address)
    assert (seen.device, seen.pointer) == ((CUDA, 0), a.ctypes.data + 8)
    assert (seen.shape, seen.strides) == ((3, 3), (4, 1))
    again = api.to_py(address)
    assert again.device == "cuda:0"
    np.testing.assert_array_equal(elements(again.__dlpack__())[0], a[:, 1:])
    del x, again
    gc.collect()
    assert producer.deleted == 1


def test_exchange_api_lends_tensors():
    a = values()
    x, _ = imported(a)
    tensor = ExchangeTable(xp.Array).dltensor(x.T)
    assert tensor.data == a.ctypes.data
    view = x[::-1]
    for _ in range(2):
        tensor = ExchangeTable(xp.Array).dltensor(view)
        assert (tensor.data, tensor.ndim) == (a.ctypes.data + 64, 2)
        assert (tensor.shape[:2], tensor.strides[:2]) == ([3, 4], [-4, 1])
    assert sys.getsizeof(view) == sys.getsizeof(x) + sys.getsizeof(bytes(32))


def test_exchange_api_tells_the_work_stream():
    api = ExchangeTable(xp.Array)
    for device in ((CUDA, 0), (CUDA, 1), (ROCM, 0), (MANAGED, 0), (1, 0)):
        assert api.work_stream(*device) == (0, None)


def test_exchange_api_of_a_foreign_tensor_releases_it():
    producer = FakeProducer(values(), device=(CUDA, 0))
    x = ExchangeTable(xp.Array).to_py(producer.address())
    del x
    gc.collect()
    assert producer.deleted == 1
    readonly = ExchangeTable(xp.ReadOnlyWrapper).to_py(producer.address())
    assert readonly.readonly
    x, producer = imported(values())
    address = ExchangeTable(xp.ReadOnlyWrapper).from_py(xp.ReadOnlyWrapper(x))
    assert peek_address(address).flags == READ_ONLY
    delete(address)


# ---------------------------------------------------------------------- __cuda_array_interface__


def test_cuda_array_interface_describes_arrays_on_cuda_alone():
    a = values()
    x, _ = imported(a)
    assert x.__cuda_array_interface__ == {
        "shape": (3, 4), "typestr": "<f8", "data": (a.ctypes.data, False), "strides": None,
        "version": 3, "stream": 1,
    }  # fmt: skip
    view, _ = imported(a, flags=READ_ONLY)
    view = view[1:, ::2]
    assert view.__cuda_array_interface__["data"] == (a.ctypes.data + 32, True)
    assert view.__cuda_array_interface__["strides"] == (32, 16)
    assert x[:0].__cuda_array_interface__["data"] == (0, False)
    assert not hasattr(xp.ones(1), "__cuda_array_interface__")
    pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    assert not hasattr(imported(np.zeros(1, "u1"), dtype=(10, 8, 1))[0],
                       "__cuda_array_interface__")


class Interface:
    """An object that has nothing but __cuda_array_interface__."""

    def __init__(self, **given):
        self.given = given

    @property
    def __cuda_array_interface__(self):
        return {"version": 3, "strides": None, "stream": None} | self.given


def test_cuda_array_interface_comes_in_by_asarray():
    a = values()
    made = cupy.cuda.Device
    cupy.cuda.Device = lambda number=0: type("D", (contextlib.nullcontext,), {"id": number})()
    try:
        obj = Interface(shape=(2, 2), typestr="<f8", data=(a.ctypes.data, True), strides=(32, 16),
                        stream=1)
        x = xp.asarray(obj)
        assert (x.device, x.readonly) == ("cuda:0", True)
        np.testing.assert_array_equal(elements(x.__dlpack__(**VERSIONED))[0], a[:2, ::2])
        for given, text in (
            ({"typestr": ">f8"}, "obj must hold numbers in native byte order, got dtype >f8"),
            ({"mask": obj}, "obj must not have a mask, which would be lost"),
        ):
            with raises(TypeError, f"asarray: {text}"):
                xp.asarray(Interface(**(obj.given | given)))
    finally:
        cupy.cuda.Device = made


if __name__ == "__main__":
    use_wheel_without_driver()
    print_outcomes(globals())
