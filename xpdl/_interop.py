"""Which installed libraries exchange arrays with xpdl, found out by exchanging arrays with them.

Each library is imported and tried in a process of its own: one that cannot be imported, that
raises or that takes its process down with it is a row of the result like any other.
"""

import multiprocessing
import os
import signal
import statistics
import timeit
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import numpy as np

import xpdl as xp

__all__ = ["LIBRARIES", "Exchange", "Library", "Row", "installed", "measure", "measure_apart"]

VALUES = [0.0, 1.0, 2.0, 3.0]
SECONDS_TO_ANSWER = 120
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}


@dataclass(frozen=True)
class Library:
    """How a library makes ``VALUES`` in float32 on the CPU, and which function imports arrays."""

    module: str
    make: Callable[[Any], object]
    importer: Callable[[Any], Callable[[object], object]]


@dataclass(frozen=True)
class Exchange:
    """What came of one direction.

    ``outcome`` is "zero-copy", "copy", "refused", "wrong" (the values or the sharing are) or
    "unverified" (NumPy, which reads both sides as a witness, does not read the library's side).
    """

    outcome: str
    detail: str
    nanoseconds: float | None = None


@dataclass(frozen=True)
class Row:
    """One library: both directions, or the problem that kept them from being tried."""

    library: str
    version: str | None = None
    problem: str | None = None
    into: Exchange | None = None
    out: Exchange | None = None


def _quiet_warp_array(warp: Any) -> object:
    warp.config.quiet = True
    return warp.array(VALUES, dtype=warp.float32, device="cpu")


def _cpu_jax_array(jax: Any) -> object:
    return jax.device_put(jax.numpy.asarray(VALUES, "float32"), jax.devices("cpu")[0])


def _cpu_tensorflow_array(tensorflow: Any) -> object:
    with tensorflow.device("CPU"):
        return tensorflow.constant(VALUES, tensorflow.float32)


def _tensorflow_importer(tensorflow: Any) -> Callable[[object], object]:
    """TensorFlow imports capsules only."""
    take = tensorflow.experimental.dlpack.from_dlpack
    return lambda x: take(x.__dlpack__())  # type: ignore[attr-defined]


LIBRARIES = {
    "numpy": Library("numpy", lambda m: m.asarray(VALUES, m.float32), lambda m: m.from_dlpack),
    "torch": Library("torch", lambda m: m.tensor(VALUES, device="cpu"), lambda m: m.from_dlpack),
    "jax": Library("jax", _cpu_jax_array, lambda m: m.numpy.from_dlpack),
    "tvm_ffi": Library(
        "tvm_ffi",
        lambda m: m.from_dlpack(np.asarray(VALUES, np.float32)),
        lambda m: m.from_dlpack,
    ),
    "array_api_strict": Library(
        "array_api_strict", lambda m: m.asarray(VALUES, dtype=m.float32), lambda m: m.from_dlpack
    ),
    "cupy": Library("cupy", lambda m: m.asarray(VALUES, m.float32), lambda m: m.from_dlpack),
    "tensorflow": Library("tensorflow", _cpu_tensorflow_array, _tensorflow_importer),
    "paddle": Library(
        "paddle",
        lambda m: m.to_tensor(VALUES, "float32", place=m.CPUPlace()),
        lambda m: m.from_dlpack,
    ),
    "mlx": Library("mlx.core", lambda m: m.array(VALUES), lambda m: m.from_dlpack),
    "warp": Library("warp", _quiet_warp_array, lambda m: m.from_dlpack),
    "pyarrow": Library(
        "pyarrow", lambda m: m.array(VALUES, m.float32()), lambda m: m.Array.from_dlpack
    ),
}
"""The libraries that are tried, by the name under which they are reported."""


def installed() -> list[str]:
    """The names in ``LIBRARIES`` whose package can be found; none of them is imported."""
    return [name for name, lib in LIBRARIES.items() if find_spec(lib.module.partition(".")[0])]


def measure_apart(names: Sequence[str]) -> Iterator[Row]:
    """``measure`` each library in a new process, one after the other."""
    context = multiprocessing.get_context("spawn")
    for name in names:
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_send_measured, args=(name, sender), daemon=True)
        process.start()
        sender.close()
        yield _receive_row(name, receiver, process)
        receiver.close()


def measure(name: str) -> Row:
    """Import one library and exchange four float32 with it, each way."""
    library = LIBRARIES[name]
    version = None
    try:
        module = import_module(library.module)
        version = str(getattr(module, "__version__", "unknown"))
        array = library.make(module)
        importer = library.importer(module)
    except Exception as error:
        return Row(name, version, _told(error))
    return Row(name, version, None, _exchange_into(array), _exchange_out(importer))


def _send_measured(name: str, sender: "Connection[Row, Any]") -> None:
    """The new process: what the library prints is dropped, only the row counts."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    os.environ.update(QUIET)
    sender.send(measure(name))


def _receive_row(
    name: str, receiver: "Connection[Any, Row]", process: BaseProcess
) -> Row:
    """The row that the process sent, or one that says how it ended without."""
    try:
        row = receiver.recv() if receiver.poll(SECONDS_TO_ANSWER) else None
    except EOFError:
        process.join()
        return Row(name, problem=f"its process {_ending(process.exitcode)}")
    process.kill()  # some libraries hang when their process ends
    process.join()
    return row or Row(name, problem=f"no answer within {SECONDS_TO_ANSWER} s")


def _ending(exitcode: int | None) -> str:
    if exitcode is not None and exitcode < 0:
        return f"was ended by {signal.Signals(-exitcode).name}"
    return f"ended with status {exitcode}"


def _exchange_into(array: object) -> Exchange:
    """Import the library's ``array`` into xpdl."""
    try:
        x = xp.from_dlpack(array)
    except Exception as error:
        return Exchange("refused", _told(error))
    return _timed(_judged(array, x), xp.from_dlpack, array)


def _exchange_out(importer: Callable[[object], object]) -> Exchange:
    """Import an xpdl Array into the library, from well aligned memory and from other memory."""
    x = _array_at(offset=0)
    aligned = _exchange_out_of(x, importer)
    shifted = _exchange_out_of(_array_at(offset=16), importer)
    if shifted.outcome != aligned.outcome:
        detail = f"{shifted.outcome} where the memory does not start at a multiple of 64 bytes"
        aligned = Exchange(aligned.outcome, detail)
    return _timed(aligned, importer, x)


def _exchange_out_of(x: xp.Array, importer: Callable[[object], object]) -> Exchange:
    try:
        array = importer(x)
    except Exception as error:
        return Exchange("refused", _told(error))
    return _judged(array, x)


def _judged(array: object, x: xp.Array) -> Exchange:
    """Whether ``array`` and ``x``, one imported from the other, are one memory; NumPy reads both.

    Proof is the address, and where ``x`` can be written, that the library's side sees a write.
    """
    try:
        theirs = np.from_dlpack(array)  # type: ignore[arg-type]
    except Exception as error:
        return Exchange("unverified", f"taken, but NumPy cannot read it: {_told(error)}")
    ours = np.asarray(x)
    if ours.tolist() != VALUES or theirs.tolist() != VALUES:
        return Exchange("wrong", f"{VALUES} became {ours.tolist()} and {theirs.tolist()}")
    if ours.ctypes.data != theirs.ctypes.data:
        return Exchange("copy", "at another address")
    if x.readonly:
        return Exchange("zero-copy", "same address, read-only")
    x[0] = -1.0
    seen = np.from_dlpack(array)[0] == -1.0  # type: ignore[arg-type]
    x[0] = VALUES[0]
    if not seen:
        return Exchange("wrong", "same address, but a write is not seen")
    return Exchange("zero-copy", "same address, a write is seen")


def _timed(exchange: Exchange, function: Callable[[object], object], argument: object) -> Exchange:
    """``exchange`` with the median time of one call, where there was one."""
    if exchange.outcome == "refused":
        return exchange
    timer = timeit.Timer("function(argument)", globals=locals())
    loops = 1
    while timer.timeit(loops) < 0.001:
        loops *= 2
    nanoseconds = statistics.median(timer.repeat(9, loops)) / loops * 1e9
    return Exchange(exchange.outcome, exchange.detail, round(nanoseconds, 1))


def _array_at(offset: int) -> xp.Array:
    """``VALUES`` in memory that starts ``offset`` bytes after a multiple of 64 bytes."""
    values = np.asarray(VALUES, np.float32)
    memory = np.zeros(values.nbytes + 128, np.uint8)
    start = -memory.ctypes.data % 64 + offset
    place = memory[start : start + values.nbytes].view(np.float32)
    place[:] = values
    return xp.from_dlpack(place)


def _told(error: Exception) -> str:
    """The error's class and the first line of its text."""
    text = next(iter(str(error).strip().splitlines()), "")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
