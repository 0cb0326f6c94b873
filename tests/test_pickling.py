"""Pickling: in one piece, with buffers out of band, between processes, and to which device."""

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import weakref
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import numpy as np
import pytest
from samples import DTYPES, LAYOUTS, check, laid_out

import xpdl as xp
from xpdl._cext import array_from_pickle

MANY = [dtype for dtype in DTYPES if dtype not in ("bool", "float16")]


def label(x):
    """A parameter in a test's name, without an address."""
    return repr(x).partition(" at 0x")[0]


def matrix():
    return xp.asarray(np.arange(6.0).reshape(2, 3))


def shares(x, y):
    return np.shares_memory(np.asarray(x), np.asarray(y))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", MANY)
def test_pickling_keeps_everything(dtype, layout, protocol):
    a = laid_out(dtype, layout)
    x = pickle.loads(pickle.dumps(xp.asarray(a), protocol))
    check(x, a)
    assert x.readonly is not a.flags.writeable
    assert x.device == "cpu"


def test_pickling_of_a_view_holds_the_view_only():
    x = xp.asarray(np.zeros(10**6))[:3]
    assert len(pickle.dumps(x)) < 1000


def test_pickling_keeps_fortran_order():
    x = pickle.loads(pickle.dumps(matrix().T))
    assert x.strides == (8, 24)


def test_pickling_out_of_band_shares_memory():
    x = xp.asarray(np.arange(1000.0))
    buffers = []
    data = pickle.dumps(x, 5, buffer_callback=buffers.append)
    assert len(data) < 300
    y = pickle.loads(data, buffers=buffers)
    assert shares(x, y)
    assert not y.readonly


def test_pickling_out_of_band_of_readonly_stays_readonly():
    buffers = []
    data = pickle.dumps(xp.asarray(b"abc"), 5, buffer_callback=buffers.append)
    assert pickle.loads(data, buffers=buffers).readonly
    assert pickle.loads(data, buffers=[bytearray(b"xyz")]).readonly


def test_pickling_twice_in_one_keeps_identity():
    x = matrix()
    first, second = pickle.loads(pickle.dumps([x, x]))
    assert first is second


@pytest.mark.parametrize(
    "payload",
    [
        [1],
        None,
        b"abc",
        np.array([object()]),
        np.array(["a"]),
        np.ma.ones(1),
        np.array([(1,)], "i,"),
    ],
    ids=label,
)
def test_pickle_of_another_payload_is_refused(payload):
    with pytest.raises(TypeError, match=r"^pickle: "):
        array_from_pickle(payload, False)


def test_pickle_that_was_cut_is_refused():
    data = pickle.dumps(matrix())
    for end in range(len(data)):
        with pytest.raises((pickle.UnpicklingError, EOFError, ValueError, TypeError, IndexError)):
            pickle.loads(data[:end])


def test_pickling_a_view_out_of_band_in_order_of_memory_shares_memory():
    x = xp.asarray(np.arange(12.0).reshape(3, 4))
    buffers = []
    data = pickle.dumps([x[1:], x.T], 5, buffer_callback=buffers.append)
    rows, transposed = pickle.loads(data, buffers=buffers)
    assert shares(rows, x)
    assert shares(transposed, x)
    assert transposed.tolist() == x.T.tolist()


@pytest.mark.parametrize(("kind", "readonly"), [(bytes, True), (bytearray, False)])
def test_unpickling_out_of_band_is_readonly_where_the_buffer_is(kind, readonly):
    buffers = []
    data = pickle.dumps(xp.asarray([1.0, 2.0]), 5, buffer_callback=buffers.append)
    memory = kind(buffers[0].raw())
    x = pickle.loads(data, buffers=[memory])
    assert x.tolist() == [1.0, 2.0]
    assert x.readonly is readonly
    assert shares(x, xp.asarray(memory))


def test_pickling_a_mapped_file_unpickles_its_values(tmp_path):
    a = np.memmap(tmp_path / "a", dtype="float64", mode="w+", shape=(3,))
    a[:] = [1, 2, 3]
    assert pickle.loads(pickle.dumps(xp.asarray(a))).tolist() == [1.0, 2.0, 3.0]
    x = array_from_pickle(np.memmap(tmp_path / "a", dtype="float64", mode="r"), False)
    assert x.readonly
    assert x.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "int4"])
def test_pickling_keeps_dtypes_of_ml_dtypes(name):
    pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    x = xp.asarray([1, 2, 3], dtype=name)
    y = pickle.loads(pickle.dumps(x))
    assert y.dtype == x.dtype
    assert y.tolist() == [1, 2, 3]


def test_large_array_gives_picklers_one_view_as_long_as_it_lives():
    x = xp.zeros(2**17)
    view = x.__reduce_ex__(5)[1][0]
    assert x.__reduce_ex__(5)[1][0] is view
    assert shares(xp.asarray(view), x)
    gone = weakref.ref(x)
    del x
    assert gone() is None
    view[0] = 1.0  # its memory lives on
    assert xp.ones(2**17).__reduce_ex__(5)[1][0] is not view


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # assigning to a shape, in NumPy 2.5
def test_large_array_is_not_changed_by_what_happens_to_the_view_of_a_pickler():
    x = xp.from_dlpack(xp.ReadOnlyWrapper(xp.zeros(2**17)))
    view = x.__reduce_ex__(5)[1][0]
    with pytest.raises(ValueError, match="WRITEABLE"):
        view.flags.writeable = True
    view.shape = (2, -1)
    assert x.shape == pickle.loads(pickle.dumps(x)).shape == (2**17,)
    assert not isinstance(view.base, np.ndarray)


def test_deepcopy_keeps_which_arrays_are_one():
    x = matrix()
    first, second = copy.deepcopy([x, x])
    assert first is second
    assert first.tolist() == x.tolist()
    assert not shares(first, x)


# ---------------------------------------------------------------------------------------- devices


class FromElsewhere:
    """Pickles as an Array of a device that this machine does not have."""

    def __reduce__(self):
        return array_from_pickle, (np.ones(3), False, xp.Device("cuda:9"))


def test_unpickling_what_a_missing_device_held_needs_another_device():
    data = pickle.dumps(FromElsewhere())
    with pytest.raises(NotImplementedError, match=r"with xpdl.unpickle_device\('cpu'\)$"):
        pickle.loads(data)
    with xp.unpickle_device("cpu"):
        x = pickle.loads(data)
    check(x, np.ones(3))
    assert x.device == "cpu"


@pytest.mark.parametrize("value", ["cpu", "cpu:0"])
def test_unpickling_device_of_a_process_comes_from_the_environment(value, tmp_path):
    (tmp_path / "x").write_bytes(pickle.dumps(FromElsewhere()))
    done = run(f"x = pickle.load(open({str(tmp_path / 'x')!r}, 'rb')); print(x.device, x)", value)
    assert (done.returncode, done.stdout) == (0, "cpu [1. 1. 1.]\n")


def test_unpickling_device_in_the_environment_that_is_none_raises_at_import():
    assert "ValueError: XPDL_UNPICKLE_DEVICE: device must be" in run("", "gpu").stderr


def run(code, device):
    return subprocess.run(
        [sys.executable, "-c", f"import pickle, xpdl; {code}"],
        cwd=Path(__file__).resolve().parent.parent,
        env=os.environ | {"XPDL_UNPICKLE_DEVICE": device},
        capture_output=True,
        text=True,
        check=False,
    )


# ------------------------------------------------------------------------------------- processes


PROGRAM = """
import multiprocessing, sys
import xpdl as xp

def doubled(x):
    return x * 2, x.readonly, x.device

if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        y, readonly, device = pool.apply(doubled, (xp.arange(3),))
    print(y.tolist(), readonly, device is xp.Device("cpu"))
"""


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_array_goes_to_a_process_and_back(method, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-W", "error", tmp_path / "program.py", method],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parent.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "[0, 2, 4] False True\n"), done.stderr


def write_to_block(name):
    block = SharedMemory(name)
    x = xp.asarray(np.ndarray(3, "float64", block.buf))
    x[1:] = 7.0
    del x
    block.close()


def test_array_over_shared_memory_is_seen_by_both_processes():
    block = SharedMemory(create=True, size=24)
    x = xp.asarray(np.ndarray(3, "float64", block.buf))
    x[...] = 0.0
    try:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            pool.apply(write_to_block, (block.name,))
        assert x.tolist() == [0.0, 7.0, 7.0]
    finally:
        del x
        block.close()
        block.unlink()


# ---------------------------------------------------------------------------------------- joblib


def seen_by_worker(x, folder):
    return float(xp.sum(x)), x.readonly, len(list(folder.rglob("*.pkl")))


@pytest.fixture
def joblib():
    return pytest.importorskip("joblib", reason="needs joblib")


def test_joblib_maps_one_file_for_all_tasks(joblib, tmp_path):
    task = joblib.delayed(seen_by_worker)
    x = xp.ones(2**17)
    with joblib.parallel_config("loky", n_jobs=2, temp_folder=tmp_path, max_nbytes=1000):
        found = joblib.Parallel()(task(x, tmp_path) for _ in range(4))
    assert found == [(2.0**17, True, 1)] * 4  # mapped to be read


def test_joblib_maps_the_file_of_a_mapped_array(joblib, tmp_path):
    joblib.dump(xp.ones(2**17), tmp_path / "x")
    x = joblib.load(tmp_path / "x", mmap_mode="r")
    (tmp_path / "more").mkdir()
    with joblib.parallel_config("loky", n_jobs=2, temp_folder=tmp_path / "more", max_nbytes=1000):
        found = joblib.Parallel()(joblib.delayed(seen_by_worker)(x, tmp_path) for _ in range(2))
    assert found == [(2.0**17, True, 0)] * 2


def test_joblib_below_its_threshold_sends_a_copy(joblib, tmp_path):
    with joblib.parallel_config("loky", n_jobs=2, max_nbytes=None, temp_folder=tmp_path):
        found = joblib.Parallel()([joblib.delayed(seen_by_worker)(xp.ones(9), tmp_path)] * 2)
    assert found == [(9.0, False, 0)] * 2


@pytest.mark.parametrize(("mode", "readonly"), [(None, False), ("r", True), ("r+", False)])
def test_joblib_dumped_array_loads_mapped(joblib, tmp_path, mode, readonly):
    joblib.dump({"x": matrix()}, tmp_path / "file")
    x = joblib.load(tmp_path / "file", mmap_mode=mode)["x"]
    check(x, np.arange(6.0).reshape(2, 3))
    assert x.readonly is readonly


def test_joblib_hashes_the_values(joblib):
    assert joblib.hash(matrix()) == joblib.hash(matrix())
    assert joblib.hash(matrix()) != joblib.hash(matrix() + 1)
