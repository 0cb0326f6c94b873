"""The Markdown report: counts per run, counts per chapter, and each failure by name."""

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from conformance.runs import Outcome, Result
from conformance.suite import STANDARD

__all__ = ["MARK", "render_report", "totals_line", "write_report"]

MARK = "<!-- `python -m conformance --output` writes what is below this line. -->"
KINDS = ("passed", "failed", "skipped")
OWN_SKIPPED = "the 5 tests of `test_remainder`"


def render_report(
    results: Sequence[Result], module: str, device: str, revision: str, command: str
) -> str:
    """The report of ``results``, in Markdown; ``revision`` and ``command`` say how to repeat it."""
    parts = [
        f"## Conformance of {module} to the Python array API standard {STANDARD}",
        f"    {command}",
        "\n".join(
            [
                f"- {module} {_version_of(module)} on `{device}`, {_setting()}",
                f"- data-apis/array-api-tests at {revision}, without a skips or an xfails file",
                f"- {totals_line(results)}",
            ]
        ),
        _runs_table(results),
        "Most tests of special cases draw one example in a run, whatever number was asked for: "
        "that file is worth running often.",
        "### Per chapter\n\nPassed / failed / skipped, one chapter for each test file. "
        f"The suite itself always skips {OWN_SKIPPED}.",
        _chapters_table(results),
        _list_of("Failures", [(r, r.failures) for r in results]),
        _list_of("Skipped because the module lacks something", [(r, r.lacking) for r in results]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def write_report(path: Path, report: str, mark: str = MARK) -> None:
    """Write ``report`` to ``path``; in a page that holds the line ``mark``, only below that."""
    page = path.read_text(encoding="utf-8") if path.exists() else ""
    above, mark, _ = page.partition(f"{mark}\n")
    path.write_text(f"{above}{mark}\n{report}" if mark else report, encoding="utf-8")


def totals_line(results: Sequence[Result]) -> str:
    """All runs together: "N passed, N failed, N skipped"."""
    return ", ".join(f"{sum(r.counts()[kind] for r in results)} {kind}" for kind in KINDS)


def _runs_table(results: Sequence[Result]) -> str:
    """A row for each whole run, and one row for all repeats of the special cases together."""
    rows = [
        (r.run.label, str(r.run.max_examples), *_cells([r]))
        for r in results
        if not r.run.special_cases_only
    ]
    repeats = [r for r in results if r.run.special_cases_only]
    if repeats:
        rows.append((f"special cases, {len(repeats)} times", "mostly 1", *_cells(repeats)))
    return _table(("run", "examples", "passed", "failed", "skipped", "seconds"), rows)


def _cells(results: Sequence[Result]) -> tuple[str, ...]:
    counts = (str(sum(r.counts()[kind] for r in results)) for kind in KINDS)
    return (*counts, f"{sum(r.seconds for r in results):.0f}")


def _chapters_table(results: Sequence[Result]) -> str:
    whole = [r for r in results if not r.run.special_cases_only] or list(results)
    chapters = sorted({o.chapter for r in whole for o in r.outcomes})
    rows = [(chapter, *(_counts(r, chapter) for r in whole)) for chapter in chapters]
    rows.append(("all", *(_counts(r, None) for r in whole)))
    return _table(("chapter", *(r.run.label for r in whole)), rows)


def _counts(result: Result, chapter: str | None) -> str:
    counts = result.counts(chapter)
    return f"{counts['passed']} / {counts['failed']} / {counts['skipped']}"


def _list_of(title: str, found: Sequence[tuple[Result, list[Outcome]]]) -> str:
    """Each test once, with the runs in which it was found and the reason of the first."""
    runs: dict[str, list[str]] = {}
    reasons: dict[str, str] = {}
    for result, outcomes in found:
        for outcome in outcomes:
            runs.setdefault(outcome.test, []).append(result.run.label)
            reasons.setdefault(outcome.test, outcome.reason)
    if not runs:
        return ""
    lines = [
        f"- `{test}`: {reasons[test]} "
        f"({'every run' if len(labels) == len(found) else ', '.join(labels)})"
        for test, labels in sorted(runs.items())
    ]
    return f"### {title} ({len(lines)})\n\n" + "\n".join(lines)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _version_of(module: str) -> str:
    """The installed version of the distribution that ``module`` comes from."""
    try:
        return version(module.partition(".")[0])
    except PackageNotFoundError:
        return "(not installed, from its sources)"


def _setting() -> str:
    return (
        f"NumPy {version('numpy')}, hypothesis {version('hypothesis')}, "
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    )
