"""The GPUs: work queued on streams, in the order that CUDA promises and in no other.

A piece of work knows the work that it has to come after. Under the schedule "lazy" it runs only
when the host waits for it, or for work after it: whoever reads without an order to the writer
reads before it, every time. Under a seed, work that is ready runs at random moments instead; under
"eager" it runs at once, as on a device that is never late.
"""

import random
import threading
from collections import Counter
from typing import NamedTuple

from cupy_double import memory
from cupy_double.errors import CUDARuntimeError, DeviceSynchronized

gpu = None  # the Machine of this process

LEGACY, LEGACY_HANDLE, PER_THREAD = 0, 1, 2
FIRST_HANDLE, HANDLE_STEP = 0x7000_0000, 0x10


class Work:
    """One kernel, copy or event, and what it has to come after."""

    __slots__ = ("action", "after", "done")

    def __init__(self, action, after):
        self.action = action
        self.after = after
        self.done = False


class Queue:
    """A stream as the driver sees it."""

    def __init__(self, device, handle, blocking):
        self.device = device
        self.handle = handle
        self.blocking = blocking  # whether it and the legacy default stream wait for each other
        self.last = None
        self.captured = None  # the work recorded so far, while it is being captured into a graph


class Entry(NamedTuple):
    """One line of the log: what was done, on which device and on which stream's handle."""

    kind: str  # "kernel", "copy", "record", "wait", "sync", "allocate", "free"
    name: str
    device: int
    stream: int


class Machine:
    """Devices with their streams; every call takes the lock, so that threads may share them."""

    def __init__(self, devices, schedule="lazy"):
        self.devices = devices
        self.schedule = schedule
        self.random = None if schedule in ("lazy", "eager") else random.Random(schedule)
        self.lock = threading.RLock()
        self.thread = threading.local()
        self.legacy = [Queue(device, LEGACY, True) for device in range(devices)]
        self.per_thread = {}
        self.queues = {}
        self.made = 0
        self.pending = []  # under a random schedule only
        self.log = []
        self.syncs = Counter()
        self.sync_allowed = True

    # ------------------------------------------------------------------------- devices

    def require_gpu(self):
        if not self.devices:
            raise CUDARuntimeError(35)

    def current_device(self):
        self.require_gpu()
        return getattr(self.thread, "device", 0)

    def set_device(self, device):
        self.require_gpu()
        if not 0 <= device < self.devices:
            raise CUDARuntimeError(101)
        self.thread.device = device

    # ------------------------------------------------------------------------- streams

    def create_stream(self, blocking):
        with self.lock:
            device = self.current_device()
            self.made += 1
            handle = FIRST_HANDLE + HANDLE_STEP * self.made
            self.queues[handle] = Queue(device, handle, blocking)
            return handle

    def destroy_stream(self, handle):
        """The handle ends; the work queued on the stream does not."""
        with self.lock:
            queue = self.queues.pop(handle, None)
            if queue is not None and queue.blocking and queue.last is not None:
                self.enqueue(self.legacy[queue.device], None, [queue.last])

    def queue_of(self, handle):
        """The stream of a handle; 0 to 2 are those of the current device."""
        with self.lock:
            device = self.current_device()
            if handle in (LEGACY, LEGACY_HANDLE):
                return self.legacy[device]
            if handle == PER_THREAD:
                key = threading.get_ident(), device
                if key not in self.per_thread:
                    self.per_thread[key] = Queue(device, PER_THREAD, True)
                return self.per_thread[key]
            if handle not in self.queues:
                raise CUDARuntimeError(400)
            return self.queues[handle]

    def queue_for_kernel(self, handle):
        """A kernel can only go to a stream of the current device; copies can go to any."""
        queue = self.queue_of(handle)
        if queue.device != self.current_device():
            raise CUDARuntimeError(400)
        return queue

    # ------------------------------------------------------------------------- work

    def enqueue(self, queue, action, after=()):
        """Put work at the end of a stream, and after the work in ``after``."""
        with self.lock:
            if queue.captured is not None:
                queue.captured.append(action)
                return None
            before = [queue.last, *after]
            if queue.handle == LEGACY:
                others = [*self.queues.values(), *self.per_thread.values()]
                before += [q.last for q in others if q.blocking and q.device == queue.device]
            elif queue.blocking:
                before.append(self.legacy[queue.device].last)
            work = Work(action, [w for w in before if w is not None and not w.done])
            queue.last = work
            if self.schedule == "eager":
                self.force(work)
            elif self.random is not None:
                self.pending.append(work)
                self.run_some()
            return work

    def run_some(self):
        """Run pieces of work that are ready, at random."""
        while self.random.random() < 0.5:
            self.pending = [work for work in self.pending if not work.done]
            ready = [work for work in self.pending if all(w.done for w in work.after)]
            if not ready:
                break
            self.force(self.random.choice(ready))

    def force(self, work):
        """Run ``work`` and what it has to come after."""
        if work is None or work.done:
            return
        with self.lock, memory.unlocked():
            stack = [work]
            while stack:
                waiting = [w for w in stack[-1].after if not w.done]
                if waiting:
                    stack += waiting
                    continue
                top = stack.pop()
                if not top.done:
                    action, top.action, top.after, top.done = top.action, None, (), True
                    if action is not None:
                        action()

    # ------------------------------------------------------------------------- waiting

    def count_sync(self, name, device, handle):
        if not self.sync_allowed:
            raise DeviceSynchronized(f"{name} made the host wait for the device")
        self.syncs[name] += 1
        self.log.append(Entry("sync", name, device, handle))

    def synchronize_stream(self, handle):
        with self.lock:
            queue = self.queue_of(handle)
            if queue.captured is not None:
                raise CUDARuntimeError(900)
            self.count_sync("stream", queue.device, queue.handle)
            if queue.handle == LEGACY:  # it ends after all that it has to come after
                self.enqueue(queue, None)
            self.force(queue.last)

    def synchronize_device(self):
        with self.lock:
            device = self.current_device()
            self.count_sync("device", device, LEGACY)
            self.finish(device)

    def finish(self, device=None):
        """Run all work of a device, or of all; for tests, it counts as no wait."""
        with self.lock:
            queues = [*self.legacy, *self.per_thread.values(), *self.queues.values()]
            for queue in queues:
                if device is None or queue.device == device:
                    self.force(queue.last)
