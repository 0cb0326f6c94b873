"""Memory fails at each allocation, a producer at each step: nothing is lost or done twice."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from fake_producer import FakeProducer, make_capsule, stray_deletions
from fake_publisher import publish
from test_views import CALLS

import xpdl as xp

TESTS = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def failing_malloc(tmp_path_factory):
    """The library that makes malloc fail, built."""
    if shutil.which("gcc") is None or not sys.platform.startswith("linux"):
        pytest.skip("needs gcc and glibc, to make malloc fail")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("needs a Python that can take its memory from malloc")
    library = tmp_path_factory.mktemp("faults") / "failing_malloc.so"
    source = TESTS / "failing_malloc.c"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    return str(library)


def run_without_memory(library, script, *arguments):
    """The process of a script of this folder, in which the library makes malloc fail."""
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", TESTS / script, library, *arguments],
        env=os.environ | {
            "LD_PRELOAD": library, "PYTHONMALLOC": "malloc",
            "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS)]),
        },
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def faults(failing_malloc):
    """What run_faults.py prints: for each action the faults, its memory and its tensors."""
    done = run_without_memory(failing_malloc, "run_faults.py")
    assert done.returncode == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()]


def test_action_without_memory_ends_in_its_result_or_an_error_and_loses_nothing(faults):
    assert len(faults) > 40
    assert [line for line in faults if line[3] != "balanced"] == []
    # Pickling loses blocks of NumPy's and of the pickler's, with NumPy's arrays as with ours.
    assert [line for line in faults if line[2] != "0" and "pickle" not in line[0]] == []


def test_every_action_met_a_fault(faults):
    assert [line for line in faults if int(line[1]) < 2] == []


@pytest.mark.skipif(
    sys.version_info >= (3, 12) or np.lib.NumpyVersion(np.__version__) < "2.4.0",
    reason="without memory NumPy before 2.4 ends in C, or leaves results unset, and Python 3.12 "
    "ends in the Python code of NumPy's functions",
)
def test_function_without_memory_ends_in_its_result_or_an_error_unless_numpy_ends(failing_malloc):
    faults, number = 0, 0
    while number < len(CALLS):
        done = run_without_memory(failing_malloc, "run_faults_of_functions.py", str(number))
        lines = done.stdout.split()
        faults += sum(map(int, lines[1::2]))
        number = int(lines[-2 if done.returncode == 0 else -1]) + 1
        if done.returncode != 0:  # NumPy's own code was at work
            assert re.search(r'first\):\n  File ".*/numpy/', done.stderr), done.stderr
    assert faults > 10 * len(CALLS)


class MethodDef(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("function", ctypes.c_void_p),
                ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))  # fmt: skip


def function_in_c(*parameters, flags):
    """A function in C that returns NULL and sets no exception."""
    function = ctypes.PYFUNCTYPE(ctypes.c_void_p, *parameters)(lambda *arguments: None)
    method = MethodDef(b"fails", ctypes.cast(function, ctypes.c_void_p), flags)
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p] * 3
    made = new(ctypes.addressof(method), None, None)
    FUNCTIONS_IN_C.append((function, method))
    return made


FUNCTIONS_IN_C = []
VOID, SIZE = ctypes.c_void_p, ctypes.c_ssize_t
SILENT = {
    "METH_FASTCALL": function_in_c(VOID, VOID, SIZE, VOID, flags=0x82),
    "METH_VARARGS": function_in_c(VOID, VOID, VOID, flags=0x3),
}


@pytest.mark.parametrize("silent", SILENT.values(), ids=SILENT)
@pytest.mark.parametrize("name", ["__dlpack__", "__dlpack_device__"])
def test_producer_that_fails_without_an_exception_is_a_system_error(name, silent):
    methods = {"__dlpack__": lambda self: None, "__dlpack_device__": lambda self: (1, 0)}
    producer = type("Producer", (), methods | {name: silent})()
    for function in IMPORTS.values():
        with pytest.raises(SystemError, match="without"):
            function(producer)


@pytest.mark.parametrize("silent", SILENT.values(), ids=SILENT)
def test_function_of_numpy_that_fails_without_an_exception_is_a_system_error(silent, monkeypatch):
    monkeypatch.setattr("xpdl._backends.numpy.searching.numpy_where", silent)
    with pytest.raises(SystemError, match="without"):
        xp.where(xp.ones(3) > 0, xp.ones(3), 0.0)


class StepError(Exception):
    """Raised by a producer at one of the steps of an import."""


def raising(*args, **keywords):
    raise StepError


class Number:
    __index__ = raising


def producer_that_raises(step):
    fake = FakeProducer(np.arange(3.0))

    class Producer:
        def __dlpack_device__(self):
            if step == "__dlpack_device__":
                raise StepError
            return (1, Number() if step == "device id" else 0)

        def __dlpack__(self, **keywords):
            capsule = fake.capsule()
            if step == "__dlpack__":
                raise StepError
            return capsule

    if step in ("requires_grad", "is_neg", "is_conj"):
        Producer.requires_grad = property(raising) if step == "requires_grad" else False
        Producer.is_neg = raising if step == "is_neg" else lambda self: False
        Producer.is_conj = raising if step == "is_conj" else lambda self: False
        fake.dtype = (5, 64, 1) if step == "is_conj" else fake.dtype
        publish_tensors_of(fake, Producer)
    if step == "look-up of __dlpack__":
        Producer.__dlpack__ = property(raising)
    if step == "look-up of __dlpack_device__":
        Producer.__dlpack_device__ = property(raising)
    return fake, Producer()


def publish_tensors_of(fake, kind):
    def hand_over(obj, out):
        ctypes.c_void_p.from_address(out).value = fake.address()
        return 0

    slot = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    publish(kind, from_py=slot(hand_over))


STEPS = ["look-up of __dlpack__", "look-up of __dlpack_device__", "__dlpack_device__", "device id",
         "__dlpack__", "requires_grad", "is_neg", "is_conj"]  # fmt: skip
IMPORTS = {
    "from_dlpack": xp.from_dlpack,
    "asarray": xp.asarray,
    "ReadOnlyWrapper": lambda x: xp.ReadOnlyWrapper(x).__dlpack__(max_version=(1, 0)),
    "inspect": xp.dlpack.inspect,
    "to_address": xp.dlpack.to_address,
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("function", IMPORTS.values(), ids=IMPORTS)
def test_producer_that_raises_at_a_step_is_heard_and_loses_no_tensor(function, step):
    fake, x = producer_that_raises(step)
    with pytest.raises(StepError):
        function(x)
    assert fake.settle() == fake.made
    assert stray_deletions() == []


EXPORTS = {
    "stream": {"stream": Number()},
    "max_version": {"max_version": (Number(), 0)},
    "dl_device": {"dl_device": (Number(), 0)},
    "dl_device id": {"dl_device": (1, Number()), "copy": True},
}


@pytest.mark.parametrize("keywords", EXPORTS.values(), ids=EXPORTS)
@pytest.mark.parametrize("wrapped", [False, True])
def test_export_whose_argument_raises_keeps_no_reference(keywords, wrapped):
    fake = FakeProducer(np.arange(3.0))
    x = xp.from_dlpack(fake)
    source = xp.ReadOnlyWrapper(x) if wrapped else x
    with pytest.raises((StepError, TypeError)):
        source.__dlpack__(**{"max_version": (1, 0), **keywords})
    del x, source
    assert (fake.deleted, stray_deletions()) == (1, [])


def test_deleter_of_a_capsule_that_is_dropped_while_an_exception_is_pending_keeps_it():
    fake = FakeProducer(np.arange(3.0))
    x = xp.from_dlpack(fake)

    def drop(source):
        capsule = source.__dlpack__(max_version=(1, 0))  # noqa: F841  dropped by the exception
        raise StepError

    with pytest.raises(StepError):
        drop(x)
    del x
    assert fake.deleted == 1


def test_capsule_at_no_tensor_of_another_name_is_never_read():
    capsule = make_capsule(16, NAME)
    for function in IMPORTS.values():
        with pytest.raises((BufferError, TypeError, AttributeError)):
            function(capsule)


NAME = b"used_dltensor_versioned"
