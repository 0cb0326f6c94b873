# Questions about the values of an ndarray that are asked before every call of a function.

ctypedef fused Real:
    float
    double


cpdef bint has_infinity(object x):
    """Whether an ndarray or a Python scalar of a real floating kind holds an infinity."""
    cdef int number
    if type(x) is float:
        return isinf(<double>x)
    if not PyArray_Check(x):
        return False
    number = PyArray_TYPE(x)
    if number == cnp.NPY_FLOAT16 or (
            not PyArray_ISONESEGMENT(x) and number in (cnp.NPY_FLOAT, cnp.NPY_DOUBLE)):
        return 1 in np.isinf(x).tobytes()
    if number == cnp.NPY_DOUBLE:
        return has_infinite_item(<double*>PyArray_DATA(x), PyArray_SIZE(x))
    if number == cnp.NPY_FLOAT:
        return has_infinite_item(<float*>PyArray_DATA(x), PyArray_SIZE(x))
    return False


cdef bint has_infinite_item(const Real* items, cnp.npy_intp size) noexcept:
    cdef int64_t found = 0
    cdef cnp.npy_intp i
    for i in range(size):
        found |= (items[i] == INFINITY) | (items[i] == -INFINITY)
    return found != 0
