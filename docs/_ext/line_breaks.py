"""Where code may break on a phone: behind a dot, a bracket, a comma, a slash or an underscore.

A browser breaks ``xp.linalg.vector_norm(x)`` nowhere, which pushes a table out of sight, or
anywhere, which tears names apart. The style sheet says which of the places count.
"""

import re

CODE = re.compile(r"<code class=\"[^\"]*literal[^\"]*\">.*?</code>", re.DOTALL)
PIECE = re.compile(r"(?<=<span class=\"pre\">)[^<]+")
BREAK = re.compile(
    r"(?<=[a-z)\]]{2})\.(?=[A-Za-z_])|(?<=\w)[,:/]+(?=\w)"
    r"|(?<=\w)[(\[](?=[^\s<]{6})|(?<=[a-z0-9])_(?=[a-z0-9])"
)


def let_code_break(app, page, template, context, doctree):
    """Say so to the browser, in every page."""
    if "body" in context:
        context["body"] = CODE.sub(
            lambda code: PIECE.sub(lambda piece: BREAK.sub(r"\g<0><wbr>", piece[0]), code[0]),
            context["body"],
        )


def setup(app):
    """Connect it to Sphinx."""
    app.connect("html-page-context", let_code_break)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
