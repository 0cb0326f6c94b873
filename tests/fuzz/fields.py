"""Random fields of a managed tensor, and what an Array made of them must be."""

import numpy as np
from fake_producer import ACCEPT, READ_ONLY, SUBBYTE_PADDED, peek

__all__ = ["BYTES", "check_import", "draw_fields"]

BYTES = np.arange(4096, dtype=np.uint16).astype(np.uint8)
MIDDLE = BYTES.ctypes.data + 2048

HELD = (
    (0, 8), (0, 16), (0, 32), (0, 64), (1, 8), (2, 16), (2, 32), (2, 64), (4, 16), (5, 64),
    (5, 128), (6, 8), (10, 8), (15, 6), (17, 4), (0, 4), (1, 2),
)  # fmt: skip
BITS = (0, 1, 2, 4, 6, 8, 16, 32, 33, 64, 80, 128, 255)
EXTENTS, LARGE_EXTENTS = (0, 1, 2, 3, 4) * 4 + (-1,), (0, 1, 2**31, 2**40, 2**62, 2**63 - 1)
STEPS, LARGE_STEPS = range(-5, 6), (0, 1, -1, 2**31, 2**62, -(2**63), 2**63 - 1)


def draw_fields(pick, large):
    """The arguments of a FakeProducer over `BYTES`.

    A `large` tensor lies outside of the bytes. It may be imported, since nobody can know better,
    but not read, and so it has a dtype and a place that need no copy.
    """
    rank = pick(range(5))
    extents, steps = (LARGE_EXTENTS, LARGE_STEPS) if large else (EXTENTS, STEPS)
    dtype = pick((pick(HELD), pick(HELD), (pick((*range(19), 255)), pick(BITS))))
    fields = {
        "versioned": pick((True, False, None)),
        "version": pick(((1, 3),) * 6 + ((1, 0), (1, 99), (0, 8), (2, 0))),
        "device": pick(((1, 0),) * 8 + ((3, 0), (11, 0), (13, 0), (1, 7), (2, 0), (8, 0), (-1, 0))),
        "shape": tuple(pick(extents) for _ in range(rank)),
        "strides": pick((None, tuple(pick(steps) for _ in range(rank)))),
        "ndim": pick((rank,) * 20 + (-1, 65, 2**31 - 1, -(2**31))),
        "deleter": pick((True, True, False)),
        "accept": pick(ACCEPT),
        "claimed_device": pick((...,) * 20 + ((1, 0), (1, None), (2, 0), None, 1)),
        "flags": pick((*range(9), 2**63, 2**64 - 1)),
        "dtype": (*dtype, pick((1,) * 20 + (0, 2, 65535))),
        "data": pick((MIDDLE,) * 8 + (MIDDLE + 1, None)),
        "byte_offset": pick((0, 0, 0, 1, 2, 4, 8, 16)),
    }
    if large:
        fields |= {
            "dtype": (2, pick((16, 32, 64)), 1),
            "data": MIDDLE,
            "byte_offset": pick((0, 16, 2**63, 2**64 - 64)),
        }
    return fields


def elements(fields):
    """The bytes of each element, (*shape, itemsize) of uint8, read as the fields say."""
    itemsize = max(fields["dtype"][1], 8) // 8
    shape, strides = fields["shape"], fields["strides"]
    if strides is None:
        strides = tuple(int(np.prod(shape[axis + 1 :])) for axis in range(len(shape)))
    start = fields["data"] + fields["byte_offset"] - BYTES.ctypes.data
    return np.lib.stride_tricks.as_strided(
        BYTES[start:], (*shape, itemsize), (*(step * itemsize for step in strides), 1)
    )


def check_import(x, fields, kind, large):
    """Whether an imported Array is what the fields describe, and goes out as it came in."""
    assert x.shape == fields["shape"]
    exported = peek(x.__dlpack__(max_version=(1, 3)))
    assert bool(exported.flags & READ_ONLY) is x.readonly
    assert exported.dtype == fields["dtype"]
    assert exported.shape == fields["shape"]
    padded = fields["flags"] & SUBBYTE_PADDED and kind == "versioned"
    if x.size and not large and (fields["dtype"][1] >= 8 or padded):
        got = np.ascontiguousarray(np.asarray(x)).reshape(*x.shape, 1).view(np.uint8)
        assert np.array_equal(got, elements(fields))
