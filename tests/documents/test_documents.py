"""Every document agrees with the program: commands, specs, options, names, paths, links."""

import pytest

from tests.documents.findings import findings
from tests.documents.program import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("examples/*.md")])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_documents_refer_only_to_existing_things(document):
    assert findings(document.read_text(), document.parent) == []


def test_all_documents_are_read():
    names = {path.name for path in DOCUMENTS}
    assert names >= {"README.md", "design.md", "results.md", "browser.md", "catan.md"}
