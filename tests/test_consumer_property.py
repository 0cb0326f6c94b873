"""Any combination of fields of a producer: imported right, or refused with one deleter call."""

import random

import pytest
from fake_producer import READ_ONLY, FakeProducer, peek, stray_deletions
from fuzz.fields import BYTES, check_import, draw_fields

import xpdl as xp


@pytest.mark.parametrize("seed", range(10))
def test_import_any_fields_is_right_or_refused_and_deletes_once(seed):
    draw = random.Random(seed)
    taken = 0
    for _ in range(10_000):
        large = draw.random() < 0.1
        fields = draw_fields(draw.choice, large)
        way = draw.choice(("object", "capsule", "wrapper"))
        copy = None if large else draw.choice((None, None, True, False))
        device = draw.choice((None, "cpu"))
        producer = FakeProducer(BYTES, **fields)
        x = None
        try:
            if way == "wrapper":
                capsule = xp.ReadOnlyWrapper(producer).__dlpack__(max_version=(1, 3))
                assert peek(capsule).flags & READ_ONLY
                del capsule
            else:
                offered = producer if way == "object" else producer.capsule()
                x = xp.from_dlpack(offered, copy=copy, device=device)
        except BufferError:
            pass
        if x is not None:
            taken += 1
            check_import(x, fields, peek(producer._made[0].capsule).kind, large)
            x = None
        expected = producer.made if fields["deleter"] else 0
        assert (producer.deleted, stray_deletions()) == (expected, []), fields
    assert taken > 1000
