"""CuPy's wheel beside the double: it imports without a GPU and tells names and signatures."""

import pytest


def require_wheel():
    """What the double knows of the real CuPy's signatures; skip where its wheel is missing."""
    from cupy_double import signatures

    if signatures.real is None:
        pytest.skip("needs CuPy's wheel, which needs no GPU: pip install cupy-cuda13x")
    return signatures
