# Questions about the values of an ndarray that are asked before every call of a function.

ctypedef fused Bits:
    uint16_t
    uint32_t
    uint64_t


cpdef bint has_infinity(object x):
    """Whether a Python float or a real floating ndarray holds an infinity."""
    return has_bits(x, 0x7FF0000000000000, 0x7F800000, 0x7C00)


cpdef bint has_half(object x):
    """Whether a Python float or a real floating ndarray holds 0.5 or -0.5."""
    return has_bits(x, 0x3FE0000000000000, 0x3F000000, 0x3800)


cpdef bint has_sign(object x):
    """Whether a Python float or a real floating ndarray holds a sign bit, also of -0 or NaN."""
    return has_bits(x, 0x8000000000000000, 0x80000000, 0x8000)


cpdef bint is_real_floating(object x) noexcept:
    """Whether ``x`` is an ndarray of float16, float32 or float64."""
    return PyArray_Check(x) and PyArray_TYPE(x) in (
        cnp.NPY_FLOAT16, cnp.NPY_FLOAT, cnp.NPY_DOUBLE)


cdef bint has_bits(object x, uint64_t of_double, uint32_t of_float, uint16_t of_half) except -1:
    """Whether the sign bit is set somewhere, or else the others are those of the given pattern."""
    cdef double scalar
    cdef uint64_t item
    cdef int number
    cdef cnp.npy_intp size
    if type(x) is float:
        scalar = x
        memcpy(&item, &scalar, sizeof(item))
        return is_among[uint64_t](&item, 1, of_double)
    if not is_real_floating(x):
        return False
    array = x if PyArray_ISONESEGMENT(x) else PyArray_NewCopy(x, cnp.NPY_KEEPORDER)
    number, size = PyArray_TYPE(array), PyArray_SIZE(array)
    if number == cnp.NPY_DOUBLE:
        return is_among[uint64_t](<uint64_t*>PyArray_DATA(array), size, of_double)
    if number == cnp.NPY_FLOAT:
        return is_among[uint32_t](<uint32_t*>PyArray_DATA(array), size, of_float)
    return is_among[uint16_t](<uint16_t*>PyArray_DATA(array), size, of_half)


cdef bint is_among(const Bits* items, cnp.npy_intp size, Bits pattern) noexcept:
    """``has_bits`` for the bits of the items.

    The loop has no branch, so that it is vectorised: less 1, zero alone has its highest bit set.
    """
    cdef Bits found = 0
    cdef Bits unsigned_bits = <Bits>-1 >> 1
    cdef Bits mask = pattern if pattern > unsigned_bits else unsigned_bits
    cdef cnp.npy_intp i
    for i in range(size):
        found |= <Bits>(((items[i] & mask) ^ pattern) - 1)
    return found > unsigned_bits
