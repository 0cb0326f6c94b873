"""cupy.ElementwiseKernel and RawKernel: the double runs no CUDA C++, but a function by its name."""

import numpy as np

from cupy_double import launch, machine

elementwise = {}
"""Name of an ElementwiseKernel -> what it computes, as a function of NumPy arrays."""

raw = {"spin": lambda *args: None}
"""Name of a RawKernel -> what it does to NumPy arrays over the device memory of its arguments."""


def parameters(text):
    """'T x, raw int32 y' as pairs of type and name."""
    return [tuple(part.split()[-2:]) for part in text.split(",") if part.strip()]


class ElementwiseKernel:
    """Its results have the dtypes that the declaration of the parameters says."""

    def __init__(self, in_params, out_params, operation, name="kernel", reduce_dims=True,
                 preamble="", no_return=False, return_tuple=False, **kwargs):
        self.inputs, self.outputs = parameters(in_params), parameters(out_params)
        self.operation, self.name, self.return_tuple = operation, name, return_tuple

    def __call__(self, *args, stream=None, size=None, block_size=128):
        machine.gpu.require_gpu()
        given, outs = args[: len(self.inputs)], args[len(self.inputs) :]
        if len(given) != len(self.inputs):
            raise TypeError(f"{self.name}: takes {len(self.inputs)} arrays, got {len(args)}")
        launch.check_operands(self.name, args)
        if self.name not in elementwise:
            raise NotImplementedError(f"the double of CuPy has no ElementwiseKernel {self.name}")
        types = self.bind(given)
        out_types = [types.get(kind) or np.dtype(kind) for kind, _ in self.outputs]
        in_types = [types.get(kind) or np.dtype(kind) for kind, _ in self.inputs]
        function = elementwise[self.name]

        def compute(*operands):
            cast = [np.asarray(x, t) for x, t in zip(operands, in_types, strict=True)]
            found = function(*cast)
            found = found if isinstance(found, tuple) else (found,)
            return tuple(np.asarray(x).astype(t) for x, t in zip(found, out_types, strict=True))

        if outs:
            return launch.launch(self.name, lambda *a: compute(*a)[0], given, {}, out=outs[0])
        results = launch.launch(self.name, compute, given, {})
        return results if len(results) > 1 or self.return_tuple else results[0]

    def bind(self, given):
        """The dtype of each type variable, which all arrays declared with it must share."""
        types = {}
        for (kind, name), x in zip(self.inputs, given, strict=True):
            if len(kind) == 1 and isinstance(x, (launch.ndarray, np.generic)):
                if types.setdefault(kind, x.dtype) != x.dtype:
                    raise TypeError(f"{self.name}: Type is mismatched. {name} {kind} {x.dtype}")
        for (kind, _), x in zip(self.inputs, given, strict=True):
            if len(kind) == 1:
                types.setdefault(kind, np.asarray(x).dtype)
        return types


class RawKernel:
    """Called with grid, block and arguments; compiled by nobody."""

    def __init__(self, code, name, options=(), backend="nvrtc", translate_cucomplex=False, *,
                 enable_cooperative_groups=False, jitify=None):
        self.name = name

    def __call__(self, grid, block, args, *, shared_mem=0, stream=None):
        hosts = launch.map_arrays(lambda x: x.host(), args)
        action = raw[self.name]
        launch.queue_kernel(self.name, lambda: action(*hosts))
