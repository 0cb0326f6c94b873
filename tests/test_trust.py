"""What xpdl runs of what it is given: the protocol's methods, and nothing else."""

import copy
import io
import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import xpdl as xp

ROOT = Path(__file__).resolve().parent.parent

# ------------------------------------------------------------------------------------- pickles

# All that the pickle of an Array may name. NumPy's names differ between its versions.
NAMED = {
    ("xpdl._cext", "array_from_pickle"),
    ("numpy", "ndarray"), ("numpy", "dtype"),
    ("_codecs", "encode"), ("__builtin__", "bytes"),  # bytes, in protocol 2
    ("numpy._core.multiarray", "_reconstruct"), ("numpy._core.numeric", "_frombuffer"),
}  # fmt: skip


class Unpickler(pickle.Unpickler):
    """Refuses every name that is not in `NAMED`, and remembers those that it was asked for."""

    def find_class(self, module, name):
        if (module, name) not in NAMED:
            raise pickle.UnpicklingError(f"names {module}.{name}")
        return super().find_class(module, name)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3)])
def test_pickle_of_an_array_names_nothing_but_what_makes_arrays(protocol, shape):
    x = xp.reshape(xp.arange(int(np.prod(shape))), shape)
    y = Unpickler(io.BytesIO(pickle.dumps(x, protocol))).load()
    assert type(y) is xp.Array
    assert (y.tolist(), y.dtype) == (x.tolist(), x.dtype)


@pytest.mark.parametrize("forged", [[1], "abc", None, np.float64(1), np.array([None]),
                                    np.ma.ones(3), np.zeros(2, "M8[s]"), print])  # fmt: skip
def test_forged_pickle_makes_no_array(forged):
    made = xp.ones(3).__reduce_ex__(4)[0]
    with pytest.raises(TypeError):
        made(forged, False)


class Counting:
    """Has everything that a value could have, and counts what is used."""

    def __init__(self):
        self.used = []

    def __reduce_ex__(self, protocol):
        raise AssertionError("pickled")


def test_copies_of_an_array_call_nothing_of_its_producer():
    class Producer(Counting):
        def __dlpack__(self, **keywords):
            return np.arange(3).__dlpack__(**keywords)

        def __dlpack_device__(self):
            return (1, 0)

    x = xp.from_dlpack(Producer())
    for y in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x)), x.copy()):
        assert y.tolist() == [0, 1, 2]


# ------------------------------------------------------------------------------------- imports

SPECIAL = (
    "__array__ __array_interface__ __array_struct__ __array_priority__ __array_ufunc__ "
    "__array_function__ __array_namespace__ __cuda_array_interface__ __len__ __iter__ __getitem__ "
    "__index__ __int__ __float__ __complex__ __bool__ __eq__ __hash__ __call__ __reduce__ "
    "__reduce_ex__ __copy__ __deepcopy__ __getstate__ __enter__ __exit__ __del__ __repr__ __str__ "
    "__format__ __bytes__ __fspath__ __buffer__ __getnewargs__ __sizeof__ __contains__"
).split()


def recording_producer(array):
    """A producer whose class and instances write down every attribute that is asked for."""
    asked = []

    def forbidden(name):
        def method(self, *args, **keywords):
            asked.append(f"{name}()")
            raise AssertionError(f"{name} was called")

        return method

    def look_up(self, name):
        asked.append(name)
        return object.__getattribute__(self, name)

    class Meta(type):
        def __getattribute__(cls, name):
            asked.append(f"class.{name}")
            return type.__getattribute__(cls, name)

    names = {name: forbidden(name) for name in SPECIAL}
    names |= {
        "__getattribute__": look_up,
        "__dlpack__": lambda self, **keywords: array.__dlpack__(**keywords),
        "__dlpack_device__": lambda self: (1, 0),
        "__hash__": object.__hash__,
    }
    del names["__del__"]
    kind = Meta("Producer", (), names)
    producer = kind()
    asked.clear()
    return producer, asked


# __class__ and __mro__ are read by isinstance; the rest is the protocol and the type's name.
PROTOCOL = {"__dlpack__", "__dlpack_device__", "__class__", "class.__dlpack_c_exchange_api__",
            "class.__module__", "class.__mro__", "class.__dlpack__",
            "class.__dlpack_device__"}  # fmt: skip


@pytest.mark.parametrize(
    "function",
    [xp.from_dlpack, xp.asarray, lambda p: xp.from_dlpack(p, copy=True), xp.dlpack.inspect,
     lambda p: xp.from_dlpack(xp.ReadOnlyWrapper(p)),
     lambda p: xp.to_dlpack(p, max_version=(1, 0)),
     lambda p: xp.dlpack.from_address(xp.dlpack.to_address(p))],
    ids=["from_dlpack", "asarray", "copy", "inspect", "wrapper", "to_dlpack", "address"],
)  # fmt: skip
def test_import_asks_a_producer_for_the_protocol_and_nothing_else(function):
    producer, asked = recording_producer(np.arange(3.0))
    function(producer)
    assert set(asked) <= PROTOCOL
    assert "__dlpack__" in asked


def test_import_calls_each_method_of_the_protocol_once():
    calls = []

    class Producer:
        def __dlpack_device__(self):
            calls.append("device")
            return (1, 0)

        def __dlpack__(self, **keywords):
            calls.append(keywords)
            return np.arange(3.0).__dlpack__(**keywords)

    xp.from_dlpack(Producer())
    assert calls == ["device", {"max_version": (1, 3)}]


# --------------------------------------------------------------------------------- environment

READ = """
import builtins, contextlib, contextvars, inspect, numpy, operator, os, sys
asked = set()

class Recording(type(os.environ)):
    def __getitem__(self, key):
        asked.add(key)
        return super().__getitem__(key)

    def get(self, key, default=None):
        asked.add(key)
        return super().get(key, default)

    def __iter__(self):
        asked.add("all")
        return super().__iter__()

os.environ.__class__ = Recording
import xpdl as xp
x = xp.from_dlpack(numpy.arange(3.0))
xp.sum(xp.sin(x) + xp.asarray([1.0, 2.0, 3.0]))
xp.linalg.vector_norm(x), xp.fft.fft(x), xp.from_dlpack(xp.ReadOnlyWrapper(x)), xp.Device("cuda:1")
print(sorted(asked))
"""


def run(script, **environment):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), **environment},
    )  # fmt: skip


def test_two_variables_of_the_environment_are_read():
    done = run(READ)
    assert (done.stdout, done.stderr) == ("['XPDL_DEVICE', 'XPDL_UNPICKLE_DEVICE']\n", "")


def test_compiled_code_asks_the_c_library_for_no_environment_and_starts_nothing():
    """What the compiled modules import by name, from the tables of their files."""
    modules = sorted((ROOT / "xpdl").glob("*.so"))
    if not modules:
        pytest.skip("xpdl is installed elsewhere, without its compiled modules beside the tests")
    for module in modules:
        names = set(module.read_bytes().split(b"\0"))
        assert not names & {
            b"getenv", b"secure_getenv", b"setenv", b"putenv", b"system", b"popen", b"execve",
            b"fork", b"dlopen", b"fopen", b"open", b"socket", b"connect",
        }, module  # fmt: skip


@pytest.mark.parametrize("value", ["", "cpu"])
def test_documented_variable_sets_the_default_device(value):
    done = run("import xpdl; print(xpdl.default_device())", XPDL_DEVICE=value)
    assert (done.stdout, done.stderr) == ("cpu\n", "")


def test_documented_variable_of_a_wrong_value_is_an_error_that_names_it():
    done = run("import xpdl", XPDL_DEVICE="gpu")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ValueError: XPDL_DEVICE: device must be 'cpu', 'cuda' or 'cuda:<id>', got 'gpu'"
    )
