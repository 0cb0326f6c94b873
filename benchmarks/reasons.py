"""Why a call may take more than 1.25 times NumPy's at four elements; by the label of the pair."""

__all__ = ["REASONS"]

ONE_CALL = "NumPy's is one call in C; here the function passes keywords and checks its arguments"
NO_WORK = "neither has work to do; passing keywords takes longer than passing none"
SHAPE = "shape, dtype and device are checked one by one before NumPy makes the array"
PRODUCT = "NumPy's is one ufunc; here the axis is a keyword, as the standard has it"
RESULTS = "each of the results becomes an Array, and all of them a named tuple"

REASONS: dict[str, str] = {
    "arange(length)": f"{SHAPE}; the dtype depends on the kind of all three numbers",
    "asarray(x)": NO_WORK,
    "astype(x, float32)": "NumPy's is a method in C; here dtype, copy and device are looked at",
    "broadcast_arrays(x, y)": "the results are read-only, where NumPy's warn when written to",
    "can_cast(float32, float64)": "both dtypes are checked; NumPy's is one call in C",
    "concat((v, w))": "the arrays are checked one by one: each an Array, all on one device",
    "copysign(x, b)": "the way to NumPy and back, beside one of its quickest loops",
    "count_nonzero(b)": "NumPy returns an int of Python, xpdl a 0-d Array",
    "diag(u)": "always a copy, also of a matrix, where NumPy's is a read-only view",
    "diff(v)": "what is put in front and behind is looked at first",
    "empty(shape)": SHAPE,
    "empty_like(x)": SHAPE,
    "fft.rfftfreq(length)": "dtype and device can be given; NumPy's is always float64",
    "finfo(float64)": "NumPy keeps one object for each dtype; the standard's record is made anew",
    "flip(v)": "the axes are checked: each in range, none twice",
    "floor_divide(x, y)": "the standard has other values at infinities, which are looked for",
    "imag(z)": "NumPy's is an attribute; the result is a view, made into an Array",
    "linalg.eig(s)": f"{RESULTS}; they are made complex, as the standard has them",
    "linalg.slogdet(s)": RESULTS,
    "linalg.vecdot(v, w)": PRODUCT,
    "nonzero(v)": RESULTS.partition(",")[0],
    "ones(shape)": SHAPE,
    "permute_dims(m, (1, 0))": "the axes are checked: a tuple of ints, one for each dimension",
    "pow(x, y)": "the standard has another value for some bases at the exponent 0.5",
    "real(z)": "NumPy's is an attribute; the result is a view, made into an Array",
    "result_type(x, i)": "NumPy's is one call in C; here scalars are told from dtypes and Arrays",
    "round(b)": ONE_CALL,
    "sort(v)": "the result is a copy that is then sorted in place, for the order of zeros",
    "stack((x, y))": "the arrays are checked one by one: each an Array, all on one device",
    "vecdot(v, w)": PRODUCT,
    "where(p, x, y)": "a scalar takes the dtype of the other operand, so each is looked at",
    "zeros(shape)": SHAPE,
}
