"""Parts of the backend that a test leaves out, to see that the tests of races notice.

Named by XPDL_TESTS_REMOVAL; test_cuda_on_double.py says which tests must then fail.
"""

import contextlib


def nothing(*args, **keywords):
    pass


def leave_out(removal):
    """Replace one part of the backend in this process, before a table of functions is made."""
    from xpdl._backends.cupy import exchange, streams, transfer

    if removal == "event for a consumer":
        streams.STREAMS["order"] = nothing
    elif removal == "event of a producer":
        streams.STREAMS["wait_for"] = nothing
        streams.STREAMS["consumer_stream"] = lambda: streams.NO_ORDER
    elif removal == "event before a copy on a consumer's stream":
        exchange.streams.queue_after = nothing
    elif removal == "device guard":
        from xpdl._backends.cupy import table

        table.on_device = lambda device, function: function
    elif removal == "event before a copy between devices":
        transfer.from_gpu = unordered_copy
    elif removal == "event after a copy between devices":
        transfer.from_gpu = unprotected_copy
    elif removal == "deferred release":
        streams.keep_until_run = nothing
    elif removal == "device of a deferred release":
        exchange.Lease = lease_without_device(exchange.Lease)
    elif removal == "wait for pinned memory":
        transfer.is_pinned = lambda x: False
    else:
        raise ValueError(f"nothing known to remove as {removal!r}")


def lease_without_device(kind):
    class Lease(kind):
        def __init__(self, keeper, device, dl_device):
            super().__init__(keeper, contextlib.nullcontext(), dl_device)

    return Lease


def unordered_copy(x):
    import cupy

    with x.device:
        source = cupy.ascontiguousarray(x)
    return source.copy()


def unprotected_copy(x):
    import cupy

    with x.device:
        source = cupy.ascontiguousarray(x)
        written = cupy.cuda.get_current_stream().record()
    cupy.cuda.get_current_stream().wait_event(written)
    return source.copy()
