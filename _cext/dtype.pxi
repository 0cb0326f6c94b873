# DLPack type codes <-> numpy dtypes: one table, read both ways.

cdef dict STANDARD_TYPES = {
    "bool": (kDLBool, 8),
    "int8": (kDLInt, 8), "int16": (kDLInt, 16), "int32": (kDLInt, 32), "int64": (kDLInt, 64),
    "uint8": (kDLUInt, 8), "uint16": (kDLUInt, 16), "uint32": (kDLUInt, 32),
    "uint64": (kDLUInt, 64),
    "float16": (kDLFloat, 16), "float32": (kDLFloat, 32), "float64": (kDLFloat, 64),
    "complex64": (kDLComplex, 64), "complex128": (kDLComplex, 128),
}
# The dtypes of ml_dtypes. Those under 8 bits take one byte an element there (SUBBYTE_PADDED).
cdef dict ML_TYPES = {
    "bfloat16": (kDLBfloat, 16),
    "float8_e3m4": (kDLFloat8_e3m4, 8),
    "float8_e4m3": (kDLFloat8_e4m3, 8),
    "float8_e4m3b11fnuz": (kDLFloat8_e4m3b11fnuz, 8),
    "float8_e4m3fn": (kDLFloat8_e4m3fn, 8),
    "float8_e4m3fnuz": (kDLFloat8_e4m3fnuz, 8),
    "float8_e5m2": (kDLFloat8_e5m2, 8),
    "float8_e5m2fnuz": (kDLFloat8_e5m2fnuz, 8),
    "float8_e8m0fnu": (kDLFloat8_e8m0fnu, 8),
    "float6_e2m3fn": (kDLFloat6_e2m3fn, 6),
    "float6_e3m2fn": (kDLFloat6_e3m2fn, 6),
    "float4_e2m1fn": (kDLFloat4_e2m1fn, 4),
    "int4": (kDLInt, 4), "uint4": (kDLUInt, 4), "int2": (kDLInt, 2), "uint2": (kDLUInt, 2),
}
cdef dict CODE_NAMES = {
    kDLInt: "int", kDLUInt: "uint", kDLFloat: "float", 3: "opaque handle", kDLBfloat: "bfloat",
    kDLComplex: "complex", kDLBool: "bool",
} | {code: name for name, (code, _) in ML_TYPES.items() if name.startswith("float")}

DTYPES = {name: np.dtype(name) for name in STANDARD_TYPES}

cdef enum:
    CODES = 18
    WIDTHS = 17  # whole bytes, up to complex128
    BUILTIN_TYPES = 24

# Lookups without a Python object: (code, bytes) -> descriptor, NumPy's type number -> DLDataType.
cdef PyObject* descr_of_code[CODES][WIDTHS]
cdef DLDataType code_of_type[BUILTIN_TYPES]
# The same for what has no place there, filled when ml_dtypes is first met.
cdef dict ml_dtype_of_code = {}  # (code, bits) -> numpy.dtype
cdef dict ml_code_of_type = {}   # NumPy's type number -> (code, bits)


cdef object fill_type_tables():
    memset(descr_of_code, 0, sizeof(descr_of_code))
    memset(code_of_type, 0, sizeof(code_of_type))
    for name, (code, bits) in STANDARD_TYPES.items():
        dtype = DTYPES[name]
        descr_of_code[<int>code][<int>bits // 8] = <PyObject*>dtype  # DTYPES keeps it alive
        code_of_type[<int>dtype.num] = DLDataType(code, bits, 1)
    for alias in (np.dtype(np.longlong), np.dtype(np.ulonglong), np.dtype(np.intc),
                  np.dtype(np.uintc), np.dtype(np.long), np.dtype(np.ulong)):
        code_of_type[<int>alias.num] = DLDataType(
            kDLInt if alias.kind == "i" else kDLUInt, alias.itemsize * 8, 1)


fill_type_tables()


cdef bint load_ml_dtypes(bint wanted):
    """Fill the tables of ml_dtypes' dtypes; import it only if one of them is ``wanted``."""
    if ml_dtype_of_code:
        return True
    if not wanted and "ml_dtypes" not in sys.modules:
        return False
    try:
        import ml_dtypes  # waits for a thread that is still importing it
    except ImportError:
        return False
    found = {
        key: np.dtype(getattr(ml_dtypes, name)) for name, key in ML_TYPES.items()
        if hasattr(ml_dtypes, name)}
    ml_code_of_type.update({dtype.num: key for key, dtype in found.items()})
    ml_dtype_of_code.update(found)  # last: it tells other threads that all is there
    return bool(found)  # where None stands in sys.modules, a compiled import gives that


def ml_dtype_codes():
    """The dtypes of ml_dtypes by their DLPack (code, bits).

    Raises
    ------
    ImportError
        If ml_dtypes is not installed.
    """
    if not load_ml_dtypes(True):
        raise ImportError(
            "register_with_numpy: ml_dtypes must be installed; pip install 'xpdl[dtypes]'")
    return dict(ml_dtype_of_code)


cdef object dtype_from_code(DLDataType code):
    """The numpy dtype of a DLPack type, or None if xpdl cannot hold it."""
    if code.lanes != 1:
        return None
    if code.code < CODES and code.bits % 8 == 0 and code.bits // 8 < WIDTHS:
        if descr_of_code[code.code][code.bits // 8] != NULL:
            return <object>descr_of_code[code.code][code.bits // 8]
    load_ml_dtypes(True)
    return ml_dtype_of_code.get((code.code, code.bits))


cdef bint code_from_dtype(int type_number, DLDataType* out):
    """Set ``out`` to the DLPack type of a NumPy type number; False if it has none."""
    if 0 <= type_number < BUILTIN_TYPES:
        out[0] = code_of_type[type_number]
        return out.bits != 0
    if load_ml_dtypes(False):
        key = ml_code_of_type.get(type_number)
        if key is not None:
            out[0] = DLDataType(key[0], key[1], 1)
            return True
    return False


cdef str code_name(DLDataType code):
    """A DLPack type in words, as messages name it: ``complex32``, ``float32 with 4 lanes``."""
    name = CODE_NAMES.get(code.code, f"type code {code.code}")
    if code.code <= kDLBool and code.code != 3:
        name += "" if code.code == kDLBool and code.bits == 8 else str(code.bits)
    elif (code.code, code.bits) not in ML_TYPES.values():
        name += f" of {code.bits} bits"
    return name if code.lanes == 1 else f"{name} with {code.lanes} lanes"


cpdef object check_dtype(str function, object dtype):
    """The numpy dtype, in native byte order, that ``dtype`` names; None stays None."""
    cdef DLDataType code
    if dtype is None:
        return None
    try:
        found = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError):
        raise TypeError(f"{function}: dtype must be a dtype of xpdl, got {dtype!r}") from None
    if not code_from_dtype(found.num, &code):
        raise TypeError(
            f"{function}: dtype must be one that xpdl holds (bool, integer, float, complex), "
            f"got {found}")
    return dtype_from_code(code)
