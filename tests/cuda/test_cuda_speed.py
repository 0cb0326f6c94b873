"""Group 15: what xpdl adds to CuPy's own time on the host. Timed on a GPU only, in one process."""

import time

import numpy as np
import pytest
from gpu import ON_DOUBLE, cp

import xpdl as xp
from xpdl._cext import raw

if ON_DOUBLE:
    pytest.skip("needs a GPU, which the double is not", allow_module_level=True)


def microseconds(call, times=2000):
    """The best of five averages."""
    for _ in range(100):
        call()
    best = float("inf")
    for _ in range(5):
        cp.cuda.Device().synchronize()
        began = time.perf_counter()
        for _ in range(times):
            call()
        best = min(best, time.perf_counter() - began)
        cp.cuda.Device().synchronize()
    return 1e6 * best / times


@pytest.fixture(scope="module")
def x():
    return xp.asarray(np.ones(4), device="cuda")


CALLS = {
    "add": (lambda x: x + x, lambda c: c + c, 4.0),
    "sum": (xp.sum, lambda c: c.sum(), 4.0),
    "reshape": (lambda x: xp.reshape(x, (2, 2)), lambda c: c.reshape(2, 2), 6.0),
    "slice": (lambda x: x[1:], lambda c: c[1:], 6.0),
}


@pytest.mark.parametrize("name", CALLS)
def test_overhead_over_cupy_is_some_microseconds(x, name, capsys):
    ours, theirs, limit = CALLS[name]
    c = raw(x)
    ratio = microseconds(lambda: ours(x)), microseconds(lambda: theirs(c))
    with capsys.disabled():
        print(f"\n{name}: xpdl {ratio[0]:.2f} us, cupy {ratio[1]:.2f} us")
    assert ratio[0] - ratio[1] < limit


def test_exchange_takes_some_microseconds(x, capsys):
    stream = cp.cuda.Stream(non_blocking=True)
    took = {
        "export": microseconds(lambda: x.__dlpack__(stream=-1, max_version=(1, 0))),
        "export to another stream": microseconds(
            lambda: x.__dlpack__(stream=stream.ptr, max_version=(1, 0))),
        "from_dlpack": microseconds(
            lambda: xp.from_dlpack(x.__dlpack__(stream=-1, max_version=(1, 0)))),
    }
    with capsys.disabled():
        print("\n" + ", ".join(f"{name} {value:.2f} us" for name, value in took.items()))
    assert took["export"] < 10
    assert took["from_dlpack"] < 30
