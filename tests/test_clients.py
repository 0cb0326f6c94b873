"""Libraries that take arrays, given ones of xpdl: the values that they give, and what they share.

docs/clients.md says which of them need a conversion; the conversions are tested here too.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from samples import check, check_close

import xpdl as xp

ROOT = Path(__file__).resolve().parent.parent
A = np.arange(12.0).reshape(3, 4)


def array():
    return xp.asarray(A.copy())


def shares(x, y):
    return np.shares_memory(np.asarray(x), np.asarray(y))


# ----------------------------------------------------------------------------------------- einops


@pytest.fixture
def einops():
    pytest.importorskip("einops", reason="needs einops")
    import einops.array_api

    return einops


def test_einops_rearranges(einops):
    check(einops.array_api.rearrange(array(), "a (b c) -> c a b", b=2),
          A.reshape(3, 2, 2).transpose(2, 0, 1))  # fmt: skip


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "prod"])
def test_einops_reduces(einops, name):
    check(einops.array_api.reduce(array(), "a b -> a", name), getattr(A, name)(axis=1))


def test_einops_repeats_packs_and_unpacks(einops):
    check(einops.array_api.repeat(array(), "a b -> (a c) b", c=2), A.repeat(2, axis=0))
    packed, shapes = einops.array_api.pack([array(), array()[0]], "* b")
    check(packed, np.concatenate([A, A[:1]]))
    first, second = einops.array_api.unpack(packed, shapes, "* b")
    check(first, A)
    check(second, A[0])


def test_einops_top_level_functions_need_those_of_its_array_api(einops):
    with pytest.raises(RuntimeError, match="Tensor type unknown to einops"):
        einops.rearrange(array(), "a b -> b a")


# ------------------------------------------------------------------------------------- opt_einsum


@pytest.mark.parametrize(
    ("subscripts", "operands"),
    [
        ("ab,cb->ac", [A, A]),
        ("ab,bc,cd->ad", [A, A.T, A]),
        ("aa->", [A[:, :3]]),
        ("ab,ab->ab", [A, A]),
        ("a,b->ab", [A[0], A[1]]),
    ],
)
def test_opt_einsum_contracts(subscripts, operands):
    opt_einsum = pytest.importorskip("opt_einsum", reason="needs opt_einsum")
    result = opt_einsum.contract(subscripts, *[xp.asarray(operand) for operand in operands])
    check(result, np.einsum(subscripts, *operands))


# ----------------------------------------------------------------------------------------- xarray


@pytest.fixture
def xarray():
    return pytest.importorskip("xarray", reason="needs xarray")


@pytest.fixture
def labelled(xarray):
    return xarray.DataArray(array(), dims=("i", "j"), coords={"i": [10, 20, 30]})


def test_xarray_holds_the_array_itself(xarray):
    x = array()
    assert xarray.DataArray(x, dims=("i", "j")).data is x


OF_XARRAY = {
    "arithmetic": (lambda d: d * d + 1, A * A + 1),
    "by label": (lambda d: d.sel(i=20), A[1]),
    "by index": (lambda d: d.isel(j=slice(1, 3)), A[:, 1:3]),
    "by mask": (lambda d: d.where(d > 3), np.where(A > 3, A, np.nan)),
    "transpose": (lambda d: d.T, A.T),
    "sum": (lambda d: d.sum("i"), A.sum(0)),
    "mean": (lambda d: d.mean("j"), A.mean(1)),
    "std": (lambda d: d.std("j", ddof=1), A.std(1, ddof=1)),
    "var": (lambda d: d.var(), A.var()),
    "median": (lambda d: d.median("i"), np.median(A, 0)),
    "max": (lambda d: d.max("i"), A.max(0)),
    "argmax": (lambda d: d.argmax("i"), A.argmax(0)),
    "groupby": (lambda d: d.groupby("i").mean(), A),
    "coarsen": (lambda d: d.coarsen(j=2).mean(), A.reshape(3, 2, 2).mean(2)),
    "shift": (lambda d: d.shift(i=1), np.concatenate([np.full((1, 4), np.nan), A[:2]])),
    "roll": (lambda d: d.roll(i=1), np.roll(A, 1, 0)),
    "diff": (lambda d: d.diff("i"), np.diff(A, axis=0)),
    "clip": (lambda d: d.clip(1, 3), A.clip(1, 3)),
    "fillna": (lambda d: d.where(d > 3).fillna(0), np.where(A > 3, A, 0)),
    "astype": (lambda d: d.astype("float32"), A.astype("float32")),
    "stack": (lambda d: d.stack(z=("i", "j")), A.ravel()),
    "sortby": (lambda d: d.sortby("i", ascending=False), A[::-1]),
}


@pytest.mark.parametrize("name", OF_XARRAY)
def test_xarray_computes_in_xpdl(labelled, name):
    compute, expected = OF_XARRAY[name]
    check_close(compute(labelled).data, expected)


def test_xarray_functions_compute_in_xpdl(xarray, labelled):
    check(xarray.concat([labelled, labelled], "i").data, np.concatenate([A, A]))
    check(xarray.dot(labelled, labelled).data, (A * A).sum())
    check(xarray.dot(labelled, labelled, dim="i").data, (A * A).sum(0))
    check(xarray.apply_ufunc(xp.sqrt, labelled).data, np.sqrt(A))
    check(xarray.ufuncs.sin(labelled).data, np.sin(A))


def test_xarray_gives_numpy_arrays_and_pandas_tables(labelled):
    pytest.importorskip("pandas", reason="needs pandas")
    assert type(labelled.values) is np.ndarray
    assert shares(labelled.values, labelled.data)
    assert labelled.to_pandas().loc[20].tolist() == [4.0, 5.0, 6.0, 7.0]


def test_xarray_leaves_xpdl_where_it_calls_numpy(xarray, labelled):
    assert type(labelled.cumsum("i").data) is np.ndarray
    with pytest.raises(AttributeError, match="no attribute 'lib'"):
        labelled.rolling(i=2).mean()
    for call in (
        lambda: labelled.quantile(0.5),
        lambda: labelled.differentiate("i"),
        lambda: labelled.polyfit("i", 1),
        lambda: xarray.cov(labelled, labelled),
    ):
        with pytest.raises((TypeError, AttributeError)):
            call()
    with pytest.raises(TypeError, match="does not support ufuncs"):
        np.sin(labelled)
    with pytest.raises(TypeError, match=r"^__setitem__: value must be an xpdl Array"):
        labelled[0, 0] = 5.0


def test_xarray_conversions_of_the_documentation_work(labelled):
    rolled = labelled.as_numpy().rolling(i=2).mean()
    np.testing.assert_array_equal(rolled.values[1], A[:2].mean(0))
    assert float(labelled.as_numpy().quantile(0.5)) == np.quantile(A, 0.5)
    labelled.data[0, 0] = 5.0
    assert float(labelled[0, 0]) == 5.0


# ------------------------------------------------------------------------------------- matplotlib


@pytest.fixture
def axes():
    matplotlib = pytest.importorskip("matplotlib", reason="needs matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    yield axes
    figure.canvas.draw()
    plt.close(figure)


def test_matplotlib_plots_arrays(axes):
    x, y = xp.asarray([0.0, 1.0, 2.0]), xp.asarray([1.0, 4.0, 9.0])
    assert axes.plot(x, y)[0].get_xydata().tolist() == [[0, 1], [1, 4], [2, 9]]
    assert axes.scatter(x, y, c=y).get_offsets().tolist() == [[0, 1], [1, 4], [2, 9]]
    assert [bar.get_height() for bar in axes.bar(x, y)] == [1, 4, 9]
    assert axes.hist(y, bins=2)[0].tolist() == [2, 1]
    assert axes.errorbar(x, y, yerr=x)[0].get_ydata().tolist() == [1, 4, 9]
    axes.fill_between(x, y)


def test_matplotlib_shows_matrices(axes):
    np.testing.assert_array_equal(axes.imshow(array()).get_array(), A)
    np.testing.assert_array_equal(axes.pcolormesh(array()).get_array(), A)
    assert axes.contourf(array()).levels[-1] == 12.0
    assert [line.get_ydata().tolist() for line in axes.plot(array())] == A.T.tolist()


def test_matplotlib_limits_need_floats(axes):
    x = array()
    with pytest.raises(TypeError, match="does not support ufuncs"):
        axes.set_xlim(x[0, 0], x[0, 1])
    assert axes.set_xlim(float(x[0, 0]), float(x[0, 1])) == (0.0, 1.0)


# ------------------------------------------------------------------------------------------ tables


def test_pandas_takes_and_gives_arrays():
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    series = pandas.Series(array()[0], index=list("abcd"))
    assert (series.dtype, series["c"]) == ("float64", 2.0)
    frame = pandas.DataFrame(array(), columns=list("abcd"))
    assert (frame["d"].dtype, frame["d"].tolist()) == ("float64", [3.0, 7.0, 11.0])
    assert pandas.DataFrame({"a": array()[:, 1]})["a"].tolist() == [1.0, 5.0, 9.0]
    check(xp.asarray(series), A[0])
    check(xp.asarray(frame), A)


def test_pandas_shares_memory_with_numpys_view():
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    x = array()
    frame = pandas.DataFrame(np.asarray(x), copy=False)
    assert shares(frame.to_numpy(), x)
    assert shares(xp.asarray(pandas.Series(np.asarray(x[0]), copy=False)), x)


def test_polars_takes_numpys_view_and_gives_arrays():
    polars = pytest.importorskip("polars", reason="needs polars")
    with pytest.raises(TypeError, match="unsupported type 'Array'"):
        polars.Series(array()[0])
    series = polars.Series("a", np.asarray(array()[0]))
    assert (series.dtype, series.to_list()) == (polars.Float64, [0.0, 1.0, 2.0, 3.0])
    frame = polars.DataFrame(np.asarray(array()), schema=list("abcd"))
    assert frame["d"].to_list() == [3.0, 7.0, 11.0]
    check(xp.asarray(series), A[0])
    check(xp.asarray(frame), A)
    assert xp.asarray(series).readonly


def test_pyarrow_takes_numpys_view_and_gives_arrays():
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    column = pyarrow.array(np.asarray(array()[0]))
    assert (column.type, column.to_pylist()) == (pyarrow.float64(), [0.0, 1.0, 2.0, 3.0])
    x = xp.from_dlpack(column)
    check(x, A[0])
    assert x.readonly


# --------------------------------------------------------------------------------- torch and JAX


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="needs torch")


@pytest.mark.parametrize("take", ["asarray", "as_tensor", "from_dlpack"])
def test_torch_shares_memory(torch, take):
    x = array()
    tensor = getattr(torch, take)(x)
    assert (tensor.dtype, tensor.shape, tensor.tolist()) == (torch.float64, (3, 4), A.tolist())
    tensor[0, 1] = -1.0
    assert float(x[0, 1]) == -1.0


def test_torch_takes_a_transposed_array_and_other_dtypes(torch):
    assert torch.asarray(array().T).tolist() == A.T.tolist()
    assert torch.asarray(array(), dtype=torch.float32).dtype == torch.float32
    x = array()
    torch.tensor(x)[0, 1] = -1.0  # always a copy
    assert float(x[0, 1]) == 1.0


@pytest.fixture
def jnp():
    return pytest.importorskip("jax.numpy", reason="needs jax")


def aligned(dtype="float32", size=1024):
    """An Array at an address that is a multiple of 64 bytes, where JAX shares memory."""
    memory = np.zeros(size * np.dtype(dtype).itemsize + 64, "uint8")
    start = -memory.ctypes.data % 64
    return xp.asarray(memory[start : start + size * np.dtype(dtype).itemsize].view(dtype))


@pytest.mark.parametrize("take", ["asarray", "from_dlpack"])
def test_jax_shares_memory_that_is_aligned(jnp, take):
    x = aligned()
    x[3] = 7.0
    y = getattr(jnp, take)(x)
    assert (y.dtype, y.shape, float(y[3])) == (np.float32, (1024,), 7.0)
    assert y.unsafe_buffer_pointer() == np.asarray(x).ctypes.data


def test_jax_copies_when_asked_to(jnp):
    x = aligned()
    assert jnp.array(x).unsafe_buffer_pointer() != np.asarray(x).ctypes.data


@pytest.mark.parametrize(
    "x",
    [
        aligned()[1:4],
        aligned()[::2],
        aligned()[::-1],
        xp.broadcast_to(xp.asarray(2.0), (3,)),
        xp.asarray(b"abc"),
        xp.zeros((0, 3)),
        xp.asarray(3),
        xp.asarray([True, False]),
        xp.ones(3, dtype="complex128"),
    ],
    ids=["misaligned", "strided", "reversed", "broadcast", "read-only", "empty", "0-d", "bool",
         "complex"],
)  # fmt: skip
def test_jax_takes_what_it_cannot_share_as_a_copy(jnp, x):
    np.testing.assert_array_equal(np.asarray(jnp.asarray(x)), np.asarray(x))


def test_jax_operators_take_arrays_and_its_functions_need_a_conversion(jnp):
    x = aligned(size=3) + np.float32(2)
    assert (jnp.ones(3) + x).tolist() == [3.0, 3.0, 3.0]
    assert (x * jnp.ones(3)).tolist() == [2.0, 2.0, 2.0]
    with pytest.raises((TypeError, ValueError)):
        jnp.sin(x)
    assert jnp.square(jnp.asarray(x)).tolist() == [4.0, 4.0, 4.0]


# ------------------------------------------------------------------ libraries of the array API


@pytest.fixture
def xpx():
    return pytest.importorskip("array_api_extra", reason="needs array_api_extra")


OF_EXTRA = {
    "atleast_nd": (lambda xpx, x: xpx.atleast_nd(x, ndim=3), A[None]),
    "cov": (lambda xpx, x: xpx.cov(x), np.cov(A)),
    "kron": (lambda xpx, x: xpx.kron(x, x), np.kron(A, A)),
    "pad": (lambda xpx, x: xpx.pad(x, 1), np.pad(A, 1)),
    "nunique": (lambda xpx, x: xpx.nunique(x), np.asarray(12)),
    "sinc": (lambda xpx, x: xpx.sinc(x), np.sinc(A)),
    "setdiff1d": (lambda xpx, x: xpx.setdiff1d(x[0], x[0, :2]), A[0, 2:]),
    "create_diagonal": (lambda xpx, x: xpx.create_diagonal(x[0]), np.diag(A[0])),
    "one_hot": (
        lambda xpx, x: xpx.one_hot(xp.asarray([0, 2]), 3, dtype=xp.int64),
        np.array([[1, 0, 0], [0, 0, 1]]),
    ),
    "apply_where": (
        lambda xpx, x: xpx.apply_where(x > 3, x, lambda v: v * 2, fill_value=-1.0),
        np.where(A > 3, A * 2, -1),
    ),
    "at.set": (lambda xpx, x: xpx.at(x)[0, :2].set(5.0), np.array([[5, 5, 2, 3], *A[1:]])),
    "at.add": (lambda xpx, x: xpx.at(x, x > 3).add(1.0), np.where(A > 3, A + 1, A)),
    "lazy_apply": (lambda xpx, x: xpx.lazy_apply(np.sin, x, as_numpy=True), np.sin(A)),
}


@pytest.mark.parametrize("name", OF_EXTRA)
def test_array_api_extra_computes_in_xpdl(xpx, name):
    compute, expected = OF_EXTRA[name]
    check_close(compute(xpx, array()), expected)


def test_array_api_compat_knows_the_namespace():
    compat = pytest.importorskip("array_api_compat", reason="needs array_api_compat")
    x = array()
    assert compat.array_namespace(x, 1.0) is xp
    assert compat.is_array_api_obj(x)
    assert compat.is_writeable_array(x)
    assert not compat.is_lazy_array(x)
    assert compat.device(x) == "cpu"
    assert compat.size(x) == 12


# SciPy reads its switch for the array API at import, so both run in processes of their own.
SCIPY = """
import numpy as np, xpdl as xp
import scipy.cluster.vq, scipy.constants, scipy.differentiate, scipy.fft, scipy.integrate
import scipy.ndimage, scipy.optimize, scipy.signal, scipy.special, scipy.stats
from scipy.spatial.transform import Rotation

a = np.asarray([1.0, 2.0, 4.0, 8.0])
for name, compute in {
    "special.gamma": lambda x: scipy.special.gamma(x),
    "special.logsumexp": lambda x: scipy.special.logsumexp(x),
    "special.softmax": lambda x: scipy.special.softmax(x),
    "stats.zscore": lambda x: scipy.stats.zscore(x),
    "stats.skew": lambda x: scipy.stats.skew(x),
    "stats.ttest_1samp": lambda x: scipy.stats.ttest_1samp(x, 0.0).pvalue,
    "stats.pearsonr": lambda x: scipy.stats.pearsonr(x, x * x).statistic,
    "fft.rfft": lambda x: scipy.fft.rfft(x),
    "fft.dct": lambda x: scipy.fft.dct(x),
    "signal.detrend": lambda x: scipy.signal.detrend(x),
    "signal.convolve": lambda x: scipy.signal.convolve(x, x),
    "ndimage.gaussian_filter": lambda x: scipy.ndimage.gaussian_filter(x, 1.0),
    "cluster.vq.whiten": lambda x: scipy.cluster.vq.whiten(x[:, None] * x),
    "integrate.trapezoid": lambda x: scipy.integrate.trapezoid(x),
    "constants": lambda x: scipy.constants.convert_temperature(x, "C", "K"),
    "rotation": lambda x: Rotation.from_rotvec(x[:3]).as_matrix(),
    "differentiate": lambda x: scipy.differentiate.derivative(lambda v: v * v * v, x).df,
}.items():
    found, expected = compute(xp.asarray(a)), np.asarray(compute(a))
    assert type(found) is xp.Array, (name, type(found))
    assert found.dtype == expected.dtype, (name, found.dtype, expected.dtype)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12, err_msg=name)
    print(name)
"""
SKLEARN = """
import numpy as np, xpdl as xp, sklearn
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, r2_score
from sklearn.preprocessing import MinMaxScaler

a = np.random.default_rng(0).normal(size=(50, 3))
b = a[:, 0] * 2 + 1
c = (a[:, 0] > 0).astype(np.int64)
for name, compute in {
    "PCA": lambda x, y, z: PCA(2, svd_solver="full").fit_transform(x),
    "MinMaxScaler": lambda x, y, z: MinMaxScaler().fit_transform(x),
    "Ridge": lambda x, y, z: Ridge(solver="svd").fit(x, y).predict(x),
    "LinearDiscriminantAnalysis": lambda x, y, z: LinearDiscriminantAnalysis().fit(x, z).predict(x),
}.items():
    with sklearn.config_context(array_api_dispatch=True):
        found = compute(xp.asarray(a), xp.asarray(b), xp.asarray(c))
    expected = compute(a, b, c)
    assert type(found) is xp.Array, (name, type(found))
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-9, err_msg=name)
    print(name)
with sklearn.config_context(array_api_dispatch=True):
    assert r2_score(xp.asarray(b), xp.asarray(b)) == 1.0
    assert accuracy_score(xp.asarray(c), xp.asarray(c)) == 1.0
assert type(Ridge().fit(xp.asarray(a), xp.asarray(b)).predict(xp.asarray(a))) is np.ndarray
"""


@pytest.mark.parametrize(
    ("library", "script", "count"), [("scipy", SCIPY, 17), ("sklearn", SKLEARN, 4)]
)
def test_library_of_the_array_api_computes_in_xpdl(library, script, count):
    pytest.importorskip(library, reason=f"needs {library}")
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"SCIPY_ARRAY_API": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == count
