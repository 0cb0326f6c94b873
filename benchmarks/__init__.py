"""``python -m benchmarks``: what xpdl adds to a call, as ratios against its peers."""

import os

# Threads of BLAS and of torch would measure how busy the neighbours are. They are read at import.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")
