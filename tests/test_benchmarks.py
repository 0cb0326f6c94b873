"""The benchmarks' measuring and their tables; not how fast anything is."""

import json

import pytest

from benchmarks import __main__ as command
from benchmarks.tables import TARGETS, render_section, render_targets
from benchmarks.timing import Case, Contestant, Effort, Measurement, measure

BRIEF = Effort(rounds=3, seconds=0.0001)


def make_case(*contestants):
    return Case("operators", "x + y", "4", contestants)


def make_measurement(ratio, peer="numpy", section="operators", label="x + y"):
    """A measurement in which xpdl took ``ratio`` times what ``peer`` did, 100 ns."""
    case = Case(section, label, "4", (Contestant("xpdl", "", {}), Contestant(peer, "", {})))
    return Measurement(case, {"xpdl": 100 * ratio, peer: 100.0}, {peer: ratio})


def test_measure_of_a_slower_peer_gives_a_ratio_below_one():
    names = {"few": range(10), "many": range(1000)}
    case = make_case(Contestant("xpdl", "sum(few)", names), Contestant("numpy", "sum(many)", names))
    measured = measure(case, BRIEF)
    assert measured.nanoseconds["xpdl"] < measured.nanoseconds["numpy"]
    assert measured.ratios["numpy"] < 1


def test_measure_of_a_statement_that_raises_raises_it():
    with pytest.raises(ZeroDivisionError):
        measure(make_case(Contestant("xpdl", "1 / zero", {"zero": 0})), BRIEF)


def test_section_when_rendered_has_times_ratios_and_a_summary():
    measurements = [
        make_measurement(0.5),
        make_measurement(2.0, label="x - y"),
        make_measurement(9.0, section="exchange"),
    ]
    assert render_section("operators", measurements).splitlines() == [
        "operators",
        "call   size  xpdl ns  numpy ns  / numpy",
        "x + y     4       50       100     0.50",
        "x - y     4      200       100     2.00",
        "  size 4: xpdl / numpy 1.00 in the geometric mean, at most 2.00 (x - y)",
    ]


@pytest.mark.parametrize(("ratio", "verdict"), [(1.25, "met"), (1.26, "MISSED")])
def test_target_by_its_ratio_is_met_or_missed(ratio, verdict):
    row = render_targets([make_measurement(ratio)]).splitlines()[1]
    assert row.split() == ["x", "+", "y", "/", "numpy", "4", "1.25", f"{ratio:.2f}", verdict]


def test_target_without_a_measurement_says_so():
    rows = render_targets([]).splitlines()[1:]
    assert len(rows) == len(TARGETS)
    assert all(row.endswith("not measured") for row in rows)


def test_command_with_a_case_that_raises_reports_it_and_exits_with_one(monkeypatch, capsys):
    cases = [make_case(Contestant("xpdl", "1 / zero", {"zero": 0}))]
    monkeypatch.setitem(command.SECTIONS, "operators", lambda: iter(cases))
    assert command.main(["--quick", "--section", "operators"]) == 1
    assert "benchmarks: x + y at 4: ZeroDivisionError: division by zero" in capsys.readouterr().err


def test_command_with_json_prints_every_measurement(monkeypatch, capsys):
    names = {"x": 1, "y": 2}
    cases = [make_case(Contestant("xpdl", "x + y", names), Contestant("numpy", "x + y", names))]
    monkeypatch.setitem(command.SECTIONS, "operators", lambda: iter(cases))
    assert command.main(["--quick", "--json", "--section", "operators"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["measurements"]
    assert (row["section"], row["label"], row["size"]) == ("operators", "x + y", "4")
    assert row["nanoseconds"].keys() == {"xpdl", "numpy"}


def test_command_with_an_unknown_section_exits_with_two(capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["--section", "plumbing"])
    assert ended.value.code == 2
    assert "invalid choice: 'plumbing'" in capsys.readouterr().err
