"""Kernels for what CuPy's own functions compute otherwise.

They are C++ that also a compiler for the host takes, by which the tests run them.
"""

from __future__ import annotations

from xpdl._backends.cupy.raw import cupy

# Of a remainder that is not zero the sign is that of the divisor; so is the sign of a zero.
REMAINDER = """
    T rest = fmod(x1, x2);
    if (rest == 0) {
      result = copysign(rest, x2);
    } else {
      result = (rest < 0) != (x2 < 0) ? rest + x2 : rest;
    }
"""

# The quotient of what is left without the remainder is whole but for rounding. At infinities and
# zeros of the divisor the standard prefers floor(x1 / x2).
FLOOR_DIVIDE = """
    if (!isfinite(x1) || !isfinite(x2) || x2 == 0) {
      result = floor(x1 / x2);
    } else {
      T rest = fmod(x1, x2);
      T quotient = (x1 - rest) / x2;
      if (rest != 0 && (rest < 0) != (x2 < 0)) {
        quotient -= 1;
      }
      T whole = floor(quotient);
      if (quotient - whole > T(0.5)) {
        whole += 1;
      }
      result = quotient == 0 ? copysign(T(0), x1 / x2) : whole;
    }
"""

# The real part, 0, or the imaginary one, 1, of (a + bi) / (c + di), reduced by the larger one of c
# and d: an infinite divisor gives zeros, where CuPy's division gives NaN.
DIVIDE_COMPLEX = """
    bool by_real = fabs(c) >= fabs(d);
    T larger = by_real ? c : d;
    T smaller = by_real ? d : c;
    if (c == 0 && d == 0) {
      result = (part == 0 ? a : b) / fabs(c);
    } else {
      T ratio = smaller / larger;
      T scale = 1 / (larger + smaller * ratio);
      if (by_real) {
        result = (part == 0 ? a + b * ratio : b - a * ratio) * scale;
      } else {
        result = (part == 0 ? a * ratio + b : b * ratio - a) * scale;
      }
    }
"""

remainder = cupy.ElementwiseKernel("T x1, T x2", "T result", REMAINDER, "xpdl_remainder")
floor_divide = cupy.ElementwiseKernel("T x1, T x2", "T result", FLOOR_DIVIDE, "xpdl_floor_divide")
divide_complex = cupy.ElementwiseKernel(
    "T a, T b, T c, T d, int64 part", "T result", DIVIDE_COMPLEX, "xpdl_divide_complex"
)
