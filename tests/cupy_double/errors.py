"""The errors of the CUDA runtime that the double raises, by their numbers."""

NAMES = {
    1: "cudaErrorInvalidValue",
    2: "cudaErrorMemoryAllocation",
    35: "cudaErrorInsufficientDriver",
    101: "cudaErrorInvalidDevice",
    400: "cudaErrorInvalidResourceHandle",
    600: "cudaErrorNotReady",
    900: "cudaErrorStreamCaptureUnsupported",
}


class CUDARuntimeError(RuntimeError):
    """A call of the CUDA runtime failed; ``status`` is its error number."""

    def __init__(self, status):
        self.status = status
        super().__init__(f"{NAMES[status]}: error {status} of the double")


class OutOfMemoryError(MemoryError):
    """The device has no memory left."""


class DeviceSynchronized(RuntimeError):  # noqa: N818
    """The host waited for the device where the test allows no wait."""
