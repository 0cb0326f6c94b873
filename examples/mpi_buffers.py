"""Arrays as buffers of MPI, on two ranks: mpi4py takes them by DLPack, without a copy.

    pip install mpi4py mpich
    mpiexec -n 2 python examples/mpi_buffers.py

More machines are more hosts in the call of mpiexec; nothing else changes.
"""

import numpy as np
from mpi4py import MPI

import xpdl as xp

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
other = 1 - rank


def send_and_receive():
    """The buffer methods of mpi4py, with capital letters, read and write an Array's memory."""
    x = xp.arange(5.0) + rank
    y = xp.empty(5)
    comm.Sendrecv(x, dest=other, recvbuf=y, source=other)
    np.testing.assert_array_equal(np.asarray(y), np.arange(5.0) + other)
    half = xp.zeros(6)
    comm.Sendrecv(x[:3], dest=other, recvbuf=half[3:], source=other)  # into a part of an array
    np.testing.assert_array_equal(np.asarray(half), [0, 0, 0, other, other + 1, other + 2])


def reduce_over_all():
    x = xp.ones((2, 3), dtype=xp.float32) * (rank + 1)
    total = xp.empty((2, 3), dtype=xp.float32)
    comm.Allreduce(x, total, op=MPI.SUM)
    np.testing.assert_array_equal(np.asarray(total), np.full((2, 3), 3, "float32"))
    comm.Allreduce(MPI.IN_PLACE, x, op=MPI.MAX)
    np.testing.assert_array_equal(np.asarray(x), np.full((2, 3), 2, "float32"))


def respect_readonly():
    """A read-only Array can be sent, and is never received into."""
    lent = xp.from_dlpack(xp.ReadOnlyWrapper(xp.ones(3)))
    y = xp.empty(3)
    comm.Allreduce(lent, y)
    np.testing.assert_array_equal(np.asarray(y), [2, 2, 2])
    try:
        comm.Allreduce(y, lent)
    except BufferError as error:
        return str(error)
    raise AssertionError("a read-only array was received into")


def refuse_strides():
    """MPI's buffers are contiguous, so a strided Array goes as a copy."""
    x = xp.ones((3, 2))[:, 0]
    y = xp.empty(3)
    try:
        comm.Allreduce(x, y)
    except BufferError:
        comm.Allreduce(x.copy(), y)
        np.testing.assert_array_equal(np.asarray(y), [2, 2, 2])
        return
    raise AssertionError("a strided array was taken for a contiguous one")


def pickle_objects():
    """The methods in small letters move objects that hold arrays, by pickle."""
    found = comm.allgather({"rank": rank, "x": xp.full(2, float(rank))})
    assert [part["x"].tolist() for part in found] == [[0.0, 0.0], [1.0, 1.0]]


if __name__ == "__main__":
    if comm.Get_size() != 2:
        raise SystemExit("mpi_buffers.py: needs two ranks; mpiexec -n 2 python ...")
    send_and_receive()
    reduce_over_all()
    refused = respect_readonly()
    refuse_strides()
    pickle_objects()
    comm.Barrier()
    if rank == 0:
        print("two ranks: Sendrecv, Allreduce and objects are right;", end=" ")
        print(f"receiving into a read-only array raises BufferError: {refused}")
