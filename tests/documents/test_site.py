"""The documentation site builds without a warning and offline, and its pages are complete."""

import os
import re
import subprocess
import sys
from html import unescape
from urllib.parse import unquote

import pytest

from tests.documents.program import ROOT

pytestmark = pytest.mark.nightly("the site builds without a warning, and its pages are complete")

EXTERNAL = re.compile(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=[\"']?(?:https?:)?//[^\"'> ]+")
TARGET = re.compile(r"<(?:a|img|script|link)\b[^>]*?\b(?:href|src)=\"([^\"]*)\"")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built site; any warning is an error."""
    pytest.importorskip("mkdocs", reason="MkDocs builds the site")
    pytest.importorskip("mkdocstrings", reason="mkdocstrings writes the pages of the API")
    folder = tmp_path_factory.mktemp("site")
    paths = os.pathsep.join([str(ROOT / "src"), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        env=os.environ | {"PYTHONPATH": paths, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder


@pytest.fixture(scope="module")
def pages(site):
    return {
        path.relative_to(site).as_posix(): path.read_text(encoding="utf-8")
        for path in site.rglob("*.html")
    }


def test_every_document_has_a_page(pages):
    documents = (ROOT / "docs").rglob("*.md")
    wanted = {path.relative_to(ROOT / "docs").with_suffix(".html").as_posix() for path in documents}
    assert wanted | {"index.html", "files/CONTRIBUTING.html"} <= pages.keys()


def test_all_links_lead_to_pages_and_pictures(pages, site):
    broken = []
    for name, text in pages.items():
        for target in TARGET.findall(text):
            path = unquote(unescape(target).partition("#")[0].partition("?")[0])
            if path and not re.match(r"[a-z]+:|/", path):
                found = (site / name).parent / path
                if not found.exists():
                    broken.append(f"{name}: {target}")
    assert broken == []


def test_no_page_loads_anything_from_another_host(pages):
    assert [found[0] for text in pages.values() if (found := EXTERNAL.search(text))] == []


def test_pictures_with_steps_are_in_the_page_with_their_script(pages):
    text = pages["concepts/search.html"]
    assert text.count('class="step"') > 10
    assert "javascripts/steps.js" in text


def test_lists_tables_and_code_in_tables_are_as_on_the_page_of_the_file(pages):
    assert re.search(r"<li>\s*(?:<p>)?One installs it with", pages["design.html"])
    interfaces = re.sub(r"<pre.*?</pre>", "", pages["design/interfaces.html"], flags=re.S)
    assert '"high"|null' in unescape(interfaces)
    assert "\\|" not in interfaces
    for name, text in pages.items():
        shown = re.sub(r"<(pre|code|script).*?</\1>", "", text, flags=re.S)
        rows = re.findall(r"(?:<p>|\n)\| [^<]*", shown)
        assert not rows, f"{name}: {rows[0]}"


def test_the_readme_is_the_home_page(pages):
    assert "Meeple learns board games from their rules alone" in pages["index.html"]
    assert 'href="install.html"' in pages["index.html"]


def test_every_dialog_has_an_accessible_name(pages):
    for name, text in pages.items():
        for dialog in re.findall(r"<[^>]*role=\"dialog\"[^>]*>", text):
            assert "aria-label" in dialog, f"{name}: {dialog}"
    assert 'role="dialog" aria-label="Search"' in pages["index.html"]
