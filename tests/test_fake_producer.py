"""The fake producer is believed by other tests: here other libraries say whether it is right."""

import ctypes
import gc

import numpy as np
import pytest
from fake_producer import (
    ExchangeTable,
    FakeProducer,
    nogil_delete,
    peek,
    peek_address,
    stray_deletions,
)


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("layout", [lambda a: a, lambda a: a.T, lambda a: a[::-1, ::2]])
def test_fake_producer_imported_by_numpy_is_the_array_and_deleted_once(layout, versioned):
    a = layout(np.arange(12.0).reshape(3, 4))
    producer = FakeProducer(a, versioned=versioned)
    b = np.from_dlpack(producer)
    assert (b.ctypes.data, b.strides, b.tolist()) == (a.ctypes.data, a.strides, a.tolist())
    assert (producer.made, producer.deleted, producer.unconsumed) == (1, 0, 0)
    del b
    assert producer.deleted == 1
    assert stray_deletions() == []


@pytest.mark.parametrize("versioned", [True, False])
def test_fake_producer_imported_by_torch_is_the_array_and_deleted_once(versioned):
    torch = pytest.importorskip("torch", reason="needs torch")
    a = np.arange(12.0).reshape(3, 4)
    producer = FakeProducer(a, versioned=versioned)
    t = torch.from_dlpack(producer)
    assert (t.data_ptr(), t.tolist()) == (a.ctypes.data, a.tolist())
    del t
    assert producer.deleted == 1


def test_fake_producer_refused_by_numpy_is_deleted_once_when_settled():
    producer = FakeProducer(np.arange(3.0), version=(2, 0))
    with pytest.raises(BufferError, match="version"):
        np.from_dlpack(producer)
    assert (producer.deleted, producer.settle(), producer.settle()) == (0, 1, 1)


@pytest.mark.parametrize("thread", [None, "foreign"])
@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_peek_reads_and_nogil_delete_consumes_a_capsule_of_numpy(max_version, thread):
    a = np.arange(12.0).reshape(3, 4)[:, 1:]
    capsule = a.__dlpack__(max_version=max_version)
    found = peek(capsule)
    assert (found.kind, found.flags) == (("versioned", 0) if max_version else ("legacy", None))
    assert (found.data, found.shape, found.strides) == (a.ctypes.data, (3, 3), (4, 1))
    assert (found.dtype, found.device, found.byte_offset) == ((2, 64, 1), (1, 0), 0)
    nogil_delete(capsule, thread=thread)
    del capsule
    gc.collect()


def test_stray_deletions_are_those_of_tensors_already_deleted():
    producer = FakeProducer(np.arange(3.0))
    capsule = producer.capsule()
    address = peek(capsule).address
    deleter = peek(capsule).deleter
    nogil_delete(capsule)
    assert (producer.deleted, stray_deletions()) == (1, [])
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(address)
    assert (producer.deleted, stray_deletions(), stray_deletions()) == (1, [address], [])


def test_exchange_table_reads_and_calls_that_of_torch():
    torch = pytest.importorskip("torch", reason="needs torch")
    if not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
        pytest.skip("this torch publishes no exchange API")
    table = ExchangeTable(torch.Tensor)
    t = torch.arange(6.0).reshape(2, 3)
    assert (table.version[0], table.prev_api) == (1, None)
    address = table.from_py(t)
    assert peek_address(address).data == t.data_ptr()
    assert table.to_py(address).data_ptr() == t.data_ptr()
    assert table.dltensor(t).shape[:2] == [2, 3]
    assert table.work_stream(1, 0) == (0, None)
    code, address, errors = table.allocate((2, 3), (2, 32, 1))
    assert (code, errors, peek_address(address).shape) == (0, [], (2, 3))
    assert tuple(table.to_py(address).shape) == (2, 3)
    code, address, errors = table.allocate((2, 3), (2, 33, 1))
    assert (code, address, len(errors)) == (-1, None, 1)
