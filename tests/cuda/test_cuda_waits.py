"""Groups 12 and 16: which operations make the host wait, and what a CUDA graph can capture."""

import contextlib
import warnings

import numpy as np
import pytest
from fake_producer import peek
from gpu import LATE, ON_DOUBLE, cp, delay, new_stream

import xpdl as xp

CUDA = "cuda:0"


def array():
    return xp.asarray(np.arange(12.0).reshape(3, 4) + 1, device=CUDA)


def indices(x):
    return xp.asarray([0, 2, 1], device=x.device)


NO_WAITS = {
    "add": lambda x: x + 1,
    "add in place": lambda x: x.__iadd__(1),
    "array creation": lambda x: xp.zeros((3, 4), device=CUDA),
    "astype": lambda x: xp.astype(x, xp.float32),
    "clip": lambda x: xp.clip(x, 2, 5),
    "compare": lambda x: x > 2,
    "concat": lambda x: xp.concat([x, x]),
    "copy": lambda x: x.copy(),
    "count_nonzero": lambda x: xp.count_nonzero(x),
    "cumulative_sum": lambda x: xp.cumulative_sum(x, axis=0),
    "export": lambda x: x.__dlpack__(stream=1, max_version=(1, 0)),
    "export for the same stream": lambda x: x.__dlpack__(stream=-1),
    "exchange of its own": lambda x: xp.from_dlpack(x.__dlpack__(stream=-1, max_version=(1, 0))),
    "flip": xp.flip,
    "floor_divide": lambda x: x // 2,
    "getitem": lambda x: x[1:, ::2],
    "getitem of an array": lambda x: x[indices(x)],
    "matmul": lambda x: x @ x.T,
    "max": xp.max,
    "mean": xp.mean,
    "remainder": lambda x: x % 2,
    "reshape": lambda x: xp.reshape(x, (4, 3)),
    "searchsorted": lambda x: xp.searchsorted(x[0], x[1]),
    "setitem": lambda x: x.__setitem__(0, 1),
    "setitem of a mask with a scalar": lambda x: x.__setitem__(x > 3, 0),
    "sign": xp.sign,
    "sort": xp.sort,
    "sort descending": lambda x: xp.sort(x, descending=True),
    "std": xp.std,
    "sum": xp.sum,
    "take": lambda x: xp.take(x, indices(x), axis=1),
    "transpose": lambda x: x.T,
    "tril": xp.tril,
    "where": lambda x: xp.where(x > 2, x, 0),
}
WAITS = {
    "bool": lambda x: bool(x[0, 0]),
    "complex": lambda x: complex(x[0, 0]),
    "cast to an index": lambda x: [0, 1, 2][xp.astype(x[0, 0], xp.int64)],
    "contains": lambda x: 3 in x,
    "export to the host": lambda x: x.__dlpack__(dl_device=(1, 0), max_version=(1, 0)),
    "float": lambda x: float(x[0, 0]),
    "getitem of a mask": lambda x: x[x > 3],
    "int": lambda x: int(x[0, 0]),
    "item": lambda x: x[0, 0].item(),
    "nanargmax": xp.nanargmax,
    "nonzero": xp.nonzero,
    "repeat by an array": lambda x: xp.repeat(x[:, 0], indices(x)),
    "repr": repr,
    "setitem of a mask with an array": lambda x: x.__setitem__(x > 3, x[x > 3]),
    "to_device": lambda x: x.to_device("cpu"),
    "tolist": lambda x: x.tolist(),
    "unique_all": xp.unique_all,
    "unique_counts": xp.unique_counts,
    "unique_inverse": xp.unique_inverse,
    "unique_values": xp.unique_values,
}


@pytest.mark.parametrize("name", [*NO_WAITS, *WAITS])
def test_host_waits_only_where_it_is_documented(name):
    call = (NO_WAITS | WAITS)[name]
    with new_stream() as stream:
        call(array())
        x = array()
        stream.synchronize()
        delay()
        event = stream.record()
        call(x)
        waited = event.done
        if LATE:
            assert waited is (name in WAITS)


@contextlib.contextmanager
def no_synchronization():
    """Make CuPy raise where the host would wait; gives the class of that exception."""
    if ON_DOUBLE:
        from cupy_double import errors, machine

        machine.gpu.sync_allowed = False
        try:
            yield errors.DeviceSynchronized
        finally:
            machine.gpu.sync_allowed = True
    else:
        import cupyx

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it is deprecated, and does what is needed here
            with cupyx.allow_synchronize(False):
                yield cupyx.DeviceSynchronized


@pytest.mark.parametrize("name", NO_WAITS)
def test_operation_runs_where_no_synchronization_is_allowed(name):
    x = array()
    NO_WAITS[name](array())
    with no_synchronization():
        NO_WAITS[name](x)


@pytest.mark.parametrize("name", ["to_device", "float", "tolist"])
def test_guard_against_synchronization_guards(name):
    x = array()
    with no_synchronization() as refusal, pytest.raises(refusal):
        WAITS[name](x)


# --------------------------------------------------------------------------------------- graphs


def test_graph_captures_operations_and_runs_them_again():
    x = array()
    expected = np.asarray(x.to_device("cpu"))
    y = xp.zeros((3, 4), device=CUDA)
    y[...] = xp.sqrt(x) + 1  # compiled, and with memory in the pool
    cp.cuda.Device().synchronize()
    with new_stream() as stream:
        y[...] = xp.sqrt(x) + 1
        stream.synchronize()
        stream.begin_capture()
        y[...] = xp.sqrt(x) + 1
        graph = stream.end_capture()
        y[...] = 0
        stream.synchronize()
        assert y.tolist() == [[0.0] * 4] * 3
        graph.launch()
        stream.synchronize()
        np.testing.assert_allclose(np.asarray(y.to_device("cpu")), np.sqrt(expected) + 1)
        x[...] = 4
        graph.launch()
        stream.synchronize()
        assert y.tolist() == [[3.0] * 4] * 3


def test_value_cannot_be_read_while_a_graph_is_captured():
    with new_stream() as stream:
        x = array()
        x[0, 0]
        stream.synchronize()
        stream.begin_capture()
        try:
            with pytest.raises(cp.cuda.runtime.CUDARuntimeError):
                float(x[0, 0])
        finally:
            with contextlib.suppress(cp.cuda.runtime.CUDARuntimeError):
                stream.end_capture()


def test_export_for_the_captured_stream_is_captured():
    with new_stream() as stream:
        x = array()
        x += 0
        stream.synchronize()
        stream.begin_capture()
        x += 1
        capsule = x.__dlpack__(stream=stream.ptr, max_version=(1, 0))
        graph = stream.end_capture()
        graph.launch()
        stream.synchronize()
    assert peek(capsule).device == (2, 0)
    assert x[0, 0] == 2
