"""Every function of xpdl beside NumPy's best public spelling of the same, as data.

``alike`` holds calls that are the same in both; the other rows are xpdl's call and NumPy's. The
letters are the arrays of ``benchmarks.operands``; a call is measured at the sizes that have all of
its letters.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

import xpdl as xp
from benchmarks.operands import SIZES, operands
from benchmarks.timing import Case, Compared, Finish, Statement

__all__ = [
    "PAIRS", "WITHOUT_A_PAIR", "Pair", "function_cases", "letters_of", "name_of", "operand_names",
    "pair_cases",
]  # fmt: skip

Pair = tuple[str, str]

DTYPES = {name: getattr(np, name) for name in ("float32", "float64", "int64")} | {
    "float64_dtype": np.dtype(np.float64)
}


def alike(calls: str) -> list[Pair]:
    """Calls, apart by two spaces or a line's end, that both libraries spell alike."""
    found = [call for call in re.split(r"\s{2,}", calls.strip()) if call]
    return [(f"xp.{call}", f"np.{call}") for call in found]


PAIRS: dict[str, list[Pair]] = {
    "elementwise": [
        *alike("""
            abs(b)  acos(x)  acosh(a)  add(x, y)  asin(x)  asinh(x)  atan(x)  atan2(x, y)  atanh(x)
            bitwise_and(i, j)  bitwise_invert(i)  bitwise_left_shift(i, j)  bitwise_or(i, j)
            bitwise_right_shift(i, j)  bitwise_xor(i, j)  ceil(b)  conj(z)  copysign(x, b)  cos(x)
            cosh(x)  divide(x, y)  equal(x, y)  exp(x)  expm1(x)  floor(b)  floor_divide(x, y)
            greater(x, y)  greater_equal(x, y)  hypot(x, y)  imag(z)  isfinite(x)  isinf(x)
            isnan(x)  less(x, y)  less_equal(x, y)  log(x)  log1p(x)  log2(x)  log10(x)
            logaddexp(x, y)  logical_and(p, q)  logical_not(p)  logical_or(p, q)  logical_xor(p, q)
            maximum(x, y)  minimum(x, y)  multiply(x, y)  negative(x)  nextafter(x, y)
            not_equal(x, y)  positive(x)  pow(x, y)  real(z)  reciprocal(x)  remainder(x, y)
            sign(b)  signbit(b)  sin(x)  sinh(x)  sqrt(x)  square(x)  subtract(x, y)  tan(x)
            tanh(x)  trunc(b)
            """),
        ("xp.clip(x, 0.4, 0.6)", "np.clip(x, 0.4, 0.6)"),
        ("xp.round(b)", "np.rint(b)"),
    ],
    "creation": [
        *alike("""
            arange(length)  asarray(x)  empty(shape)  empty_like(x)  eye(side)  full(shape, 0.5)
            full_like(x, 0.5)  linspace(0.0, 1.0, length)  meshgrid(u, u)  ones(shape)
            ones_like(x)  tril(m)  triu(m)  zeros(shape)  zeros_like(x)
            """),
    ],
    "data-types": [
        ("xp.astype(x, float32)", "x.astype(float32)"),
        *alike("""
            can_cast(float32, float64)  finfo(float64)  iinfo(int64)
            isdtype(float64_dtype, 'real floating')  result_type(x, i)
            """),
        ("xp.__array_namespace_info__()", "np.__array_namespace_info__()"),
    ],
    "manipulation": [
        *alike("""
            broadcast_arrays(x, y)  broadcast_shapes((8, 1), (1, 4))  broadcast_to(x, (3, *shape))
            concat((v, w))  expand_dims(x, 0)  flip(v)  moveaxis(m, 0, 1)  repeat(v, 2)
            reshape(x, (1, *shape))  roll(v, 1)  squeeze(row, 0)  stack((x, y))  tile(v, (2,))
            """),
        ("xp.permute_dims(m, (1, 0))", "np.transpose(m, (1, 0))"),
        ("xp.unstack(pair)", "np.unstack(pair)"),
    ],
    "searching": [
        *alike("argmax(b)  argmin(b)  count_nonzero(b)  nonzero(v)  searchsorted(o, v)"),
        ("xp.where(p, x, y)", "np.where(p, x, y)"),
        ("xp.take(v, k)", "np.take(v, k)"),
        ("xp.take_along_axis(v, k)", "np.take_along_axis(v, k, -1)"),
    ],
    "sets": [
        *alike("""
            isin(i, j)  unique_all(i)  unique_counts(i)  unique_inverse(i)  unique_values(i)
            """),
    ],
    "sorting": [
        ("xp.argsort(v)", "np.argsort(v, kind='stable')"),
        ("xp.argsort(v, stable=False)", "np.argsort(v)"),
        ("xp.sort(v)", "np.sort(v, kind='stable')"),
        ("xp.sort(v, stable=False)", "np.sort(v)"),
    ],
    "statistics": [
        *alike("all(p)  any(p)  max(b)  mean(x)  min(b)  prod(x)  std(x)  sum(x)  var(x)"),
        ("xp.cumulative_prod(v)", "np.cumprod(v)"),
        ("xp.cumulative_sum(v)", "np.cumsum(v)"),
        ("xp.diff(v)", "np.diff(v)"),
        ("xp.max(m, axis=0)", "np.max(m, axis=0)"),
        ("xp.mean(m, axis=0)", "np.mean(m, axis=0)"),
        ("xp.sum(m, axis=0)", "np.sum(m, axis=0)"),
        ("xp.sum(m, axis=1, keepdims=True)", "np.sum(m, axis=1, keepdims=True)"),
    ],
    "products": [
        ("xp.matmul(s, t)", "np.matmul(s, t)"),
        ("xp.matmul(m, u)", "np.matmul(m, u)"),
        ("xp.matrix_transpose(m)", "np.matrix_transpose(m)"),
        ("xp.tensordot(m, u, axes=1)", "np.tensordot(m, u, axes=1)"),
        ("xp.vecdot(v, w)", "np.vecdot(v, w)"),
    ],
    "linalg": [
        *alike("""
            linalg.cholesky(h)  linalg.cross(e, e)  linalg.det(s)  linalg.diagonal(m)
            linalg.eig(s)  linalg.eigh(h)  linalg.eigvals(s)  linalg.eigvalsh(h)  linalg.inv(s)
            linalg.matmul(s, t)  linalg.matrix_norm(m)  linalg.matrix_norm(s, ord=2)
            linalg.matrix_power(s, 3)  linalg.matrix_rank(s)  linalg.matrix_transpose(m)
            linalg.outer(u, u)  linalg.pinv(s)  linalg.qr(s)  linalg.slogdet(s)
            linalg.solve(s, t)  linalg.svd(s)  linalg.svdvals(s)  linalg.tensordot(m, u, axes=1)
            linalg.trace(m)  linalg.vecdot(v, w)  linalg.vector_norm(v)
            """),
    ],
    "fft": [
        *alike("""
            fft.fft(c)  fft.fftfreq(length)  fft.fftn(g)  fft.fftshift(v)  fft.hfft(c)
            fft.ifft(c)  fft.ifftn(g)  fft.ifftshift(v)  fft.ihfft(v)  fft.irfft(c)
            fft.irfftn(g)  fft.rfft(v)  fft.rfftfreq(length)  fft.rfftn(m)
            """),
    ],
    "beyond-the-standard": [
        *alike("""
            diag(u)  einsum('ij,jk->ik', s, t)  logspace(0.0, 1.0, length)  median(v)  nanargmax(f)
            nanargmin(f)  nanmax(f)  nanmean(f)  nanmedian(f)  nanmin(f)  nanprod(f)  nanstd(f)
            nansum(f)  nanvar(f)  pad(v, 1)  transpose(m)
            """),
    ],
}

WITHOUT_A_PAIR = {
    "default_device": "NumPy has no devices",
    "from_dlpack": "measured in the section exchange",
    "record_stream": "NumPy has no streams",
    "set_default_device": "NumPy has no devices",
    "to_dlpack": "measured in the section exchange",
    "unpickle_device": "what pickles of devices name; NumPy has no devices",
}

# How the results of a function are compared, where not by their values as they stand.
COMPARED: dict[str, Compared] = {
    "empty": "shapes",
    "empty_like": "shapes",
    "unique_values": "sorted values",
}


def function_cases(section: str, sizes: Sequence[str] = SIZES) -> Iterator[Case]:
    """Each pair of a section at each size that has its letters, over the same memory."""
    for size in sizes:
        ours = operand_names(size, xp, xp.asarray)
        theirs = operand_names(size, np, np.asarray)
        yield from pair_cases(section, size, PAIRS[section], ours, theirs)


def pair_cases(
    section: str,
    size: str,
    pairs: Sequence[Pair],
    ours: Mapping[str, object],
    theirs: Mapping[str, object],
    library: str = "numpy",
    finish: Finish | None = None,
) -> Iterator[Case]:
    """The pairs that have their letters in both; ``theirs`` says which library ``np`` is."""
    for our_call, their_call in pairs:
        letters = letters_of(our_call) - DTYPES.keys()
        if not letters <= ours.keys() or (not letters and size != "4"):
            continue
        yield Case(
            section,
            our_call.removeprefix("xp."),
            size,
            (
                Statement("xpdl", our_call, ours, finish=finish),
                Statement(library, their_call, theirs, finish=finish),
            ),
            COMPARED.get(name_of(our_call), "values"),
        )


def operand_names(
    size: str, module: ModuleType, convert: Callable[[np.ndarray], Any]
) -> dict[str, Any]:
    """The names of the calls: the module as ``xp`` and ``np``, dtypes, and its arrays of a size.

    Where ``convert`` makes a view the memory is the same for all, so that alignment favours nobody.
    """
    arrays = {
        name: convert(value) if isinstance(value, np.ndarray) else value
        for name, value in operands(size).items()
    }
    return {"xp": module, "np": module} | DTYPES | arrays


def name_of(call: str) -> str:
    """The function that a call is made to: ``linalg.inv`` of ``xp.linalg.inv(s)``."""
    return call.partition("(")[0].removeprefix("xp.")


def letters_of(call: str) -> set[str]:
    """The names in a call's arguments, but for keywords, strings and functions."""
    arguments = re.sub(r"'[^']*'", "", call.partition("(")[2])
    return set(re.findall(r"(?<![\w.])([A-Za-z_]\w*)(?!\w|\s*=|\()", arguments)) - {"True"}
