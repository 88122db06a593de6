"""Every document agrees with the program: commands, specs, options, names, paths, links."""

import re

import pytest

from docs.tables import MARK
from tests.documents.findings import findings
from tests.documents.markdown import SPAN, read
from tests.documents.program import ROOT

DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *ROOT.glob("examples/*.md"),
        *ROOT.glob("plugins/*/*.md"),
    ]
)

MAX_SENTENCE_WORDS = 40  # code is one word
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.) |(?<!\\)\|", re.M)  # begins an item or a cell
SENTENCE_END = re.compile(r"(?<=[.?!])[)*\"]*\s+")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_documents_refer_only_to_existing_things(document):
    assert findings(document.read_text(), document.parent) == []


@pytest.mark.parametrize(
    "document",
    [path for path in DOCUMENTS if path.name != "CHANGELOG.md"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_no_sentence_of_a_document_is_too_long(document):
    sentences = [
        sentence
        for prose in read(document.read_text(encoding="utf-8")).prose
        for part in ITEM.split(SPAN.sub("code", prose.text))
        for sentence in SENTENCE_END.split(part)
    ]
    assert [one for one in sentences if len(one.split()) > MAX_SENTENCE_WORDS] == []


@pytest.mark.parametrize("note", sorted((ROOT / "notes").glob("*.md")), ids=lambda path: path.stem)
def test_links_of_notes_lead_to_files(note):
    links = read(note.read_text(encoding="utf-8")).links
    assert [link for _, link in links if not (note.parent / link).exists()] == []


def test_results_and_pages_of_the_design_are_short():
    docs = ROOT / "docs"
    assert len((docs / "results.md").read_text(encoding="utf-8").splitlines()) <= 250
    pages = docs.glob("design/*.md")  # the tables that the program writes do not count
    lengths = {page: len(MARK.sub("", page.read_text()).split()) for page in pages}
    assert [page.name for page, words in lengths.items() if words > 900] == []


def test_all_documents_are_read():
    names = {path.name for path in DOCUMENTS}
    assert names >= {"README.md", "design.md", "results.md", "browser.md", "catan.md"}


def test_the_page_of_notebooks_lists_all():
    text = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    assert notebooks
    assert all(f"(../notebooks/{notebook.name})" in text for notebook in notebooks)
