"""Threads: eight at once on what is shared, foreign ones that delete, contexts, first uses."""

import asyncio
import gc
import os
import subprocess
import sys
import sysconfig
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest
from fake_producer import ExchangeTable, FakeProducer, delete, stray_deletions, take
from fake_publisher import make_publisher

import xpdl as xp

ROOT = Path(__file__).resolve().parent.parent
THREADS = 8


@pytest.fixture(autouse=True)
def _switch_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)
    assert stray_deletions() == []


def run_in_threads(work, count=THREADS):
    """The results of ``work(number)`` in as many threads at once, exceptions among them."""
    barrier = threading.Barrier(count)
    results = [None] * count

    def body(number):
        barrier.wait()
        try:
            results[number] = work(number)
        except Exception as error:
            results[number] = error

    threads = [threading.Thread(target=body, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def exceptions_of(results):
    return [result for result in results if isinstance(result, Exception)]


# ------------------------------------------------------------------------------- shared objects


@pytest.mark.parametrize("way", ["from_dlpack", "to_address", "inspect", "wrapper"])
@pytest.mark.parametrize("versioned", [True, False])
def test_capsule_offered_to_eight_threads_goes_to_one(way, versioned):
    functions = {
        "from_dlpack": xp.from_dlpack,
        "to_address": xp.dlpack.to_address,
        "inspect": lambda capsule: xp.dlpack.inspect(capsule) and xp.from_dlpack(capsule),
        "wrapper": lambda capsule: xp.asarray(Holder(capsule)),
    }
    for _ in range(50):
        producer = FakeProducer(np.arange(4.0), versioned=versioned)
        capsule = producer.capsule()
        results = run_in_threads(lambda _: functions[way](capsule))  # noqa: B023
        won = [result for result in results if not isinstance(result, Exception)]
        assert len(won) == 1
        assert all(isinstance(error, BufferError) for error in exceptions_of(results))
        assert producer.deleted == 0
        if way == "to_address":
            delete(won[0])
        won = results = None
        gc.collect()  # an exception, its traceback and the list of both are a cycle
        assert producer.deleted == 1


class Holder:
    """Hands out one capsule again and again."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **keywords):
        return self.capsule

    def __dlpack_device__(self):
        return (1, 0)


def test_threads_that_read_and_write_one_array_see_whole_elements():
    x = xp.zeros(64)
    other = xp.from_dlpack(x)

    def work(number):
        for i in range(300):
            x[number::THREADS] = float(number)
            view = other[number::THREADS]
            view += 1.0
            view -= 1.0
            total = xp.sum(x[number::THREADS])
            assert total == 8 * number, (i, number)
            _ = x + other, x[::-1], x.copy(), xp.max(x), x.tolist(), x == other
        return True

    assert run_in_threads(work) == [True] * THREADS
    assert x.tolist() == [float(i % THREADS) for i in range(64)]


def test_threads_that_share_a_wrapper_all_get_the_memory():
    producer = FakeProducer(np.arange(4.0))
    wrapper = xp.ReadOnlyWrapper(producer)

    def work(number):
        for _ in range(100):
            x = xp.from_dlpack(wrapper)
            assert x.readonly
            assert x.tolist() == [0.0, 1.0, 2.0, 3.0]
        return True

    assert run_in_threads(work) == [True] * THREADS
    gc.collect()
    assert producer.deleted == producer.made == 100 * THREADS


def test_threads_that_ask_for_strides_of_one_array_get_the_same():
    table = ExchangeTable(xp.Array)
    for _ in range(50):
        x = xp.ones((2, 3, 4))[:, ::2]
        results = run_in_threads(lambda _: tuple(table.dltensor(x).strides[:3]))  # noqa: B023
        assert results == [(12, 8, 1)] * THREADS


# ------------------------------------------------------------------------------------ deleters


def test_deleters_on_foreign_threads_while_others_collect_garbage():
    producer = FakeProducer(np.arange(4.0))
    shared = [xp.from_dlpack(producer)]

    class Node:
        pass

    def work(number):
        for _ in range(100):
            if number % 2:
                node = Node()
                node.me = node
                node.x = xp.from_dlpack(shared[0].__dlpack__(max_version=(1, 0)))
                node.capsule = shared[0].__dlpack__()
                del node
                gc.collect(0)
            else:
                delete(take(shared[0].__dlpack__(max_version=(1, 0))), thread="foreign")
        return True

    assert run_in_threads(work) == [True] * THREADS
    gc.collect()
    assert producer.deleted == 0
    shared.clear()
    assert producer.deleted == 1


def test_array_in_a_cycle_gives_its_memory_back_when_it_is_collected():
    producers = []
    for _ in range(20):
        producer = FakeProducer(np.arange(4.0))
        node = []
        node += [node, xp.from_dlpack(producer), xp.ReadOnlyWrapper(xp.from_dlpack(producer))]
        producers.append(producer)
    del node
    gc.collect()
    assert [producer.deleted for producer in producers] == [2] * 20


SCRIPTS = {
    "foreign threads delete after a fork": """
        x = xp.ones(3)
        capsules = [x.__dlpack__(max_version=(1, 0)) for _ in range(10)]
        child = os.fork()
        for capsule in capsules:
            fake_producer.nogil_delete(capsule, thread="foreign")
        assert xp.from_dlpack(x.__dlpack__()).tolist() == [1.0] * 3
        if child == 0:
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    """,
    "fork while threads exchange": """
        x = xp.ones(3)
        stop = threading.Event()
        def work():
            while not stop.is_set():
                fake_producer.nogil_delete(x.__dlpack__())
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(10):
            child = os.fork()
            if child == 0:
                y = xp.from_dlpack(x.__dlpack__())
                os._exit(0 if y.tolist() == [1.0] * 3 else 3)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        stop.set()
        for thread in threads:
            thread.join()
    """,
    "first use by many threads": """
        import concurrent.futures
        import numpy
        def first(number):
            x = xp.asarray([1, 2, 3])
            device = xp.Device(f"cuda:{number % 3}")
            try:
                xp.asarray(numpy.zeros(2, numpy.dtypes.StringDType()))
            except TypeError:
                pass
            shapes = xp.fft.fft(x).shape, xp.linalg.vector_norm(x).shape
            return id(device), xp.sum(x).tolist(), *shapes
        sys.setswitchinterval(1e-6)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            found = list(pool.map(first, range(24)))
        assert len({device for device, *_ in found}) == 3
        assert {tuple(results) for _, *results in found} == {(6, (3,), ())}
    """,
    "threads that delete while the interpreter ends": """
        x = xp.ones(3)
        def work():
            while True:
                fake_producer.nogil_delete(x.__dlpack__(), thread="foreign")
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.1)
    """,
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_process_with_threads_ends_well(script):
    head = """import os, sys, threading, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads
import fake_producer, xpdl as xp
"""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", head + textwrap.dedent(script)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


# ----------------------------------------------------------------------- contexts and first uses


def test_default_device_of_a_block_is_its_threads_own():
    inside, outside = threading.Event(), threading.Event()
    seen = []

    def work():
        with xp.default_device("cuda:1"):
            inside.set()
            outside.wait(10)
            seen.append(str(xp.default_device()))

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait(10)
    assert xp.default_device() == "cpu"
    assert xp.ones(1).device == "cpu"
    outside.set()
    thread.join()
    assert seen == ["cuda:1"]


def test_default_device_of_a_block_is_its_tasks_own():
    async def work(device, others):
        with xp.default_device(device):
            for _ in range(20):
                await asyncio.sleep(0)
                assert xp.default_device() == device
        return str(xp.default_device())

    async def run():
        devices = [f"cuda:{i}" for i in range(8)]
        return await asyncio.gather(*[work(device, devices) for device in devices])

    assert asyncio.run(run()) == ["cpu"] * 8


def test_default_device_of_a_block_that_raises_is_put_back():
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), xp.default_device("cuda:2"):
            raise ZeroDivisionError
        assert xp.default_device() == "cpu"


def test_type_that_publishes_a_table_is_met_by_eight_threads_at_once():
    for _ in range(20):
        producer = FakeProducer(np.arange(4.0))
        kind = make_publisher(producer)
        results = run_in_threads(lambda _: xp.from_dlpack(kind()).tolist())  # noqa: B023
        assert results == [[0.0, 1.0, 2.0, 3.0]] * THREADS
        assert producer.deleted == producer.made == THREADS


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"),
    reason="needs a build of Python without the GIL",
)
def test_import_leaves_the_gil_off():
    script = "import sys, xpdl, xpdl.fft, xpdl.linalg; print(sys._is_gil_enabled())"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "False\n"
