"""docs/errors.md: every message in full, each made by the call beside it.

The rows are in error_rows.py. They are kept apart from the documentation, so that a row that is
lost there is missed.
"""

import operator
import pickle
from pathlib import Path

import fake_producer
import numpy as np
import pytest
from error_rows import (
    CODE,
    OF_ML_DTYPES,
    OF_TORCH,
    ON_CUDA,
    ON_TWO_DEVICES,
    ROWS,
    WITHOUT_CUDA,
)
from outcomes import outcomes_of

import xpdl as xp
from xpdl._cext import array_from_pickle

ALL = ROWS + ON_TWO_DEVICES + WITHOUT_CUDA + ON_CUDA + OF_TORCH + OF_ML_DTYPES
ROOT = Path(__file__).resolve().parent.parent
DOCUMENTED = [
    line
    for line in (ROOT / "docs" / "errors.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and line.count(" | ") == 3 and "---" not in line
]


def renamed(capsule, name):
    fake_producer.rename(capsule, name)
    return capsule


def names():
    """What the operations are about, fresh for each."""
    x = xp.asarray([1, 2, 3])
    used = x.__dlpack__()
    xp.from_dlpack(used)
    return {
        "xp": xp,
        "np": np,
        "operator": operator,
        "pickle": pickle,
        "array_from_pickle": array_from_pickle,
        "Fake": fake_producer.FakeProducer,
        "Table": fake_producer.ExchangeTable,
        "renamed": renamed,
        "a": np.ones(3),
        "x": x,
        "f": xp.asarray([1.0, 2.0, 3.0]),
        "c": xp.asarray([1j, 2j]),
        "m": xp.ones((2, 3)),
        "z": xp.asarray(5),
        "ro": xp.asarray(b"abc"),
        "odd": xp.asarray(np.zeros(3, "i2,i8")["f1"]),
        "used": used,
        "w": xp.ReadOnlyWrapper(x),
    }


def outcome(operation, **more):
    """The class and the text of an operation's error."""
    try:
        exec(CODE.get(operation, operation), names() | more)
    except Exception as error:
        return type(error).__name__, str(error)
    return None


def documented(operation, error, text):
    """The beginning of a row of the documentation."""
    shown = operation if operation in CODE else f"`{operation}`"
    return f"| {shown} | {error} | `{text}` | "


@pytest.mark.parametrize(("operation", "error", "text"), ROWS, ids=lambda x: x[:40])
def test_error_has_its_full_text(operation, error, text):
    assert outcome(operation) == (error, text)


@pytest.mark.parametrize(("operation", "error", "text"), OF_TORCH, ids=lambda x: x[:40])
def test_error_about_a_tensor_of_torch_has_its_full_text(operation, error, text):
    torch = pytest.importorskip("torch", reason="needs torch")
    assert outcome(operation, torch=torch, t=torch.ones(3)) == (error, text)


@pytest.mark.parametrize(("operation", "error", "text"), OF_ML_DTYPES, ids=lambda x: x[:40])
def test_error_about_a_dtype_of_ml_dtypes_has_its_full_text(operation, error, text):
    pytest.importorskip("ml_dtypes", reason="needs ml_dtypes")
    assert outcome(operation) == (error, text)


# Run in a process of its own, where cuda:0 is made of host memory and ml_dtypes is not installed.
TWO_DEVICES = """
import json, sys
sys.modules["ml_dtypes"] = None
import two_devices, test_errors, xpdl
two_devices.register_fake_cuda()
d = xpdl.asarray([1, 2, 3], device="cuda")
rows = test_errors.ON_TWO_DEVICES
json.dump([test_errors.outcome(operation, d=d) for operation, _, _ in rows], sys.stdout)
"""


# Run in a process of its own, where CuPy is what a row says, and else is not installed.
NO_CUDA = """
import json, sys, types
import test_errors

class CUDARuntimeError(RuntimeError):
    pass

def cupy_of(version, gpus):
    def count():
        if gpus is None:
            raise CUDARuntimeError("cudaErrorInsufficientDriver")
        return gpus
    cupy = sys.modules["cupy"] = types.ModuleType("cupy")
    cupy.__version__ = version
    runtime = types.SimpleNamespace(getDeviceCount=count, CUDARuntimeError=CUDARuntimeError)
    cupy.cuda = types.SimpleNamespace(runtime=runtime)

def outcome(operation):
    sys.modules["cupy"] = None
    return test_errors.outcome(operation, cupy_of=cupy_of)

json.dump([outcome(operation) for operation, _, _ in test_errors.WITHOUT_CUDA], sys.stdout)
"""

# Run in a process of its own, where cuda:0 is real arrays of CuPy over memory of the host.
CUDA = """
import json, sys
import numpy as np
import on_wheel, test_errors
from xpdl._backends.cupy import streams

on_wheel.use_wheel_without_driver()

def capturing(call):
    class Stream:
        ptr = 4096
        def is_capturing(self):
            return True
    own, streams.own_stream = streams.own_stream, Stream
    try:
        call()
    finally:
        streams.own_stream = own

def outcome(operation):
    d, _ = on_wheel.imported(np.array([1, 2, 3]))
    masked = on_wheel.Interface(mask=d, shape=(3,), typestr="<i8", data=(4096, False))
    return test_errors.outcome(operation, d=d, capturing=capturing, masked=masked)

json.dump([outcome(operation) for operation, _, _ in test_errors.ON_CUDA], sys.stdout)
"""


def rows_of(program):
    return [tuple(found) for found in outcomes_of("-c", program)]


@pytest.fixture(scope="module")
def outcomes_on_two_devices():
    return rows_of(TWO_DEVICES)


@pytest.fixture(scope="module")
def outcomes_without_cuda():
    return rows_of(NO_CUDA)


@pytest.fixture(scope="module")
def outcomes_on_cuda():
    pytest.importorskip("cupy", "14.2", reason="needs CuPy: pip install 'xpdl[cuda12]'")
    return rows_of(CUDA)


@pytest.mark.parametrize("row", range(len(WITHOUT_CUDA)), ids=lambda i: WITHOUT_CUDA[i][0])
def test_error_without_cuda_has_its_full_text(outcomes_without_cuda, row):
    assert outcomes_without_cuda[row] == WITHOUT_CUDA[row][1:]


@pytest.mark.parametrize("row", range(len(ON_CUDA)), ids=lambda i: ON_CUDA[i][0])
def test_error_on_cuda_has_its_full_text(outcomes_on_cuda, row):
    assert outcomes_on_cuda[row] == ON_CUDA[row][1:]


@pytest.mark.parametrize("row", range(len(ON_TWO_DEVICES)), ids=lambda i: ON_TWO_DEVICES[i][0])
def test_error_on_two_devices_has_its_full_text(outcomes_on_two_devices, row):
    assert outcomes_on_two_devices[row] == ON_TWO_DEVICES[row][1:]


@pytest.mark.parametrize("row", ALL, ids=lambda row: row[0][:40])
def test_error_stands_in_the_documentation_once(row):
    found = [line for line in DOCUMENTED if line.startswith(documented(*row))]
    assert len(found) == 1
    assert len(found[0]) > len(documented(*row)) + 10, "needs a way out"


def test_documentation_has_no_other_errors():
    headings = [line for line in DOCUMENTED if line.startswith("| Operation | ")]
    assert len(DOCUMENTED) - len(headings) == len(ALL)
