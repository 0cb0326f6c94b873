"""xpdl._statistical: reductions against exact sums and NumPy, dtypes, and empty input."""

import inspect
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from samples import COMPLEX, DTYPES, INTEGERS, NUMBERS, REALS, WITH_AXES, check, laid_out, values

import xpdl as xp

inf, nan = math.inf, math.nan

WIDENED = {"bool": "int64"} | {
    dtype: "uint64" if dtype[0] == "u" else "int64" for dtype in INTEGERS
}
REDUCTIONS = {
    "max": np.max,
    "mean": np.mean,
    "median": np.median,
    "min": np.min,
    "nanmax": np.nanmax,
    "nanmean": np.nanmean,
    "nanmin": np.nanmin,
    "nanprod": np.nanprod,
    "nanstd": np.nanstd,
    "nansum": np.nansum,
    "nanvar": np.nanvar,
    "prod": np.prod,
    "std": np.std,
    "sum": np.sum,
    "var": np.var,
}
AXES = [None, 0, -1, (0, 2), (-1, 0, 1), ()]


@pytest.mark.parametrize(
    ("name", "dtype"), [(name, dtype) for name in REDUCTIONS for dtype in DTYPES]
)
def test_reduction_of_each_dtype_gives_values_of_numpy(name, dtype):
    x = values(dtype)[:6]
    expected = REDUCTIONS[name](x)
    check(getattr(xp, name)(xp.asarray(x)), expected)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reduction_over_axes_gives_values_of_numpy(name, axis, keepdims):
    x = laid_out("float32", "3-d")
    expected = REDUCTIONS[name](x, axis=axis, keepdims=keepdims)
    check(getattr(xp, name)(xp.asarray(x), axis=axis, keepdims=keepdims), expected)
    if isinstance(axis, tuple):
        check(getattr(xp, name)(xp.asarray(x), axis=list(axis), keepdims=keepdims), expected)


@pytest.mark.parametrize("layout", ["0-d", *WITH_AXES])
@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("dtype", ["float64", "int32", "complex64"])
def test_reduction_of_each_layout_gives_values_of_numpy(name, layout, dtype):
    x = laid_out(dtype, layout)
    check(getattr(xp, name)(xp.asarray(x)), REDUCTIONS[name](x))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["sum", "prod", "cumulative_sum", "cumulative_prod"])
def test_sum_and_product_widen_integers(name, dtype):
    result = getattr(xp, name)(xp.asarray(values(dtype)[:3]))
    assert result.dtype == WIDENED.get(dtype, dtype)


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("name", ["sum", "prod", "cumulative_sum", "cumulative_prod", "nansum"])
def test_sum_and_product_take_dtype(name, dtype):
    x = xp.asarray([1, 2, 3], dtype=xp.int8)
    running = {"cumulative_sum": [1, 3, 6], "cumulative_prod": [1, 2, 6]}.get(name, 6)
    check(getattr(xp, name)(x, dtype=getattr(xp, dtype)), np.array(running, dtype))


def test_sum_with_dtype_casts_before_adding():
    check(xp.sum(xp.asarray([200, 100], dtype=xp.uint8)), np.uint64(300))
    check(xp.sum(xp.asarray([200, 100], dtype=xp.uint8), dtype=xp.uint8), np.uint8(44))


@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize("correction", [0, 1, 0.0, 1.0, 0.5, 2])
def test_variance_is_exact(dtype, correction):
    x = [0.5, -1.25, 3.0, 8.0, 0.0]
    numbers = [Fraction(number) for number in x]
    mean = sum(numbers) / 5
    exact = sum((number - mean) ** 2 for number in numbers) / (5 - Fraction(correction))
    eps = float(np.finfo(dtype).eps)
    result = xp.var(xp.asarray(x, dtype=dtype), correction=correction)
    assert (result.dtype, result.shape) == (dtype, ())
    assert float(result) == pytest.approx(float(exact), rel=3 * eps)
    deviation = xp.std(xp.asarray(x, dtype=dtype), correction=correction)
    assert float(deviation) == pytest.approx(math.sqrt(exact), rel=3 * eps)


@pytest.mark.parametrize("correction", [0, 1, 1.5])
@pytest.mark.parametrize("axis", AXES[:4])
@pytest.mark.parametrize("dtype", ["int16", "float16", "float32", "float64", "complex64"])
def test_variance_is_that_of_numpy_to_the_bit(dtype, axis, correction):
    x = laid_out(dtype, "transposed")
    for keepdims in (False, True):
        options = {"axis": axis, "keepdims": keepdims}
        check(
            xp.var(xp.asarray(x), correction=correction, **options),
            np.var(x, ddof=correction, **options),
        )
        check(xp.mean(xp.asarray(x), **options), np.mean(x, **options))


@pytest.mark.parametrize("dtype", [*REALS, *COMPLEX, "int32", "bool"])
@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("correction", [2, 2.0, 3, 2.5])
def test_variance_without_degrees_of_freedom_is_nan_without_warning(name, dtype, correction):
    x = xp.asarray([[1, 0], [5, 0]], dtype=dtype)
    kind = np.zeros(0, dtype).real.dtype if x.dtype.kind in "fc" else "float64"
    function = getattr(xp, name)
    check(function(x, axis=0, correction=correction), np.array([nan, nan], kind))
    check(function(x, axis=1, correction=correction, keepdims=True), np.full((2, 1), nan, kind))


@pytest.mark.parametrize(
    ("name", "dtype", "expected"),
    [
        ("mean", "float32", np.float32(nan)),
        ("mean", "complex64", np.complex64(complex(nan, nan))),
        ("mean", "int8", nan),
        ("var", "float32", np.float32(nan)),
        ("std", "complex128", nan),
        ("sum", "int8", np.int64(0)),
        ("prod", "float32", np.float32(1)),
        ("nansum", "float32", np.float32(0)),
    ],
)
def test_reduction_of_no_elements_is_defined_without_warning(name, dtype, expected):
    function = getattr(xp, name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(function(xp.zeros((0,), dtype=dtype)), expected)
        check(function(xp.zeros((2, 0), dtype=dtype), axis=1), np.stack([expected, expected]))
        check(
            function(xp.zeros((2, 0), dtype=dtype), axis=0),
            np.asarray([expected])[:0],
        )


@pytest.mark.parametrize("wanted", ["float32", "float64", "complex64"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "float64"])
def test_mean_in_a_dtype_is_that_of_numpy(dtype, wanted):
    x = values(dtype, (2, 3))
    for options in ({}, {"axis": 0}, {"axis": (0, 1), "keepdims": True}):
        check(xp.mean(xp.asarray(x), dtype=wanted, **options), np.mean(x, dtype=wanted, **options))
    check(xp.asarray(x).mean(dtype=wanted), np.mean(x, dtype=wanted))


def test_mean_of_no_elements_in_a_dtype_is_nan_of_it():
    check(xp.mean(xp.zeros((0, 2), dtype="int8"), axis=0, dtype="float32"), [np.float32(nan)] * 2)


def test_mean_of_complex_in_a_real_dtype_raises():
    with pytest.raises(TypeError, match=r"^mean: dtype must be complex for complex values"):
        xp.mean(xp.ones(2, dtype="complex64"), dtype="float32")


@pytest.mark.parametrize("options", [{}, {"axis": 0}, {"axis": (0, 1), "keepdims": True}])
@pytest.mark.parametrize("dtype", [None, "float64"])
@pytest.mark.parametrize("name", ["nanmean", "nanstd", "nanvar"])
def test_reduction_without_nan_in_a_dtype_is_that_of_the_converted_array(name, dtype, options):
    x = np.array([[1, nan, 2.5], [3, 4, -1]], "float32")
    check(
        getattr(xp, name)(xp.asarray(x), dtype=dtype, **options),
        getattr(np, name)(x.astype(dtype or "float32"), **options),
    )


@pytest.mark.parametrize("name", ["nanstd", "nanvar"])
def test_ddof_is_the_correction(name):
    x = np.array([1, nan, 2.5, 7])
    function = getattr(xp, name)
    check(function(xp.asarray(x), ddof=1), getattr(np, name)(x, ddof=1))
    check(function(xp.asarray(x), correction=1), getattr(np, name)(x, ddof=1))


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
def test_nanmedian_is_that_of_numpy(axis):
    x = np.array([[1, nan, 2.5], [3, 4, -1]])
    check(xp.nanmedian(xp.asarray(x), axis=axis), np.nanmedian(x, axis))


@pytest.mark.parametrize("name", ["max", "min", "sum", "prod", "mean", "std", "var", "median"])
def test_reduction_with_nan_is_nan(name):
    check(getattr(xp, name)(xp.asarray([[1.0, nan], [3.0, 4.0]]), axis=1)[:1], [nan])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nanmax", 4.0),
        ("nanmin", 1.0),
        ("nansum", 7.0),
        ("nanprod", 8.0),
        ("nanmean", 7 / 3),
        ("nanvar", 14 / 9),
        ("nanstd", math.sqrt(14 / 9)),
    ],
)
def test_nan_reduction_ignores_nan(name, expected):
    result = getattr(xp, name)(xp.asarray([1.0, nan, 2.0, 4.0]))
    assert float(result) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("name", ["nanmax", "nanmin", "nanmean", "nanvar", "nanstd"])
def test_nan_reduction_of_nothing_but_nan_warns(name):
    with pytest.warns(RuntimeWarning):
        check(getattr(xp, name)(xp.asarray([nan, nan])), nan)


def test_nanvar_takes_correction_and_axis():
    x = np.array([[1.0, nan, 4.0, 2.0], [5.0, 6.0, nan, 9.0]])
    check(xp.nanvar(xp.asarray(x), axis=1, correction=1), np.nanvar(x, axis=1, ddof=1))
    check(
        xp.nanstd(xp.asarray(x), axis=[1], correction=1, keepdims=True),
        np.nanstd(x, axis=1, ddof=1, keepdims=True),
    )


@pytest.mark.parametrize(("x", "expected"), [([3, 1, 2], 2.0), ([4, 1, 2, 8], 3.0)])
def test_median_is_middle_of_sorted(x, expected):
    check(xp.median(xp.asarray(x)), expected)


# ------------------------------------------------------------------------------------ cumulative


@pytest.mark.parametrize("layout", WITH_AXES[1:])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint32", "float32", "complex64"])
def test_cumulative_functions_start_with_identity_if_asked(dtype, axis, layout):
    x = laid_out(dtype, layout)
    for function, numpys, initial in (
        (xp.cumulative_sum, np.cumsum, 0),
        (xp.cumulative_prod, np.cumprod, 1),
    ):
        plain = numpys(x, axis=axis)
        check(function(xp.asarray(x), axis=axis), plain)
        first = np.full_like(np.take(plain, [0], axis), initial)
        check(
            function(xp.asarray(x), axis=axis, include_initial=True),
            np.concatenate([first, plain], axis),
        )


@pytest.mark.parametrize(
    ("shape", "axis", "expected"),
    [((0,), None, [0.0]), ((0, 3), 0, [[0.0] * 3]), ((2, 0), 1, [[0.0]] * 2), ((2, 0), 0, None)],
)
def test_cumulative_sum_of_no_elements_includes_initial(shape, axis, expected):
    expected = np.zeros((3, 0)) if expected is None else expected
    check(xp.cumulative_sum(xp.zeros(shape), axis=axis, include_initial=True), expected)


def test_cumulative_sum_of_one_dimension_needs_no_axis():
    check(xp.cumulative_sum(xp.asarray([1, 2, 3], dtype=xp.int8)), np.array([1, 3, 6]))


# ---------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("kind", "text", "function"),
    [
        (
            ValueError,
            "cumulative_sum: axis must be given unless x is 1-D, got x of shape (2, 2)",
            lambda: xp.cumulative_sum(xp.zeros((2, 2))),
        ),
        (
            ValueError,
            "cumulative_prod: axis must be given unless x is 1-D, got x of shape ()",
            lambda: xp.cumulative_prod(xp.asarray(1.0), include_initial=True),
        ),
        (
            IndexError,
            "sum: axis 2 is out of bounds for array of dimension 1",
            lambda: xp.sum(xp.zeros(2), axis=2),
        ),
        (
            IndexError,
            "var: axis 2 is out of bounds for array of dimension 1",
            lambda: xp.var(xp.zeros(2), axis=2),
        ),
        (
            IndexError,
            "cumulative_sum: axis 2 is out of bounds for array of dimension 1",
            lambda: xp.cumulative_sum(xp.zeros(2), axis=2),
        ),
        (
            IndexError,
            "cumulative_sum: axis -2 is out of bounds for array of dimension 1",
            lambda: xp.cumulative_sum(xp.zeros(2), axis=-2, include_initial=True),
        ),
        (ValueError, "sum: duplicate value in 'axis'", lambda: xp.sum(xp.zeros(2), axis=(0, 0))),
        (
            ValueError,
            "max: zero-size array to reduction operation maximum which has no identity",
            lambda: xp.max(xp.zeros(0)),
        ),
    ],
)
def test_wrong_argument_raises(kind, text, function):
    with pytest.raises(kind) as error:
        function()
    assert str(error.value) == text


@pytest.mark.parametrize("name", [*REDUCTIONS, "cumulative_sum", "cumulative_prod"])
def test_function_of_list_raises(name):
    with pytest.raises(TypeError) as error:
        getattr(xp, name)([1.0])
    assert str(error.value) == (
        f"{name}: x must be an xpdl Array, got list; convert it with xpdl.asarray"
    )


@pytest.mark.parametrize("name", ["sum", "prod", "cumulative_sum", "cumulative_prod", "nansum"])
def test_unknown_dtype_raises(name):
    with pytest.raises(TypeError, match=f"^{name}: "):
        getattr(xp, name)(xp.asarray([1.0]), dtype="M8[s]")


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, {"keepdims": False}) for name in REDUCTIONS if "sum" not in name and "prod" not in name]
    + [(name, {"dtype": None, "keepdims": False}) for name in ("sum", "prod", "nansum", "nanprod")]
    + [(name, {"correction": 0.0}) for name in ("var", "std", "nanvar", "nanstd")]
    + [
        (f"cumulative_{name}", {"dtype": None, "include_initial": False})
        for name in ("sum", "prod")
    ],
)
def test_signature_is_that_of_standard(name, options):
    signature = inspect.signature(getattr(xp, name))
    x, *keywords = signature.parameters.values()
    assert (x.name, x.kind) == ("x", x.POSITIONAL_ONLY)
    assert all(keyword.kind is x.KEYWORD_ONLY for keyword in keywords)
    defaults = {keyword.name: keyword.default for keyword in keywords}
    assert defaults.items() >= ({"axis": None} | options).items()
    assert "Array" in str(signature.return_annotation)
