"""The measurements as text, as Markdown for the documentation, and as JSON."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from benchmarks.anatomy import INSIDE
from benchmarks.operands import SIZES
from benchmarks.reasons import REASONS
from benchmarks.targets import STANDARD, TARGETS, Reached, Target, ratios, reached
from benchmarks.timing import Measurement

__all__ = ["MARK", "json_from", "render_markdown", "render_text", "told"]

MARK = "<!-- `python -m benchmarks --output` writes what is below this line. -->"

Table = list[list[str]]
SCALES = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"))
SHOWN_ABOVE = 6  # of what misses a target; the tables have the rest


def told(value: float, unit: str) -> str:
    """A figure in three digits, nanoseconds in the unit that suits them."""
    if unit == "ns":
        value, unit = next(((value / s, u) for s, u in SCALES if value >= s), (value, unit))
    number = f"{value:.2f}" if not unit or (abs(value) < 10 and value % 1) else f"{value:.0f}"
    return f"{number} {unit}".rstrip()


# ------------------------------------------------------------------------------------- tables


def targets_table(measurements: Sequence[Measurement]) -> Table:
    """Target, highest figure, figure reached, verdict; a target without figures is not measured."""
    rows = [["target", "at most", "measured", "met"]]
    for target in TARGETS:
        got = reached(target, measurements)
        highest = told(target.highest, target.unit)
        measured = "-" if got is None else told(got.value, target.unit)
        met = got is not None and got.value <= target.highest
        verdict = "not measured" if got is None else "yes" if met else _missed(target, got)
        if target.otherwise is not None:
            other = reached(target.otherwise, measurements)
            highest += f", or {told(target.otherwise.highest, '')} {target.otherwise.text}"
            if other is not None:
                measured += f", {told(other.value, '')}"
                verdict = "yes" if met or other.value <= target.otherwise.highest else verdict
        rows.append([target.text, highest, measured, verdict])
    return rows


def _missed(target: Target, got: Reached) -> str:
    """By how much a target is missed, and which calls miss it, the worst first."""
    if not target.highest:
        return f"no: {told(got.value - target.highest, target.unit)} more"
    text = f"no: {got.value / target.highest - 1:+.0%}"
    if len(got.above) > 1 or got.worst not in target.text:
        named = [f"`{label}` {told(v, target.unit)}" for label, v in got.above.items()]
        more = len(named) - SHOWN_ABOVE
        text += "; " * bool(named) + ", ".join(named[:SHOWN_ABOVE])
        text += f" and {more} more" if more > 0 else ""
    return text


def means_table(measurements: Sequence[Measurement]) -> Table:
    """For each section with NumPy beside xpdl, the geometric mean and the highest at each size."""
    held = [m for m in measurements if "numpy" in m.ratios and m.section not in UNCOUNTED]
    sizes = [size for size in SIZES if any(m.size == size for m in held)]
    rows = [["section", *sizes]]
    for section in dict.fromkeys(m.section for m in held):
        found = [ratios((section,), size)(held) for size in sizes]
        rows.append([section, *(
            f"{statistics.geometric_mean(f.values()):.2f}, up to {max(f.values()):.2f}" if f
            else "-" for f in found
        )])  # fmt: skip
    return rows


# Sections in which a size is no number of elements, or a contestant is no library.
UNCOUNTED = {"growth", "imports", "memory", "anatomy", "exchange", "namespaces"}


def details_table(section: str, measurements: Sequence[Measurement]) -> Table:
    """A row for each case: what each contestant took, xpdl's ratios, and their quartiles."""
    chosen = [m for m in measurements if m.section == section]
    libraries = list(dict.fromkeys(name for m in chosen for name in m.values))
    peers = [name for name in libraries if any(name in m.ratios for m in chosen)]
    rows = [["call", "size", *libraries, *(f"/ {peer}" for peer in peers)]]
    for m in chosen:
        values = [told(m.values[n], m.unit) if n in m.values else "-" for n in libraries]
        found = [_ratio(m, peer) if peer in m.ratios else "-" for peer in peers]
        rows.append([m.label, m.size, *values, *found])
    return rows


def _ratio(m: Measurement, peer: str) -> str:
    low, high = m.spread[peer]
    return f"{m.ratios[peer]:.2f} ({low:.2f}-{high:.2f})"


def sizes_table(section: str, measurements: Sequence[Measurement]) -> Table:
    """A row for each call: nanoseconds at the smallest size, and the ratio at each."""
    chosen = [m for m in measurements if m.section == section]
    sizes = list(dict.fromkeys(m.size for m in chosen))
    rows = [["call", *sizes]]
    for label in dict.fromkeys(m.label for m in chosen):
        at = {m.size: m for m in chosen if m.label == label}
        rows.append([f"`{label}`", *(_cell(at.get(size)) for size in sizes)])
    return rows


def _cell(m: Measurement | None) -> str:
    """xpdl's time, and its ratio to the first peer."""
    if m is None:
        return "-"
    time = told(m.values["xpdl"], m.unit)
    return f"{time}, {next(iter(m.ratios.values())):.2f}" if m.ratios else time


def libraries_table(section: str, measurements: Sequence[Measurement]) -> Table:
    """A row for each call, a column for each library."""
    chosen = [m for m in measurements if m.section == section]
    libraries = list(dict.fromkeys(name for m in chosen for name in m.values))
    rows = [["call", "size", *libraries]]
    for m in chosen:
        cells = [told(m.values[name], m.unit) if name in m.values else "-" for name in libraries]
        rows.append([f"`{m.label}`", m.size, *cells])
    return rows


def anatomy_table(measurements: Sequence[Measurement]) -> Table:
    """A row for each kind of call: what it takes, what of that is NumPy's, what others take."""
    rows = [["what", "xpdl's call", "of that NumPy's", "xpdl's own", "beside it"]]
    for m in measurements:
        if m.section == "anatomy":
            call, *others = m.values
            inner = INSIDE.get(call)
            own = m.values[call] - m.values[inner] if inner in m.values else None
            rows.append([
                m.label,
                _step(m, call),
                "-" if own is None else _step(m, str(inner)),
                "-" if own is None else told(own, m.unit),
                ", ".join(_step(m, other) for other in others if other != inner) or "-",
            ])  # fmt: skip
    return rows


def _step(m: Measurement, call: str) -> str:
    return f"`{call}` {told(m.values[call], m.unit)}"


def reasons_table(measurements: Sequence[Measurement]) -> Table:
    """What takes more than 1.25 times NumPy's function at four elements, and why."""
    found = ratios((*STANDARD, "beyond-the-standard"), "4")(measurements)
    slow = {k: v for k, v in sorted(found.items(), key=lambda item: -item[1]) if v > 1.25}
    rows = [["call", "ratio", "why"]]
    return rows + [
        [f"`{label}`", f"{ratio:.2f}", REASONS.get(label, "no reason is known")]
        for label, ratio in slow.items()
    ]


# ------------------------------------------------------------------------------------ outputs


def render_text(
    sections: Sequence[str], measurements: Sequence[Measurement], notes: Sequence[str]
) -> str:
    """Every case of every section, the means, and the targets at the end."""
    tables = [
        f"{section}\n{_aligned(details_table(section, measurements))}"
        for section in sections
        if any(m.section == section for m in measurements)
    ]
    means = means_table(measurements)
    if means[1:]:
        tables.append(f"xpdl / numpy, geometric mean and highest\n{_aligned(means)}")
    return "\n\n".join([*tables, *notes, f"targets\n{_aligned(targets_table(measurements))}"])


def render_markdown(
    command: str,
    versions: Mapping[str, str],
    measurements: Sequence[Measurement],
    notes: Sequence[str],
) -> str:
    """The figures of a run as a part of docs/performance.md."""
    setting = "\n".join(f"- {name} {version}" for name, version in versions.items())
    chapters: list[tuple[str, Table]] = [
        ("Targets", targets_table(measurements)),
        ("Where the time goes", anatomy_table(measurements)),
        ("Slower than 1.25 times NumPy", reasons_table(measurements)),
        ("Geometric means beside NumPy", means_table(measurements)),
    ]
    layouts: dict[str, Callable[[str, Sequence[Measurement]], Table]] = dict.fromkeys(
        ("exchange", "namespaces", "imports", "memory"), libraries_table
    )
    measurements = [_by_what_grows(m) for m in measurements]
    for section in dict.fromkeys(m.section for m in measurements):
        if section != "anatomy":
            layout = layouts.get(section, sizes_table)
            chapters.append((_title(section), layout(section, measurements)))
    parts = ["## Figures of the last run", f"    {command}", setting, *notes]
    parts += [f"### {title}\n\n{_markdown(table)}" for title, table in chapters if table[1:]]
    return "\n\n".join(parts) + "\n"


def _title(section: str) -> str:
    return section.replace("-", " ").capitalize()


def _by_what_grows(m: Measurement) -> Measurement:
    """Growth in a section for each thing that grows, so that a table has only its numbers."""
    if m.section != "growth":
        return m
    grows, _, call = m.label.partition(": ")
    return replace(m, section=f"growth with {grows}", label=call)


def json_from(
    versions: Mapping[str, str], measurements: Sequence[Measurement], notes: Sequence[str]
) -> dict[str, object]:
    """The same figures for a machine to read."""
    header, *rows = targets_table(measurements)
    return {
        "versions": dict(versions),
        "measurements": [vars(m) for m in measurements],
        "notes": list(notes),
        "targets": [dict(zip(header, row, strict=True)) for row in rows],
    }


def _aligned(rows: Table) -> str:
    """The rows as lines, the first and the last column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    last = len(widths) - 1
    return "\n".join(
        "  ".join(
            cell.ljust(width) if index in (0, last) else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _markdown(rows: Table) -> str:
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    escaped = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join("| " + " | ".join(line) + " |" for line in escaped)
