"""Device: names, pairs and identity; the default device of a process, a block, a thread, a task."""

import asyncio
import copy
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import xpdl as xp
from xpdl.dlpack import DLDeviceType

ROOT = Path(__file__).resolve().parent.parent


# ------------------------------------------------------------------------------------- Device


@pytest.mark.parametrize(
    ("given", "name", "kind", "number"),
    [
        ("cpu", "cpu", "cpu", 0),
        ("cpu:0", "cpu", "cpu", 0),
        ("cuda", "cuda:0", "cuda", 0),
        ("cuda:0", "cuda:0", "cuda", 0),
        ("cuda:1", "cuda:1", "cuda", 1),
        ("cuda:007", "cuda:7", "cuda", 7),
        (np.str_("cpu"), "cpu", "cpu", 0),
        ((1, 0), "cpu", "cpu", 0),
        ((1, None), "cpu", "cpu", 0),
        ((3, 5), "cpu", "cpu", 0),
        ((11, 0), "cpu", "cpu", 0),
        ((2, 0), "cuda:0", "cuda", 0),
        ((2, 3), "cuda:3", "cuda", 3),
        ((10, 1), "cuda:1", "cuda", 1),
        ((13, 0), "cuda:0", "cuda", 0),
        ((np.int32(2), np.int64(1)), "cuda:1", "cuda", 1),
        ((DLDeviceType.kDLCPU, 0), "cpu", "cpu", 0),
        ((DLDeviceType.kDLCUDA, 2), "cuda:2", "cuda", 2),
    ],
)
def test_device_from_a_name_or_a_pair_is_the_one_object(given, name, kind, number):
    device = xp.Device(given)
    assert device is xp.Device(name)
    assert xp.Device(device) is device
    assert (str(device), device.type, device.id) == (name, kind, number)
    assert repr(device) == f"Device({name!r})"
    assert f"{device}" == name


@pytest.mark.parametrize("name", ["cpu", "cuda:0", "cuda:1"])
def test_device_equals_and_hashes_like_its_name(name):
    device = xp.Device(name)
    assert device == name
    assert name == device
    assert not device != name
    assert hash(device) == hash(name)
    assert device in {name}
    assert name in {device}
    assert {device: 1}[name] == 1


@pytest.mark.parametrize("other", ["cuda:1", "cpu", "CUDA:0", xp.Device("cuda:1"), (2, 0), 0, None])
def test_device_of_another_name_is_unequal(other):
    device = xp.Device("cuda:0")
    assert device != other
    assert other != device
    assert not device == other


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("name", ["cpu", "cuda:3"])
def test_device_copied_or_pickled_is_the_one_object(name, protocol):
    device = xp.Device(name)
    assert pickle.loads(pickle.dumps(device, protocol)) is device
    assert copy.copy(device) is device
    assert copy.deepcopy({"device": device})["device"] is device


@pytest.mark.parametrize(
    "name",
    ["", "gpu", "CPU", "cpu:1", "cpu:", "cuda:", "cuda:-1", "cuda:x", "cuda:1:2", " cpu", "cuda: 1"]
    + ["cuda:\uff11", "mps"],
)
def test_device_of_an_unknown_name_raises(name):
    with pytest.raises(ValueError, match=r"^Device: device must be 'cpu', 'cuda' or 'cuda:<id>'"):
        xp.Device(name)


@pytest.mark.parametrize("pair", [(0, 0), (4, 0), (8, 0), (-1, 0), (2**40, 0)])
def test_device_of_an_unknown_pair_raises(pair):
    with pytest.raises(ValueError, match=r"^Device: device must be of a DLPack type for the host"):
        xp.Device(pair)


@pytest.mark.parametrize(
    "given",
    ["cuda:65536", "cuda:99999999999", "cuda:" + "9" * 5000, (2, -1), (2, 65536), (10, 2**70)],
    ids=lambda given: repr(given)[:20],
)
def test_device_of_an_unknown_id_raises(given):
    with pytest.raises(ValueError, match=r"^Device: device must have an id of 0 to 65535, got "):
        xp.Device(given)


@pytest.mark.parametrize(
    "given", [None, 0, 1.0, b"cpu", [1, 0], (1,), (1, 0, 0), (), ("cpu", 0), (1, "0"), (1.0, 0)]
)
def test_device_of_another_type_raises(given):
    with pytest.raises(TypeError, match=r"^Device: device must be "):
        xp.Device(given)


@pytest.mark.parametrize(
    ("args", "keywords"), [((), {}), (("cpu", 0), {}), ((), {"device": "cpu"})]
)
def test_device_called_wrongly_raises(args, keywords):
    with pytest.raises(TypeError, match=r"^Device: takes one "):
        xp.Device(*args, **keywords)


@pytest.mark.parametrize("name", ["type", "id", "name", "new"])
def test_device_is_immutable(name):
    with pytest.raises(AttributeError):
        setattr(xp.Device("cpu"), name, 1)


def test_device_made_without_a_name_raises():
    with pytest.raises(TypeError):
        xp.Device.__new__(xp.Device)
    with pytest.raises(TypeError):
        object.__new__(xp.Device)


def test_array_carries_the_device():
    x = xp.zeros(3)
    assert x.device is xp.Device("cpu")
    assert x.device == "cpu"
    assert xp.asarray(x, device=x.device) is x


# ---------------------------------------------------------------------------- the default device


@pytest.fixture
def process_device():
    yield
    xp.set_default_device("cpu")


def test_default_device_is_the_cpu():
    assert xp.default_device() is xp.Device("cpu")
    assert xp.__array_namespace_info__().default_device() == "cpu"


@pytest.mark.parametrize("device", ["cuda:1", xp.Device("cuda:1"), (2, 1)])
def test_default_device_of_a_block_is_set_and_restored(device):
    with xp.default_device(device) as entered:
        assert entered is xp.Device("cuda:1")
        assert xp.default_device() is entered
    assert xp.default_device() == "cpu"


def test_default_device_of_blocks_nests():
    with xp.default_device("cuda:1"):
        with xp.default_device("cpu"):
            assert xp.default_device() == "cpu"
            with xp.default_device("cuda:2"):
                assert xp.default_device() == "cuda:2"
            assert xp.default_device() == "cpu"
        assert xp.default_device() == "cuda:1"


def test_default_device_is_restored_after_an_exception():
    with pytest.raises(KeyError), xp.default_device("cuda:1"):
        raise KeyError
    assert xp.default_device() == "cpu"


def test_default_device_asked_for_and_not_entered_stays():
    xp.default_device("cuda:1")
    assert xp.default_device() == "cpu"


def test_default_device_of_a_thread_is_its_own():
    found = {}
    inside, checked = threading.Event(), threading.Event()

    def work():
        found["before"] = xp.default_device()
        with xp.default_device("cuda:2"):
            inside.set()
            checked.wait(10)
            found["inside"] = xp.default_device()

    with xp.default_device("cuda:1"):
        thread = threading.Thread(target=work)
        thread.start()
        inside.wait(10)
        assert xp.default_device() == "cuda:1"
        checked.set()
        thread.join()
    assert found == {"before": "cpu", "inside": "cuda:2"}


def test_default_device_of_a_task_is_its_own():
    found = []

    async def work(device):
        with xp.default_device(device):
            await asyncio.sleep(0)
            found.append((device, str(xp.default_device())))
            await asyncio.sleep(0)
        found.append(str(xp.default_device()))

    async def main():
        with xp.default_device("cuda:7"):
            await asyncio.gather(work("cuda:1"), work("cuda:2"))

    asyncio.run(main())
    assert sorted(found, key=str) == [
        ("cuda:1", "cuda:1"),
        ("cuda:2", "cuda:2"),
        "cuda:7",
        "cuda:7",
    ]


def test_default_device_of_the_process_is_seen_by_threads(process_device):
    xp.set_default_device("cuda:3")
    assert xp.default_device() == "cuda:3"
    found = []
    thread = threading.Thread(target=lambda: found.append(xp.default_device()))
    thread.start()
    thread.join()
    assert found == ["cuda:3"]
    with xp.default_device("cuda:1"):
        xp.set_default_device("cuda:4")
        assert xp.default_device() == "cuda:1"
    assert xp.default_device() == "cuda:4"


def test_default_device_leaves_existing_arrays_where_they_are():
    x = xp.ones(2)
    with xp.default_device("cuda:1"):
        assert (x + 1).device == "cpu"
        assert xp.zeros_like(x).device == "cpu"
        assert xp.asarray(x) is x
        assert xp.asarray([x, x]).device == "cpu"
        assert xp.sum(x).device == "cpu"
        assert xp.zeros(2, device="cpu").device == "cpu"
        assert pickle.loads(pickle.dumps(x)).device == "cpu"
        assert xp.from_dlpack(np.ones(2)).device == "cpu"


@pytest.mark.parametrize("function", [xp.default_device, xp.set_default_device])
def test_default_device_set_to_what_is_none_raises(function):
    with pytest.raises(ValueError, match=rf"^{function.__name__}: device must be 'cpu', 'cuda' or"):
        function("gpu")
    with pytest.raises(TypeError, match=rf"^{function.__name__}: device must be a str, "):
        function(3)
    assert xp.default_device() == "cpu"


def test_set_default_device_of_none_raises():
    with pytest.raises(TypeError, match=r"^set_default_device: device must be a str, "):
        xp.set_default_device(None)


def run_with(device):
    return subprocess.run(
        [sys.executable, "-c", "import xpdl as xp; print(xp.default_device())"],
        cwd=ROOT,
        env=os.environ | {"XPDL_DEVICE": device},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("given", "name"), [("cuda:1", "cuda:1"), ("cpu", "cpu"), ("", "cpu")])
def test_environment_sets_the_default_device_at_start(given, name):
    done = run_with(given)
    assert (done.returncode, done.stdout.strip()) == (0, name)


def test_environment_with_an_unknown_device_stops_the_import():
    done = run_with("gpu")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ValueError: XPDL_DEVICE: device must be 'cpu', 'cuda' or 'cuda:<id>', got 'gpu'"
    )
