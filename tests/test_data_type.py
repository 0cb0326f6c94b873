"""Data type functions."""

import sys

import numpy as np
import pytest
from samples import COMPLEX, DTYPES, LAYOUTS, check, laid_out

import xpdl as xp

KINDS = {
    "bool": ["bool"],
    "signed integer": ["int8", "int16", "int32", "int64", "int4", "int2"],
    "unsigned integer": ["uint8", "uint16", "uint32", "uint64", "uint4", "uint2"],
    "real floating": [
        "float16",
        "float32",
        "float64",
        "bfloat16",
        "float8_e4m3fn",
        "float4_e2m1fn",
    ],
    "complex floating": ["complex64", "complex128"],
}
KINDS["integral"] = KINDS["signed integer"] + KINDS["unsigned integer"]
KINDS["numeric"] = KINDS["integral"] + KINDS["real floating"] + KINDS["complex floating"]
ALL_NAMES = KINDS["bool"] + KINDS["numeric"]


@pytest.fixture
def ml_dtypes():
    return pytest.importorskip("ml_dtypes", reason="tests dtypes that it defines")


@pytest.mark.parametrize("source", DTYPES)
@pytest.mark.parametrize("target", DTYPES)
def test_astype_dtype_pair_casts_or_refuses_complex_to_real(source, target):
    values = np.array([0, 1, 1], source)
    x = xp.asarray(values)
    if source in COMPLEX and target not in ("bool", *COMPLEX):
        with pytest.raises(TypeError, match="astype: dtype must be complex for complex values"):
            xp.astype(x, target)
    else:
        result = xp.astype(x, target)
        check(result, values.astype(target))
        assert not np.shares_memory(np.asarray(result), np.asarray(x))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_astype_layout_keeps_values_and_copies(layout):
    source = laid_out("float64", layout)
    x = xp.asarray(source)
    check(xp.astype(x, xp.complex64), source.astype(np.complex64))
    same = xp.astype(x, xp.float64)
    check(same, source)
    assert not same.readonly
    assert same is not x


def test_astype_copy_false_returns_x_only_for_its_own_dtype_and_device():
    x = xp.asarray([1.0])
    assert xp.astype(x, xp.float64, copy=False) is x
    assert xp.astype(x, float, copy=False, device="cpu") is x
    check(xp.astype(x, xp.float32, copy=False), np.array([1], np.float32))


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e5m2", "int4"])
def test_astype_ml_dtype_rounds_as_ml_dtypes(ml_dtypes, dtype):
    values = np.array([0.5, 1.0, 3.0])
    target = np.dtype(getattr(ml_dtypes, dtype))
    result = xp.astype(xp.asarray(values), getattr(xp, dtype))
    assert result.dtype == target
    assert np.asarray(result).tobytes() == values.astype(target).tobytes()


@pytest.mark.parametrize("source", DTYPES)
@pytest.mark.parametrize("target", DTYPES)
def test_can_cast_matches_promotion(source, target):
    assert xp.can_cast(source, target) is bool(np.can_cast(source, target))
    assert xp.can_cast(xp.ones(1, dtype=source), target) is xp.can_cast(source, target)
    if np.dtype(source).kind == np.dtype(target).kind:
        assert xp.can_cast(source, target) is (xp.result_type(source, target) == target)


@pytest.mark.parametrize("one", DTYPES)
@pytest.mark.parametrize("other", DTYPES)
def test_result_type_pairs_match_numpy(one, other):
    assert xp.result_type(one, other) == np.result_type(one, other)
    assert xp.result_type(xp.ones((), dtype=one), other) == np.result_type(one, other)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((xp.int8, 300), "int8"),
        ((xp.int8, 2**70), "int8"),
        ((xp.float32, 1), "float32"),
        ((xp.float32, 1e300), "float32"),
        ((xp.float32, 1j), "complex64"),
        ((xp.complex64, 1.5), "complex64"),
        ((xp.int8, 1.5), "float64"),
        ((xp.bool, 1), "int64"),
        ((True, xp.uint8), "uint8"),
        ((xp.int8, np.float64(1)), "float64"),
        ((xp.ones(1, dtype=xp.float32), np.float64(1)), "float32"),
        ((xp.ones(1, dtype=xp.uint8), 1, xp.int8), "int16"),
        ((float,), "float64"),
        (("float32", xp.float16), "float32"),
        ((xp.int8, xp.uint16, xp.int32), "int32"),
    ],
)
def test_result_type_scalars_are_weak(arguments, expected):
    assert xp.result_type(*arguments) == np.dtype(expected)


def test_result_type_ml_dtypes_promote(ml_dtypes):
    assert xp.result_type(xp.bfloat16, 1.0) == xp.bfloat16
    assert xp.result_type(xp.bfloat16, xp.float32) == xp.float32


@pytest.mark.parametrize("name", ALL_NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_isdtype_kind_holds_its_dtypes(name, kind):
    if not hasattr(np, name):
        pytest.importorskip("ml_dtypes", reason="tests dtypes that it defines")
    dtype = getattr(xp, name)
    assert xp.isdtype(dtype, kind) is (name in KINDS[kind])
    assert xp.isdtype(dtype, (kind,)) is (name in KINDS[kind])
    assert xp.isdtype(dtype, [kind, "bool"]) is (name in [*KINDS[kind], "bool"])


@pytest.mark.parametrize(
    ("dtype", "kind", "expected"),
    [
        (xp.int8, xp.int8, True),
        (xp.int8, xp.int16, False),
        (xp.int8, (xp.int16, xp.int8), True),
        (xp.int8, ("bool", xp.int8), True),
        (xp.int8, (), False),
        (float, xp.float64, True),
        (xp.float64, float, True),
        ("float32", (xp.float64, "integral"), False),
    ],
)
def test_isdtype_dtypes_and_tuples_compare(dtype, kind, expected):
    assert xp.isdtype(dtype, kind) is expected


@pytest.mark.parametrize("name", ["float16", "float32", "float64", "complex64", "complex128"])
def test_finfo_fields_are_python_numbers_of_numpy(name):
    expected = np.finfo(name)
    for argument in (getattr(xp, name), name, xp.ones(1, dtype=name)):
        info = xp.finfo(argument)
        assert [type(field) for field in info[:-1]] == [int, float, float, float, float]
        assert info == (
            expected.bits,
            float(expected.eps),
            float(expected.max),
            float(expected.min),
            float(expected.smallest_normal),
            expected.dtype,
        )
        assert isinstance(info.dtype, np.dtype)
        assert info.dtype.kind == "f"


@pytest.mark.parametrize("name", [name for name in KINDS["integral"] if hasattr(np, name)])
def test_iinfo_fields_are_python_ints_of_numpy(name):
    for argument in (getattr(xp, name), name, xp.ones(1, dtype=name)):
        info = xp.iinfo(argument)
        assert [type(field) for field in info[:-1]] == [int, int, int]
        assert info == (np.iinfo(name).bits, np.iinfo(name).max, np.iinfo(name).min, np.dtype(name))


def test_finfo_and_iinfo_ml_dtypes_have_limits(ml_dtypes):
    assert xp.finfo(xp.bfloat16)[:2] == (16, 2.0**-7)
    assert xp.finfo(xp.float8_e4m3fn).max == 448.0
    assert xp.iinfo(xp.int4)[:3] == (4, 7, -8)


def test_finfo_object_is_frozen():
    with pytest.raises(AttributeError):
        xp.finfo(xp.float32).eps = 1.0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: xp.finfo(xp.int8),
            TypeError,
            "finfo: type must be a floating dtype, got int8; iinfo is for integers",
        ),
        (
            lambda: xp.iinfo(xp.bool),
            TypeError,
            "iinfo: type must be an integer dtype, got bool; finfo is for floats",
        ),
        (lambda: xp.finfo(None), TypeError, "finfo: type must be a dtype, got None"),
        (
            lambda: xp.isdtype(xp.int8, "int8"),
            ValueError,
            "isdtype: kind must be one of 'bool', 'signed integer', 'unsigned integer', "
            "'integral', 'real floating', 'complex floating', 'numeric', got 'int8'",
        ),
        (lambda: xp.isdtype(None, "bool"), TypeError, "isdtype: dtype must be a dtype, got None"),
        (
            lambda: xp.result_type(),
            TypeError,
            "result_type: at least one argument must be an Array or a dtype, got none",
        ),
        (
            lambda: xp.result_type(1, 2.0),
            TypeError,
            "result_type: at least one argument must be an Array or a dtype, got int, float",
        ),
        (
            lambda: xp.result_type(None),
            TypeError,
            "result_type: each argument must be a dtype, got None",
        ),
        (
            lambda: xp.astype([1], xp.int8),
            TypeError,
            "astype: x must be an xpdl Array, got list; convert it with xpdl.asarray",
        ),
        (lambda: xp.astype(xp.ones(1), None), TypeError, "astype: dtype must be a dtype, got None"),
        (
            lambda: xp.astype(xp.ones(1), "S3"),
            TypeError,
            "astype: dtype must be one that xpdl holds (bool, integer, float, complex), got |S3",
        ),
        (
            lambda: xp.astype(xp.asarray(1j), float),
            TypeError,
            "astype: dtype must be complex for complex values, got float64; take the real part "
            "with xpdl.real",
        ),
        (
            lambda: xp.can_cast(3, xp.int8),
            TypeError,
            "can_cast: dtype must be a dtype of xpdl, got 3",
        ),
    ],
)
def test_data_type_wrong_argument_raises(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtype_constant_is_numpys(dtype):
    assert getattr(xp, dtype) is getattr(np, dtype)
    assert xp.ones(1, dtype=dtype).dtype == dtype


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3", "float6_e2m3fn", "int2", "uint4"])
def test_ml_dtype_attribute_is_ml_dtypes(ml_dtypes, name):
    assert getattr(xp, name) == np.dtype(getattr(ml_dtypes, name))


def test_ml_dtype_without_ml_dtypes_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(AttributeError) as caught:
        _ = xp.bfloat16
    assert (
        str(caught.value) == "xpdl.bfloat16 needs the package ml_dtypes: pip install 'xpdl[dtypes]'"
    )


def test_attribute_unknown_raises():
    with pytest.raises(AttributeError, match=r"^module 'xpdl' has no attribute 'sinn'$"):
        _ = xp.sinn


@pytest.mark.parametrize("dtype", COMPLEX)
def test_finfo_complex_is_that_of_its_component(dtype):
    assert xp.finfo(dtype) == xp.finfo(xp.real(xp.ones(1, dtype=dtype)))
