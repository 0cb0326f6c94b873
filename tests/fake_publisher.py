"""Types that publish an exchange API made of ctypes, over the tensors of a fake producer."""

import ctypes

from fake_producer import EXCHANGE, DLPackExchangeAPI, make_capsule

__all__ = ["make_publisher", "publish"]


def publish(
    kind, *, version=(1, 3), prev_api=None, from_py=None, work_stream=None, as_int=False
):
    """Give `kind` a table with the C functions `from_py` and `work_stream`; the table itself."""
    api = DLPackExchangeAPI()
    api.header.version.major, api.header.version.minor = version
    api.header.prev_api = prev_api
    if from_py is not None:
        api.managed_tensor_from_py_object_no_sync = ctypes.cast(from_py, ctypes.c_void_p).value
    if work_stream is not None:
        api.current_work_stream = ctypes.cast(work_stream, ctypes.c_void_p).value
    address = ctypes.addressof(api)
    kind.__dlpack_c_exchange_api__ = address if as_int else make_capsule(address, EXCHANGE)
    kept.append((kind, api, from_py))
    return api


kept = []  # a table lives as long as the process


def make_publisher(producer, *, code=0, capsule=None, claimed=(1, 0), **table):
    """A type whose slot gives the tensors of `producer`, and counts its calls."""

    class Publisher:
        calls = 0
        capsules = 0

        def __dlpack_device__(self):
            return claimed

        def __dlpack__(self, **keywords):
            type(self).capsules += 1
            return capsule.__dlpack__(**keywords)

    def from_py(obj, out):
        Publisher.calls += 1
        if code == 0:
            ctypes.c_void_p.from_address(out).value = producer.address()
        return code

    slot = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(from_py)
    publish(Publisher, from_py=slot, **table)
    return Publisher
