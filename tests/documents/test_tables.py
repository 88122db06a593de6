"""Each table that the program writes stands in one document, complete and in its columns."""

import pytest

from docs.tables import MARK, TABLES, methods, table, written
from meeple.agents.networks import shipped_networks
from meeple.games.check.hooks import CAPABILITIES
from meeple.kernels.calls import GAME_KERNELS
from meeple.kernels.unsupported import CONSTRUCTS
from tests.documents.program import ROOT

DOCUMENTS = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")]


def test_each_table_stands_in_one_document_as_the_program_writes_it():
    assert sorted(mark for text in DOCUMENTS for mark in MARK.findall(text)) == sorted(TABLES)
    old = [name for text in DOCUMENTS for name in MARK.findall(text) if written(text) != text]
    assert old == [], "run `python -m docs.tables`"


@pytest.mark.parametrize("name", TABLES)
def test_rows_have_the_cells_of_their_columns(name):
    lines = table(name).splitlines()
    assert len(lines) > 10
    assert {line.count("|") for line in lines} == {len(TABLES[name][0]) + 1}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("kernels", [f"`{kernel}`" for kernel in GAME_KERNELS]),
        ("capabilities", [f"`{name}`" for one in CAPABILITIES for name in methods(one)]),
        ("constructs", [f"| {one.what} |" for one in CONSTRUCTS.values()]),
        ("networks", [f"`{network}`" for network in shipped_networks()]),
    ],
)
def test_tables_are_complete(name, words):
    assert [word for word in words if word not in table(name)] == []
