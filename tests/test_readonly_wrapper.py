"""ReadOnlyWrapper: export, always marked read-only, and nothing else."""

import copy
import gc
import math
import operator
import pickle
import weakref

import numpy as np
import pytest
from fake_producer import (
    IS_COPIED,
    READ_ONLY,
    USED_VERSIONED,
    VERSIONED,
    ExchangeTable,
    FakeProducer,
    capsule_name,
    delete,
    nogil_delete,
    peek,
    peek_address,
    stray_deletions,
)

import xpdl as xp

VALUES = [0.0, 1.0, 2.0, 3.0]


@pytest.fixture(autouse=True)
def _no_deleter_is_called_twice():
    yield
    assert stray_deletions() == []


def numpy_source():
    return np.array(VALUES)


def array_source():
    return xp.asarray(VALUES)


def readonly_array_source():
    array = np.array(VALUES)
    array.flags.writeable = False
    return xp.from_dlpack(array)


def torch_source():
    torch = pytest.importorskip("torch", reason="needs torch")
    return torch.tensor(VALUES, dtype=torch.float64)


def jax_source():
    jnp = pytest.importorskip("jax.numpy", reason="needs jax")
    return jnp.asarray(VALUES, dtype=jnp.float32)


def tvm_source():
    tvm_ffi = pytest.importorskip("tvm_ffi", reason="needs apache-tvm-ffi")
    return tvm_ffi.from_dlpack(np.array(VALUES))


def wrapper_source():
    return xp.ReadOnlyWrapper(np.array(VALUES))


def legacy_source():
    return FakeProducer(np.array(VALUES), versioned=False)


def versioned_source():
    return FakeProducer(np.array(VALUES))


SOURCES = [
    array_source,
    readonly_array_source,
    numpy_source,
    torch_source,
    jax_source,
    tvm_source,
    wrapper_source,
    legacy_source,
    versioned_source,
]
ARRAYS = [array_source, readonly_array_source]
each_source = pytest.mark.parametrize("source", SOURCES, ids=lambda f: f.__name__[:-7])


def pointer(x):
    """The address that `x` exports, by the oldest and simplest means that it has."""
    try:
        return peek(x.__dlpack__(max_version=(1, 0))).pointer
    except TypeError:
        return peek(x.__dlpack__()).pointer


# -- export by capsule


@each_source
@pytest.mark.parametrize("max_version", [(1, 0), (1, 3), (1, 99), (2, 0)])
def test_wrapper_dlpack_of_any_source_is_versioned_shared_and_read_only(source, max_version):
    x = source()
    capsule = xp.ReadOnlyWrapper(x).__dlpack__(max_version=max_version)
    found = peek(capsule)
    assert capsule_name(capsule) == VERSIONED
    assert (found.version, found.flags) == ((1, 3), READ_ONLY)
    assert (found.device, found.shape, found.strides) == ((1, 0), (4,), (1,))
    assert found.pointer == pointer(x)


@each_source
@pytest.mark.parametrize("max_version", [None, (0, 8)])
def test_wrapper_dlpack_for_a_legacy_caller_raises_buffererror(source, max_version):
    wrapper = xp.ReadOnlyWrapper(source())
    with pytest.raises(BufferError) as caught:
        wrapper.__dlpack__(max_version=max_version)
    kind, way_out = ("array", " or copy=True") if source in ARRAYS else ("wrapper", "")
    assert str(caught.value) == (
        f"__dlpack__: a read-only {kind} cannot go out in a legacy capsule, which has no flag "
        f"for it; ask with max_version=(1, 0){way_out}"
    )


@each_source
def test_wrapper_dlpack_without_keywords_raises_buffererror(source):
    with pytest.raises(BufferError, match="max_version"):
        xp.ReadOnlyWrapper(source()).__dlpack__()


@each_source
def test_wrapper_dlpack_device_is_that_of_the_source(source):
    x = source()
    kind, number = xp.ReadOnlyWrapper(x).__dlpack_device__()
    expected = x.__dlpack_device__()
    assert (int(kind), int(number)) == (int(expected[0]), int(expected[1])) == (1, 0)


@each_source
def test_wrapper_dlpack_copy_true_is_other_memory(source):
    x = source()
    found = peek(xp.ReadOnlyWrapper(x).__dlpack__(max_version=(1, 0), copy=True))
    assert found.pointer != pointer(x)
    assert found.flags & IS_COPIED


@each_source
def test_wrapper_dlpack_copy_false_shares(source):
    x = source()
    found = peek(xp.ReadOnlyWrapper(x).__dlpack__(max_version=(1, 0), copy=False))
    assert (found.pointer, found.flags) == (pointer(x), READ_ONLY)


@pytest.mark.parametrize(
    ("keywords", "error", "match"),
    [
        ({"max_version": 1}, TypeError, "max_version"),
        ({"max_version": (1, 0), "copy": "yes"}, TypeError, "copy"),
        ({"max_version": (1, 0), "dl_device": 1}, TypeError, "dl_device"),
        ({"max_version": (1, 0), "dl_device": (2, 0)}, BufferError, "device"),
        ({"max_version": (1, 0), "nonsense": 1}, TypeError, "nonsense"),
    ],
)
@pytest.mark.parametrize("source", [array_source, numpy_source])
def test_wrapper_dlpack_bad_keyword_raises(source, keywords, error, match):
    with pytest.raises(error, match=match):
        xp.ReadOnlyWrapper(source()).__dlpack__(**keywords)


@pytest.mark.parametrize(("stream", "error"), [(1, ValueError), (0, ValueError), ("x", TypeError)])
def test_wrapper_dlpack_bad_stream_raises(stream, error):
    with pytest.raises(error, match="stream"):
        xp.ReadOnlyWrapper(array_source()).__dlpack__(max_version=(1, 0), stream=stream)


def test_wrapper_dlpack_positional_argument_raises_typeerror():
    with pytest.raises(TypeError):
        xp.ReadOnlyWrapper(array_source()).__dlpack__(None)


@pytest.mark.parametrize("layout", [lambda a: a[::-1], lambda a: a[::2], lambda a: a[:0]])
def test_wrapper_dlpack_keeps_the_layout(layout):
    a = layout(np.array(VALUES))
    found = peek(xp.ReadOnlyWrapper(a).__dlpack__(max_version=(1, 0)))
    assert found.shape == a.shape
    if a.size:
        assert (found.strides[0] * 8, found.pointer) == (a.strides[0], a.ctypes.data)


def test_wrapper_dlpack_of_a_source_with_byte_offset_points_at_the_same_element():
    a = np.array(VALUES)
    producer = FakeProducer(a, shape=(3,), byte_offset=8)
    found = peek(xp.ReadOnlyWrapper(producer).__dlpack__(max_version=(1, 0)))
    assert found.pointer == a.ctypes.data + 8


def test_wrapper_dlpack_of_a_copying_source_is_not_shared_and_still_read_only():
    found = peek(
        xp.ReadOnlyWrapper(FakeProducer(np.array(VALUES), flags=IS_COPIED)).__dlpack__(
            max_version=(1, 0)
        )
    )
    assert found.flags & READ_ONLY


# -- what consumers make of it


@each_source
def test_wrapper_imported_by_numpy_is_not_writeable(source):
    a = np.from_dlpack(xp.ReadOnlyWrapper(source()))
    assert a.tolist() == VALUES
    assert not a.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        a.flags.writeable = True


@each_source
def test_wrapper_imported_by_xpdl_is_readonly_and_shared(source):
    x = source()
    y = xp.from_dlpack(xp.ReadOnlyWrapper(x))
    assert (y.readonly, y.tolist()) == (True, VALUES)
    assert pointer(y) == pointer(x)
    with pytest.raises(ValueError, match="read-only"):
        y[0] = 9.0


def test_wrapper_imported_by_torch_shares_the_memory():
    torch = pytest.importorskip("torch", reason="needs torch")
    a = np.array(VALUES)
    t = torch.from_dlpack(xp.ReadOnlyWrapper(a))
    assert (t.data_ptr(), t.tolist()) == (a.ctypes.data, VALUES)


def jax_numpy(*, versioned):
    """jax.numpy, if this jax asks for versioned capsules, or does not, as the test needs it."""
    jnp = pytest.importorskip("jax.numpy", reason="needs jax")
    probe = FakeProducer(np.zeros(64, np.float32), versioned=None, accept="**")
    jnp.from_dlpack(probe)
    if ("max_version" in probe.calls[0]) is not versioned:
        pytest.skip(f"this jax {'asks for no' if versioned else 'asks for a'} versioned capsule")
    return jnp


def test_wrapper_imported_by_a_jax_that_asks_for_a_legacy_capsule_is_refused():
    jnp = jax_numpy(versioned=False)
    with pytest.raises(BufferError, match="read-only"):
        jnp.from_dlpack(xp.ReadOnlyWrapper(numpy_source()))


def test_wrapper_imported_by_a_jax_that_asks_for_a_versioned_capsule_has_its_values():
    jnp = jax_numpy(versioned=True)
    assert jnp.from_dlpack(xp.ReadOnlyWrapper(jax_source())).tolist() == VALUES


def test_wrapper_imported_by_pyarrow_is_immutable():
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    assert not pyarrow.Tensor.from_dlpack(xp.ReadOnlyWrapper(numpy_source())).is_mutable


def test_wrapper_imported_by_cuda_core_is_readonly():
    utils = pytest.importorskip("cuda.core.utils", reason="needs cuda-core")
    view = utils.StridedMemoryView.from_dlpack(xp.ReadOnlyWrapper(numpy_source()), stream_ptr=-1)
    assert view.readonly


def test_wrapper_imported_by_tvm_ffi_shares_the_memory():
    tvm_ffi = pytest.importorskip("tvm_ffi", reason="needs apache-tvm-ffi")
    a = np.array(VALUES)
    tensor = tvm_ffi.from_dlpack(xp.ReadOnlyWrapper(a))
    assert peek(tensor.__dlpack__(max_version=(1, 0))).pointer == a.ctypes.data


# -- the exchange API of the wrapper's type


@each_source
def test_wrapper_exchange_export_of_any_source_is_read_only(source):
    x = source()
    address = ExchangeTable(xp.ReadOnlyWrapper).from_py(xp.ReadOnlyWrapper(x))
    found = peek_address(address)
    try:
        assert (found.version, found.flags, found.shape) == ((1, 3), READ_ONLY, (4,))
        assert found.pointer == pointer(x)
    finally:
        delete(address)


def test_wrapper_exchange_table_has_no_dltensor_slot_which_could_not_say_read_only():
    table = ExchangeTable(xp.ReadOnlyWrapper).struct
    assert table.dltensor_from_py_object_no_sync is None
    assert table.managed_tensor_allocator is not None
    assert table.managed_tensor_from_py_object_no_sync is not None
    assert table.managed_tensor_to_py_object_no_sync is not None
    assert table.current_work_stream is not None


@pytest.mark.parametrize("byte_offset", [0, 1], ids=["view", "copy"])
def test_exchange_api_gives_an_array_that_is_read_only_also_where_it_has_to_copy(byte_offset):
    producer = FakeProducer(np.array(VALUES), byte_offset=byte_offset, shape=(2,))
    x = ExchangeTable(xp.ReadOnlyWrapper).to_py(producer.address())
    assert x.readonly
    assert producer.deleted == byte_offset
    del x
    assert producer.deleted == 1


def test_wrapper_exchange_table_is_not_that_of_array():
    assert ExchangeTable(xp.ReadOnlyWrapper).address != ExchangeTable(xp.Array).address


def test_wrapper_exchange_export_of_a_refusing_source_raises_and_gives_nothing():
    wrapper = xp.ReadOnlyWrapper(FakeProducer(np.array(VALUES), result=BufferError("not today")))
    with pytest.raises(BufferError, match="not today"):
        ExchangeTable(xp.ReadOnlyWrapper).from_py(wrapper)


# -- everything else is refused

OPERATIONS = {
    "len": len,
    "iter": iter,
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "index": operator.index,
    "round": round,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "reversed": reversed,
    "neg": operator.neg,
    "pos": operator.pos,
    "abs": abs,
    "invert": operator.invert,
    "contains": lambda x: 1.0 in x,
    "getitem": lambda x: x[0],
    "setitem": lambda x: operator.setitem(x, 0, 1.0),
    "delitem": lambda x: operator.delitem(x, 0),
    "lt": lambda x: x < 1,
    "le": lambda x: x <= 1,
    "gt": lambda x: x > 1,
    "ge": lambda x: x >= 1,
    "np.asarray": np.asarray,
    "np.array": np.array,
    "np.add": lambda x: np.add(x, 1),
    "np.sum": np.sum,
    "array + x": lambda x: np.ones(4) + x,
    "memoryview": memoryview,
    "bytes": bytes,
    "pickle": pickle.dumps,
    "pickle 2": lambda x: pickle.dumps(x, 2),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "shape": lambda x: x.shape,
    "dtype": lambda x: x.dtype,
    "device": lambda x: x.device,
    "T": lambda x: x.T,
    "tolist": lambda x: x.tolist(),
    "__array__": lambda x: x.__array__(),
    "__array_interface__": lambda x: x.__array_interface__,
    "__array_struct__": lambda x: x.__array_struct__,
    "__array_namespace__": lambda x: x.__array_namespace__(),
    "__cuda_array_interface__": lambda x: x.__cuda_array_interface__,
    "__array_priority__": lambda x: x.__array_priority__,
    "an attribute that nothing has": lambda x: x.nonsense,
    "setattr": lambda x: setattr(x, "shape", (2, 2)),
    "setattr of the source": lambda x: setattr(x, "source", None),
    "delattr": lambda x: delattr(x, "shape"),
}
BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "matmul": operator.matmul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "divmod": divmod,
    "iadd": operator.iadd,
    "isub": operator.isub,
    "imul": operator.imul,
    "imatmul": operator.imatmul,
    "itruediv": operator.itruediv,
    "ifloordiv": operator.ifloordiv,
    "imod": operator.imod,
    "ipow": operator.ipow,
    "ilshift": operator.ilshift,
    "irshift": operator.irshift,
    "iand": operator.iand,
    "ior": operator.ior,
    "ixor": operator.ixor,
}
REFUSAL = (
    r"^ReadOnlyWrapper: only DLPack export is allowed, got .+; "
    r"import it first, xpdl\.from_dlpack\(wrapper\)$"
)


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
@pytest.mark.parametrize("source", [array_source, numpy_source, torch_source])
def test_wrapper_operation_other_than_export_raises_runtimeerror(source, operation):
    with pytest.raises(RuntimeError, match=REFUSAL):
        operation(xp.ReadOnlyWrapper(source()))


@pytest.mark.parametrize("operation", BINARY.values(), ids=BINARY)
@pytest.mark.parametrize("other", [1, 1.0, None], ids=["int", "float", "itself"])
def test_wrapper_binary_operator_raises_runtimeerror(operation, other):
    wrapper = xp.ReadOnlyWrapper(array_source())
    with pytest.raises(RuntimeError, match=REFUSAL):
        operation(wrapper, wrapper if other is None else other)


@pytest.mark.parametrize(
    "operation", [f for name, f in BINARY.items() if not name.startswith("i")],
    ids=[name for name in BINARY if not name.startswith("i")],
)  # fmt: skip
@pytest.mark.parametrize("other", [1, 1.0])
def test_wrapper_reflected_operator_raises_runtimeerror(operation, other):
    with pytest.raises(RuntimeError, match=REFUSAL):
        operation(other, xp.ReadOnlyWrapper(array_source()))


def test_wrapper_hasattr_of_an_array_attribute_is_not_answered_with_false():
    with pytest.raises(RuntimeError, match=REFUSAL):
        hasattr(xp.ReadOnlyWrapper(array_source()), "__cuda_array_interface__")


# -- the object itself


@each_source
def test_wrapper_repr_names_the_class_and_what_it_wraps(source):
    x = source()
    text = repr(xp.ReadOnlyWrapper(x))
    wrapped = repr(x) if isinstance(x, xp.ReadOnlyWrapper) else f"ReadOnlyWrapper({x!r})"
    assert text == wrapped  # a wrapper of a wrapper is one of what that wraps
    assert str(xp.ReadOnlyWrapper(x)) == text


def test_wrapper_is_no_array_of_any_kind():
    torch = pytest.importorskip("torch", reason="needs torch")
    wrapper = xp.ReadOnlyWrapper(torch_source())
    assert not isinstance(wrapper, (xp.Array, np.ndarray, torch.Tensor))
    assert all(kind.__module__.startswith("xpdl") for kind in type(wrapper).__mro__[:-1])


def test_wrapper_is_final():
    with pytest.raises(TypeError, match=r"^ReadOnlyWrapper: cannot be subclassed$"):
        type("Sub", (xp.ReadOnlyWrapper,), {})


@pytest.mark.parametrize("x", [3, None, "x", [1.0], object(), b"abc"])
def test_wrapper_of_an_object_without_dlpack_raises_typeerror(x):
    with pytest.raises(TypeError) as caught:
        xp.ReadOnlyWrapper(x)
    assert str(caught.value) == (
        "ReadOnlyWrapper: x must have __dlpack__ and __dlpack_device__, "
        f"got {type(x).__name__}; convert it with xpdl.asarray"
    )


def test_wrapper_of_a_refusing_source_raises_its_own_error():
    wrapper = xp.ReadOnlyWrapper(FakeProducer(np.array(VALUES), result=BufferError("not today")))
    with pytest.raises(BufferError, match="not today"):
        wrapper.__dlpack__(max_version=(1, 0))


def test_wrapper_of_a_torch_tensor_that_requires_grad_raises_buffererror():
    torch = pytest.importorskip("torch", reason="needs torch")
    wrapper = xp.ReadOnlyWrapper(torch.ones(3, requires_grad=True))
    with pytest.raises(BufferError, match=r"requires_grad|require gradient"):
        wrapper.__dlpack__(max_version=(1, 0))


def test_wrapper_of_a_torch_tensor_with_neg_bit_raises_buffererror():
    torch = pytest.importorskip("torch", reason="needs torch")
    wrapper = xp.ReadOnlyWrapper(torch.tensor([1 + 2j]).conj().imag)
    with pytest.raises(BufferError, match="resolve_neg"):
        wrapper.__dlpack__(max_version=(1, 0))


# -- copy-on-write


def cow_tensor():
    torch = pytest.importorskip("torch", reason="needs torch")
    if not hasattr(torch, "_lazy_clone") or not hasattr(torch._C, "_is_cow_tensor"):
        pytest.skip("this torch has no copy-on-write tensors")
    source = torch.arange(4.0, dtype=torch.float64)
    clone = torch._lazy_clone(source)
    assert torch._C._is_cow_tensor(clone)
    return torch, source, clone


def test_wrapper_of_a_cow_tensor_does_not_materialise_it():
    torch, _source, clone = cow_tensor()
    wrapper = xp.ReadOnlyWrapper(clone)
    found = peek(wrapper.__dlpack__(max_version=(1, 0)))
    assert torch._C._is_cow_tensor(clone)
    assert (found.pointer, found.flags) == (clone.const_data_ptr(), READ_ONLY)


def test_wrapper_exchange_export_of_a_cow_tensor_does_not_materialise_it():
    torch, _source, clone = cow_tensor()
    address = ExchangeTable(xp.ReadOnlyWrapper).from_py(xp.ReadOnlyWrapper(clone))
    assert torch._C._is_cow_tensor(clone)
    assert peek_address(address).pointer == clone.const_data_ptr()
    delete(address)


@pytest.mark.parametrize("action", ["write the clone", "write the source", "drop both"])
def test_wrapper_of_a_cow_tensor_exports_memory_that_stays(action):
    torch, source, clone = cow_tensor()
    a = np.from_dlpack(xp.ReadOnlyWrapper(clone))
    if action == "write the clone":
        clone.add_(100)
    elif action == "write the source":
        source.add_(100)
    else:
        del clone, source
        gc.collect()
        torch.full((4,), 7.0, dtype=torch.float64)
    assert a.tolist() == VALUES


# -- life


def test_wrapper_keeps_its_source_alive():
    a = np.array(VALUES)
    alive = weakref.ref(a)
    wrapper = xp.ReadOnlyWrapper(a)
    del a
    gc.collect()
    assert np.from_dlpack(wrapper).tolist() == VALUES
    del wrapper
    gc.collect()
    assert alive() is None


def test_wrapper_export_keeps_the_source_alive():
    producer = FakeProducer(np.array(VALUES))
    a = np.from_dlpack(xp.ReadOnlyWrapper(xp.from_dlpack(producer)))
    gc.collect()
    assert (producer.deleted, a.tolist()) == (0, VALUES)
    del a
    assert producer.deleted == 1


@pytest.mark.parametrize("thread", [None, "foreign"])
@pytest.mark.parametrize("versioned", [True, False])
def test_wrapper_export_deleter_without_the_gil_deletes_the_source_once(versioned, thread):
    producer = FakeProducer(np.array(VALUES), versioned=versioned)
    capsule = xp.ReadOnlyWrapper(producer).__dlpack__(max_version=(1, 0))
    assert (producer.made, producer.deleted) == (1, 0)
    nogil_delete(capsule, thread=thread)
    assert producer.deleted == 1
    assert capsule_name(capsule) == USED_VERSIONED


def test_wrapper_export_that_nobody_consumes_deletes_the_source_once():
    producer = FakeProducer(np.array(VALUES))
    capsule = xp.ReadOnlyWrapper(producer).__dlpack__(max_version=(1, 0))
    del capsule
    assert producer.deleted == 1


def test_wrapper_of_an_array_with_read_only_wrapper_round_trips_twice():
    x = array_source()
    y = xp.from_dlpack(xp.ReadOnlyWrapper(xp.from_dlpack(xp.ReadOnlyWrapper(x))))
    assert (y.readonly, pointer(y)) == (True, pointer(x))
    x[0] = 42.0
    assert y.tolist()[0] == 42.0
