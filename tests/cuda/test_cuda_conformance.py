"""Group 2: the array API standard's own tests, with arrays on the GPU."""

import subprocess
import sys
from pathlib import Path

import pytest
from gpu import on_gpu_only

ROOT = Path(__file__).resolve().parent.parent.parent


@on_gpu_only
def test_suite_of_the_standard_passes_on_the_gpu():
    for name in ("pytest_jsonreport", "hypothesis", "ndindex"):
        pytest.importorskip(name, reason=f"needs {name}: pip install 'xpdl[conformance]'")
    done = subprocess.run(
        [sys.executable, "-m", "conformance", "--device", "cuda", "--max-examples", "5"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=400)
    if done.returncode == 2 and "git" in done.stderr:
        pytest.skip(f"needs the suite: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
