"""The command line, ``python -m xpdl``: one file for each command, and ``terminal`` for all."""

from xpdl._cli.command import main

__all__ = ["main"]
