"""Interleaved timing: every contestant of a case runs in every round of one process."""

import statistics
import timeit
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["FULL", "QUICK", "Case", "Contestant", "Effort", "Measurement", "measure"]


@dataclass(frozen=True)
class Effort:
    """How many rounds, and how many seconds one contestant runs in each of them."""

    rounds: int
    seconds: float


FULL = Effort(rounds=41, seconds=0.001)
QUICK = Effort(rounds=11, seconds=0.0003)


@dataclass(frozen=True)
class Contestant:
    """A library, the statement that it runs, and the objects that the statement names."""

    library: str
    statement: str
    names: Mapping[str, object]


@dataclass(frozen=True)
class Case:
    """The same work done by each contestant; the first is the one that is judged."""

    section: str
    label: str
    size: str
    contestants: tuple[Contestant, ...]


@dataclass(frozen=True)
class Measurement:
    """Medians over the rounds: nanoseconds by library, and the first library's ratio to others."""

    case: Case
    nanoseconds: Mapping[str, float]
    ratios: Mapping[str, float]


def measure(case: Case, effort: Effort) -> Measurement:
    """Time ``case``.

    Each round times each contestant once, in an order that turns round every time, so that a
    change of the machine's pace meets all of them. A ratio is the median of the rounds' ratios.
    """
    timers = [_timer(contestant) for contestant in case.contestants]
    loops = [_loops(timer, effort.seconds) for timer in timers]
    rounds: list[list[float]] = [[] for _ in timers]
    order = list(range(len(timers)))
    for _ in range(effort.rounds):
        for index in order:
            rounds[index].append(timers[index].timeit(loops[index]) / loops[index] * 1e9)
        order.reverse()
    libraries = [contestant.library for contestant in case.contestants]
    nanoseconds = dict(zip(libraries, map(statistics.median, rounds), strict=True))
    ratios = {
        library: statistics.median(a / b for a, b in zip(rounds[0], theirs, strict=True))
        for library, theirs in zip(libraries[1:], rounds[1:], strict=True)
    }
    return Measurement(case, nanoseconds, ratios)


def _timer(contestant: Contestant) -> timeit.Timer:
    """A timer whose statement finds its names as locals, so that look-ups cost next to nothing."""
    setup = "\n".join(f"{name} = names[{name!r}]" for name in contestant.names)
    return timeit.Timer(contestant.statement, setup, globals={"names": contestant.names})


def _loops(timer: timeit.Timer, seconds: float) -> int:
    """How many times the statement runs in about ``seconds``, found by doubling."""
    loops = 1
    while (took := timer.timeit(loops)) < seconds / 2:
        loops *= 2
    return max(1, round(loops * seconds / took))
