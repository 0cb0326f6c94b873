"""The extension modules; everything else about the package is in pyproject.toml."""

from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

# The chapters of the standard that are compiled as they stand; each has a .pxd beside it.
CHAPTERS = sorted(str(path.with_suffix(".py")) for path in Path("xpdl").glob("*.pxd") if path.stem != "_cext")

extension = Extension(
    "xpdl._cext",
    ["_cext/_cext.pyx"],
    include_dirs=["_cext", numpy.get_include()],
    define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
    depends=["_cext/dlpack_abi.h"],
)
chapters = [Extension(f"xpdl.{Path(path).stem}", [path]) for path in CHAPTERS]

setup(
    ext_modules=cythonize(
        [extension, *chapters],
        include_path=[".", "_cext"],
        compiler_directives={"language_level": 3, "annotation_typing": False, "embedsignature": False},
    ),
    options={"build_ext": {"parallel": 2}},
)
