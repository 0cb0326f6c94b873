"""Text, tables and progress on the terminal: with rich where it is installed, else plain.

Only this file knows rich. Colour is rich's: none where NO_COLOR is set, or where the output is not
a terminal. Both are as wide as the terminal, or as COLUMNS says.
"""

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from typing import Any, NamedTuple, TextIO

__all__ = ["STYLES", "Styled", "print_line", "print_table", "progress"]

STYLES = {
    "zero-copy": "green",
    "copy": "yellow",
    "refused": "red",
    "wrong": "bold red",
    "crash": "bold red",
    "unverified": "cyan",
    "none": "dim",
}
"""How the outcomes of exchanges look."""
WIDTH_WITHOUT_TERMINAL = 120
NARROWEST = 20
"""Columns that the last column of a table has at least, if its texts fill them."""


class Styled(NamedTuple):
    """A cell of a table, and how it looks where there is colour."""

    text: str
    style: str = ""


def has_rich() -> bool:
    """Whether the extra ``cli`` is installed."""
    return find_spec("rich") is not None


def width() -> int:
    """Columns that a line may fill."""
    return shutil.get_terminal_size((WIDTH_WITHOUT_TERMINAL, 24)).columns


def print_line(text: str = "", style: str = "") -> None:
    """Print ``text``, wrapped to the width."""
    if has_rich():
        from rich.text import Text

        _console(sys.stdout).print(Text(text, style=style))
    else:
        print(textwrap.fill(text, width(), break_on_hyphens=False, break_long_words=False))


def print_table(head: Sequence[str], rows: Sequence[Sequence[str | Styled]]) -> None:
    """Print a table whose last column takes the width that is left, wrapped between words.

    A table that the terminal is too narrow for is wider than it: nothing is cut off or left out.
    """
    cells = [[cell if isinstance(cell, Styled) else Styled(cell) for cell in row] for row in rows]
    plain = [list(head), *([text for text, _ in row] for row in cells)]
    if has_rich():
        from rich.table import Table
        from rich.text import Text

        table = Table(*head, box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
        for column in table.columns[:-1]:
            column.no_wrap = True
        for row in cells:
            table.add_row(*(Text(text, style=style) for text, style in row))
        widths = column_widths(plain)
        _console(sys.stdout, sum(widths) + 2 * (len(widths) - 1)).print(table)
    else:
        for line in plain_lines(plain):
            print(line)


def column_widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """The widths of the columns; the last one is as wide as the lines may be."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    longest = max((len(word) for row in rows for word in row[-1].split()), default=0)
    left = width() - sum(widths[:-1]) - 2 * (len(widths) - 1)
    widths[-1] = min(widths[-1], max(left, longest, NARROWEST))
    return widths


def plain_lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table without any decoration."""
    *widths, last = column_widths(rows)
    for row in rows:
        start = "".join(f"{text:{size}}  " for text, size in zip(row, widths, strict=False))
        for line in textwrap.wrap(row[-1], last or 1, break_on_hyphens=False) or [""]:
            yield (start + line).rstrip()
            start = " " * len(start)


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """A bar on the standard error, if that is a terminal; the function is called before a step."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    if not has_rich():
        yield _Counter(total, sys.stderr)
        sys.stderr.write(f"{' ' * (width() - 1)}\r")
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=_console(sys.stderr), transient=True) as bar:
        task, done = bar.add_task("", total=total), count()
        yield lambda text: bar.update(task, completed=next(done), description=text)


class _Counter:
    """The steps in plain text, on one line of a terminal that is written over."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self.total, self.stream, self.done = total, stream, 0

    def __call__(self, text: str) -> None:
        line = f"{self.done}/{self.total} {text}"[: width() - 1]
        self.stream.write(f"{line:{width() - 1}}\r")
        self.stream.flush()
        self.done += 1


def _console(stream: TextIO, at_least: int = 0) -> Any:
    from rich.console import Console

    columns = max(width(), at_least)
    return Console(file=stream, width=columns, highlight=False, emoji=False, markup=False)
