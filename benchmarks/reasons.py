"""Why a call may take more than 1.25 times NumPy's at four elements; by the label of the pair."""

__all__ = ["REASONS"]

ONE_CALL = "NumPy's is one call in C; here the function passes keywords and checks its arguments"
NO_WORK = "neither has work to do; passing keywords takes longer than passing none"
SHAPE = "shape, dtype and device are checked one by one before NumPy makes the array"
PRODUCT = "NumPy's is one ufunc; here the axis is a keyword, as the standard has it"
WAY = "the call of a function and of NumPy's in it, beside one of NumPy's quickest loops"
ARRAYS = "the arrays are checked one by one: each an Array, all on one device"
RESULTS = "each of the results becomes an Array, and all of them a named tuple"

REASONS: dict[str, str] = {
    "acos(x)": WAY,
    "arange(length)": f"{SHAPE}; the dtype depends on the kind of all three numbers",
    "asarray(x)": NO_WORK,
    "astype(x, float32)": "NumPy's is a method in C; here dtype, copy and device are looked at",
    "atan(x)": WAY,
    "bitwise_left_shift(i, j)": WAY,
    "bitwise_or(i, j)": WAY,
    "bitwise_right_shift(i, j)": WAY,
    "bitwise_xor(i, j)": WAY,
    "broadcast_arrays(x, y)": "the results are read-only, where NumPy's warn when written to",
    "can_cast(float32, float64)": "both dtypes are checked; NumPy's is one call in C",
    "concat((v, w))": ARRAYS,
    "conj(z)": WAY,
    "copysign(x, b)": WAY,
    "cosh(x)": WAY,
    "count_nonzero(b)": "NumPy returns an int of Python, xpdl a 0-d Array",
    "diag(u)": "always a copy, also of a matrix, where NumPy's is a read-only view",
    "diff(v)": "what is put in front and behind is looked at first",
    "divide(x, y)": WAY,
    "einsum('ij,jk->ik', s, t)": ARRAYS,
    "empty(shape)": SHAPE,
    "empty_like(x)": SHAPE,
    "exp(x)": WAY,
    "expm1(x)": WAY,
    "fft.rfftfreq(length)": "dtype and device can be given; NumPy's is always float64",
    "finfo(float64)": "NumPy keeps one object for each dtype; the standard's record is made anew",
    "flip(v)": "the axes are checked: each in range, none twice",
    "floor(b)": WAY,
    "floor_divide(x, y)": "the standard has other values at infinities, which are looked for",
    "greater(x, y)": WAY,
    "greater_equal(x, y)": WAY,
    "imag(z)": "NumPy's is an attribute; the result is a view, made into an Array",
    "less(x, y)": WAY,
    "linalg.eig(s)": f"{RESULTS}; they are made complex, as the standard has them",
    "linalg.slogdet(s)": RESULTS,
    "linalg.vecdot(v, w)": PRODUCT,
    "log10(x)": WAY,
    "log1p(x)": WAY,
    "logical_and(p, q)": WAY,
    "logical_not(p)": WAY,
    "logical_or(p, q)": WAY,
    "logical_xor(p, q)": WAY,
    "maximum(x, y)": WAY,
    "minimum(x, y)": WAY,
    "nextafter(x, y)": WAY,
    "nonzero(v)": RESULTS.partition(",")[0],
    "ones(shape)": SHAPE,
    "permute_dims(m, (1, 0))": "the axes are checked: a tuple of ints, one for each dimension",
    "pow(x, y)": "the standard has another value for some bases at the exponent 0.5",
    "real(z)": "NumPy's is an attribute; the result is a view, made into an Array",
    "result_type(x, i)": "NumPy's is one call in C; here scalars are told from dtypes and Arrays",
    "round(b)": ONE_CALL,
    "sort(v)": "the result is a copy that is then sorted in place, for the order of zeros",
    "sqrt(x)": WAY,
    "stack((x, y))": ARRAYS,
    "transpose(m)": "the axes are looked at before NumPy's method makes the view",
    "vecdot(v, w)": PRODUCT,
    "where(p, x, y)": "a scalar takes the dtype of the other operand, so each is looked at",
    "zeros(shape)": SHAPE,
}
