"""Call each function of the namespace while memory fails: run by test_faults.py, as run_faults.py.

Prints, a line each, the number of a call before it and the faults after it; begins with the call of
the number that it is given. A result that comes out in spite of a fault must be the right one.
"""

import ctypes
import sys

import numpy as np
from test_views import CALLS, arguments

import xpdl as xp

library = ctypes.CDLL(sys.argv[1])
arm, disarm = library.arm, library.disarm
arm.argtypes, arm.restype, disarm.restype = [ctypes.c_long] * 2, None, ctypes.c_long
np.seterr(all="ignore")
GIVEN = {"xp": xp, "np": np, **arguments()}


def with_fault(call, skip, count):
    """How many allocations failed, the result and the error."""
    result = error = None
    arm(skip, count)
    try:
        result = eval(call, GIVEN)
        failed = disarm()
    except Exception as e:
        failed = disarm()
        error = e
    return failed, result, error


def is_same(x, y):
    if isinstance(x, (tuple, list)):
        return len(x) == len(y) and all(map(is_same, x, y))
    x, y = np.asarray(x), np.asarray(y)
    return x.dtype == y.dtype and np.array_equal(x, y, equal_nan=x.dtype.kind in "fc")


for number, (space, text) in enumerate(CALLS):
    if number < int(sys.argv[2]):
        continue
    print(number, flush=True)
    call = compile(f"xp.{space}.{text}" if space else f"xp.{text}", text, "eval")
    right = eval(call, GIVEN)
    faults = 0
    for count in (1, 3):
        failed, skip = 1, 0
        while failed:
            failed, result, error = with_fault(call, skip, count)
            assert failed or error is None, error
            assert error is not None or is_same(result, right), (text, skip, result)
            skip += 1
            faults += failed > 0
    print(faults, flush=True)
