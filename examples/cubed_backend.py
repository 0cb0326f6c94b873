"""Cubed computes chunk by chunk in xpdl: a plan over files, run by two kinds of local executor.

    pip install cubed
    python examples/cubed_backend.py

Cubed reads its environment variable at import, so it is set first; a program that others start sets
it outside. The same plan runs on Dask, Ray, Spark, Modal, AWS Lambda or Google Cloud by
another executor in the Spec.
"""

import os
import tempfile

os.environ["CUBED_BACKEND_ARRAY_API_MODULE"] = "xpdl"

import cubed
import cubed.array_api as cxp
import cubed.random
import numpy as np

import xpdl as xp


def root_of_sum(chunk):
    """A step of the user's own: Cubed gives it arrays of xpdl, and takes them."""
    if not isinstance(chunk, xp.Array):
        raise TypeError(f"root_of_sum: chunk must be an xpdl Array, got {type(chunk).__name__}")
    return xp.sqrt(xp.sum(chunk * chunk, axis=1, keepdims=True))


def run(executor, folder):
    """Standardize the columns of a matrix that never is in memory as a whole."""
    spec = cubed.Spec(work_dir=folder, allowed_mem="100MB", executor_name=executor)
    numbers = np.arange(120_000.0).reshape(300, 400)
    x = cxp.asarray(numbers, chunks=(100, 100), spec=spec)
    standard = (x - cxp.mean(x, axis=0, keepdims=True)) / cxp.std(x, axis=0, keepdims=True)
    lengths = cubed.map_blocks(root_of_sum, x, dtype=x.dtype, chunks=(100, 1))
    product = cxp.matmul(x, cxp.permute_dims(x, (1, 0)))

    wanted = (numbers - numbers.mean(0)) / numbers.std(0)
    np.testing.assert_allclose(np.asarray(standard.compute()), wanted, atol=1e-9)
    np.testing.assert_allclose(
        np.asarray(lengths.compute()),
        np.sqrt((numbers**2).reshape(300, 4, 100).sum(2)),
    )
    np.testing.assert_allclose(np.asarray(product.compute()), numbers @ numbers.T)
    print(f"cubed {cubed.__version__} on {executor}: standardize, map_blocks, matmul are right")


if __name__ == "__main__":
    for executor in ("threads", "processes"):
        with tempfile.TemporaryDirectory() as folder:
            run(executor, folder)
