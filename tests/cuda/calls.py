"""A call of every function of the namespace, to compare what it gives on two devices.

Each function gets an array ``x`` and finds in `beside` the other arrays that it needs, on the
device of ``x``. What is not determined, such as the sign of an eigenvector, is multiplied away.
"""

import numpy as np

import xpdl as xp


def beside(x, values, dtype=None):
    """An array of ``values`` on the device of ``x``, in its dtype or another."""
    return xp.asarray(np.asarray(values).astype(dtype or x.dtype), device=x.device)


def other(x):
    """An array of another shape that broadcasts with ``x``, of small positive numbers."""
    n = x.shape[-1] if x.ndim else 1
    return beside(x, np.arange(n) % 3 + 1)


def square_matrices(x):
    """Well conditioned, positive definite matrices, two of 3 by 3."""
    matrix = np.array([[4, 1, 0], [1, 3, 1], [0, 1, 5]])
    return beside(x, np.stack([matrix, matrix + np.eye(3)]))


def tall(x):
    return beside(x, np.arange(12).reshape(4, 3) % 5 + np.eye(4, 3))


def restored(factors):
    """What a decomposition is one of."""
    if len(factors) == 3:
        u, s, vh = factors
        return (u[..., : s.shape[-1]] * xp.astype(s, u.dtype)[..., None, :]) @ vh[
            ..., : s.shape[-1], :]
    return factors[0] @ factors[1]


def sorted_values(x):
    return xp.sort(xp.real(x)) if xp.isdtype(x.dtype, "complex floating") else xp.sort(x)


UNARY = (
    "abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor imag "
    "isfinite isinf isnan log log1p log2 log10 logical_not negative positive real reciprocal round "
    "sign signbit sin sinh sqrt square tan tanh trunc"
).split()
BINARY = (
    "add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign "
    "divide equal floor_divide greater greater_equal hypot less less_equal logaddexp logical_and "
    "logical_or logical_xor maximum minimum multiply nextafter not_equal pow remainder subtract"
).split()
TRANSFORMS = (
    "fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftshift ifftshift"
).split()
REDUCTIONS = "all any argmax argmin count_nonzero max mean min prod std sum var".split()
MORE_REDUCTIONS = (
    "median nanargmax nanargmin nanmax nanmean nanmedian nanmin nanprod nanstd nansum nanvar"
).split()

CALLS = {
    **{name: getattr(xp, name) for name in [*UNARY, *REDUCTIONS, *MORE_REDUCTIONS]},
    **{
        name: lambda x, name=name: getattr(xp, name)(x, other(x))
        for name in BINARY
    },
    **{
        f"{name} of a scalar": lambda x, name=name: getattr(xp, name)(x, 2)
        for name in "add divide equal floor_divide maximum pow remainder".split()
    },
    **{
        f"{name} over an axis": lambda x, name=name: getattr(xp, name)(x, axis=-1, keepdims=True)
        for name in [*REDUCTIONS, *MORE_REDUCTIONS]
    },
    "std with correction": lambda x: xp.std(x, axis=0, correction=1),
    "mean in a dtype": lambda x: xp.mean(x, dtype=xp.complex128),
    "sum in a dtype": lambda x: xp.sum(x, dtype=xp.complex128),
    "cumulative_sum": lambda x: xp.cumulative_sum(x, axis=-1),
    "cumulative_sum with an initial": lambda x: xp.cumulative_sum(x, axis=0, include_initial=True),
    "cumulative_prod": lambda x: xp.cumulative_prod(x, axis=-1),
    "diff": lambda x: xp.diff(x, prepend=x[..., :1]),
    "clip": lambda x: xp.clip(x, 1, 3),
    "clip to arrays": lambda x: xp.clip(x, other(x), None),
    # ------------------------------------------------------------------ creation, data types
    "zeros_like": xp.zeros_like,
    "ones_like": xp.ones_like,
    "empty_like": lambda x: xp.zeros_like(xp.empty_like(x)),
    "full_like": lambda x: xp.full_like(x, 1),
    "zeros": lambda x: xp.zeros((2, 3), dtype=x.dtype, device=x.device),
    "ones": lambda x: xp.ones((2, 3), dtype=x.dtype, device=x.device),
    "empty": lambda x: xp.zeros_like(xp.empty((2, 3), dtype=x.dtype, device=x.device)),
    "full": lambda x: xp.full((2, 3), 1, dtype=x.dtype, device=x.device),
    "full of a negative zero": lambda x: xp.full(2, -0.0, dtype="float64", device=x.device),
    "arange": lambda x: xp.arange(1, 7, 2, dtype=x.dtype, device=x.device),
    "linspace": lambda x: xp.linspace(0, 8, 5, dtype=x.dtype, device=x.device),
    "logspace": lambda x: xp.logspace(0, 2, 3, device=x.device),
    "eye": lambda x: xp.eye(3, 4, k=1, dtype=x.dtype, device=x.device),
    "tril": xp.tril,
    "triu": lambda x: xp.triu(x, k=1),
    "diag": lambda x: xp.diag(xp.reshape(x, -1), k=1),
    "meshgrid": lambda x: xp.meshgrid(other(x), other(x)[:1], indexing="ij"),
    "asarray": lambda x: xp.asarray(x, copy=True),
    "asarray of nested": lambda x: xp.asarray([[x, x], [x, x]]),
    "astype float32": lambda x: xp.astype(x, xp.float32),
    "astype bool": lambda x: xp.astype(x, xp.bool),
    "astype complex64": lambda x: xp.astype(x, xp.complex64),
    # ------------------------------------------------------------------ manipulation, indexing
    "broadcast_arrays": lambda x: xp.broadcast_arrays(x, other(x)),
    "broadcast_to": lambda x: xp.broadcast_to(x, (2, *x.shape)),
    "concat": lambda x: xp.concat([x, x], axis=0),
    "concat flattened": lambda x: xp.concat([x, x], axis=None),
    "expand_dims": lambda x: xp.expand_dims(x, 0),
    "flip": xp.flip,
    "moveaxis": lambda x: xp.moveaxis(x, 0, -1),
    "pad": lambda x: xp.pad(x, 1, constant_values=1),
    "permute_dims": lambda x: xp.permute_dims(x, tuple(reversed(range(x.ndim)))),
    "repeat": lambda x: xp.repeat(x, 2, axis=0),
    "repeat by an array": lambda x: xp.repeat(other(x), beside(x, 2, "int64")),
    "reshape": lambda x: xp.reshape(x, (1, -1)),
    "roll": lambda x: xp.roll(x, 1),
    "squeeze": lambda x: xp.squeeze(x[None], 0),
    "stack": lambda x: xp.stack([x, x], axis=-1),
    "tile": lambda x: xp.tile(x, (2,)),
    "transpose": lambda x: xp.transpose(x, tuple(reversed(range(x.ndim)))),
    "transpose reversed": xp.transpose,
    "unstack": xp.unstack,
    "take": lambda x: xp.take(x, beside(x, [0, 0], "int64"), axis=-1),
    "take_along_axis": lambda x: xp.take_along_axis(x, xp.argsort(x)),
    "getitem of a slice": lambda x: x[..., ::-1],
    "getitem of a mask": lambda x: x[x == x],
    "getitem of an array": lambda x: x[beside(x, [0, -1], "int64")],
    "where": lambda x: xp.where(x == x, x, 0),
    # ------------------------------------------------------------------ searching, sorting, sets
    "nonzero": xp.nonzero,
    "searchsorted": lambda x: xp.searchsorted(xp.sort(other(x)), xp.reshape(x, -1)),
    "sort": xp.sort,
    "sort descending": lambda x: xp.sort(x, axis=0, descending=True),
    "argsort": xp.argsort,
    "argsort descending": lambda x: xp.argsort(x, descending=True),
    "isin": lambda x: xp.isin(x, other(x)),
    "unique_all": xp.unique_all,
    "unique_counts": xp.unique_counts,
    "unique_inverse": xp.unique_inverse,
    "unique_values": xp.unique_values,
    # ------------------------------------------------------------------ linear algebra
    "einsum": lambda x: xp.einsum("ij,kj->ik", tall(x), tall(x)),
    "matmul": lambda x: xp.matmul(x, xp.matrix_transpose(x)),
    "matrix_transpose": xp.matrix_transpose,
    "tensordot": lambda x: xp.tensordot(x, x, axes=x.ndim),
    "vecdot": lambda x: xp.vecdot(x, other(x)),
    "linalg.cholesky": lambda x: xp.linalg.cholesky(square_matrices(x)),
    "linalg.cholesky upper": lambda x: xp.linalg.cholesky(square_matrices(x), upper=True),
    "linalg.cross": lambda x: xp.linalg.cross(square_matrices(x), square_matrices(x) + 1),
    "linalg.det": lambda x: xp.linalg.det(square_matrices(x)),
    "linalg.diagonal": lambda x: xp.linalg.diagonal(square_matrices(x), offset=1),
    "linalg.eig": lambda x: sorted_values(xp.linalg.eig(square_matrices(x)).eigenvalues),
    "linalg.eigh": lambda x: xp.linalg.eigh(square_matrices(x)).eigenvalues,
    "linalg.eigvals": lambda x: sorted_values(xp.linalg.eigvals(square_matrices(x))),
    "linalg.eigvalsh": lambda x: xp.linalg.eigvalsh(square_matrices(x)),
    "linalg.inv": lambda x: xp.linalg.inv(square_matrices(x)),
    "linalg.matmul": lambda x: xp.linalg.matmul(square_matrices(x), square_matrices(x)),
    "linalg.matrix_norm": lambda x: xp.linalg.matrix_norm(square_matrices(x)),
    "linalg.matrix_norm nuc": lambda x: xp.linalg.matrix_norm(square_matrices(x), ord="nuc"),
    "linalg.matrix_power": lambda x: xp.linalg.matrix_power(square_matrices(x), 3),
    "linalg.matrix_rank": lambda x: xp.linalg.matrix_rank(square_matrices(x)),
    "linalg.matrix_transpose": lambda x: xp.linalg.matrix_transpose(square_matrices(x)),
    "linalg.outer": lambda x: xp.linalg.outer(other(x), other(x)),
    "linalg.pinv": lambda x: xp.linalg.pinv(tall(x)),
    "linalg.qr": lambda x: restored(xp.linalg.qr(tall(x))),
    "linalg.slogdet": lambda x: xp.linalg.slogdet(square_matrices(x)),
    "linalg.solve": lambda x: xp.linalg.solve(square_matrices(x), square_matrices(x)[0, :, :2]),
    "linalg.solve of a vector": lambda x: xp.linalg.solve(square_matrices(x), tall(x)[0]),
    "linalg.svd": lambda x: restored(xp.linalg.svd(tall(x), full_matrices=False)),
    "linalg.svdvals": lambda x: xp.linalg.svdvals(square_matrices(x)),
    "linalg.tensordot": lambda x: xp.linalg.tensordot(tall(x), tall(x), axes=((0,), (0,))),
    "linalg.trace": lambda x: xp.linalg.trace(square_matrices(x)),
    "linalg.vecdot": lambda x: xp.linalg.vecdot(tall(x), tall(x)),
    "linalg.vector_norm": xp.linalg.vector_norm,
    "linalg.vector_norm 1": lambda x: xp.linalg.vector_norm(x, axis=-1, ord=1),
    "linalg.vector_norm inf": lambda x: xp.linalg.vector_norm(x, axis=-1, ord=float("inf")),
    # ------------------------------------------------------------------ fft
    **{
        f"fft.{name}": lambda x, name=name: getattr(xp.fft, name)(x)
        for name in TRANSFORMS
    },
    "fft.fft of n": lambda x: xp.fft.fft(x, n=5, norm="ortho"),
    "fft.fftn of s": lambda x: xp.fft.fftn(tall(x), s=(4, 3), axes=(1, 0)),
    "fft.irfftn of s": lambda x: xp.fft.irfftn(tall(x), s=(4, 3), axes=(0, 1)),
    "fft.fftfreq": lambda x: xp.fft.fftfreq(5, d=0.5, device=x.device),
    "fft.rfftfreq": lambda x: xp.fft.rfftfreq(5, d=0.5, dtype=xp.float32, device=x.device),
}  # fmt: skip

# Functions that compute nothing on a device, or that the exchange's own tests call.
NOT_CALLED = (
    "__array_namespace_info__ broadcast_shapes can_cast default_device finfo from_dlpack iinfo "
    "isdtype record_stream result_type set_default_device to_dlpack unpickle_device"
).split()

# One pass over the values of these is a sum in no fixed order.
LOOSE = {"float16": 5e-3, "float32": 2e-5, "complex64": 2e-5}
