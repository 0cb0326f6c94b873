/* A function that fails without an exception, as NumPy's do where memory runs out, gets one before
 * Cython notes the traceback: CPython reads the pending exception there, which must not be missing. */
#ifndef XPDL_ERROR_RETURN_H
#define XPDL_ERROR_RETURN_H

#include <Python.h>

static inline int xpdl_traceback_here(PyFrameObject *frame) {
  if (!PyErr_Occurred()) {
    PyErr_SetString(PyExc_SystemError, "a function failed without an exception");
  }
  return PyTraceBack_Here(frame);
}

#define PyTraceBack_Here xpdl_traceback_here

#endif
