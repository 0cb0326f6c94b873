"""``python -m cupy_double [arguments of pytest]``: run pytest with the double in place of CuPy."""

import sys

import pytest

import cupy_double

cupy_double.install(devices=1)
sys.exit(pytest.main(sys.argv[1:]))
