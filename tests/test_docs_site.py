"""The documentation as a site: it builds without a warning, and is whole."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

import xpdl as xp
from xpdl import _constants

ROOT = Path(__file__).resolve().parent.parent
NEEDED = ("sphinx", "myst_parser", "pydata_sphinx_theme")

pytestmark = pytest.mark.skipif(
    not all(map(find_spec, NEEDED)), reason="needs the extra docs: pip install 'xpdl[docs]'"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site; a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", str(folder / "trees"),
         str(ROOT / "docs"), str(folder / "html")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "html"


class Page(HTMLParser):
    """The links of a page, and what can be linked to in it."""

    def __init__(self, file):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


@pytest.fixture(scope="module")
def pages(site):
    """Every page, without the theme's own files."""
    return {file: Page(file) for file in site.rglob("*.html") if "_static" not in file.parts}


def test_site_has_a_page_for_each_source(site):
    sources = [file.relative_to(ROOT / "docs") for file in (ROOT / "docs").rglob("*.md")]
    missing = [page for page in sources if not (site / page).with_suffix(".html").is_file()]
    assert missing == []
    assert len(sources) >= 40


def test_every_link_within_the_site_leads_somewhere(pages):
    broken = []
    for file, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            target, anchor = urldefrag(link)
            target = unquote(target.partition("?")[0])
            path = (file.parent / target).resolve() if target else file
            known = path not in pages or unquote(anchor) in pages[path].anchors | {""}
            if not (path.is_file() and known):
                broken.append((file.name, link))
    assert broken == []


def test_site_takes_no_script_or_style_from_elsewhere(pages):
    loaded = r"<(?:script|img|link)[^>]+?(?:src|href)=\"(https?:)?//"
    found = [file for file in pages if re.search(loaded, file.read_text("utf-8"))]
    assert found == []


PUBLIC = [
    *(f"xpdl.{name}" for name in xp.__all__ if name not in ("linalg", "fft", "dlpack")),
    *(f"xpdl.linalg.{name}" for name in xp.linalg.__all__),
    *(f"xpdl.fft.{name}" for name in xp.fft.__all__),
    *(f"xpdl.dlpack.{name}" for name in xp.dlpack.__all__ if name not in xp.__all__),
    *(f"xpdl.{name}" for name in _constants.__annotations__),
    *(f"xpdl.Array.{name}" for name in dir(xp.Array) if not name.startswith("_")),
    *(f"xpdl.dlpack.TensorInfo.{name}" for name in xp.dlpack.TensorInfo._fields),
]


def test_every_public_name_is_in_the_reference(pages):
    reference = [page for file, page in pages.items() if file.parent.name == "api"]
    anchors = set().union(*(page.anchors for page in reference))
    assert [name for name in PUBLIC if name not in anchors] == []
    assert len(PUBLIC) > 250


def html(site, page):
    return (site / page).read_text(encoding="utf-8")


STANDARD = "https://data-apis.org/array-api/2025.12/"


@pytest.mark.parametrize(
    ("page", "target"),
    [
        ("api/data_type.html", "API_specification/generated/array_api.astype.html"),
        ("api/array.html", "API_specification/generated/array_api.array.__dlpack__.html"),
        ("api/info.html", "API_specification/generated/array_api.info.dtypes.html"),
        ("api/linalg.html", "extensions/generated/array_api.linalg.qr.html"),
        ("api/linalg.html", "API_specification/generated/array_api.matmul.html"),
        ("api/fft.html", "extensions/generated/array_api.fft.rfft.html"),
        ("api/fft.html", "extensions/fourier_transform_functions.html"),
        ("api/set.html", "API_specification/set_functions.html"),
    ],
)
def test_source_links_to_the_standard(site, page, target):
    assert f'href="{STANDARD}{target}"' in html(site, page)


def test_signature_names_the_alias_of_dtypes(site):
    assert "DTypeLike" in html(site, "api/data_type.html")
    assert not re.search("_HasDType|ForwardRef", html(site, "api/data_type.html"))


def test_code_breaks_between_names_and_not_within(site):
    page = html(site, "views.html")
    assert "xp.<wbr>permute_<wbr>dims(x,</span>" in page
    assert "<wbr>" not in page.partition("<article")[0]


def test_search_ranks_pages_that_are_there(site):
    ranks = html(site, "_static/language_data.js").partition("const RANKS = {")[2].partition("}")[0]
    ranked = re.findall(r"^ *(\w+):", ranks, re.MULTILINE)
    assert len(ranked) >= 8
    assert [page for page in ranked if not (site / f"{page}.html").is_file()] == []
