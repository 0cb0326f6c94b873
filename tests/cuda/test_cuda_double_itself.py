"""What only the double does: it ends a host that reads device memory, and it knows CuPy's wheel."""

import inspect

import pytest
from cupy_wheel import require_wheel
from gpu import cp, on_double_only
from programs import run_program


@on_double_only
def test_host_that_follows_a_pointer_of_the_device_ends():
    program = """
import ctypes
x = gpu.cp.ones(4)
gpu.cp.cuda.Device().synchronize()
assert x.get().tolist() == [1.0] * 4
ctypes.string_at(x.data.ptr, 8)
"""
    with pytest.raises(AssertionError, match="Segmentation fault"):
        run_program(program)


@on_double_only
def test_machine_without_devices_says_what_the_real_one_says():
    run_program("""
import cupy_double
cp = cupy_double.install(devices=0)
calls = [
    cp.cuda.runtime.getDeviceCount, cp.cuda.Device, cp.cuda.get_current_stream, cp.cuda.Stream,
    cp.cuda.Event, lambda: cp.zeros(1), lambda: cp.asarray([1]), lambda: cp.empty(0),
    lambda: cp.cuda.alloc_pinned_memory(8), lambda: cp.cuda.malloc_managed(8),
]
for call in calls:
    try:
        call()
    except cp.cuda.runtime.CUDARuntimeError as error:
        assert error.status == 35
    else:
        raise AssertionError(call)
assert cp.cuda.Device(3).id == 3
import xpdl as xp
try:
    xp.zeros(1, device="cuda")
except NotImplementedError as error:
    assert "needs a GPU and its driver" in str(error), error
else:
    raise AssertionError
assert list(map(str, xp.__array_namespace_info__().devices())) == ["cpu"]
""", prelude="")


@on_double_only
def test_calls_are_bound_to_the_signatures_of_the_wheel():
    signatures = require_wheel()
    assert str(signatures.signature_of("sort")) == "(a, axis=-1, kind=None)"
    assert list(signatures.signature_of("ndarray.get").parameters) == [
        "self", "stream", "order", "out", "blocking"]
    with pytest.raises(TypeError, match=r"^cupy.sort: .*stable"):
        cp.sort(cp.ones(2), stable=True)
    with pytest.raises(TypeError, match=r"^cupy.linalg.solve: "):
        cp.linalg.solve(cp.ones((2, 2)))


# What the double's classes have beside CuPy's names, for its own use.
OWN_NAMES = {
    "ndarray": {"extent", "host", "view_at"},
    "ElementwiseKernel": {"bind", "compile"},
    "RawKernel": set(),
    "cuda.Device": set(),
    "cuda.Stream": {"check_device"},
    "cuda.Event": set(),
    "cuda.Graph": set(),
    "cuda.MemoryPointer": set(),
    "cuda.MemoryPool": {"release"},
    "cuda.UnownedMemory": set(),
    "cuda.ManagedMemory": {"kind"},
    "cuda.PinnedMemoryPool": set(),
}


@on_double_only
@pytest.mark.parametrize("path", OWN_NAMES)
def test_classes_have_no_more_names_than_those_of_the_wheel(path):
    signatures = require_wheel()
    kind = cp
    for name in path.split("."):
        kind = getattr(kind, name)
    names = {name for name in vars(kind) if not name.startswith("_")} - OWN_NAMES[path]
    assert names - set(dir(signatures.real_object(path))) == set()
    for name in names:
        method = getattr(kind, name)
        real = signatures.signature_of(f"{path}.{name}")
        if inspect.isfunction(method) and real is not None:
            parameters = set(inspect.signature(method).parameters) - {"args", "keywords"}
            assert parameters - set(real.parameters) == set()


@on_double_only
@pytest.mark.parametrize("path", ["cuda", "cuda.runtime", ""])
def test_modules_have_no_more_names_than_those_of_the_wheel(path):
    signatures = require_wheel()
    module, real = cp, signatures.real
    for name in filter(None, path.split(".")):
        module, real = getattr(module, name), getattr(real, name)
    names = {
        name for name, value in vars(module).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    } - {"folder", "annotations", "SimpleNamespace"}  # fmt: skip
    assert {name for name in names if not hasattr(real, name)} == set()
