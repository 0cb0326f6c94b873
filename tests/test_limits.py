"""The ends of what can be: sizes, axes, memory, nesting, interruption."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from fake_producer import ExchangeTable, FakeProducer, delete, peek, stray_deletions

import xpdl as xp

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 2**63 - 1


def run_script(body, **keywords):
    head = "import sys, numpy as np, xpdl as xp\nfrom fake_producer import *\n"
    folders = [str(ROOT), str(ROOT / "tests")]
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", head + textwrap.dedent(body)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True, text=True, timeout=120, **keywords,
    )  # fmt: skip


# ------------------------------------------------------------------------------ sizes and axes


BEYOND = [((2**60,), (2, 64, 1)), ((2**31, 2**31, 2), (0, 8, 1)), ((2**62, 2), (0, 8, 1))]
WITHIN = [((LARGEST,), (0, 8, 1)), ((1, LARGEST, 1), (0, 8, 1))]


@pytest.mark.parametrize(
    ("shape", "dtype", "step"),
    [(*tensor, None) for tensor in BEYOND + WITHIN] + [(*tensor, 0) for tensor in BEYOND],
)
def test_tensor_that_reaches_2_to_63_bytes_is_refused(shape, dtype, step):
    strides = None if step is None else (step,) * len(shape)
    producer = FakeProducer(np.zeros(2), shape=shape, dtype=dtype, strides=strides)
    with pytest.raises(BufferError, match=r"the tensor('s elements)? must (fit|lie in)"):
        xp.from_dlpack(producer)
    assert (producer.deleted, stray_deletions()) == (1, [])


@pytest.mark.parametrize(("shape", "dtype"), WITHIN)
def test_tensor_of_one_byte_less_than_2_to_63_is_imported_as_it_is(shape, dtype):
    producer = FakeProducer(np.zeros(2), shape=shape, dtype=dtype, strides=(0,) * len(shape))
    x = xp.from_dlpack(producer)
    assert x.shape == shape
    del x
    assert (producer.deleted, stray_deletions()) == (1, [])


@pytest.mark.parametrize("shape", [(0, 2**62), (2**62, 0), (0,), (2**31, 0, 2**31), (0,) * 64])
@pytest.mark.parametrize("data", [None, ...])
def test_empty_tensor_of_huge_axes_is_empty(shape, data):
    x = xp.from_dlpack(
        FakeProducer(np.zeros(1, np.uint8), shape=shape, strides=None, data=data))  # fmt: skip
    assert (x.shape, x.size, x.nbytes) == (shape, 0, 0)
    assert peek(x.__dlpack__(max_version=(1, 0))).shape == shape
    assert xp.sum(x).tolist() == 0


@pytest.mark.parametrize("ndim", [0, 1, 63, 64])
def test_array_of_up_to_64_axes_goes_out_and_in(ndim):
    x = xp.ones((1,) * ndim)
    assert xp.from_dlpack(x.__dlpack__(max_version=(1, 0))).shape == (1,) * ndim
    address = ExchangeTable(xp.Array).from_py(x)
    assert xp.dlpack.from_address(address).ndim == ndim


def test_array_of_65_axes_is_refused_everywhere():
    with pytest.raises(BufferError, match="ndim must be 0 to 64, got 65"):
        xp.from_dlpack(FakeProducer(np.ones(1), shape=(1,) * 65, strides=None))
    for make in (xp.zeros, lambda shape: xp.reshape(xp.ones(1), shape)):
        with pytest.raises(ValueError, match="64"):
            make((1,) * 65)
    with pytest.raises(ValueError, match="64"):
        xp.expand_dims(xp.ones((1,) * 64), axis=0)


@pytest.mark.parametrize("size", [2**62, 2**63 - 1, 2**63, 2**64])
@pytest.mark.parametrize("make", [xp.zeros, xp.empty, xp.ones, lambda n: xp.full(n, 1)])
def test_creation_of_more_than_there_is_raises(make, size):
    with pytest.raises((MemoryError, ValueError)):
        make(size)


def test_5_gb_are_exchanged_without_a_copy():
    done = run_script("""
        n = np.empty(5 << 30, np.uint8)  # mapped, not touched
        x = xp.from_dlpack(n)
        y = xp.from_dlpack(xp.ReadOnlyWrapper(x))
        z = np.from_dlpack(xp.from_dlpack(y.__dlpack__(max_version=(1, 0))))
        z2 = xp.asarray(np.asarray(x[::-1]))
        assert {a.__array_interface__["data"][0] for a in (n, np.asarray(x), np.asarray(y), z)} == {
            n.ctypes.data}
        assert (x.nbytes, y.size, z2.shape) == (5 << 30, 5 << 30, (5 << 30,))
        n[-1] = 7
        assert (x[-1], z[-1], z2[0]) == (7, 7, 7)
        resident = int(open("/proc/self/statm").read().split()[1]) * 4096
        assert resident < 1 << 30, resident
        print("shared")
    """)
    assert (done.stdout, done.stderr) == ("shared\n", "")


# -------------------------------------------------------------------------------------- memory


@pytest.mark.parametrize(
    "action",
    ["xp.zeros(1 << 33, dtype=xp.uint8) + 1", "x.copy()", "xp.from_dlpack(x, copy=True)", "x + x",
     "xp.concat([x, x])", "x.__dlpack__(copy=True)", "xp.astype(x, xp.float64)", "xp.sort(x)",
     "xp.asarray([x, x])", "x[xp.asarray([0]) * 0 + xp.zeros(1 << 28, dtype=xp.int64)]",
     "xp.from_dlpack(FakeProducer(n, byte_offset=1, shape=(1 << 27,), dtype=(2, 16, 1)))"],
)  # fmt: skip
def test_address_space_that_does_not_suffice_is_memory_error(action):
    done = run_script(f"""
        import resource
        n = np.zeros(1 << 28, np.uint8)
        x = xp.from_dlpack(n)
        used = int(open("/proc/self/statm").read().split()[0]) * 4096
        resource.setrlimit(resource.RLIMIT_AS, (used + (100 << 20),) * 2)
        try:
            {action}
        except MemoryError as error:
            print("MemoryError")
        assert x[:3].tolist() == [0, 0, 0]
        assert xp.from_dlpack(x.__dlpack__())[0] == 0
    """)
    assert (done.stdout, done.stderr) == ("MemoryError\n", "")


# ------------------------------------------------------------------------------------- nesting


def nested(depth, inmost):
    for _ in range(depth):
        inmost = [inmost]
    return inmost


@pytest.mark.parametrize("inmost", [1.0, xp.asarray(1.0)], ids=["number", "Array"])
def test_list_nested_64_deep_becomes_an_array(inmost):
    x = xp.asarray(nested(64, inmost))
    assert (x.shape, x.tolist()) == ((1,) * 64, nested(64, 1.0))


@pytest.mark.parametrize("depth", [65, 66, 1000, 100_000])
@pytest.mark.parametrize("inmost", [1.0, xp.asarray(1.0), []], ids=["number", "Array", "list"])
def test_list_nested_deeper_raises(depth, inmost):
    values = nested(depth, inmost)
    with pytest.raises(ValueError, match=r"nested at most 64 deep|number of dimension of 64"):
        xp.asarray(values)
    with pytest.raises(ValueError, match=r"nested at most 64 deep|number of dimension of 64"):
        xp.ones(1)[0:1] = values
    while isinstance(values, list) and values:
        values = values.pop()


def itself():
    values = []
    values.append(values)
    return values


def itself_twice():
    values = [1.0]
    values += [values, values]
    return values


def each_other():
    one, other = [], []
    one += [other, other]
    other += [one, one]
    return one


def beside_an_array():
    values = [xp.ones(2)]
    values.append((values,))
    return values


@pytest.mark.parametrize("make", [itself, itself_twice, each_other, beside_an_array])
def test_list_that_holds_itself_raises_at_once(make):
    with pytest.raises(ValueError, match="nested at most 64 deep"):
        xp.asarray(make())


def test_wrapper_of_wrappers_and_hops_do_not_recurse():
    x = w = xp.ones(3)
    for _ in range(10_000):
        w = xp.ReadOnlyWrapper(w)
        x = xp.from_dlpack(x.__dlpack__())
    assert xp.from_dlpack(w).tolist() == x.tolist() == [1.0, 1.0, 1.0]


def test_producer_that_imports_itself_ends_in_recursion_error():
    class Itself:
        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **keywords):
            return xp.from_dlpack(self).__dlpack__(**keywords)

    with pytest.raises(RecursionError):
        xp.from_dlpack(Itself())


# ------------------------------------------------------------------------------------- signals

INTERRUPTED = {
    "copy": ("x = xp.zeros(1 << 29, dtype=xp.uint8)", "x.copy()"),
    "from_dlpack copy": ("n = np.zeros(1 << 29, np.uint8)", "xp.from_dlpack(n, copy=True)"),
    "nested lists": ("rows = [[1.0] * 1000 for _ in range(1000)]", "xp.asarray(rows)"),
    "lists with arrays": ("rows = [[xp.ones(3)] * 300] * 300", "xp.asarray(rows)"),
    "exchanges": ("x = xp.ones(3)", "xp.from_dlpack(x.__dlpack__())"),
    "imports": ("p = xp.ReadOnlyWrapper(Slow())", "xp.from_dlpack(p)"),
    "sort": ("x = xp.zeros(1 << 22)", "xp.sort(x)"),
}


@pytest.mark.parametrize(("setup", "action"), INTERRUPTED.values(), ids=INTERRUPTED)
def test_interrupt_in_the_middle_comes_out_and_loses_nothing(setup, action):
    done = run_script(f"""
        import os, signal, threading, time, weakref
        signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is off
        class Slow:
            def __dlpack_device__(self):
                return (1, 0)
            def __dlpack__(self, **keywords):
                array = np.ones(3)
                given.append(weakref.ref(array))
                return array.__dlpack__(**keywords)
        given = []
        {setup}
        {action}
        def repeat():  # the jump back of a loop lies outside a try around it on Python 3.13
            start = time.monotonic()
            while time.monotonic() < start + 60:
                {action}
        for wait in (0.01, 0.03, 0.06):
            try:
                threading.Timer(wait, os.kill, (os.getpid(), signal.SIGINT)).start()
                repeat()
            except KeyboardInterrupt:
                pass
            else:
                raise AssertionError("not interrupted")
        assert [ref() for ref in given if ref() is not None] == []
        {action}
        print("alive")
    """)
    assert (done.stdout, done.stderr) == ("alive\n", "")


def test_interrupt_while_nested_lists_are_looked_through_ends_it():
    """Ten to the 19th lists, which nobody can look through: they share their members."""
    script = """
        import signal
        signal.signal(signal.SIGINT, signal.default_int_handler)
        values = [1.0]
        for _ in range(62):
            values = [values, values]
        print("ready", flush=True)
        try:
            xp.asarray(values)
        except KeyboardInterrupt:
            print("interrupted")
    """
    folders = [str(ROOT), str(ROOT / "tests")]
    process = subprocess.Popen(
        [sys.executable, "-c", "import xpdl as xp\n" + textwrap.dedent(script)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(folders)},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (output, process.returncode) == ("interrupted\n", 0)


def test_allocator_of_the_exchange_api_gives_memory_back():
    table = ExchangeTable(xp.Array)
    for _ in range(100):
        code, address, _ = table.allocate((1 << 27,), (0, 8, 1))
        assert code == 0
        x = xp.dlpack.from_address(address)
        x[-1] = 1
    code, address, _ = table.allocate((3,), (2, 64, 1))
    delete(address, thread="foreign")
