"""The extension modules; everything else about the package is in pyproject.toml."""

from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# The chapters, and NumPy's backend, are compiled as they stand: what has a .pxd beside it.
COMPILED = sorted(path for path in Path("xpdl").rglob("*.pxd") if path.stem != "_cext")


class BuildBesideSources(build_ext):
    """Leave the modules beside their sources too: ``python -m xpdl`` in a checkout finds these."""

    def run(self) -> None:
        super().run()
        self.copy_extensions_to_source()


extension = Extension(
    "xpdl._cext",
    ["_cext/_cext.pyx"],
    include_dirs=["_cext", numpy.get_include()],
    define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
    depends=["_cext/dlpack_abi.h", "_cext/error_return.h"],
)
chapters = [
    Extension(
        ".".join(path.with_suffix("").parts),
        [str(path.with_suffix(".py"))],
        include_dirs=["_cext"],
        depends=["_cext/error_return.h"],
    )
    for path in COMPILED
]

setup(
    ext_modules=cythonize(
        [extension, *chapters],
        include_path=[".", "_cext"],
        compiler_directives={
            "language_level": 3, "annotation_typing": False, "freethreading_compatible": True,
        },
    ),
    cmdclass={"build_ext": BuildBesideSources},
    options={"build_ext": {"parallel": 2}},
)
