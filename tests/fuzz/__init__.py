"""Random exchanges and programs: ``python -m tests.fuzz --help``.

A target is a module with a function ``run_case(random)``, which draws everything from ``random``,
returns a word for what happened, and raises where a promise of xpdl is broken.
"""

import sys
from pathlib import Path

TESTS = str(Path(__file__).resolve().parent.parent)
if TESTS not in sys.path:  # where the fake producer is
    sys.path.insert(0, TESTS)
