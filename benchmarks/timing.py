"""Interleaved timing: every contestant of a case runs in every round of one process."""

import re
import statistics
import timeit
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from time import perf_counter
from types import ModuleType
from typing import Protocol

from benchmarks.agreement import Compared, check_agreement

__all__ = [
    "FULL", "QUICK", "Case", "Compared", "Contestant", "Effort", "Finish", "Measurement",
    "NotRunError", "Reading", "Statement", "Timer",
]  # fmt: skip

UNROLLED = 10  # the statement stands so often in the loop's body, whose own cost is then < 1 ns
QUALIFIED = re.compile(r"\b[a-z]\w*(?:\.\w+)+(?=\()")

Timer = Callable[[int], float]
Finish = Callable[[], object]


class NotRunError(Exception):
    """A section cannot be measured here; says what is missing."""


@dataclass(frozen=True)
class Effort:
    """``rounds`` of ``seconds`` for each contestant; fewer once a case took ``budget`` seconds."""

    rounds: int
    seconds: float
    budget: float
    least: int


FULL = Effort(rounds=81, seconds=0.001, budget=1.2, least=5)
QUICK = Effort(rounds=3, seconds=0.0001, budget=0.02, least=1)


class Contestant(Protocol):
    """One library's way to do what a case asks for."""

    @property
    def library(self) -> str: ...

    def timer(self) -> Timer:
        """A function that does the work so many times and returns the seconds that it took."""

    def result(self) -> object:
        """What the work gives, for the comparison with the others."""


@dataclass(frozen=True)
class Statement:
    """A statement of Python, and the objects that it names.

    Those in ``fresh`` are copied for each use, since the statement changes them: its result is what
    it leaves in the first of them. ``finish`` waits for work that a call only starts.
    """

    library: str
    statement: str
    names: Mapping[str, object]
    fresh: Sequence[str] = ()
    finish: Finish | None = None

    def timer(self) -> Timer:
        statement, names = self._prepared()
        setup = "\n".join(f"{name} = names[{name!r}]" for name in names)
        once = timeit.Timer(statement, setup, globals={"names": names})
        often = timeit.Timer("\n".join([statement] * UNROLLED), setup, globals={"names": names})

        def seconds(loops: int) -> float:
            rest, unrolled = loops % UNROLLED, loops // UNROLLED
            took = (often.timeit(unrolled) if unrolled else 0) + (once.timeit(rest) if rest else 0)
            if self.finish is not None:
                start = perf_counter()
                self.finish()
                took += perf_counter() - start
            return took

        return seconds

    def result(self) -> object:
        statement, names = self._prepared()
        if not self.fresh:
            return eval(statement, dict(names))
        exec(statement, names)
        return names[self.fresh[0]]

    def _prepared(self) -> tuple[str, dict[str, object]]:
        """The statement with its functions as plain names, and the objects of all its names.

        ``xp.linalg.inv(x)`` becomes ``xp_linalg_inv(x)``: looking up attributes of modules costs
        every library the same, and would only pull the ratios towards 1.
        """
        names = dict(self.names)
        names |= {name: names[name].copy() for name in self.fresh}  # type: ignore[attr-defined]

        def local(found: re.Match[str]) -> str:
            head, *attributes = found[0].split(".")
            if not isinstance(names.get(head), ModuleType):
                return found[0]
            name = found[0].replace(".", "_")
            names[name] = reduce(getattr, attributes, names[head])
            return name

        return QUALIFIED.sub(local, self.statement), names


@dataclass(frozen=True)
class Measurement:
    """Medians over the rounds.

    ``values`` holds nanoseconds (or what ``unit`` says) by library, ``ratios`` the first library's
    ratio to each of the others, ``spread`` the quartiles of these ratios.
    """

    section: str
    label: str
    size: str
    values: Mapping[str, float]
    ratios: Mapping[str, float] = field(default_factory=dict)
    spread: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    unit: str = "ns"


@dataclass(frozen=True)
class Case:
    """The same work done by each contestant; the first is the one that is judged.

    All must give the same, but for an error of ``tolerance`` relative to the largest value. The
    budget of time is ``patience`` times the usual.
    """

    section: str
    label: str
    size: str
    contestants: Sequence[Contestant]
    compared: Compared = "values"
    tolerance: float = 1e-9
    patience: float = 1

    def measure(self, effort: Effort) -> Measurement:
        """Compare the results once, then time.

        Each round times each contestant once, in an order that turns round every time, so that a
        change of the machine's pace meets all of them. A ratio is the median of the rounds' ratios.

        Raises
        ------
        AssertionError
            If a contestant's result is not that of the first.
        """
        check_agreement([c.result() for c in self.contestants], self.compared, self.tolerance)
        timers = [contestant.timer() for contestant in self.contestants]
        loops = [_loops(timer, effort.seconds) for timer in timers]
        rounds: list[list[float]] = [[] for _ in timers]
        order = list(range(len(timers)))
        start = perf_counter()
        for done in range(effort.rounds):
            if done >= effort.least and perf_counter() - start > effort.budget * self.patience:
                break
            for index in order:
                rounds[index].append(timers[index](loops[index]) / loops[index] * 1e9)
            order.reverse()
        libraries = [contestant.library for contestant in self.contestants]
        ratios = {
            library: [a / b for a, b in zip(rounds[0], theirs, strict=True)]
            for library, theirs in zip(libraries[1:], rounds[1:], strict=True)
        }
        return Measurement(
            self.section,
            self.label,
            self.size,
            dict(zip(libraries, map(statistics.median, rounds), strict=True)),
            {library: statistics.median(found) for library, found in ratios.items()},
            {library: _quartiles(found) for library, found in ratios.items()},
        )


@dataclass(frozen=True)
class Reading:
    """Figures that are not timed; ``read`` gives them by library, the first the one judged."""

    section: str
    label: str
    size: str
    unit: str
    read: Callable[[Effort], Mapping[str, float]]

    def measure(self, effort: Effort) -> Measurement:
        return Measurement(
            self.section, self.label, self.size, self.read(effort), unit=self.unit
        )


def _loops(timer: Timer, seconds: float) -> int:
    """How many times the work is done in about ``seconds``; many are a multiple of UNROLLED."""
    loops = 1
    while (took := timer(loops)) < seconds / 2:
        loops *= 2 if loops < UNROLLED else 4
    found = max(1, round(loops * seconds / took))
    return found if found < UNROLLED else found // UNROLLED * UNROLLED


def _quartiles(values: Sequence[float]) -> tuple[float, float]:
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high
