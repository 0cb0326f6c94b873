"""Libraries on the same GPU as the double: one with torch's manners, one with JAX's.

Each has a memory pool and current streams of its own, and frees at once what a deleter is called
for. What they do is queued like everything else. The methods are those of `libraries` in the tests
marked ``cuda``, which put the real torch and JAX behind them.
"""

import contextlib
import ctypes
from ctypes import c_void_p

from fake_producer import READ_ONLY, WORK_STREAM
from fake_publisher import publish

from cupy_double import machine, pointer, runtime, stream as streams
from cupy_double.capsule import array_from_capsule, capsule_of, managed_tensor
from cupy_double.device import Device
from cupy_double.functions import cupy


class Handle:
    """A stream of another library: it has nothing but the protocol."""

    def __init__(self, handle):
        self.handle = handle

    def __cuda_stream__(self):
        return 0, self.handle


# ------------------------------------------------------------------------------------- libraries


class Tensor:
    """An array of one of the libraries."""

    def __init__(self, library, array):
        self.library, self.array = library, array

    def __dlpack_device__(self):
        return self.library.device_type, self.array.data.device_id

    def __dlpack__(self, *, stream=-1, max_version=None, dl_device=None, copy=None):
        return self.library.export(self, stream, max_version, dl_device, copy)


class Library:
    """What both do alike."""

    immutable = False
    tensor = Tensor

    def __init__(self):
        self.pool = pointer.MemoryPool()
        self.device_type = 10 if runtime.is_hip else 2

    def handle(self, device):
        """The library's current stream of a device."""
        raise NotImplementedError

    @contextlib.contextmanager
    def working(self, device):
        """The library's own device, stream and pool, in which its functions run."""
        with (
            Device(device),
            streams.Stream.from_external(Handle(self.handle(device))),
            pointer.using_allocator(self.pool.malloc),
        ):
            yield

    def full(self, shape, value, dtype="float32", device=0):
        with self.working(device):
            return self.tensor(self, cupy.full(shape, value, dtype))

    def copy(self, tensor):
        with self.working(tensor.array.data.device_id):
            return self.tensor(self, tensor.array.copy())

    def write(self, tensor, value):
        with self.working(tensor.array.data.device_id):
            tensor.array.fill(value)

    def values(self, tensor):
        with self.working(tensor.array.data.device_id):
            return tensor.array.get()

    def delay(self, device=0):
        """Keep the library's current stream busy: work of the double is always late."""

    def pointer(self, tensor):
        return tensor.array.data.ptr

    def used(self):
        return self.pool.used_bytes()

    def order(self, tensor, consumer):
        """Make the stream of a consumer wait for the library's."""
        device = tensor.array.data.device_id
        if consumer != self.handle(device):
            with Device(device):
                event = streams.Event()
                streams.record_event(event, self.handle(device))
                streams.wait_event(consumer, event)


class MiniTorch(Library):
    """The manners of torch.

    As a producer it orders nothing unless a stream is given, refuses stream 2, and refuses while
    another device is current. As a consumer it passes its own current stream, 1 for the default
    one, does not make the array's device current, and drops max_version after any TypeError.
    """

    name = "torch"

    def __init__(self):
        super().__init__()
        self.current = {}

    def handle(self, device):
        return self.current.get(device, 0)

    @contextlib.contextmanager
    def side_stream(self, device=0):
        with Device(device):
            handle = machine.gpu.create_stream(False)
        before, self.current[device] = self.handle(device), handle
        try:
            yield handle
        finally:
            self.current[device] = before

    def export(self, tensor, stream, max_version, dl_device, copy):
        device = tensor.array.data.device_id
        if stream is not None and type(stream) is not int:
            raise TypeError("stream must be ``int`` or ``none``")
        if device != machine.gpu.current_device():
            raise BufferError(f"device {device} is not the current one")
        if stream == 2:
            raise BufferError("per-thread default stream is not supported.")
        if dl_device not in (None, (self.device_type, device)) or copy:
            raise BufferError("neither another device nor a copy")
        if stream != -1:
            self.order(tensor, 0 if stream in (None, 1) else stream)
        return capsule_of(tensor.array, max_version, 0, self.device_type)

    def from_dlpack(self, x):
        kind, device = x.__dlpack_device__()
        assert kind == self.device_type, "only from the device"
        stream = self.handle(device) or 1
        try:
            capsule = x.__dlpack__(stream=stream, max_version=(1, 0))
        except TypeError:
            capsule = x.__dlpack__(stream=stream)
        return self.tensor(self, array_from_capsule(capsule))


class ExchangeTensor(Tensor):
    """A tensor whose type publishes the C exchange API, as those of recent torch do."""


class MiniTorchExchange(MiniTorch):
    """The same, with the C exchange API: its tensors come without any order."""

    name = "torch, exchange API"
    tensor = ExchangeTensor


def from_object(obj, out):
    tensor = ctypes.cast(obj, ctypes.py_object).value
    c_void_p.from_address(out).value = managed_tensor(
        tensor.array, True, 0, tensor.library.device_type)
    return 0


published = {}  # the library with a table, and the callbacks of that, which must live as long


def current_work_stream(kind, device, out):
    out[0] = published["library"].handle(device)
    return 0


def publish_table(library):
    """Give ExchangeTensor its table; there is one library with it in a process."""
    slot = ctypes.PYFUNCTYPE(ctypes.c_int, c_void_p, c_void_p)(from_object)
    work_stream = WORK_STREAM(current_work_stream)
    api = publish(ExchangeTensor, from_py=slot)
    api.current_work_stream = ctypes.cast(work_stream, c_void_p).value
    published.update(library=library, slots=(slot, work_stream))


class MiniJax(Library):
    """The manners of JAX: a stream of its own, no max_version, and arrays that nobody may write."""

    name = "jax"
    immutable = True

    def __init__(self):
        super().__init__()
        self.streams = {}

    def handle(self, device):
        if device not in self.streams:
            with Device(device):
                self.streams[device] = machine.gpu.create_stream(False)
        return self.streams[device]

    def side_stream(self, device=0):
        return contextlib.nullcontext(self.handle(device))

    def export(self, tensor, stream, max_version, dl_device, copy):
        if dl_device not in (None, tensor.__dlpack_device__()) or copy:
            raise BufferError("neither another device nor a copy")
        if stream not in (None, -1):
            self.order(tensor, stream)
        return capsule_of(tensor.array, max_version, READ_ONLY, self.device_type)

    def from_dlpack(self, x):
        _, device = x.__dlpack_device__()
        return self.tensor(self, array_from_capsule(x.__dlpack__(stream=self.handle(device))))


class JaxTensor(Tensor):
    """Its module says that its library's arrays are immutable."""


JaxTensor.__module__ = "jax"
MiniJax.tensor = JaxTensor
