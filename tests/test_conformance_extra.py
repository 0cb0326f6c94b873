"""The run of array-api-extra's tests: how it judges outcomes, and the backend that it adds."""

import os
import subprocess
import sys
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from conformance.extra import NAME_THEIR_BACKENDS, REQUIRED, TESTS, backends_with_xpdl, report_from
from conformance.runs import Outcome

ROOT = Path(__file__).resolve().parent.parent
KNOWN = TESTS + next(iter(NAME_THEIR_BACKENDS))
OTHER = TESTS + "test_at.py::test_a[xpdl]"


@pytest.mark.parametrize(
    ("outcome", "unexpected"),
    [
        (Outcome(OTHER, "passed"), False),
        (Outcome(OTHER, "skipped", "why"), False),
        (Outcome(OTHER, "failed", "why"), True),
        (Outcome(KNOWN, "failed", "why"), False),
        (Outcome(KNOWN, "passed"), True),
    ],
)
def test_outcome_is_unexpected_unless_the_test_names_its_backends(outcome, unexpected):
    assert report_from([outcome])[1] is unexpected


def test_report_has_causes_and_ends_with_counts():
    outcomes = [
        Outcome(OTHER, "passed"),
        Outcome(OTHER, "failed", "AssertionError: no"),
        Outcome(KNOWN, "failed", "TypeError: no"),
        Outcome(OTHER, "skipped", "redundant"),
        Outcome(OTHER, "skipped", "redundant"),
    ]
    assert report_from(outcomes)[0].splitlines() == [
        f"failed: {OTHER}: AssertionError: no",
        "    not known to name its backends",
        f"failed: {KNOWN}: TypeError: no",
        f"    it {NAME_THEIR_BACKENDS[KNOWN.removeprefix(TESTS)]}",
        "skipped by the tests themselves: 2: redundant",
        "1 passed, 2 failed, 2 skipped",
    ]


class Backend(Enum):
    """Backends as those of the package: members, and the methods that its tests call."""

    NUMPY = "numpy"
    READONLY = "numpy:readonly"

    @property
    def modname(self):
        return self.value.split(":")[0]

    def like(self, *others):
        return any(self.modname == other.modname for other in others)

    def pytest_param(self):
        return self.name.lower()


def test_backends_with_xpdl_keep_members_and_methods():
    backends = ModuleType("backends")
    backends.Backend = Backend
    found = backends_with_xpdl(backends)
    assert {member.name: member.value for member in found} == {
        "NUMPY": "numpy",
        "READONLY": "numpy:readonly",
        "XPDL": "xpdl",
    }
    assert (found.XPDL.modname, found.XPDL.pytest_param()) == ("xpdl", "xpdl")
    assert found.READONLY.like(found.NUMPY)
    assert not found.XPDL.like(found.NUMPY)


@pytest.mark.skipif(
    any(find_spec(name) is None for name in REQUIRED), reason=f"needs {', '.join(REQUIRED)}"
)
def test_command_runs_the_tests_of_the_package_with_xpdl():
    search = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "conformance.extra", "-k", "TestNUnique"],
        env=os.environ | {"PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "test_delegates[xpdl]: AssertionError" in done.stdout
    assert ", 1 failed, 0 skipped\n" in done.stdout
