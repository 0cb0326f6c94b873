"""The documentation's examples run and print what their comments say; its links lead somewhere.

The blocks of a page share one namespace. A block that imports a library which is not installed is
left out, so a block imports what it needs beyond NumPy and xpdl.
"""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PRINT = re.compile(r"^ *print\(.*\)  # (.*)$", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)")


def missing_libraries(block):
    """The modules that a block imports and that are not installed."""
    imported = re.findall(r"^ *(?:import|from) (\w+)", block, re.MULTILINE)
    return [name for name in imported if find_spec(name) is None]


def script_from(text):
    """The blocks that can run, each on its lines of the page, and what libraries others lack."""
    script, missing, at = "", [], 0
    for found in BLOCK.finditer(text):
        lacking = missing_libraries(found[1])
        missing += lacking
        script += "\n" * text.count("\n", at, found.start(1))
        script += "\n" * found[1].count("\n") if lacking else found[1]
        at = found.end(1)
    return script, missing


def differences(printed, expected):
    """Where the lines differ; what is expected may leave out its end, by three dots."""
    pairs = [
        (line, wanted)
        for line, wanted in zip(printed, expected, strict=False)
        if not (line.startswith(wanted[:-3]) if wanted.endswith("...") else line == wanted)
    ]
    return pairs or [printed[len(expected) :], expected[len(printed) :]]


@pytest.mark.parametrize("page", [page for page, text in TEXTS.items() if BLOCK.search(text)])
def test_examples_of_page_print_what_their_comments_say(page, tmp_path):
    script, missing = script_from(TEXTS[page])
    file = tmp_path / "page.py"  # not named like a library that the page imports
    file.write_text(script, encoding="utf-8")
    search = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-W", "error:::__main__", str(file)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert differences(done.stdout.splitlines(), PRINT.findall(script)) == [[], []]
    if missing:
        pytest.skip(f"ran without the examples that need {', '.join(sorted(set(missing)))}")


@pytest.mark.parametrize("page", TEXTS)
def test_blocks_of_page_are_all_found(page):
    assert len(BLOCK.findall(TEXTS[page])) == TEXTS[page].count("```python")


def anchors(text):
    """The anchors of a page's headings, as the sites that show Markdown make them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {"#" + re.sub(r"[^\w\- ]", "", h.lower().replace("\\_", "_")).replace(" ", "-")
            for h in headings}  # fmt: skip


@pytest.mark.parametrize(
    ("page", "target", "anchor"),
    [(page, *link) for page, text in TEXTS.items() for link in LINK.findall(text)],
)
def test_link_leads_to_a_file_and_to_a_heading(page, target, anchor):
    file = (ROOT / page).parent / target if target else ROOT / page
    assert file.is_file()
    assert not anchor or anchor in anchors(file.read_text(encoding="utf-8"))


def quoted_messages():
    """The first column of the table of errors in docs/dlpack.md."""
    section = TEXTS["docs/dlpack.md"].partition("## Errors and their ways out")[2]
    return re.findall(r"^\| `(.*?)` \|", section.partition("\n## ")[0], re.MULTILINE)


@pytest.mark.parametrize("message", quoted_messages())
def test_message_quoted_about_dlpack_stands_among_all_messages(message):
    assert message in TEXTS["docs/errors.md"]
