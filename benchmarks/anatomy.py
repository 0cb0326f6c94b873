"""Where the time of a call goes: calls beside the calls that they contain."""

import re
from collections.abc import Iterator

import numpy as np

import xpdl as xp
from benchmarks.exchange import peers
from benchmarks.timing import Case, Statement

__all__ = ["INSIDE", "LADDERS", "anatomy_cases"]

# For each kind of call: xpdl's call, and what stands beside it. x y are Arrays, m n the NumPy
# arrays over the same memory, t a tensor of torch, all of four elements; o is 0-d.
LADDERS = {
    "an operator": ("x + y", "m + n"),
    "an operator in place": ("x += y", "m += n"),
    "a 0-d operator": ("o + o", "p + p"),
    "a function": ("xp.add(x, y)", "np.add(m, n)"),
    "a reduction": ("xp.sum(x)", "np.add.reduce(m)", "np.sum(m)"),
    "a view": ("x[1:3]", "m[1:3]"),
    "an element": ("x[1]", "m[1]"),
    "a view by a function": ("xp.reshape(x, (2, 2))", "m.reshape((2, 2))", "np.reshape(m, (2, 2))"),
    "no work at all": ("xp.asarray(x)", "np.asarray(m)"),
    "an import of NumPy's array": ("xp.from_dlpack(m)", "m[...]", "np.from_dlpack(m)"),
    "an import of torch's tensor": (
        "xp.from_dlpack(t)", "tvm_ffi.from_dlpack(t)", "t.__dlpack__()", "np.from_dlpack(t)",
    ),
    "an export": ("x.__dlpack__()", "m.__dlpack__()"),
}  # fmt: skip

# The call of NumPy's that xpdl's makes: what is left is xpdl's own.
INSIDE = {
    "x + y": "m + n",
    "x += y": "m += n",
    "xp.add(x, y)": "np.add(m, n)",
    "xp.sum(x)": "np.add.reduce(m)",
    "x[1:3]": "m[1:3]",
    "xp.reshape(x, (2, 2))": "m.reshape((2, 2))",
    "xp.from_dlpack(m)": "m[...]",
}


def anatomy_cases() -> Iterator[Case]:
    """A case for each kind, whose contestants are the calls, by their text."""
    m, n = np.arange(4.0), np.ones(4)
    names = {
        "xp": xp, "np": np, "m": m, "n": n, "x": xp.asarray(m), "y": xp.asarray(n),
        "o": xp.asarray(0.5), "p": np.asarray(0.5),
    }  # fmt: skip
    modules = peers()
    names |= modules
    if "torch" in modules:
        names["t"] = modules["torch"].arange(4.0)
    for kind, calls in LADDERS.items():
        able = [call for call in calls if set(re.findall(r"\bt\b|tvm_ffi", call)) <= names.keys()]
        if able:
            yield Case("anatomy", kind, "0-d" if "0-d" in kind else "4", [
                Statement(call, call, names, (call[0],) if "+=" in call else ()) for call in able
            ])  # fmt: skip
