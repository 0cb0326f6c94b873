"""Nothing leaks, nothing is freed twice: counts, resident memory, threads and the end of Python."""

import contextlib
import gc
import os
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest
from fake_producer import ExchangeTable, FakeProducer, delete, nogil_delete, stray_deletions
from flat_memory import assert_flat

import xpdl as xp


@pytest.fixture(autouse=True)
def _no_deleter_is_called_twice():
    yield
    assert stray_deletions() == []


# --------------------------------------------------------------------------------------------------
# Resident memory


@pytest.fixture(scope="module")
def x():
    return xp.asarray(np.arange(12.0).reshape(3, 4))


@pytest.fixture(scope="module")
def locked():
    a = np.arange(12.0).reshape(3, 4)
    a.flags.writeable = False
    return xp.from_dlpack(a)


EXPORTS = {
    "legacy": {},
    "versioned": {"max_version": (1, 3)},
    "legacy copy": {"copy": True},
    "versioned copy": {"max_version": (1, 0), "copy": True},
    "dl_device": {"max_version": (1, 0), "dl_device": (1, 0)},
}


@pytest.mark.parametrize("keywords", EXPORTS.values(), ids=EXPORTS)
def test_memory_of_capsules_that_nobody_consumes_is_flat(x, keywords):
    assert_flat(lambda: x.__dlpack__(**keywords), 100_000)


@pytest.mark.parametrize("keywords", EXPORTS.values(), ids=EXPORTS)
def test_memory_of_capsules_that_xpdl_consumes_is_flat(x, keywords):
    assert_flat(lambda: xp.from_dlpack(x.__dlpack__(**keywords)), 100_000)


@pytest.mark.parametrize("thread", [None, "foreign"])
@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_memory_of_capsules_deleted_without_the_gil_is_flat(x, max_version, thread):
    times = 30_000 if thread is None else 5_000
    assert_flat(lambda: nogil_delete(x.__dlpack__(max_version=max_version), thread=thread), times)


REFUSED_EXPORTS = {
    "max_version": ({"max_version": 1}, TypeError),
    "stream": ({"stream": 1}, ValueError),
    "dl_device": ({"dl_device": (2, 0)}, BufferError),
    "dl_device copy": ({"dl_device": (2, 0), "copy": True}, BufferError),
    "copy": ({"copy": "yes"}, TypeError),
}


@pytest.mark.parametrize(("keywords", "error"), REFUSED_EXPORTS.values(), ids=REFUSED_EXPORTS)
def test_memory_of_refused_exports_is_flat(x, keywords, error):
    def action():
        with contextlib.suppress(error):
            x.__dlpack__(**keywords)

    assert_flat(action, 50_000)


def test_memory_of_readonly_exports_refused_to_legacy_callers_is_flat(locked):
    def action():
        with contextlib.suppress(BufferError):
            locked.__dlpack__()

    assert_flat(action, 50_000)


def numpy_source():
    return np.arange(12.0)


def array_source():
    return xp.asarray([1.0, 2.0])


def torch_source():
    return pytest.importorskip("torch", reason="needs torch").arange(12.0)


def jax_source():
    return pytest.importorskip("jax.numpy", reason="needs jax").arange(12.0)


def tvm_source():
    return pytest.importorskip("tvm_ffi", reason="needs apache-tvm-ffi").from_dlpack(np.arange(9.0))


def wrapper_source():
    return xp.ReadOnlyWrapper(np.arange(12.0))


def wrapped_array_source():
    return xp.ReadOnlyWrapper(xp.asarray([1.0, 2.0]))


SOURCES = [numpy_source, array_source, torch_source, jax_source, tvm_source, wrapper_source,
           wrapped_array_source]  # fmt: skip
each_source = pytest.mark.parametrize("source", SOURCES, ids=lambda f: f.__name__[:-7])


@each_source
@pytest.mark.parametrize("copy", [None, True, False])
def test_memory_of_imports_is_flat(source, copy):
    y = source()
    slow = source in (jax_source, wrapper_source)
    assert_flat(lambda: xp.from_dlpack(y, copy=copy), 20_000 if slow else 100_000)


@each_source
def test_memory_of_exports_of_any_object_is_flat(source):
    y = source()
    wrapper = xp.ReadOnlyWrapper(y)
    assert_flat(lambda: wrapper.__dlpack__(max_version=(1, 0)), 20_000)


FIELDS = {
    "good": {},
    "legacy": {"versioned": False},
    "no deleter": {"deleter": False},
    "major 2": {"version": (2, 0)},
    "ndim": {"ndim": 65},
    "dtype": {"dtype": (5, 32, 1)},
    "lanes": {"dtype": (2, 64, 4)},
    "shape": {"shape": (-1,), "strides": (1,)},
    "device": {"device": (99, 0)},
    "claim": {"claimed_device": (2, 0)},
    "unaligned": {"shape": (2,), "byte_offset": 1},
    "lying copy": {"flags": 2},
    "no capsule": {"result": None},
    "raising": {"result": ValueError("no")},
}


@pytest.mark.parametrize("fields", FIELDS.values(), ids=FIELDS)
@pytest.mark.parametrize("copy", [None, False])
def test_memory_of_imports_from_a_fake_producer_is_flat(fields, copy):
    a = np.arange(4.0)

    def action():
        producer = FakeProducer(a, **fields)
        try:
            xp.from_dlpack(producer, copy=copy)
        except (BufferError, ValueError) as error:
            error.__traceback__ = None  # the raising producer raises one object again and again
        producer._made.clear()
        producer._deleted.clear()

    assert_flat(action, 5_000)


def test_memory_of_capsules_refused_by_name_is_flat(x):
    capsule = x.__dlpack__()
    xp.from_dlpack(capsule)

    def action():
        with contextlib.suppress(BufferError):
            xp.from_dlpack(capsule)

    assert_flat(action, 50_000)


def test_memory_of_objects_without_dlpack_is_flat():
    def action():
        with contextlib.suppress(AttributeError):
            xp.from_dlpack(3)

    assert_flat(action, 50_000)


@pytest.mark.parametrize("slot", ["from_py", "to_py", "dltensor", "allocate", "refused"])
def test_memory_of_the_exchange_api_is_flat(x, slot):
    table = ExchangeTable(xp.Array)

    def refused():
        with contextlib.suppress(BufferError):
            table.from_py(3)

    actions = {
        "from_py": lambda: delete(table.from_py(x)),
        "to_py": lambda: table.to_py(table.from_py(x)),
        "dltensor": lambda: table.dltensor(x),
        "allocate": lambda: delete(table.allocate((3, 4), (2, 64, 1))[1]),
        "refused": refused,
    }
    assert_flat(actions[slot], 10_000)


def test_memory_of_torch_tensors_that_are_refused_is_flat():
    torch = pytest.importorskip("torch", reason="needs torch")
    t = torch.tensor([1 + 2j]).conj().imag

    def action():
        with contextlib.suppress(BufferError):
            xp.from_dlpack(t)

    assert_flat(action, 20_000)


# --------------------------------------------------------------------------------------------------
# Reference counts


@pytest.mark.parametrize("keywords", EXPORTS.values(), ids=EXPORTS)
def test_references_to_an_array_are_as_before_after_exports(keywords):
    x = xp.asarray([1.0, 2.0])
    before = sys.getrefcount(x)
    for _ in range(100):
        x.__dlpack__(**keywords)
        xp.from_dlpack(x.__dlpack__(**keywords))
    assert sys.getrefcount(x) == before


@each_source
def test_references_to_a_source_are_as_before_after_imports(source):
    y = source()
    before = sys.getrefcount(y)
    for _ in range(100):
        xp.from_dlpack(y)
    assert sys.getrefcount(y) == before


@pytest.mark.parametrize("obj", [None, xp.float64, xp.Device("cpu"), xp.Array])
def test_references_to_shared_objects_are_as_before_after_exchanges(obj):
    y = FakeProducer(np.arange(4.0))
    x = xp.asarray([1.0, 2.0])
    before = sys.getrefcount(obj)
    for _ in range(2000):
        xp.from_dlpack(x.__dlpack__(max_version=(1, 0)))
        xp.from_dlpack(y)
    y._made.clear()
    y._deleted.clear()
    gc.collect()
    # below what one reference a time would add; None is counted by the interpreter as it likes
    assert abs(sys.getrefcount(obj) - before) < 1000


# --------------------------------------------------------------------------------------------------
# Threads


def run_in_threads(work, count=8):
    """Run ``work(number)`` in as many threads at once; the exceptions that came out."""
    barrier = threading.Barrier(count)
    errors = []

    def body(number):
        barrier.wait()
        try:
            work(number)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=body, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


@each_source
def test_threads_that_import_one_object_leave_its_references_as_they_were(source):
    y = source()
    values = xp.from_dlpack(y).tolist()
    before = sys.getrefcount(y)

    def work(number):
        for _ in range(300 if source is jax_source else 2000):
            x = xp.from_dlpack(y)
        assert x.tolist() == values

    assert run_in_threads(work) == []
    assert sys.getrefcount(y) == before


def test_threads_that_export_one_array_leave_its_references_as_they_were():
    producer = FakeProducer(np.arange(4.0))
    arrays = [xp.from_dlpack(producer)]
    before = sys.getrefcount(arrays[0])

    def work(number):
        for _ in range(2000):
            nogil_delete(arrays[0].__dlpack__(max_version=(1, 0) if number % 2 else None))
            xp.from_dlpack(arrays[0].__dlpack__())

    assert run_in_threads(work) == []
    after = sys.getrefcount(arrays[0])
    assert after == before
    arrays.clear()
    assert producer.deleted == 1


@pytest.mark.parametrize("versioned", [True, False])
def test_threads_offered_one_capsule_one_of_them_gets_it(versioned):
    for _ in range(200):
        producer = FakeProducer(np.arange(4.0), versioned=versioned)
        capsule = producer.capsule()
        won = []
        errors = run_in_threads(lambda _: won.append(xp.from_dlpack(capsule)), count=2)  # noqa: B023
        assert (len(won), len(errors)) == (1, 1)
        assert isinstance(errors[0], BufferError)
        assert producer.deleted == 0
        assert won.pop().tolist() == [0.0, 1.0, 2.0, 3.0]
        assert producer.deleted == 1


def test_threads_that_delete_at_once_what_one_thread_exported():
    producer = FakeProducer(np.arange(4.0))
    x = xp.from_dlpack(producer)
    capsules = [x.__dlpack__(max_version=(1, 0)) for _ in range(800)]
    del x

    def work(number):
        for capsule in capsules[number::8]:
            nogil_delete(capsule)

    assert run_in_threads(work) == []
    assert producer.deleted == 1


# --------------------------------------------------------------------------------------------------
# The end of the interpreter

SCRIPTS = {
    "arrays and capsules alive": """
        x = xp.asarray([1.0, 2.0])
        kept = [x, x.__dlpack__(), x.__dlpack__(max_version=(1, 0)), xp.from_dlpack(x)]
        sys.kept = kept
    """,
    "array of a fake producer alive": """
        sys.kept = xp.from_dlpack(np.arange(3.0)), xp.from_dlpack(np.arange(3.0).__dlpack__())
    """,
    "reference cycle": """
        class Node: pass
        node = Node()
        node.me, node.x = node, xp.asarray([1.0])
        node.capsule = node.x.__dlpack__()
    """,
    "numpy array over an array alive": """
        sys.kept = np.from_dlpack(xp.asarray([1.0, 2.0])), np.asarray(xp.asarray([1.0]))
    """,
    "wrapper alive": """
        sys.kept = xp.ReadOnlyWrapper(xp.asarray([1.0])), xp.ReadOnlyWrapper(np.ones(3))
        sys.capsules = [x.__dlpack__(max_version=(1, 0)) for x in sys.kept]
    """,
    "deleters called by C after the interpreter is gone": """
        at_exit = getattr(ctypes.CDLL(None), "__cxa_atexit")
        for max_version in (None, (1, 0)):
            for source in (xp.asarray([1.0, 2.0]), xp.ReadOnlyWrapper(np.ones(3))):
                if max_version is None and isinstance(source, xp.ReadOnlyWrapper):
                    continue
                capsule = source.__dlpack__(max_version=max_version)
                found = fake_producer.peek(capsule)
                address = fake_producer.take(capsule)
                at_exit(ctypes.c_void_p(found.deleter), ctypes.c_void_p(address), None)
    """,
    "deleters called by atexit functions": """
        import atexit
        capsule = xp.asarray([1.0]).__dlpack__(max_version=(1, 0))
        atexit.register(fake_producer.nogil_delete, capsule, thread="foreign")
    """,
    "daemon threads exchange": """
        import threading
        x = xp.asarray([1.0, 2.0])
        def work():
            while True:
                xp.from_dlpack(x.__dlpack__(max_version=(1, 0)))
                fake_producer.nogil_delete(x.__dlpack__())
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        import time
        time.sleep(0.2)
    """,
}
TORCH_SCRIPTS = {
    "torch tensor over an array alive": """
        import torch
        sys.kept = torch.from_dlpack(xp.asarray([1.0, 2.0])), xp.from_dlpack(torch.ones(3))
    """,
    "tvm-ffi tensor over an array alive": """
        import tvm_ffi
        sys.kept = tvm_ffi.from_dlpack(xp.asarray([1.0, 2.0]))
    """,
    "jax array over an array alive": """
        import jax.numpy
        sys.kept = jax.numpy.from_dlpack(xp.zeros(64)), xp.from_dlpack(jax.numpy.zeros(64))
    """,
}


def run_script(body):
    head = "import ctypes, sys, fake_producer, numpy as np, xpdl as xp\n"
    folders = [Path(xp.__file__).parent.parent, Path(__file__).parent]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))}
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", head + textwrap.dedent(body)],
        env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_interpreter_ends_quietly_with(script):
    done = run_script(script)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("script", TORCH_SCRIPTS.values(), ids=TORCH_SCRIPTS)
def test_interpreter_ends_quietly_with_another_library(script):
    module = textwrap.dedent(script).split()[1].partition(".")[0]
    pytest.importorskip(module, reason=f"needs {module}")
    done = run_script(script)
    assert (done.returncode, done.stderr) == (0, "")


def test_import_of_xpdl_alone_imports_no_array_library_but_numpy():
    libraries = ("cupy", "torch", "jax", "tensorflow", "tvm_ffi", "ml_dtypes", "array_api_compat")
    done = run_script(f"print([name for name in {libraries!r} if name in sys.modules])")
    assert (done.stdout, done.returncode) == ("[]\n", 0)


def test_process_can_fork_after_an_import():
    pid_script = """
        import os, warnings
        warnings.simplefilter("ignore")
        x = xp.from_dlpack(np.ones(3))
        child = os.fork()
        if child == 0:
            os._exit(0 if xp.from_dlpack(x.__dlpack__()).tolist() == [1.0] * 3 else 3)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    done = run_script(pid_script)
    assert (done.stdout, done.stderr) == ("0\n", "")
