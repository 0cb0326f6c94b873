"""cupy.cuda.Device: the current device is one of each thread."""

from cupy_double import machine, memory


class Device:
    """A device by its index, which is not checked before something uses it."""

    def __init__(self, device=None):
        if isinstance(device, Device):
            device = device.id
        self.id = machine.gpu.current_device() if device is None else int(device)
        self.outer = []

    def __int__(self):
        return self.id

    def __eq__(self, other):
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self):
        return hash(self.id)

    def __repr__(self):
        return f"<CUDA Device {self.id}>"

    def __enter__(self):
        self.outer.append(machine.gpu.current_device())
        machine.gpu.set_device(self.id)
        return self

    def __exit__(self, *exception):
        machine.gpu.set_device(self.outer.pop())

    def use(self):
        machine.gpu.set_device(self.id)
        return self

    def synchronize(self):
        with self:
            machine.gpu.synchronize_device()

    @property
    def mem_info(self):
        return memory.RANGE - memory.range_of(self.id).used, memory.RANGE

    @property
    def compute_capability(self):
        return "90"

    @property
    def pci_bus_id(self):
        return f"0000:{self.id:02x}:00.0"


def get_device_id():
    return machine.gpu.current_device()
