"""The whole matrix, producer by consumer by kind of array, made of pairs of libraries."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from xpdl._interop.exchange import Exchange
from xpdl._interop.processes import Failure, measure_pair

__all__ = ["Group", "Matrix", "count_pairs", "measure_matrix"]


class Group(NamedTuple):
    """The kinds of array to which the same happened on one way."""

    outcome: str
    reason: str | None
    kinds: list[str]


@dataclass
class Matrix:
    """What came of all exchanges between ``libraries``."""

    libraries: list[str]
    kinds: Sequence[str]
    exchanges: dict[tuple[str, str], list[Exchange]] = field(default_factory=dict)
    """By producer and consumer; a way that could not be tried is not there."""
    failures: list[Failure] = field(default_factory=list)
    """Libraries that cannot be used, which are not among ``libraries``."""
    apart: dict[tuple[str, str], str] = field(default_factory=dict)
    """Pairs of libraries that cannot be used in one process, and why."""

    def groups(self, producer: str, consumer: str) -> list[Group]:
        """The exchanges of one way, those with the same outcome and reason together.

        Reasons that differ in numbers only are one, in the words of the first.
        """
        found: dict[tuple[str, str], Group] = {}
        for done in self.exchanges.get((producer, consumer), []):
            reason = None if done.outcome == "none" else done.reason
            group = Group(done.outcome, reason, [])
            key = (done.outcome, re.sub(r"\d+", "0", reason or ""))
            found.setdefault(key, group).kinds.append(done.kind)
        return list(found.values())

    def find(self, producer: str, consumer: str, kind: str) -> Exchange | None:
        """One exchange, where it was tried."""
        ways = self.exchanges.get((producer, consumer), [])
        return next((done for done in ways if done.kind == kind), None)


def pairs_of(libraries: Sequence[str], *, with_first_only: bool) -> list[tuple[str, str]]:
    """The pairs to measure, those with the first library before the others."""
    pairs = list(combinations(libraries, 2))
    return [pair for pair in pairs if pair[0] == libraries[0] or not with_first_only]


def count_pairs(libraries: Sequence[str], *, with_first_only: bool = False) -> int:
    """How many pairs ``measure_matrix`` goes through."""
    return len(pairs_of(libraries, with_first_only=with_first_only))


def measure_matrix(
    libraries: Sequence[str],
    kinds: Sequence[str],
    *,
    with_first_only: bool = False,
    timed: Sequence[str] = (),
    report: Callable[[str, str], None] = lambda first, second: None,
) -> Matrix:
    """Exchange arrays of all ``kinds`` between all ``libraries``, the first with the others first.

    ``report`` is called with each pair before it is measured. A library that fails beside the
    first one is left out of all other pairs.
    """
    matrix = Matrix(list(libraries), kinds)
    for first, second in pairs_of(libraries, with_first_only=with_first_only):
        report(first, second)
        if first not in matrix.libraries or second not in matrix.libraries:
            continue
        for answer in measure_pair(first, second, kinds, timed=timed):
            if isinstance(answer, Exchange):
                way = (answer.producer, answer.consumer)
                matrix.exchanges.setdefault(way, []).append(answer)
            elif first == libraries[0]:
                matrix.failures.append(answer)
                matrix.libraries.remove(answer.library)
            else:
                matrix.apart[first, second] = f"{answer.library}: {answer.reason}"
    return matrix
