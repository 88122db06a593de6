"""Every code block of tutorials, concepts and rules runs, and prints what the page shows."""

import sys

import pytest

from tests.documents.pages import PageRun, prepare
from tests.documents.program import ROOT

DOCS = ROOT / "docs"
FOLDERS = ("tutorials", "concepts", "rules")
PAGES = [
    DOCS / "start.md",
    *(page for name in FOLDERS for page in (DOCS / name).glob("*.md")),
]

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda page: page.stem)
def test_every_block_of_a_page_runs(page, tmp_path, monkeypatch):
    prepare(tmp_path, monkeypatch)
    before = set(sys.modules)
    PageRun(tmp_path, small=True).run(page)
    for name in set(sys.modules) - before:
        if (tmp_path / f"{name}.py").exists():  # of this page alone
            del sys.modules[name]
