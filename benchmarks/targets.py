"""The targets: the highest figures that a run may have, and what it had."""

import statistics
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.memory import CALLS
from benchmarks.pairs import PAIRS
from benchmarks.reasons import REASONS
from benchmarks.statements import READS_BY_ARRAYS, READS_BY_SLICES, WRITES
from benchmarks.timing import Measurement

__all__ = ["TARGETS", "Reached", "Target", "reached"]

Figures = Callable[[Sequence[Measurement]], Mapping[str, float]]

STANDARD = tuple(section for section in PAIRS if section != "beyond-the-standard")
# What passes over a million elements takes longer than this, in nanoseconds.
PASSING = 20_000
EXCHANGED = ("xp.from_dlpack(n)", "x.__dlpack__()")


@dataclass(frozen=True)
class Target:
    """``highest`` for each of ``figures``, or for their geometric mean; or else another target."""

    text: str
    figures: Figures
    highest: float
    unit: str = ""
    mean: bool = False
    otherwise: "Target | None" = None


@dataclass(frozen=True)
class Reached:
    """The figure to be held against the target; ``above`` are those beyond it, the worst first."""

    value: float
    worst: str
    above: Mapping[str, float]


def ratios(
    sections: Collection[str],
    size: str,
    peer: str = "numpy",
    labels: Collection[str] | None = None,
    without: Collection[str] = (),
    above: float = 0,
) -> Figures:
    """xpdl's ratios to ``peer`` in these sections at this size, by label.

    Those calls are left out that take both less than ``above`` nanoseconds.
    """

    def found(measurements: Sequence[Measurement]) -> Mapping[str, float]:
        return {
            m.label: m.ratios[peer]
            for m in measurements
            if m.section in sections and m.size == size and peer in m.ratios
            and (labels is None or m.label in labels) and m.label not in without
            and max(m.values["xpdl"], m.values[peer]) >= above
        }  # fmt: skip

    return found


def values(
    section: str, labels: Collection[str] | str, library: str = "xpdl", scale: float = 1
) -> Figures:
    """A library's own figures for ``labels``, or for those that begin with that text."""

    def found(measurements: Sequence[Measurement]) -> Mapping[str, float]:
        return {
            m.label: m.values[library] / scale
            for m in measurements
            if m.section == section
            and (m.label.startswith(labels) if isinstance(labels, str) else m.label in labels)
        }

    return found


def growths(
    grows: str, first: int, last: int, calls: Collection[str], beside_numpy: bool, added: bool
) -> Figures:
    """How often as long a call takes for ``last`` as for ``first``; with ``added`` by how much.

    ``beside_numpy`` divides that by the same figure of NumPy's.
    """

    def found(measurements: Sequence[Measurement]) -> Mapping[str, float]:
        held = {(m.label, m.size): m.values for m in measurements if m.section == "growth"}
        grown = {}
        for call in calls:
            label = f"{grows}: {call}"
            low, high = held.get((label, str(first))), held.get((label, str(last)))
            if low is not None and high is not None:
                each = {k: high[k] - low[k] if added else high[k] / low[k] for k in low}
                grown[call] = each["xpdl"] / each["numpy"] if beside_numpy else each["xpdl"]
        return grown

    return found


def excess(measurements: Sequence[Measurement]) -> Mapping[str, float]:
    """Milliseconds by which ``import xpdl`` takes longer than ``import numpy``."""
    found = [m.values for m in measurements if (m.section, m.label) == ("imports", "import")]
    return {"import": (found[0]["xpdl"] - found[0]["numpy"]) / 1e6} if found else {}


def exchange(label: str, peer: str) -> Figures:
    return ratios(("exchange",), "4", peer, (label,))


CALLED = ("operators", "elementwise")

TARGETS = (
    Target("operators and elementwise functions, 4 elements: each", ratios(CALLED, "4"), 1.12),
    Target("… their geometric mean", ratios(CALLED, "4"), 1.06, mean=True),
    Target("… 0-d: each", ratios(CALLED, "0-d"), 1.20),
    Target("all functions of the standard, 4 elements: geometric mean", ratios(STANDARD, "4"),
           0.95, mean=True),
    Target("… each that has no reason below", ratios(STANDARD, "4", without=REASONS), 1.25),
    Target("… 1,000,000 elements, where either takes 20 µs or more: geometric mean",
           ratios(STANDARD, "1000000", above=PASSING), 1.01, mean=True),
    Target("… each", ratios(STANDARD, "1000000", above=PASSING), 1.05),
    Target("reading by masks and integer arrays, 4 elements: each",
           ratios(("indexing",), "4", labels=READS_BY_ARRAYS), 1.15),
    Target("assignment, 4 elements: each", ratios(("indexing",), "4", labels=WRITES), 1.15),
    Target("slices, 4 elements: each", ratios(("indexing",), "4", labels=READS_BY_SLICES), 1.35),
    Target("`x[1]`, where NumPy has a scalar", ratios(("indexing",), "4", labels=("v[1]",)), 3.0),
    Target("`xp.asarray(ndarray)`", values("indexing", ("asarray(n)",)), 60, "ns"),
    Target("`xp.from_dlpack(tensor of torch)` beside tvm-ffi's",
           exchange("from_dlpack(torch)", "tvm_ffi"), 1.15),
    Target("… beside NumPy's", exchange("from_dlpack(torch)", "numpy"), 0.10),
    Target("`xp.from_dlpack(ndarray)` beside NumPy's",
           exchange("from_dlpack(numpy)", "numpy"), 1.0),
    Target("`xp.from_dlpack(Array)`", values("exchange", ("from_dlpack(xpdl)",)), 60, "ns",
           otherwise=Target("beside NumPy's", exchange("from_dlpack(xpdl)", "numpy"), 0.5)),
    Target("`x.__dlpack__()` beside ndarray's", exchange("x.__dlpack__()", "numpy"), 1.2),
    Target("… versioned", exchange("x.__dlpack__(max_version=(1, 3))", "numpy"), 1.2),
    Target("a call of tvm-ffi with an Array beside one with a tensor of torch",
           exchange("call of a tvm-ffi function", "torch"), 1.1),
    Target("views and exchanges of 1,000,000 elements beside one: each",
           growths("size", 1, 1_000_000, ("x[...]", "xp.reshape(x, (1, -1))", *EXCHANGED),
                   beside_numpy=False, added=False), 1.1),
    Target("what 63 more dimensions add, beside what they add for NumPy: each",
           growths("ndim", 1, 64,
                   ("x[...]", "xp.from_dlpack(n)", "x.__dlpack__(max_version=(1, 3))"),
                   beside_numpy=True, added=True), 1.1),
    Target("exchanges by eight threads beside one, and this beside NumPy's: each",
           growths("threads", 1, 8, EXCHANGED, beside_numpy=True, added=False), 1.1),
    Target("`import xpdl` beyond `import numpy`", excess, 20, "ms"),
    Target("libraries that it imports beside NumPy",
           values("imports", ("libraries imported beside NumPy",)), 0, "libraries"),
    Target("an Array beside its NumPy array",
           values("memory", ("an Array beside its NumPy array",), "beside"), 80, "bytes"),
    Target("a view or an exchange of 1 GB allocates: each", values("memory", CALLS), 1000, "bytes"),
    Target("resident memory after a million calls of all kinds: each grows by",
           values("memory", "resident after many"), 256, "kB"),
)  # fmt: skip


def reached(target: Target, measurements: Sequence[Measurement]) -> Reached | None:
    """What the measurements have for a target; None where they have nothing."""
    figures = target.figures(measurements)
    if not figures:
        return None
    worst = max(figures, key=lambda label: figures[label])
    value = statistics.geometric_mean(figures.values()) if target.mean else figures[worst]
    above = {k: v for k, v in figures.items() if v > target.highest and not target.mean}
    return Reached(value, worst, dict(sorted(above.items(), key=lambda item: -item[1])))
