"""Operators, methods and indexing: statements that are spelled alike for both libraries."""

from collections.abc import Iterator, Sequence
from operator import index
from types import ModuleType

import numpy as np

import xpdl as xp
from benchmarks.operands import SIZES, operands
from benchmarks.pairs import letters_of, operand_names
from benchmarks.timing import Case, Statement

__all__ = [
    "INPLACE", "METHODS", "OPERATORS", "READS_BY_ARRAYS", "READS_BY_SLICES", "WRITES",
    "indexing_cases", "method_cases", "operator_cases",
]  # fmt: skip

OPERATORS = (
    "x + y", "x - y", "x * y", "x / y", "x // y", "x % y", "x ** y", "s @ t",
    "i & j", "i | j", "i ^ j", "i << j", "i >> j",
    "x < y", "x <= y", "x > y", "x >= y", "x == y", "x != y",
    "-x", "+x", "abs(b)", "~i",
    "x + 1.0", "x * 2.0", "x ** 2", "x < 0.5", "1.0 - x", "2.0 / x", "2 ** x", "i + 1", "i % 2",
)  # fmt: skip

# What is on the right leaves the left side as it is, or changes it so that it never overflows.
INPLACE = (
    "x += y", "x -= y", "x *= one", "x /= one", "x //= one", "x %= one", "x **= one", "s @= eye",
    "i &= j", "i |= j", "i ^= j", "i <<= zero", "i >>= zero", "x += 1.0",
)  # fmt: skip

METHODS = (
    "x.shape", "x.dtype", "x.ndim", "x.size", "x.device", "m.T", "m.mT",
    "bool(scalar)", "int(scalar)", "float(scalar)", "complex(scalar)", "index(integer)",
    "x.to_device('cpu')", "scalar.item()", "v.tolist()", "len(v)", "list(v)", "0.5 in v",
    "x.copy()", "x.sum()", "m.transpose()", "x.reshape(-1)",
)  # fmt: skip
SCALARS = {"scalar", "integer"}
LARGE_LISTS = {"v.tolist()", "list(v)"}  # a million objects of Python say nothing of arrays

# NumPy hands out a scalar for ``v[1]`` and ``m[1, 1]``.
READS_BY_NUMBERS = ("v[1]", "m[1]", "m[1, 1]", "v[...]", "v[None]")
READS_BY_SLICES = ("v[1:3]", "v[::2]", "v[::-1]", "m[:, 1]", "m[1:, :1]")
READS_BY_ARRAYS = ("v[mask]", "v[k]", "v[few]", "m[rows]", "m[rows, rows]")
WRITES = (
    "v[1] = 0.5", "v[1:3] = 0.5", "v[:] = w", "m[0] = u", "v[mask] = 0.5", "v[k] = w",
    "v[few] = 0.5",
)  # fmt: skip
CONVERSIONS = ("xp.asarray(n)", "xp.asarray([0.5, 1.0, 1.5, 2.0])", "xp.asarray(0.5)")


def operator_cases(sizes: Sequence[str] = SIZES) -> Iterator[Case]:
    """Each operator, and each in-place one on copies of its own."""
    for size in sizes:
        yield from _cases("operators", size, OPERATORS)
        yield from _cases("operators", size, INPLACE, changing=True)


def method_cases(sizes: Sequence[str] = SIZES) -> Iterator[Case]:
    """The attributes and methods of an array, and what Python makes of it."""
    for size in sizes:
        small = [s for s in METHODS if size != "1000000" or s not in LARGE_LISTS]
        yield from _cases("methods", size, small)


def indexing_cases(sizes: Sequence[str] = SIZES) -> Iterator[Case]:
    """Reading and writing by integers, slices, masks and integer arrays, and ``asarray``."""
    for size in sizes:
        yield from _cases("indexing", size, READS_BY_NUMBERS)
        yield from _cases("indexing", size, READS_BY_SLICES)
        yield from _cases("indexing", size, READS_BY_ARRAYS)
        yield from _cases("indexing", size, WRITES, changing=True)
    ours = {"xp": xp, "n": operands("4")["x"]}
    theirs = {"xp": np, "n": operands("4")["x"]}
    for statement in CONVERSIONS:
        contestants = (
            Statement("xpdl", statement, ours), Statement("numpy", statement, theirs)
        )  # fmt: skip
        yield Case("indexing", statement.removeprefix("xp."), "4", contestants)


def _cases(
    section: str, size: str, statements: Sequence[str], changing: bool = False
) -> Iterator[Case]:
    """The statements whose names there are at ``size``; those that change it, on copies."""
    ours, theirs = _names(size, xp), _names(size, np)
    for statement in statements:
        names = letters_of(f"({statement})")
        if not names <= ours.keys() or (names <= SCALARS and size != "4"):
            continue
        fresh = (statement[0],) if changing else ()
        contestants = (
            Statement("xpdl", statement, ours, fresh), Statement("numpy", statement, theirs, fresh)
        )  # fmt: skip
        yield Case(section, statement, size, contestants)


def _names(size: str, module: ModuleType) -> dict[str, object]:
    """The operands of a size, and beside them what indexing and the in-place operators need."""
    held = operand_names(size, module, module.asarray)
    base = operands(size)
    more = {
        "scalar": np.asarray(0.5), "integer": np.asarray(3), "few": np.asarray([0, 2, 1]),
        "rows": np.asarray([0, 1]), "eye": np.eye(len(base["s"])) if "s" in base else None,
    }  # fmt: skip
    if "x" in base:
        more |= {"one": np.ones_like(base["x"]), "zero": np.zeros_like(base["i"])}
        more |= {"mask": base["p"]}
    found = {name: module.asarray(value) for name, value in more.items() if value is not None}
    return held | found | {"index": index}
