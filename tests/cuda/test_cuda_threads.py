"""Group 7: threads that compute and exchange at the same time, each on a stream of its own."""

import sysconfig
import threading

import numpy as np
import pytest
from gpu import DEVICES, ON_DOUBLE, cp, new_stream
from libraries import ASYNCHRONOUS, library_of
from programs import run_program

import xpdl as xp

pytestmark = pytest.mark.skipif(
    bool(ON_DOUBLE and sysconfig.get_config_var("Py_GIL_DISABLED")),
    reason="the double's queues count on the GIL",
)
THREADS, ROUNDS = 8, 40 if ON_DOUBLE else 200


def run_in_threads(work, count=THREADS):
    errors = []

    def guarded(index):
        try:
            work(index)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def random_operations(seed, exchange):
    """Operations on a GPU beside the same ones of NumPy, exchanged with a library in between."""
    random = np.random.default_rng(seed)
    device = f"cuda:{seed % DEVICES}"
    host = random.integers(0, 9, 256).astype("float64")
    x = xp.asarray(host, device=device)
    for _ in range(ROUNDS):
        step = random.integers(7)
        if step == 0:
            x, host = x + 1, host + 1
        elif step == 1:
            x, host = xp.flip(x), np.flip(host)
        elif step == 2:
            x[::3] = float(seed)
            host = host.copy()
            host[::3] = seed
        elif step == 3:
            x, host = xp.sort(x), np.sort(host)
        elif step == 4:
            x, host = exchange(x), host.copy()
        elif step == 5:
            x, host = xp.where(x > 4, x, 2 * x) % 11, np.where(host > 4, host, 2 * host) % 11
        else:
            assert float(xp.sum(x)) == host.sum()
    np.testing.assert_array_equal(np.asarray(x.to_device("cpu")), host)


@pytest.mark.parametrize("name", [*ASYNCHRONOUS, "cupy"])
def test_threads_with_streams_of_their_own_compute_what_numpy_does(name):
    library = library_of(name)

    def exchange(x):
        tensor = library.from_dlpack(x)
        return xp.from_dlpack(tensor)

    def work(index):
        with cp.cuda.Device(index % DEVICES), new_stream():
            random_operations(index, exchange)

    run_in_threads(work)


def test_array_made_in_one_thread_is_used_in_others():
    x = xp.asarray(np.arange(100.0), device="cuda")
    cp.cuda.Device().synchronize()
    found = [None] * THREADS

    def work(index):
        with new_stream():
            found[index] = float(xp.sum(x * index))

    run_in_threads(work)
    assert found == [4950.0 * index for index in range(THREADS)]


def test_first_use_of_a_gpu_may_come_from_many_threads_at_once():
    run_program("""
import threading
import xpdl as xp

barrier = threading.Barrier(8)
found = []

def work():
    barrier.wait(60)
    found.append(float(xp.sum(xp.ones(10, device="cuda"))))

threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert found == [10.0] * 8, found
""")
