"""A file of tests run as a program, since what it sets up is there for a process's life."""

import json
import os
import subprocess
import sys
import traceback
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def print_outcomes(names):
    """Call every function whose name begins with ``test_``; print the tracebacks as JSON.

    The outcome of a test that passed is null.
    """
    warnings.simplefilter("error")
    outcomes = {}
    for name, test in list(names.items()):
        if name.startswith("test_"):
            try:
                test()
                outcomes[name] = None
            except BaseException:
                outcomes[name] = traceback.format_exc()
    json.dump(outcomes, sys.stdout)


def outcomes_of(*arguments):
    """What a program prints as JSON: ``python`` with ``arguments``, a file or ``-c`` and code."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
