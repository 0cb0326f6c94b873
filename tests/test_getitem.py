"""Indexing and assignment: the keys of NumPy, what is a view, what is refused."""

import enum

import numpy as np
import pytest
from samples import COMPLEX, DTYPES, INTEGERS, REALS, check, laid_out

import xpdl as xp

A = np.arange(24).reshape(2, 3, 4)
INF = float("inf")


class Two(enum.IntEnum):
    ONE = 1


class Index:
    """An integer by __index__ only."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

    def __repr__(self):
        return f"Index({self.value})"


def label(x):
    """A parameter in a test's name, without an address."""
    return repr(x).partition(" at 0x")[0]


def array(*args):
    return xp.asarray(np.array(*args))


# Keys that make a view, whose arrays and masks are xpdl's: NumPy gets the same key by `numpys`.
VIEWS = [
    0,
    -1,
    (1,),
    (1, 2),
    (1, -1, 0),
    (np.int64(1),),
    np.uint8(1),
    Two.ONE,
    Index(1),
    (Index(0), np.int8(2)),
    array(1),
    array(-1, "int8"),
    (array(1, "uint64"), 2),
    (array(1), slice(1, None)),
    (0, array(2), Index(3)),
    slice(None),
    slice(1, None),
    slice(None, None, -1),
    slice(5, 9),
    slice(-100, 100),
    slice(2**70),
    slice(array(1), None, array(1)),
    (slice(None), 1),
    (slice(None), slice(2, 0, -1), slice(None, None, 2)),
    ...,
    (),
    (..., 0),
    (0, ...),
    (0, ..., 1),
    (0, 1, 2, ...),
    (..., 0, 1, 2),
    None,
    (None, 0),
    (0, None, 1, None, 2),
    (None, ..., None),
    (slice(1), None, 2, ..., slice(None, None, 3)),
]

# Keys that make a copy.
COPIES = [
    [0],
    [0, 1, 1],
    [[0, 1], [1, 0]],
    [],
    (0, []),
    ([],),
    array([1, 0]),
    array([-1, 0], "int8"),
    array([1], "uint64"),
    array([[0], [1]]),
    ([0, 1], [1, 2]),
    ([0, 1], [1, 2], [3, 3]),
    (array([0, 1]), [1, 2]),
    ([[0], [1]], [0, 2]),
    ([0, 1], 1),
    (slice(None), [0, 2]),
    (slice(None), [0, 2], slice(1, 3)),
    ([0, 1], slice(None), [0, 3]),
    (0, slice(None), [0, 3]),
    ([0], None, [1]),
    (..., [0, 1]),
    (None, [1], ..., 2),
    (slice(None, None, -1), array([2, 0])),
    [True, False],
    array([False, True]),
    (slice(None), [True, False, True]),
    (slice(None), slice(None), array([True, False, False, True])),
    ([0, 1], [True, False, True], 1),
    (array([True, True]), array([0, 1])),
    array(A % 5 == 0),
    array(A < 0),
    array(A[:, :, 0] > 3),
    (array(A[:, :, 0] > 3), slice(1, 3)),
    (0, array(A[0] % 2 == 1)),
    True,
    False,
    (True, 0),
    (0, False),
    array(True),
    array(False),
    (array(True), 1),
    np.True_,
    np.array([1, 0]),
    [array(0), array(1)],
    [np.int8(1), 0],
]


def numpys(key):
    """The same key with NumPy's arrays."""
    if isinstance(key, tuple):
        return tuple(map(numpys, key))
    if isinstance(key, list):
        return list(map(numpys, key))
    if isinstance(key, slice):
        return slice(numpys(key.start), numpys(key.stop), numpys(key.step))
    return np.asarray(key) if isinstance(key, xp.Array) else key


def fresh():
    a = A.copy()
    return a, xp.asarray(a)


def is_element(key):
    """Whether a key of `A` names one element, which is a value and no view."""
    return isinstance(key, tuple) and len(key) == A.ndim and np.isscalar(A[numpys(key)])


# ------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize("key", VIEWS + COPIES, ids=label)
def test_getitem_is_that_of_numpy(key):
    _, x = fresh()
    check(x[key], A[numpys(key)])


@pytest.mark.parametrize("key", VIEWS, ids=label)
def test_getitem_by_integers_and_slices_is_a_view(key):
    a, x = fresh()
    y = x[key]
    if is_element(key):
        assert not np.shares_memory(np.asarray(y), a)
        return
    assert y.size == 0 or np.shares_memory(np.asarray(y), a)
    y[...] = -7
    expected = A.copy()
    expected[numpys(key)] = -7
    assert x.tolist() == expected.tolist()


@pytest.mark.parametrize("key", COPIES, ids=label)
def test_getitem_by_arrays_and_masks_is_a_copy(key):
    a, x = fresh()
    y = x[key]
    assert not np.shares_memory(np.asarray(y), a)
    y[...] = -7
    assert x.tolist() == A.tolist()


@pytest.mark.parametrize("key", VIEWS, ids=label)
def test_view_of_readonly_is_readonly(key):
    x = xp.asarray(laid_out("int64", "read-only"))
    if is_element(key):
        assert not x[key].readonly
        return
    assert x[key].readonly
    with pytest.raises(ValueError, match=r"__setitem__: x must be writable"):
        x[key][...] = 1


@pytest.mark.parametrize("key", [[0], [True, False], array(A % 2 == 0)], ids=label)
def test_copy_of_readonly_is_writable(key):
    x = xp.asarray(laid_out("int64", "read-only"))
    assert not x[key].readonly


@pytest.mark.parametrize("dtype", DTYPES)
def test_getitem_of_each_dtype_is_that_of_numpy(dtype):
    a = laid_out(dtype, "transposed")
    x = xp.asarray(a)
    for key in (0, (1, 1, 0), slice(None, None, -1), [0, 2], (..., 1), array(a == a[0, 0, 0])):
        check(x[key], a[numpys(key)])


@pytest.mark.parametrize("key", [(), ..., None, (None, ...), True, False, (..., None)], ids=label)
def test_getitem_of_0d_is_that_of_numpy(key):
    a = np.asarray(5)
    x = xp.asarray(a)
    check(x[key], np.asarray(a[key]))
    shared = key != () and not isinstance(key, bool)
    assert np.shares_memory(np.asarray(x[key]), a) is shared


def test_swap_of_elements_swaps_them():
    x = xp.asarray([1, 2, 3])
    x[0], x[2] = x[2], x[0]
    assert x.tolist() == [3, 2, 1]
    m = xp.asarray([[1, 2], [3, 4]])
    m[0, 0], m[1, 1] = m[1, 1], m[0, 0]
    assert m.tolist() == [[4, 2], [3, 1]]


def test_sorting_program_for_numpy_sorts():
    x = xp.asarray([3.0, 1.0, 2.0])
    for i in range(3):
        for j in range(2 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
    assert x.tolist() == [1, 2, 3]


def test_getitem_of_an_empty_array_is_empty():
    x = xp.ones((0, 3))
    check(x[:, 1], np.ones(0))
    check(x[1:], np.ones((0, 3)))
    check(x[[]], np.ones((0, 3)))
    check(x[x > 0], np.ones(0))


def test_getitem_of_a_broadcast_view_reads_one_element():
    x = xp.broadcast_to(xp.asarray(3), (1000, 1000))
    check(x[999, -1], np.asarray(3))


def test_key_of_torch_is_an_array():
    torch = pytest.importorskip("torch", reason="needs torch")
    a, x = fresh()
    for key in ([1, 0], 1, [True, False], [[0], [1]]):
        check(x[torch.tensor(key)], a[np.array(key)])


WRONG = [
    (3, IndexError, "index 3 is out of bounds for axis 0 with size 2"),
    (-3, IndexError, "index -3 is out of bounds for axis 0 with size 2"),
    ((0, 3), IndexError, "index 3 is out of bounds for axis 1 with size 3"),
    ((0, 0, 0, 0), IndexError, "too many indices for array"),
    (2**63, IndexError, "index 9223372036854775808 is out of bounds"),
    (-(2**63), IndexError, "index -9223372036854775808 is out of bounds"),
    (2**64, IndexError, "index 18446744073709551616 is out of bounds"),
    ((0, 2**70), IndexError, ""),
    (1.0, IndexError, "only integers, slices"),
    (1j, IndexError, "only integers, slices"),
    ("a", IndexError, "only integers, slices"),
    (object(), IndexError, "only integers, slices"),
    (int, IndexError, "only integers, slices"),
    ([0.5], IndexError, ""),
    (array([1.0]), IndexError, "arrays used as indices must be of integer"),
    (array(1.0), IndexError, ""),
    (array([], "float64"), IndexError, "arrays used as indices must be of integer"),
    ([0, 2], IndexError, "index 2 is out of bounds for axis 0 with size 2"),
    (array([[0, -3]]), IndexError, "index -3 is out of bounds for axis 0 with size 2"),
    ((..., ...), IndexError, "single ellipsis"),
    (([0, 1], [0, 1, 2]), IndexError, "shape mismatch"),
    ([True], IndexError, "boolean index did not match"),
    ([True, False, True], IndexError, "boolean index did not match"),
    (array([[True, False]]), IndexError, "boolean index did not match"),
    ((0, array([True, False])), IndexError, "boolean index did not match"),
    (array(np.ones((2, 3, 4, 1), bool)), IndexError, "too many indices for array"),
    (slice(None, None, 0), ValueError, "slice step cannot be zero"),
    (slice(1.0), TypeError, "slice indices must be integers"),
    (slice("a"), TypeError, "slice indices must be integers"),
]


@pytest.mark.parametrize(("key", "error", "text"), WRONG, ids=label)
def test_key_that_is_wrong_raises(key, error, text):
    _, x = fresh()
    with pytest.raises(error, match=rf"^__getitem__: .*{text}"):
        x[key]
    with pytest.raises(error, match=rf"^__setitem__: .*{text}"):
        x[key] = 0
    assert x.tolist() == A.tolist()


@pytest.mark.parametrize("key", [0, -1, [0], (..., 0), slice(None), array([True])], ids=label)
def test_key_of_0d_that_is_wrong_raises(key):
    x = xp.asarray(5)
    with pytest.raises(IndexError, match=r"^__getitem__: "):
        x[key]
    with pytest.raises(IndexError, match=r"^__setitem__: "):
        x[key] = 1


def test_element_deleted_raises():
    x = xp.asarray([1, 2])
    with pytest.raises(TypeError, match=r"__delitem__: elements of an array cannot be deleted"):
        del x[0]


# -------------------------------------------------------------------------------------- writing


@pytest.mark.parametrize("key", VIEWS + COPIES, ids=label)
def test_setitem_of_a_scalar_is_that_of_numpy(key):
    for value in (-1, np.int8(-1), array(-1)):
        a, x = fresh()
        expected = A.copy()
        x[key] = value
        expected[numpys(key)] = -1
        assert x.tolist() == expected.tolist()
        assert a.tolist() == expected.tolist()


@pytest.mark.parametrize("key", VIEWS + COPIES, ids=label)
def test_setitem_of_an_array_is_that_of_numpy(key):
    _, x = fresh()
    expected = A.copy()
    value = -np.arange(A[numpys(key)].size).reshape(A[numpys(key)].shape)
    expected[numpys(key)] = value
    x[key] = xp.asarray(value)
    assert x.tolist() == expected.tolist()
    if value.size:
        x[key] = 0
        x[key] = value.tolist()
        assert x.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (slice(None), [1, 2, 3]),
        (slice(None), (1, 2, 3)),
        (1, 9),
        (1, [9]),
        (1, [[9]]),
        (1, (9,)),
        (slice(1), [9]),
        ([0, 2], [8, 9]),
        ([0, 2], (8, 9)),
        (..., [[7]]),
        (array([True, False, True]), [8, 9]),
    ],
    ids=label,
)
def test_setitem_of_a_sequence_is_that_of_the_array(key, value):
    x, y = xp.zeros(3, dtype=xp.int8), np.zeros(3, "int8")
    x[key] = value
    y[key if key is ... else (numpys(key), ...)] = np.array(value)
    check(x, y)
    x[...] = 0
    x[key] = xp.asarray(value)
    check(x, y)


def test_setitem_of_nested_arrays_stacks_them():
    x = xp.zeros((2, 2))
    x[...] = [xp.asarray([1, 2]), [xp.asarray(3), 4.5]]
    check(x, np.array([[1, 2], [3, 4.5]]))


def test_setitem_between_overlapping_views_reads_first():
    x = xp.asarray([1, 2, 3, 4])
    x[1:] = x[:-1]
    assert x.tolist() == [1, 1, 2, 3]
    x[...] = x[::-1]
    assert x.tolist() == [3, 2, 1, 1]


@pytest.mark.parametrize("dtype", [*INTEGERS, *REALS, *COMPLEX, "bool"])
@pytest.mark.parametrize(
    "number", [True, 2, 3.7, np.float32(3.7), np.int64(2), np.True_], ids=label
)
def test_setitem_casts_as_numpy(dtype, number):
    for value in (number, xp.asarray(number), [number], xp.asarray([number])):
        x, y = xp.zeros(2, dtype=dtype), np.zeros(2, dtype)
        x[1:] = value
        y[1:] = np.asarray(number)
        check(x, y)
        assert x.dtype == dtype


def test_setitem_of_a_float_into_integers_truncates():
    x = xp.asarray([1, 2])
    x[0] = 3.7
    x[1] = xp.asarray(-3.7)
    assert x.tolist() == [3, -3]
    assert x.dtype == xp.int64


@pytest.mark.parametrize("dtype", [*INTEGERS, *REALS])
@pytest.mark.parametrize(
    "value", [1j, 1 + 0j, np.complex64(1j), array(1j), array([1j]), [1j], [[1, 1j]]], ids=label
)
def test_setitem_of_complex_into_real_raises(dtype, value):
    x = xp.ones(2, dtype=dtype)
    with pytest.raises(TypeError, match=rf"__setitem__: value must be real for x of dtype {dtype}"):
        x[:1] = value
    assert x.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("dtype", "number"),
    [("int8", 128), ("int8", -129), ("uint8", -1), ("uint64", -1), ("int64", 2**63)],
)
@pytest.mark.parametrize("key", [0, slice(None), [0], [True, False], ...], ids=label)
def test_setitem_of_an_integer_out_of_range_raises(dtype, number, key):
    x = xp.ones(2, dtype=dtype)
    with pytest.raises(OverflowError, match=r"^__setitem__: "):
        x[key] = number
    assert x.tolist() == [1, 1]


@pytest.mark.parametrize(("number", "error"), [("nan", ValueError), ("inf", OverflowError)])
def test_setitem_of_what_is_no_integer_raises(number, error):
    x = xp.asarray([1, 2])
    with pytest.raises(error, match=r"^__setitem__: cannot convert float"):
        x[0] = float(number)
    assert x.tolist() == [1, 2]


@pytest.mark.parametrize(
    "value", [np.ones(2), np.array(1), None, "a", object(), {1}, b"a", np.str_("a")], ids=label
)
@pytest.mark.parametrize("key", [0, slice(None), [0]], ids=label)
def test_setitem_of_a_foreign_value_raises(key, value):
    x = xp.asarray([1, 2])
    with pytest.raises(
        TypeError, match=r"^__setitem__: value must be an xpdl Array .*xpdl.asarray"
    ):
        x[key] = value
    assert x.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (slice(0, 2), array([1, 2, 3])),
        (slice(0, 2), [1, 2, 3]),
        (0, array([1, 2])),
        (0, [1, 2]),
        ([0, 1], [1, 2, 3]),
        (array([True, False, True]), [1, 2, 3]),
        (..., [[1], [2]]),
        (..., [1, [2]]),
    ],
    ids=label,
)
def test_setitem_of_a_shape_that_does_not_fit_raises(key, value):
    x = xp.asarray([7, 8, 9])
    with pytest.raises(ValueError, match=r"^__setitem__: "):
        x[key] = value
    assert x.tolist() == [7, 8, 9]


@pytest.mark.parametrize(
    ("key", "row"),
    [(0, 0), (-1, 1), (np.uint8(1), 1), ((1,), 1), (array(1), 1), (Index(0), 0)],
    ids=label,
)
@pytest.mark.parametrize(
    "value",
    [3, 2.7, True, -INF, 2**70, array(5), array([5]), array([5, 6, 7]), array([[5, 6, 7]]),
     array([1.5, 2.5, 3.5]), array([5, 6]), array([[1, 2, 3]] * 2), [8, 9, 10], [8, 9]],
    ids=label,
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["int64", "float32", "bool"])
def test_setitem_of_a_row_is_that_of_numpy_to_the_whole_of_it(key, row, value, dtype):
    expected = np.arange(6).reshape(2, 3).astype(dtype)
    x = xp.asarray(expected, copy=True)
    errors = (TypeError, ValueError, OverflowError)
    try:
        expected[row, ...] = np.asarray(value) if type(value) is xp.Array else value
    except errors as error:
        with pytest.raises(type(error), match=r"^__setitem__: "):
            x[key] = value
    else:
        x[key] = value
    check(x, expected)


@pytest.mark.parametrize("key", [0, (), ..., [0], [], slice(0, 0), [True, False]], ids=label)
def test_setitem_on_readonly_raises(key):
    x = xp.asarray(laid_out("int64", "read-only"))
    before = x.tolist()
    with pytest.raises(ValueError, match=r"__setitem__: x must be writable, got a read-only array"):
        x[key] = 1
    assert x.tolist() == before


def test_setitem_on_a_broadcast_view_raises():
    x = xp.broadcast_to(xp.asarray([1]), (3,))
    with pytest.raises(ValueError, match=r"__setitem__: x must be writable"):
        x[0] = 1
