"""Programs of the tests that need a process of their own."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent
PATH = os.pathsep.join([str(TESTS.parent.parent), str(TESTS.parent), str(TESTS)])


def run_program(text, prelude="import gpu\n", **environment):
    """Run Python code after ``import gpu``, which installs the double where there is no GPU."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", prelude + text],
        env=os.environ | {"PYTHONPATH": PATH} | environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == "" or "Warning" not in done.stderr, done.stderr
