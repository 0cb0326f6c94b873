"""Operators, elementwise functions and reductions against NumPy's public spelling of the same."""

from collections.abc import Iterator

import numpy as np

import xpdl as xp
from benchmarks.timing import Case, Contestant

__all__ = ["SIZES", "elementwise_cases", "operator_cases", "reduction_cases"]

SIZES = {"0-d": (), "4": (4,), "1000": (1000,), "1000000": (1_000_000,)}

OPERATORS = (
    "x + y",
    "x - y",
    "x * y",
    "x / y",
    "x // y",
    "x % y",
    "x ** y",
    "x < y",
    "x == y",
    "-x",
    "abs(x)",
    "x + 1.0",
    "2.0 * x",
    "x += y",
)

INDEXING = ("x[0]", "x[1:3]", "x[1:3] = 0.5")

FLOAT_UNARY = (
    "abs acos acosh asin asinh atan atanh ceil cos cosh exp expm1 floor isfinite isinf isnan log "
    "log1p log2 log10 negative positive reciprocal round sign signbit sin sinh sqrt square tan "
    "tanh trunc"
).split()
FLOAT_BINARY = (
    "add atan2 copysign divide equal floor_divide greater greater_equal hypot less less_equal "
    "logaddexp maximum minimum multiply nextafter not_equal pow remainder subtract"
).split()
INTEGER_BINARY = "bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor".split()
BOOLEAN_BINARY = "logical_and logical_or logical_xor".split()

REDUCTIONS = "all any argmax argmin cumulative_sum max mean min prod std sum var".split()


def operator_cases() -> Iterator[Case]:
    """Each operator on float64, and indexing where there is an axis to index."""
    for size, shape in SIZES.items():
        for statement in OPERATORS + (INDEXING if shape else ()):
            x, y = _floats(shape, 0.3), _floats(shape, 0.2)
            ours = {"x": xp.asarray(x, copy=True), "y": xp.asarray(y, copy=True)}
            yield _case("operators", statement, size, statement, ours, {"x": x, "y": y})


def elementwise_cases() -> Iterator[Case]:
    """Each elementwise function, on float64 or on the dtype that it is made for."""
    for size, shape in SIZES.items():
        for name in FLOAT_UNARY:
            yield _function_case("elementwise", name, size, _floats(shape, 0.3 + (name == "acosh")))
        for name in FLOAT_BINARY:
            x, y = _floats(shape, 0.3), _floats(shape, 0.2)
            yield _function_case("elementwise", name, size, x, y)
        for name in INTEGER_BINARY:
            numbers = np.full(shape, 3, dtype=np.int64)
            yield _function_case("elementwise", name, size, numbers, numbers)
        yield _function_case("elementwise", "bitwise_invert", size, np.full(shape, 3))
        for name in BOOLEAN_BINARY:
            truths = np.ones(shape, dtype=np.bool)
            yield _function_case("elementwise", name, size, truths, truths)
        yield _function_case("elementwise", "logical_not", size, np.ones(shape, dtype=np.bool))


def reduction_cases() -> Iterator[Case]:
    """Each reduction over all elements of float64."""
    for size, shape in SIZES.items():
        for name in REDUCTIONS:
            if name == "cumulative_sum" and not shape:
                continue
            yield _function_case("reductions", name, size, _floats(shape, 0.3))


def _function_case(section: str, name: str, size: str, *operands: np.ndarray) -> Case:
    """``name`` of both namespaces on the same operands."""
    parameters = ("x", "y")[: len(operands)]
    statement = f"{name}({', '.join(parameters)})"
    ours = dict(zip(parameters, map(xp.asarray, operands), strict=True))
    theirs = dict(zip(parameters, operands, strict=True))
    return _case(
        section,
        statement,
        size,
        statement,
        {name: getattr(xp, name), **ours},
        {name: getattr(np, name), **theirs},
    )


def _case(
    section: str,
    label: str,
    size: str,
    statement: str,
    ours: dict[str, object],
    theirs: dict[str, object],
) -> Case:
    contestants = (Contestant("xpdl", statement, ours), Contestant("numpy", statement, theirs))
    return Case(section, label, size, contestants)


def _floats(shape: tuple[int, ...], start: float) -> np.ndarray:
    """Float64 values in ``[start, start + 0.5)``, inside the domain of nearly every function."""
    count = int(np.prod(shape))
    return (start + np.arange(count) / (2 * count)).reshape(shape)
