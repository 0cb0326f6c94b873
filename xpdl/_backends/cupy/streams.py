"""Streams and events: which stream waits for which, and what is kept until a stream has run.

The work stream of a device is CuPy's current stream on it. All functions are called while that
device is the current one. No function here makes the host wait, but ``release_all`` at exit.
"""

from __future__ import annotations

import atexit
import contextlib
import operator
from collections import deque
from collections.abc import Iterator
from typing import Any

from xpdl._backends.cupy.raw import Raw, cupy
from xpdl._backends.numpy.raw import Table

Stream = cupy.cuda.Stream
IS_ROCM: bool = cupy.cuda.runtime.is_hip
DEFAULT = 0 if IS_ROCM else 1  # the DLPack number of the default stream
PER_THREAD = 2  # on CUDA only
NO_ORDER = -1
LOOKED_AT = 4  # how many entries of ``pending`` a call looks at

# (event, what is kept until it has happened); None in place of an event waits for the exit.
pending: deque[tuple[Any, Any]] = deque()


class Handle:
    """A stream of someone else, known by its handle, in the CUDA stream protocol."""

    __slots__ = ("handle",)

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.handle


def own_stream() -> Any:
    """CuPy's current stream on the current device."""
    return cupy.cuda.get_current_stream()


def number_of(stream: Any) -> int:
    """The DLPack number of a stream: CuPy says 0 for the default one."""
    return int(stream.ptr) or DEFAULT


def stream_from(stream: Any) -> Any:
    """The stream of CuPy that a DLPack number, None or an object with __cuda_stream__ means."""
    if hasattr(type(stream), "__cuda_stream__"):
        return Stream.from_external(stream)
    number = DEFAULT if stream is None else operator.index(stream)
    if number == DEFAULT:
        return Stream.null
    if number == PER_THREAD and not IS_ROCM:
        return Stream.ptds
    if number <= PER_THREAD:
        known = "0 (default)" if IS_ROCM else "1 (legacy default), 2 (per-thread default)"
        raise ValueError(f"stream must be None, -1, {known} or a handle above 2, got {number}")
    return Stream.from_external(Handle(number))


def is_unordered(stream: Any) -> bool:
    """Whether a DLPack stream number asks for no ordering."""
    return not hasattr(type(stream), "__cuda_stream__") and stream == NO_ORDER


def is_capturing(stream: Any) -> bool:
    """Whether a graph captures a stream. CUDA refuses to say it of the default one meanwhile."""
    try:
        return bool(stream.is_capturing())
    except cupy.cuda.runtime.CUDARuntimeError:
        return True


def mark(stream: Any) -> Any:
    """An event that happens when ``stream`` has run what is queued on it now."""
    event = cupy.cuda.Event(disable_timing=True)
    event.record(stream)
    return event


def queue_after(later: Any, earlier: Any) -> None:
    """Let ``later`` wait for what is queued on ``earlier`` now."""
    if number_of(later) != number_of(earlier):
        later.wait_event(mark(earlier))


@contextlib.contextmanager
def work_on(stream: Any) -> Iterator[None]:
    """The work stream is ``stream`` for a block, after what it was and before what it will be."""
    own, other = own_stream(), stream_from(stream)
    if number_of(own) == number_of(other):
        yield
        return
    queue_after(other, own)
    try:
        with other:
            yield
    finally:
        queue_after(own, other)


def order(function: str, stream: Any) -> None:
    """Let a consumer's stream wait for the work stream; -1 asks for no ordering."""
    if is_unordered(stream):
        return
    own, theirs = own_stream(), stream_from(stream)
    if number_of(own) == number_of(theirs):
        return
    if number_of(theirs) == DEFAULT and is_capturing(own):
        raise BufferError(
            f"{function}: stream must not be the default one while CuPy's current stream is "
            f"captured into a graph, got {stream}; pass that stream or -1"
        )
    queue_after(theirs, own)


def wait_for(stream: Any) -> None:
    """Let the work stream wait for a producer's."""
    queue_after(own_stream(), stream_from(stream))


def consumer_stream() -> int:
    """The DLPack number of the stream that a producer is to order its data for.

    It is that of the work stream, but the default one for the per-thread one, which some producers
    refuse: ``wait_for`` does the rest.
    """
    number = number_of(own_stream())
    return DEFAULT if number == PER_THREAD else number


def work_stream() -> int:
    """The handle of the work stream: 0 for the default one."""
    return int(own_stream().ptr)


def record_stream(x: Raw, stream: Any) -> None:
    """Keep the memory of x until what is queued on ``stream`` now has run."""
    if not is_unordered(stream):
        keep_until_run(stream_from(stream), x.data)


# -------------------------------------------------------------- what is kept until a stream has run


def keep_until_run(stream: Any, kept: Any) -> None:
    """Keep an object until ``stream`` has run what is queued on it now.

    Of what a graph captures nobody can say when it has run: that is kept until the exit.
    """
    pending.append((None if is_capturing(stream) else mark(stream), kept))


def release_done() -> None:
    """Drop what the streams have passed; a call looks at a few entries, so that all get a turn.

    While a stream is captured no event may be asked: then everything stays.
    """
    with contextlib.suppress(cupy.cuda.runtime.CUDARuntimeError, IndexError):
        if is_capturing(own_stream()):
            return
        for _ in range(min(len(pending), LOOKED_AT)):
            entry = pending.popleft()
            if entry[0] is None or not entry[0].done:
                pending.append(entry)


def release_all() -> None:
    """Wait for everything that is kept, and drop it."""
    while pending:
        event, _ = pending.popleft()
        if event is not None:
            with contextlib.suppress(cupy.cuda.runtime.CUDARuntimeError):
                event.synchronize()


atexit.register(release_all)

STREAMS: Table = {
    "consumer_stream": consumer_stream,
    "order": order,
    "record_stream": record_stream,
    "wait_for": wait_for,
    "work_stream": work_stream,
}
