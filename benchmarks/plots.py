"""The measurements as pictures, for pages that are light or dark."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from benchmarks.pairs import PAIRS
from benchmarks.targets import ratios
from benchmarks.timing import Measurement

__all__ = ["PLOTS", "write_plots"]

# Middle tones on nothing: they stand out from white and from black. Text stays text, and the same
# figures give the same file.
GREY = "#808080"
COLOURS = {
    "xpdl": "#e0662f", "numpy": "#4a90d9", "tvm_ffi": "#3aa676", "torch": "#a879d6",
    "jax": "#c79a2b", "array_api_strict": GREY,
}  # fmt: skip
STYLE = {
    "svg.fonttype": "none", "svg.hashsalt": "xpdl", "font.family": "sans-serif", "font.size": 10,
    "text.color": GREY, "axes.labelcolor": GREY, "axes.edgecolor": GREY, "xtick.color": GREY,
    "ytick.color": GREY, "axes.spines.top": False, "axes.spines.right": False,
    "legend.frameon": False, "axes.titlesize": 10,
}  # fmt: skip


def write_plots(folder: Path, measurements: Sequence[Measurement]) -> list[Path]:
    """Write each picture that the measurements have figures for, as SVG; gives the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with mpl.rc_context(STYLE):
        for name, draw in PLOTS.items():
            figure = draw(measurements)
            if figure is not None:
                written.append(folder / f"{name}.svg")
                figure.savefig(
                    written[-1], transparent=True, bbox_inches="tight", metadata={"Date": None}
                )
    return written


def draw_functions(measurements: Sequence[Measurement]) -> Figure | None:
    """How many of all calls have at most which ratio to NumPy, at each size."""
    sections = ("operators", *PAIRS)
    sizes = {"0-d": "0-d", "4": "4", "1000": "1,000", "1000000": "1,000,000"}
    found = {size: sorted(ratios(sections, size)(measurements).values()) for size in sizes}
    if not any(found.values()):
        return None
    figure, axes = _axes(7, 3.6)
    shades = ("#c79a2b", COLOURS["xpdl"], "#3aa676", COLOURS["numpy"])
    for (size, values), shade in zip(found.items(), shades, strict=True):
        if values:
            shares = [100 * (i + 0.5) / len(values) for i in range(len(values))]
            axes.plot(values, shares, color=shade, label=f"{sizes[size]} elements")
    axes.axvline(1, color=GREY, linewidth=0.8)
    axes.set(
        xscale="log", xlim=(0.2, 5), xlabel="time of xpdl / time of NumPy", ylabel="% of all calls",
        xticks=(0.25, 0.5, 0.8, 1, 1.25, 2, 4),
    )  # fmt: skip
    axes.set_xticklabels(["¼", "½", "0.8", "1", "1.25", "2", "4"])
    axes.minorticks_off()
    axes.legend()
    return figure


def draw_exchange(measurements: Sequence[Measurement]) -> Figure | None:
    """Nanoseconds of importing each library's array, by the library that imports."""
    cases = [m for m in measurements if m.section == "exchange"
             and m.label.startswith("from_dlpack(")]  # fmt: skip
    return _bars([(m.label, m) for m in cases], "nanoseconds of one import")


def draw_namespaces(measurements: Sequence[Measurement]) -> Figure | None:
    """Nanoseconds of the common calls at four elements, by library."""
    cases = [m for m in measurements if m.section == "namespaces" and m.size == "4"]
    named = [(m.label.removeprefix("lib."), m) for m in cases]
    return _bars(named, "nanoseconds of one call, 4 elements")


def draw_growth(measurements: Sequence[Measurement]) -> Figure | None:
    """A panel for each thing that grows: xpdl's lines drawn through, the other's dashed."""
    held: dict[str, dict[str, list[Measurement]]] = {}
    for m in measurements:
        if m.section == "growth":
            grows, _, call = m.label.partition(": ")
            held.setdefault(grows, {}).setdefault(call, []).append(m)
    if not held:
        return None
    figure = Figure(figsize=(8, 8), layout="constrained")
    shades = (COLOURS["xpdl"], COLOURS["numpy"], "#3aa676", "#a879d6", "#c79a2b")
    words = {"size": "elements", "ndim": "dimensions", "arrays": "arrays", "threads": "threads"}
    for (grows, calls), axes in zip(held.items(), figure.subplots(2, 2).flat, strict=False):
        for (call, cases), shade in zip(calls.items(), shades, strict=False):
            counts = [int(m.size) for m in cases]
            for library, line in zip(cases[0].values, ("-", "--"), strict=False):
                label = call if library == "xpdl" else None
                taken = [m.values[library] for m in cases]
                axes.plot(counts, taken, line, color=shade, label=label, linewidth=1.3)
        axes.set_xscale("symlog" if grows == "ndim" else "log")
        axes.set(yscale="log", title=words[grows], ylabel="ns")
        axes.set_xticks(counts[:: 2 if grows == "size" else 1], minor=False)
        axes.set_xticklabels([f"{count:,}" for count in axes.get_xticks().astype(int)])
        axes.minorticks_off()
        axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(0, -0.1))
    return figure


def _bars(cases: Sequence[tuple[str, Measurement]], label: str) -> Figure | None:
    """A group of bars for each case, a colour for each library, on a logarithmic scale."""
    if not cases:
        return None
    libraries = [name for name in COLOURS if any(name in m.values for _, m in cases)]
    figure, axes = _axes(7, 0.6 + 0.1 * (len(libraries) + 1.2) * len(cases))
    height = 0.8 / len(libraries)
    for index, library in enumerate(libraries):
        places = [
            (row + (index - (len(libraries) - 1) / 2) * height, m.values[library])
            for row, (_, m) in enumerate(cases)
            if library in m.values
        ]
        axes.barh(
            [at for at, _ in places], [v for _, v in places], height,
            color=COLOURS[library], label=library,
        )  # fmt: skip
    axes.set(xscale="log", xlim=(10, None), xlabel=label)
    axes.set_yticks(range(len(cases)), [text for text, _ in cases])
    axes.invert_yaxis()
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def _axes(width: float, height: float) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


PLOTS: dict[str, Callable[[Sequence[Measurement]], Figure | None]] = {
    "functions": draw_functions,
    "exchange": draw_exchange,
    "namespaces": draw_namespaces,
    "growth": draw_growth,
}
