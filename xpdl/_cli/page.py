"""The matrix of exchanges as a page that stands alone: the picture, and every reason in a table."""

import platform
from html import escape

from xpdl._cli.picture import COLOURS, picture_of
from xpdl._interop import OUTCOMES, Matrix

__all__ = ["page_of"]

STYLE = """
body { font: 16px/1.5 sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem;
       color: #1c2530; background: #fff }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: 14px }
td, th { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0;
         border-bottom: 1px solid #e4e7ea }
td:nth-child(3) { white-space: nowrap }
@media (max-width: 720px) { thead { display: none }
  td { display: block; border: 0; padding: 0 } tr { display: block; padding: .5rem 0 } }
.mark { display: inline-block; width: .7em; height: .7em; margin-right: .4em }
"""


def page_of(matrix: Matrix, versions: dict[str, str | None]) -> str:
    """The page, as HTML."""
    tried = ", ".join(f"{name} {versions[name] or ''}".strip() for name in matrix.libraries)
    legend = "".join(
        f"<li>{marked(outcome)}: {escape(meaning)}</li>" for outcome, meaning in OUTCOMES.items()
    )
    rows = "".join(
        f"<tr><td>{escape(producer)}</td><td>{escape(consumer)}</td>"
        f"<td>{marked(group.outcome)}</td><td>{escape(', '.join(group.kinds))}</td>"
        f"<td>{escape(group.reason or '')}</td></tr>"
        for producer, consumer in matrix.exchanges
        for group in matrix.groups(producer, consumer)
        if group.outcome != "none" and (group.outcome != "zero-copy" or group.reason)
    )
    problems = [f"{f.library} is not usable: {f.reason}" for f in matrix.failures]
    problems += [f"{a} and {b}, together: {reason}" for (a, b), reason in matrix.apart.items()]
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Exchange of arrays</title><style>{STYLE}</style></head><body>
<h1>Exchange of arrays</h1>
<p>Measured by <code>python -m xpdl interop</code> with {escape(tried)}, Python
{platform.python_version()} on {escape(platform.system())} {escape(platform.machine())}.</p>
<div class="wide">{picture_of(matrix, versions)}</div>
<ul>{legend}</ul>
<h2>What is not zero-copy, and why</h2>
<div class="wide"><table><thead><tr><th>from</th><th>to</th><th>outcome</th><th>arrays</th>
<th>reason</th></tr></thead><tbody>{rows}</tbody></table></div>
{"".join(f"<p>{escape(text)}</p>" for text in problems)}
</body></html>
"""


def marked(outcome: str) -> str:
    """The outcome with a mark of its colour."""
    return f'<span class="mark" style="background:{COLOURS[outcome]}"></span>{outcome}'
