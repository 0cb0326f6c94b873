"""The command line: which command is asked for, and how it ends.

Exit status: 0 when all is well, 1 when something failed, 2 for a wrong command line, and 130 when
interrupted. An error is one line on the standard error, below the usage if an option is wrong.
"""

import argparse
import os
import sys
from collections.abc import Sequence

import xpdl as xp
from xpdl._cli import info, inspection, interop, overview
from xpdl._cli.failure import Failed

__all__ = ["main"]

COMMANDS = (info, interop, inspection)
PROGRAM = "python -m xpdl"


def make_parser() -> argparse.ArgumentParser:
    """The options of all commands; without a command there is the overview."""
    shared = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    shared.add_argument("--json", action="store_true", help="print JSON, for programs and reports")
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        parents=[shared],
        description="Versions, devices, and which of the installed libraries exchange arrays.",
        epilog="Without a command: a short version of info and interop.",
    )
    parser.add_argument("--version", action="version", version=f"xpdl {xp.__version__}")
    parser.set_defaults(run=overview.run)
    commands = parser.add_subparsers(title="commands", metavar="{info,interop,inspect}")
    for command in COMMANDS:
        command.add_parser(commands, shared)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the command line asks for and give the exit status."""
    try:
        options = make_parser().parse_args(arguments, argparse.Namespace(json=False))
        status: int = options.run(options)
        sys.stdout.flush()
    except Failed as failure:
        print(f"{PROGRAM}: {failure}", file=sys.stderr)
        return failure.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of a pipe has gone; nothing is left to be written
        drop_output()
        return 1
    except OSError as error:
        drop_output()
        print(f"{PROGRAM}: {error.strerror or error}", file=sys.stderr)
        return 1
    return status


def drop_output() -> None:
    """What is not written yet goes nowhere, so that the interpreter does not try it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
