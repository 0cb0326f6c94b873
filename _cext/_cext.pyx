# cython: language_level=3, binding=True, boundscheck=False, wraparound=False, cdivision=True
# cython: annotation_typing=False, embedsignature=False, always_allow_keywords=True
"""Array, Device and the DLPack exchange: the compiled part of xpdl.

This file is a table of contents. Each part uses only names of the parts above it and of the
classes declared in xpdl/_cext.pxd; `array.pxi`, last, gives Array its methods. What is imported
here is used there, which the linter cannot see.
"""

cimport cython  # no-cython-lint
from cpython.bytes cimport PyBytes_FromStringAndSize  # no-cython-lint
from cpython.long cimport PyLong_AsLongAndOverflow  # no-cython-lint
from cpython.number cimport PyNumber_Index  # no-cython-lint
from cpython.object cimport PyObject, PyTypeObject  # no-cython-lint
from cpython.pycapsule cimport PyCapsule_CheckExact, PyCapsule_GetName, PyCapsule_GetPointer  # no-cython-lint
from cpython.pycapsule cimport PyCapsule_IsValid, PyCapsule_New, PyCapsule_SetName  # no-cython-lint
from libc.math cimport isinf  # no-cython-lint
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint16_t, uint32_t, uint64_t, uintptr_t  # no-cython-lint
from libc.stdlib cimport free, malloc  # no-cython-lint
from libc.string cimport memcpy, memset, strcmp  # no-cython-lint

cimport numpy as cnp  # no-cython-lint

from dlpack_abi cimport *  # no-cython-lint

import contextlib  # no-cython-lint
import contextvars  # no-cython-lint
import functools  # no-cython-lint
import inspect  # no-cython-lint
import operator  # no-cython-lint
import os  # no-cython-lint
import sys  # no-cython-lint
import weakref  # no-cython-lint
from types import GetSetDescriptorType, MethodDescriptorType  # no-cython-lint

import numpy as np  # no-cython-lint

cnp.import_array()

include "python_api.pxi"  # the parts of CPython's and NumPy's C API that Cython does not declare
include "errors.pxi"      # CopyRequiredError; how a library's exception is renamed
include "device.pxi"      # Device, the default device, function tables
include "dtype.pxi"       # DLPack type codes <-> numpy dtypes, one table read both ways
include "wrap.pxi"        # a library's array <-> Array
include "values.pxi"      # questions about the values of an ndarray
include "arguments.pxi"   # arguments that are ints, axes, bools, shapes
include "dispatch.pxi"    # the families of functions, the operators
include "indexing.pxi"    # x[key] and x[key] = value
include "conversion.pxi"  # asarray: Python objects, buffers and foreign arrays
include "stream.pxi"      # what a stream number means on which device
include "owner.pxi"       # a managed tensor: checked, viewed, released exactly once
include "device_memory.pxi"  # memory of other devices, by way of their backend
include "producer.pxi"    # the protocol as callee: __dlpack__
include "exchange.pxi"    # the C exchange API, consumed and published
include "ordering.pxi"    # xpdl's stream waits for that of a producer
include "consumer.pxi"    # the protocol as caller: from_dlpack
include "readonly.pxi"    # ReadOnlyWrapper
include "inspection.pxi"  # what a producer hands out; managed tensors by address
include "pickling.pxi"    # an Array as bytes of the host and a device, and back
include "array.pxi"       # Array
