"""``python -m conformance``: the array API standard's own test suite, on xpdl or a peer."""
