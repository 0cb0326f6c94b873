"""The documentation as a site: ``sphinx-build -W docs docs/_build``."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

import xpdl  # noqa: E402  (found by the line above where it is not installed)

project = "xpdl"
author = "the xpdl developers"
version = release = xpdl.__version__

extensions = [
    "chapter",
    "line_breaks",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build"]

myst_heading_anchors = 4
napoleon_google_docstring = False
napoleon_custom_sections = ["Source"]
autosummary_generate = False
autodoc_typehints = "signature"
autodoc_type_aliases = {"DTypeLike": "DTypeLike"}
python_display_short_literal_types = True
python_maximum_signature_line_length = 88

toc_object_entries_show_parents = "hide"

html_theme = "pydata_sphinx_theme"
html_title = f"xpdl {version}"
html_static_path = ["_static"]
html_css_files = ["xpdl.css"]
html_search_scorer = str(HERE / "_ext" / "scorer.js")
html_favicon = "_static/favicon.svg"
html_context = {"default_mode": "auto"}
html_sidebars = {"index": [], "quickstart": []}
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
}
project_copyright = "the xpdl developers, BSD 3-Clause License"


def leave_out_unwritten(app, docname, source):
    """A line of a toctree that ends in ``*`` names a page that may not be written yet."""
    unwritten = [
        line
        for line in source[0].splitlines(keepends=True)
        if line.endswith("*\n") and line[:-2].isidentifier() and not list(HERE.glob(line.strip()))
    ]
    for line in unwritten:
        source[0] = source[0].replace(line, "")


def setup(app):
    """Connect what is above to Sphinx."""
    app.connect("source-read", leave_out_unwritten)
