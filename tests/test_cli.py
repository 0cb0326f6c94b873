"""``python -m xpdl``: what its commands print and write, and how they end."""

import io
import json
import os
import subprocess
import sys
import types
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import xpdl as xp
from xpdl._cli import command, info, inspection, interop, overview, terminal
from xpdl._interop import KINDS, LIBRARIES, Exchange, Failure, Matrix, installed

ROOT = Path(__file__).resolve().parent.parent


def run_command(*arguments, cwd, **environment):
    """``python -m xpdl`` as a user would run it, in another folder."""
    search = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "xpdl", *arguments],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": search, "COLUMNS": "100"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def make_matrix(*exchanges, failures=(), kinds=("float32",)):
    """A matrix of xpdl, NumPy and torch with these exchanges."""
    matrix = Matrix(["xpdl", "numpy", "torch"], kinds, failures=list(failures))
    for done in exchanges:
        matrix.exchanges.setdefault((done.producer, done.consumer), []).append(done)
    return matrix


GOOD = (
    Exchange("xpdl", "numpy", "float32", "zero-copy", None, 150.4),
    Exchange("numpy", "xpdl", "float32", "zero-copy", None, 75.0),
)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What ``python -m xpdl --json`` prints on this machine, in a folder that has no xpdl."""
    done = run_command("--json", cwd=tmp_path_factory.mktemp("elsewhere"))
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_json_on_this_machine_has_the_versions_and_devices(report):
    assert {key: report[key] for key in ("xpdl", "array_api", "dlpack")} == {
        "xpdl": xp.__version__,
        "array_api": "2025.12",
        "dlpack": "1.3",
    }
    assert report["libraries"]["numpy"] == np.__version__
    assert report["default_device"] in [entry["device"] for entry in report["devices"]]


def test_json_on_this_machine_has_more_memory_in_all_than_free(report):
    (cpu,) = [entry for entry in report["devices"] if entry["device"] == "cpu"]
    assert 0 < cpu["free_bytes"] <= cpu["total_bytes"]


def test_json_on_this_machine_says_where_the_package_is(report):
    assert report["places"]["xpdl"] == xp.__path__[0]


def test_json_on_this_machine_names_each_library_once(report):
    tried = {done["producer"] for done in report["exchanges"]} - {"xpdl"}
    failed = {failure["library"] for failure in report["failures"]}
    assert tried | failed == set(installed()) - {"xpdl"}
    assert not tried & failed
    assert set(report["libraries"]) == {*LIBRARIES, "ml_dtypes"}


def test_json_on_this_machine_has_no_wrong_float32(report):
    outcomes = {
        (done["producer"], done["consumer"]): done["outcome"]
        for done in report["exchanges"]
        if done["kind"] == "float32"
    }
    assert "wrong" not in outcomes.values()
    assert outcomes["xpdl", "numpy"] == outcomes["numpy", "xpdl"] == "zero-copy"


def test_command_without_arguments_prints_versions_and_a_row_for_numpy(tmp_path):
    done = run_command(cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].rstrip() == f"xpdl {xp.__version__}, array API 2025.12, DLPack 1.3"
    (row,) = [line.split() for line in lines if line.startswith("numpy ")]
    assert [row[1], row[2], row[5]] == [np.__version__, "zero-copy,", "zero-copy,"]


def test_command_with_version_prints_it_alone(tmp_path):
    done = run_command("--version", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"xpdl {xp.__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--nonsense"], 2, "unrecognized arguments: --nonsense"),
        (["plumbing"], 2, "invalid choice: 'plumbing'"),
        (["inspect"], 2, "the following arguments are required: EXPR"),
        (["inspect", "1 +"], 2, "inspect: EXPR must be a Python expression, got '1 +': invalid"),
        (["inspect", "f(("], 2, "must be a Python expression, got 'f((': '(' was never closed"),
        (["inspect", ""], 2, "inspect: EXPR must be a Python expression, got '': invalid syntax"),
        (["inspect", "exit(0)"], 1, "inspect: exit(0): SystemExit: 0"),
        (["inspect", "plumbing"], 1, "inspect: 'plumbing' is not a module that is installed"),
        (["inspect", "1 / 0"], 1, "inspect: 1 / 0: ZeroDivisionError: division by zero"),
        (["inspect", "[1]"], 1, "inspect: list: AttributeError: inspect: x must have __dlpack__"),
        (["interop", "plumbing"], 2, "interop: unknown library 'plumbing', use numpy, torch"),
        (["interop", "--kinds", "quad"], 2, "interop: unknown kind 'quad', use bool, int8"),
        (["interop", "--svg", "no/such/file"], 1, "interop: cannot write no/such/file: no such"),
    ],
)
def test_command_that_cannot_be_done_says_why_on_stderr(arguments, status, message, tmp_path):
    done = run_command(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (status, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_command_whose_reader_has_gone_ends_without_a_traceback(tmp_path):
    search = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "xpdl", "info"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": search},
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_command_whose_output_cannot_be_written_says_why_in_one_line(tmp_path):
    search = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "xpdl", "info"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": search},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, "python -m xpdl: No space left on device\n")


def test_command_when_interrupted_exits_with_130(monkeypatch):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(overview, "measure", interrupt)
    assert command.main(["--json"]) == 130


def test_option_json_counts_before_and_after_the_command(capsys):
    assert command.main(["--json", "info"]) == command.main(["info", "--json"]) == 0
    first, second = capsys.readouterr().out.split("\n}\n{\n")
    assert '"array_api": "2025.12"' in first
    assert '"array_api": "2025.12"' in second


def test_info_prints_the_device_and_the_backend(capsys):
    assert command.main(["info"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert any(line[:1] == ["cpu"] and "GiB" in line for line in lines)
    assert ["numpy", "cpu", np.__version__] in [line[:3] for line in lines]


def test_memory_of_a_cuda_device_is_what_cupy_tells_of_that_device(monkeypatch):
    entered = []

    @contextmanager
    def device(number):
        entered.append(number)
        yield
        entered.append("left")

    runtime = types.SimpleNamespace(memGetInfo=lambda: (3, 8))
    cuda = types.SimpleNamespace(Device=device, runtime=runtime)
    monkeypatch.setitem(sys.modules, "cupy", types.SimpleNamespace(cuda=cuda))
    assert info.memory_of(xp.Device("cuda:1")) == {"free_bytes": 3, "total_bytes": 8}
    assert entered == [1, "left"]


def test_inspect_of_an_expression_prints_the_tensor_and_the_import(capsys):
    assert command.main(["inspect", "np.arange(6.0).reshape(2, 3)[:, ::2]", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["type"], found["route"], found["kind"]) == (
        "numpy.ndarray",
        "__dlpack__",
        "versioned",
    )
    assert (found["dtype"], found["shape"], found["strides"]) == ("float64", [2, 2], [3, 2])
    assert found["from_dlpack"] == (
        "zero-copy, writable, an Array of dtype float64 and shape (2, 2) on cpu"
    )


@pytest.mark.parametrize(
    ("expression", "outcome"),
    [
        (
            "numpy.frombuffer(bytearray(25), 'f8', 3, 1)",
            "copy (data that is not aligned to its dtype float64), writable, an Array of dtype",
        ),
        ("xp.ReadOnlyWrapper(numpy.ones(2))", "zero-copy, read-only, an Array of dtype float64"),
        ("np.ones(2).__dlpack__()", "zero-copy, writable, an Array of dtype float64 and shape"),
    ],
)
def test_inspect_says_what_comes_of_the_import(expression, outcome):
    assert inspection.describe(inspection.evaluate(expression))["from_dlpack"].startswith(outcome)


def test_inspect_of_what_only_xpdl_takes_says_who_refuses_and_what_comes_of_the_import():
    assert inspection.describe(np.zeros(3, "i2,f8")["f1"]) == {
        "type": "numpy.ndarray",
        "__dlpack__": "BufferError: DLPack only supports strides which are a multiple of itemsize.",
        "from_dlpack": "copy (data that is not aligned to its dtype float64), writable, "
        "an Array of dtype float64 and shape (3,) on cpu",
    }


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("f: copy=False cannot be honoured for packed int4; use copy=None", "packed int4"),
        ("f: copy=False cannot be honoured, since the producer made a copy; use copy=None",
         "the producer made a copy"),
        ("no", "no"),
    ],
)  # fmt: skip
def test_inspect_says_why_a_copy_is_needed_without_the_advice_of_the_error(message, reason):
    assert inspection.reason_of(xp.dlpack.CopyRequiredError(message)) == reason


def test_inspect_knows_the_short_name_of_pyarrow():
    pytest.importorskip("pyarrow", reason="needs pyarrow")
    assert inspection.evaluate("pa.array([1, 2]).to_pylist()") == [1, 2]


def test_inspect_leaves_names_that_the_expression_binds():
    assert inspection.evaluate("[(lambda math: math + os)(2) for os in (1, 2)]") == [3, 4]


def test_interop_of_numpy_prints_counts_and_reasons(capsys):
    assert command.main(["interop", "numpy", "--kinds", "float32,bfloat16"]) == 0
    printed = capsys.readouterr().out
    rows = [line.split() for line in printed.splitlines()]
    bfloat16 = find_spec("ml_dtypes") is not None
    assert ["1", "xpdl", xp.__version__, "-", "1/2" if bfloat16 else "1/1"] in rows
    refused = [row for row in rows if row[:4] == ["xpdl", "numpy", "refused", "bfloat16:"]]
    assert len(refused) == bfloat16


def test_interop_with_files_writes_a_page_and_a_picture(tmp_path, capsys):
    page, picture = tmp_path / "a.html", tmp_path / "a.svg"
    options = ["--html", str(page), "--svg", str(picture), "--kinds", "int8,0-d", "--json"]
    assert command.main(["interop", "numpy", *options]) == 0
    measured = json.loads(capsys.readouterr().out)
    assert [done["outcome"] for done in measured["exchanges"]] == ["zero-copy"] * 4
    titles = [e.text for e in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}title")]
    assert titles == [
        "xpdl to numpy, zero-copy: int8, 0-d",
        "numpy to xpdl, zero-copy: int8, 0-d",
    ]
    assert f"xpdl {xp.__version__}, numpy {np.__version__}" in page.read_text(encoding="utf-8")


def test_interop_with_png_draws_the_picture_where_resvg_is_there(tmp_path, capsys):
    pytest.importorskip("resvg_py", reason="needs resvg-py")
    file = tmp_path / "a.png"
    assert command.main(["interop", "numpy", "--png", str(file), "--kinds", "int8"]) == 0
    assert file.read_bytes().startswith(b"\x89PNG")


def test_interop_with_png_without_resvg_says_what_to_install(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert command.main(["interop", "--png", str(tmp_path / "a.png")]) == 1
    assert capsys.readouterr() == (
        "",
        "python -m xpdl: interop: --png needs resvg-py; pip install 'xpdl[cli]'\n",
    )


def test_reasons_that_markup_would_hide_are_printed_whole(capsys):
    matrix = make_matrix(
        *GOOD, Exchange("xpdl", "torch", "float32", "refused", "TypeError: [red] :smile: [1]")
    )
    interop.print_matrix(matrix, dict.fromkeys(matrix.libraries))
    assert "float32: TypeError: [red] :smile: [1]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("default", "lines"),
    [
        ("cpu", ["devices: cpu (default)"]),
        ("cuda:9", ["devices: cpu", "the default device, cuda:9, is not there"]),
    ],
)
def test_overview_names_the_default_device_also_where_it_is_not(capsys, default, lines):
    overview.print_devices({"default_device": default, "devices": [{"device": "cpu"}]})
    assert capsys.readouterr().out.splitlines() == lines


def test_overview_numbers_its_notes(monkeypatch, capsys):
    matrix = make_matrix(
        *GOOD,
        Exchange("xpdl", "numpy", "from element 4", "copy"),
        Exchange("torch", "xpdl", "float32", "refused", "BufferError: why"),
        failures=[Failure("jax", "ImportError: no libc")],
    )
    monkeypatch.setattr(overview, "measure", lambda *names, **options: matrix)
    monkeypatch.setenv("COLUMNS", "120")
    assert command.main([]) == 0
    printed = capsys.readouterr().out
    assert "zero-copy, 75 ns zero-copy [1], 150 ns" in " ".join(printed.split())
    notes = [line.rstrip() for line in printed.splitlines() if line.startswith("[")]
    assert notes == [
        "[1] numpy out of xpdl: copy where the memory does not start at a multiple of 64 bytes",
        "[2] torch into xpdl: BufferError: why",
        "[3] jax: ImportError: no libc",
    ]


@pytest.mark.parametrize(
    ("matrix", "status"),
    [
        (make_matrix(*GOOD), 0),
        (make_matrix(*GOOD, Exchange("jax", "xpdl", "float32", "refused", "why")), 0),
        (make_matrix(*GOOD, Exchange("xpdl", "torch", "reversed", "crash", "SIGABRT")), 0),
        (make_matrix(*GOOD, Exchange("xpdl", "mlx", "float64", "wrong", "float32")), 0),
        (make_matrix(*GOOD, Exchange("torch", "numpy", "int8", "wrong", "values")), 0),
        (make_matrix(*GOOD, Exchange("xpdl", "torch", "float32", "wrong", "values")), 1),
        (make_matrix(*GOOD, Exchange("torch", "xpdl", "int8", "wrong", "values")), 1),
        (make_matrix(GOOD[0], Exchange("numpy", "xpdl", "float32", "copy")), 1),
        (make_matrix(failures=[Failure("numpy", "ImportError: broken")]), 1),
        (make_matrix(), 0),
    ],
)
def test_exit_status_is_one_only_where_xpdl_is_at_fault(matrix, status):
    assert interop.exit_status(matrix) == status


@pytest.fixture
def without_rich(monkeypatch):
    monkeypatch.setattr(terminal, "has_rich", lambda: False)


def test_table_without_rich_wraps_its_last_column(without_rich, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "34")
    terminal.print_table(("from", "reason"), [("numpy", "one two three four five six")])
    assert capsys.readouterr().out.splitlines() == [
        "from   reason",
        "numpy  one two three four five six",
    ]
    monkeypatch.setenv("COLUMNS", "30")
    terminal.print_table(("from", "reason"), [("numpy", "one two three four five six")])
    assert capsys.readouterr().out.splitlines() == [
        "from   reason",
        "numpy  one two three four five",
        "       six",
    ]


@pytest.mark.parametrize("rich", [False, True])
def test_table_on_a_narrow_terminal_is_wider_than_it_and_whole(rich, monkeypatch, capsys):
    if rich:
        pytest.importorskip("rich", reason="needs rich")
    monkeypatch.setattr(terminal, "has_rich", lambda: rich)
    monkeypatch.setenv("COLUMNS", "12")
    path = "/a-folder/with_a/name-that.is/long"
    terminal.print_table(("library", "into", "path"), [("array_api_strict", "0/9", f"to {path}")])
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        "library           into  path",
        "array_api_strict  0/9   to",
        f"                        {path}",
    ]


def test_progress_without_a_terminal_prints_nothing(without_rich, capsys):
    with terminal.progress(2) as step:
        step("numpy and torch")
    assert capsys.readouterr() == ("", "")


class FakeTerminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_on_a_terminal_says_which_step_it_is(without_rich, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr(sys, "stderr", FakeTerminal())
    with terminal.progress(2) as step:
        step("numpy")
        step("torch")
    assert sys.stderr.getvalue() == (
        "0/2 numpy          \r1/2 torch          \r                   \r"
    )


@pytest.mark.parametrize(("variable", "coloured"), [("NO_COLOR", False), ("FORCE_COLOR", True)])
def test_colour_is_what_the_environment_asks_for(variable, coloured, monkeypatch, capsys):
    pytest.importorskip("rich", reason="needs rich")
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(variable, "1")
    terminal.print_line("zero-copy", "green")
    assert ("\x1b[" in capsys.readouterr().out) == coloured


def test_every_kind_has_a_place_in_the_picture():
    places = interop.picture_of(make_matrix(*GOOD, kinds=KINDS), dict.fromkeys(LIBRARIES))
    assert all(kind in places for kind in KINDS)
