"""The measurements as text: a table for each section, and the targets with what was reached."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.timing import Measurement

__all__ = ["TARGETS", "Target", "render_section", "render_targets"]


@dataclass(frozen=True)
class Target:
    """The highest ratio of xpdl to a peer that a call may have."""

    section: str
    label: str
    size: str
    peer: str
    highest: float


TARGETS = (
    Target("operators", "x + y", "4", "numpy", 1.25),
    Target("exchange", "from_dlpack(torch array)", "4", "numpy", 0.25),
)


def render_section(section: str, measurements: Sequence[Measurement]) -> str:
    """One row for each case: nanoseconds by library, and xpdl's ratio to each of the others."""
    chosen = [m for m in measurements if m.case.section == section]
    if not chosen:
        return f"{section}: nothing measured"
    peers = list(dict.fromkeys(peer for m in chosen for peer in m.ratios))
    header = ["call", "size", "xpdl ns", *(f"{p} ns" for p in peers), *(f"/ {p}" for p in peers)]
    rows = [
        [
            m.case.label,
            m.case.size,
            f"{m.nanoseconds['xpdl']:.0f}",
            *(f"{m.nanoseconds[p]:.0f}" if p in m.nanoseconds else "-" for p in peers),
            *(f"{m.ratios[p]:.2f}" if p in m.ratios else "-" for p in peers),
        ]
        for m in chosen
    ]
    return "\n".join([section, *_aligned([header, *rows]), *_summary(chosen, peers)])


def render_targets(measurements: Sequence[Measurement]) -> str:
    """Each target that was measured, with its ratio and whether that is within it."""
    found = {(m.case.section, m.case.label, m.case.size): m.ratios for m in measurements}
    rows = [["target", "size", "highest", "measured", ""]]
    for target in TARGETS:
        ratio = found.get((target.section, target.label, target.size), {}).get(target.peer)
        measured = "-" if ratio is None else f"{ratio:.2f}"
        verdict = (
            "not measured" if ratio is None else ("met" if ratio <= target.highest else "MISSED")
        )
        label = f"{target.label} / {target.peer}"
        rows.append([label, target.size, f"{target.highest:.2f}", measured, verdict])
    return "\n".join(_aligned(rows))


def _summary(measurements: Sequence[Measurement], peers: Sequence[str]) -> list[str]:
    """For each size and peer, the geometric mean of the ratios and the highest of them."""
    lines = []
    for size in dict.fromkeys(m.case.size for m in measurements):
        for peer in peers:
            ratios = {
                m.case.label: m.ratios[peer]
                for m in measurements
                if m.case.size == size and peer in m.ratios
            }
            if ratios:
                mean = statistics.geometric_mean(ratios.values())
                worst = max(ratios, key=lambda label: ratios[label])
                lines.append(
                    f"  size {size}: xpdl / {peer} {mean:.2f} in the geometric mean, "
                    f"at most {ratios[worst]:.2f} ({worst})"
                )
    return lines


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows as lines, the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
