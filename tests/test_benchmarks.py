"""The benchmarks: what they compare, measure and print; not how fast anything is."""

import ast
import importlib.util
import inspect
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from test_namespace import ALL_FUNCTIONS, SPACES, strict_names

import xpdl as xp
from benchmarks import __main__ as command, progress
from benchmarks.agreement import check_agreement
from benchmarks.cuda import cuda_cases, device_cases
from benchmarks.flat import growth_of
from benchmarks.growth import Threaded
from benchmarks.imports import Process, libraries_imported
from benchmarks.memory import allocated_by, bytes_of_an_array
from benchmarks.pairs import PAIRS, WITHOUT_A_PAIR, function_cases, name_of
from benchmarks.reasons import REASONS
from benchmarks.report import MARK, render_markdown, render_text, targets_table, told
from benchmarks.statements import INPLACE, OPERATORS, indexing_cases, method_cases, operator_cases
from benchmarks.targets import TARGETS, Target, ratios, reached
from benchmarks.timing import Case, Effort, Measurement, NotRunError, Reading, Statement

ROOT = Path(__file__).resolve().parent.parent
ONCE = Effort(rounds=1, seconds=1e-6, budget=0, least=1)
BRIEF = Effort(rounds=3, seconds=0.0001, budget=1, least=1)


def make_case(*contestants, **keywords):
    return Case("operators", "x + y", "4", contestants, **keywords)


def make_measurement(ratio, peer="numpy", section="operators", label="x + y", size="4"):
    """A measurement in which xpdl took ``ratio`` times what ``peer`` did, 100 ns."""
    return Measurement(
        section, label, size, {"xpdl": 100 * ratio, peer: 100.0}, {peer: ratio},
        {peer: (ratio - 0.01, ratio + 0.01)},
    )  # fmt: skip


# --------------------------------------------------------------------------- what is compared


def standard_functions():
    names = strict_names() + ALL_FUNCTIONS
    return sorted({
        f"{space}.{name}".lstrip(".") for space, name in names
        if inspect.isroutine(getattr(SPACES[space], name))
    })  # fmt: skip


PAIRED = {name_of(ours) for pairs in PAIRS.values() for ours, _ in pairs}


@pytest.mark.parametrize("name", standard_functions())
def test_function_is_measured_beside_numpy_or_has_a_reason(name):
    assert (name in PAIRED) != (name in WITHOUT_A_PAIR)
    assert name in PAIRED or WITHOUT_A_PAIR[name]


def test_pairs_name_no_function_that_is_not_there():
    assert PAIRED | WITHOUT_A_PAIR.keys() <= set(standard_functions())


def test_operators_are_all_measured_and_in_place_too():
    nodes = [node for statement in OPERATORS for node in ast.walk(ast.parse(statement))]
    found = {type(node) for node in nodes}
    unary = {ast.UAdd, ast.USub, ast.Invert}
    compared = {ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq}
    binary = {
        ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult,
        ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift,
    }  # fmt: skip
    assert found >= unary | compared | binary
    assert {type(ast.parse(statement).body[0].op) for statement in INPLACE} == binary


SMALL = ("0-d", "4")
CASES = [
    *operator_cases(SMALL), *method_cases(SMALL), *indexing_cases(SMALL),
    *(case for section in PAIRS for case in function_cases(section, SMALL)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.section}-{c.label}-{c.size}")
def test_pair_gives_the_same_in_both_libraries(case):
    measured = case.measure(ONCE)
    assert list(measured.values) == ["xpdl", "numpy"]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (xp.asarray([1.0, 2.0]), np.asarray([1.0, 2.5])),
        (xp.asarray([1.0, 2.0]), np.asarray([[1.0, 2.0]])),
        (xp.asarray([1.0, 2.0]), np.asarray([1, 2])),
        (xp.asarray([1.0, xp.nan]), np.asarray([1.0, 0.0])),
        (xp.asarray(1), 2),
        ((xp.asarray(1),), (np.asarray(1), np.asarray(2))),
        ((xp.asarray(1), xp.asarray(2)), (np.asarray(1), np.asarray(3))),
        ((2, 3), (3, 2)),
        (True, False),
        (np.dtype(np.int64), np.dtype(np.int32)),
        (xp.finfo(xp.float64), np.finfo(np.float32)),
        ((xp.asarray(1),), np.asarray(1)),
        (xp.asarray(1).device, "cuda:0"),
        (xp.asarray(1), None),
    ],
)
def test_results_that_differ_are_no_agreement(ours, theirs):
    with pytest.raises(AssertionError):
        check_agreement([ours, theirs], "values", 1e-9)


def test_results_in_another_order_agree_only_as_sorted_values():
    results = [xp.asarray([1, 2]), np.asarray([2, 1])]
    check_agreement(results, "sorted values", 0)
    check_agreement(results, "shapes", 0)
    with pytest.raises(AssertionError):
        check_agreement(results, "values", 0)


def test_capsules_agree_by_the_arrays_in_them():
    capsules = [xp.arange(3).__dlpack__(), np.arange(3).__dlpack__()]
    check_agreement(capsules, "values", 0)


# ------------------------------------------------------------------------- how it is measured


def test_measure_of_a_slower_peer_gives_a_ratio_below_one():
    names = {"few": [1] * 10, "many": [1] * 10_000}
    case = make_case(Statement("xpdl", "max(few)", names), Statement("numpy", "max(many)", names))
    measured = case.measure(BRIEF)
    assert measured.values["xpdl"] < measured.values["numpy"]
    low, high = measured.spread["numpy"]
    assert low <= measured.ratios["numpy"] <= high
    assert measured.ratios["numpy"] < 1


def test_measure_of_a_statement_that_raises_raises_it():
    with pytest.raises(ZeroDivisionError):
        make_case(Statement("xpdl", "1 / zero", {"zero": 0})).measure(BRIEF)


def test_measure_of_a_wrong_pair_raises():
    names = {"x": xp.asarray([1.0]), "n": np.asarray([2.0])}
    with pytest.raises(AssertionError, match="the values differ"):
        make_case(Statement("xpdl", "+x", names), Statement("numpy", "+n", names)).measure(BRIEF)


def test_measure_ends_at_its_budget_after_the_least_rounds():
    calls = []
    names = {"call": lambda: calls.append(None)}
    effort = Effort(rounds=1000, seconds=1e-9, budget=0, least=2)
    make_case(Statement("xpdl", "call()", names)).measure(effort)
    assert len(calls) == 4  # the comparison, the search for the number of loops, two rounds


def test_statement_that_changes_its_array_works_on_copies():
    x = xp.zeros(4)
    statement = Statement("xpdl", "x += 1.0", {"x": x}, fresh=("x",))
    assert statement.result().tolist() == [1.0] * 4
    statement.timer()(3)
    assert x.tolist() == [0.0] * 4


def test_statement_finds_functions_of_modules_and_methods_of_arrays():
    names = {"xp": xp, "x": xp.asarray([[2.0]])}
    assert Statement("xpdl", "xp.linalg.det(x)", names).result() == 2.0
    assert Statement("xpdl", "x.sum()", names).result() == 2.0


def test_statement_finishes_what_it_started_within_its_time():
    finished = []
    statement = Statement("cupy", "1", {}, finish=lambda: finished.append(None))
    assert statement.timer()(25) > 0
    assert len(finished) == 1


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_share_the_work(threads):
    calls = []
    threaded = Threaded(Statement("xpdl", "call(1)", {"call": calls.append}), threads)
    assert threaded.library == "xpdl"
    assert threaded.timer()(60) > 0
    assert len(calls) == 60 * 20


def test_import_is_timed_in_a_process_of_its_own():
    assert 0 < Process("colorsys").timer()(1) < 10


def test_xpdl_imports_no_library_but_numpy():
    assert libraries_imported("xpdl") - libraries_imported("numpy") == {"xpdl"}


def test_allocations_of_python_numpy_and_malloc_are_counted():
    assert 10_000 <= allocated_by(lambda: bytearray(10_000))
    assert 80_000 <= allocated_by(lambda: np.zeros(10_000))
    assert 80_000_000 <= allocated_by(lambda: xp.ones(10_000_000)) < 81_000_000
    x = xp.ones((2,) * 20)
    assert 20 * 8 <= allocated_by(lambda: x.__dlpack__())


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
def test_growth_of_resident_memory_is_seen_where_a_call_keeps_memory():
    kept = []
    assert growth_of(lambda: kept.append(b"\1" * 10_000), 1000) > 5_000_000
    assert growth_of(lambda: None, 1000) < 1_000_000


def test_bytes_of_an_array_are_those_of_its_ndarray_and_the_rest():
    found = bytes_of_an_array()
    assert found["xpdl"] == pytest.approx(found["numpy"] + found["beside"])
    assert 0 < found["beside"] < found["numpy"]


def test_device_cases_compare_with_the_library_given():
    finished = []
    cases = device_cases(np, xp.asarray, np.asarray, lambda: finished.append(None))
    labels = []
    for case in cases:
        if case.size == "4" and case.label in ("add(x, y)", "linalg.inv(s)", "astype(x, float32)"):
            assert list(case.measure(ONCE).values) == ["xpdl", "numpy"]
            labels.append(case.label)
    assert labels == ["add(x, y)", "astype(x, float32)", "linalg.inv(s)"]
    assert finished


def test_cuda_without_cupy_is_not_run_and_says_so(monkeypatch):
    monkeypatch.setattr("benchmarks.cuda.find_spec", lambda name: None)
    with pytest.raises(NotRunError, match="CuPy is not installed"):
        list(cuda_cases())


# -------------------------------------------------------------------------- what it is held to


def invented_measurements():
    """A measurement for each case of all sections, without measuring anything."""
    found = []
    for case in command.cases_of(list(command.SECTIONS), []):
        if isinstance(case, Reading):
            values = {"xpdl": 1.0, "beside": 1.0}
            found.append(Measurement(case.section, case.label, case.size, values, unit=case.unit))
        else:
            values = {c.library: 100.0 + int(case.size or 0 if case.size.isdigit() else 0)
                      for c in case.contestants}  # fmt: skip
            peers = list(values)[1:]
            found.append(Measurement(case.section, case.label, case.size, values,
                                     dict.fromkeys(peers, 1.0), dict.fromkeys(peers, (1.0, 1.0))))
    return found


@pytest.fixture(scope="module")
def invented():
    return invented_measurements()


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.text)
def test_target_finds_its_figures_among_the_cases(target, invented):
    for library in ("torch", "tvm_ffi"):
        named = {"torch": "torch", "tvm_ffi": "tvm-ffi"}[library]
        if named in target.text and not importlib.util.find_spec(library):
            pytest.skip(f"{library} is not installed")
    if target.text == "… beside NumPy's" and not importlib.util.find_spec("torch"):
        pytest.skip("torch is not installed")
    assert reached(target, invented) is not None
    assert target.otherwise is None or reached(target.otherwise, invented) is not None


def test_reasons_are_given_for_calls_that_are_measured():
    assert REASONS.keys() <= {ours.removeprefix("xp.") for ps in PAIRS.values() for ours, _ in ps}


MEASURED = [make_measurement(r, label=label) for label, r in (("a", 0.5), ("b", 2.0), ("c", 1.5))]


@pytest.mark.parametrize(
    ("target", "measured", "verdict"),
    [
        (Target("t", ratios(("operators",), "4"), 2.0), "2.00", "yes"),
        (Target("t", ratios(("operators",), "4"), 1.25), "2.00",
         "no: +60%; `b` 2.00, `c` 1.50"),
        (Target("t", ratios(("operators",), "4"), 1.25, mean=True), "1.14", "yes"),
        (Target("t", ratios(("operators",), "4"), 1.0, mean=True), "1.14", "no: +14%"),
        (Target("t", ratios(("operators",), "0-d"), 1.0), "-", "not measured"),
        (Target("t", ratios(("operators",), "4", labels="b"), 1.0, otherwise=Target(
            "beside", ratios(("operators",), "4", labels="a"), 0.6)), "2.00, 0.50", "yes"),
        (Target("t", ratios(("operators",), "4", above=201), 1.0), "-", "not measured"),
    ],
)  # fmt: skip
def test_target_is_met_or_says_by_how_much_it_is_missed(monkeypatch, target, measured, verdict):
    monkeypatch.setattr("benchmarks.report.TARGETS", (target,))
    assert targets_table(MEASURED)[1][2:] == [measured, verdict]


# -------------------------------------------------------------------------------- what it prints


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (64.6, "ns", "65 ns"),
        (1234.0, "ns", "1.23 µs"),
        (98_765_432.0, "ns", "99 ms"),
        (3e9, "ns", "3 s"),
        (1.2345, "", "1.23"),
        (41.6, "", "41.60"),
        (48.0, "bytes", "48 bytes"),
        (0, "kB", "0 kB"),
    ],
)
def test_figure_is_told_in_the_unit_that_suits_it(value, unit, text):
    assert told(value, unit) == text


def test_text_has_each_case_with_its_spread_then_means_notes_and_targets():
    lines = render_text(["operators"], MEASURED[:2], ["cuda: not run: no"]).splitlines()
    assert lines[:4] == [
        "operators",
        "call  size    xpdl   numpy  / numpy",
        "a        4   50 ns  100 ns  0.50 (0.49-0.51)",
        "b        4  200 ns  100 ns  2.00 (1.99-2.01)",
    ]
    assert "operators  1.00, up to 2.00" in lines
    assert lines[lines.index("targets") - 2] == "cuda: not run: no"
    assert len(lines) - lines.index("targets") == len(TARGETS) + 2


def test_markdown_has_the_command_the_versions_and_a_table_for_each_chapter():
    text = render_markdown("python -m benchmarks", {"numpy": "2.4"}, MEASURED, [])
    assert "    python -m benchmarks\n\n- numpy 2.4\n" in text
    assert "| `b` | 200 ns, 2.00 |" in text
    assert text.count("\n### Targets\n") == 1


def test_page_of_the_documentation_has_the_line_for_the_figures():
    assert (ROOT / "docs/performance.md").read_text(encoding="utf-8").count(MARK) == 1


def test_plots_are_written_for_what_was_measured(tmp_path, invented):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from benchmarks.plots import PLOTS, write_plots

    assert write_plots(tmp_path, []) == []
    written = write_plots(tmp_path / "all", invented)
    assert [path.stem for path in written] == list(PLOTS)
    for path in written:
        assert path.stat().st_size < 60_000
        assert "xpdl" in path.read_text() or path.stem == "growth"


# ----------------------------------------------------------------------------- the command line


@pytest.fixture
def only(monkeypatch):
    """Puts cases in the place of the section ``operators``."""

    def put(*cases):
        monkeypatch.setitem(command.SECTIONS, "operators", lambda: iter(cases))

    return put


EQUAL = make_case(Statement("xpdl", "1 + 1", {}), Statement("numpy", "2", {}))
WRONG = make_case(Statement("xpdl", "1 + 1", {}), Statement("numpy", "3", {}))
RAISING = make_case(Statement("xpdl", "1 / 0", {}))


@pytest.mark.filterwarnings("ignore:.*:SyntaxWarning")
@pytest.mark.parametrize(
    ("case", "message"),
    [
        (RAISING, "benchmarks: operators: x + y at 4: ZeroDivisionError: division by zero"),
        (WRONG, "benchmarks: operators: x + y at 4: AssertionError: 2 beside 3"),
    ],
)
def test_command_with_a_case_that_fails_names_it_and_exits_with_one(only, capsys, case, message):
    only(case)
    assert command.main(["--quick", "--section", "operators"]) == 1
    assert capsys.readouterr().err.strip() == message


def test_command_with_json_prints_measurements_and_targets(only, capsys):
    only(EQUAL)
    assert command.main(["--quick", "--json", "--section", "operators"]) == 0
    printed = json.loads(capsys.readouterr().out)
    (row,) = printed["measurements"]
    assert (row["section"], row["label"], row["size"]) == ("operators", "x + y", "4")
    assert row["values"].keys() == {"xpdl", "numpy"}
    assert len(printed["targets"]) == len(TARGETS)


def test_command_writes_json_and_markdown_into_files(only, capsys, tmp_path):
    only(EQUAL)
    page = tmp_path / "page.md"
    page.write_text(f"By hand.\n\n{MARK}\nold figures\n")
    arguments = ["--quick", "--section", "operators", "--json", str(tmp_path / "figures.json")]
    assert command.main([*arguments, "--output", str(page)]) == 0
    assert json.loads((tmp_path / "figures.json").read_text())["versions"]["xpdl"]
    above, _, below = page.read_text().partition(f"{MARK}\n")
    assert above == "By hand.\n\n"
    assert "old figures" not in below
    assert "python -m benchmarks --quick --section operators" in below
    assert "targets" in capsys.readouterr().out


def test_command_with_a_section_that_cannot_run_says_why_and_succeeds(monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.cuda.find_spec", lambda name: None)
    assert command.main(["--quick", "--section", "cuda"]) == 0
    assert "cuda: not run: CuPy is not installed" in capsys.readouterr().out


def test_command_lists_its_sections(capsys):
    assert command.main(["--list"]) == 0
    assert capsys.readouterr().out.split("\n")[:-1] == list(command.SECTIONS)


def test_command_with_an_unknown_section_exits_with_two(capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["--section", "plumbing"])
    assert ended.value.code == 2
    assert "invalid choice: 'plumbing'" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_silent_where_stderr_is_no_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert list(progress.with_progress([EQUAL])) == [EQUAL]
    assert sys.stderr.getvalue() == ""


def test_progress_on_a_terminal_is_one_line_that_is_cleared(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress, "find_spec", lambda name: None)
    assert list(progress.with_progress([EQUAL, EQUAL])) == [EQUAL, EQUAL]
    lines = sys.stderr.getvalue().split("\r")
    assert [line.rstrip() for line in lines if line.strip()] == [
        "0/2 operators: x + y 4", "1/2 operators: x + y 4",
    ]  # fmt: skip
    assert "\n" not in sys.stderr.getvalue()
