"""``python -m xpdl inspect EXPR``: what a producer hands out, and what xpdl makes of it."""

import argparse
import ast
import builtins
import json
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import xpdl as xp
from xpdl._cli.failure import Failed
from xpdl._cli.terminal import print_table
from xpdl._interop import LIBRARIES
from xpdl.dlpack import CopyRequiredError, inspect

__all__ = ["add_parser"]

SHORT = {
    "xp": "xpdl",
    "np": "numpy",
    "jnp": "jax.numpy",
    "pa": "pyarrow",
    "tf": "tensorflow",
    "mx": "mlx.core",
}


def add_parser(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add the command to the command line, with the options that all commands share."""
    parser = commands.add_parser(
        "inspect",
        parents=[shared],
        help="what a producer hands out",
        description="Evaluate a Python expression, and show the tensor that its value hands out by"
        " DLPack. Modules are imported by their name; xp, np, jnp, pa, tf and mx are short for"
        " theirs.",
        epilog='Example: python -m xpdl inspect "torch.arange(4)"',
    )
    parser.add_argument("expression", metavar="EXPR", help="a Python expression")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what the value of the expression hands out."""
    found = describe(evaluate(options.expression))
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        print_table(("what", "value"), [(key, shown(key, told)) for key, told in found.items()])
    return 0


def evaluate(expression: str) -> object:
    """The value of ``expression``, whose free names are modules."""
    try:
        tree = ast.parse(expression.strip(), "<expression>", "eval")
    except (SyntaxError, ValueError, RecursionError) as error:
        why = error.msg if isinstance(error, SyntaxError) else error
        text = f"inspect: EXPR must be a Python expression, got {expression!r}: {why}"
        raise Failed(text, status=2) from None
    try:
        return eval(compile(tree, "<expression>", "eval"), modules_of(tree))
    except Failed:
        raise
    except (Exception, SystemExit) as error:
        raise Failed(f"inspect: {expression}: {type(error).__name__}: {error}") from None


def modules_of(tree: ast.AST) -> dict[str, Any]:
    """The modules that an expression names."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in nodes if not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    modules = {}
    for name in {node.id for node in nodes} - bound:
        library = LIBRARIES.get(name)
        module = SHORT.get(name) or (library.module if library else name)
        if find_spec(module.partition(".")[0]):
            modules[name] = import_module(module)
            if library and module != name:  # mlx.core is reached by mlx
                modules[name] = import_module(name)
        elif not hasattr(builtins, name):
            raise Failed(f"inspect: {name!r} is not a module that is installed, nor a builtin")
    return modules


def describe(value: Any) -> dict[str, Any]:
    """The tensor that ``value`` hands out, and the Array that xpdl makes of it.

    NumPy hands out no tensor of some arrays that xpdl takes all the same, past DLPack.
    """
    found: dict[str, Any] = {"type": type_name(value)}
    try:
        found |= inspect(value)._asdict()
    except Exception as error:
        found["__dlpack__"] = f"{type(error).__name__}: {error}"
    taken = imported(value)
    if "__dlpack__" in found and taken.startswith("refused"):
        raise Failed(f"inspect: {found['type']}: {found['__dlpack__']}")
    return found | {"from_dlpack": taken}


def imported(value: Any) -> str:
    """What comes of importing ``value`` into xpdl, in words."""
    how = "zero-copy"
    try:
        try:
            x = xp.from_dlpack(value, copy=False)
        except CopyRequiredError as error:
            how = f"copy ({reason_of(error)})"
            x = xp.from_dlpack(value)
    except Exception as error:
        return f"refused: {type(error).__name__}: {error}"
    access = "read-only" if x.readonly else "writable"
    return f"{how}, {access}, an Array of dtype {x.dtype} and shape {x.shape} on {x.device}"


def reason_of(error: CopyRequiredError) -> str:
    """Why a copy is needed, without the advice to those who forbade it."""
    why = str(error).partition("cannot be honoured")[2].partition(";")[0]
    return why.removeprefix(" for ").removeprefix(", since ") or str(error)


def shown(key: str, value: Any) -> str:
    """A value of ``describe`` for reading."""
    if key == "address" and value is not None:
        return hex(value)
    if key == "alignment":
        return f"{value} bytes"
    if key == "flags" and value == ():
        return "none"
    return str(value)


def type_name(value: object) -> str:
    """The name of the value's type, with its module."""
    return f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")
