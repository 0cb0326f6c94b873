"""What the real CuPy says about its names, where its wheel is installed: it imports without a GPU.

Each call of the double is bound to the signature of the real function, and each ufunc has the loops
of the real one. Where there is no wheel, a name is CuPy's if it is NumPy's and not in LACKING.
"""

import inspect
import sys

import numpy as np

LACKING = {
    "": {"unstack", "vecdot", "vecmat", "matvec", "ndarray", "ufunc", "permute"},
    "linalg": {
        "diagonal", "matrix_norm", "matrix_transpose", "outer", "svdvals", "tensordot", "trace",
        "vecdot", "vector_norm", "matmul", "multi_dot",
    },
    "fft": set(),
}  # fmt: skip

real = None
known = {}


def load_real():
    """Import the real CuPy, keep it, and take it out of sys.modules."""
    global real
    try:
        import cupy
        import cupy.fft
        import cupy.linalg
    except ImportError:
        return
    real = cupy
    for name in [n for n in sys.modules if n.partition(".")[0] in ("cupy", "cupyx")]:
        del sys.modules[name]


def real_object(path):
    """The real object of a dotted name, None where it or the wheel is missing."""
    found = real
    for name in path.split("."):
        found = getattr(found, name, None)
    return found


def exists(folder, name):
    """Whether cupy, or one of its submodules, has a name."""
    if real is not None:
        return hasattr(real_object(folder) if folder else real, name)
    home = getattr(np, folder) if folder else np
    return hasattr(home, name) and name not in LACKING[folder]


def signature_of(path):
    """The signature of a real function or method; None where it does not say."""
    if path not in known:
        known[path] = read_signature(path)
    return known[path]


def read_signature(path):
    found = real_object(path)
    if found is None or is_ufunc(path):
        return None
    try:
        return inspect.signature(found)
    except (TypeError, ValueError):
        return signature_from_text((found.__doc__ or "").partition("\n")[0])


def signature_from_text(text):
    """The signature in the first line of a docstring of Cython: 'f(self, int a=1, b=None) -> c'."""
    inside = text.partition("(")[2].rpartition(" -> ")[0] or text.partition("(")[2]
    parts = [part.strip() for part in inside.rpartition(")")[0].split(",")]
    names = ", ".join(part.split(" ")[-1] for part in parts if part)
    try:
        return inspect.signature(eval(f"lambda {names}: None"))
    except SyntaxError:
        return None


def is_ufunc(path, function=None):
    """Whether the real function is a ufunc; without the wheel, whether NumPy's is one."""
    if real is None:
        return isinstance(function, np.ufunc) and function.signature is None
    return type(real_object(path)).__name__ == "ufunc"


def check_call(path, args, keywords):
    """TypeError if the real function of that name would not take these arguments."""
    signature = signature_of(path)
    if signature is None:
        if is_ufunc(path):
            check_ufunc_call(path, args, keywords)
        return
    try:
        signature.bind(*args, **keywords)
    except TypeError as error:
        raise TypeError(f"cupy.{path}: {error}, its signature is {signature}") from None


def check_ufunc_call(path, args, keywords):
    inputs = real_object(path).nin
    if not inputs <= len(args) <= inputs + real_object(path).nout:
        raise TypeError(f"cupy.{path}: takes {inputs} arrays, got {len(args)}")
    if unknown := set(keywords) - {"out", "dtype", "casting"}:
        raise TypeError(f"cupy.{path}: unexpected keywords {unknown}")


def loop_of(path, operands):
    """The dtypes in and out of the first loop of the real ufunc that takes these operands.

    None where there is no wheel, or where the dtypes are not NumPy's own.
    """
    found = real_object(path)
    if found is None or not is_ufunc(path):
        return None
    arrays = [x.dtype for x in operands if hasattr(x, "dtype")]
    if any(dtype.num >= 256 for dtype in arrays):
        return None
    weak = max(map(kind_of, operands)) == max(map(kind_of, arrays), default=-1)
    for loop in found.types:
        inputs, _, outputs = loop.partition("->")
        if "E" in loop:
            continue
        if all(takes(np.dtype(t), x, weak) for t, x in zip(inputs, operands, strict=True)):
            return [np.dtype(t) for t in inputs], [np.dtype(t) for t in outputs]
    raise TypeError(f"cupy.{path}: no loop for {[str(d) for d in arrays]}")


KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 2}


def kind_of(operand):
    return KINDS[getattr(operand, "kind", None) or getattr(operand, "dtype", np.dtype(
        type(operand))).kind]


def takes(dtype, operand, weak):
    """Whether a loop takes an operand: Python scalars are weak unless they are of a higher kind."""
    if hasattr(operand, "dtype"):
        return np.can_cast(operand.dtype, dtype)
    if np.can_cast(np.dtype(type(operand)), dtype):
        return True
    return weak and np.result_type(type(operand)(0), dtype) == dtype
