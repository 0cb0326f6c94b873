"""Random programs on random arrays, each step done by xpdl and by NumPy, and compared.

Both work on memory of the same layout. After each step all arrays must have the same dtype, shape,
values and protection, and so what one array shares with another is seen. Where NumPy raises, xpdl
must raise too; where only xpdl raises, the step must be one of the documented departures.
"""

import operator
import warnings

import numpy as np

import xpdl as xp

REALS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "float32", "float64")  # fmt: skip
DTYPES = ("bool", *REALS, "complex64", "complex128")
STEPS = 8
ERRORS = (TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError, BufferError,
          MemoryError)  # fmt: skip
SCALARS = (True, False, 0, 1, -1, 2, 3, 100, 2**31, 0.0, -0.0, 0.5, 2.0, -3.5, float("inf"),
           float("nan"), 1j, 2 - 1j)  # fmt: skip


class DepartureError(Exception):
    """A step on which xpdl and NumPy are known to differ."""


def run_case(random):
    """One program."""
    program = Program(random)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            for _ in range(random.randrange(1, 3)):
                program.create()
            for _ in range(STEPS):
                program.step()
                program.check()
        except AssertionError as error:
            raise AssertionError("\n".join((*program.lines, str(error)))) from None
    return "agreed"


class Program:
    """Pairs of an Array and the array of NumPy that it must equal, and how they came about."""

    def __init__(self, random):
        self.random = random
        self.pairs = []
        self.lines = []

    def pick(self):
        return self.random.choice(self.pairs)

    def keep(self, x, n):
        self.pairs.append((x, n))
        if len(self.pairs) > 6:
            self.pairs.pop(0)

    def create(self):
        """A pair of arrays with memory of the same layout, each its own."""
        random = self.random
        dtype = random.choice(DTYPES)
        shape = tuple(
            random.choice((0, 1, 1, 2, 3, 4)) for _ in range(random.choice((0, 1, 1, 2, 3)))
        )
        n = draw_values(random, shape, dtype)
        layout = random.choice(("C", "C", "F", "step", "flip", "readonly", "broadcast"))
        kept = [lay_out(n, layout), lay_out(n, layout)]
        make = random.choice((xp.asarray, xp.from_dlpack))
        self.lines.append(f"# {make.__name__}({kept[0]!r}) {layout} {dtype} {shape}")
        self.keep(make(kept[0]), kept[1])

    def step(self):
        """One operation, on both."""
        name, operation = self.random.choice(OPERATIONS)
        try:
            operation(self)
        except DepartureError:
            pass
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None

    def both(self, text, of_xpdl, of_numpy, close=0.0, known=()):
        """Do a step with both libraries and keep the results, if that is what they give."""
        self.lines.append(text)
        wanted = failure = refused = None
        try:
            wanted = of_numpy()
        except ERRORS as error:
            failure = error
        try:
            found = of_xpdl()
        except (*ERRORS, NotImplementedError) as error:
            refused = error
        if refused is not None:
            if failure is None and not any(word in str(refused) for word in (*KNOWN, *known)):
                raise AssertionError(f"xpdl raised {refused!r}, NumPy gave {wanted!r}")
            return
        if failure is not None:
            raise AssertionError(f"NumPy raised {failure!r}, xpdl gave {found!r}")
        if wanted is None:
            return
        if isinstance(wanted, (tuple, list)):
            assert len(found) == len(wanted)
            results = list(zip(found, wanted, strict=True))
        else:
            results = [(found, wanted)]
        for x, n in results:
            assert type(x) is xp.Array, f"not an Array: {x!r}"
            compare(x, n, close)
            if close:  # go on with the very same values
                x = xp.asarray(np.asarray(n), copy=True)
                n = np.array(n)
            self.keep(x, n if isinstance(n, np.ndarray) else np.asarray(n))

    def check(self):
        for x, n in self.pairs:
            compare(x, n, 0.0)
            assert x.readonly is not n.flags.writeable, f"readonly {x.readonly} of {n!r}"


# What xpdl refuses on purpose, by a part of its message.
KNOWN = (
    "must be complex for complex values", "must be real for x of dtype", "must have one element",
    "must be writable", "no such operation", "axis must be given unless", "must not be NaN",
    "must be real", "takes no integer index", "needs a mask", "value must be",
    "is out of bounds for array of dimension 0",
)  # fmt: skip


def draw_values(random, shape, dtype):
    size = int(np.prod(shape))
    kind = np.dtype(dtype).kind
    if kind == "b":
        values = [random.random() < 0.5 for _ in range(size)]
    elif kind in "iu":
        info = np.iinfo(dtype)
        small = range(0 if kind == "u" else -5, 8)
        ends = (info.min, info.max)
        values = [random.choice((*small, *ends)) for _ in range(size)]
    else:
        near = (0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.25, 100.0, float("inf"), float("nan"))
        values = [random.choice(near) for _ in range(size)]
        if kind == "c":
            values = [complex(value, random.choice(near[:8])) for value in values]
    return np.array(values, dtype=dtype).reshape(shape)


def lay_out(n, layout):
    """A new array of the values of `n` in a memory layout."""
    if layout == "F":
        return np.array(n, order="F")
    if layout == "step" and n.ndim:
        wide = np.zeros((*n.shape[:-1], 2 * n.shape[-1]), n.dtype)
        wide[..., ::2] = n
        return wide[..., ::2]
    if layout == "flip" and n.ndim:
        return np.array(n[::-1])[::-1]
    if layout == "broadcast":
        return np.broadcast_to(np.array(n), (2, *n.shape))
    copy = np.array(n)
    copy.flags.writeable = layout != "readonly"
    return copy


def compare(x, n, close):
    n = np.asarray(n)
    found = np.asarray(x)
    assert x.dtype == n.dtype, f"dtype {x.dtype}, NumPy {n.dtype}"
    assert x.shape == n.shape, f"shape {x.shape}, NumPy {n.shape}"
    if close:
        np.testing.assert_allclose(found, n, rtol=close, atol=close)
    elif found.tobytes() != n.tobytes():
        np.testing.assert_array_equal(found, n)
        if n.dtype.kind == "f":
            np.testing.assert_array_equal(
                np.signbit(found) | np.isnan(n), np.signbit(n) | np.isnan(n))  # fmt: skip


# --------------------------------------------------------------------------------- operations

UNARY = {
    "abs": np.abs, "negative": np.negative, "positive": np.positive, "square": np.square,
    "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": np.round, "sign": np.sign,
    "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite, "logical_not": np.logical_not,
    "bitwise_invert": np.bitwise_invert, "conj": np.conj, "signbit": np.signbit,
    "reciprocal": np.reciprocal,
}  # fmt: skip
ROUNDED = {
    "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "sin": np.sin, "cos": np.cos, "tanh": np.tanh,
    "atan": np.arctan, "log1p": np.log1p, "expm1": np.expm1, "log2": np.log2, "log10": np.log10,
}  # fmt: skip
OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "&": operator.and_,
    "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip
IN_PLACE = {
    "+=": operator.iadd, "-=": operator.isub, "*=": operator.imul, "/=": operator.itruediv,
    "//=": operator.ifloordiv, "%=": operator.imod, "&=": operator.iand, "|=": operator.ior,
    "^=": operator.ixor, "**=": operator.ipow,
}  # fmt: skip
REDUCTIONS = {
    "sum": (np.sum, 0), "prod": (np.prod, 0), "min": (np.min, 0), "max": (np.max, 0),
    "any": (np.any, 0), "all": (np.all, 0), "argmin": (np.argmin, 0), "argmax": (np.argmax, 0),
    "count_nonzero": (np.count_nonzero, 0), "mean": (np.mean, 1e-2), "median": (np.median, 1e-2),
}  # fmt: skip
BY_FUNCTION = {
    "maximum": np.maximum, "minimum": np.minimum, "logical_and": np.logical_and,
    "logical_or": np.logical_or, "logical_xor": np.logical_xor, "copysign": np.copysign,
    "hypot": np.hypot, "nextafter": np.nextafter,
}  # fmt: skip


def draw_operand(program, shape=None):
    """An array of the program, which broadcasts with `shape` more often than not, or a scalar."""
    random = program.random
    if random.random() < 0.4:
        scalar = random.choice(SCALARS)
        return scalar, scalar, repr(scalar)
    x, n = program.pick()
    return x, n, f"<{n.dtype} {n.shape}>"


def leave_out_what_is_open(name, left, right):
    """DepartureErrors of the operators: what the standard leaves open, or defines unlike NumPy."""
    kinds = {np.asarray(left).dtype.kind, np.asarray(right).dtype.kind}
    if name.startswith("**") and kinds != {"f"}:
        raise DepartureError  # ints to negative powers; special values of complex numbers
    if name.startswith("**") and np.any(np.asarray(right) == 0.5):
        raise DepartureError  # NumPy takes the root for an exponent that it repeats
    if name.startswith(("<<", ">>")) and kinds <= set("iu"):
        if np.any(np.asarray(right) < 0) or np.any(np.asarray(right) > 7):
            raise DepartureError  # more than there are bits
    if name.startswith("//") and "f" in kinds:
        if not np.all(np.isfinite(left)) or not np.all(np.isfinite(right)):
            raise DepartureError  # at infinities the quotient is rounded, which NumPy makes NaN


def unary(program):
    name, function = program.random.choice(list(UNARY.items()))
    x, n = program.pick()
    if name in ("floor", "ceil", "trunc", "round") and n.dtype.kind == "b":
        raise DepartureError
    if (name, n.dtype.kind) == ("sign", "c") or (name == "reciprocal" and n.dtype.kind != "f"):
        raise DepartureError
    if name == "negative" and n.dtype.kind == "b":
        raise DepartureError
    program.both(
        f"{name}(<{n.dtype} {n.shape}>)", lambda: getattr(xp, name)(x), lambda: function(n)
    )


def rounded(program):
    name, function = program.random.choice(list(ROUNDED.items()))
    x, n = program.pick()
    if n.dtype.kind == "c" or n.dtype == np.float16:
        raise DepartureError  # special values; precision
    program.both(
        f"{name}(<{n.dtype} {n.shape}>)", lambda: getattr(xp, name)(x), lambda: function(n), 1e-6
    )


def binary(program):
    name, function = program.random.choice(list(OPERATORS.items()))
    x1, n1, text1 = draw_operand(program)
    x2, n2, text2 = draw_operand(program)
    if not isinstance(x1, xp.Array) and not isinstance(x2, xp.Array):
        raise DepartureError
    leave_out_what_is_open(name, n1, n2)
    program.both(f"{text1} {name} {text2}", lambda: function(x1, x2), lambda: function(n1, n2))


def by_function(program):
    name, function = program.random.choice(list(BY_FUNCTION.items()))
    x1, n1 = program.pick()
    x2, n2 = program.pick()
    program.both(
        f"{name}(<{n1.dtype} {n1.shape}>, <{n2.dtype} {n2.shape}>)",
        lambda: getattr(xp, name)(x1, x2), lambda: function(n1, n2),
        1e-6 if name == "hypot" else 0)  # fmt: skip


def in_place(program):
    name, function = program.random.choice(list(IN_PLACE.items()))
    x1, n1 = program.pick()
    x2, n2, text = draw_operand(program)
    leave_out_what_is_open(name, n1, n2)
    if np.asarray(n2).dtype.kind == "c" and n1.dtype.kind != "c":
        raise DepartureError

    def change(left, right):
        function(left, right)

    program.both(
        f"<{n1.dtype} {n1.shape}> {name} {text}", lambda: change(x1, x2), lambda: change(n1, n2)
    )


def reduction(program):
    random = program.random
    name, (function, close) = random.choice(list(REDUCTIONS.items()))
    x, n = program.pick()
    axis = random.choice((None, None, 0, -1, 1, 5))
    keepdims = random.random() < 0.3
    if name in ("argmin", "argmax", "min", "max", "median", "mean") and n.dtype.kind in "bc":
        raise DepartureError
    if name in ("mean", "median") and (not n.size or n.dtype.kind == "f"):
        raise DepartureError  # infinities and NaN in other orders
    program.both(
        f"{name}(<{n.dtype} {n.shape}>, axis={axis}, keepdims={keepdims})",
        lambda: getattr(xp, name)(x, axis=axis, keepdims=keepdims),
        lambda: function(n, axis=axis, keepdims=keepdims), close)  # fmt: skip


def draw_index(random, length, basic):
    def number():
        return random.randrange(-length, length) if length and random.random() < 0.95 else 7

    pick = random.randrange(5 if basic else 9)
    if pick == 0:
        return number()
    if pick <= 3:
        ends = (None, 0, 1, 2, -1, -2, 5, -9)
        return slice(random.choice(ends), random.choice(ends), random.choice((None, 1, 2, -1, -2)))
    if pick == 4:
        return random.choice((None, Ellipsis, slice(None)))
    if pick == 5:
        return [number() for _ in range(random.randrange(4))]
    if pick == 6:
        return np.array([number() for _ in range(random.randrange(1, 4))])
    if pick == 7:
        return np.array([random.random() < 0.5 for _ in range(length)], dtype=bool)
    return random.choice((True, False, np.array(number())))


def draw_key(random, n, basic):
    if n.ndim == 0:
        return random.choice(((), Ellipsis, None, (None, Ellipsis), 0))
    if random.random() < 0.3:
        return draw_index(random, n.shape[0], basic)
    if not basic and random.random() < 0.1:
        return np.array(draw_values(random, n.shape, "bool"))
    count = random.randrange(n.ndim + 1 + (random.random() < 0.05))
    return tuple(draw_index(random, n.shape[i] if i < n.ndim else 1, basic) for i in range(count))


def key_of_xpdl(key):
    """The same key with Arrays for arrays of NumPy."""
    if isinstance(key, tuple):
        return tuple(key_of_xpdl(index) for index in key)
    return xp.asarray(key) if isinstance(key, np.ndarray) else key


def key_of_numpy(key):
    """The same key with ints for 0-d arrays of integers, for which NumPy makes a copy."""
    if isinstance(key, tuple):
        return tuple(key_of_numpy(index) for index in key)
    return int(key) if isinstance(key, np.ndarray) and key.ndim == 0 else key


def value_of(n, key):
    """What NumPy gives for a key, an array always, a view where it is one."""
    found = n[key_of_numpy(key)]
    return found if isinstance(found, np.ndarray) else np.array(found)


def get_item(program):
    x, n = program.pick()
    key = draw_key(program.random, n, program.random.random() < 0.5)
    program.both(
        f"<{n.dtype} {n.shape}>[{key!r}]", lambda: x[key_of_xpdl(key)], lambda: value_of(n, key)
    )


def set_item(program):
    random = program.random
    x1, n1 = program.pick()
    key = draw_key(random, n1, random.random() < 0.5)
    x2, n2, text = draw_operand(program)
    if np.asarray(n2).dtype.kind == "c" and n1.dtype.kind != "c":
        raise DepartureError
    if np.asarray(n2).dtype.kind == "f" and n1.dtype.kind in "iu":
        raise DepartureError  # what C makes of a float that does not fit
    if isinstance(n2, np.ndarray) and np.shares_memory(n1, n2):
        n2, x2 = n2.copy(), x2.copy()

    def assign(left, index, value):
        left[index] = value

    region = key_of_numpy(key)
    if all(type(index) is int for index in (region if isinstance(region, tuple) else (region,))):
        region = (*(region if isinstance(region, tuple) else (region,)), Ellipsis)
    program.both(
        f"<{n1.dtype} {n1.shape}>[{key!r}] = {text}", lambda: assign(x1, key_of_xpdl(key), x2),
        lambda: assign(n1, region, n2))  # fmt: skip


def draw_axis(random, n):
    return random.choice((0, -1, 1, n.ndim, -n.ndim))


def manipulate(program):
    random = program.random
    x, n = program.pick()
    x2, n2 = program.pick()
    axis = draw_axis(random, n)
    axes = list(range(n.ndim))
    random.shuffle(axes)
    size = n.size
    shapes = [(size,), (-1,), (1, size), (size, 1, 1), (2, -1), (-1, 3), (size + 1,), (0, -1)]
    shape = random.choice(shapes)
    shift = random.randrange(-4, 5)
    wider = (random.choice((1, 2)), *n.shape)
    times = random.randrange(4)
    calls = {
        "reshape": (shape, lambda: xp.reshape(x, shape), lambda: np.reshape(n, shape)),
        "reshape copy": (
            shape,
            lambda: xp.reshape(x, shape, copy=True),
            lambda: np.reshape(n, shape, copy=True),
        ),
        "permute_dims": (axes, lambda: xp.permute_dims(x, axes), lambda: np.transpose(n, axes)),
        "transpose": ((), lambda: x.transpose(), lambda: n.transpose()),
        "expand_dims": (
            axis,
            lambda: xp.expand_dims(x, axis=axis),
            lambda: np.expand_dims(n, axis),
        ),
        "squeeze": (axis, lambda: xp.squeeze(x, axis=axis), lambda: np.squeeze(n, axis)),
        "flip": (axis, lambda: xp.flip(x, axis=axis), lambda: np.flip(n, axis)),
        "roll": (
            (shift, axis),
            lambda: xp.roll(x, shift, axis=axis),
            lambda: np.roll(n, shift, axis),
        ),
        "moveaxis": (axis, lambda: xp.moveaxis(x, axis, 0), lambda: np.moveaxis(n, axis, 0)),
        "broadcast_to": (
            wider,
            lambda: xp.broadcast_to(x, wider),
            lambda: np.broadcast_to(n, wider),
        ),
        "concat": (
            axis,
            lambda: xp.concat([x, x2], axis=axis),
            lambda: np.concatenate([n, n2], axis),
        ),
        "concat flat": (
            "",
            lambda: xp.concat([x, x2], axis=None),
            lambda: np.concatenate([n, n2], None),
        ),
        "stack": (axis, lambda: xp.stack([x, x2], axis=axis), lambda: np.stack([n, n2], axis)),
        "repeat": (
            (times, axis),
            lambda: xp.repeat(x, times, axis=axis),
            lambda: np.repeat(n, times, axis),
        ),
        "tile": (times, lambda: xp.tile(x, (times, 2)), lambda: np.tile(n, (times, 2))),
        "where": ("", lambda: xp.where(x != 0, x, x2), lambda: np.where(n != 0, n, n2)),
        "copy": ("", lambda: x.copy(), lambda: n.copy()),
        "asarray": ("", lambda: xp.asarray(x), lambda: n),
        "from_dlpack": ("", lambda: xp.from_dlpack(x), lambda: n.view()),
        "tril": (shift, lambda: xp.tril(x, k=shift), lambda: np.tril(n, shift)),
        "triu": (shift, lambda: xp.triu(x, k=shift), lambda: np.triu(n, shift)),
        "unstack": (axis, lambda: xp.unstack(x, axis=axis), lambda: unstacked(n, axis)),
    }
    name, (given, of_xpdl, of_numpy) = random.choice(list(calls.items()))
    if name in ("tril", "triu") and n.ndim < 2:
        raise DepartureError
    program.both(
        f"{name}(<{n.dtype} {n.shape}>, <{n2.dtype} {n2.shape}>; {given})", of_xpdl, of_numpy
    )


def unstacked(n, axis):
    if not -n.ndim <= axis < n.ndim:
        raise IndexError("axis")
    return [np.moveaxis(n, axis, 0)[i, ...] for i in range(n.shape[axis])]


def sorted_or_cast(program):
    random = program.random
    x, n = program.pick()
    axis = draw_axis(random, n)
    dtype = random.choice(DTYPES)
    if n.dtype.kind in "fc" and np.dtype(dtype).kind not in "fc":
        dtype = "complex128"
    calls = {
        "sort": (lambda: xp.sort(x, axis=axis), lambda: np.sort(n, axis, stable=True)),
        "argsort": (lambda: xp.argsort(x, axis=axis), lambda: np.argsort(n, axis, kind="stable")),
        "astype": (lambda: xp.astype(x, dtype), lambda: n.astype(dtype)),
        "asarray": (lambda: xp.asarray(x, dtype=dtype), lambda: np.asarray(n, dtype=dtype)),
        "cumulative_sum": (
            lambda: xp.cumulative_sum(x, axis=axis),
            lambda: np.add.accumulate(n, axis),
        ),
        "nonzero": (lambda: xp.nonzero(x), lambda: np.nonzero(n)),
        "unique_values": (lambda: xp.unique_values(x), lambda: np.unique(n, equal_nan=False)),
        "tolist": (lambda: xp.asarray(x.tolist(), dtype=x.dtype), lambda: np.array(n)),
        "matmul": (lambda: xp.matmul(x, x.mT if x.ndim > 1 else x), lambda: square(n)),
    }
    name, (of_xpdl, of_numpy) = random.choice(list(calls.items()))
    if n.dtype.kind == "c" and name in ("sort", "argsort", "astype", "asarray"):
        raise DepartureError
    if (name, n.dtype.kind) == ("cumulative_sum", "b") or (name, n.ndim) == ("nonzero", 0):
        raise DepartureError
    if n.ndim == 0 and name == "argsort":
        raise DepartureError  # it has no axis
    if name == "tolist" and 0 in n.shape:
        raise DepartureError
    close = 1e-3 if name == "matmul" else 0
    if close and n.dtype.kind in "fc":
        raise DepartureError
    program.both(f"{name}(<{n.dtype} {n.shape}>; {axis}, {dtype})", of_xpdl, of_numpy, close)


def square(n):
    return np.matmul(n, np.matrix_transpose(n) if n.ndim > 1 else n)


def create_another(program):
    program.create()


OPERATIONS = [
    (function.__name__, function)
    for function in (
        unary, rounded, binary, binary, by_function, in_place, in_place, reduction, get_item,
        get_item, get_item, set_item, set_item, set_item, manipulate, manipulate, sorted_or_cast,
        create_another,
    )
]  # fmt: skip
