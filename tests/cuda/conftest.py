"""Tests that need a GPU, by group: ``pytest -m cuda`` runs them, with CuPy on a CUDA device.

Every test of a race first shows what goes wrong without the order, the guard or the release that
it is about, so that it could not pass by luck.
"""

import json
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.cuda)


@pytest.fixture(autouse=True)
def _nothing_is_queued_when_a_test_begins():
    from gpu import DEVICES, cp

    yield
    for device in range(DEVICES):
        cp.cuda.Device(device).synchronize()
    cp.cuda.runtime.setDevice(0)


# --------------------------------------------------------------- for test_cuda_on_double.py

outcomes = {}


def pytest_sessionstart(session):
    if os.environ.get("XPDL_TESTS_REMOVAL"):
        import gpu
        from removals import leave_out

        assert gpu.ON_DOUBLE
        leave_out(os.environ["XPDL_TESTS_REMOVAL"])


def pytest_runtest_logreport(report):
    if "XPDL_TESTS_REPORT" not in os.environ:
        return
    module, _, name = report.nodeid.rpartition("/")[2].partition(".py::")
    found = outcomes.setdefault(
        f"{module}.{name.partition('[')[0]}", {"passed": 0, "failed": [], "skipped": []})
    if report.failed:
        found["failed"].append(f"{name} ({report.when})\n{report.longreprtext[-2000:]}")
    elif report.skipped:
        found["skipped"].append(report.longrepr[2].removeprefix("Skipped: "))
    elif report.when == "call":
        found["passed"] += 1


def pytest_sessionfinish(session):
    if "XPDL_TESTS_REPORT" in os.environ:
        Path(os.environ["XPDL_TESTS_REPORT"]).write_text(json.dumps(outcomes))
