"""Exchanges between two libraries, in a process of its own for each pair.

Some libraries cannot live with others in one process, and some exchanges end it. A process that
dies is the outcome of the exchange that it was at; another one goes on with the rest.
"""

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from xpdl._interop.exchange import Exchange, exchange, nanoseconds_of, told
from xpdl._interop.libraries import LIBRARIES, make

__all__ = ["Failure", "measure_pair"]

SECONDS_TO_ANSWER = 120
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}

Task = tuple[str, str, str]
"""Producer, consumer and kind of array."""


@dataclass(frozen=True)
class Failure:
    """Why a library cannot be used, alone or beside the other one."""

    library: str
    reason: str


def measure_pair(
    first: str, second: str, kinds: Sequence[str], *, timed: Sequence[str] = ()
) -> Iterator[Exchange | Failure]:
    """Exchange arrays of all ``kinds`` both ways, or say which library failed.

    Imports of the kinds in ``timed`` are timed. Leaving the iterator early ends the process.
    """
    tasks = [(*way, kind) for kind in kinds for way in ((first, second), (second, first))]
    while tasks:
        for answer in _answers((first, second), tasks, timed):
            yield answer
            if isinstance(answer, Failure):
                return
            tasks.remove((answer.producer, answer.consumer, answer.kind))


def _answers(
    pair: tuple[str, str], tasks: Sequence[Task], timed: Sequence[str]
) -> Iterator[Exchange | Failure]:
    """What one process answers until all tasks are done, or the process is."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(pair, tasks, timed, sender), daemon=True)
    process.start()
    sender.close()
    at: str | Task = pair[0]
    try:
        while (message := _receive(receiver, process)) is not None:
            if isinstance(message, Exchange | Failure):
                yield message
            elif isinstance(message, str | tuple):
                at = message
            else:
                break
        if message is None:
            reason = _ending(process)
            yield Failure(at, reason) if isinstance(at, str) else Exchange(*at, "crash", reason)
    finally:
        process.kill()  # some libraries hang when their process ends
        process.join()
        receiver.close()


def _receive(receiver: Any, process: Any) -> Any:
    """The next message; None when the process has ended or does not answer."""
    try:
        return receiver.recv() if receiver.poll(SECONDS_TO_ANSWER) else None
    except EOFError:
        process.join()
        return None


def _ending(process: Any) -> str:
    code = process.exitcode
    if code is None:
        return f"no answer within {SECONDS_TO_ANSWER} s"
    if code < 0:
        return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with status {code}"


def _serve(
    pair: tuple[str, str],
    tasks: Sequence[Task],
    timed: Sequence[str],
    sender: "Connection[Any, Any]",
) -> None:
    """The new process: says what it is at, then what came of it; what libraries print is dropped.

    What it is at is the name of a library that is being imported, or a task. True is the end.
    """
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    os.environ.update(QUIET)
    modules, importers = {}, {}
    on_cuda = any(LIBRARIES[name].device == "cuda" for name in pair)
    for name in pair:
        sender.send(name)
        try:
            modules[name] = import_module(LIBRARIES[name].module)
            importers[name] = LIBRARIES[name].importer(modules[name])
            make(LIBRARIES[name], modules[name], "float32")
        except Exception as error:
            sender.send(Failure(name, told(error)))
            return
    for task in tasks:
        producer, consumer, kind = task
        sender.send(task)
        try:
            array = make(LIBRARIES[producer], modules[producer], kind, "cuda" if on_cuda else "cpu")
        except Exception as error:
            sender.send(Exchange(*task, "none", told(error)))
            continue
        outcome, reason = exchange(array, importers[consumer])
        nanoseconds = None
        if kind in timed and outcome not in ("refused", "crash"):
            nanoseconds = nanoseconds_of(importers[consumer], array)
        sender.send(Exchange(*task, outcome, reason, nanoseconds))
    sender.send(True)
