"""What is true of arrays on two kinds of device, checked on a device made of host memory.

Run as a program it gives CUDA devices a function table of NumPy's functions, and prints the
outcomes of its tests; test_dispatch.py reports each as one. It is a program because a process has
one table per kind of device for good.
"""

import asyncio
import copy
import operator
import pickle
import re
import threading

import numpy as np
import pytest
from outcomes import print_outcomes

import xpdl as xp

OTHER = "cuda:0"
BOTH = "all arrays must be on one device, got {} and {}; move one with x.to_device"


class DeviceArray(np.ndarray):
    """An array of the other device: host memory, but of a type of its own."""

    def __getitem__(self, key):
        return on_device(super().__getitem__(key))


def on_device(result):
    if isinstance(result, (tuple, list)):
        return tuple(map(on_device, result))
    return np.asarray(result).view(DeviceArray)


def device_function(function):
    def call(*args):
        given = [a for arg in args for a in (arg if isinstance(arg, tuple) else (arg,))]
        assert not any(type(a) is np.ndarray for a in given), "got an array of the host"
        return on_device(function(*args))

    return call


def register_fake_cuda():
    from xpdl._backends.numpy import FUNCTIONS
    from xpdl._cext import register_functions

    table = {name: device_function(function) for name, function in FUNCTIONS.items()}
    del table["log10"]
    register_functions(
        "cuda",
        table
        | {
            "__getitem__": operator.getitem,
            "__setitem__": operator.setitem,
            "copyto": np.copyto,
            "same_memory": np.may_share_memory,
            "to_device": lambda raw: on_device(raw.copy()),
            "from_device": np.array,
        },
    )


def pair(values=(1, 2, 3)):
    """Equal arrays on the CPU and on the other device."""
    return xp.asarray(list(values)), xp.asarray(list(values), device=OTHER)


def check(x, values, device=OTHER):
    assert type(x) is xp.Array
    assert x.device is xp.Device(device)
    assert x.tolist() == values


def raises(error, text):
    return pytest.raises(error, match=rf"^{re.escape(text)}$")


# ----------------------------------------------------------------------------- devices carried


def test_results_are_on_the_device_of_the_operands():
    _, d = pair()
    check(d + 1, [2, 3, 4])
    check(1 - d, [0, -1, -2])
    check(np.float64(0.5) * d, [0.5, 1.0, 1.5])
    check(d * np.int8(2), [2, 4, 6])
    check(d // 2, [0, 1, 1])
    check(d == 2, [False, True, False])
    check(-d, [-1, -2, -3])
    check(d @ d, 14)
    check(xp.add(d, d), [2, 4, 6])
    check(xp.add(1, d), [2, 3, 4])
    check(xp.sum(d), 6)
    check(d.sum(), 6)
    check(d.std(), (2 / 3) ** 0.5)
    check(d.argmax(), 2)
    check(xp.concat([d, d]), [1, 2, 3, 1, 2, 3])
    check(xp.where(d > 1, d, 0), [0, 2, 3])
    check(xp.unstack(d)[1], 2)
    check(xp.meshgrid(d, d)[0][0], [1, 2, 3])
    check(xp.reshape(d, (3, 1)), [[1], [2], [3]])
    check(d.astype("float32"), [1.0, 2.0, 3.0])
    check(copy.copy(d), [1, 2, 3])
    check(copy.deepcopy(d), [1, 2, 3])
    check(d.copy(), [1, 2, 3])
    check(xp.zeros_like(d), [0, 0, 0])
    check(xp.full_like(d, 7), [7, 7, 7])
    check(d[1], 2)
    check(d[1:], [2, 3])
    check(d[d > 1], [2, 3])
    check(d[[0, 2]], [1, 3])
    check(list(d)[2], 3)


def test_inplace_operators_keep_device_and_identity():
    for operate, values in (
        (operator.iadd, [3, 4, 5]),
        (operator.ifloordiv, [0, 1, 1]),
        (operator.ipow, [1, 4, 9]),
    ):
        _, d = pair()
        assert operate(d, 2) is d
        check(d, values)
        _, d = pair()
        assert operate(d, xp.asarray(2, device=OTHER)) is d
        check(d, values)
    with pytest.raises(TypeError, match=r"^floor_divide: "):
        operator.ifloordiv(d, 1.5)
    with pytest.raises(ValueError, match=r"^add: "):
        operator.iadd(d, xp.ones((2, 3), dtype=xp.int64, device=OTHER))


def test_assignment_writes_on_the_device():
    _, d = pair()
    d[0] = 5
    d[1:] = xp.asarray([6, 7], device=OTHER)
    check(d, [5, 6, 7])
    d[...] = [8, 9, 10]
    check(d, [8, 9, 10])
    with pytest.raises(TypeError, match=r"__setitem__: value must be real"):
        d[0] = 1j


def test_creation_is_where_it_is_asked_for():
    check(xp.zeros(2, device=OTHER), [0.0, 0.0])
    check(xp.arange(3, device=(2, 1)), [0, 1, 2], "cuda:1")
    check(xp.asarray([1, 2], device="cuda"), [1, 2])
    check(xp.asarray(np.arange(2), device=OTHER), [0, 1])
    check(xp.asarray(bytearray(b"\1\2"), device=OTHER), [1, 2])
    check(xp.zeros_like(xp.ones(1), device=OTHER), [0.0])
    check(xp.full(2, xp.asarray(7, device=OTHER), device="cpu"), [7, 7], "cpu")


def test_text_of_an_array_names_its_device():
    _, d = pair()
    assert repr(d) == "Array([1, 2, 3], dtype=int64, device='cuda:0')"
    assert str(d) == "[1 2 3]"
    assert f"{d[0]:03d}" == "001"


def test_scalars_come_from_the_device():
    _, d = pair()
    assert (int(d[0]), float(d[1]), complex(d[2]), bool(d[0])) == (1, 2.0, 3 + 0j, True)
    assert (d[1].item(), d.tolist(), operator.index(d[2])) == (2, [1, 2, 3], 3)
    assert 2 in d
    assert 9 not in d
    assert object() not in d


def test_attributes_are_those_of_the_array():
    x, d = pair()
    for name in ("dtype", "ndim", "shape", "size", "itemsize", "nbytes", "strides", "readonly"):
        assert getattr(d, name) == getattr(x, name)


# -------------------------------------------------------------------------------- mixed devices


def test_mixed_devices_raise_in_every_family():
    x, d = pair()
    for function, call in {
        "add": lambda a, b: a + b,
        "equal": lambda a, b: a == b,
        "less": lambda a, b: a < b,
        "matmul": lambda a, b: a @ b,
        "floor_divide": lambda a, b: a // b,
        "multiply": operator.imul,
        "remainder": operator.imod,
        "subtract": xp.subtract,
        "take": xp.take,
        "searchsorted": xp.searchsorted,
        "vecdot": xp.vecdot,
        "isin": xp.isin,
        "where": lambda a, b: xp.where(a > 1, a, b),
        "clip": lambda a, b: xp.clip(a, b, None),
        "concat": lambda a, b: xp.concat([a, b]),
        "stack": lambda a, b: xp.stack((a, b)),
        "meshgrid": xp.meshgrid,
        "broadcast_arrays": xp.broadcast_arrays,
        "asarray": lambda a, b: xp.asarray([a, b]),
        "__getitem__": lambda a, b: a[b],
        "__setitem__": lambda a, b: operator.setitem(a, 0, b),
    }.items():
        with raises(ValueError, f"{function}: " + BOTH.format("cpu", OTHER)):
            call(x, d)
        with raises(ValueError, f"{function}: " + BOTH.format(OTHER, "cpu")):
            call(d, x)
    check(x, [1, 2, 3], "cpu")


def test_mixed_devices_of_one_kind_raise():
    d, e = xp.ones(2, device="cuda:0"), xp.ones(2, device="cuda:1")
    with raises(ValueError, "add: " + BOTH.format("cuda:0", "cuda:1")):
        d + e
    with raises(ValueError, "__getitem__: " + BOTH.format("cuda:1", "cuda:0")):
        e[d > 0]


def test_mixed_devices_in_a_tuple_of_indices_raise():
    x, d = pair()
    with raises(ValueError, "__getitem__: " + BOTH.format("cpu", OTHER)):
        x[None, d]
    with raises(ValueError, "__setitem__: " + BOTH.format("cpu", OTHER)):
        x[..., d > 1] = 0


# -------------------------------------------------------------------------------------- moving


def test_to_device_moves():
    x, d = pair()
    check(x.to_device(OTHER), [1, 2, 3])
    check(d.to_device("cpu"), [1, 2, 3], "cpu")
    check(d.to_device("cuda:1"), [1, 2, 3], "cuda:1")
    assert d.to_device(OTHER) is d
    check(xp.asarray(d, device="cpu"), [1, 2, 3], "cpu")
    check(xp.asarray(x, device=OTHER, dtype="float32"), [1.0, 2.0, 3.0])
    check(xp.astype(x, "int8", device=OTHER), [1, 2, 3])
    check(xp.from_dlpack(d, device="cpu"), [1, 2, 3], "cpu")
    check(xp.from_dlpack(x, device=OTHER), [1, 2, 3])


def test_move_without_a_copy_raises():
    x, d = pair()
    for source, device, names in (
        (d, "cpu", ("cuda:0", "cpu")),
        (x, OTHER, ("cpu", "cuda:0")),
        (d, "cuda:1", ("cuda:0", "cuda:1")),
        (np.arange(2), OTHER, ("cpu", "cuda:0")),
        (bytearray(b"ab"), OTHER, ("cpu", "cuda:0")),
    ):
        with raises(
            ValueError,
            "asarray: copy=False cannot be honoured for a move from {} to {}; use copy=None".format(
                *names
            ),
        ):
            xp.asarray(source, device=device, copy=False)
    with xp.default_device(OTHER), pytest.raises(ValueError, match=r"move from cpu to cuda:0"):
        xp.asarray(np.arange(2), copy=False)
    with pytest.raises(BufferError, match=r"^from_dlpack: copy=False cannot be hon"):
        xp.from_dlpack(x, device=OTHER, copy=False)


def test_host_protocols_refuse_arrays_of_the_device():
    _, d = pair()
    for call in (np.asarray, lambda d: np.array([d, d]), lambda d: d.__array__()):
        with pytest.raises(
            TypeError, match=r"__array__: x must be on the CPU, got cuda:0; move it"
        ):
            call(d)


def test_pickling_brings_back_to_the_device():
    _, d = pair()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        check(pickle.loads(pickle.dumps(d, protocol)), [1, 2, 3])
    check(pickle.loads(pickle.dumps(d.to_device("cuda:1"))), [1, 2, 3], "cuda:1")


def test_pickling_out_of_band_hands_out_a_copy_on_the_host():
    _, d = pair()
    buffers = []
    data = pickle.dumps(d, 5, buffer_callback=buffers.append)
    assert [bytes(buffer.raw()) for buffer in buffers] == [np.array([1, 2, 3]).tobytes()]
    d[0] = 9
    check(pickle.loads(data, buffers=buffers), [1, 2, 3])
    x = pickle.loads(data, buffers=[np.array([1, 2, 3]).tobytes()])
    assert not x.readonly  # a copy on the device, whatever the buffer is


def test_pickling_keeps_readonly_on_the_device():
    x = xp.asarray(b"abc")
    with xp.unpickle_device(OTHER):
        d = pickle.loads(pickle.dumps(x))
    check(d, [97, 98, 99])
    assert d.readonly
    assert pickle.loads(pickle.dumps(d)).readonly


def test_unpickling_goes_to_the_device_that_is_asked_for():
    x, d = pair()
    data = pickle.dumps((x, d))
    with xp.unpickle_device("cpu") as device:
        assert device is xp.Device("cpu")
        for found in pickle.loads(data):
            check(found, [1, 2, 3], "cpu")
        with xp.unpickle_device((2, 1)):
            for found in pickle.loads(data):
                check(found, [1, 2, 3], "cuda:1")
        check(pickle.loads(data)[1], [1, 2, 3], "cpu")
    check(pickle.loads(data)[0], [1, 2, 3], "cpu")
    check(pickle.loads(data)[1], [1, 2, 3])


def test_nested_arrays_are_stacked_on_their_device():
    _, d = pair()
    check(xp.asarray([d, d]), [[1, 2, 3], [1, 2, 3]])
    check(xp.asarray([[d, [4, 5, 6]], [d, d]])[0], [[1, 2, 3], [4, 5, 6]])
    check(xp.asarray([d[0], 1, 2.5]), [1.0, 1.0, 2.5])
    check(xp.asarray([d, d], dtype="float32", device="cpu")[1], [1.0, 2.0, 3.0], "cpu")
    with pytest.raises(ValueError, match=r"^asarray: "):
        xp.asarray([d, [1, 2]])


# --------------------------------------------------------------------------- the default device


def test_default_device_is_where_creation_puts_arrays():
    with xp.default_device(OTHER):
        for x in (
            xp.zeros(1),
            xp.ones(1),
            xp.full(1, 1.0),
            xp.arange(1),
            xp.linspace(0, 1, 1),
            xp.eye(1),
            xp.empty(1),
            xp.asarray([1]),
            xp.asarray(1.0),
            xp.asarray(np.ones(1)),
            xp.asarray(b"a"),
            xp.fft.fftfreq(1),
        ):
            assert x.device == OTHER
        assert xp.zeros(1, device="cpu").device == "cpu"
    assert xp.zeros(1).device == "cpu"


def test_default_device_does_not_move_what_has_a_device():
    x, d = pair()
    for device in ("cpu", OTHER, "cuda:1"):
        with xp.default_device(device):
            assert (x + 1).device == xp.asarray(x).device == xp.asarray([x, x]).device == "cpu"
            assert (d + 1).device == xp.asarray(d).device == xp.asarray([d, d]).device == OTHER
            assert xp.zeros_like(d).device == xp.mean(d).device == d.astype("f4").device == OTHER
            assert xp.from_dlpack(np.ones(1)).device == "cpu"
            assert pickle.loads(pickle.dumps(x)).device == "cpu"


def test_default_device_of_threads_and_tasks_is_their_own():
    found = {}

    def work(device):
        with xp.default_device(device):
            barrier.wait(10)
            found[device] = str(xp.zeros(1).device)
            barrier.wait(10)

    names = ["cpu", "cuda:1", "cuda:2"]
    barrier = threading.Barrier(len(names))
    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {name: name for name in names}

    async def task(device):
        with xp.default_device(device):
            await asyncio.sleep(0)
            return str(xp.zeros(1).device)

    async def main():
        return await asyncio.gather(*map(task, names))

    assert asyncio.run(main()) == names


def test_default_device_of_the_process_is_that_of_new_threads():
    xp.set_default_device("cuda:1")
    try:
        found = []
        thread = threading.Thread(target=lambda: found.append(str(xp.zeros(1).device)))
        thread.start()
        thread.join()
        assert found == ["cuda:1"]
    finally:
        xp.set_default_device("cpu")


# ------------------------------------------------------------------------------------- tables


def test_function_that_the_device_lacks_raises():
    x, d = pair((1.0,))
    check(xp.log10(x), [0.0], "cpu")
    with raises(NotImplementedError, "log10: not available on cuda:0"):
        xp.log10(d)


if __name__ == "__main__":
    register_fake_cuda()
    print_outcomes(globals())
