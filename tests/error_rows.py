"""The errors of docs/errors.md, section by section: operation, class of the error, full text.

An operation is Python code, with the names that test_errors.py gives it, or words for what CODE
does. ON_TWO_DEVICES needs a second device and no ml_dtypes, WITHOUT_CUDA no CuPy, ON_CUDA CuPy's
wheel, OF_TORCH torch, OF_ML_DTYPES ml_dtypes.
"""

# fmt: off
ROWS = [
    # Arrays
    ("xp.Array([1, 2])", "TypeError",
     "Array: arrays are made by functions such as xpdl.asarray, not by Array()"),
    ("bool(x)", "ValueError",
     "__bool__: x must have one element, got shape (3,); use xpdl.any(x) or xpdl.all(x)"),
    ("int(x)", "TypeError", "__int__: x must have one element, got shape (3,)"),
    ("float(x)", "TypeError", "__float__: x must have one element, got shape (3,)"),
    ("complex(x)", "TypeError", "__complex__: x must have one element, got shape (3,)"),
    ("int(c[0])", "TypeError",
     "__int__: x must be real, got dtype complex128; take its real part with xpdl.real"),
    ("float(c[0])", "TypeError",
     "__float__: x must be real, got dtype complex128; take its real part with xpdl.real"),
    ("int(xp.asarray(xp.nan))", "ValueError", "__int__: cannot convert float NaN to integer"),
    ("int(xp.asarray(xp.inf))", "OverflowError",
     "__int__: cannot convert float infinity to integer"),
    ("operator.index(f[0])", "TypeError",
     "__index__: x must be a 0-d array of integers, got shape () and dtype float64"),
    ("x.item()", "ValueError", "item: x must have one element, got shape (3,); use x.tolist()"),
    ("len(z)", "TypeError", "__len__: x must have an axis, got a 0-d array"),
    ("iter(z)", "TypeError", "__iter__: x must have an axis, got a 0-d array"),
    ("format(f, '.2f')", "TypeError",
     "__format__: x must be 0-d for the format '.2f', got shape (3,)"),
    ("x.T", "ValueError",
     "T: x must be 2-d, got ndim 1; use x.mT for stacks of matrices or xpdl.permute_dims"),
    ("z.mT", "ValueError", "mT: x must have two axes or more, got ndim 0; use xpdl.expand_dims"),
    ("x.transpose(0, 0)", "ValueError",
     "transpose: axes must name each of the 1 axes once, got (0, 0)"),
    ("x.transpose('a')", "TypeError", "transpose: axes must be ints, got ('a',)"),
    ("x.sum(out=x)", "TypeError",
     "sum: out must be None, got xpdl._cext.Array; assign the result, y[...] = x"),
    ("x.reshape('a')", "TypeError", "reshape: shape must be an int or a tuple of ints, got ('a',)"),
    ("np.reshape(m, 6, order='F')", "ValueError",
     "reshape: order must be 'C', got 'F'; use xpdl.permute_dims before and after"),
    ("x.astype(None)", "TypeError", "astype: dtype must be a dtype, got None"),
    ("x.__array_namespace__(api_version='2020.12')", "ValueError",
     "__array_namespace__: api_version must be None or one of 2021.12, 2022.12, 2023.12, "
     "2024.12, 2025.12, got '2020.12'"),
    ("x.__array__('float32', copy=False)", "ValueError",
     "__array__: copy=False cannot be honoured for a change of dtype from int64 to float32"),
    ("unpickling what is no ndarray", "TypeError",
     "pickle: an Array is made from numpy.ndarray, got list"),
    ("unpickling an ndarray of objects", "TypeError",
     "pickle: obj must have a dtype that xpdl holds (bool, integer, float, complex), got object"),
    ("unpickling an array of a device that is not here", "NotImplementedError",
     "pickle: device must be one of this machine, got cuda:9; load the array elsewhere with "
     "xpdl.unpickle_device('cpu')"),
    # Indexing and assignment
    ("x[3]", "IndexError", "__getitem__: index 3 is out of bounds for axis 0 with size 3"),
    ("x[2**64]", "IndexError",
     "__getitem__: index 18446744073709551616 is out of bounds for axis 0 with size 3"),
    ("z[0]", "IndexError", "__getitem__: a 0-d array takes no integer index; x[()] is its value"),
    ("x[0] = 1j", "TypeError",
     "__setitem__: value must be real for x of dtype int64, got a complex one; take its real "
     "part with xpdl.real"),
    ("x[0] = a[0:1]", "TypeError",
     "__setitem__: value must be an xpdl Array or a Python scalar, got numpy.ndarray; convert "
     "it with xpdl.asarray"),
    ("x[0] = None", "TypeError",
     "__setitem__: value must be an xpdl Array or a Python scalar, got NoneType; convert it "
     "with xpdl.asarray"),
    ("ro[0] = 1", "ValueError",
     "__setitem__: x must be writable, got a read-only array; write to a copy, x.copy()"),
    ("del x[0]", "TypeError",
     "__delitem__: elements of an array cannot be deleted; select the others with x[mask]"),
    # Operands
    ("xp.sin([1.0])", "TypeError",
     "sin: x must be an xpdl Array, got list; convert it with xpdl.asarray"),
    ("xp.sum(1.0)", "TypeError",
     "sum: x must be an xpdl Array, got float; convert it with xpdl.asarray"),
    ("xp.add(x, [1, 2, 3])", "TypeError",
     "add: x2 must be an xpdl Array or a Python scalar, got list; convert it with xpdl.asarray"),
    ("xp.add(a, x)", "TypeError",
     "add: x1 must be an xpdl Array or a Python scalar, got numpy.ndarray; convert it with "
     "xpdl.asarray"),
    ("xp.add(1, 2)", "TypeError",
     "add: x1 or x2 must be an xpdl Array, got int; convert it with xpdl.asarray"),
    ("x + a", "TypeError",
     "add: an operand must be an xpdl Array or a Python scalar, got numpy.ndarray; convert it "
     "with xpdl.asarray"),
    ("a * x", "TypeError",
     "multiply: an operand must be an xpdl Array or a Python scalar, got numpy.ndarray; "
     "convert it with xpdl.asarray"),
    ("x == a", "TypeError",
     "equal: an operand must be an xpdl Array or a Python scalar, got numpy.ndarray; convert "
     "it with xpdl.asarray"),
    ("x @ a", "TypeError",
     "matmul: an operand must be an xpdl Array or a Python scalar, got numpy.ndarray; convert "
     "it with xpdl.asarray"),
    ("f & f", "TypeError", "bitwise_and: no such operation on dtype float64 and float64"),
    ("~f", "TypeError", "bitwise_invert: no such operation on dtype float64"),
    ("f // 1j", "TypeError", "floor_divide: no such operation on dtype float64 and complex"),
    ("ro += 1", "ValueError",
     "add: x must be writable, got a read-only array; write to a copy, x.copy()"),
    ("xp.where(True, 1, 2)", "TypeError",
     "where: at least one argument must be an xpdl Array, got bool, int, int; convert one with "
     "xpdl.asarray"),
    ("xp.concat(x)", "TypeError",
     "concat: arrays must be a sequence of xpdl Arrays, got one Array"),
    ("xp.concat(None)", "TypeError",
     "concat: arrays must be a sequence of xpdl Arrays, got NoneType"),
    ("xp.concat([x, [1]])", "TypeError",
     "concat: arrays[1] must be an xpdl Array, got list; convert it with xpdl.asarray"),
    ("xp.stack([])", "ValueError", "stack: arrays must hold at least one Array, got none"),
    # Shapes, dtypes and devices
    ("xp.zeros('3')", "TypeError", "zeros: shape must be an int or a tuple of ints, got '3'"),
    ("xp.zeros(3, dtype='quad')", "TypeError", "zeros: dtype must be a dtype of xpdl, got 'quad'"),
    ("xp.zeros(3, dtype=object)", "TypeError",
     "zeros: dtype must be one that xpdl holds (bool, integer, float, complex), got object"),
    ("xp.zeros(3, device='gpu')", "ValueError",
     "zeros: device must be 'cpu', 'cuda' or 'cuda:<id>', got 'gpu'"),
    ("xp.zeros(3, device=0)", "TypeError",
     "zeros: device must be a str, an xpdl.Device or a DLPack pair of ints, got int"),
    ("xp.Device()", "TypeError", "Device: takes one argument, got 0"),
    ("xp.Device(device='cpu')", "TypeError",
     "Device: takes one positional argument and no keywords"),
    ("xp.Device(None)", "TypeError",
     "Device: device must be a str, an xpdl.Device or a DLPack pair of ints, got NoneType"),
    ("xp.Device('cuda:65536')", "ValueError",
     "Device: device must have an id of 0 to 65535, got 'cuda:65536'"),
    ("xp.Device((2, -1))", "ValueError",
     "Device: device must have an id of 0 to 65535, got (2, -1)"),
    ("xp.Device((4, 0))", "ValueError",
     "Device: device must be of a DLPack type for the host (1, 3, 11) or for CUDA and ROCm (2, "
     "10, 13), got (4, 0)"),
    ("xp.Device(('cuda', 0))", "TypeError",
     "Device: device must be a pair of ints (type, id), got ('cuda', 0)"),
    ("xp.default_device('gpu')", "ValueError",
     "default_device: device must be 'cpu', 'cuda' or 'cuda:<id>', got 'gpu'"),
    ("xp.einsum(x, x)", "TypeError", "einsum: subscripts must be a str, got Array"),
    ("xp.pad(x, 1, 'mean')", "ValueError",
     "pad: mode must be 'constant', 'edge', 'reflect', 'symmetric' or 'wrap', got 'mean'"),
    ("xp.pad(x, 1.5)", "TypeError",
     "pad: pad_width must be an int, a pair of ints or a pair for each axis, got 1.5"),
    ("xp.pad(x, 1, constant_values=1j)", "TypeError",
     "pad: constant_values must be real for dtype int64, got 1j"),
    ("xp.unpickle_device('gpu')", "ValueError",
     "unpickle_device: device must be 'cpu', 'cuda' or 'cuda:<id>', got 'gpu'"),
    ("xp.set_default_device(None)", "TypeError",
     "set_default_device: device must be a str, an xpdl.Device or a DLPack pair of ints, got "
     "NoneType"),
    ("x.to_device('cpu', stream=1)", "ValueError",
     "to_device: stream must be None or -1 for an array on the host, got 1"),
    ("x.to_device('cpu', stream='1')", "TypeError",
     "to_device: stream must be an int, None or an object with __cuda_stream__, got str"),
    ("x.__cuda_array_interface__", "AttributeError",
     "__cuda_array_interface__: x must be on CUDA, got cpu"),
    ("xp.record_stream(x, 1)", "ValueError",
     "record_stream: stream must be None or -1 for an array on the host, got 1"),
    ("xp.record_stream(x, '1')", "TypeError",
     "record_stream: stream must be an int, None or an object with __cuda_stream__, got str"),
    ("xp.sum(x, axis='a')", "TypeError",
     "sum: axis must be an int, a tuple of ints or None, got 'a'"),
    ("xp.sum(x, axis=1)", "AxisError", "sum: axis 1 is out of bounds for array of dimension 1"),
    ("xp.max(z, axis=0)", "AxisError", "max: axis 0 is out of bounds for array of dimension 0"),
    ("xp.argmax(m, axis=(0, 1))", "TypeError", "argmax: axis must be an int or None, got (0, 1)"),
    ("xp.sort(x, axis=None)", "TypeError", "sort: axis must be an int, got None"),
    ("xp.sum(x, keepdims=None)", "TypeError", "sum: keepdims must be a bool, got None"),
    ("xp.std(f, correction=None)", "TypeError", "std: correction must be a real number, got None"),
    # asarray
    ("xp.asarray('abc')", "TypeError",
     "asarray: obj must be an array, a nested sequence of numbers, a scalar, or an object with "
     "DLPack or a buffer, got str"),
    ("xp.asarray(['a'])", "TypeError",
     "asarray: obj must hold numbers, got values that NumPy reads as dtype <U1"),
    ("xp.asarray([None])", "TypeError",
     "asarray: obj must hold numbers, got values that NumPy reads as dtype object"),
    ("a list that holds itself", "ValueError",
     "asarray: obj must be nested at most 64 deep"),
    ("xp.asarray([2**64])", "OverflowError",
     "asarray: obj must hold integers that fit int64 or uint64, got larger ones"),
    ("xp.asarray(np.array(['a']))", "TypeError",
     "asarray: obj must have a dtype that xpdl holds (bool, integer, float, complex), got <U1"),
    ("xp.asarray(np.ma.ones(3))", "TypeError",
     "asarray: obj must not be a masked array, whose mask would be lost; use its filled() values"),
    ("xp.asarray([1j], dtype=xp.float64)", "TypeError",
     "asarray: dtype must be complex for complex values, got float64; take the real part with "
     "xpdl.real"),
    ("xp.astype(c, xp.float64)", "TypeError",
     "astype: dtype must be complex for complex values, got float64; take the real part with "
     "xpdl.real"),
    ("xp.asarray(x, copy=1)", "TypeError", "asarray: copy must be True, False or None, got 1"),
    ("xp.asarray([1, 2], copy=False)", "ValueError",
     "asarray: copy=False cannot be honoured for list, which has no array memory; use copy=None"),
    ("xp.asarray(x, dtype=xp.float32, copy=False)", "ValueError",
     "asarray: copy=False cannot be honoured for a change of dtype from int64 to float32; use "
     "copy=None"),
    ("xp.asarray(a.astype('>f8'), copy=False)", "ValueError",
     "asarray: copy=False cannot be honoured for data in foreign byte order; use copy=None"),
    # Creation
    ("xp.arange(3, step=0)", "ValueError", "arange: step must not be 0, got 0"),
    ("xp.arange(300, dtype=xp.int8)", "OverflowError",
     "arange: values must fit dtype int8, got 299"),
    ("xp.full(3, 'a')", "TypeError", "full: fill_value must be a number or a 0-d Array, got str"),
    ("xp.full(3, 1j, dtype=xp.float64)", "TypeError",
     "full: fill_value must be real for dtype float64, got 1j"),
    ("xp.arange(1j)", "TypeError", "arange: stop must be a real number, got 1j"),
    ("xp.tril(x)", "ValueError", "tril: x must have at least two dimensions, got shape (3,)"),
    ("xp.linspace(0, 300, 3, dtype=xp.int8)", "OverflowError",
     "linspace: values must fit dtype int8, got 300"),
    ("xp.linspace(0, 1, -1)", "ValueError",
     "linspace: num must not be negative, got -1"),
    ("xp.linspace(0, 1, 3.0)", "TypeError",
     "linspace: num must be an int, got 3.0"),
    ("xp.linspace(0, 10**400, 3)", "OverflowError",
     "linspace: stop must fit a float, got an int of 1329 bits"),
    ("xp.eye(3, k=1.0)", "TypeError",
     "eye: k must be an int, got 1.0"),
    ("xp.meshgrid(x, indexing='yx')", "ValueError",
     "meshgrid: indexing must be 'xy' or 'ij', got 'yx'"),
    # Other functions of the standard
    ("xp.isdtype(xp.int8, 'number')", "ValueError",
     "isdtype: kind must be one of 'bool', 'signed integer', 'unsigned integer', 'integral', "
     "'real floating', 'complex floating', 'numeric', got 'number'"),
    ("xp.result_type(1, 2.0)", "TypeError",
     "result_type: at least one argument must be an Array or a dtype, got int, float"),
    ("xp.result_type(xp.int8, np.str_('a'))", "TypeError",
     "result_type: scalars must be numbers, got str_"),
    ("xp.astype(x, None)", "TypeError", "astype: dtype must be a dtype, got None"),
    ("xp.finfo(xp.int8)", "TypeError",
     "finfo: type must be a floating dtype, got int8; iinfo is for integers"),
    ("xp.iinfo(xp.float32)", "TypeError",
     "iinfo: type must be an integer dtype, got float32; finfo is for floats"),
    ("xp.take(m, x)", "ValueError",
     "take: axis must be an int for an array of 2 dimensions, got None"),
    ("xp.__array_namespace_info__().dtypes(kind=3)", "TypeError",
     "dtypes: kind must be a str or a tuple of str, got 3"),
    ("xp.__array_namespace_info__().dtypes(kind='number')", "ValueError",
     "dtypes: kind must be one of 'bool', 'signed integer', 'unsigned integer', 'integral', "
     "'real floating', 'complex floating', 'numeric', got 'number'"),
    ("xp.tensordot(m, m, axes=-1)", "ValueError", "tensordot: axes must not be negative, got -1"),
    ("xp.tensordot(m, m, axes=(1,))", "ValueError",
     "tensordot: axes must be an int or two tuples of ints, got (1,)"),
    ("xp.reshape(x, (-2,))", "ValueError",
     "reshape: shape must not have negative sizes, got (-2,)"),
    ("xp.broadcast_to(m, (3,))", "ValueError",
     "broadcast_to: shape must have as many sizes as x of shape (2, 3) or more, got (3,)"),
    ("xp.broadcast_shapes((-1,), (2,))", "ValueError",
     "broadcast_shapes: sizes must not be negative, got (-1,)"),
    ("xp.broadcast_shapes((2,), (3,))", "ValueError",
     "broadcast_shapes: shapes must be equal or 1 along each axis, counted from the last, got "
     "(2,) and (3,)"),
    ("xp.repeat(x, 1.5)", "TypeError",
     "repeat: repeats must be an int or a tuple of ints, got 1.5"),
    ("xp.clip(x, min=1j)", "TypeError",
     "clip: min must be real for x of dtype int64, got dtype complex128"),
    ("xp.clip(x, min=xp.nan)", "ValueError",
     "clip: min must not be NaN for x of dtype int64, got nan"),
    ("xp.cumulative_sum(m)", "ValueError",
     "cumulative_sum: axis must be given unless x is 1-D, got x of shape (2, 3)"),
    ("xp.nonzero(z)", "ValueError",
     "nonzero: x must have one or more dimensions, got shape (); reshape it to (1,)"),
    ("xp.searchsorted(m, 1.0)", "ValueError", "searchsorted: x1 must be 1-D, got shape (2, 3)"),
    ("xp.searchsorted(f, 1.0, side='middle')", "ValueError",
     "searchsorted: side must be 'left' or 'right', got 'middle'"),
    ("xp.searchsorted(f, None)", "TypeError",
     "searchsorted: x2 must be an Array or a scalar, got None"),
    ("xp.searchsorted(f, 1.0, sorter=x[:1])", "ValueError",
     "searchsorted: sorter must have the shape of x1, (3,), got (1,)"),
    ("xp.searchsorted(f, 1.0, sorter=[0, 1, 2])", "TypeError",
     "searchsorted: sorter must be an Array of integers or None, got [0, 1, 2]"),
    ("xp.where(x > 1, None, x)", "TypeError",
     "where: condition, x1 and x2 must be Arrays or scalars, got None"),
    ("xp.isin(x, None)", "TypeError", "isin: x1 and x2 must be Arrays or scalars, got None"),
    ("xp.fft.fft(f, axis=1)", "AxisError",
     "fft.fft: axis 1 is out of bounds for array of dimension 1"),
    ("xp.fft.fftn(f, s=(2, 2), axes=(0,))", "ValueError",
     "fft.fftn: s and axes must have one length, got (2, 2) and (0,)"),
    ("xp.fft.fft(c, norm='forwards')", "ValueError",
     "fft.fft: norm must be 'backward', 'ortho' or 'forward', got 'forwards'"),
    ("xp.fft.rfft(c)", "TypeError", "fft.rfft: x must be real, got dtype complex128"),
    ("xp.fft.rfftn(f, axes=())", "ValueError",
     "fft.rfftn: axes must name at least one axis, got ()"),
    ("xp.fft.fftfreq(3, dtype=xp.int8)", "TypeError",
     "fft.fftfreq: dtype must be a real floating dtype, got int8"),
    ("xp.fft.fftfreq(1.5)", "TypeError", "fft.fftfreq: n must be an int, got 1.5"),
    ("xp.fft.fftfreq(0)", "ValueError", "fft.fftfreq: n must be at least 1, got 0"),
    ("xp.fft.fftfreq(3, d=0.0)", "ValueError", "fft.fftfreq: d must not be 0, got 0.0"),
    ("xp.linalg.matrix_rank(f)", "ValueError",
     "linalg.matrix_rank: x must have at least two dimensions, got shape (3,)"),
    ("xp.linalg.qr(m, mode='full')", "ValueError",
     "linalg.qr: mode must be 'reduced' or 'complete', got 'full'"),
    ("xp.linalg.vector_norm(f, ord='fro')", "TypeError",
     "linalg.vector_norm: ord must be a real number, got 'fro'"),
    ("xp.linalg.matrix_norm(m, ord=3)", "ValueError",
     "linalg.matrix_norm: ord must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got 3"),
    ("xp.float7", "AttributeError", "module 'xpdl' has no attribute 'float7'"),
    ("xp.take(x, x > 1)", "TypeError",
     "take: indices must be integers, got bool; use x[mask] for a mask"),
    ("xp.take(x, 1.0)", "TypeError",
     "take: indices must be an Array of integers or an int, got 1.0; convert them with "
     "xpdl.asarray"),
    ("xp.repeat(x, x > 1)", "TypeError",
     "repeat: repeats must be integers, got bool"),
    ("xp.roll(x, 1.5)", "TypeError",
     "roll: shift must be an int or a tuple of ints, got 1.5"),
    ("xp.roll(x, (1, 2), axis=0)", "ValueError",
     "roll: shift and axis must have one length, got (1, 2) and 0"),
    ("xp.tensordot(x, x, axes=1.0)", "TypeError",
     "tensordot: axes must be an int, got 1.0"),
    ("xp.searchsorted(x, 1j)", "TypeError",
     "searchsorted: x2 must be real for x1 of dtype int64, got dtype complex128"),
    ("xp.searchsorted(xp.asarray([1], dtype=xp.uint64), x, sorter=x[:1])", "ValueError",
     "searchsorted: sorter must hold indices into x1, got one out of range"),
    ("xp.fft.fftn(f, s=3)", "TypeError",
     "fft.fftn: s must be a tuple of ints or None, got 3"),
    ("xp.fft.fftfreq(3, d=1j)", "TypeError",
     "fft.fftfreq: d must be a real number, got 1j"),
    ("xp.linalg.pinv(m, rtol=1j)", "TypeError",
     "linalg.pinv: rtol must be a real number, got 1j"),
    ("xp.linalg.pinv(m, rtol=c)", "TypeError",
     "linalg.pinv: rtol must be real, got dtype complex128"),
    # Import by DLPack
    ("xp.from_dlpack([1, 2])", "AttributeError",
     "from_dlpack: x must have __dlpack__ and __dlpack_device__ or be a DLPack capsule, got "
     "list; convert it with xpdl.asarray"),
    ("xp.from_dlpack(x, copy=1)", "TypeError",
     "from_dlpack: copy must be True, False or None, got 1"),
    ("xp.from_dlpack(x, device='gpu')", "ValueError",
     "from_dlpack: device must be 'cpu', 'cuda' or 'cuda:<id>', got 'gpu'"),
    ("xp.from_dlpack(np.array(['a']))", "BufferError",
     "from_dlpack: x must have a dtype that DLPack can express, got <U1"),
    ("xp.from_dlpack(a.astype('>f8'))", "BufferError",
     "from_dlpack: x must be in native byte order, got dtype >f8; convert it with xpdl.asarray"),
    ("xp.from_dlpack(np.ma.ones(3))", "BufferError",
     "from_dlpack: x must not be a masked array, whose mask would be lost; use its filled() "
     "values"),
    ("xp.from_dlpack(used)", "BufferError",
     "from_dlpack: a DLPack capsule can be consumed once, got one that was already consumed; "
     "ask the producer for another"),
    ("a capsule of another name", "BufferError",
     "from_dlpack: a DLPack capsule must be named 'dltensor' or 'dltensor_versioned', got "
     "'tensor'"),
    ("a `__dlpack__` that returns an int", "BufferError",
     "from_dlpack: x.__dlpack__() must return a DLPack capsule, got int"),
    ("a `__dlpack_device__` that returns an int", "BufferError",
     "from_dlpack: x.__dlpack_device__() must return a pair of ints (type, id), got 1"),
    ("a tensor elsewhere than `__dlpack_device__` says", "BufferError",
     "from_dlpack: the tensor must be on the device that x.__dlpack_device__() returns, (2, "
     "0), got a tensor on (1, 0)"),
    ("a tensor of DLPack 2.0", "BufferError",
     "from_dlpack: the tensor must follow DLPack 1.x, got version 2.0"),
    ("a tensor of ndim 65", "BufferError",
     "from_dlpack: the tensor's ndim must be 0 to 64, got 65"),
    ("a tensor without a shape", "BufferError",
     "from_dlpack: the tensor's shape must be given for ndim 1, got NULL"),
    ("a tensor of a negative shape", "BufferError",
     "from_dlpack: the tensor's shape must not be negative, got -3 in axis 0"),
    ("a tensor beyond every address", "BufferError",
     "from_dlpack: the tensor must fit an address space of 2**63 bytes, got shape "
     "(4611686018427387904,) and strides (8,)"),
    ("a tensor without data", "BufferError",
     "from_dlpack: the tensor's data must be given for shape (3,), got NULL"),
    ("a tensor at the end of memory", "BufferError",
     "from_dlpack: the tensor's elements must lie in the address space, got data at "
     "0xfffffffffffffff8 with byte_offset 0"),
    ("a tensor on DLPack device 4", "BufferError",
     "from_dlpack: the tensor must be on the host or on CUDA or ROCm, got DLPack device (4, 0)"),
    ("a tensor of a dtype that xpdl lacks", "BufferError",
     "from_dlpack: the tensor's dtype must be one that xpdl holds, got complex32"),
    ("a tensor of vectors", "BufferError",
     "from_dlpack: the tensor's dtype must be one that xpdl holds, got float64 with 4 lanes"),
    ("a tensor that is not aligned with `copy=False`", "CopyRequiredError",
     "from_dlpack: copy=False cannot be honoured for data that is not aligned to its dtype "
     "float64; use copy=None"),
    ("a producer that copied with `copy=False`", "CopyRequiredError",
     "from_dlpack: copy=False cannot be honoured, since the producer made a copy; use copy=None"),
    ("xp.dlpack.from_address('0x10')", "TypeError",
     "from_address: address must be an int, got str"),
    ("xp.dlpack.from_address(0)", "ValueError",
     "from_address: address must be that of a managed tensor, got 0"),
    # Export by DLPack
    ("xp.to_dlpack([1, 2])", "AttributeError",
     "to_dlpack: x must have __dlpack__, got list; convert it with xpdl.asarray"),
    ("x.__dlpack__(max_version=1)", "TypeError",
     "__dlpack__: max_version must be None or a tuple of two ints (major, minor), got 1"),
    ("x.__dlpack__(dl_device='cpu')", "TypeError",
     "__dlpack__: dl_device must be None or a tuple of two ints (device type, device id), got "
     "'cpu'"),
    ("x.__dlpack__(dl_device=(2, 0))", "BufferError",
     "__dlpack__: dl_device must be (1, 0) or the array's own (1, 0), got (2, 0); move the "
     "array with to_device"),
    ("x.__dlpack__(copy=1)", "TypeError", "__dlpack__: copy must be True, False or None, got 1"),
    ("x.__dlpack__(stream=1)", "ValueError",
     "__dlpack__: stream must be None or -1 for an array on the host, got 1"),
    ("x.__dlpack__(stream='1')", "TypeError", "__dlpack__: stream must be an int or None, got str"),
    ("ro.__dlpack__()", "BufferError",
     "__dlpack__: a read-only array cannot go out in a legacy capsule, which has no flag for "
     "it; ask with max_version=(1, 0) or copy=True"),
    ("odd.__dlpack__(copy=False)", "CopyRequiredError",
     "__dlpack__: copy=False cannot be honoured, since the array's strides are no multiple of "
     "its itemsize; use copy=None"),
    ("xp.dlpack.to_address(ro, versioned=False)", "BufferError",
     "to_address: a legacy managed tensor has no flags, and x needs READ_ONLY; use "
     "versioned=True"),
    # ReadOnlyWrapper
    ("xp.ReadOnlyWrapper([1, 2])", "TypeError",
     "ReadOnlyWrapper: x must have __dlpack__ and __dlpack_device__, got list; convert it with "
     "xpdl.asarray"),
    ("w + 1", "RuntimeError",
     "ReadOnlyWrapper: only DLPack export is allowed, got __add__; import it first, "
     "xpdl.from_dlpack(wrapper)"),
    ("w[0]", "RuntimeError",
     "ReadOnlyWrapper: only DLPack export is allowed, got __getitem__; import it first, "
     "xpdl.from_dlpack(wrapper)"),
    ("w.shape", "RuntimeError",
     "ReadOnlyWrapper: only DLPack export is allowed, got attribute 'shape'; import it first, "
     "xpdl.from_dlpack(wrapper)"),
    ("memoryview(w)", "RuntimeError",
     "ReadOnlyWrapper: only DLPack export is allowed, got the buffer protocol; import it "
     "first, xpdl.from_dlpack(wrapper)"),
    ("w.__dlpack__()", "BufferError",
     "__dlpack__: a read-only array cannot go out in a legacy capsule, which has no flag for "
     "it; ask with max_version=(1, 0) or copy=True"),
    ("xp.ReadOnlyWrapper(a).__dlpack__()", "BufferError",
     "__dlpack__: a read-only wrapper cannot go out in a legacy capsule, which has no flag for "
     "it; ask with max_version=(1, 0)"),
    ("xp.ReadOnlyWrapper(a).__dlpack__(max_version=(1, 0), dl_device=(2, 0))", "BufferError",
     "__dlpack__: dl_device must be (1, 0) or the device of what is wrapped, (1, 0), got (2, 0)"),
    ("type('Sub', (xp.ReadOnlyWrapper,), {})", "TypeError",
     "ReadOnlyWrapper: cannot be subclassed"),
    # The exchange API in C
    ("from an object that is no Array", "BufferError",
     "DLPack exchange API: the object must be an xpdl Array, got int"),
    ("from an object that is no ReadOnlyWrapper", "BufferError",
     "DLPack exchange API: the object must be a ReadOnlyWrapper, got int"),
    ("a managed tensor of strides between items", "BufferError",
     "DLPack exchange API: the array's strides must be multiples of its itemsize; exchange a "
     "copy, x.copy()"),
    ("a DLTensor of a read-only array", "BufferError",
     "DLPack exchange API: a DLTensor cannot mark a read-only array; exchange a copy, "
     "x.copy(), or a managed tensor"),
    ("a DLTensor of strides between items", "BufferError",
     "DLPack exchange API: a DLTensor cannot describe this array's layout; exchange a copy, "
     "x.copy(), or a managed tensor"),
    ("an array of a NULL tensor", "BufferError",
     "DLPack exchange API: the managed tensor must be given, got NULL"),
    ("the work stream of another device", "BufferError",
     "DLPack exchange API: no work stream for DLPack device (4, 0)"),
]

ON_TWO_DEVICES = [
    # Several devices
    ("x + d", "ValueError",
     "add: all arrays must be on one device, got cpu and cuda:0; move one with x.to_device"),
    ("d[x]", "ValueError",
     "__getitem__: all arrays must be on one device, got cuda:0 and cpu; move one with "
     "x.to_device"),
    ("d[0] = x[0]", "ValueError",
     "__setitem__: all arrays must be on one device, got cuda:0 and cpu; move one with "
     "x.to_device"),
    ("xp.concat([d, x])", "ValueError",
     "concat: all arrays must be on one device, got cuda:0 and cpu; move one with x.to_device"),
    ("xp.asarray([x, d])", "ValueError",
     "asarray: all arrays must be on one device, got cpu and cuda:0; move one with x.to_device"),
    ("xp.asarray(d, device='cpu', copy=False)", "ValueError",
     "asarray: copy=False cannot be honoured for a move from cuda:0 to cpu; use copy=None"),
    ("xp.from_dlpack(d, device='cpu', copy=False)", "CopyRequiredError",
     "from_dlpack: copy=False cannot be honoured for a move from cuda:0 to cpu; use copy=None"),
    ("np.asarray(d)", "TypeError",
     "__array__: x must be on the CPU, got cuda:0; move it with x.to_device('cpu')"),
    ("xp.log10(xp.astype(d, xp.float32))", "NotImplementedError", "log10: not available on cuda:0"),
    # Without ml_dtypes
    ("xp.bfloat16", "AttributeError",
     "xpdl.bfloat16 needs the package ml_dtypes: pip install 'xpdl[dtypes]'"),
    ("a tensor of bfloat16", "BufferError",
     "from_dlpack: dtype bfloat16 needs ml_dtypes; pip install ml_dtypes"),
]

WITHOUT_CUDA = [
    # Where a GPU or CuPy is missing
    ("CuPy is not installed", "NotImplementedError",
     "zeros: device cuda:0 needs CuPy 14.2 or newer, got none; pip install 'xpdl[cuda12]' or "
     "'xpdl[cuda13]', after the version of CUDA"),
    ("CuPy is too old", "NotImplementedError",
     "zeros: device cuda:0 needs CuPy 14.2 or newer, got 13.6.0; pip install 'xpdl[cuda12]' or "
     "'xpdl[cuda13]', after the version of CUDA"),
    ("there is no driver", "NotImplementedError",
     "zeros: device cuda:0 needs a GPU and its driver, got cudaErrorInsufficientDriver; use 'cpu'"),
    ("there is no GPU", "NotImplementedError",
     "zeros: device cuda:0 needs a GPU and its driver, got no GPU; use 'cpu'"),
    ("there are fewer GPUs", "NotImplementedError",
     "zeros: device must be one of the 2 GPUs that are there, from cuda:0, got cuda:3"),
    ("xp.from_dlpack(x, device='cuda')", "BufferError",
     "from_dlpack: device cuda:0 needs CuPy 14.2 or newer, got none; pip install 'xpdl[cuda12]' "
     "or 'xpdl[cuda13]', after the version of CUDA"),
    ("xp.from_dlpack(Fake(a, device=(2, 0)))", "BufferError",
     "from_dlpack: device cuda:0 needs CuPy 14.2 or newer, got none; pip install 'xpdl[cuda12]' "
     "or 'xpdl[cuda13]', after the version of CUDA; or import it on the host, device='cpu'"),
    ("the work stream of a GPU", "BufferError",
     "DLPack exchange API: device cuda:0 needs CuPy 14.2 or newer, got none; pip install "
     "'xpdl[cuda12]' or 'xpdl[cuda13]', after the version of CUDA; or import it on the host, "
     "device='cpu'"),
]

ON_CUDA = [
    # Arrays on CUDA
    ("d.__dlpack__(stream=0)", "ValueError",
     "__dlpack__: stream must be None, -1, 1 (legacy default), 2 (per-thread default) or a handle "
     "above 2, got 0"),
    ("d.__dlpack__(stream='1')", "TypeError",
     "__dlpack__: stream must be an int or None, got str"),
    ("an export to the default stream while a graph is captured", "BufferError",
     "__dlpack__: stream must not be the default one while CuPy's current stream is captured into "
     "a graph, got None; pass that stream or -1"),
    ("d.__dlpack__(dl_device=(2, 1))", "BufferError",
     "__dlpack__: dl_device must be (1, 0) or the array's own (2, 0), got (2, 1); move the array "
     "with to_device"),
    ("d.__dlpack__(dl_device=(1, 0), stream=1)", "ValueError",
     "__dlpack__: stream must be None for dl_device (1, 0), since the host has no streams, got 1"),
    ("d.__dlpack__(dl_device=(1, 0), copy=False)", "CopyRequiredError",
     "__dlpack__: copy=False cannot be honoured for a move from cuda:0 to cpu; use copy=None"),
    ("memory of ROCm", "BufferError",
     "from_dlpack: the tensor must be of DLPack device type 2 or 13 for this build of CuPy, got "
     "10"),
    ("a tensor on CUDA that is not aligned", "BufferError",
     "from_dlpack: the tensor's data on cuda:0 must be aligned to its dtype float64, got address "
     "0x404; copy it with its own library"),
    ("an object with a mask and `__cuda_array_interface__`", "TypeError",
     "asarray: obj must not have a mask, which would be lost"),
    ("xp.take(d, 9)", "IndexError", "take: index 9 is out of bounds for size 3"),
    ("d ** -1", "ValueError", "pow: Integers to negative integer powers are not allowed."),
    ("d[[0.5]]", "IndexError",
     "__getitem__: arrays used as indices must be of integer or boolean type, got float64"),
]

OF_TORCH = [
    # Tensors of torch
    ("xp.from_dlpack(t._neg_view())", "BufferError",
     "from_dlpack: x must not have its negative bit set, since its memory holds the values "
     "with the other sign; use x.resolve_neg()"),
    ("a wrapper of a lazy clone that requires a gradient", "BufferError",
     "ReadOnlyWrapper: x must not require a gradient or have its conjugate bit set; use "
     "x.detach() or x.resolve_conj()"),
    ("a wrapper of a lazy clone of 65 axes", "BufferError",
     "ReadOnlyWrapper: x must have at most 64 axes, got 65"),
]

OF_ML_DTYPES = [
    # Dtypes of ml_dtypes
    ("a packed tensor that is strided", "BufferError",
     "from_dlpack: a packed tensor of uint4 must be in C order, got strides (1, 2)"),
    ("a packed tensor with `copy=False`", "CopyRequiredError",
     "from_dlpack: copy=False cannot be honoured for packed uint4; use copy=None"),
    ("xp.zeros(3, dtype=xp.int4).__dlpack__()", "BufferError",
     "__dlpack__: int4 with a byte for each item cannot go out in a legacy capsule, which has "
     "no flag for it; ask with max_version=(1, 0)"),
    ("xp.dlpack.to_address(xp.zeros(3, dtype=xp.int4), versioned=False)", "BufferError",
     "to_address: a legacy managed tensor has no flags, and x needs IS_SUBBYTE_TYPE_PADDED; "
     "use versioned=True"),
]

# What is done in the rows that say it in words.
CODE = {
    "a list that holds itself": "l = []; l.append(l); xp.asarray(l)",
    "unpickling what is no ndarray": "array_from_pickle([1], False)",
    "unpickling an ndarray of objects": "array_from_pickle(np.array([None]), False)",
    "unpickling an array of a device that is not here": (
        "array_from_pickle(np.ones(3), False, xp.Device('cuda:9'))"
    ),
    "a capsule of another name": "xp.from_dlpack(renamed(x.__dlpack__(), b'tensor'))",
    "a `__dlpack__` that returns an int": "xp.from_dlpack(Fake(a, result=3))",
    "a `__dlpack_device__` that returns an int": "xp.from_dlpack(Fake(a, claimed_device=1))",
    "a tensor elsewhere than `__dlpack_device__` says": (
        "xp.from_dlpack(Fake(a, claimed_device=(2, 0)))"
    ),
    "a tensor of DLPack 2.0": "xp.from_dlpack(Fake(a, version=(2, 0)))",
    "a tensor of ndim 65": "xp.from_dlpack(Fake(a, shape=(1,) * 65, strides=None))",
    "a tensor without a shape": "xp.from_dlpack(Fake(a, shape=None, ndim=1, strides=None))",
    "a tensor of a negative shape": "xp.from_dlpack(Fake(a, shape=(-3,), strides=(1,)))",
    "a tensor beyond every address": "xp.from_dlpack(Fake(a, shape=(2**62,), strides=(8,)))",
    "a tensor without data": "xp.from_dlpack(Fake(a, data=None))",
    "a tensor at the end of memory": "xp.from_dlpack(Fake(a, data=2**64 - 8))",
    "a tensor on DLPack device 4": "xp.from_dlpack(Fake(a, device=(4, 0)))",
    "a tensor on CUDA where there is none": "xp.from_dlpack(Fake(a, device=(2, 0)))",
    "a tensor of a dtype that xpdl lacks": "xp.from_dlpack(Fake(a, dtype=(5, 32, 1)))",
    "a tensor of vectors": "xp.from_dlpack(Fake(a, dtype=(2, 64, 4)))",
    "a tensor that is not aligned with `copy=False`": (
        "xp.from_dlpack(Fake(a, data=a.ctypes.data + 1, shape=(2,), strides=(1,)), copy=False)"
    ),
    "a producer that copied with `copy=False`": "xp.from_dlpack(Fake(a, flags=2), copy=False)",
    "from an object that is no Array": "Table(xp.Array).from_py(3)",
    "from an object that is no ReadOnlyWrapper": "Table(xp.ReadOnlyWrapper).from_py(3)",
    "a managed tensor of strides between items": "Table(xp.Array).from_py(odd)",
    "a DLTensor of a read-only array": "Table(xp.Array).dltensor(ro)",
    "a DLTensor of strides between items": "Table(xp.Array).dltensor(odd)",
    "an array of a NULL tensor": "Table(xp.Array).to_py(None)",
    "the work stream of another device": "Table(xp.Array).work_stream(4, 0)",
    "CuPy is not installed": "xp.zeros(3, device='cuda')",
    "CuPy is too old": "cupy_of('13.6.0', 1); xp.zeros(3, device='cuda')",
    "there is no driver": "cupy_of('14.2.0', None); xp.zeros(3, device='cuda')",
    "there is no GPU": "cupy_of('14.2.0', 0); xp.zeros(3, device='cuda')",
    "there are fewer GPUs": "cupy_of('14.2.0', 2); xp.zeros(3, device='cuda:3')",
    "the work stream of a GPU": "Table(xp.Array).work_stream(2, 0)",
    "an export to the default stream while a graph is captured": (
        "capturing(lambda: d.__dlpack__(stream=None))"
    ),
    "memory of ROCm": "xp.from_dlpack(Fake(a, device=(10, 0)))",
    "a tensor on CUDA that is not aligned": (
        "xp.from_dlpack(Fake(a, device=(2, 0), data=1024 + 4))"
    ),
    "an object with a mask and `__cuda_array_interface__`": "xp.asarray(masked)",
    "a tensor of bfloat16": "xp.from_dlpack(Fake(np.zeros(1, 'u2'), dtype=(4, 16, 1)))",
    "a packed tensor that is strided": (
        "xp.from_dlpack(Fake(np.zeros(4, 'u1'), dtype=(1, 4, 1), shape=(2, 2), strides=(1, 2)))"
    ),
    "a packed tensor with `copy=False`": (
        "xp.from_dlpack(Fake(np.zeros(4, 'u1'), dtype=(1, 4, 1)), copy=False)"
    ),
    "a wrapper of a lazy clone that requires a gradient": (
        "xp.ReadOnlyWrapper(torch._lazy_clone(t).requires_grad_()).__dlpack__(max_version=(1, "
        "0))"
    ),
    "a wrapper of a lazy clone of 65 axes": (
        "xp.ReadOnlyWrapper(torch._lazy_clone(t[:1].reshape((1,) * "
        "65))).__dlpack__(max_version=(1, 0))"
    ),
}
