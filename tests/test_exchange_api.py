"""The C exchange API of DLPack 1.3: the tables that xpdl publishes, and those that it consumes."""

import ctypes
import gc
import threading

import fake_producer
import numpy as np
import pytest
from fake_producer import (
    EXCHANGE,
    READ_ONLY,
    DLManagedTensorVersioned,
    DLPackExchangeAPI,
    DLTensor,
    ExchangeTable,
    FakeProducer,
    capsule_name,
    delete,
    make_capsule,
    peek,
    peek_address,
    stray_deletions,
)
from fake_publisher import make_publisher, publish

import xpdl as xp

ANOTHER_NAME = b"another name"  # a capsule does not keep its name alive
SLOTS = [name for name, _ in DLPackExchangeAPI._fields_[1:]]


@pytest.fixture(autouse=True)
def _no_deleter_is_called_twice():
    yield
    assert stray_deletions() == []


@pytest.fixture
def table():
    return ExchangeTable(xp.Array)


def pointer(x):
    return peek(x.__dlpack__(max_version=(1, 0))).pointer


def readonly(array):
    array = array.copy()
    array.flags.writeable = False
    return xp.from_dlpack(array)


# --------------------------------------------------------------------------------------------------
# Published


@pytest.mark.parametrize("kind", [xp.Array, xp.ReadOnlyWrapper])
def test_published_api_is_a_static_capsule_of_version_1_3_and_the_end_of_its_chain(kind):
    capsule = kind.__dlpack_c_exchange_api__
    assert type(capsule).__name__ == "PyCapsule"
    assert capsule_name(capsule) == EXCHANGE
    found = ExchangeTable(kind)
    assert (found.version, found.prev_api) == ((1, 3), None)
    gc.collect()
    assert ExchangeTable(kind).address == found.address


def test_published_api_is_the_same_object_for_every_instance():
    capsule = xp.Array.__dlpack_c_exchange_api__
    assert xp.Array.__dict__["__dlpack_c_exchange_api__"] is capsule
    for x in (xp.asarray(1), xp.zeros((2, 3))):
        assert type(x).__dlpack_c_exchange_api__ is capsule
        assert x.__dlpack_c_exchange_api__ is capsule


@pytest.mark.parametrize("slot", SLOTS)
def test_published_api_of_array_has_every_slot(table, slot):
    assert getattr(table.struct, slot) is not None


# -- managed_tensor_from_py_object_no_sync


@pytest.mark.parametrize(
    ("layout", "strides"),
    [
        (lambda a: a, (4, 1)),
        (lambda a: a.T, (1, 4)),
        (lambda a: a[::-1, ::2], (-4, 2)),
        (lambda a: a[1], (1,)),
        (lambda a: a[1, 1:2].reshape(()), ()),
    ],
)
def test_from_py_of_an_array_is_owned_by_the_caller(table, layout, strides):
    a = layout(np.arange(12.0).reshape(3, 4))
    producer = FakeProducer(a, strides=strides)
    x = xp.from_dlpack(producer)
    address = table.from_py(x)
    found = peek_address(address)
    assert (found.version, found.flags, found.device) == ((1, 3), 0, (1, 0))
    assert (found.shape or (), found.strides or ()) == (a.shape, strides)
    assert (found.dtype, found.data, found.byte_offset) == ((2, 64, 1), producer.data, 0)
    del x
    assert producer.deleted == 0
    delete(address)
    assert producer.deleted == 1


def test_from_py_of_a_readonly_array_is_flagged(table):
    address = table.from_py(readonly(np.arange(3.0)))
    assert peek_address(address).flags == READ_ONLY
    delete(address)


def test_from_py_of_an_empty_array_has_null_data(table):
    address = table.from_py(xp.zeros((2, 0)))
    found = peek_address(address)
    assert (found.data, found.shape) == (None, (2, 0))
    delete(address)


@pytest.mark.parametrize("obj", [3, None, "x", [1.0], object(), np.ones(3), xp.float32])
def test_from_py_of_another_type_raises_buffererror_and_gives_nothing(table, obj):
    out = ctypes.c_void_p(0)
    with pytest.raises(BufferError) as caught:
        table.from_py(obj, out=out)
    assert str(caught.value).startswith(
        "DLPack exchange API: the object must be an xpdl Array, got "
    )
    assert out.value is None


def test_from_py_of_the_wrapper_through_the_array_table_raises_buffererror(table):
    with pytest.raises(BufferError, match=r"xpdl Array, got .*ReadOnlyWrapper"):
        table.from_py(xp.ReadOnlyWrapper(xp.asarray(1.0)))


def test_from_py_of_an_array_through_the_wrapper_table_raises_buffererror():
    with pytest.raises(BufferError, match=r"ReadOnlyWrapper, got .*Array"):
        ExchangeTable(xp.ReadOnlyWrapper).from_py(xp.asarray(1.0))


@pytest.mark.parametrize("thread", [None, "foreign"])
def test_from_py_deleter_without_the_gil(table, thread):
    producer = FakeProducer(np.arange(3.0))
    address = table.from_py(xp.from_dlpack(producer))
    assert producer.deleted == 0
    delete(address, thread=thread)
    assert producer.deleted == 1


# -- dltensor_from_py_object_no_sync


def test_dltensor_borrows_from_the_array(table):
    x = xp.from_dlpack(np.arange(12.0).reshape(3, 4).T)
    found = table.dltensor(x)
    assert (found.data, found.byte_offset, found.ndim) == (pointer(x), 0, 2)
    assert (found.shape[:2], found.strides[:2]) == ([4, 3], [1, 4])
    again = table.dltensor(x)
    assert ctypes.addressof(found.shape.contents) == ctypes.addressof(again.shape.contents)
    assert (again.shape[:2], again.strides[:2]) == ([4, 3], [1, 4])


def test_dltensor_of_0d(table):
    x = xp.asarray(5.0)
    found = table.dltensor(x)
    assert (found.ndim, found.data) == (0, pointer(x))


def test_dltensor_of_a_readonly_array_raises_buffererror(table):
    with pytest.raises(BufferError) as caught:
        table.dltensor(readonly(np.arange(3.0)))
    assert str(caught.value) == (
        "DLPack exchange API: a DLTensor cannot mark a read-only array; "
        "exchange a copy, x.copy(), or a managed tensor"
    )


def test_dltensor_of_another_type_raises_buffererror(table):
    with pytest.raises(BufferError, match="must be an xpdl Array"):
        table.dltensor(np.ones(3))


# -- managed_tensor_to_py_object_no_sync


@pytest.mark.parametrize("flags", [0, READ_ONLY])
def test_to_py_steals_the_tensor(table, flags):
    a = np.arange(4.0)
    producer = FakeProducer(a, flags=flags)
    x = table.to_py(producer.address())
    assert type(x) is xp.Array
    assert (x.tolist(), x.readonly, pointer(x)) == (a.tolist(), bool(flags), a.ctypes.data)
    assert producer.deleted == 0
    del x
    assert producer.deleted == 1


REFUSED = {
    "major 2": {"version": (2, 0)},
    "major 0": {"version": (0, 8)},
    "ndim -1": {"ndim": -1},
    "ndim 65": {"shape": (1,) * 65, "strides": (1,) * 65},
    "negative shape": {"shape": (-3,), "strides": (1,)},
    "lanes": {"dtype": (2, 32, 4)},
    "dtype": {"dtype": (255, 8, 1)},
    "NULL data": {"data": None},
    "too large": {"shape": (2**40, 2**40), "strides": None},
    "device": {"device": (99, 0)},
}


@pytest.mark.parametrize("fields", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("kind", [xp.Array, xp.ReadOnlyWrapper])
def test_to_py_of_a_bad_tensor_raises_buffererror_and_leaves_it_to_the_caller(kind, fields):
    producer = FakeProducer(np.arange(4.0), **fields)
    address = producer.address()
    with pytest.raises(BufferError, match="DLPack exchange API"):
        ExchangeTable(kind).to_py(address)
    assert producer.deleted == 0
    delete(address)
    assert producer.deleted == 1


def test_to_py_of_null_raises_buffererror(table):
    with pytest.raises(BufferError) as caught:
        table.to_py(None)
    assert str(caught.value) == "DLPack exchange API: the managed tensor must be given, got NULL"


def test_to_py_of_a_null_deleter(table):
    a = np.arange(4.0)
    x = table.to_py(FakeProducer(a, deleter=False).address())
    assert x.tolist() == a.tolist()


def test_to_py_of_the_wrapper_table_is_a_readonly_array():
    a = np.arange(4.0)
    producer = FakeProducer(a)
    x = ExchangeTable(xp.ReadOnlyWrapper).to_py(producer.address())
    assert type(x) is xp.Array
    assert (x.readonly, pointer(x)) == (True, a.ctypes.data)
    del x
    assert producer.deleted == 1


def test_from_py_to_py_round_trip_shares_the_memory(table):
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    y = table.to_py(table.from_py(x))
    y[0, 0] = 9.0
    assert x.tolist() == [[9.0, 2.0], [3.0, 4.0]]


# -- managed_tensor_allocator


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,), (2, 0, 3), (1,) * 64])
@pytest.mark.parametrize("dtype", [(2, 64, 1), (6, 8, 1), (5, 128, 1), (0, 16, 1)])
def test_allocator_gives_a_tensor_of_that_shape_and_dtype(table, shape, dtype):
    code, address, errors = table.allocate(shape, dtype)
    assert (code, errors) == (0, [])
    found = peek_address(address)
    assert (found.version, found.flags & READ_ONLY) == ((1, 3), 0)
    assert (found.device, found.dtype, found.byte_offset) == ((1, 0), dtype, 0)
    assert (found.shape or ()) == shape
    expected = [1] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        expected[i] = expected[i + 1] * shape[i + 1]
    if 0 not in shape:
        lengths = zip(found.strides or (), expected, shape, strict=True)
        assert all(got == step for got, step, length in lengths if length > 1)
        assert found.data is not None
        size = int(np.prod(shape)) * dtype[1] // 8
        ctypes.memset(found.data, 0x5A, size)
        assert ctypes.string_at(found.data, size) == b"\x5a" * size
    delete(address)


REFUSED_PROTOTYPES = {
    "too large": (((2**40, 2**40), (2, 64, 1)), {}),
    "strides too large": (((0, 2**40, 2**40), (2, 64, 1)), {}),
    "no memory": (((2**46,), (2, 64, 1)), {}),
    "negative shape": (((-1,), (2, 64, 1)), {}),
    "ndim -1": (((3,), (2, 64, 1)), {"ndim": -1}),
    "ndim 65": (((1,) * 65, (2, 64, 1)), {}),
    "bits 0": (((3,), (2, 0, 1)), {}),
    "dtype": (((3,), (255, 8, 1)), {}),
    "lanes 0": (((3,), (2, 32, 0)), {}),
    "lanes 4": (((3,), (2, 32, 4)), {}),
    "device 2": (((3,), (2, 32, 1), (2, 0)), {}),
    "device 99": (((3,), (2, 32, 1), (99, 0)), {}),
}


@pytest.mark.parametrize(("given", "keywords"), REFUSED_PROTOTYPES.values(), ids=REFUSED_PROTOTYPES)
def test_allocator_that_fails_reports_once_and_gives_nothing(table, given, keywords):
    code, address, errors = table.allocate(*given, **keywords)
    assert (code, address, len(errors)) == (-1, None, 1)
    kind, message = errors[0]
    assert kind in ("BufferError", "ValueError", "MemoryError")
    assert message.startswith("DLPack exchange API: ")


def test_allocator_takes_little_time_for_a_large_tensor_which_it_need_not_clear(table):
    code, address, errors = table.allocate((2**28,), (0, 8, 1))
    assert (code, errors) == (0, [])
    delete(address)


def test_allocator_and_deleter_run_without_the_gil(table):
    allocator = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
    )(table.struct.managed_tensor_allocator)
    extents = (ctypes.c_int64 * 1)(1000)
    prototype = DLTensor(
        ndim=1,
        shape=extents,
        dtype=fake_producer.DLDataType(2, 64, 1),
        device=fake_producer.DLDevice(1, 0),
    )
    failures = []

    def work():
        for _ in range(500):
            out = ctypes.c_void_p()
            code = allocator(ctypes.addressof(prototype), ctypes.addressof(out), None, None)
            if code or out.value is None:
                failures.append(code)
                return
            delete(out.value)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


# -- current_work_stream


@pytest.mark.parametrize("device", [(1, 0), (3, 0), (11, 0)])
def test_work_stream_on_the_host_is_null(table, device):
    assert table.work_stream(*device) == (0, None)


@pytest.mark.parametrize("device", [(99, 0), (-1, 0), (8, 0)])
def test_work_stream_of_a_device_without_streams_raises_buffererror(table, device):
    with pytest.raises(BufferError) as caught:
        table.work_stream(*device)
    assert str(caught.value) == f"DLPack exchange API: no work stream for DLPack device {device}"


# --------------------------------------------------------------------------------------------------
# Consumed


@pytest.mark.parametrize("as_int", [False, True], ids=["capsule", "int"])
@pytest.mark.parametrize("version", [(1, 0), (1, 2), (1, 3), (1, 99)])
def test_consumed_api_of_major_1_is_used(as_int, version):
    a = np.arange(4.0)
    producer = FakeProducer(a)
    publisher = make_publisher(producer, as_int=as_int, version=version)
    x = xp.from_dlpack(publisher())
    assert (publisher.calls, publisher.capsules) == (1, 0)
    assert (pointer(x), x.readonly) == (a.ctypes.data, False)
    del x
    assert producer.deleted == 1


def test_consumed_api_read_only_flag_is_kept():
    producer = FakeProducer(np.arange(4.0), flags=READ_ONLY)
    assert xp.from_dlpack(make_publisher(producer)()).readonly


@pytest.mark.parametrize("version", [(2, 0), (0, 8), (99, 0)])
def test_consumed_api_of_another_major_is_not_used(version):
    producer = FakeProducer(np.arange(4.0))
    publisher = make_publisher(producer, version=version, capsule=producer)
    x = xp.from_dlpack(publisher())
    assert (publisher.calls, publisher.capsules) == (0, 1)
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_consumed_api_chain_is_walked_to_our_major():
    producer = FakeProducer(np.arange(4.0))
    publisher = make_publisher(producer)
    old = ExchangeTable(publisher).address
    middle = publish(publisher, version=(2, 5), prev_api=old)
    publish(publisher, version=(3, 0), prev_api=ctypes.addressof(middle))
    x = xp.from_dlpack(publisher())
    assert (publisher.calls, publisher.capsules) == (1, 0)
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    "attribute", [None, "nonsense", 1.5, object(), True, 0, make_capsule(0xBAD, ANOTHER_NAME)]
)
def test_consumed_api_that_is_none_is_not_used(attribute):
    producer = FakeProducer(np.arange(4.0))

    class Publisher:
        __dlpack_c_exchange_api__ = attribute

        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **keywords):
            return producer.__dlpack__(**keywords)

    assert xp.from_dlpack(Publisher()).tolist() == [0.0, 1.0, 2.0, 3.0]
    assert len(producer.calls) == 1


def test_consumed_api_on_the_instance_is_not_used():
    producer = FakeProducer(np.arange(4.0))

    class Publisher:
        def __init__(self):
            self.__dlpack_c_exchange_api__ = ExchangeTable(xp.Array).address

        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **keywords):
            return producer.__dlpack__(**keywords)

    assert xp.from_dlpack(Publisher()).tolist() == [0.0, 1.0, 2.0, 3.0]
    assert len(producer.calls) == 1


@pytest.mark.parametrize("fields", REFUSED.values(), ids=REFUSED)
def test_consumed_api_bad_tensor_raises_buffererror_and_is_deleted_once(fields):
    producer = FakeProducer(np.arange(4.0), **fields)
    with pytest.raises(BufferError, match="from_dlpack"):
        xp.from_dlpack(make_publisher(producer)())
    assert producer.deleted == 1


def test_consumed_api_that_raises_leaves_the_answer_to_dlpack():
    refusing = FakeProducer(np.arange(4.0), result=BufferError("not today"))

    class Publisher:
        def __bool__(self):
            raise RuntimeError("the slot's own")

        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **keywords):
            return refusing.__dlpack__(**keywords)

    # PyObject_IsTrue fails as a slot does: -1, and set is what __bool__ raised
    publish(Publisher, from_py=ctypes.pythonapi.PyObject_IsTrue)
    with pytest.raises(BufferError, match="not today"):
        xp.from_dlpack(Publisher())
    assert len(refusing.calls) == 1


def test_consumed_api_that_fails_without_an_exception_leaves_the_answer_to_dlpack():
    producer = FakeProducer(np.arange(4.0))
    publisher = make_publisher(producer, code=-1, capsule=producer)
    assert xp.from_dlpack(publisher()).tolist() == [0.0, 1.0, 2.0, 3.0]
    assert (publisher.calls, publisher.capsules, len(producer.calls)) == (1, 1, 1)


# A slot in C that leaves an exception when the object's len() does, and else returns its result.
SIZE = ctypes.pythonapi.PyObject_Size


@pytest.mark.parametrize(
    ("slot", "length"),
    [
        (None, 0),
        (SIZE, 0),
        (SIZE, 7),
        (SIZE, ValueError("no length")),
        (SIZE, MemoryError()),
        (ctypes.pythonapi.PyErr_BadArgument, 0),
        (ctypes.pythonapi.PyErr_NoMemory, 0),
    ],
    ids=["no slot", "nothing", "7", "ValueError", "MemoryError", "0 but TypeError", "0 but OOM"],
)
def test_consumed_api_that_breaks_its_contract_leaves_the_answer_to_dlpack(slot, length):
    producer = FakeProducer(np.arange(4.0))
    publisher = make_publisher(producer, capsule=producer)

    def measure(self):
        if isinstance(length, Exception):
            raise length
        return length

    publisher.__len__ = measure
    publish(publisher, from_py=slot)
    assert xp.from_dlpack(publisher()).tolist() == [0.0, 1.0, 2.0, 3.0]
    assert (producer.made, producer.deleted) == (1, 1)


def test_consumed_api_that_is_interrupted_raises():
    def interrupt(self):
        raise KeyboardInterrupt

    producer = FakeProducer(np.arange(4.0))
    publisher = make_publisher(producer, capsule=producer)
    publisher.__len__ = interrupt
    publish(publisher, from_py=SIZE)
    with pytest.raises(KeyboardInterrupt):
        xp.from_dlpack(publisher())
    assert producer.made == 0


@pytest.mark.parametrize("address", [-8, 8, 12345, 2**63, 2**64, 2**64 + 8, 2**80, True])
def test_consumed_api_at_an_address_of_no_table_is_not_used(address):
    producer = FakeProducer(np.arange(4.0))
    publisher = make_publisher(producer, capsule=producer)
    publisher.__dlpack_c_exchange_api__ = address
    assert xp.from_dlpack(publisher()).tolist() == [0.0, 1.0, 2.0, 3.0]
    assert publisher.calls == 0


def test_consumed_api_chain_that_goes_round_ends():
    producer = FakeProducer(np.arange(4.0))
    publisher = make_publisher(producer, capsule=producer)
    first = publish(publisher, version=(2, 0))
    second = publish(publisher, version=(3, 0), prev_api=ctypes.addressof(first))
    first.header.prev_api = ctypes.addressof(second)
    assert xp.from_dlpack(publisher()).tolist() == [0.0, 1.0, 2.0, 3.0]
    assert (publisher.calls, publisher.capsules) == (0, 1)


def test_consumed_api_copy_true_is_honoured():
    a = np.arange(4.0)
    producer = FakeProducer(a)
    x = xp.from_dlpack(make_publisher(producer, capsule=producer)(), copy=True)
    assert pointer(x) != a.ctypes.data
    assert (x.tolist(), x.readonly) == (a.tolist(), False)
    assert producer.settle() == producer.made == 1


def test_consumed_api_copy_false_shares():
    a = np.arange(4.0)
    producer = FakeProducer(a)
    x = xp.from_dlpack(make_publisher(producer, capsule=producer)(), copy=False)
    assert pointer(x) == a.ctypes.data


def test_consumed_api_that_says_cuda_leaves_device_cpu_to_dlpack():
    a = np.arange(4.0)
    on_cuda = FakeProducer(a, device=(2, 0))
    on_host = FakeProducer(a, claimed_device=(2, 0), device=(1, 0))
    publisher = make_publisher(on_cuda, capsule=on_host, claimed=(2, 0))
    x = xp.from_dlpack(publisher(), device="cpu")
    assert (x.device, pointer(x)) == ("cpu", a.ctypes.data)
    assert on_host.calls == [{"max_version": (1, 3), "dl_device": (1, 0)}]
    assert (on_cuda.deleted, on_host.deleted) == (on_cuda.made, 0)


@pytest.mark.parametrize("name", ["requires_grad", "is_neg", "is_conj"])
def test_consumed_api_of_a_type_with_some_attributes_of_torch_is_used(name):
    producer = FakeProducer(np.arange(4.0))
    publisher = make_publisher(producer)
    setattr(publisher, name, True)
    assert xp.from_dlpack(publisher()).tolist() == [0.0, 1.0, 2.0, 3.0]
    assert publisher.calls == 1


def test_consumed_api_of_many_types():
    a = np.arange(4.0)
    for _ in range(100):
        producer = FakeProducer(a)
        publisher = make_publisher(producer)
        for _ in range(3):
            assert pointer(xp.from_dlpack(publisher())) == a.ctypes.data
        assert publisher.calls == 3
        assert producer.deleted == 3


def test_consumed_api_of_a_subclass_is_inherited():
    producer = FakeProducer(np.arange(4.0))
    publisher = make_publisher(producer)
    x = xp.from_dlpack(type("Sub", (publisher,), {})())
    assert (publisher.calls, x.tolist()) == (1, [0.0, 1.0, 2.0, 3.0])


# -- torch


def test_consumed_api_of_torch_is_used():
    torch = pytest.importorskip("torch", reason="needs torch")
    if not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
        pytest.skip("this torch publishes no exchange API")
    t = torch.arange(4.0)
    x = xp.from_dlpack(t)
    assert pointer(x) == t.data_ptr()
    x[0] = 9.0
    assert t[0].item() == 9.0


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda torch: torch.ones(3, requires_grad=True), "gradient|requires_grad"),
        (lambda torch: torch.tensor([1 + 2j]).conj(), "conj"),
        (lambda torch: torch.tensor([1 + 2j]).conj().imag, "resolve_neg"),
        (lambda torch: torch.eye(3).to_sparse(), "sparse|layout"),
    ],
    ids=["requires_grad", "conj", "neg", "sparse"],
)
@pytest.mark.parametrize("keywords", [{}, {"copy": True}, {"copy": False}, {"device": "cpu"}])
def test_consumed_api_of_a_torch_tensor_that_must_not_go_out_raw(make, match, keywords):
    torch = pytest.importorskip("torch", reason="needs torch")
    with pytest.raises(BufferError, match=match):
        xp.from_dlpack(make(torch), **keywords)


def test_consumed_api_of_a_torch_parameter_without_grad_is_shared():
    torch = pytest.importorskip("torch", reason="needs torch")
    t = torch.nn.Parameter(torch.arange(4.0), requires_grad=False)
    assert pointer(xp.from_dlpack(t)) == t.data_ptr()


# -- tvm-ffi as the consumer of our table


def test_published_api_is_what_a_tvm_ffi_function_takes():
    tvm_ffi = pytest.importorskip("tvm_ffi", reason="needs apache-tvm-ffi")
    seen = []
    function = tvm_ffi.convert_func(lambda tensor: seen.append(tensor))
    producer = FakeProducer(np.arange(4.0))
    x = xp.from_dlpack(producer)
    function(x)
    assert len(seen) == 1
    tensor = seen.pop()
    given = tensor if isinstance(tensor, xp.Array) else xp.from_dlpack(tensor)
    assert (pointer(given), given.tolist()) == (pointer(x), [0.0, 1.0, 2.0, 3.0])
    del x, tensor, given
    gc.collect()
    assert producer.deleted == 1


def test_published_api_ctypes_mirror_reads_the_managed_tensor_as_it_is_given(table):
    address = table.from_py(xp.asarray([1.0]))
    managed = DLManagedTensorVersioned.from_address(address)
    assert managed.deleter is not None
    delete(address)
