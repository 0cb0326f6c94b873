"""Group 1, the methods of Array: operators, indexing and assignment give what the CPU gives."""

import copy
import operator
import pickle

import numpy as np
import pytest
from gpu import delay, new_stream
from samples import values
from test_cuda_functions import CUDA, check_same

import xpdl as xp

INDICES = {
    "an int": lambda x: 1,
    "ints": lambda x: (1, -1),
    "all ints": lambda x: (1, 2, 3),
    "a slice": lambda x: slice(None, None, -1),
    "slices": lambda x: (slice(1), slice(None, None, 2), slice(3, 0, -2)),
    "an ellipsis": lambda x: (..., 2),
    "new axes": lambda x: (None, 0, None, ..., None),
    "nothing": lambda x: (),
    "an empty slice": lambda x: slice(0),
    "a list": lambda x: [0, 1, 1],
    "an array": lambda x: on(x, [1, 0, -1]),
    "an array of two axes": lambda x: on(x, [[0, 1], [1, 0]]),
    "an array and a slice": lambda x: (slice(None), on(x, [2, 0])),
    "two arrays": lambda x: (on(x, [0, 1]), on(x, [2, 0])),
    "two arrays apart": lambda x: (on(x, [0, 1]), slice(None), on(x, [3, 0])),
    "an array of no axes": lambda x: on(x, 1),
    "an empty array": lambda x: on(x, np.zeros(0, "int64")),
    "unsigned": lambda x: on(x, np.asarray([1, 0], "uint8")),
    "a mask": lambda x: x > 0,
    "a mask of some axes": lambda x: on(x, [[True, False, True], [False, False, True]]),
    "a mask of no element": lambda x: x > 1000,
    "a mask and an int": lambda x: (on(x, [True, False]), 1),
    "a mask and a slice": lambda x: (slice(None), on(x, [True, False, True]), slice(2)),
    "too many ints": lambda x: (0, 0, 0, 0),
    "an int out of range": lambda x: 2,
    "an array of floats": lambda x: on(x, [1.0]),
    "a mask of another shape": lambda x: on(x, [True]),
    "a string": lambda x: "a",
}


def on(x, host):
    return xp.asarray(host, device=x.device)


@pytest.mark.parametrize("dtype", ["float32", "int8", "complex128"])
@pytest.mark.parametrize("index", INDICES)
def test_getitem_gives_what_the_cpu_gives(index, dtype):
    if dtype == "complex128" and "mask" in index:
        dtype = "float64"
    check_same(lambda x: x[INDICES[index](x)], xp.asarray(values(dtype, (2, 3, 4))))


def test_index_in_an_array_wraps_around_where_the_cpu_raises():
    x = xp.asarray([0, 1, 2], device=CUDA)
    assert x[on(x, [3, -4])].tolist() == [0, 2]
    assert xp.take(x, on(x, [5])).tolist() == [2]


VALUES = {
    "a scalar": lambda x, index: 7,
    "an array of no axes": lambda x, index: on(x, 7).astype(x.dtype),
    "an array": lambda x, index: on(x, np.zeros(x[index].shape)) + 3,
    "itself": lambda x, index: x[index] + 1,
}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("index", INDICES)
def test_setitem_does_what_the_cpu_does(index, value):
    # Where an index repeats, the values for one element are equal: no order of writing is defined.
    def assigned(x):
        x = x.copy()
        where = INDICES[index](x)
        x[where] = VALUES[value](x, where)
        return x

    check_same(assigned, xp.asarray(values("float32", (2, 3, 4))))


OPERATORS = {
    name: getattr(operator, name)
    for name in "add sub mul truediv floordiv mod pow eq ne lt le gt ge and_ or_ xor".split()
}
IN_PLACE = {
    name: getattr(operator, name)
    for name in "iadd isub imul itruediv ifloordiv imod ipow iand ior ixor".split()
}


@pytest.mark.parametrize("other", [2, 2.5, True, 1j, np.float32(3), None], ids=repr)
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float32", "complex64"])
@pytest.mark.parametrize("name", [*OPERATORS, *IN_PLACE])
def test_operator_gives_what_the_cpu_gives(name, dtype, other):
    operate = (OPERATORS | IN_PLACE)[name]

    def both(x):
        # Negative exponents of integers are refused by the CPU alone.
        host = abs(values(dtype, (3,))) if "pow" in name else values(dtype, (3,))[::-1].copy()
        y = on(x, host) if other is None else other
        results = [operate(x.copy(), y)]
        if name in OPERATORS and other is not None:
            results.append(operate(y, x.copy()))
        return tuple(results)

    x = values(dtype, (3,))
    check_same(both, xp.asarray(abs(x) if "pow" in name else x))


@pytest.mark.parametrize("dtype", ["bool", "int64", "float64", "complex128"])
def test_values_of_one_element(dtype):
    x = xp.asarray(values(dtype, (2,)), device=CUDA)[1]
    host = values(dtype, (2,))[1]
    assert x.item() == host.item()
    assert bool(x) is bool(host)
    assert complex(x) == complex(host)
    assert x.tolist() == host.item()
    if dtype != "complex128":
        assert (float(x), int(x)) == (float(host), int(host))
    if dtype == "int64":
        assert operator.index(x) == host
        assert [10, 20, 30][x + 3] == [10, 20, 30][int(host) + 3]


def test_attributes_are_those_of_the_cpu():
    host = xp.asarray(values("float32", (2, 3, 4)))
    x = host.to_device(CUDA)
    for view in (
        lambda a: a, lambda a: a[0].T, lambda a: a[:, ::-1], lambda a: a[:0], lambda a: a.mT,
    ):  # fmt: skip
        for name in (
            "dtype", "ndim", "shape", "size", "itemsize", "nbytes", "strides", "readonly",
        ):  # fmt: skip
            assert getattr(view(x), name) == getattr(view(host), name)
    assert len(x) == 2
    assert [row.tolist() for row in x[0]] == [row.tolist() for row in host[0]]
    assert -2.0 in x[0, 0]


def test_methods_give_what_the_functions_give():
    x = xp.asarray(values("float64", (2, 3)), device=CUDA)
    for name in "sum prod mean std var min max argmin argmax any all".split():
        assert getattr(x, name)().tolist() == getattr(xp, name)(x).tolist()
    assert x.reshape((3, 2)).tolist() == xp.reshape(x, (3, 2)).tolist()
    assert x.transpose().tolist() == x.T.tolist()
    assert x.astype("int64").device == CUDA
    for copied in (x.copy(), copy.copy(x), copy.deepcopy(x)):
        copied[...] = 0
        assert copied.device == CUDA
    assert x.tolist() == values("float64", (2, 3)).tolist()


@pytest.mark.parametrize("protocol", [2, 5])
def test_pickle_keeps_values_device_and_protection(protocol):
    x = xp.asarray(values("float32", (2, 3)), device=CUDA)[:, ::2]
    y = pickle.loads(pickle.dumps(x, protocol))
    assert (y.device, y.dtype, y.tolist()) == (CUDA, x.dtype, x.tolist())
    assert pickle.loads(pickle.dumps(xp.broadcast_to(x[0], (2, 2)), protocol)).readonly
    with xp.unpickle_device("cpu"):
        assert pickle.loads(pickle.dumps(x, protocol)).device == "cpu"


def test_pickle_waits_for_the_values():
    with new_stream() as stream:
        x = xp.zeros(8, device=CUDA)
        delay()
        x[...] = 1
        assert pickle.loads(pickle.dumps(x)).tolist() == [1.0] * 8
        stream.synchronize()
