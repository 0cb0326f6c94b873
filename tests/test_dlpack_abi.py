"""The extension's DLPack header against the official one, as a C compiler sees them both."""

import ctypes
import re
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import fake_producer
import pytest

OURS = Path(__file__).parent.parent / "_cext" / "dlpack_abi.h"

STRUCTS = {
    "DLPackVersion": ("major", "minor"),
    "DLDevice": ("device_type", "device_id"),
    "DLDataType": ("code", "bits", "lanes"),
    "DLTensor": ("data", "device", "ndim", "dtype", "shape", "strides", "byte_offset"),
    "DLManagedTensor": ("dl_tensor", "manager_ctx", "deleter"),
    "DLManagedTensorVersioned": ("version", "manager_ctx", "deleter", "flags", "dl_tensor"),
    "DLPackExchangeAPIHeader": ("version", "prev_api"),
    "DLPackExchangeAPI": (
        "header",
        "managed_tensor_allocator",
        "managed_tensor_from_py_object_no_sync",
        "managed_tensor_to_py_object_no_sync",
        "dltensor_from_py_object_no_sync",
        "current_work_stream",
    ),
}
MACROS = (
    "DLPACK_MAJOR_VERSION",
    "DLPACK_MINOR_VERSION",
    "DLPACK_FLAG_BITMASK_READ_ONLY",
    "DLPACK_FLAG_BITMASK_IS_COPIED",
    "DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED",
)


def official_header():
    """The header in the apache-tvm-ffi wheel; the package itself is not imported."""
    try:
        files = distribution("apache-tvm-ffi").files or ()
    except PackageNotFoundError:
        pytest.skip("apache-tvm-ffi, which ships the official header, is not installed")
    for file in files:
        if file.parts[-3:] == ("include", "dlpack", "dlpack.h"):
            return Path(file.locate())
    pytest.skip("this apache-tvm-ffi ships no dlpack.h")


def enumerators(header):
    return sorted(set(re.findall(r"^\s*(kDL\w+)\s*=", header.read_text(), re.MULTILINE)))


def measure(header, constants, folder):
    """Compile a program that includes `header`; what it prints, a dict of name and number."""
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    expressions = {name: name for name in (*MACROS, *constants)}
    for struct, fields in STRUCTS.items():
        expressions[f"sizeof {struct}"] = f"sizeof({struct})"
        for field in fields:
            expressions[f"{struct}.{field}"] = f"offsetof({struct}, {field})"
            expressions[f"sizeof {struct}.{field}"] = f"sizeof((({struct} *)0)->{field})"
    expressions["sizeof DLDeviceType"] = "sizeof(DLDeviceType)"
    lines = [f'  printf("{name}=%llu\\n", (unsigned long long)({expression}));'
             for name, expression in expressions.items()]
    source = folder / "measure.c"
    source.write_text(
        f'#include <stddef.h>\n#include <stdio.h>\n#include "{header}"\n'
        "int main(void) {\n" + "\n".join(lines) + "\n  return 0;\n}\n"
    )
    program = folder / "measure"
    built = subprocess.run([compiler, "-o", program, source], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return {name: int(value) for name, value in
            (line.split("=") for line in printed.splitlines())}


@pytest.fixture(scope="module")
def official(tmp_path_factory):
    header = official_header()
    return measure(header, enumerators(header), tmp_path_factory.mktemp("official"))


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    return measure(OURS, enumerators(official_header()), tmp_path_factory.mktemp("ours"))


def test_abi_header_every_size_offset_and_constant_equals_the_official(official, ours):
    assert ours == official


def test_abi_enumerators_none_added_none_missing():
    assert enumerators(OURS) == enumerators(official_header())


def test_abi_header_struct_fields_are_all_compared():
    text = re.sub(r"/\*.*?\*/", "", official_header().read_text(), flags=re.DOTALL)
    for struct, fields in STRUCTS.items():
        body = re.search(r"\{([^{}]*)\}\s*" + struct + r"\s*;", text).group(1)
        body = re.sub(r"//.*|\([^()]*\)\s*;", ";", re.sub(r"\(\*(\w+)\)", r"\1", body))
        assert tuple(re.findall(r"(\w+)\s*;", body)) == fields, struct


@pytest.mark.parametrize("struct", STRUCTS)
def test_abi_ctypes_mirror_of_the_fake_producer_equals_the_official(official, struct):
    mirror = getattr(fake_producer, struct)
    assert ctypes.sizeof(mirror) == official[f"sizeof {struct}"]
    for field in STRUCTS[struct]:
        assert getattr(mirror, field).offset == official[f"{struct}.{field}"]
        assert getattr(mirror, field).size == official[f"sizeof {struct}.{field}"]


def test_abi_version_is_1_3(ours):
    assert (ours["DLPACK_MAJOR_VERSION"], ours["DLPACK_MINOR_VERSION"]) == (1, 3)
