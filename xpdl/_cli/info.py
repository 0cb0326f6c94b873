"""``python -m xpdl info``: versions, devices with their memory, and where things come from."""

import argparse
import json
import os
import platform
import sys
from functools import cache
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from typing import Any

import numpy as np

import xpdl as xp
from xpdl import _cext, _elementwise
from xpdl._cli.terminal import print_line, print_table
from xpdl._interop import LIBRARIES, installed
from xpdl.dlpack import VERSION

__all__ = ["add_parser", "describe", "print_versions", "version_of"]

VARIABLES = ("XPDL_DEVICE", "XPDL_UNPICKLE_DEVICE")


def add_parser(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add the command to the command line, with the options that all commands share."""
    parser = commands.add_parser(
        "info", parents=[shared], help="versions, devices, backends and where they are"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print it all."""
    found = describe()
    if options.json:
        print(json.dumps(found, indent=2))
        return 0
    print_versions(found)
    print_line()
    print_table(("device", "memory in all", "free", ""), device_rows(found["devices"]))
    print_line()
    print_table(("backend", "for", "version", "where"), backend_rows(found["backends"]))
    print_line()
    libraries = found["libraries"].items()
    print_table(("library", "version"), [(name, told or "-") for name, told in libraries])
    print_line()
    print_table(("place", "path"), list(found["places"].items()))
    return 0


def describe() -> dict[str, Any]:
    """What ``info`` tells, for JSON; no library is imported for it."""
    devices = xp.__array_namespace_info__().devices()
    return {
        "xpdl": xp.__version__,
        "array_api": xp.__array_api_version__,
        "dlpack": ".".join(map(str, VERSION)),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "default_device": str(xp.default_device()),
        "devices": [{"device": str(device)} | memory_of(device) for device in devices],
        "backends": describe_backends(),
        "libraries": {name: version_of(name) for name in [*LIBRARIES, "ml_dtypes"]},
        "places": {
            "xpdl": xp.__path__[0],
            "extension": _cext.__file__,
            "chapters": "compiled" if is_compiled(_elementwise) else "uncompiled",
            "python": sys.executable,
            **{name: os.environ.get(name, "not set") for name in VARIABLES},
        },
    }


def print_versions(found: dict[str, Any]) -> None:
    """The versions, in two lines."""
    numpy = found["libraries"]["numpy"]
    print_line(
        f"xpdl {found['xpdl']}, array API {found['array_api']}, DLPack {found['dlpack']}", "bold"
    )
    print_line(f"NumPy {numpy}, Python {found['python']}, {found['platform']}")


def describe_backends() -> list[dict[str, str | None]]:
    """The libraries that do the work, and the one that does it on the CPU within NumPy."""
    blas = np.show_config(mode="dicts").get("Build Dependencies", {}).get("blas", {})
    cupy = find_spec("cupy")
    return [
        {"name": "numpy", "device": "cpu", "version": np.__version__, "where": np.__path__[0]},
        {
            "name": "BLAS of numpy",
            "device": "cpu",
            "version": blas.get("version"),
            "where": blas.get("name"),
        },
        {
            "name": "cupy",
            "device": "cuda",
            "version": version_of("cupy"),
            "where": os.path.dirname(cupy.origin) if cupy and cupy.origin else None,
        },
    ]


def backend_rows(backends: list[dict[str, str | None]]) -> list[tuple[str, ...]]:
    """The table's rows; a backend that is not installed says what to do."""
    return [
        (
            str(backend["name"]),
            str(backend["device"]),
            backend["version"] or "-",
            backend["where"] or "not installed",
        )
        for backend in backends
    ]


def device_rows(devices: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    """The table's rows, memory in GiB."""
    default = str(xp.default_device())
    return [
        (
            found["device"],
            gibibytes(found["total_bytes"]),
            gibibytes(found["free_bytes"]),
            "default" if found["device"] == default else "",
        )
        for found in devices
    ]


def gibibytes(size: int | None) -> str:
    """``size`` in bytes, for reading."""
    return "unknown" if size is None else f"{size / 2**30:.1f} GiB"


def memory_of(device: xp.Device) -> dict[str, int | None]:
    """Bytes of memory in all and free; None where the system does not tell."""
    free = total = None
    if device.type == "cuda":
        import cupy

        with cupy.cuda.Device(device.id):
            free, total = cupy.cuda.runtime.memGetInfo()
    elif hasattr(os, "sysconf") and "SC_AVPHYS_PAGES" in os.sysconf_names:
        page = os.sysconf("SC_PAGE_SIZE")
        total = page * os.sysconf("SC_PHYS_PAGES")
        free = page * os.sysconf("SC_AVPHYS_PAGES")
    return {"total_bytes": total, "free_bytes": free}


def version_of(library: str) -> str | None:
    """The version of a library of ``LIBRARIES`` or of a module, None where it is not installed."""
    if library == "xpdl":
        return xp.__version__
    if library in LIBRARIES and not installed([library]):
        return None
    module = LIBRARIES[library].module if library in LIBRARIES else library
    names = _distributions().get(module.partition(".")[0])
    return version(names[0]) if names else None


@cache
def _distributions() -> Any:
    """Which distribution a module comes from; reading all of them takes a while."""
    return packages_distributions()


def is_compiled(module: Any) -> bool:
    """Whether a chapter runs compiled; the same text runs uncompiled, more slowly."""
    return not module.__file__.endswith(".py")
