"""The progress of a long run, on stderr where that is a terminal, and nowhere else."""

import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec

from benchmarks.timing import Case, Reading

__all__ = ["with_progress"]

WIDTH = 78


def with_progress(cases: Iterable[Case | Reading]) -> Iterator[Case | Reading]:
    """The cases one by one: behind a bar of tqdm if it is installed, else after a plain line."""
    if not sys.stderr.isatty():
        yield from cases
    elif find_spec("tqdm"):
        from tqdm import tqdm

        with tqdm(list(cases), unit="case", file=sys.stderr, leave=False) as bar:
            for case in bar:
                bar.set_postfix_str(_told(case), refresh=False)
                yield case
    else:
        listed = list(cases)
        for done, case in enumerate(listed):
            _show(f"{done}/{len(listed)} {_told(case)}")
            yield case
        _show("")


def _told(case: Case | Reading) -> str:
    return f"{case.section}: {case.label} {case.size}".rstrip()


def _show(text: str) -> None:
    """Overwrite the line."""
    print(f"\r{text:{WIDTH}.{WIDTH}}", end="" if text else "\r", file=sys.stderr, flush=True)
