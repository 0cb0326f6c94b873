"""What ends a command with a message for its user."""

__all__ = ["Failed"]


class Failed(Exception):  # noqa: N818  (an outcome of a command, not a fault of the program)
    """The command cannot go on; the text says why. ``status`` is the exit status."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status
