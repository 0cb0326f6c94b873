"""Group 2: the array API standard's own tests of special cases, with arrays on the GPU.

``python -m conformance --device cuda`` runs all of them; the first time most of its time goes into
the compilation of kernels.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from gpu import on_gpu_only

ROOT = Path(__file__).resolve().parent.parent.parent


@on_gpu_only
def test_special_cases_of_the_standard_pass_on_the_gpu():
    for name in ("pytest_jsonreport", "hypothesis", "ndindex"):
        pytest.importorskip(name, reason=f"needs {name}: pip install 'xpdl[conformance]'")
    done = subprocess.run(
        [sys.executable, "-m", "conformance", "--device", "cuda", "--seeds", "--special-cases",
         "1", "--max-examples", "5"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode == 2 and "git" in done.stderr:
        pytest.skip(f"needs the suite: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
