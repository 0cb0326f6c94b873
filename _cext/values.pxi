# Questions about the values of an ndarray that are asked before every call of a function.

ctypedef fused Bits:
    uint16_t
    uint32_t
    uint64_t


cpdef bint has_infinity(object x):
    """Whether an ndarray or a Python scalar of a real floating kind holds an infinity."""
    cdef int number
    cdef cnp.npy_intp size
    if type(x) is float:
        return isinf(<double>x)
    if not PyArray_Check(x):
        return False
    number = PyArray_TYPE(x)
    if number not in (cnp.NPY_FLOAT16, cnp.NPY_FLOAT, cnp.NPY_DOUBLE):
        return False
    if not PyArray_ISONESEGMENT(x):
        return 1 in np.isinf(x).tobytes()
    size = PyArray_SIZE(x)
    if number == cnp.NPY_DOUBLE:
        return has_pattern[uint64_t](<uint64_t*>PyArray_DATA(x), size, 0x7FF0000000000000)
    if number == cnp.NPY_FLOAT:
        return has_pattern[uint32_t](<uint32_t*>PyArray_DATA(x), size, 0x7F800000)
    return has_pattern[uint16_t](<uint16_t*>PyArray_DATA(x), size, 0x7C00)


cdef bint has_pattern(const Bits* items, cnp.npy_intp size, Bits pattern) noexcept:
    """Whether a pattern is among items without their sign bits.

    The loop has no branch, so that it is vectorised: less 1, zero alone has its highest bit set.
    """
    cdef Bits found = 0
    cdef Bits unsigned_bits = <Bits>-1 >> 1
    cdef cnp.npy_intp i
    for i in range(size):
        found |= <Bits>(((items[i] & unsigned_bits) ^ pattern) - 1)
    return found > unsigned_bits
