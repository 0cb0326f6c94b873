"""The file of typical user code runs; mypy, pyright and stubtest read it in .ci/run."""

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_typed_code_of_a_user_runs():
    done = subprocess.run(
        [sys.executable, "-W", "error", ROOT / "tests" / "typed_user.py"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "[1. 1.] (2, 1) xpdl\n"


def test_package_is_marked_as_typed():
    assert files("xpdl").joinpath("py.typed").is_file()
    assert files("xpdl").joinpath("_cext.pyi").is_file()
