"""Arrays as data of dask.distributed: between processes without a copy beside the wire's own.

    pip install distributed
    python examples/dask_payloads.py

A cluster on other machines is another address in Client(...); nothing else changes.
"""

import numpy as np
from distributed import Client, LocalCluster
from distributed.protocol import deserialize, serialize

import xpdl as xp


def check_frames():
    """The frame that goes to the wire is the array's memory, and so is what comes from it."""
    x = xp.ones((1000, 1000))
    header, frames = serialize(x)
    data = max((memoryview(frame) for frame in frames), key=lambda frame: frame.nbytes)
    if data.nbytes != x.nbytes or not np.shares_memory(np.asarray(data), np.asarray(x)):
        raise AssertionError("the frame is a copy")
    y = deserialize(header, frames)
    if not np.shares_memory(np.asarray(y), np.asarray(x)):
        raise AssertionError("the array is a copy of the frame")
    print(f"a frame of {data.nbytes} bytes, no copy on the way out or in")


def normalized(x):
    return x / xp.linalg.vector_norm(x)


def dot(x, y):
    return xp.sum(x * y)


def check_cluster(client):
    """Scatter, compute, combine on two workers, gather."""
    first, second = client.scatter([xp.arange(1e6) + 1, xp.ones(10**6)], hash=False)
    parts = [client.submit(normalized, part, pure=False) for part in (first, second)]
    result = client.submit(dot, *parts, pure=False).result()
    if type(result) is not xp.Array:
        raise AssertionError(f"an xpdl Array went out and {type(result)} came back")
    n = 10**6
    np.testing.assert_allclose(float(result), (n + 1) / 2 / np.sqrt((n + 1) * (2 * n + 1) / 6))
    sizes = client.nbytes(summary=False)
    if sizes[first.key] != 8 * n or sizes[parts[0].key] != 8 * n:
        raise AssertionError(f"sizes that are not true: {sizes}")
    print(f"two workers: {float(result):.6f}; the scheduler counts {sizes[first.key]} bytes each")


if __name__ == "__main__":
    check_frames()
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        check_cluster(client)
