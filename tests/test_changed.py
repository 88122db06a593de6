"""`make changed` chooses the tests that a change can reach."""

import re
import subprocess

import grimp
import pytest

from tests.changed import Tree, changed_files, choose, report

PAGES = "src/meeple/server/static"
FILES = {
    "src/meeple/__init__.py": "",
    "src/meeple/__main__.py": "from meeple.cli import main",
    "src/meeple/cli/__init__.py": "",
    "src/meeple/cli/main.py": 'COMMANDS = ["meeple.server.app:serve"]',
    "src/meeple/games/__init__.py": "",
    "src/meeple/games/chess/__init__.py": "",
    "src/meeple/games/chess/rules.py": "",
    "src/meeple/games/registry.py": 'GAMES = {"chess": "meeple.games.chess.rules:Chess"}',
    "src/meeple/search/__init__.py": "",
    "src/meeple/search/tree/__init__.py": "",
    "src/meeple/search/tree/node.py": "",
    "src/meeple/search/uct.py": "from meeple.search.tree import node",
    "src/meeple/server/__init__.py": "",
    "src/meeple/server/app.py": "from meeple.server import assets",
    "src/meeple/server/assets.py": 'PAGES = "static"',
    "src/meeple/words.py": "",
    "plugins/meeple-chess/src/meeple_chess/__init__.py": "",
    "plugins/meeple-chess/src/meeple_chess/opening.py": "",
    "plugins/meeple-chess/tests/chess/test_moves.py": "from meeple_chess import opening",
    "plugins/meeple-chess/tests/chess/test_opening.py": "",
    "tests/settings.py": "",
    "tests/cli/test_main.py": "from meeple.cli import main",
    "tests/games/helper.py": "from meeple.games import registry",
    "tests/games/test_all.py": "from tests.games import helper",
    "tests/games/chess/test_rules.py": "",
    "tests/search/test_uct.py": "from meeple.search import uct",
    "tests/search/tree/test_node.py": "",
    "tests/server/conftest.py": 'COMMAND = ["-m", "meeple"]',
    "tests/server/test_app.py": "",
    "tests/server/test_assets.py": "from meeple.server import assets",
    "tests/server/chess/test_page.py": "def test_page(server, browser): ...",
    "tests/server/test_page.py": "def test_page(server, desks): ...",
    "tests/test_files.py": 'NAMES = ["src", "README.md", "docs"]',
    "tests/test_words.py": "",
}


@pytest.fixture
def tree(tmp_path):
    graph = grimp.ImportGraph()
    for file, text in FILES.items():
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        inside = re.sub(r"^(plugins/[^/]*/)?(src/)?", "", file)
        module = inside.removesuffix(".py").replace("/", ".")
        graph.add_module(module)
        words = text.split()
        if words[:1] == ["from"]:
            graph.add_import(importer=module, imported=f"{words[1]}.{words[3]}")
    return Tree(tmp_path, graph)


def chosen(tree, *changed):
    """Return the test files that run in full, and those that run in part."""
    full, part = choose(tree, changed)
    return {file.removeprefix("tests/") for file in full}, {
        one.removeprefix("tests/") for one in part
    }


OPENING = "plugins/meeple-chess/src/meeple_chess/opening.py"
MOVES, OPENINGS = (f"plugins/meeple-chess/tests/chess/test_{of}.py" for of in ("moves", "opening"))


@pytest.mark.parametrize(
    ("changed", "full", "part"),
    [
        # `test_files.py` reads all sources
        (
            "src/meeple/search/tree/node.py",
            {"search/tree/test_node.py", "search/test_uct.py"},
            {"test_files.py"},
        ),
        (
            "src/meeple/games/registry.py",
            {"games/test_all.py", "games/chess/test_rules.py"},
            {"test_files.py"},
        ),
        (OPENING, {MOVES, OPENINGS}, set()),
        ("src/meeple/words.py", {"test_words.py"}, {"test_files.py"}),
        ("README.md", {"test_files.py"}, set()),
        ("docs/a.md", {"test_files.py"}, set()),
        ("LICENSE", set(), set()),
    ],
)
def test_tests_beside_a_change_and_of_importers_run_in_full(tree, changed, full, part):
    assert chosen(tree, changed) == (full, part)


def test_modules_named_in_tables_are_reached_in_part(tree):
    full, part = chosen(tree, "src/meeple/server/app.py")
    assert full == {
        test.removeprefix("tests/") for test in FILES if "server/" in test and "/test_" in test
    }
    assert part == {"cli/test_main.py", "test_files.py"}
    others = full
    full, part = chosen(tree, "src/meeple/cli/main.py")  # the command runs in the server's tests
    assert full == {"cli/test_main.py"}
    assert part == {*others, "test_files.py"}


def test_a_page_file_runs_the_tests_with_a_browser_of_its_subject_or_all(tree):
    full, part = chosen(tree, f"{PAGES}/js/main.js")
    assert full == {"server/chess/test_page.py", "server/test_page.py"}
    assert part == {"server/test_assets.py", "test_files.py"}  # the first imports their reader
    for file in ("css/chess.css", "js/views/chess.js", "js/chess/board.js"):
        assert chosen(tree, f"{PAGES}/{file}")[0] == {"server/chess/test_page.py"}


def test_a_test_a_helper_and_a_conftest_run_the_tests_that_have_them(tree):
    assert chosen(tree, "tests/test_words.py")[0] == {"test_words.py"}
    assert chosen(tree, "tests/games/helper.py")[0] == {"games/test_all.py"}
    assert len(chosen(tree, "tests/server/conftest.py")[0]) == 4
    full, part = chosen(tree, "tests/settings.py")
    assert (len(full), part) == (len(tree.tests), set())
    assert "every" in report(tree, [], choose(tree, ["tests/settings.py"])).splitlines()[-1]


def test_the_report_says_how_many_files_of_each_room_run_and_why(tree):
    changed = ["src/meeple/games/chess/rules.py"]
    lines = report(tree, changed, choose(tree, changed)).splitlines()
    assert lines[0] == "changed files: 1"
    assert lines[2].split(None, 3) == [
        "2",
        "0",
        "tests/games",
        "2 in or beside the tests of meeple.games.chess.rules",
    ]
    assert lines[-1].split() == ["2", "1", "of", "13", "test", "files"]


@pytest.mark.slow
def test_a_change_is_what_differs_from_the_merge_base_with_main(tmp_path):
    def git(*words):
        settings = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *settings, *words], cwd=tmp_path, check=True, capture_output=True)

    for name in ("kept", "edited", "removed", "committed"):
        (tmp_path / name).write_text(name)
    git("init", "--initial-branch=main")
    git("add", ".")
    git("commit", "-m", "Begin")
    git("switch", "-c", "work")
    (tmp_path / "committed").write_text("anew")
    git("commit", "-am", "Change")
    (tmp_path / "edited").write_text("anew")
    (tmp_path / "removed").unlink()
    (tmp_path / "new").touch()
    assert changed_files(tmp_path) == ["committed", "edited", "new", "removed"]
