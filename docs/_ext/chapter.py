"""What autodoc lacks for xpdl: whole chapters, the source of a definition, and Python's own types.

``.. chapter:: xpdl._statistical xpdl`` documents the names of the first module's ``__all__`` as
members of the second, where users find them: the module's docstring, a table, and each function.
"""

import builtins
import re
from importlib import import_module

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.addnodes import pending_xref
from sphinx.util.docstrings import prepare_docstring

SOURCE = "Source: "
STANDARD = "https://data-apis.org/array-api/2025.12"
SECTION = re.compile(r"(?<=array API 2025\.12, )([\w ]+ (?:functions|extension|object)|inspection)")
FUNCTION = re.compile(r"(?<=array API 2025\.12, )(?:([\w ]+), )?``([\w.]+)``")
# Where the standard has the pages of a section's functions; those of others are in the last place.
FOLDERS = {
    "linear algebra extension": "extensions/generated/array_api.linalg",
    "Fourier transform extension": "extensions/generated/array_api.fft",
    "inspection": "API_specification/generated/array_api.info",
}
FOLDER = "API_specification/generated/array_api"


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
            *map(with_links, prepare_docstring(module.__doc__)),
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


def with_links(source):
    """A source with a link to the page of the standard, that of the function or of the section."""
    return SECTION.sub(link_to_section, FUNCTION.sub(link_to_function, source))


def link_to_function(found):
    """A section and a function lead to the page of the function."""
    section, name = found.groups()
    page = f"{FOLDERS.get(section, FOLDER)}.{name}"
    return f"`{found[0].replace('``', '')} <{STANDARD}/{page}.html>`__"


def link_to_section(found):
    """A section leads to the page of its name."""
    page = found[0].lower().replace(" ", "_").replace("_extension", "_functions")
    folder = "extensions" if found[0].endswith("extension") else "API_specification"
    return f"`{found[0]} <{STANDARD}/{folder}/{page}.html>`__"


def give_source_a_section(app, what, name, obj, options, lines):
    """The last paragraph, ``Source: ...``, is a section: it does not belong to the one before."""
    for number, line in enumerate(lines):
        if line.startswith(SOURCE):
            lines[number : number + 1] = ["Source", "------", with_links(line.removeprefix(SOURCE))]


def make_source_a_field(app, what, name, obj, options, lines):
    """The section that napoleon has made a heading of stands below the exceptions, as they do."""
    for number, line in enumerate(lines):
        if line == ".. rubric:: Source":
            text = " ".join(filter(None, lines[number + 1 :]))
            lines[number:] = [f":Source: {text}", ""]
            break


def name_aliases(app, what, name, obj, options, signature, returns):
    """An alias within another type stands in a signature by its name alone."""
    return re.sub(r"TypeAliasForwardRef\('(\w+)'\)", r"\1", signature or "") or None, returns


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
    app.connect("autodoc-process-docstring", make_source_a_field, priority=600)  # after it
    app.connect("autodoc-process-signature", name_aliases)
    app.connect("doctree-read", leave_builtins_alone)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
