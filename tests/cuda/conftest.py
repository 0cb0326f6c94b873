"""Tests that need a GPU, by group: ``pytest -m cuda`` runs them, with CuPy on a CUDA device.

Every test of a race first shows what goes wrong without the order, the guard or the release that
it is about, so that it could not pass by luck.
"""

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
