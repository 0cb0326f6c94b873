"""Some cases of each target of the fuzzer, made smaller where one fails; see tests/fuzz."""

import subprocess
import sys
from pathlib import Path

import pytest
from fuzz import capsules, producers, programs
from hypothesis import HealthCheck, given, settings, strategies

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("target", [capsules, producers, programs], ids=lambda x: x.__name__)
@pytest.mark.filterwarnings("ignore")  # of what hostile objects leave behind
def test_target_finds_nothing_in_some_cases(target):
    @settings(
        max_examples=100, deadline=None, database=None, derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategies.randoms(use_true_random=False))
    def run(random):
        assert target.run_case(random)

    run()


def fuzz(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *arguments], cwd=ROOT, capture_output=True, text=True
    )


def test_run_counts_its_cases():
    done = fuzz("--target", "capsules", "--seconds", "1")
    assert (done.returncode, done.stderr) == (0, "")
    name, cases, *_ = done.stdout.splitlines()[1].split()
    assert name == "capsules"
    assert int(cases) > 10


# A target that crashes in its third case, is wrong in its fifth, and hangs in its seventh.
BROKEN = """
import os, signal, sys, time
from tests.fuzz import __main__ as fuzz

def run_case(target, seed, case):
    if case == 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    assert case != 4, "wrong"
    if case == 6:
        time.sleep(100)
    time.sleep(0.05)
    return "done"

fuzz.run_case, fuzz.PATIENCE, fuzz.COMMAND = run_case, 2, [sys.executable, __file__]
sys.exit(fuzz.main())
"""


def test_run_reports_what_crashes_hangs_or_is_wrong_and_goes_on(tmp_path):
    script = tmp_path / "broken.py"
    script.write_text(BROKEN)
    done = subprocess.run(
        [sys.executable, str(script), "--target", "capsules", "--seconds", "8"],
        cwd=ROOT, env={"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True,
    )  # fmt: skip
    found = [line for line in done.stderr.splitlines() if line.startswith("---")]
    assert found == [
        "--- capsules 0:2 ended by SIGSEGV",
        "--- capsules 0:4",
        "--- capsules 0:6 ended by SIGABRT",
    ]
    assert done.returncode == 1
    assert " 3 failures: " in done.stdout
