"""Group 17, values: where CuPy departs from NumPy, and where the host waits."""

import numpy as np
import pytest
from cupy_wheel import require_wheel
from gpu import LATE, ON_DOUBLE, cp, delay, new_stream, warm_up


def test_index_out_of_range_wraps_around():
    x = cp.arange(3)
    assert x[cp.asarray([3, -4])].get().tolist() == [0, 2]
    assert cp.take(x, cp.asarray([4])).get().tolist() == [1]
    with pytest.raises(IndexError):
        x[3]


def test_0d_results_are_arrays():
    x = cp.arange(3)
    for result in (x[1], x.sum(), cp.argmax(x), x[1, ...]):
        assert type(result) is cp.ndarray
        assert result.shape == ()


def test_names_that_cupy_lacks_are_lacking():
    for name in ("vecdot", "unstack"):
        assert not hasattr(cp, name)
    for name in ("svdvals", "matrix_norm", "vector_norm", "diagonal", "trace", "outer"):
        assert not hasattr(cp.linalg, name)


def test_keywords_that_cupy_lacks_are_refused():
    if ON_DOUBLE:
        require_wheel()
    x = cp.arange(3)
    for call in (
        lambda: cp.sort(x, stable=True),
        lambda: cp.std(x, correction=1),
        lambda: cp.clip(x, min=1),
        lambda: cp.arange(3, device=0),
        lambda: cp.count_nonzero(x, keepdims=True),
    ):
        with pytest.raises(TypeError):
            call()


def test_solve_does_not_broadcast():
    a = cp.asarray(np.broadcast_to(np.eye(2), (3, 2, 2)))
    with pytest.raises(ValueError):  # noqa: PT011
        cp.linalg.solve(a, cp.ones((2, 1)))
    assert cp.linalg.solve(cp.eye(2), cp.ones((2, 1))).get().tolist() == [[1], [1]]


def test_transform_with_the_shape_as_s_forgets_the_axes():
    x = cp.ones((2, 3))
    assert cp.fft.fftn(x, s=(2, 3), axes=(1, 0)).shape == (2, 3)
    assert cp.fft.fftn(x, s=[2, 3], axes=(1, 0)).shape == (3, 2)


def test_remainder_of_an_infinite_divisor_is_nan():
    assert np.isnan(cp.remainder(cp.asarray(3.0), cp.asarray(np.inf)).get())


def test_singular_matrix_raises_nothing():
    cp.linalg.inv(cp.zeros((2, 2)))
    cp.linalg.cholesky(-cp.eye(2))


def test_real_part_is_a_view():
    z = cp.asarray([1 + 2j])
    assert cp.real(z).data.ptr == z.data.ptr
    assert cp.imag(z).data.ptr == z.data.ptr + 8


# ---------------------------------------------------------------------------------------- waits

WAITS = {
    "bool": lambda x: bool(x[0]),
    "float": lambda x: float(x[0]),
    "get": lambda x: x.get(),
    "mask": lambda x: x[x > 0],
    "nonzero": cp.nonzero,
    "unique": lambda x: cp.unique_values(x),
}
NO_WAITS = {
    "add": lambda x: x + 1,
    "sum": lambda x: x.sum(),
    "where": lambda x: cp.where(x > 0, x, -x),
    "setitem": lambda x: x.__setitem__(slice(2), 1),
    "take": lambda x: x[cp.zeros(2, "int64")],
    "reshape": lambda x: x.reshape(2, -1),
}


@pytest.mark.parametrize("name", [*WAITS, *NO_WAITS])
def test_host_waits_only_where_values_are_needed(name):
    x = cp.arange(4.0)
    function = (WAITS | NO_WAITS)[name]
    warm_up(lambda: function(x))
    with new_stream() as a:
        delay()
        event = a.record()
        function(x)
        if LATE:
            assert event.done is (name in WAITS)
