"""cupy.cuda.Stream and Event. The current stream is one of each thread and each device."""

import os

from cupy_double import machine
from cupy_double.errors import CUDARuntimeError


class Stream:
    """A stream of the device that was current when it was made; -1 is whatever is current."""

    def __init__(self, null=False, non_blocking=False, ptds=False, priority=None):
        self.owned = not (null or ptds)
        if self.owned:
            self.ptr = machine.gpu.create_stream(not non_blocking)
            self.device_id = machine.gpu.current_device()
        else:
            self.ptr = 0 if null else 2
            self.device_id = -1
        self.priority = 0
        self.is_non_blocking = non_blocking
        self.outer = []

    @classmethod
    def from_external(cls, obj):
        version, handle = obj.__cuda_stream__()
        if version != 0:
            raise ValueError(f"version {version} of the CUDA stream protocol")
        self = cls.__new__(cls)
        self.owned = False
        self.ptr, self.device_id, self.priority, self.is_non_blocking = handle, -1, 0, False
        self.outer = []
        self.foreign = obj
        return self

    def __del__(self):
        if getattr(self, "owned", False):
            machine.gpu.destroy_stream(self.ptr)

    def __eq__(self, other):
        return isinstance(other, Stream) and self.ptr == other.ptr

    def __hash__(self):
        return hash(self.ptr)

    def __repr__(self):
        return f"<Stream {self.ptr} (device {self.device_id})>"

    def __cuda_stream__(self):
        return 0, self.ptr

    def check_device(self):
        current = machine.gpu.current_device()
        if self.device_id not in (-1, current):
            raise RuntimeError(f"a stream of device {self.device_id}, but {current} is current")
        return current

    def __enter__(self):
        device = self.check_device()
        self.outer.append((device, get_current_stream()))
        set_current_stream(device, self)
        return self

    def __exit__(self, *exception):
        set_current_stream(*self.outer.pop())

    def use(self):
        set_current_stream(self.check_device(), self)
        return self

    @property
    def done(self):
        last = machine.gpu.queue_of(self.ptr).last
        return last is None or last.done

    def synchronize(self):
        machine.gpu.synchronize_stream(self.ptr)

    def record(self, event=None):
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event):
        wait_event(self.ptr, event)

    def launch_host_func(self, callback, arg):
        queue = machine.gpu.queue_of(self.ptr)
        machine.gpu.enqueue(queue, lambda: callback(arg))

    def begin_capture(self, mode=None):
        machine.gpu.queue_of(self.ptr).captured = []

    def end_capture(self):
        queue = machine.gpu.queue_of(self.ptr)
        captured, queue.captured = queue.captured, None
        return Graph(captured)

    def is_capturing(self):
        return machine.gpu.queue_of(self.ptr).captured is not None


class Event:
    """A point in a stream's work; it belongs to the device that was current when it was made."""

    def __init__(self, block=False, disable_timing=False, interprocess=False):
        self.device = machine.gpu.current_device()
        self.work = None
        self.ptr = id(self)

    def record(self, stream=None):
        record_event(self, get_current_stream().ptr if stream is None else stream.ptr)

    @property
    def done(self):
        return self.work is None or self.work.done

    def synchronize(self):
        machine.gpu.count_sync("event", self.device, -1)
        machine.gpu.force(self.work)


class Graph:
    """The work that was captured from a stream."""

    def __init__(self, actions):
        self.actions = actions

    def launch(self, stream=None):
        stream = get_current_stream() if stream is None else stream
        queue = machine.gpu.queue_of(stream.ptr)
        for action in self.actions:
            machine.gpu.enqueue(queue, action)

    def upload(self, stream=None):
        pass


def record_event(event, handle):
    queue = machine.gpu.queue_of(handle)
    if queue.device != event.device:
        raise CUDARuntimeError(400)
    event.work = machine.gpu.enqueue(queue, None)
    machine.gpu.log.append(machine.Entry("record", "event", queue.device, queue.handle))


def wait_event(handle, event):
    queue = machine.gpu.queue_of(handle)
    machine.gpu.enqueue(queue, None, [event.work])
    machine.gpu.log.append(machine.Entry("wait", "event", queue.device, queue.handle))


Stream.null = Stream(null=True)
Stream.ptds = Stream(ptds=True)
PER_THREAD = os.environ.get("CUPY_CUDA_PER_THREAD_DEFAULT_STREAM") == "1"
default = Stream.ptds if PER_THREAD else Stream.null


def current_streams():
    thread = machine.gpu.thread
    if not hasattr(thread, "streams"):
        thread.streams = {}
    return thread.streams


def get_current_stream(device_id=-1):
    device = machine.gpu.current_device() if device_id < 0 else device_id
    return current_streams().get(device, default)


def set_current_stream(device, stream):
    current_streams()[device] = stream


def get_elapsed_time(start_event, end_event):
    return 0.0
