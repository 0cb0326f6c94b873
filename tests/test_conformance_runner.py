"""The conformance runner without the suite: its parts, and a report in place of a pytest run."""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conformance import __main__ as command, runs as running, suite as obtaining
from conformance.report import MARK, render_report, totals_line, write_report
from conformance.runs import Outcome, Result, Run, RunError

RUN = Run("seed 0", "xpdl", "cpu", 0, 30)
FILE = "array_api_tests/test_fft.py"
SOURCE = "/suite/array_api_tests/test_fft.py"


def phases(outcome, **call):
    """A test of a report whose call phase has ``outcome``."""
    passed = {"outcome": "passed"}
    return {"outcome": outcome, "setup": passed, "call": {"outcome": outcome} | call}


def skipped(reason):
    """A test of a report that is skipped before its call."""
    told = f"('{SOURCE}', 12, 'Skipped: {reason}')"
    return {"outcome": "skipped", "setup": {"outcome": "skipped", "longrepr": told}}


@pytest.mark.parametrize(
    ("test", "kind", "reason"),
    [
        (phases("passed"), "passed", ""),
        (phases("failed", crash={"message": "AssertionError: out=1\nassert 0"}), "failed",
         "AssertionError: out=1"),
        (phases("failed", longrepr="it broke\nhere"), "failed", "it broke"),
        (phases("failed", crash={"message": ""}), "failed", ""),
        ({"outcome": "error", "setup": {"outcome": "failed", "longrepr": "no fixture"}}, "failed",
         "no fixture"),
        (skipped("flaky"), "skipped", "flaky"),
        (skipped("linalg not found in array module"), "skipped",
         "linalg not found in array module"),
    ],
)  # fmt: skip
def test_outcomes_from_report_give_kind_and_reason(test, kind, reason):
    report = {"tests": [{"nodeid": f"{FILE}::test_a"} | test]}
    assert running.outcomes_from(report) == (Outcome(f"{FILE}::test_a", kind, reason),)


@pytest.mark.parametrize(
    ("test", "chapter"),
    [
        (f"{FILE}::test_ifft", "fft"),
        ("array_api_tests/test_special_cases.py::test_unary[a::b/c.py]", "special_cases"),
        ("array_api_tests/test_inspection_functions.py::TestInspection::test_devices",
         "inspection_functions"),
    ],
)  # fmt: skip
def test_chapter_of_outcome_is_its_file(test, chapter):
    assert Outcome(test, "passed").chapter == chapter


def make_result(label="seed 0", *, failed=0, lacking=0, special=False):
    """Two passed tests and one that the suite skips, and as many others as asked for."""
    run = Run(label, "xpdl", "cpu", 0, 30, special_cases_only=special)
    outcomes = [
        Outcome(f"{FILE}::test_fft", "passed"),
        Outcome("array_api_tests/test_linalg.py::test_qr", "passed"),
        Outcome(f"{FILE}::test_rfft", "skipped", "flaky"),
    ]
    outcomes += [Outcome(f"{FILE}::test_bad[{n}]", "failed", "why") for n in range(failed)]
    outcomes += [Outcome(f"{FILE}::test_none[{n}]", "skipped", "no fft") for n in range(lacking)]
    return Result(run, tuple(outcomes), 2.6)


def test_counts_of_result_are_by_kind_and_chapter():
    result = make_result(failed=2)
    assert result.counts() == {"passed": 2, "failed": 2, "skipped": 1}
    assert result.counts("linalg") == {"passed": 1}
    assert [o.test for o in result.failures] == [f"{FILE}::test_bad[0]", f"{FILE}::test_bad[1]"]


def test_lacking_of_result_leaves_out_what_the_suite_skips():
    assert make_result().lacking == []
    assert [o.reason for o in make_result(lacking=1).lacking] == ["no fft"]


def test_command_of_run_hides_skips_and_xfails_files():
    arguments = running.command_from(RUN, Path("r.json"))
    assert {f"--skips-file={os.devnull}", f"--xfails-file={os.devnull}"} <= set(arguments)
    assert {"--max-examples=30", "--hypothesis-seed=0", "--json-report-file=r.json"} <= set(
        arguments
    )


@pytest.mark.parametrize(
    ("special", "path"),
    [(False, "array_api_tests/"), (True, "array_api_tests/test_special_cases.py")],
)
def test_command_of_run_names_the_tests(special, path):
    run = Run("a", "xpdl", "cpu", 0, 30, special_cases_only=special)
    assert running.command_from(run, Path("r.json"))[3] == path


def test_environment_of_run_has_only_its_own_settings(monkeypatch, tmp_path):
    monkeypatch.setenv("ARRAY_API_TESTS_SKIP_DTYPES", "uint16")
    monkeypatch.setenv("ARRAY_API_TESTS_MODULE", "numpy")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing")
    environment = running.environment_from(Run("a", "xpdl", "cuda:1", 0, 30), tmp_path)
    assert environment["ARRAY_API_TESTS_MODULE"] == "xpdl"
    assert environment["ARRAY_API_TESTS_VERSION"] == "2025.12"
    assert environment["XPDL_DEVICE"] == "cuda:1"
    assert environment["PYTHONPATH"].split(os.pathsep)[0] == str(running.PROJECT)
    assert not {"ARRAY_API_TESTS_SKIP_DTYPES", "PYTEST_ADDOPTS"} & environment.keys()


def test_environment_of_a_peer_has_what_it_needs(monkeypatch, tmp_path):
    monkeypatch.delenv("XPDL_DEVICE", raising=False)
    monkeypatch.delenv("JAX_ENABLE_X64", raising=False)
    environment = running.environment_from(Run("a", "jax.numpy", "cpu", 0, 30), tmp_path)
    assert environment["JAX_ENABLE_X64"] == "1"
    assert "XPDL_DEVICE" not in environment


def replace_pytest(monkeypatch, status, report):
    """Let each run write ``report`` and end with ``status`` instead of running pytest."""
    script = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2])"
    writing = script if report is not None else "import sys"
    program = f"{writing}; print('last words'); sys.exit({status})"

    def command_from(run, path):
        return [sys.executable, "-c", program, str(path), json.dumps(report)]

    monkeypatch.setattr(running, "command_from", command_from)


@pytest.mark.parametrize("jobs", [1, 3])
def test_run_all_gives_a_result_for_each_run(monkeypatch, tmp_path, jobs):
    replace_pytest(monkeypatch, 1, {"tests": [{"nodeid": f"{FILE}::test_a"} | phases("passed")]})
    runs = [Run(f"seed {n}", "xpdl", "cpu", n, 30) for n in range(3)]
    results = list(running.run_all(tmp_path, runs, jobs))
    assert sorted(result.run.label for result in results) == ["seed 0", "seed 1", "seed 2"]
    assert all(result.counts() == {"passed": 1} for result in results)


@pytest.mark.parametrize(
    ("status", "report"), [(0, None), (0, {"tests": []}), (4, None), (-11, None)]
)
def test_run_all_without_results_raises_with_what_pytest_said(
    monkeypatch, tmp_path, status, report
):
    replace_pytest(monkeypatch, status, report)
    if status < 0:
        dying = f"import os; print('last words', flush=True); os.kill(os.getpid(), {-status})"
        monkeypatch.setattr(running, "command_from", lambda *_: [sys.executable, "-c", dying])
    expected = rf"^seed 0: pytest ended with {status}\nlast words"
    with pytest.raises(RunError, match=expected):
        list(running.run_all(tmp_path, [RUN], 1))


def test_totals_line_of_results_adds_them_up():
    assert totals_line([make_result(failed=1), make_result()]) == "4 passed, 1 failed, 2 skipped"


def test_report_of_results_has_runs_chapters_and_failures():
    results = [
        make_result("seed 0", failed=1),
        make_result("seed 1", failed=2),
        make_result("special cases 1", special=True),
        make_result("special cases 2", special=True),
    ]
    text = render_report(results, "numpy", "cpu", "55fcc60", "python -m conformance")
    runs, chapters, failures = text.split("\n### ")
    assert (
        runs.splitlines()[0] == "## Conformance of numpy to the Python array API standard 2025.12"
    )
    assert "    python -m conformance" in runs
    assert [line for line in runs.splitlines() if line.startswith("| s")] == [
        "| seed 0 | 30 | 2 | 1 | 1 | 3 |",
        "| seed 1 | 30 | 2 | 2 | 1 | 3 |",
        "| special cases, 2 times | mostly 1 | 4 | 0 | 2 | 5 |",
    ]
    assert chapters.splitlines()[-5:] == [
        "| chapter | seed 0 | seed 1 |",
        "| --- | --- | --- |",
        "| fft | 1 / 1 / 1 | 1 / 2 / 1 |",
        "| linalg | 1 / 0 / 0 | 1 / 0 / 0 |",
        "| all | 2 / 1 / 1 | 2 / 2 / 1 |",
    ]
    assert failures.splitlines() == [
        "Failures (2)",
        "",
        f"- `{FILE}::test_bad[0]`: why (seed 0, seed 1)",
        f"- `{FILE}::test_bad[1]`: why (seed 1)",
    ]


def test_report_of_a_lacking_module_lists_what_was_skipped_for_that():
    text = render_report([make_result(lacking=1)], "numpy", "cpu", "55fcc60", "c")
    assert text.endswith(f"(1)\n\n- `{FILE}::test_none[0]`: no fft (every run)\n")


@pytest.mark.parametrize(
    ("page", "written"),
    [
        (None, "new\n"),
        ("old\n", "new\n"),
        (f"# Page\n\n{MARK}\n\nold\n", f"# Page\n\n{MARK}\n\nnew\n"),
    ],
)
def test_report_when_written_replaces_what_is_below_the_mark(tmp_path, page, written):
    path = tmp_path / "page.md"
    if page is not None:
        path.write_text(page)
    write_report(path, "new\n")
    assert path.read_text() == written


@pytest.fixture
def suite(tmp_path):
    """A folder that looks like a checkout of the suite."""
    (tmp_path / "array_api_tests").mkdir()
    (tmp_path / "array-api/spec/2025.12").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def ready(monkeypatch):
    """The command line with its requirements met and two good runs in place of real ones."""
    monkeypatch.setattr(command, "REQUIRED", ())
    results = [make_result("seed 0"), make_result("seed 1")]
    monkeypatch.setattr(command, "run_all", lambda suite, runs, jobs: iter(results[: len(runs)]))
    monkeypatch.setattr(command, "runs_from", lambda options: [r.run for r in results])
    return results


def test_main_with_passing_runs_writes_the_report_and_gives_zero(suite, ready, tmp_path, capsys):
    output = tmp_path / "report.md"
    assert command.main(["--suite", str(suite), "--output", str(output)]) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("\n\n4 passed, 0 failed, 2 skipped\n")
    assert output.read_text() in printed
    assert f"    python -m conformance --suite {suite} --output {output}\n" in printed


@pytest.mark.parametrize("flaw", [{"failed": 1}, {"lacking": 1}])
def test_main_with_a_flaw_in_one_run_gives_one(suite, ready, flaw):
    ready[1] = make_result("seed 1", **flaw)
    assert command.main(["--suite", str(suite)]) == 1


def test_main_without_a_suite_gives_two_and_says_what_is_missing(ready, tmp_path, capsys):
    assert command.main(["--suite", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"conformance: {tmp_path} is no checkout of the suite: it has no array_api_tests\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--module", "numpy", "--device", "cuda:0"], "--device needs --module xpdl"),
        (["--device", "cuda:9999"], "--device: device "),
        (["--device", "tpu"], "--device: device must be 'cpu', 'cuda' or 'cuda:<id>', got 'tpu'"),
        (["--jobs", "0"], "argument -n/--jobs: invalid positive value: '0'"),
        (["--seeds", "one"], "argument --seeds: invalid int value: 'one'"),
    ],
)
def test_main_with_a_wrong_command_line_exits_with_two(arguments, message, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(arguments)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_main_without_its_requirements_exits_with_two(monkeypatch, capsys):
    monkeypatch.setattr(command, "REQUIRED", ("no_such_package",))
    with pytest.raises(SystemExit) as ended:
        command.main([])
    assert ended.value.code == 2
    assert "not installed: no_such_package" in capsys.readouterr().err


def test_runs_from_options_are_a_run_for_each_seed_and_repeat():
    options = argparse.Namespace(
        module="xpdl", device="cpu", max_examples=200, seeds=[0, 2], special_cases=2
    )
    runs = command.runs_from(options)
    assert [(r.label, r.special_cases_only) for r in runs] == [
        ("seed 0", False),
        ("seed 2", False),
        ("special cases 1", True),
        ("special cases 2", True),
    ]
    assert len({r.seed for r in runs}) == 4
    assert {r.max_examples for r in runs} == {200}


def git(folder, *arguments):
    """What git prints in ``folder``, with an author of its own."""
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    done = subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def make_repository(folder, path):
    """A repository with two commits, the first with a file at ``path``: the first's name."""
    (folder / path).parent.mkdir(parents=True)
    git(folder, "init", "--quiet")
    (folder / path).write_text("pinned")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "pinned")
    commit = git(folder, "rev-parse", "HEAD")
    (folder / path).write_text("later")
    git(folder, "commit", "--quiet", "-am", "later")
    return commit


@pytest.fixture
def pinned(monkeypatch, tmp_path):
    """Local repositories in place of the two pinned ones; the cache folder."""
    for name, path in [
        ("SUITE", "array_api_tests/test_a.py"),
        ("SPECIFICATION", "spec/2025.12/index.md"),
    ]:
        source = tmp_path / name
        source.mkdir()
        monkeypatch.setattr(obtaining, f"{name}_SOURCE", str(source))
        monkeypatch.setattr(obtaining, f"{name}_COMMIT", make_repository(source, path))
    cache = tmp_path / "cache" / "suite"
    monkeypatch.setenv("XPDL_CONFORMANCE_CACHE", str(cache))
    return cache


def test_obtain_suite_into_an_empty_cache_checks_out_the_pins(pinned):
    assert obtaining.obtain_suite(None) == pinned
    assert (pinned / "array_api_tests/test_a.py").read_text() == "pinned"
    assert (pinned / "array-api/spec/2025.12/index.md").read_text() == "pinned"
    assert obtaining.describe_revision(pinned) == obtaining.SUITE_COMMIT[:7]


def test_obtain_suite_from_a_full_cache_needs_no_source(pinned, monkeypatch):
    obtaining.obtain_suite(None)
    monkeypatch.setattr(obtaining, "SUITE_SOURCE", "nowhere")
    monkeypatch.setattr(obtaining, "SPECIFICATION_SOURCE", "nowhere")
    assert obtaining.obtain_suite(None) == pinned


def test_obtain_suite_with_another_commit_checked_out_returns_to_the_pin(pinned):
    obtaining.obtain_suite(None)
    git(pinned, "commit", "--quiet", "--allow-empty", "-m", "moved on")
    obtaining.obtain_suite(None)
    assert git(pinned, "rev-parse", "HEAD") == obtaining.SUITE_COMMIT


def test_obtain_suite_after_an_interrupted_clone_goes_on(pinned):
    pinned.mkdir(parents=True)
    git(pinned, "init", "--quiet")
    assert obtaining.obtain_suite(None) == pinned


def test_obtain_suite_without_its_source_says_what_git_said(pinned, monkeypatch):
    monkeypatch.setattr(obtaining, "SUITE_SOURCE", str(pinned / "nowhere"))
    with pytest.raises(obtaining.SuiteError, match=r"^git fetch in .*nowhere"):
        obtaining.obtain_suite(None)


def test_revision_of_a_changed_checkout_says_so(pinned):
    obtaining.obtain_suite(None)
    (pinned / "array_api_tests/test_a.py").write_text("changed")
    assert obtaining.describe_revision(pinned) == f"{obtaining.SUITE_COMMIT[:7]}, modified"


def test_revision_of_a_folder_without_git_is_unknown(tmp_path):
    assert obtaining.describe_revision(tmp_path) == "unknown revision"
