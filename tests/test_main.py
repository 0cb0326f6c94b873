"""``python -m xpdl``: what it prints, what it measures, and how it ends."""

import json
import os
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import xpdl as xp
from xpdl import __main__ as command, _interop as interop
from xpdl._interop import Exchange, Row

ROOT = Path(__file__).resolve().parent.parent
SHARED = Exchange("zero-copy", "same address, a write is seen", 150.4)
GOOD = Row("numpy", "2.4.6", None, SHARED, SHARED)


def run_command(*arguments, cwd, **environment):
    """``python -m xpdl`` as a user would run it, in another folder."""
    search = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "xpdl", *arguments],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": search} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def fake_library(folder, name, source):
    """A package ``name`` in ``folder`` whose import runs ``source``."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(source)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What ``python -m xpdl --json`` prints on this machine, in a folder that has no xpdl."""
    done = run_command("--json", cwd=tmp_path_factory.mktemp("elsewhere"))
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_json_on_this_machine_has_the_versions_and_devices(report):
    found = {key: report[key] for key in ("xpdl", "array_api", "dlpack", "numpy")}
    assert found == {
        "xpdl": xp.__version__,
        "array_api": "2025.12",
        "dlpack": "1.3",
        "numpy": np.__version__,
    }
    assert "cpu" in report["devices"]
    assert report["default_device"] in report["devices"]


def test_json_on_this_machine_names_each_library_once(report):
    tried = [row["library"] for row in report["exchange"]]
    assert tried == interop.installed()
    assert sorted(tried + report["absent"]) == sorted(interop.LIBRARIES)


def test_json_on_this_machine_has_no_wrong_exchange(report):
    outcomes = {
        (row["library"], way): row[way]["outcome"]
        for row in report["exchange"]
        if row["problem"] is None
        for way in ("into", "out")
    }
    assert "wrong" not in outcomes.values()
    assert outcomes["numpy", "into"] == outcomes["numpy", "out"] == "zero-copy"


def test_command_with_a_wrong_option_exits_with_two(tmp_path):
    done = run_command("--nonsense", cwd=tmp_path)
    assert done.returncode == 2
    assert "unrecognized arguments: --nonsense" in done.stderr


def test_command_with_version_prints_it_alone(tmp_path):
    done = run_command("--version", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"xpdl {xp.__version__}\n")


def test_measure_apart_of_a_library_that_raises_gives_a_row(tmp_path, monkeypatch):
    fake_library(tmp_path, "cupy", "raise RuntimeError('driver too old\\nand more')")
    monkeypatch.syspath_prepend(tmp_path)
    assert list(interop.measure_apart(["cupy"])) == [
        Row("cupy", problem="RuntimeError: driver too old")
    ]


def test_measure_apart_of_a_library_that_kills_its_process_gives_a_row(tmp_path, monkeypatch):
    fake_library(tmp_path, "cupy", "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    monkeypatch.syspath_prepend(tmp_path)
    assert list(interop.measure_apart(["cupy"])) == [
        Row("cupy", problem="its process was ended by SIGSEGV")
    ]


def test_measure_apart_of_a_library_that_exits_gives_a_row(tmp_path, monkeypatch):
    fake_library(tmp_path, "cupy", "import os; os._exit(3)")
    monkeypatch.syspath_prepend(tmp_path)
    assert list(interop.measure_apart(["cupy"])) == [
        Row("cupy", problem="its process ended with status 3")
    ]


def test_measure_apart_of_a_library_that_hangs_gives_a_row(tmp_path, monkeypatch):
    fake_library(tmp_path, "cupy", "import time; time.sleep(60)")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(interop, "SECONDS_TO_ANSWER", 1)
    assert list(interop.measure_apart(["cupy"])) == [Row("cupy", problem="no answer within 1 s")]


def test_measure_of_a_library_without_the_functions_gives_a_row(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", types.ModuleType("cupy"))
    row = interop.measure("cupy")
    assert (row.version, row.into, row.out) == ("unknown", None, None)
    assert row.problem.startswith("AttributeError: ")


def test_exchange_into_of_a_shared_array_is_zero_copy():
    exchange = interop._exchange_into(np.asarray(interop.VALUES, np.float32))
    assert (exchange.outcome, exchange.detail) == ("zero-copy", "same address, a write is seen")
    assert exchange.nanoseconds > 0


def test_exchange_into_of_a_read_only_array_says_so():
    array = np.asarray(interop.VALUES, np.float32)
    array.flags.writeable = False
    exchange = interop._exchange_into(array)
    assert (exchange.outcome, exchange.detail) == ("zero-copy", "same address, read-only")


def test_exchange_into_of_other_values_is_wrong():
    exchange = interop._exchange_into(np.asarray([7.0, 1.0, 2.0, 3.0]))
    assert exchange.outcome == "wrong"


def test_exchange_into_of_an_object_without_dlpack_is_refused_with_the_reason():
    exchange = interop._exchange_into(object())
    assert (exchange.outcome, exchange.nanoseconds) == ("refused", None)
    assert exchange.detail.startswith("AttributeError: from_dlpack: ")


def refuse(x):
    raise BufferError("not today")


def copy_unaligned(x):
    array = np.from_dlpack(x)
    return array.copy() if array.ctypes.data % 64 else array


@pytest.mark.parametrize(
    ("importer", "outcome", "detail"),
    [
        (np.from_dlpack, "zero-copy", "same address, a write is seen"),
        (lambda x: np.from_dlpack(x).copy(), "copy", "at another address"),
        (
            copy_unaligned,
            "zero-copy",
            "copy where the memory does not start at a multiple of 64 bytes",
        ),
        (
            lambda x: np.from_dlpack(x) + 1,
            "wrong",
            "[0.0, 1.0, 2.0, 3.0] became [0.0, 1.0, 2.0, 3.0] and [1.0, 2.0, 3.0, 4.0]",
        ),
        (refuse, "refused", "BufferError: not today"),
    ],
)
def test_exchange_out_by_importer_has_its_outcome_and_detail(importer, outcome, detail):
    exchange = interop._exchange_out(importer)
    assert (exchange.outcome, exchange.detail) == (outcome, detail)


def test_exchange_out_to_an_array_that_numpy_cannot_read_is_unverified():
    exchange = interop._exchange_out(lambda x: object())
    assert exchange.outcome == "unverified"
    assert exchange.detail.startswith("taken, but NumPy cannot read it: ")


def test_rows_when_rendered_are_a_table_with_notes():
    rows = [
        GOOD,
        Row("jax", "0.10", None, Exchange("refused", "BufferError: why"), SHARED),
        Row("torch", None, "ImportError: no libc"),
    ]
    text = command.render_rows(rows, ["cupy", "mlx"])
    table, notes = text.split(f"\n\n{command.LEGEND}\n")
    assert table.splitlines() == [
        "library  version  into xpdl          out of xpdl",
        "numpy    2.4.6    zero-copy, 150 ns  zero-copy, 150 ns",
        "jax      0.10     refused [1]        zero-copy, 150 ns",
        "torch    -        not usable [2]     -",
    ]
    assert notes.splitlines() == [
        "[1] jax into xpdl: BufferError: why",
        "[2] torch: ImportError: no libc",
        "not installed: cupy, mlx",
    ]


@pytest.mark.parametrize(
    ("rows", "status"),
    [
        ([GOOD], 0),
        ([GOOD, Row("torch", None, "ImportError: no libc")], 0),
        ([GOOD, Row("jax", "1", None, Exchange("refused", "why"), SHARED)], 0),
        ([GOOD, Row("jax", "1", None, SHARED, Exchange("wrong", "values"))], 1),
        ([Row("numpy", "2.4.6", None, SHARED, Exchange("copy", "at another address"))], 1),
        ([Row("numpy", "2.4.6", "ImportError: broken")], 1),
        ([], 1),
    ],
)
def test_exit_status_of_rows_is_one_only_where_xpdl_is_at_fault(rows, status):
    assert command.exit_status(rows) == status
