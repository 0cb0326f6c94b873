"""The other libraries on the GPU, with one set of methods: torch and JAX, or the double's peers.

A library works on a stream of its own. `full`, `copy` and `write` queue work there and return;
`values` waits for that stream, and only for that.
"""

import contextlib
import importlib
import os

import numpy as np
import pytest
from gpu import CYCLES, ON_DOUBLE, cp


class Torch:
    """PyTorch with CUDA."""

    name = "torch"
    immutable = False

    def __init__(self):
        self.torch = pytest.importorskip("torch", reason="needs torch with CUDA")
        if not self.torch.cuda.is_available():
            pytest.skip("needs torch with CUDA: torch.cuda.is_available() is False")

    def handle(self, device):
        return self.torch.cuda.current_stream(device).cuda_stream

    @contextlib.contextmanager
    def side_stream(self, device=0):
        stream = self.torch.cuda.Stream(device)
        with self.torch.cuda.stream(stream):
            yield stream.cuda_stream

    def full(self, shape, value, dtype="float32", device=0):
        return self.torch.full(shape, value, dtype=getattr(self.torch, dtype),
                               device=f"cuda:{device}")

    def copy(self, tensor):
        return tensor.clone()

    def write(self, tensor, value):
        tensor.fill_(value)

    def values(self, tensor):
        return tensor.to("cpu").numpy()

    def delay(self, device=0):
        self.torch.cuda._sleep(CYCLES)

    def from_dlpack(self, x):
        return self.torch.from_dlpack(x)

    def pointer(self, tensor):
        return tensor.data_ptr()

    def used(self):
        return self.torch.cuda.memory_allocated()


class Jax:
    """JAX with CUDA. Its streams are its own, and it has nothing that writes or spins."""

    name = "jax"
    immutable = True

    def __init__(self):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        self.jax = pytest.importorskip("jax", reason="needs JAX with CUDA")
        importlib.import_module("jax.dlpack")
        try:
            self.devices = self.jax.devices("gpu")
        except RuntimeError as error:
            pytest.skip(f"needs JAX with CUDA: {error}")

    def wide(self):
        """A context in which JAX has dtypes of 64 bits."""
        if hasattr(self.jax, "enable_x64"):
            return self.jax.enable_x64(True)
        return importlib.import_module("jax.experimental").enable_x64()

    def side_stream(self, device=0):
        return contextlib.nullcontext()

    def full(self, shape, value, dtype="float32", device=0):
        with self.jax.default_device(self.devices[device]), self.wide():
            return self.jax.numpy.full(shape, value, dtype)

    def copy(self, tensor):
        with self.wide():
            return self.jax.numpy.array(tensor, copy=True)

    def values(self, tensor):
        return np.asarray(tensor)

    def delay(self, device=0):
        pass

    def from_dlpack(self, x):
        with self.wide():
            return self.jax.dlpack.from_dlpack(x)

    def pointer(self, tensor):
        return tensor.unsafe_buffer_pointer()


class CuPy:
    """CuPy itself, beside xpdl: its current stream is xpdl's."""

    name = "cupy"
    immutable = False

    def handle(self, device):
        return cp.cuda.get_current_stream(device).ptr

    @contextlib.contextmanager
    def side_stream(self, device=0):
        yield self.handle(device)

    def full(self, shape, value, dtype="float32", device=0):
        with cp.cuda.Device(device):
            return cp.full(shape, value, dtype)

    def copy(self, tensor):
        return tensor.copy()

    def write(self, tensor, value):
        tensor.fill(value)

    def values(self, tensor):
        return tensor.get()

    def delay(self, device=0):
        pass

    def from_dlpack(self, x):
        return cp.from_dlpack(x)

    def pointer(self, tensor):
        return tensor.data.ptr

    def used(self):
        return cp.get_default_memory_pool().used_bytes()


if ON_DOUBLE:
    from cupy_double import peers

    LIBRARIES = {
        kind.name: kind for kind in (peers.MiniTorch, peers.MiniTorchExchange, peers.MiniJax)
    }
    ASYNCHRONOUS = [peers.MiniTorch.name, peers.MiniTorchExchange.name]
else:
    LIBRARIES = {"torch": Torch, "jax": Jax}
    ASYNCHRONOUS = ["torch"]

made = {}


def library_of(name):
    """The one instance of a library; skips where it is missing."""
    if name not in made:
        made[name] = CuPy() if name == "cupy" else LIBRARIES[name]()
        if ON_DOUBLE and name == "torch, exchange API":
            peers.publish_table(made[name])
    return made[name]
