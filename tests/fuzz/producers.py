"""Objects that pretend to be arrays, given to every function that takes arguments of users.

Whatever such an object does, an exception of a documented class or its own comes out, a
KeyboardInterrupt passes, and the deleter of every tensor that it made is called once.
"""

import functools
import gc
import operator

import fake_producer
import numpy as np
from fake_producer import ACCEPT, FakeProducer, make_capsule, stray_deletions

import xpdl as xp

ARRAY = np.arange(6.0).reshape(2, 3)
DOCUMENTED = (
    TypeError, ValueError, IndexError, OverflowError, AttributeError, BufferError, RuntimeError,
    MemoryError, ZeroDivisionError,
)  # fmt: skip


class OwnError(Exception):
    """One of a producer's own."""


class OwnTypeError(TypeError):
    """One that looks like a refused keyword, and has no text."""

    def __str__(self):
        raise OwnError


RAISED = (
    OwnError("own"), OwnTypeError(), KeyboardInterrupt(), SystemExit(3), GeneratorExit(),
    TypeError("got an unexpected keyword argument 'max_version'"), TypeError(3), BufferError(),
    MemoryError(), RecursionError(), StopIteration(1), AttributeError("__dlpack__"), ValueError(),
    UnicodeDecodeError("ascii", b"", 0, 1, "own"),
)  # fmt: skip


def run_case(random):
    """One call with one object."""
    made = []
    x = draw_object(random, made)
    call = random.choice(CALLS)
    outcome = "returned"
    try:
        call(x, random)
    except (OwnError, KeyboardInterrupt, SystemExit, GeneratorExit, StopIteration):
        outcome = "its own error"
    except SystemError:
        raise
    except DOCUMENTED as error:
        outcome = type(error).__name__ if type(error) in DOCUMENTED else "its own error"
    x = None
    gc.collect(0)
    for producer in made:
        producer.settle()
        handed_over = sum(record.capsule is None or record.consumed() for record in producer._made)
        assert producer.deleted == handed_over, (call, producer.deleted, handed_over)
        producer._made.clear()
        producer._deleted.clear()
    fake_producer._records.clear()
    assert stray_deletions() == []
    return outcome


# ------------------------------------------------------------------------------------- objects


def draw_object(random, made):
    """An instance, or now and then a class, with some of the protocols' attributes."""
    metaclass = random.choice((type,) * 12 + (Meta,))
    names = {}
    for name, draw in ATTRIBUTES.items():
        if random.random() < 0.25 or name in ("__dlpack__", "__dlpack_device__"):
            names[name] = draw(random, made)
    if random.random() < 0.1:
        del names["__dlpack__"]
    kind = metaclass("Hostile", random.choice(((), (), (), (list,), (int,), (float,))), names)
    if random.random() < 0.05:
        return kind
    return kind()


class Meta(type):
    """The metaclass of a class that does not say what it is."""

    @property
    def __module__(cls):
        raise OwnError


def draw_value(random, made):
    """Something that a method returns."""
    pick = random.randrange(14)
    if pick < 4:
        producer = FakeProducer(
            ARRAY, versioned=random.choice((True, False)), accept=random.choice(ACCEPT),
            flags=random.randrange(4), version=random.choice(((1, 3), (1, 3), (2, 0))),
            device=random.choice(((1, 0), (1, 0), (1, 0), (2, 0))),
        )  # fmt: skip
        made.append(producer)
        return producer if pick == 0 else producer.capsule()
    return random.choice((
        None, True, 0, -1, 7, 2**31 - 1, 2**63, 2**64, 2**200, 1.5, 1j, "", "cpu",
        b"dltensor", (), [],
        (1, 0), [1, 0], (1, None), (1, 2**70), (2, 0), (1, 0, 0), (1,), ("1", 0), (1.0, 0), {1: 0},
        (np.int64(1), np.bool(False)), ARRAY, xp.ones(3), xp.Device("cpu"), np.float32(1),
        slice(3),
        make_capsule(1 << 20, b"used_dltensor"), make_capsule(1 << 20, None), NotImplemented,
        xp.ones(3).__dlpack__(), xp.ReadOnlyWrapper(ARRAY), object, range(2), iter([1, 0]),
        xp.float32, "f4", memoryview(b"12345678"), Ellipsis, print,
    ))  # fmt: skip


def draw_callable(random, made):
    """A method of any kind that returns any value, raises, or does something before."""
    value = draw_value(random, made)
    error = random.choice(RAISED) if random.random() < 0.2 else None

    def answer(*args, **keywords):
        if error is not None:
            raise error
        return value

    def answer_once(self, **keywords):
        if getattr(type(self), "depth", 0):
            return answer()
        type(self).depth = 1
        return xp.from_dlpack(self).__dlpack__()

    def consume_first(self, **keywords):
        found = answer()
        xp.from_dlpack(found)
        return found

    def collect_first(self, *, stream=None, max_version=None):
        gc.collect()
        return answer()

    def with_keywords(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return answer()

    def positional_only(self, max_version=None, /):
        return answer()

    def none_at_all(self):
        return answer()

    def required(self, max_version):
        return answer()

    async def later(self, **keywords):
        return answer()

    def in_pieces(self, **keywords):
        yield answer()

    class Callable:
        __call__ = answer
        __signature__ = random.choice((3, None, "()", answer))

    class Raising:
        def __get__(self, instance, owner=None):
            answer()
            return answer

    wrapped = functools.wraps(answer)(lambda self, **keywords: answer())
    wrapped.__wrapped__ = wrapped
    return random.choice((
        answer, answer, answer_once, consume_first, collect_first, with_keywords, with_keywords,
        positional_only, none_at_all, required, in_pieces, Callable(), Raising(), wrapped,
        property(answer), staticmethod(answer), classmethod(answer), functools.partial(answer),
        functools.partialmethod(answer), len, operator.index, print, value, None, int, abs,
        functools.lru_cache(answer), dict.get, "nonsense",
    ))  # fmt: skip


def draw_item(random, made):
    """Two items: whoever iterates over something endless does so for ever."""
    items = [draw_value(random, made) for _ in range(2)]
    return lambda self, key: items[key]


def draw_class(random, made):
    """What the object says that its class is."""
    return property(lambda self: random.choice((
        xp.Array, xp.ReadOnlyWrapper, xp.Device, np.ndarray, np.float64, list, tuple, int, bool,
        str, 3, None, type, np.ma.MaskedArray,
    )))  # fmt: skip


ATTRIBUTES = {
    "__dlpack__": draw_callable,
    "__dlpack_device__": lambda random, made: random.choice((
        lambda self: (1, 0), lambda self: (1, 0), draw_callable(random, made))),
    "__class__": draw_class,
    "__array__": draw_callable,
    "__len__": lambda random, made: random.choice((  # a long one is waited for
        lambda self: 2, lambda self: -1, lambda self: 2**64, lambda self: None)),
    "__getitem__": draw_item,
    "__iter__": draw_callable,
    "__index__": draw_callable,
    "__float__": draw_callable,
    "__complex__": draw_callable,
    "__bool__": draw_callable,
    "__eq__": draw_callable,
    "__radd__": draw_callable,
    "__array_ufunc__": draw_callable,
    "__array_namespace__": draw_callable,
    "__dlpack_c_exchange_api__": draw_value,
    "__module__": draw_value,
    "requires_grad": draw_value,
    "is_neg": draw_callable,
    "is_conj": draw_callable,
    "dtype": draw_value,
    "shape": draw_value,
    "ndim": draw_value,
    "item": draw_callable,
    "name": draw_value,
}  # fmt: skip


# --------------------------------------------------------------------------------------- calls

F = xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
I = xp.asarray([1, 2, 3])  # noqa: E741


def assign(key, value):
    F.copy()[key] = value


def with_default(x):
    with xp.default_device(x):
        xp.ones(1)


CALLS = [
    *[lambda x, _: xp.from_dlpack(x)] * 6,
    *[lambda x, r: xp.from_dlpack(
        x, copy=r.choice((None, True, False)), device=r.choice((None, "cpu")))] * 4,
    *[lambda x, r: xp.asarray(x, copy=r.choice((None, True, False)))] * 3,
    *[lambda x, r: xp.ReadOnlyWrapper(x).__dlpack__(
        max_version=(1, 0), copy=r.choice((None, True)))] * 3,
    *[lambda x, _: xp.dlpack.inspect(x)] * 2,
    *[lambda x, r: xp.dlpack.from_address(xp.dlpack.to_address(x))] * 2,
    lambda x, r: xp.to_dlpack(x, max_version=r.choice((None, (1, 0))), copy=r.choice((None, True))),
    lambda x, _: np.from_dlpack(xp.ReadOnlyWrapper(x)),
    lambda x, _: repr(xp.ReadOnlyWrapper(xp.ReadOnlyWrapper(x))),
    lambda x, _: xp.asarray([x, x]),
    lambda x, _: xp.asarray([F, [x]]),
    lambda x, _: xp.asarray(x, dtype=xp.float32),
    lambda x, _: xp.asarray(F, dtype=x),
    lambda x, _: xp.asarray(F, copy=x),
    lambda x, _: xp.asarray(F, device=x),
    lambda x, _: xp.from_dlpack(F, device=x),
    lambda x, _: xp.from_dlpack(F, copy=x),
    lambda x, _: F.__dlpack__(stream=x),
    lambda x, _: F.__dlpack__(max_version=x),
    lambda x, _: F.__dlpack__(dl_device=x),
    lambda x, _: F.__dlpack__(max_version=(x, x), dl_device=(x, x)),
    lambda x, _: F.__dlpack__(copy=x),
    lambda x, _: xp.dlpack.from_address(x) if type(x) is not int else None,
    lambda x, _: F + x,
    lambda x, _: x + F,
    lambda x, _: F @ x,
    lambda x, _: F == x,
    lambda x, _: F.copy().__iadd__(x),
    lambda x, _: x in F,
    lambda x, _: F[x],
    lambda x, _: F[x, :1],
    lambda x, _: F[[x]],
    lambda x, _: assign(0, x),
    lambda x, _: assign(x, 0),
    lambda x, _: assign((0, x), F),
    lambda x, _: assign(0, [x, 1, 2]),
    lambda x, _: xp.add(F, x),
    lambda x, _: xp.sin(x),
    lambda x, _: xp.where(x, F, F),
    lambda x, _: xp.where(F > 1, x, x),
    lambda x, _: xp.concat([F, x]),
    lambda x, _: xp.concat(x),
    lambda x, _: xp.stack((x,)),
    lambda x, _: xp.sum(F, axis=x),
    lambda x, _: xp.sum(F, keepdims=x),
    lambda x, _: xp.sum(F, dtype=x),
    lambda x, _: xp.var(F, correction=x),
    lambda x, _: xp.reshape(F, x),
    lambda x, _: xp.reshape(F, (x, -1)),
    lambda x, _: F.reshape(x),
    lambda x, _: F.transpose(x, x),
    lambda x, _: xp.permute_dims(F, x),
    lambda x, _: xp.roll(F, x, axis=x),
    lambda x, _: xp.take(F, I[:2] - 1, axis=x),
    lambda x, _: xp.take(F, x, axis=0),
    lambda x, _: xp.expand_dims(F, axis=x),
    lambda x, _: xp.squeeze(F, axis=x),
    lambda x, _: xp.flip(F, axis=x),
    lambda x, _: xp.moveaxis(F, x, x),
    lambda x, _: xp.clip(F, x, x),
    lambda x, _: xp.repeat(I, x),
    lambda x, _: xp.broadcast_to(F, x),
    lambda x, _: xp.searchsorted(I, x),
    lambda x, _: xp.fft.fft(F, n=x, axis=x),
    lambda x, _: xp.linalg.matrix_norm(x),
    lambda x, _: xp.linalg.vector_norm(F, ord=x),
    lambda x, _: xp.astype(F, x),
    lambda x, _: F.astype(x, copy=x),
    lambda x, _: F.to_device(x),
    lambda x, _: F.__array_namespace__(api_version=x),
    lambda x, _: F.__array__(x),
    lambda x, _: format(F, x),
    lambda x, _: F.__reduce_ex__(x),
    lambda x, _: xp.Device(x),
    lambda x, _: with_default(x),
    lambda x, _: xp.isdtype(x, x),
    lambda x, _: xp.result_type(F, x),
    lambda x, _: xp.can_cast(x, xp.float32),
    lambda x, _: xp.finfo(x),
    lambda x, _: xp.__array_namespace_info__().dtypes(device=x, kind=x),
    lambda x, _: xp.full(2, x),
    lambda x, _: xp.arange(x),
    lambda x, _: xp.linspace(0, x, 3),
    lambda x, _: xp.eye(2, k=x),
    lambda x, _: xp.full_like(F, x),
    lambda x, _: xp.meshgrid(F, x),
    lambda x, _: xp.broadcast_shapes(x, x),
]  # fmt: skip
