"""What autodoc lacks for xpdl: whole chapters, the source of a definition, and Python's own types.

``.. chapter:: xpdl._statistical xpdl`` documents the names of the first module's ``__all__`` as
members of the second, where users find them: the module's docstring, a table, and each function.
"""

import builtins
from importlib import import_module

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.addnodes import pending_xref
from sphinx.util.docstrings import prepare_docstring

SOURCE = "Source: "


class Chapter(Directive):
    """The text that autodoc would be given by hand, made from ``__all__``."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        source, public = self.arguments
        module = import_module(source)
        names = [name for name in module.__all__ if callable(getattr(module, name))]
        text = [
            f".. currentmodule:: {public}",
            "",
            *prepare_docstring(module.__doc__),
            ".. autosummary::",
            "   :nosignatures:",
            "",
            *(f"   {name}" for name in names),
            "",
        ]
        for name in names:
            text += [f".. autofunction:: {public}.{name}", ""]
        holder = nodes.container()
        self.state.nested_parse(StringList(text, source), self.content_offset, holder)
        return holder.children


def give_source_a_section(app, what, name, obj, options, lines):
    """The last paragraph, ``Source: ...``, is a section: it does not belong to the one before."""
    for number, line in enumerate(lines):
        if line.startswith(SOURCE):
            lines[number : number + 1] = ["Source", "------", line.removeprefix(SOURCE)]


def leave_builtins_alone(app, doctree):
    """``bool`` in a signature is Python's, and no link to ``xpdl.bool``."""
    for reference in list(doctree.findall(pending_xref)):
        target = reference["reftarget"]
        if reference.get("reftype") == "class" and hasattr(builtins, target):
            reference.replace_self(reference.children)


def setup(app):
    """Make the directive known, and connect the rest."""
    app.setup_extension("sphinx.ext.autodoc")
    app.add_directive("chapter", Chapter)
    app.connect("autodoc-process-docstring", give_source_a_section, priority=400)  # before napoleon
    app.connect("doctree-read", leave_builtins_alone)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
