"""The programs of examples/ run, and their own checks hold; what Dask is told about arrays."""

import os
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import xpdl as xp
from xpdl._dask import register_sizeof, size_of_elements

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = {  # what each needs, how it is started, the words of its last line
    "cubed_backend.py": ("cubed", [], "on processes: standardize, map_blocks, matmul are right"),
    "dask_payloads.py": ("distributed", [], "the scheduler counts 8000000 bytes each"),
    "mpi_buffers.py": ("mpi4py", ["mpiexec", "-n", "2"], "buffer is not writable"),
}


def test_every_example_is_run():
    assert sorted(EXAMPLES) == sorted(path.name for path in (ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_runs_and_its_checks_hold(name, tmp_path):
    needed, launcher, last = EXAMPLES[name]
    if find_spec(needed) is None:
        pytest.skip(f"needs {needed}")
    if needed == "distributed" and not entry_points(group="dask.sizeof", name="xpdl"):
        pytest.skip("needs xpdl installed, since Dask reads its entry point")
    scripts = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    if launcher and shutil.which(launcher[0], path=scripts) is None:
        pytest.skip(f"needs {launcher[0]}")
    done = subprocess.run(
        [*launcher, sys.executable, ROOT / "examples" / name],
        cwd=tmp_path,
        env=os.environ | {"PATH": scripts, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].endswith(last)


# ------------------------------------------------------------------------------------------- Dask


@pytest.mark.parametrize(
    ("x", "size"),
    [
        (xp.ones((2, 3)), 48),
        (xp.ones((1000, 1000))[:1], 8000),
        (xp.asarray(np.ones(1000)), 8000),
        (xp.broadcast_to(xp.ones(3), (1000, 3)), 24),
        (xp.asarray(1.0), 8),
        (xp.zeros((0, 3)), 0),
    ],
    ids=["own", "view", "of NumPy", "broadcast", "0-d", "empty"],
)
def test_size_for_dask_is_that_of_the_elements(x, size):
    assert size_of_elements(x) == size


def test_dask_takes_the_size_by_the_entry_point():
    sizeof = pytest.importorskip("dask.sizeof", reason="needs dask").sizeof
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, name = project["entry-points"]["dask.sizeof"]["xpdl"].partition(":")
    register = getattr(import_module(module), name)
    assert register is register_sizeof
    register(sizeof)
    assert sizeof(xp.ones((1000, 1000))[:1]) == 8000
    assert sizeof([xp.ones(1000)] * 2) > 8000


def test_dask_names_equal_arrays_alike():
    tokenize = pytest.importorskip("dask.base", reason="needs dask").tokenize
    assert tokenize(xp.ones(3)) == tokenize(xp.ones(3))
    assert tokenize(xp.ones(3)) != tokenize(xp.zeros(3))
    assert tokenize(xp.ones(3)) != tokenize(xp.ones(3, dtype=xp.float32))
