"""xpdl._set: distinct values, NaN apart, shapes and fields; membership by value."""

import inspect
import math

import numpy as np
import pytest
from samples import COMPLEX, DTYPES, LAYOUTS, REALS, check, laid_out, values

import xpdl as xp

nan = math.nan

FIELDS = {
    "unique_all": ("values", "indices", "inverse_indices", "counts"),
    "unique_counts": ("values", "counts"),
    "unique_inverse": ("values", "inverse_indices"),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_unique_describes_each_layout_and_dtype(dtype, layout):
    x = np.concatenate([laid_out(dtype, layout).reshape(-1)] * 2).reshape(2, -1)
    flat = x.reshape(-1).tolist()
    distinct = sorted(set(flat), key=lambda v: (v.real, v.imag))
    result = xp.unique_all(xp.asarray(x))
    check(result.values, np.array(distinct, dtype))
    check(result.indices, np.array([flat.index(v) for v in distinct], np.int64))
    check(result.counts, np.array([flat.count(v) for v in distinct], np.int64))
    check(
        result.inverse_indices,
        np.array([distinct.index(v) for v in flat], np.int64).reshape(x.shape),
    )
    check(xp.unique_values(xp.asarray(x)), np.array(distinct, dtype))


@pytest.mark.parametrize("name", FIELDS)
def test_unique_result_is_named_tuple_and_agrees_with_unique_all(name):
    x = xp.asarray([[3.0, 1.0], [nan, 3.0]])
    result, everything = getattr(xp, name)(x), xp.unique_all(x)
    assert isinstance(result, tuple)
    assert result._fields == FIELDS[name]
    for field in FIELDS[name]:
        check(getattr(result, field), np.asarray(getattr(everything, field)))


@pytest.mark.parametrize("dtype", [*REALS, *COMPLEX])
def test_unique_counts_each_nan_on_its_own(dtype):
    x = xp.asarray([nan, 1.0, nan, 1.0, nan], dtype=dtype)
    counts = xp.unique_counts(x)
    check(counts.values, np.array([1, nan, nan, nan], dtype))
    check(counts.counts, np.array([2, 1, 1, 1]))
    assert sorted(np.asarray(xp.unique_inverse(x).inverse_indices).tolist()) == [0, 0, 1, 2, 3]
    assert xp.unique_values(x).shape == (4,)


def test_unique_counts_complex_with_nan_component_on_its_own():
    x = xp.asarray([complex(1, nan), complex(1, nan), complex(nan, 1), 1 + 0j, 1 + 0j])
    result = xp.unique_all(x)
    assert sorted(np.asarray(result.counts).tolist()) == [1, 1, 1, 2]


@pytest.mark.parametrize("dtype", REALS)
def test_unique_takes_zeros_as_one_value(dtype):
    result = xp.unique_counts(xp.asarray([0.0, -0.0, 0.0], dtype=dtype))
    assert result.values.shape == (1,)
    check(result.counts, np.array([3]))


def test_unique_of_zero_d_has_zero_d_inverse():
    result = xp.unique_all(xp.asarray(5))
    assert [part.shape for part in result] == [(1,), (1,), (), (1,)]


def test_unique_of_readonly_array_is_writable():
    x = np.array([2, 1])
    x.flags.writeable = False
    assert not any(part.readonly for part in xp.unique_all(xp.asarray(x)))


# ------------------------------------------------------------------------------------------ isin


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("invert", [False, True])
def test_isin_tests_each_element(dtype, layout, invert):
    x1, x2 = laid_out(dtype, layout), values(dtype)[2:14:3].reshape(2, 2)
    members = set(x2.reshape(-1).tolist())
    expected = np.array([v in members for v in x1.reshape(-1).tolist()], bool).reshape(x1.shape)
    check(xp.isin(xp.asarray(x1), xp.asarray(x2), invert=invert), expected ^ invert)


@pytest.mark.parametrize(
    ("x1", "x2", "dtype", "expected"),
    [
        ([1, 2, 3], 2, "int8", [False, True, False]),
        ([1, 2, 3], 300, "uint8", [False] * 3),
        ([1, 2, 3], -1, "uint64", [False] * 3),
        ([1, 2, 3], 2.5, "int8", [False] * 3),
        ([0.1, 0.2], 0.1, "float32", [True, False]),
        ([nan, 1.0], nan, "float64", [False, False]),
        (2, [1, 2, 3], "int8", True),
        (300, [1, 2, 3], "uint8", False),
        (0.1, [0.1, 0.2], "float32", True),
        (nan, [nan, 1.0], "float64", False),
        (2, [], "int8", False),
    ],
)
@pytest.mark.parametrize("invert", [False, True])
def test_isin_with_scalar_compares_as_equal(x1, x2, dtype, expected, invert):
    operands = [xp.asarray(x, dtype=dtype) if isinstance(x, list) else x for x in (x1, x2)]
    check(xp.isin(*operands, invert=invert), np.array(expected) ^ invert)


@pytest.mark.parametrize("invert", [False, True])
def test_isin_compares_uint64_with_signed_integers_by_value(invert):
    unsigned = xp.asarray([2**63 + 1, 2**53 + 1, 2**64 - 1, 3], dtype=xp.uint64)
    signed = xp.asarray([-1, 2**53, 2**53 + 1, -(2**63) + 1, 3], dtype=xp.int64)
    check(xp.isin(unsigned, signed, invert=invert), np.array([False, True, False, True]) ^ invert)
    check(
        xp.isin(signed, unsigned, invert=invert),
        np.array([False, False, True, False, True]) ^ invert,
    )


def test_isin_of_nothing_is_false():
    check(xp.isin(xp.asarray([1, 2]), xp.asarray([], dtype=xp.int64)), np.array([False, False]))


# ---------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("name", [*FIELDS, "unique_values"])
def test_unique_of_list_raises(name):
    with pytest.raises(TypeError, match=rf"^{name}: .* must be an xpdl Array, got list;"):
        getattr(xp, name)([1])


def test_isin_of_none_raises():
    with pytest.raises(TypeError) as error:
        xp.isin(xp.asarray([1]), None)
    assert str(error.value) == "isin: x1 and x2 must be Arrays or scalars, got None"


def test_isin_of_scalars_raises():
    with pytest.raises(TypeError, match=r"^isin: at least one argument must be an xpdl Array"):
        xp.isin(1, 2)


@pytest.mark.parametrize("name", [*FIELDS, "unique_values", "isin"])
def test_signature_is_that_of_standard(name):
    signature = inspect.signature(getattr(xp, name))
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    expected = "(x1, x2, /, *, invert=False)" if name == "isin" else "(x, /)"
    assert str(inspect.Signature(bare)) == expected
    assert signature.return_annotation is not inspect.Signature.empty
