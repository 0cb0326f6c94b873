# The parts of CPython's and NumPy's C API that Cython's own declarations lack, or declare with
# reference handling that the hot paths cannot use.

cdef extern from "error_return.h":
    pass

cdef extern from *:
    """
    #ifdef Py_GIL_DISABLED
    #define XPDL_HAS_GIL 0
    #else
    #define XPDL_HAS_GIL 1
    #endif
    """
    const bint HAS_GIL "XPDL_HAS_GIL"

cdef extern from "Python.h":
    PyObject* PyDict_GetItemWithError(object mapping, object key) except? NULL
    PyObject* PyObject_Vectorcall(
        PyObject* function, PyObject* const* args, size_t count, PyObject* keywords) noexcept
    object PyObject_VectorcallDict(
        object function, PyObject* const* args, size_t count, dict keywords)
    PyObject* PyObject_Call(PyObject* function, tuple args, PyObject* keywords) noexcept
    tuple PyTuple_New(Py_ssize_t size)
    void PyTuple_SET_ITEM(tuple new, Py_ssize_t i, PyObject* item)
    PyObject* PyObject_GetItem(PyObject* x, PyObject* key) noexcept
    int PyObject_SetItem(PyObject* x, PyObject* key, PyObject* value) noexcept
    PyObject* PyNumber_Power(PyObject* x1, PyObject* x2, PyObject* modulo) noexcept
    PyObject* PyNumber_InPlacePower(PyObject* x1, PyObject* x2, PyObject* modulo) noexcept
    PyObject* PyNumber_InPlaceMatrixMultiply(PyObject* x1, PyObject* x2) noexcept

    Py_ssize_t PyNumber_AsSsize_t(object x, PyObject* overflow) except? -1
    int Py_IsInitialized() nogil
    ctypedef enum PyGILState_STATE:
        pass
    PyGILState_STATE PyGILState_Ensure() nogil
    void PyGILState_Release(PyGILState_STATE) nogil
    int PyGILState_Check() nogil
    void Py_INCREF(PyObject*)
    void Py_DECREF(PyObject*)
    void Py_XDECREF(PyObject*)
    void PyErr_Fetch(PyObject** kind, PyObject** value, PyObject** traceback)
    void PyErr_Restore(PyObject* kind, PyObject* value, PyObject* traceback)
    PyObject* PyErr_Occurred()
    PyTypeObject* Py_TYPE(PyObject*)
    int PyErr_CheckSignals() except -1
    int PyObject_CheckBuffer(object)
    int PyContextVar_Get(object variable, PyObject* default, PyObject** value) except -1

cdef extern from *:
    """
    /* Whether the interpreter is on its way out, when a thread that asks for the GIL would
     * never get it. */
    static inline int xpdl_is_finalizing(void) {
    #if PY_VERSION_HEX >= 0x030D0000
      return Py_IsFinalizing();
    #else
      return _Py_IsFinalizing();
    #endif
    }
    """
    int is_finalizing "xpdl_is_finalizing"() nogil

cdef extern from *:
    """
    /* Makes calls of a type go through `function`, not through the shortcut past tp_new. */
    #define xpdl_set_new(type, function)                        \
      (((PyTypeObject *)(type))->tp_new = (newfunc)(function), \
       ((PyTypeObject *)(type))->tp_vectorcall = NULL)
    """
    void set_new "xpdl_set_new"(object type, void* function)

cdef extern from *:
    """
    /* NumPy's accessors for an argument that is known to be an ndarray, whatever its C type. */
    #define xpdl_array(x) ((PyArrayObject *)(x))
    #define xpdl_base(x) PyArray_BASE(xpdl_array(x))
    #define xpdl_set_base(x, base) PyArray_SetBaseObject(xpdl_array(x), base)
    #define xpdl_is_writeable(x) PyArray_ISWRITEABLE(xpdl_array(x))
    #define xpdl_is_aligned(x) PyArray_ISALIGNED(xpdl_array(x))
    #define xpdl_is_one_segment(x) PyArray_ISONESEGMENT(xpdl_array(x))
    #define xpdl_is_native(x) PyArray_ISNOTSWAPPED(xpdl_array(x))
    #define xpdl_ndim(x) PyArray_NDIM(xpdl_array(x))
    #define xpdl_size(x) PyArray_SIZE(xpdl_array(x))
    #define xpdl_shape(x) PyArray_DIMS(xpdl_array(x))
    #define xpdl_byte_strides(x) PyArray_STRIDES(xpdl_array(x))
    #define xpdl_data(x) PyArray_DATA(xpdl_array(x))
    #define xpdl_type_number(x) PyArray_TYPE(xpdl_array(x))
    #define xpdl_descr(x) ((PyObject *)PyArray_DESCR(xpdl_array(x)))
    #define xpdl_itemsize(x) PyArray_ITEMSIZE(xpdl_array(x))
    #define xpdl_descr_itemsize(x) PyDataType_ELSIZE((PyArray_Descr *)(x))
    #define xpdl_copy(x, order) PyArray_NewCopy(xpdl_array(x), order)
    /* Steals the reference to the descriptor. */
    #define xpdl_new_view(descr, ndim, shape, byte_strides, data, flags)                       \
      PyArray_NewFromDescr(&PyArray_Type, (PyArray_Descr *)(descr), ndim, shape, byte_strides, \
                           data, flags, NULL)
    """
    PyObject* PyArray_BASE "xpdl_base"(PyObject*)
    int PyArray_SetBaseObject "xpdl_set_base"(object, PyObject* base) except -1
    bint PyArray_ISWRITEABLE "xpdl_is_writeable"(object)
    bint PyArray_ISALIGNED "xpdl_is_aligned"(object)
    bint PyArray_ISONESEGMENT "xpdl_is_one_segment"(object)
    bint PyArray_ISNOTSWAPPED "xpdl_is_native"(object)
    int PyArray_NDIM "xpdl_ndim"(object)
    cnp.npy_intp PyArray_SIZE "xpdl_size"(object)
    cnp.npy_intp* PyArray_DIMS "xpdl_shape"(object)
    cnp.npy_intp* PyArray_STRIDES "xpdl_byte_strides"(object)
    void* PyArray_DATA "xpdl_data"(object)
    int PyArray_TYPE "xpdl_type_number"(object)
    PyObject* PyArray_DESCR "xpdl_descr"(object)
    cnp.npy_intp PyArray_ITEMSIZE "xpdl_itemsize"(object)
    cnp.npy_intp PyDataType_ELSIZE "xpdl_descr_itemsize"(object dtype)
    object PyArray_NewCopy "xpdl_copy"(object, cnp.NPY_ORDER)
    object new_ndarray "xpdl_new_view"(
        PyObject* descr, int ndim, const cnp.npy_intp* shape, const cnp.npy_intp* byte_strides,
        void* data, int flags)

cdef extern from "numpy/arrayscalars.h":
    pass

cdef extern from "numpy/arrayobject.h":
    bint PyArray_Check(object)
    bint PyArray_CheckExact(object)
    size_t SCALAR_VALUE_OFFSET "offsetof(PyDoubleScalarObject, obval)"

ctypedef PyObject* (*BinarySlot)(PyObject*, PyObject*) noexcept
