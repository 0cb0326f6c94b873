"""The arrays that the statements of the benchmarks name, by their number of elements."""

from collections.abc import Mapping
from functools import cache
from math import isqrt

import numpy as np

__all__ = ["SIZES", "operands"]

# The number of elements in words. At 16384 there are only the square matrices of the costly
# decompositions, which at 1000000 would take seconds.
SIZES = ("0-d", "4", "1000", "16384", "1000000")


@cache
def operands(size: str) -> Mapping[str, object]:
    """NumPy's arrays for ``size``, and the numbers that describe it, by the letter of each.

    x y a b: float64, a above 1, b of either sign; i j: int64; p q: bool; z: complex128; row: x as
    one row; pair: x and y. 1-d: v w float64, f with NaN, c complex128, k indices, o in order, u of
    the root of the size. 2-d: m n square float64, g complex, e of three columns; s t h square for
    the decompositions, h positive definite. shape, length and side are numbers.
    """
    if size == "16384":
        return _decomposed(128)
    shape: tuple[int, ...] = () if size == "0-d" else (int(size),)
    length = 1 if size == "0-d" else int(size)
    side = {"4": 2, "1000": 32}.get(size, isqrt(length))
    steps = np.arange(length, dtype=np.float64).reshape(shape) / length
    whole = np.arange(length).reshape(shape)
    found: dict[str, object] = {
        "x": 0.3 + steps / 2,
        "y": 0.2 + steps / 2,
        "a": 1.3 + steps,
        "b": np.where(whole % 2 == 0, steps, -steps) * 10 + 0.25,
        "i": whole % 7 + 1,
        "j": whole % 3 + 1,
        "p": whole % 2 == 0,
        "q": whole % 3 == 0,
        "z": (0.3 + steps / 2) + 0.5j,
        "shape": shape,
        "length": length,
    }
    if shape:
        rng = np.random.default_rng(0)
        found |= {
            "v": rng.permuted(found["x"]),
            "w": rng.permuted(found["y"]),
            "c": rng.permuted(found["x"]) + 1j * rng.permuted(found["y"]),
            "k": rng.permuted(whole),
            "o": np.sort(rng.random(shape)),
            "f": np.where(rng.random(shape) < 0.25, np.nan, found["x"]),
            "u": rng.random(side),
            "side": side,
            "m": rng.random((side, side)),
            "n": rng.random((side, side)),
            "g": rng.random((side, side)) + 1j * rng.random((side, side)),
            "e": rng.random((max(1, length // 3), 3)),
        }
        found["f"][0] = 0.5  # type: ignore[index]  nan* need one number
    if size in ("4", "1000"):
        found |= _decomposed(side)
    found["row"] = np.expand_dims(found["x"], 0)  # type: ignore[arg-type]
    found["pair"] = np.stack((found["x"], found["y"]))  # type: ignore[arg-type]
    # NumPy's arithmetic gives scalars where a result is 0-d.
    return {k: np.asarray(v) if isinstance(v, np.generic) else v for k, v in found.items()}


def _decomposed(side: int) -> dict[str, object]:
    rng = np.random.default_rng(1)
    square = rng.random((side, side)) + side * np.eye(side)
    square[0, -1] *= -1  # two of the eigenvalues are complex, whatever the size
    return {
        "s": square,
        "t": rng.random((side, side)),
        "h": (square + square.T) / 2 + side * np.eye(side),
    }
