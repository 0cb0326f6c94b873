"""The namespace as a whole: its names, signatures, docstrings, imports and version."""

import ast
import enum
import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import array_api_strict
import numpy as np
import pytest

import xpdl as xp

ROOT = Path(__file__).parent.parent
SPACES = {"": xp, "linalg": xp.linalg, "fft": xp.fft}

# What array_api_strict exports beside the standard; what of it is left out of its __all__.
NOT_THE_STANDARD = {
    "ArrayAPIStrictFlags",
    "get_array_api_strict_flags",
    "reset_array_api_strict_flags",
    "set_array_api_strict_flags",
}
LEFT_OUT = [("linalg", "eig"), ("linalg", "eigvals")]
# (function, parameter): the standard's default, where array_api_strict has a sentinel of its own.
STANDARD_DEFAULTS = {
    ("astype", "device"): None,
    ("from_dlpack", "device"): None,
    ("from_dlpack", "copy"): None,
}
# Keywords that NumPy, CuPy, PyTorch and JAX all have, and clients use.
KEYWORDS_BEYOND_THE_STANDARD = {("mean", "dtype")}
BEYOND_THE_STANDARD = {
    "Array",
    "Device",
    "ReadOnlyWrapper",
    "__version__",
    "default_device",
    "diag",
    "dlpack",
    "einsum",
    "float16",
    "logspace",
    "median",
    "nanargmax",
    "nanargmin",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
    "pad",
    "record_stream",
    "set_default_device",
    "to_dlpack",
    "transpose",
    "unpickle_device",
}


def strict_space(space):
    return getattr(array_api_strict, space) if space else array_api_strict


def strict_names():
    exported = [(space, name) for space in SPACES for name in strict_space(space).__all__]
    return LEFT_OUT + [(space, name) for space, name in exported if name not in NOT_THE_STANDARD]


def functions_of(space):
    module = SPACES[space]
    return [name for name in module.__all__ if inspect.isroutine(getattr(module, name))]


ALL_FUNCTIONS = [(space, name) for space in SPACES for name in functions_of(space)]


@pytest.mark.parametrize(("space", "name"), strict_names())
def test_name_of_the_standard_is_exported(space, name):
    assert name in SPACES[space].__all__
    assert hasattr(SPACES[space], name)


@pytest.mark.parametrize(
    ("space", "name"),
    [(s, n) for s, n in strict_names() if inspect.isfunction(getattr(strict_space(s), n))],
)
def test_signature_is_that_of_the_standard(space, name):
    theirs = inspect.signature(getattr(strict_space(space), name)).parameters.values()
    expected = [(p.name, p.kind, STANDARD_DEFAULTS.get((name, p.name), p.default)) for p in theirs]
    ours = inspect.signature(getattr(SPACES[space], name)).parameters.values()
    found = [
        (p.name, p.kind, p.default)
        for p in ours
        if (name, p.name) not in KEYWORDS_BEYOND_THE_STANDARD
    ]
    assert found == expected


@pytest.mark.parametrize("space", SPACES)
def test_all_is_unique_and_whole(space):
    names = SPACES[space].__all__
    assert len(names) == len(set(names))
    beyond = BEYOND_THE_STANDARD if not space else set()
    assert set(names) == {n for s, n in strict_names() if s == space} | beyond


@pytest.mark.parametrize(("space", "name"), ALL_FUNCTIONS)
def test_function_has_a_docstring_with_its_source(space, name):
    text = inspect.getdoc(getattr(SPACES[space], name))
    assert text
    assert name in BEYOND_THE_STANDARD or "\nSource: array API 2025.12, " in text


@pytest.mark.parametrize(("space", "name"), ALL_FUNCTIONS)
def test_function_has_a_return_annotation(space, name):
    signature = inspect.signature(getattr(SPACES[space], name))
    assert signature.return_annotation is not inspect.Signature.empty
    assert all(p.annotation is not inspect.Parameter.empty for p in signature.parameters.values())


def definitions():
    """How often each name is defined by a top-level def in the sources."""
    counts = {}
    for path in (ROOT / "xpdl").glob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                counts[node.name] = counts.get(node.name, 0) + 1
    for path in (ROOT / "_cext").glob("*.pxi"):
        for name in re.findall(r"^def (\w+)\(", path.read_text(), re.MULTILINE):
            counts[name] = counts.get(name, 0) + 1
    return counts


DEFINITIONS = definitions()


@pytest.mark.parametrize("name", sorted({name for _, name in ALL_FUNCTIONS}))
def test_function_is_defined_once_in_the_sources(name):
    assert DEFINITIONS[name] == 1


@pytest.mark.parametrize("space", SPACES)
def test_function_names_its_module(space):
    for name in functions_of(space):
        assert getattr(SPACES[space], name).__module__.startswith("xpdl")


def test_import_loads_no_other_array_library():
    code = (
        "import sys, xpdl; "
        "print(*({'cupy', 'torch', 'jax', 'ml_dtypes', 'array_api_strict'} & sys.modules.keys()))"
    )
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=ROOT
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "\n", "")


def test_version_is_that_of_the_project():
    with (ROOT / "pyproject.toml").open("rb") as file:
        assert xp.__version__ == tomllib.load(file)["project"]["version"]
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?(\.dev\d+)?", xp.__version__)
    assert xp.__array_api_version__ == "2025.12"
    assert xp.__name__ == "xpdl"


@pytest.mark.parametrize(
    ("name", "value"),
    [("e", np.e), ("pi", np.pi), ("inf", np.inf), ("newaxis", None)],
)
def test_constant_is_exact(name, value):
    assert getattr(xp, name) == value
    assert type(getattr(xp, name)) is type(value)


def test_constant_nan_is_a_nan():
    assert type(xp.nan) is float
    assert xp.nan != xp.nan


def test_array_namespace_is_the_module():
    x = xp.ones(1)
    for version in (None, "2025.12", "2024.12"):
        assert x.__array_namespace__(api_version=version) is xp


@pytest.mark.parametrize("kind", [xp.dlpack.DLDeviceType, xp.dlpack.DLDataTypeCode])
def test_dlpack_enumeration_is_that_of_the_header(kind):
    header = (ROOT / "_cext" / "dlpack_abi.h").read_text()
    body = next(
        text
        for text in re.findall(r"enum[^{;]*\{(.*?)\}", header, re.DOTALL)
        if re.search(rf"\b{next(iter(kind)).name}\b", text)
    )
    expected = {name: int(value) for name, value in re.findall(r"(kDL\w+) = (\d+)", body)}
    assert {member.name: member.value for member in kind} == expected
    assert issubclass(kind, enum.IntEnum)


def test_dlpack_module_has_the_functions_of_the_namespace():
    assert all(hasattr(xp.dlpack, name) for name in xp.dlpack.__all__)
    for name in ("ReadOnlyWrapper", "from_dlpack", "to_dlpack"):
        assert getattr(xp.dlpack, name) is getattr(xp, name)
    assert xp.dlpack.VERSION == (1, 3)
    assert issubclass(xp.dlpack.CopyRequiredError, (BufferError, ValueError))


@pytest.mark.parametrize("module", [xp.linalg, xp.fft, xp.dlpack])
def test_dir_of_a_module_holds_its_public_names(module):
    assert dir(module) == sorted(module.__all__)


@pytest.mark.parametrize("installed", [True, False])
def test_dir_of_xpdl_holds_its_public_names_and_the_dtypes_that_are_there(installed, monkeypatch):
    monkeypatch.setattr("xpdl._constants.find_spec", lambda name: installed or None)
    assert {*xp.__all__, "bfloat16"} - {*dir(xp)} == (set() if installed else {"bfloat16"})
    assert [name for name in dir(xp) if name.startswith("_") and name[1] != "_"] == []
    assert "TYPE_CHECKING" not in dir(xp)
