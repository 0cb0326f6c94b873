"""``python -m benchmarks``: what xpdl adds to a call, as ratios against its peers."""
