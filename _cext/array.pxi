# Array: attributes, conversions, operators, the methods that NumPy and torch arrays share.

@cython.final
@cython.no_gc
@cython.freelist(64)
cdef class Array:
    """An n-dimensional array on one device. Made by the functions of xpdl, such as ``asarray``.

    Source: array API 2025.12, array object.
    """

    # NumPy's ufuncs and operators leave the answer to ours. There is no buffer protocol: some take
    # a buffer for raw bytes of a dtype of their own choice, torch.asarray for one.
    __array_ufunc__ = None
    __dlpack_c_exchange_api__ = PyCapsule_New(&array_api, "dlpack_exchange_api", NULL)

    # ------------------------------------------------------------------------- attributes

    @property
    def dtype(self):
        """The numpy dtype of the elements."""
        return self.raw.dtype

    @property
    def ndim(self):
        """The number of axes."""
        return self.raw.ndim

    @property
    def shape(self):
        """The length of each axis, in elements."""
        return self.raw.shape

    @property
    def size(self):
        """The number of elements."""
        return self.raw.size

    @property
    def itemsize(self):
        """The size of an element in bytes."""
        return self.raw.dtype.itemsize

    @property
    def nbytes(self):
        """The size of all elements in bytes."""
        return self.raw.nbytes

    @property
    def strides(self):
        """The step along each axis, in bytes."""
        return self.raw.strides

    @property
    def readonly(self):
        """Whether assignment and in-place operators are refused."""
        return is_readonly(self)

    @property
    def T(self):  # noqa: N802, the standard's name
        """The transpose ``(N, M)`` of a 2-d array ``(M, N)``. View.

        Raises
        ------
        ValueError
            If the array is not 2-d.
        """
        if self.raw.ndim != 2:
            raise ValueError(
                f"T: x must be 2-d, got ndim {self.raw.ndim}; use x.mT for stacks of matrices "
                f"or xpdl.permute_dims")
        return view("matrix_transpose", self, ())

    @property
    def mT(self):  # noqa: N802, the standard's name
        """The transpose ``(..., N, M)`` of a stack of matrices ``(..., M, N)``. View.

        Raises
        ------
        ValueError
            If the array has fewer than two axes.
        """
        if self.raw.ndim < 2:
            raise ValueError(
                f"mT: x must have two axes or more, got ndim {self.raw.ndim}; "
                f"use xpdl.expand_dims")
        return view("matrix_transpose", self, ())

    # -------------------------------------------------------------------------- protocols

    def __array_namespace__(self, /, *, api_version=None):
        """The module xpdl, for the versions of the standard up to 2025.12.

        Raises
        ------
        ValueError
            If ``api_version`` is not one of them.
        """
        if api_version not in VERSIONS_OF_STANDARD:
            raise ValueError(
                f"__array_namespace__: api_version must be None or one of "
                f"{', '.join(VERSIONS_OF_STANDARD[1:])}, got {api_version!r}")
        return sys.modules["xpdl"]

    def __array__(self, dtype=None, copy=None):
        """A NumPy array of the same memory, or a copy where ``dtype`` or ``copy`` needs one.

        Raises
        ------
        TypeError
            If the array is not on the CPU.
        ValueError
            If ``copy=False`` and another ``dtype`` is asked for.
        """
        if self.device is not CPU:
            raise TypeError(
                f"__array__: x must be on the CPU, got {self.device.name}; "
                f"move it with x.to_device('cpu')")
        if dtype is not None and np.dtype(dtype) != self.raw.dtype:
            if copy is False:
                raise ValueError(
                    f"__array__: copy=False cannot be honoured for a change of dtype from "
                    f"{self.raw.dtype} to {np.dtype(dtype)}")
            return self.raw.astype(dtype)
        return PyArray_NewCopy(self.raw, cnp.NPY_KEEPORDER) if copy else view_of_array(self)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A DLPack capsule of the array, for ``from_dlpack`` of any library.

        Parameters
        ----------
        stream : int, optional
            The consumer's stream, which waits for the work of xpdl so far. On CUDA None and 1 are
            the legacy default stream, 2 the per-thread one, a number above that a stream's handle;
            -1 orders nothing. On ROCm None and 0 are the default stream. On the CPU None or -1.
        max_version : (int, int), optional
            The highest version of DLPack that the consumer takes. None and (0, x) give a legacy
            capsule, (1, x) and higher a versioned one of DLPack 1.3.
        dl_device : (int, int), optional
            Where the data must be: None, the array's own DLPack device, or (1, 0). From CUDA to
            (1, 0) is a copy, for which the host waits, and takes no ``stream``.
        copy : bool, optional
            True copies always, False never, None only for strides that DLPack cannot express and
            for the host. On CUDA the copy is made on the consumer's stream.

        Raises
        ------
        BufferError
            If the array cannot go out so: read-only in a legacy capsule, another device.
        CopyRequiredError
            If ``copy=False`` and a copy is needed.
        TypeError, ValueError
            If an argument is not one of the above.

        Source: array API 2025.12, ``array.__dlpack__``; DLPack 1.3, Python protocol.
        """
        return export_array(
            "__dlpack__", self, is_readonly(self), stream, max_version, dl_device, copy)

    def __dlpack_device__(self, /):
        """The DLPack device ``(type, id)``: (1, 0) on the CPU, (2, i) on ``"cuda:i"``.

        Of other memory it is another: pinned and imported (3, 0), managed (13, 0), ROCm (10, i).
        """
        cdef DLDevice device
        if self.device is not CPU:
            return dl_device_away(self.device, self.raw)
        device = dl_device_of(self.raw)
        return <int>device.device_type, device.device_id

    def __jax_array__(self):
        """A ``jax.Array`` of the same memory, or of a copy where JAX cannot share it.

        JAX calls it in ``jnp.asarray`` and in the functions and operators that are given an Array.
        What they share must not be written to any more.

        Raises
        ------
        TypeError
            If JAX can neither share the array nor copy it, since it is not on the CPU.
        """
        import jax
        try:
            return jax.dlpack.from_dlpack(self)
        except (BufferError, RuntimeError):
            return jax.numpy.asarray(self.__array__())

    @property
    def __cuda_array_interface__(self):
        """The memory of an array on CUDA, as version 3 of that protocol describes it.

        Raises
        ------
        AttributeError
            If the array is not on CUDA, or its dtype has no name in the protocol.
        """
        if self.device is CPU:
            raise AttributeError("__cuda_array_interface__: x must be on CUDA, got cpu")
        return call_many(self.device, "cuda_array_interface", (self.raw, self.locked))

    def to_device(self, device, /, *, stream=None):
        """The array on ``device``: itself where it is there, else a copy.

        Parameters
        ----------
        device : str, Device or (int, int)
            Where the result is to be.
        stream : int or object, optional
            The CUDA stream that copies, as a DLPack stream number or an object with
            ``__cuda_stream__``; by default CuPy's current stream of the CUDA device. It waits for
            that stream before, and that stream for it after.

        Raises
        ------
        TypeError, ValueError
            If ``device`` or ``stream`` is not valid.
        NotImplementedError
            If ``device`` is not there, or its library is not.

        Source: array API 2025.12, ``array.to_device``.
        """
        if device is None:
            raise TypeError("to_device: device must be a str, an xpdl.Device or a DLPack pair of "
                            "ints, got NoneType")
        place = check_device("to_device", device)
        check_stream_object(
            "to_device", place if self.device is CPU else self.device, stream)
        return to_device("to_device", self, place, None, stream)

    def __reduce_ex__(self, protocol):
        return reduced(self)

    def __copy__(self):
        return wrap(call_many(self.device, "copy", (self.raw,)), self.device)

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __sizeof__(self):
        size = sizeof(PyObject) + 5 * sizeof(void*)  # what an Array is beside its library's array
        if self.element_strides is not None:
            size += sys.getsizeof(self.element_strides)
        return size + (sys.getsizeof(self.raw) if self.device is CPU else 0)

    def __repr__(self):
        return array_text(self)

    def __str__(self):
        return str(host_array(self))

    def __format__(self, spec):
        if spec and self.raw.ndim != 0:
            raise TypeError(
                f"__format__: x must be 0-d for the format {spec!r}, got shape {self.raw.shape}")
        return format(self.item(), spec) if self.raw.ndim == 0 else str(self)

    # ------------------------------------------------------------------- Python's scalars

    def item(self, /):
        """The one element as a Python scalar.

        Raises
        ------
        ValueError
            If the array does not have exactly one element.
        """
        if self.raw.size != 1:
            raise ValueError(
                f"item: x must have one element, got shape {self.raw.shape}; use x.tolist()")
        return host_array(self).item()

    def tolist(self, /):
        """The elements as Python scalars in nested lists; the scalar itself for a 0-d array."""
        return host_array(self).tolist()

    def __bool__(self):
        if self.raw.size != 1:
            raise ValueError(
                f"__bool__: x must have one element, got shape {self.raw.shape}; "
                f"use xpdl.any(x) or xpdl.all(x)")
        return bool(self.item())

    def __int__(self):
        return int_of(one_element("__int__", self, False))

    def __float__(self):
        return float(one_element("__float__", self, False))

    def __complex__(self):
        return complex(one_element("__complex__", self, True))

    def __index__(self):
        if self.raw.ndim != 0 or self.raw.dtype.kind not in "iu":
            raise TypeError(
                f"__index__: x must be a 0-d array of integers, got shape {self.raw.shape} and "
                f"dtype {self.raw.dtype}")
        return int(self.item())

    # --------------------------------------------------------------------------- sequence

    def __len__(self):
        if self.raw.ndim == 0:
            raise TypeError("__len__: x must have an axis, got a 0-d array")
        return self.raw.shape[0]

    def __iter__(self):
        if self.raw.ndim == 0:
            raise TypeError("__iter__: x must have an axis, got a 0-d array")
        return rows(self)

    def __contains__(self, value):
        found = self == value
        return type(found) is Array and bool(any_of(found))

    def __getitem__(self, key):
        return get_item(self, key)

    def __setitem__(self, key, value):
        set_item(self, key, value)

    def __delitem__(self, key):
        raise TypeError("__delitem__: elements of an array cannot be deleted; "
                        "select the others with x[mask]")

    # -------------------------------------------------------------------------- operators

    def __pos__(self):
        return unary("positive", self)

    def __neg__(self):
        return unary("negative", self)

    def __abs__(self):
        return unary("abs", self)

    def __invert__(self):
        return unary("bitwise_invert", self)

    def __eq__(self, other):
        return operate("equal", self, other, False)

    def __ne__(self, other):
        return operate("not_equal", self, other, False)

    def __lt__(self, other):
        return operate("less", self, other, False)

    def __le__(self, other):
        return operate("less_equal", self, other, False)

    def __gt__(self, other):
        return operate("greater", self, other, False)

    def __ge__(self, other):
        return operate("greater_equal", self, other, False)

    def __add__(self, other):
        return operate("add", self, other, False)

    def __radd__(self, other):
        return operate("add", self, other, True)

    def __iadd__(self, other):
        return operate_inplace("add", NULL, self, other)

    def __sub__(self, other):
        return operate("subtract", self, other, False)

    def __rsub__(self, other):
        return operate("subtract", self, other, True)

    def __isub__(self, other):
        return operate_inplace("subtract", NULL, self, other)

    def __mul__(self, other):
        return operate("multiply", self, other, False)

    def __rmul__(self, other):
        return operate("multiply", self, other, True)

    def __imul__(self, other):
        return operate_inplace("multiply", NULL, self, other)

    def __truediv__(self, other):
        return operate("divide", self, other, False)

    def __rtruediv__(self, other):
        return operate("divide", self, other, True)

    def __itruediv__(self, other):
        return operate_inplace("divide", NULL, self, other)

    def __floordiv__(self, other):
        return operate("floor_divide", self, other, False)

    def __rfloordiv__(self, other):
        return operate("floor_divide", self, other, True)

    def __ifloordiv__(self, other):
        return operate_inplace("floor_divide", NULL, self, other)

    def __mod__(self, other):
        return operate("remainder", self, other, False)

    def __rmod__(self, other):
        return operate("remainder", self, other, True)

    def __imod__(self, other):
        return operate_inplace("remainder", NULL, self, other)

    # For some scalars NumPy's ** has short cuts that its function lacks: a product for 2, for 0.5 a
    # square root, which differs from the power at -0.0 and -inf.

    def __pow__(self, other, modulo):
        if modulo is not None:
            return NotImplemented
        if has_short_cut(self, other):
            return power(self, other)
        return operate("pow", self, other, False)

    def __rpow__(self, other, modulo):
        return NotImplemented if modulo is not None else operate("pow", self, other, True)

    def __ipow__(self, other):
        cdef BinarySlot slot = NULL
        if has_short_cut(self, other):
            slot = power_inplace
        return operate_inplace("pow", slot, self, other)

    def __matmul__(self, other):
        return operate("matmul", self, other, False)

    def __rmatmul__(self, other):
        return operate("matmul", self, other, True)

    def __imatmul__(self, other):
        return operate_inplace("matmul", PyNumber_InPlaceMatrixMultiply, self, other)

    def __and__(self, other):
        return operate("bitwise_and", self, other, False)

    def __rand__(self, other):
        return operate("bitwise_and", self, other, True)

    def __iand__(self, other):
        return operate_inplace("bitwise_and", NULL, self, other)

    def __or__(self, other):
        return operate("bitwise_or", self, other, False)

    def __ror__(self, other):
        return operate("bitwise_or", self, other, True)

    def __ior__(self, other):
        return operate_inplace("bitwise_or", NULL, self, other)

    def __xor__(self, other):
        return operate("bitwise_xor", self, other, False)

    def __rxor__(self, other):
        return operate("bitwise_xor", self, other, True)

    def __ixor__(self, other):
        return operate_inplace("bitwise_xor", NULL, self, other)

    def __lshift__(self, other):
        return operate("bitwise_left_shift", self, other, False)

    def __rlshift__(self, other):
        return operate("bitwise_left_shift", self, other, True)

    def __ilshift__(self, other):
        return operate_inplace("bitwise_left_shift", NULL, self, other)

    def __rshift__(self, other):
        return operate("bitwise_right_shift", self, other, False)

    def __rrshift__(self, other):
        return operate("bitwise_right_shift", self, other, True)

    def __irshift__(self, other):
        return operate_inplace("bitwise_right_shift", NULL, self, other)

    # ----------------------------------------------- methods that NumPy and torch arrays share

    def copy(self):
        """A writable copy."""
        return self.__copy__()

    def astype(self, dtype, /, *, copy=True):
        """The array in another dtype; see ``xpdl.astype``."""
        if dtype is None:
            raise TypeError("astype: dtype must be a dtype, got None")
        return convert("astype", self, check_dtype("astype", dtype), None, copy or None)

    def reshape(self, *shape, order="C", copy=None):
        """The array in another shape; see ``xpdl.reshape``."""
        if order != "C":
            raise ValueError(
                f"reshape: order must be 'C', got {order!r}; "
                f"use xpdl.permute_dims before and after")
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            shape = shape[0]
        if copy is not None:
            return sys.modules["xpdl"].reshape(self, shape, copy=copy)
        return view("reshape", self, (shape_from("reshape", shape), None))

    def transpose(self, *axes):
        """The array with its axes in another order, reversed for none and for None. View."""
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
            axes = axes[0] or ()
        return view("permute_dims", self, (order_of_axes(tuple(axes), self.raw.ndim),))

    def sum(self, axis=None, dtype=None, out=None, *, keepdims=False):
        """The sum over ``axis``; see ``xpdl.sum``."""
        check_no_out("sum", out)
        return reduce("sum", self, axis, check_result_dtype("sum", self, dtype), keepdims)

    def prod(self, axis=None, dtype=None, out=None, *, keepdims=False):
        """The product over ``axis``; see ``xpdl.prod``."""
        check_no_out("prod", out)
        return reduce("prod", self, axis, check_result_dtype("prod", self, dtype), keepdims)

    def mean(self, axis=None, dtype=None, out=None, *, keepdims=False):
        """The mean over ``axis``; see ``xpdl.mean``."""
        check_no_out("mean", out)
        return reduce("mean", self, axis, check_result_dtype("mean", self, dtype), keepdims)

    def std(self, axis=None, dtype=None, out=None, *, correction=0.0, keepdims=False, ddof=0):
        """The standard deviation over ``axis``, of the array in ``dtype``; see ``xpdl.std``.

        ``ddof`` is another name of ``correction``.
        """
        check_no_out("std", out)
        x = self if dtype is None else self.astype(dtype)
        return sys.modules["xpdl"].std(
            x, axis=axis, correction=correction or ddof, keepdims=keepdims)

    def var(self, axis=None, dtype=None, out=None, *, correction=0.0, keepdims=False, ddof=0):
        """The variance over ``axis``, of the array in ``dtype``; see ``xpdl.var``.

        ``ddof`` is another name of ``correction``.
        """
        check_no_out("var", out)
        x = self if dtype is None else self.astype(dtype)
        return sys.modules["xpdl"].var(
            x, axis=axis, correction=correction or ddof, keepdims=keepdims)

    def min(self, axis=None, out=None, *, keepdims=False):
        """The least element over ``axis``; see ``xpdl.min``."""
        check_no_out("min", out)
        return reduce("min", self, axis, None, keepdims)

    def max(self, axis=None, out=None, *, keepdims=False):
        """The greatest element over ``axis``; see ``xpdl.max``."""
        check_no_out("max", out)
        return reduce("max", self, axis, None, keepdims)

    def argmin(self, axis=None, out=None, *, keepdims=False):
        """The index of the least element over ``axis``; see ``xpdl.argmin``."""
        check_no_out("argmin", out)
        return sys.modules["xpdl"].argmin(self, axis=axis, keepdims=keepdims)

    def argmax(self, axis=None, out=None, *, keepdims=False):
        """The index of the greatest element over ``axis``; see ``xpdl.argmax``."""
        check_no_out("argmax", out)
        return sys.modules["xpdl"].argmax(self, axis=axis, keepdims=keepdims)

    def any(self, axis=None, out=None, *, keepdims=False):
        """Whether any element over ``axis`` is true; see ``xpdl.any``."""
        check_no_out("any", out)
        return reduce("any", self, axis, None, keepdims)

    def all(self, axis=None, out=None, *, keepdims=False):
        """Whether all elements over ``axis`` are true; see ``xpdl.all``."""
        check_no_out("all", out)
        return reduce("all", self, axis, None, keepdims)


cdef int check_no_out(str function, object out) except -1:
    """``out`` is there for NumPy's functions, which call these methods and pass None."""
    if out is not None:
        raise TypeError(
            f"{function}: out must be None, got {type_name(out)}; assign the result, y[...] = x")
    return 0


VERSIONS_OF_STANDARD = (None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


cdef tuple order_of_axes(tuple axes, int ndim):
    """The axes that ``transpose`` is given, all of them in reverse if that is none."""
    if not axes:
        return tuple(range(ndim))[::-1]
    try:
        order = tuple(map(operator.index, axes))
    except TypeError:
        raise TypeError(f"transpose: axes must be ints, got {axes}") from None
    named = set()
    for axis in order:
        named.add(axis + ndim if axis < 0 else axis)
    if len(order) != ndim or named != set(range(ndim)):
        raise ValueError(f"transpose: axes must name each of the {ndim} axes once, got {axes}")
    return order


def rows(Array x, /):
    """Iterate over the first axis of ``x``."""
    for i in range(PyArray_DIMS(x.raw)[0] if x.device is CPU else x.raw.shape[0]):
        yield get_item(x, i)


cdef PyObject* refuse_new(PyTypeObject* type, PyObject* args, PyObject* keywords) except NULL:
    raise TypeError("Array: arrays are made by functions such as xpdl.asarray, not by Array()")


set_new(Array, <void*>refuse_new)


cdef bint has_short_cut(Array x, object exponent):
    """Whether NumPy's operator is right for a scalar exponent, and can be faster.

    It gives int8 for the square of bool alone, and a square root for 0.5.
    """
    if x.device is not CPU:
        return False
    if type(exponent) is float and is_real_floating(x.raw):
        return exponent != 0.5 or not has_sign(x.raw)
    return is_complex(x) or (type(exponent) is int and PyArray_TYPE(x.raw) != cnp.NPY_BOOL)


cdef object power(Array x, object exponent):
    """``x ** exponent`` by NumPy's operator."""
    operand = operator_operand("pow", exponent, x)
    if operand is NotImplemented:
        return NotImplemented
    check_computable("pow", x)
    return wrap(
        result_of(
            PyNumber_Power(<PyObject*>x.raw, <PyObject*>operand, <PyObject*>None), "pow",
            <PyObject*>x.raw, <PyObject*>operand),
        CPU)


cdef PyObject* power_inplace(PyObject* x1, PyObject* x2) noexcept:
    return PyNumber_InPlacePower(x1, x2, <PyObject*>None)


cdef object host_array(Array x):
    """The NumPy array of the elements, copied from another device."""
    return x.raw if x.device is CPU else to_device("to_device", x, CPU, None).raw


cdef object one_element(str name, Array x, bint may_be_complex):
    if x.raw.size != 1:
        raise TypeError(f"{name}: x must have one element, got shape {x.raw.shape}")
    if x.raw.dtype.kind == "c" and not may_be_complex:
        raise TypeError(
            f"{name}: x must be real, got dtype {x.raw.dtype}; "
            f"take its real part with xpdl.real")
    return host_array(x).item()


cdef object int_of(object value):
    return call(int, "__int__", (value,))


cdef Array any_of(Array x):
    return reduce("any", x, None, None, False)


cdef str array_text(Array x):
    """``Array([1, 2], dtype=int64)``, with the device where it is not the CPU."""
    place = "" if x.device is CPU else f", device='{x.device.name}'"
    suffix = f", dtype={x.raw.dtype}{place})"
    body = np.array2string(
        host_array(x), separator=", ", prefix="Array(", suffix=suffix)
    if x.raw.size == 0 and x.raw.shape != (0,):
        suffix = f", shape={x.raw.shape}{suffix}"
    return f"Array({body}{suffix}"
