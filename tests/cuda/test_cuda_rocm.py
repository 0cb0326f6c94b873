"""ROCm builds of CuPy: DLPack type 10, and stream numbers of their own."""

import pytest
from fake_producer import peek
from gpu import cp, new_stream
from libraries import library_of
from races import WRITTEN, late, read_on, view_of

import xpdl as xp

if not cp.cuda.runtime.is_hip:
    pytest.skip("needs a ROCm build of CuPy", allow_module_level=True)


def test_array_has_the_device_type_of_rocm():
    x = xp.ones(3, device="cuda")
    assert x.__dlpack_device__() == (10, 0)
    assert peek(x.__dlpack__(max_version=(1, 0))).device == (10, 0)


@pytest.mark.parametrize("stream", [1, 2, -2])
def test_stream_numbers_of_cuda_are_refused(stream):
    with pytest.raises(ValueError, match=r"^__dlpack__: stream must be None, -1, 0 \(default\)"):
        xp.ones(3, device="cuda").__dlpack__(stream=stream)


@pytest.mark.parametrize("number", [None, 0])
def test_default_stream_is_ordered(number):
    work = new_stream()
    x = late(work)
    with work:
        capsule = x.__dlpack__(stream=number, max_version=(1, 0))
    assert read_on(cp.cuda.Stream.null, view_of(capsule)) == WRITTEN


def test_array_of_a_library_comes_in():
    tensor = library_of("torch").full((3,), 2.0)
    assert tensor.__dlpack_device__() == (10, 0)
    x = xp.from_dlpack(tensor)
    assert (x.device, x.tolist(), x.__dlpack_device__()) == ("cuda:0", [2.0] * 3, (10, 0))
