"""The tests marked ``cuda``, run on a double of CuPy where there is no GPU.

They run in a process of their own, since a process has one CuPy; each of their functions is
reported as a test here. What was tried to see that they can fail is in `REMOVALS`.
"""

import ast
import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("c++")), reason="needs g++, for the backend's kernels")

TESTS = Path(__file__).resolve().parent
FOLDER = TESTS / "cuda"
ELSEWHERE = ("test_cuda_conformance", "test_cuda_rocm", "test_cuda_speed")  # on no CUDA double
MODULES = sorted(
    path.stem for path in FOLDER.glob("test_*.py") if path.stem not in ELSEWHERE)


def functions_of(module):
    tree = ast.parse((FOLDER / f"{module}.py").read_text())
    return [node.name for node in tree.body if getattr(node, "name", "").startswith("test_")]


FUNCTIONS = [(module, name) for module in MODULES for name in functions_of(module)]


def run_on_double(folder, *args, schedule="lazy", **settings):
    """The outcomes of the tests on the double: name of the function -> what its reports say.

    ``settings`` are further variables of the environment, by their names after XPDL_TESTS_.
    """
    report = folder / "report.json"
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, (TESTS.parent, TESTS, FOLDER))),
        "XPDL_TESTS_ON_DOUBLE": str(schedule),
        "XPDL_TESTS_REPORT": str(report),
        "PYTEST_ADDOPTS": "",
    } | {f"XPDL_TESTS_{name.upper()}": value for name, value in settings.items()}
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
        environment.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "pytest", "-q", "-p", "no:cacheprovider",
         "--tb=short", *args],
        cwd=TESTS.parent, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stdout[-4000:] + done.stderr[-4000:]
    return json.loads(report.read_text())


@pytest.fixture(scope="session")
def outcomes(tmp_path_factory):
    """Of the whole folder; workers of pytest-xdist, which share a folder, run it once."""
    folder = tmp_path_factory.getbasetemp()
    folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / "report.json").exists():
            return json.loads((folder / "report.json").read_text())
        return run_on_double(folder, str(FOLDER))


@pytest.mark.parametrize(("module", "name"), FUNCTIONS)
def test_cuda_on_the_double(outcomes, module, name):
    found = outcomes[f"{module}.{name}"]
    assert found["failed"] == []
    if not found["passed"]:
        pytest.skip(found["skipped"][0])


@pytest.mark.parametrize("schedule", ["eager", 1])
def test_races_have_one_outcome_under_every_schedule(tmp_path, schedule):
    files = ["streams", "lifetime", "devices", "threads", "double"]
    found = run_on_double(
        tmp_path, "-k", "not function_runs and not memory_of_results and not many_exchanges",
        *[str(FOLDER / f"test_cuda_{name}.py") for name in files], schedule=schedule)
    assert {name: each["failed"] for name, each in found.items() if each["failed"]} == {}


def test_rocm_has_its_own_device_type_and_stream_numbers(tmp_path):
    found = run_on_double(tmp_path, str(FOLDER / "test_cuda_rocm.py"), rocm="1")
    assert {name: each["failed"] for name, each in found.items() if each["failed"]} == {}
    assert all(each["passed"] for each in found.values())


# What is left out of the backend (see cuda/removals.py), and tests that must fail without it.
REMOVALS = {
    "event for a consumer": ("test_cuda_streams", [
        "test_capsule_is_ordered_for_the_stream_of_the_consumer",
        "test_library_that_consumes_reads_what_was_written",
        "test_wrapper_is_ordered_as_its_array",
    ]),
    "event of a producer": ("test_cuda_streams", [
        "test_import_is_ordered_after_the_producer",
    ]),
    "event before a copy on a consumer's stream": ("test_cuda_streams", [
        "test_copy_for_a_consumer_is_made_on_its_stream",
    ]),
    "device guard": ("test_cuda_devices", [
        "test_function_runs_on_the_device_of_its_operands",
        "test_methods_run_on_the_device_of_the_array",
        "test_export_is_ordered_on_the_device_of_the_array",
        "test_exchange_while_another_device_is_current",
    ]),
    "event before a copy between devices": ("test_cuda_devices", [
        "test_copy_between_devices_waits_for_the_source",
    ]),
    "event after a copy between devices": ("test_cuda_devices", [
        "test_source_of_a_copy_between_devices_lives_until_it_has_run",
    ]),
    "deferred release": ("test_cuda_lifetime", [
        "test_imported_memory_is_released_after_the_work_on_it",
        "test_memory_used_on_another_stream_is_kept_by_record_stream",
    ]),
    "device of a deferred release": ("test_cuda_devices", [
        "test_imported_memory_is_kept_while_its_own_device_needs_it",
    ]),
    "wait for pinned memory": ("test_cuda_exchange", [
        "test_pinned_memory_written_after_a_copy_does_not_change_the_copy",
    ]),
}  # fmt: skip


@pytest.mark.parametrize("removal", REMOVALS)
def test_removal_from_the_backend_is_seen(tmp_path, removal):
    module, names = REMOVALS[removal]
    found = run_on_double(
        tmp_path, str(FOLDER / f"{module}.py"), "-k", " or ".join(names), removal=removal)
    assert [name for name in names if not found[f"{module}.{name}"]["failed"]] == []
