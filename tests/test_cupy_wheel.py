"""CuPy's wheel, which imports without a driver: names, signatures, loops, arrays over any address.

What a GPU computes is tested in tests/cuda.
"""

import ast
import functools
import inspect
import itertools
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from outcomes import outcomes_of

import xpdl as xp
from xpdl._backends.numpy import FUNCTIONS as HOST

cupy = pytest.importorskip(
    "cupy", "14.2", reason="needs CuPy: pip install 'xpdl[cuda12]' or 'xpdl[cuda13]'"
)
ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "xpdl" / "_backends" / "cupy").glob("*.py"))

try:
    GPUS = cupy.cuda.runtime.getDeviceCount()
except cupy.cuda.runtime.CUDARuntimeError:
    GPUS = 0


def table_without_guard():
    from xpdl._backends.cupy.table import FUNCTIONS

    return FUNCTIONS


# --------------------------------------------------------------------------------------- no GPU


@pytest.mark.skipif(GPUS > 0, reason="there is a GPU here")
@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: xp.zeros(3, device="cuda"), NotImplementedError),
        (lambda: xp.asarray([1], device="cuda:1"), NotImplementedError),
        (lambda: xp.ones(1).to_device("cuda"), NotImplementedError),
        (lambda: xp.from_dlpack(xp.ones(1), device="cuda"), BufferError),
    ],
)
def test_device_without_a_gpu_says_what_is_missing(call, error):
    with pytest.raises(error, match=r"^\w+: device cuda:\d needs a GPU and its driver, got cu"):
        call()


@pytest.mark.skipif(GPUS > 0, reason="there is a GPU here")
def test_devices_without_a_gpu_are_the_cpu():
    assert xp.__array_namespace_info__().devices() == (xp.Device("cpu"),)


# --------------------------------------------------------------------------- names and signatures


def dotted(node):
    """The name of a chain of attributes, None for other expressions."""
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return inner and f"{inner}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else None


@functools.cache
def nodes():
    """All nodes of the syntax trees of the backend."""
    return [node for file in FILES for node in ast.walk(ast.parse(file.read_text()))]


def expressions(kind):
    return [node for node in nodes() if isinstance(node, kind)]


ALIASES = {
    "Stream": "cupy.cuda.Stream",
    "runtime": "cupy.cuda.runtime",
    "UnownedMemory": "cupy.cuda.UnownedMemory",
    "ndarray": "cupy.ndarray",
}


def full_name(node):
    name = dotted(node)
    if name is None:
        return None
    first, _, rest = name.partition(".")
    first = ALIASES.get(first, first)
    name = f"{first}.{rest}" if rest else first
    return name if name.startswith("cupy.") else None


def object_of(name):
    found = cupy
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found


NAMES = sorted({full_name(node) for node in expressions(ast.Attribute)} - {None})


@pytest.mark.parametrize("name", NAMES)
def test_name_exists(name):
    object_of(name)


def signature_of(function):
    """The signature of a function; of a compiled one, that of its documentation's first line."""
    try:
        return inspect.signature(function)
    except ValueError:
        pass
    first = inspect.cleandoc(function.__doc__ or "").split("\n", 1)[0]
    text = re.sub(r"\b\w+ (?=\w)", "", first).replace("\\", "")  # without the types of C
    parameters = text[text.index("(") + 1 : text.rindex(")")]
    namespace = {}
    exec(f"def f({parameters}): pass", namespace)
    return inspect.signature(namespace["f"])


def arguments_of(call):
    """Placeholders for a call's arguments, None where it has unpacked ones."""
    if any(isinstance(arg, ast.Starred) for arg in call.args):
        return None
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    return [0] * len(call.args), {keyword.arg: 0 for keyword in call.keywords}


CALLS = sorted(
    {
        (full_name(call.func), *map(repr, arguments_of(call)))
        for call in expressions(ast.Call)
        if full_name(call.func) and arguments_of(call)
    }
)


@pytest.mark.parametrize(("name", "positional", "keywords"), CALLS)
def test_call_binds(name, positional, keywords):
    function = object_of(name)
    if isinstance(function, cupy.ufunc):
        assert len(eval(positional)) == function.nin
        assert eval(keywords) == {}
    else:
        signature_of(function).bind(*eval(positional), **eval(keywords))


METHODS = {
    "astype": cupy.ndarray,
    "copy": cupy.ndarray,
    "get": cupy.ndarray,
    "repeat": cupy.ndarray,
    "reshape": cupy.ndarray,
    "take": cupy.ndarray,
    "transpose": cupy.ndarray,
    "diagonal": cupy.ndarray,
    "conj": cupy.ndarray,
    "wait_event": cupy.cuda.Stream,
    "is_capturing": cupy.cuda.Stream,
    "record": cupy.cuda.Event,
    "synchronize": cupy.cuda.Event,
}


@pytest.mark.parametrize("name", METHODS)
def test_method_binds_in_every_call(name):
    method = getattr(METHODS[name], name)
    calls = [
        call
        for call in expressions(ast.Call)
        if isinstance(call.func, ast.Attribute) and call.func.attr == name
    ]
    assert calls
    for call in calls:
        if full_name(call.func) or dotted(call.func) in (f"np.{name}", "interface.get"):
            continue
        positional, keywords = arguments_of(call)
        signature_of(method).bind(None, *positional, **keywords)


ATTRIBUTES = {
    "data": cupy.ndarray,
    "device": cupy.ndarray,
    "flags": cupy.ndarray,
    "imag": cupy.ndarray,
    "mT": cupy.ndarray,
    "real": cupy.ndarray,
    "strides": cupy.ndarray,
    "device_id": cupy.cuda.MemoryPointer,
    "mem": cupy.cuda.MemoryPointer,
    "ptr": cupy.cuda.MemoryPointer,
    "_owner": cupy.cuda.UnownedMemory,
    "done": cupy.cuda.Event,
}


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attribute_exists(name):
    assert any(node.attr == name for node in expressions(ast.Attribute)) or name == "mT"
    assert hasattr(ATTRIBUTES[name], name)


# ----------------------------------------------------------------------------- the function table


def test_table_has_every_function_of_the_cpu():
    assert set(HOST) - set(table_without_guard()) == set()


def test_chapters_have_the_functions_of_the_cpus():
    for module, tables in {
        "creation": ["CREATION", "DATA_TYPE"],
        "elementwise": ["ELEMENTWISE"],
        "fft": ["FFT"],
        "linear_algebra": ["LINALG", "LINEAR_ALGEBRA"],
        "manipulation": ["MANIPULATION", "INDEXING"],
        "searching": ["SEARCHING"],
        "sorting": ["SET", "SORTING"],
        "statistical": ["STATISTICAL", "UTILITY"],
    }.items():
        ours, theirs = (
            __import__(f"xpdl._backends.{library}.{module}", fromlist=tables)
            for library in ("cupy", "numpy")
        )
        for name in tables:
            more = set(getattr(ours, name)) - set(getattr(theirs, name))
            assert more <= {"__getitem__", "__setitem__"}
            assert set(getattr(theirs, name)) <= set(getattr(ours, name))


# How many positional arguments the dispatch gives CuPy's own functions, but for the ufuncs.
POSITIONAL = {
    "broadcast_to": 2, "copyto": 3, "expand_dims": 2, "flip": 2, "linalg.det": 1,
    "linalg.eigvalsh": 1, "linalg.inv": 1, "mean": 5, "moveaxis": 3, "nanmean": 5, "nanprod": 5,
    "nansum": 5, "prod": 5, "roll": 3, "squeeze": 2, "stack": 2, "sum": 5, "tensordot": 3,
    "tile": 2, "tril": 2, "triu": 2, "fft.fft": 4, "fft.hfft": 4, "fft.ifft": 4, "fft.ihfft": 4,
    "fft.irfft": 4, "fft.rfft": 4, "fft.fftshift": 2, "fft.ifftshift": 2,
}  # fmt: skip


@functools.cache
def direct():
    """The entries of the tables that are CuPy's own callables."""
    found = {}
    for node in expressions(ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            name = full_name(value)
            if isinstance(key, ast.Constant) and name:
                found[key.value] = object_of(name)
    return found


@pytest.mark.parametrize("name", direct())
def test_entry_takes_the_arguments_of_the_dispatch(name):
    function = direct()[name]
    if isinstance(function, cupy.ufunc):
        assert function.nin == HOST[name].nin
    elif name != "matmul":  # whose signature has *args
        signature_of(function).bind(*[None] * POSITIONAL[name])


def test_entries_that_are_listed_are_in_the_tables():
    assert set(POSITIONAL) <= set(direct())


# ------------------------------------------------------------------------------------------ loops

REPAIRED = {
    "acosh": cupy.arccosh, "divide": cupy.divide, "expm1": cupy.expm1, "pow": cupy.power,
    "reciprocal": cupy.reciprocal, "round": cupy.rint, "tan": cupy.tan, "tanh": cupy.tanh,
}  # fmt: skip
OTHERWISE = {"clip", "imag", "real"}  # no single ufunc


def ufunc_of(name):
    """The ufunc of CuPy that does the work of an elementwise function."""
    entry = table_without_guard()[name]
    if isinstance(entry, cupy.ufunc):
        return entry
    for cell in getattr(entry, "__closure__", None) or ():
        if isinstance(cell.cell_contents, cupy.ufunc):
            return cell.cell_contents
    return REPAIRED[name]


def loop_of(ufunc, dtypes):
    """The dtype of the first loop to which operands of dtypes can be cast; None without one."""
    for types in ufunc.types:
        operands, result = types.split("->")
        if "E" not in operands and all(map(np.can_cast, dtypes, map(np.dtype, operands))):
            return np.dtype(result)
    return None


def elementwise_names():
    from xpdl._backends.numpy.elementwise import ELEMENTWISE

    return sorted(set(ELEMENTWISE) - OTHERWISE)


@pytest.mark.parametrize("name", elementwise_names())
def test_loops_give_the_dtypes_of_the_cpu(name):
    ufunc = ufunc_of(name)
    count = 0
    for codes in itertools.product("?bhilBHILefdFD", repeat=ufunc.nin):
        dtypes = [np.dtype(code) for code in codes]
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                expected = np.asarray(HOST[name](*[np.ones(1, dtype) for dtype in dtypes])).dtype
        except TypeError:
            continue
        if name.startswith("logical") and any(dtype.kind == "c" for dtype in dtypes):
            dtypes = [np.dtype(bool) if dtype.kind == "c" else dtype for dtype in dtypes]
        if name == "round" and dtypes[0].kind in "biu":
            continue  # a copy
        assert loop_of(ufunc, dtypes) == expected, codes
        count += 1
    assert count >= 3


# ------------------------------------------------------------------------- arrays without a driver


@pytest.fixture(scope="module")
def outcomes():
    return outcomes_of(ROOT / "tests" / "on_wheel.py")


def program_tests():
    tree = ast.parse((ROOT / "tests" / "on_wheel.py").read_text())
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


@pytest.mark.skipif(GPUS > 0, reason="there is a GPU here, where tests/cuda tests real memory")
@pytest.mark.parametrize("name", program_tests())
def test_array_over_an_address(outcomes, name):
    assert outcomes[name] is None, outcomes[name]
