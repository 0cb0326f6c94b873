"""``python -m benchmarks``: what xpdl adds to a call, as ratios against its peers."""

import os

# BLAS with threads of its own would measure how busy the neighbours are. Set before NumPy loads it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
