"""What CUDA computes at zeros, infinities and NaN, computed by a compiler for the host.

The kernels of the backend are C++ that g++ takes too. So are the headers in CuPy's wheel with the
complex functions of its kernels: with the repairs of the backend they give what the CPU gives.
"""

import ctypes
import itertools
import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from xpdl._backends.numpy import FUNCTIONS
from xpdl._backends.numpy.elementwise import COMPLEX as OF_COMPLEX

cupy = pytest.importorskip(
    "cupy", "14.2", reason="needs CuPy: pip install 'xpdl[cuda12]' or 'xpdl[cuda13]'"
)
HOST = FUNCTIONS | OF_COMPLEX
COMPILER = shutil.which("g++")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs g++")

VALUES = [0.0, -0.0, 1.0, -1.0, 0.3, -2.5, 7.0, math.inf, -math.inf, math.nan]
COMPLEX = np.array([complex(*parts) for parts in itertools.product(VALUES, VALUES)])
PAIRS = np.array(list(itertools.product(VALUES, VALUES))).T.copy()


def library_of(folder, source, *options):
    """A program of C++ as a library."""
    text, library = folder / "source.cpp", folder / "library.so"
    text.write_text(source)
    subprocess.run([COMPILER, "-O1", "-w", "-shared", "-fPIC", "-std=c++17", *options, "-o",
                    str(library), str(text)], check=True)  # fmt: skip
    return ctypes.CDLL(str(library))


def call(function, result, *operands):
    """Call a loop of the library over arrays, which get the result."""
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*operands, result)]
    function(ctypes.c_long(result.size), *pointers)
    return result


def check_equal(found, expected):
    """The same bits, but for NaN, and for the last bits of a finite number."""
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)
    signed = (expected == 0) & (found == 0)
    np.testing.assert_array_equal(np.signbit(found[signed]), np.signbit(expected[signed]))


# --------------------------------------------------------------------------------------- kernels


def kernel_loop(folder, operation, declared, dtype):
    """A kernel's operation in a loop over arrays of the host."""
    source = f"""
        #include <cmath>
        using namespace std;
        typedef {"float" if dtype == "float32" else "double"} T;
        extern "C" void run(long n, {", ".join(f"{kind}* {name}_s" for kind, name in declared)},
                            T* result_s) {{
            for (long i = 0; i < n; ++i) {{
                {" ".join(f"{kind} {name} = {name}_s[i];" for kind, name in declared)}
                T& result = result_s[i];
                {operation}
            }}
        }}
    """
    return library_of(folder, source).run


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["remainder", "floor_divide"])
def test_kernel_divides_as_the_cpu(name, dtype, tmp_path):
    from xpdl._backends.cupy import kernels

    run = kernel_loop(tmp_path, getattr(kernels, name.upper()), [("T", "x1"), ("T", "x2")], dtype)
    x1, x2 = PAIRS.astype(dtype)
    with np.errstate(all="ignore"):
        expected = HOST[name](x1, x2)
    check_equal(call(run, np.empty_like(x1), x1, x2), expected)


@pytest.mark.parametrize(("part", "of"), [(0, "real"), (1, "imag")])
def test_kernel_divides_complex_numbers_as_the_cpu(part, of, tmp_path):
    from xpdl._backends.cupy import kernels

    declared = [("T", "a"), ("T", "b"), ("T", "c"), ("T", "d"), ("long", "part")]
    run = kernel_loop(tmp_path, kernels.DIVIDE_COMPLEX, declared, "float64")
    x1, x2 = map(np.ravel, np.meshgrid(COMPLEX, COMPLEX))
    operands = [x.copy() for x in (x1.real, x1.imag, x2.real, x2.imag)]
    found = call(run, np.empty(x1.size), *operands, np.full(x1.size, part))
    with np.errstate(all="ignore"):
        expected = getattr(HOST["divide"](x1, x2), of)
    check_equal(found, expected)


# ----------------------------------------------------------------------------- complex functions

# What the headers need of CUDA.
OF_CUDA = """
    #include <cmath>
    #include <cstdint>
    #include <cstring>
    #define __host__
    #define __device__
    using std::abs; using std::fabs; using std::isnan; using std::isinf; using std::isfinite;
    using std::signbit; using std::copysign;
    template <typename To, typename From> To bits(From x) {
        To y;
        memcpy(&y, &x, sizeof y);
        return y;
    }
    inline int __double2hiint(double x) { return bits<int64_t>(x) >> 32; }
    inline int __double2loint(double x) { return bits<int64_t>(x); }
    inline double __hiloint2double(int high, int low) {
        return bits<double>((int64_t)high << 32 | (uint32_t)low);
    }
    inline int __float_as_int(float x) { return bits<int>(x); }
    inline float __int_as_float(int x) { return bits<float>(x); }
    #include <cupy/math_constants.h>
    #include <cupy/complex.cuh>
    typedef complex<double> Z;
"""
NAMESPACE = """
    #define THRUST_NAMESPACE_BEGIN namespace thrust {
    #define THRUST_NAMESPACE_END }
    #define THRUST_NS_QUALIFIER ::thrust
"""
NAMES = {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
    "atanh": "arctanh", "cos": "cos", "cosh": "cosh", "exp": "exp", "expm1": "expm1", "log": "log",
    "log10": "log10", "log1p": "log1p", "log2": "log2", "sin": "sin", "sinh": "sinh",
    "sqrt": "sqrt", "tan": "tan", "tanh": "tanh",
}  # fmt: skip

# The standard leaves a sign open where these are a zero or an infinity beside NaN; so do C and its
# libraries.
OPEN_SIGN = {
    "asin": "imag", "asinh": "real", "cos": "imag", "cosh": "imag", "sin": "imag", "sinh": "real",
    "exp": "imag", "expm1": "imag",
}  # fmt: skip


@pytest.fixture(scope="module")
def loops(tmp_path_factory):
    """CuPy's complex functions as loops over arrays of the host."""
    folder = tmp_path_factory.mktemp("complex")
    config = folder / "thrust" / "detail" / "config"
    config.mkdir(parents=True)
    (config / "namespace.h").write_text(NAMESPACE)
    source = OF_CUDA + "".join(
        f'extern "C" void {NAMES[name]}_loop(long n, Z* x, Z* result) '
        f"{{ for (long i = 0; i < n; ++i) result[i] = {name}(x[i]); }}\n"
        for name in NAMES
    )
    include = Path(cupy.__file__).parent / "_core" / "include"
    return library_of(folder, source, f"-I{folder}", f"-I{include}", f"-I{include}/cupy")


class HostLibrary:
    """In place of CuPy: NumPy, but for CuPy's own complex functions."""

    def __init__(self, loops):
        self.loops = loops

    def __getattr__(self, name):
        if name not in NAMES.values():
            return getattr(np, name)
        loop = getattr(self.loops, f"{name}_loop")
        return lambda x: call(loop, np.empty_like(x), x)


@pytest.fixture
def functions(loops, monkeypatch):
    """The backend's functions over that library."""
    from xpdl._backends.cupy import elementwise

    library = HostLibrary(loops)
    monkeypatch.setattr(elementwise, "cupy", library)
    ten, two = math.log10(math.e), math.log2(math.e)
    repaired = {
        name: getattr(elementwise, name) for name in ("acosh", "expm1", "tan", "tanh")
    } | {
        "log": elementwise.logarithm(library.log),
        "log10": elementwise.logarithm(library.log10, ten),
        "log1p": elementwise.logarithm(library.log1p, of_next=True),
        "log2": elementwise.logarithm(library.log2, two),
    }
    return {name: getattr(library, numpy) for name, numpy in NAMES.items()} | repaired


@pytest.mark.parametrize("name", NAMES)
def test_complex_function_gives_what_the_cpu_gives(functions, name):
    with np.errstate(all="ignore"):
        found = functions[name](COMPLEX)
        expected = HOST[name](COMPLEX)
    for part in ("real", "imag"):
        got, want = getattr(found, part).copy(), getattr(expected, part).copy()
        if OPEN_SIGN.get(name) == part:
            other = getattr(expected, "imag" if part == "real" else "real")
            open_ = (np.isnan(other) | (other == 0) | np.isinf(COMPLEX)) & ~np.isfinite(COMPLEX)
            got[open_], want[open_] = np.abs(got[open_]), np.abs(want[open_])
        check_equal(got, want)


@pytest.mark.parametrize("name", ["acosh", "log", "log10", "log1p", "log2", "tan", "tanh"])
def test_complex_function_of_cupy_needs_its_repair(loops, name):
    with np.errstate(all="ignore"):
        found = getattr(HostLibrary(loops), NAMES[name])(COMPLEX)
        expected = HOST[name](COMPLEX)
    assert (np.isnan(found.view(float)) != np.isnan(expected.view(float))).any()
