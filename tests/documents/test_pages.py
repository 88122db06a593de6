"""Every code block of tutorials, course, concepts and rules runs, and prints what the page shows.

Of the other documents the Python blocks run, but for those of `NOT_RUN`.
"""

import sys
from pathlib import Path

import pytest

import meeple
from meeple.games.contract.records import record_of, to_lines
from meeple.protocols.records import sgf
from tests.documents.markdown import read
from tests.documents.pages import PageRun, prepare
from tests.documents.program import ROOT

DOCS = ROOT / "docs"
FOLDERS = ("tutorials", "course", "concepts", "rules")
PAGES = [DOCS / "start.md", *(page for name in FOLDERS for page in (DOCS / name).glob("*.md"))]

OTHERS = [
    *(ROOT / "README.md", ROOT / "examples" / "README.md"),
    *(*DOCS.glob("*.md"), *DOCS.glob("design/*.md"), *ROOT.glob("plugins/*/README.md")),
]
NOT_RUN = {
    ("README.md", "State = record(to_move=np.int8, stones=np.int16)"): "part of a game's file",
    ("interfaces.md", "import meeple"): "a list of calls",
    ("games.md", "State = record(to_move=int8, stones=int16, take=int16, misere=int8)"): (
        "part of a game's file"
    ),
    ("README.md", "from meeple_oht.client import Client"): "connects to a host",
}
"""Why a block does not run, by its page and first line."""

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda page: page.stem)
def test_every_block_of_a_page_runs(page, tmp_path, monkeypatch):
    prepare(tmp_path, monkeypatch)
    before = set(sys.modules)
    PageRun(tmp_path, small=True).run(page)
    for name in set(sys.modules) - before:
        if (tmp_path / f"{name}.py").exists():  # of this page alone
            del sys.modules[name]


def blocks_of(page):
    """The Python blocks of a page."""
    blocks = read(page.read_text(encoding="utf-8")).blocks
    return [block for block in blocks if block.language == "python"]


def write_games():
    """Write the records that pages read: `evening.jsonl` of Catan and `games.sgf` of Hex."""
    for name, game, seats in [
        ("evening.jsonl", meeple.make("catan", players=3), 3),
        ("games.sgf", meeple.make("hex", size=5), 2),
    ]:
        position, agent = game.start(1), meeple.agent("random", game, 1)
        for _ in range(12):
            position.play(agent.choose(position))
        record = record_of(position, [f"player {seat}" for seat in range(seats)])
        text = sgf.write(record) if name.endswith("sgf") else to_lines([record])
        Path(name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "page",
    [page for page in sorted(OTHERS) if page not in PAGES and blocks_of(page)],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_python_blocks_of_other_documents_run(page, tmp_path, monkeypatch):
    prepare(tmp_path, monkeypatch)
    monkeypatch.syspath_prepend(ROOT / "examples")
    write_games()
    whole = PageRun(tmp_path, small=True)
    for block in blocks_of(page):
        if (page.name, block.lines[0]) not in NOT_RUN:
            whole.python(block, f"{page.name}, line {block.line}")


def test_blocks_that_do_not_run_exist():
    first = {(page.name, block.lines[0]) for page in OTHERS for block in blocks_of(page)}
    assert NOT_RUN.keys() <= first
