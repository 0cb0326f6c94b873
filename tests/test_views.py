"""Which results share memory with an argument, and are then as protected, as docs/views.md says."""

import copy
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import xpdl as xp

PAGE = (Path(__file__).parent.parent / "docs" / "views.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (`.*?) \| (.+) \|$", PAGE, re.MULTILINE)
DOCUMENTED = [
    (call, result.replace("views", "view").removesuffix(", 0-d"))
    for calls, result in ROWS
    for call in re.findall(r"`([^`]*\([^`]*\)|x[.\[][^`]*)`", calls)
]

# A call of every other function of the namespace, on a matrix, on counts, on truth values.
FRESH = {
    "": """
        abs(x) acos(x) acosh(x) asin(x) asinh(x) atan(x) atanh(x) ceil(x) ceil(n) conj(x) conj(z)
        cos(x) cosh(x) exp(x) expm1(x) floor(x) floor(n) log(x) log10(x) log1p(x) log2(x)
        negative(x) positive(x) reciprocal(x) round(x) round(n) sign(x) signbit(x) sin(x) sinh(x)
        sqrt(x) square(x) tan(x) tanh(x) trunc(x) trunc(n) isfinite(x) isinf(x) isnan(x)
        bitwise_invert(n) logical_not(b) add(x,x) atan2(x,x) bitwise_and(n,n)
        bitwise_left_shift(n,n) bitwise_or(n,n) bitwise_right_shift(n,n) bitwise_xor(n,n)
        copysign(x,x) divide(x,x) equal(x,x) floor_divide(x,x) greater(x,x) greater_equal(x,x)
        hypot(x,x) less(x,x) less_equal(x,x) logaddexp(x,x) logical_and(b,b) logical_or(b,b)
        logical_xor(b,b) maximum(x,x) minimum(x,x) multiply(x,x) nextafter(x,x) not_equal(x,x)
        pow(x,x) remainder(x,x) subtract(x,x) clip(x) clip(x,0,1) clip(x,None,x)
        astype(x,xp.float32) empty_like(x) full_like(x,1) ones_like(x) zeros_like(x) full(2,x[0,0])
        tril(x) triu(x) meshgrid(n,n) meshgrid(n) diag(n) diag(x)
        matmul(x,x) tensordot(x,x) vecdot(x,x) einsum('ii->i',x) einsum('ij->ji',x)
        concat([x]) concat([x,x]) pad(x,0) repeat(x,1) roll(x,0) roll(x,1) stack([x]) tile(x,(1,1))
        argmax(x) argmin(x) count_nonzero(x) nonzero(x) searchsorted(n,n) where(b,x,x)
        argsort(x) sort(x) sort(n) isin(n,n)
        unique_all(x) unique_counts(x) unique_inverse(x) unique_values(n)
        cumulative_prod(n) cumulative_sum(n) max(x,axis=()) mean(x,axis=()) min(x,axis=())
        prod(x,axis=()) std(x,axis=()) sum(x,axis=()) var(x,axis=()) all(b,axis=()) any(b,axis=())
        diff(n) diff(n,n=0) take(x,n,axis=0) take_along_axis(x,x_order,axis=0)
        median(x) nanargmax(x) nanargmin(x) nanmax(x,axis=()) nanmean(x) nanmedian(x)
        nanmin(x,axis=())
        nanprod(x,axis=()) nanstd(x) nansum(x,axis=()) nanvar(x)
    """,
    "linalg": """
        cholesky(x) cross(x,x) det(x) eig(x) eigh(x) eigvals(x) eigvalsh(x) inv(x) matmul(x,x)
        matrix_norm(x) matrix_power(x,0) matrix_power(x,1) matrix_rank(x) outer(n,n) pinv(x) qr(x)
        slogdet(x) solve(x,x) svd(x) svdvals(x) tensordot(x,x) trace(x) vecdot(x,x) vector_norm(x)
        vector_norm(x,axis=())
    """,
    "fft": """
        fft(z) ifft(z) fftn(z) ifftn(z) rfft(x) irfft(z) rfftn(x) irfftn(z) hfft(z) ihfft(x)
        fftshift(x) fftshift(x,axes=()) ifftshift(x)
    """,
}
# These have no array to share memory with, or give no array.
WITHOUT_ARRAYS = {
    "": """
        arange empty eye full linspace logspace ones zeros broadcast_shapes can_cast finfo iinfo
        isdtype result_type default_device set_default_device unpickle_device record_stream
        to_dlpack __array_namespace_info__
    """,
    "linalg": "",
    "fft": "fftfreq rfftfreq",
}
CALLS = [
    (space, call)
    for space, calls in FRESH.items()
    for call in re.findall(r"\S+\)(?=\s)", calls)
]


def arguments(readonly=False):
    """A positive definite matrix, the same complex, its order, counts that index, truth values."""
    matrix = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
    given = {
        "x": matrix,
        "z": matrix + 1j * np.triu(matrix),
        "a": matrix.copy(),
        "n": np.arange(3),
        "b": matrix > 1,
        "x_order": np.argsort(matrix, axis=0),
    }
    for array in given.values():
        array.flags.writeable = not readonly
    return {name: a if name == "a" else xp.asarray(a) for name, a in given.items()}


def arrays_in(result):
    if isinstance(result, (tuple, list)):
        return [array for part in result for array in arrays_in(part)]
    return [result] if isinstance(result, (xp.Array, np.ndarray)) else []


def evaluate(call, given):
    with np.errstate(all="ignore"):
        return eval(call, {"xp": xp, "np": np, "copy": copy, **given})


def shared_with(result, given):
    return [n for n, a in given.items() if np.shares_memory(np.asarray(result), np.asarray(a))]


def is_readonly(array):
    return array.readonly if isinstance(array, xp.Array) else not array.flags.writeable


@pytest.mark.parametrize("readonly", [False, True])
@pytest.mark.parametrize(("call", "result"), DOCUMENTED)
def test_call_in_the_table_shares_what_the_table_says(call, result, readonly):
    given = arguments(readonly)
    found = arrays_in(evaluate(call, given))
    assert found
    for array in found:
        shared = shared_with(array, given)
        if result == "copy":
            assert (shared, is_readonly(array)) == ([], False)
        elif result == "`x` itself":
            assert array is given["x"]
        else:
            assert result.startswith("view")
            assert len(shared) == 1
            assert is_readonly(array) is (readonly or result == "view, read-only")


def test_reshape_without_a_view_copies_or_raises():
    x = arguments()["x"]
    found = xp.reshape(x.T, (9,))
    assert not np.shares_memory(np.asarray(found), np.asarray(x))
    with pytest.raises(ValueError, match=r"^reshape: "):
        xp.reshape(x.T, (9,), copy=False)


@pytest.mark.parametrize(("space", "call"), CALLS)
def test_call_of_any_other_function_gives_fresh_writable_memory(space, call):
    given = arguments(readonly=True)
    namespace = "xp." + space + "." if space else "xp."
    found = arrays_in(evaluate(namespace + call, given))
    assert found
    for array in found:
        assert (shared_with(array, given), array.readonly) == ([], False)
    for one in found:  # nor do two results share any
        others = [other for other in found if other is not one and other.size and one.size]
        assert not any(np.shares_memory(np.asarray(one), np.asarray(o)) for o in others)


@pytest.mark.parametrize("space", ["", "linalg", "fft"])
def test_every_function_is_in_the_table_or_tried(space):
    module = getattr(xp, space) if space else xp
    prefix = rf"xp\.{space}\." if space else r"xp\."
    tabled = {m[1] for call, _ in DOCUMENTED if (m := re.match(prefix + r"(\w+)\(", call))}
    tried = {call.partition("(")[0] for where, call in CALLS if where == space}
    functions = {name for name in module.__all__ if inspect.isroutine(getattr(module, name))}
    assert functions == tabled | tried | set(WITHOUT_ARRAYS[space].split())
