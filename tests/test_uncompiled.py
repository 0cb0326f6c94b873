"""Chapters and backend are plain Python: their text runs uncompiled, with the same results."""

import json
import subprocess
import sys
from pathlib import Path

import xpdl as xp

FOLDER = Path(xp.__file__).parent
COMPILED = sorted(
    ".".join(("xpdl", *path.relative_to(FOLDER).with_suffix("").parts))
    for path in FOLDER.rglob("*.pxd")
    if path.stem != "_cext"
)

PROGRAM = """
import importlib.util, json, pathlib, sys, types

import xpdl._cext

class Sources:
    '''Finds the source of a module before what was compiled of it.'''

    def find_spec(self, name, path=None, target=None):
        if name in COMPILED:
            folder = pathlib.Path(xpdl._cext.__file__).parent
            source = folder.joinpath(*name.split(".")[1:]).with_suffix(".py")
            return importlib.util.spec_from_file_location(name, source)

COMPILED = json.loads(sys.argv[1])
for name in [name for name in sys.modules if name == "xpdl" or (
        name.startswith("xpdl.") and name != "xpdl._cext")]:
    del sys.modules[name]
sys.meta_path.insert(0, Sources())

import xpdl as xp

compiled = [name for name in COMPILED
            if not isinstance(sys.modules[name].__spec__.loader,
                              importlib.machinery.SourceFileLoader)]
x = xp.reshape(xp.arange(6, dtype=xp.float64), (2, 3))
results = [eval(call).tolist() for call in json.loads(sys.argv[2])]
print(json.dumps([compiled, isinstance(xp.sin, types.FunctionType), results]))
"""

CALLS = [
    "xp.sin(x)",
    "xp.sum(x, axis=0)",
    "xp.std(x, axis=-1, correction=1)",
    "xp.cumulative_sum(x, axis=1, include_initial=True)",
    "xp.sort(x, descending=True)",
    "xp.searchsorted(x[0], x[1])",
    "xp.unique_values(x)",
    "xp.pad(x, ((1, 0), (0, 2)))",
    "xp.tensordot(x, x, axes=((0,), (0,)))",
    "xp.linalg.matrix_norm(x)",
    "xp.real(xp.fft.rfft(x))",
    "xp.where(x > 2, x, 0.0)",
    "xp.concat([x, x], axis=1)",
    "xp.linspace(0, 1, 3, endpoint=False)",
    "xp.asarray(xp.isdtype(x.dtype, 'real floating'))",
]


def test_chapters_run_uncompiled_with_the_same_results():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(COMPILED), json.dumps(CALLS)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    compiled, is_python, results = json.loads(done.stdout)
    assert compiled == []
    assert is_python
    names = {"xp": xp, "x": xp.reshape(xp.arange(6, dtype=xp.float64), (2, 3))}
    assert results == [eval(call, names).tolist() for call in CALLS]
