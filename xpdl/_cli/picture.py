"""The matrix of exchanges as a picture: producers down, consumers across, a square for each kind.

The squares of one way that share an outcome and a reason are one path, whose title a browser shows
under the pointer.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from xpdl._cli.failure import Failed
from xpdl._interop import DTYPES, LAYOUTS, OUTCOMES, Matrix

__all__ = ["COLOURS", "picture_of", "png_from_svg"]

COLOURS = {
    "zero-copy": "#009e73",
    "copy": "#f0c000",
    "refused": "#d55e00",
    "wrong": "#a0006d",
    "crash": "#000000",
    "unverified": "#56b4e9",
    "none": "#e4e7ea",
}
"""Of the outcomes; distinct for the colour-blind."""

SIDE, STEP, ACROSS = 9, 11, 7
CELL = ACROSS * STEP + 9
LEFT, TOP = 132, 64
SCALE_OF_PNG = 2


def picture_of(matrix: Matrix, versions: dict[str, str | None]) -> str:
    """The picture, as SVG that stands alone or within a page."""
    kinds = places_of(matrix.kinds)
    rows = max(y for _, y in kinds.values()) + 1
    height = rows * STEP + 9
    names = matrix.libraries
    key = list(lines_of_key(kinds))
    top_of_key = TOP + len(names) * height + 30
    across = max(LEFT + len(names) * CELL + 10, 700)
    down = top_of_key + 18 * (len(key) + 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across}"'
        f' height="{down}" font-family="sans-serif" font-size="12" fill="#1c2530">',
        f'<rect width="{across}" height="{down}" fill="#ffffff"/>',
        '<text x="8" y="20" font-weight="bold">from ↓ to →</text>',
    ]
    for number, name in enumerate(names):
        x, y = LEFT + number * CELL, TOP + number * height
        version = escape((versions[name] or "")[:11])
        parts += [
            f'<text x="{x}" y="{TOP - 24}">{short(name)}</text>',
            f'<text x="{x}" y="{TOP - 9}" fill="#5b6670">{version}</text>',
            f'<text x="8" y="{y + height / 2}">{escape(name)}</text>',
        ]
    for row, producer in enumerate(names):
        for column, consumer in enumerate(names):
            x, y = LEFT + column * CELL, TOP + row * height
            parts.append(f'<g transform="translate({x} {y})">')
            parts += paths_of(matrix, producer, consumer, kinds)
            parts.append("</g>")
    x = 8
    for outcome in OUTCOMES:
        parts.append(f'<path fill="{COLOURS[outcome]}" d="{square(x, top_of_key - 10)}"/>')
        parts.append(f'<text x="{x + 14}" y="{top_of_key - 1}">{outcome}</text>')
        x += 34 + 7 * len(outcome)
    for number, line in enumerate(key):
        y = top_of_key + 18 * (number + 1) + 6
        parts.append(f'<text x="8" y="{y}" fill="#5b6670">{escape(line)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def places_of(kinds: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Column and row of each kind's square: dtypes first, layouts below them."""
    places = {}
    top = 0
    for group in (DTYPES, LAYOUTS):
        chosen = [kind for kind in kinds if kind in group]
        for number, kind in enumerate(chosen):
            places[kind] = (number % ACROSS, top + number // ACROSS)
        top += -(-len(chosen) // ACROSS)
    return places


def lines_of_key(kinds: dict[str, tuple[int, int]]) -> Iterator[str]:
    """Which square is which kind, a line for each row."""
    rows = sorted({y for _, y in kinds.values()})
    for row in rows:
        yield f"Squares, row {row + 1}: " + ", ".join(k for k, (_, y) in kinds.items() if y == row)


def paths_of(
    matrix: Matrix, producer: str, consumer: str, kinds: dict[str, tuple[int, int]]
) -> Iterator[str]:
    """The squares of one way."""
    for group in matrix.groups(producer, consumer):
        d = "".join(square(kinds[k][0] * STEP, kinds[k][1] * STEP) for k in group.kinds)
        title = f"{producer} to {consumer}, {group.outcome}: {', '.join(group.kinds)}"
        if group.reason:
            title += f" ({group.reason})"
        yield f'<path fill="{COLOURS[group.outcome]}" d="{d}"><title>{escape(title)}</title></path>'


def square(x: int, y: int) -> str:
    """A square as part of a path."""
    return f"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z"


def short(name: str) -> str:
    """A name that fits above a column."""
    return escape(name.replace("array_api_", "") if len(name) > 11 else name)


def png_from_svg(svg: str) -> bytes:
    """The picture in pixels, two for each unit; fails without resvg-py."""
    try:
        import resvg_py
    except ImportError:
        raise Failed("interop: --png needs resvg-py; pip install 'xpdl[cli]'") from None
    drawn: Any = resvg_py.svg_to_bytes(svg_string=svg, zoom=SCALE_OF_PNG)
    return bytes(drawn)
