"""The instruction counts: when they are not made, what is compared, and what is recorded."""

import shutil

import pytest

from benchmarks import instructions

FIRST = instructions.PATHS[0]


@pytest.fixture
def counted(monkeypatch, tmp_path):
    """Pretend that every call of xpdl takes ``ratio`` times the 1000 instructions of its peer."""

    def pretend(ratio):
        monkeypatch.setattr(instructions, "count", lambda s: [1000 * ratio, 1000.0] * (len(s) // 2))

    monkeypatch.setattr(instructions, "reason_not_to_run", lambda: None)
    monkeypatch.setattr(instructions, "TABLE", tmp_path / "table.csv")
    monkeypatch.setattr(instructions.sys, "argv", ["instructions", "--record"])
    pretend(1.2)
    assert instructions.main() == 0
    monkeypatch.setattr(instructions.sys, "argv", ["instructions"])
    return pretend


def test_counts_without_valgrind_are_not_run_and_say_so(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert instructions.main() == 0
    assert capsys.readouterr().out == "NOT RUN: valgrind is not installed\n"


@pytest.mark.parametrize(("ratio", "status"), [(1.0, 0), (1.2, 0), (1.31, 0), (1.33, 1)])
def test_ratio_may_exceed_the_recorded_one_by_a_tenth(counted, capsys, ratio, status):
    counted(ratio)
    assert instructions.main() == status
    assert ("EXCEEDED" in capsys.readouterr().out) == bool(status)


def test_counts_under_other_versions_are_not_compared(counted, monkeypatch, capsys):
    counted(9.0)
    monkeypatch.setattr(instructions, "versions", lambda: "Python 2.7")
    assert instructions.main() == 0
    assert "NOT RUN: the bounds hold for other versions than Python 2.7" in capsys.readouterr().out


def test_recorded_table_has_every_hot_path():
    table = instructions.read_table()
    assert set(table) == {"versions", *(path.statement for path in instructions.PATHS)}
    assert 0.9 < float(table[FIRST.statement]) < 1.2


def test_total_is_read_from_either_line_of_callgrind():
    assert instructions.total_of("events: Ir\nsummary: 12\n") == 12
    assert instructions.total_of("events: Ir\ntotals: 34\n") == 34
    with pytest.raises(RuntimeError, match="no total"):
        instructions.total_of("events: Ir\n")
