"""cupy.ElementwiseKernel and RawKernel: C++ for a GPU, compiled for the host where there is g++."""

import ctypes
import math
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from cupy_double import launch, machine

C_TYPES = {
    "bool": "bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int",
    "uint64": "unsigned long", "float32": "float", "float64": "double",
}  # fmt: skip

raw = {"spin": lambda *args: None}
"""Name of a RawKernel -> what it does to NumPy arrays over the device memory of its arguments."""


def parameters(text):
    """'T x, int32 y' as pairs of type and name."""
    return [tuple(part.split()[-2:]) for part in text.split(",") if part.strip()]


class ElementwiseKernel:
    """Its results have the dtypes that the declaration of the parameters says."""

    def __init__(self, in_params, out_params, operation, name="kernel", reduce_dims=True,
                 preamble="", no_return=False, return_tuple=False, **kwargs):
        self.inputs, self.outputs = parameters(in_params), parameters(out_params)
        self.operation, self.preamble = operation, preamble
        self.name, self.return_tuple = name, return_tuple
        self.compiled = {}

    def __call__(self, *args, stream=None, size=None, block_size=128):
        machine.gpu.require_gpu()
        given, outs = args[: len(self.inputs)], args[len(self.inputs) :]
        if len(given) != len(self.inputs):
            raise TypeError(f"{self.name}: takes {len(self.inputs)} arrays, got {len(args)}")
        launch.check_operands(self.name, args)
        types = self.bind(given)
        in_types = [types.get(kind) or np.dtype(kind) for kind, _ in self.inputs]
        out_types = [types.get(kind) or np.dtype(kind) for kind, _ in self.outputs]
        function = self.compile(types, in_types + out_types)

        def compute(*operands):
            shape = np.broadcast_shapes(*[np.shape(x) for x in operands])
            cast = [np.broadcast_to(np.asarray(x, t), shape).copy()
                    for x, t in zip(operands, in_types, strict=True)]
            results = [np.empty(shape, t) for t in out_types]
            pointers = [ctypes.c_void_p(x.ctypes.data) for x in cast + results]
            function(ctypes.c_long(math.prod(shape)), *pointers)
            return tuple(results)

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
            if len(kind) == 1 and kind not in types:
                types[kind] = np.asarray(x).dtype
        return types

    def compile(self, types, dtypes):
        """A function of a number of elements and the addresses of the operands."""
        key = tuple(map(str, dtypes))
        if key not in self.compiled:
            self.compiled[key] = compile_loop(
                self.preamble, self.operation,
                [(kind, C_TYPES[str(dtype)]) for kind, dtype in types.items()],
                [(C_TYPES[str(dtype)], name)
                 for dtype, (_, name) in zip(dtypes, self.inputs + self.outputs, strict=True)])
        return self.compiled[key]


def compile_loop(preamble, operation, types, operands):
    """The C function that runs an operation for each element."""
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        raise NotImplementedError("the double of CuPy needs g++ for the operation of a kernel")
    declared = "".join(f"typedef {c_type} {kind};\n" for kind, c_type in types)
    pointers = "".join(f", {c_type}* {name}_s" for c_type, name in operands)
    elements = "".join(f"{c_type}& {name} = {name}_s[i];\n" for c_type, name in operands)
    source = f"""
        #include <cmath>
        using namespace std;
        {declared}{preamble}
        extern "C" void run(long n{pointers}) {{
            for (long i = 0; i < n; ++i) {{
                {elements}{operation}
            }}
        }}
    """
    with tempfile.TemporaryDirectory() as folder:
        text, library = Path(folder, "kernel.cpp"), Path(folder, "kernel.so")
        text.write_text(source)
        subprocess.run(
            [compiler, "-O1", "-shared", "-fPIC", "-o", library, text], check=True)
        return ctypes.CDLL(str(library)).run


class RawKernel:
    """Called with grid, block and arguments; what it does is in ``raw``."""

    def __init__(self, code, name, options=(), backend="nvrtc", translate_cucomplex=False, *,
                 enable_cooperative_groups=False, jitify=None):
        self.name = name

    def __call__(self, grid, block, args, *, shared_mem=0, stream=None):
        hosts = launch.map_arrays(lambda x: x.host(), args)
        action = raw[self.name]
        launch.queue_kernel(self.name, lambda: action(*hosts))
