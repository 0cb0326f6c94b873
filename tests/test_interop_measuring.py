"""The measuring behind ``python -m xpdl interop``: exchanges, processes, the matrix."""

import numpy as np
import pytest

import xpdl as xp
from xpdl._interop import exchange as exchanging, processes
from xpdl._interop.exchange import Exchange
from xpdl._interop.libraries import KINDS, LIBRARIES, Library, aligned_array, make
from xpdl._interop.matrix import Group, Matrix, count_pairs, measure_matrix
from xpdl._interop.processes import Failure, measure_pair


def fake_library(name, folder, monkeypatch, source):
    """A package whose import runs ``source``, for this process and those that it starts."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(source)
    monkeypatch.syspath_prepend(folder)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise RuntimeError('driver too old\\nand more')", "RuntimeError: driver too old"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
         "its process was ended by SIGSEGV"),
        ("import os; os._exit(3)", "its process ended with status 3"),
        ("", "AttributeError: module 'cupy' has no attribute 'from_dlpack'"),
    ],
)  # fmt: skip
def test_library_that_cannot_be_imported_is_a_failure(source, reason, tmp_path, monkeypatch):
    fake_library("cupy", tmp_path, monkeypatch, source)
    assert list(measure_pair("xpdl", "cupy", ["float32"])) == [Failure("cupy", reason)]


def test_library_that_hangs_is_a_failure(tmp_path, monkeypatch):
    fake_library("cupy", tmp_path, monkeypatch, "import time; time.sleep(60)")
    monkeypatch.setattr(processes, "SECONDS_TO_ANSWER", 2)
    assert list(measure_pair("xpdl", "cupy", ["float32"])) == [
        Failure("cupy", "no answer within 2 s")
    ]


LIKE_NUMPY = """
import os, signal
import numpy
from numpy import asarray, float32, int8, int16
def from_dlpack(x):
    array = numpy.from_dlpack(x)
    if array.dtype == "int8":
        os.kill(os.getpid(), signal.SIGABRT)
    return array
"""


def test_exchange_that_ends_the_process_is_a_crash_and_the_others_go_on(tmp_path, monkeypatch):
    fake_library("array_api_strict", tmp_path, monkeypatch, LIKE_NUMPY)
    outcomes = {
        (done.producer, done.kind): (done.outcome, done.reason)
        for done in measure_pair("xpdl", "array_api_strict", ["float32", "int8", "int16"])
    }
    assert outcomes == {
        ("xpdl", "float32"): ("zero-copy", None),
        ("array_api_strict", "float32"): ("zero-copy", None),
        ("xpdl", "int8"): ("crash", "its process was ended by SIGABRT"),
        ("array_api_strict", "int8"): ("zero-copy", None),
        ("xpdl", "int16"): ("zero-copy", None),
        ("array_api_strict", "int16"): ("zero-copy", None),
    }


def test_pair_times_the_kinds_that_are_asked_for():
    done = {e.kind: e.nanoseconds for e in measure_pair("xpdl", "numpy", ["int8", "int16"],
                                                        timed=["int16"])}  # fmt: skip
    assert done["int8"] is None
    assert done["int16"] > 0


@pytest.mark.parametrize("kind", KINDS)
def test_array_of_kind_goes_into_xpdl_without_a_copy(kind):
    try:
        array = make(LIBRARIES["numpy"], np, kind)
    except AttributeError as error:
        pytest.skip(f"needs ml_dtypes: {error}")
    assert exchanging.exchange(array, xp.from_dlpack) == ("zero-copy", None)


def test_array_for_a_library_on_cuda_is_moved_before_it_is_laid_out():
    moved = []

    def to_cuda(module, array):
        moved.append(array.size)
        return array

    library = Library("numpy", LIBRARIES["numpy"].make, lambda m: m.from_dlpack, to_cuda=to_cuda)
    assert make(library, np, "every second", "cuda").strides == (8,)
    assert make(library, np, "int8", "cuda").dtype == np.int8
    assert make(library, np, "int8").dtype == np.int8
    assert moved == [64, 64]


def refuse(x):
    raise BufferError("not today\nand more")


@pytest.mark.parametrize(
    ("take", "outcome", "reason"),
    [
        (np.from_dlpack, "zero-copy", None),
        (lambda x: np.from_dlpack(x).copy(), "copy", None),
        (lambda x: np.from_dlpack(x)[:2], "wrong", "the shape (64,) became (2,)"),
        (lambda x: np.from_dlpack(x).view("i4"), "wrong", "the dtype float32 became int32"),
        (lambda x: np.from_dlpack(x) * 1, "copy", None),
        (refuse, "refused", "BufferError: not today"),
        (lambda x: object(), "unverified", "AttributeError: inspect: x must have __dlpack__ and"),
    ],
)
def test_exchange_by_what_was_taken_has_its_outcome(take, outcome, reason):
    found = exchanging.exchange(xp.from_dlpack(aligned_array("float32")), take)
    assert found[0] == outcome
    assert found[1] == reason or found[1].startswith(reason)


def test_exchange_that_changes_values_is_wrong():
    outcome, reason = exchanging.exchange(aligned_array("float32"), lambda x: np.from_dlpack(x) + 1)
    assert outcome == "wrong"
    assert reason.startswith("the values [(1+0j), (2+0j)")


def test_exchange_that_loses_the_read_only_flag_says_so():
    class Writable:  # exports without the flag, as PyTorch and tvm-ffi do
        def __init__(self, x):
            self.array = np.from_dlpack(x)
            self.memory = np.frombuffer(
                (np.ctypeslib.ctypes.c_char * self.array.nbytes).from_address(
                    self.array.ctypes.data
                ),
                self.array.dtype,
            )

        def __dlpack__(self, **keywords):
            return self.memory.__dlpack__(**keywords)

        def __dlpack_device__(self):
            return (1, 0)

    array = make(LIBRARIES["numpy"], np, "read-only")
    assert exchanging.exchange(array, Writable) == ("zero-copy", "is not marked read-only any more")


def test_groups_of_one_way_join_reasons_that_differ_in_numbers():
    matrix = Matrix(["xpdl", "torch"], ["int8", "int16", "bool", "0-d"])
    matrix.exchanges["xpdl", "torch"] = [
        Exchange("xpdl", "torch", "int8", "refused", "BufferError: code 7"),
        Exchange("xpdl", "torch", "int16", "refused", "BufferError: code 12"),
        Exchange("xpdl", "torch", "bool", "none", "AttributeError: one"),
        Exchange("xpdl", "torch", "0-d", "none", "TypeError: another"),
    ]
    assert matrix.groups("xpdl", "torch") == [
        Group("refused", "BufferError: code 7", ["int8", "int16"]),
        Group("none", None, ["bool", "0-d"]),
    ]


def answer_pair(first, second, kinds, *, timed):
    """In place of processes: cupy fails, and jax cannot live beside torch."""
    if "cupy" in (first, second):
        return [Failure("cupy", "no driver")]
    if {first, second} == {"jax", "torch"}:
        return [Failure("jax", "two of one library")]
    return [Exchange(a, b, kinds[0], "zero-copy") for a, b in [(first, second), (second, first)]]


def test_matrix_leaves_a_library_out_that_fails_beside_the_first(monkeypatch):
    monkeypatch.setattr("xpdl._interop.matrix.measure_pair", answer_pair)
    steps = []
    names = ["xpdl", "torch", "cupy", "jax"]
    matrix = measure_matrix(names, ["int8"], report=lambda *pair: steps.append(pair))
    assert matrix.libraries == ["xpdl", "torch", "jax"]
    assert matrix.failures == [Failure("cupy", "no driver")]
    assert matrix.apart == {("torch", "jax"): "jax: two of one library"}
    assert set(matrix.exchanges) == {
        ("xpdl", "torch"), ("torch", "xpdl"), ("xpdl", "jax"), ("jax", "xpdl"),
    }  # fmt: skip
    assert len(steps) == count_pairs(names) == 6


def test_matrix_with_the_first_only_has_its_pairs_only(monkeypatch):
    monkeypatch.setattr("xpdl._interop.matrix.measure_pair", answer_pair)
    matrix = measure_matrix(["xpdl", "torch", "mlx"], ["int8"], with_first_only=True)
    assert ("torch", "mlx") not in matrix.exchanges
    assert matrix.find("mlx", "xpdl", "int8") == Exchange("mlx", "xpdl", "int8", "zero-copy")
