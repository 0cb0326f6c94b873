"""Inspection: __array_namespace_info__."""

import pytest

import xpdl as xp

INFO = xp.__array_namespace_info__()
NAMES = {
    "bool": ["bool"],
    "signed integer": ["int8", "int16", "int32", "int64"],
    "unsigned integer": ["uint8", "uint16", "uint32", "uint64"],
    "real floating": ["float32", "float64"],
    "complex floating": ["complex64", "complex128"],
}
NAMES["integral"] = NAMES["signed integer"] + NAMES["unsigned integer"]
NAMES["numeric"] = NAMES["integral"] + NAMES["real floating"] + NAMES["complex floating"]


def test_capabilities_are_whole():
    assert INFO.capabilities() == {
        "boolean indexing": True,
        "data-dependent shapes": True,
        "max dimensions": 64,
    }


def test_capabilities_max_dimensions_is_the_real_limit():
    assert xp.ones((1,) * 64).ndim == 64
    with pytest.raises(ValueError, match=r"^ones: maximum supported dimension for an ndarray is"):
        xp.ones((1,) * 65)


def test_devices_are_a_tuple_that_starts_with_the_cpu():
    devices = INFO.devices()
    assert type(devices) is tuple
    assert devices[0] is xp.Device("cpu")
    assert all(type(device) is xp.Device for device in devices)


def test_default_device_is_the_namespaces():
    assert INFO.default_device() is xp.default_device()
    assert INFO.default_device() in INFO.devices()


@pytest.mark.parametrize("device", [None, "cpu", xp.Device("cpu")])
def test_default_dtypes_are_those_of_creation(device):
    assert INFO.default_dtypes(device=device) == {
        "real floating": xp.ones(1).dtype,
        "complex floating": xp.asarray(1j).dtype,
        "integral": xp.arange(1).dtype,
        "indexing": xp.argmax(xp.ones(1)).dtype,
    }


@pytest.mark.parametrize("kind", NAMES)
def test_dtypes_kind_gives_names_to_dtypes(kind):
    expected = {name: getattr(xp, name) for name in NAMES[kind]}
    assert INFO.dtypes(kind=kind) == expected
    assert INFO.dtypes(kind=(kind,), device="cpu") == expected


def test_dtypes_none_and_tuples_give_unions():
    everything = {name: getattr(xp, name) for name in NAMES["bool"] + NAMES["numeric"]}
    assert INFO.dtypes() == everything
    assert len(everything) == 13
    assert INFO.dtypes(kind=("bool", "numeric")) == everything
    assert list(INFO.dtypes(kind=["bool", "real floating"])) == ["bool", "float32", "float64"]
    assert INFO.dtypes(kind=()) == {}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: INFO.dtypes(kind="float"),
            ValueError,
            "dtypes: kind must be one of 'bool', 'signed integer', 'unsigned integer', "
            "'integral', 'real floating', 'complex floating', 'numeric', got 'float'",
        ),
        (
            lambda: INFO.dtypes(kind=3),
            TypeError,
            "dtypes: kind must be a str or a tuple of str, got 3",
        ),
        (
            lambda: INFO.dtypes(device="tpu"),
            ValueError,
            "dtypes: device must be 'cpu', 'cuda' or 'cuda:<id>', got 'tpu'",
        ),
        (
            lambda: INFO.default_dtypes(device=3),
            TypeError,
            "default_dtypes: device must be a str, an xpdl.Device or a DLPack pair of ints, got "
            "int",
        ),
    ],
)
def test_info_wrong_argument_raises(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


def test_info_repr_says_where_it_is_from():
    assert repr(INFO) == "xpdl.__array_namespace_info__()"
