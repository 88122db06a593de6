"""Rules for all files that ruff and mypy do not check: imports, the map, sizes, reads of pages.

import-linter checks the contracts of imports, which are in `pyproject.toml`.
"""

import ast
import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest
from importlinter.application.use_cases import lint_imports
from importlinter.configuration import configure

from tests.roots import PACKAGES, PLUG_INS, ROOT

PACKAGE = PACKAGES["meeple"]
SETTINGS = ROOT / "pyproject.toml"
MAX_FILE_LINES = 500
HEAVY_MODULES = ("torch", "matplotlib", "tensorboard", "rich.progress")

PAGE_READS = {
    *("all_inner_texts", "all_text_contents", "bounding_box", "evaluate", "get_attribute"),
    *("inner_html", "inner_text", "input_value", "is_checked", "is_disabled", "is_enabled"),
    *("is_hidden", "is_visible", "text_content"),
}
"""Playwright's calls that read the page at once, without waiting."""


def python_files(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert found, f"no Python files in {folders}"
    return sorted(found)


def at(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


# ------------------------------------------------------------------------------- imports


def test_the_contracts_of_imports_are_kept(capsys):
    configure()
    assert lint_imports(str(SETTINGS), cache_dir=None), capsys.readouterr().out


def test_the_contracts_and_the_types_know_every_plug_in():
    tools = tomllib.loads(SETTINGS.read_text())["tool"]
    layers, unsafe = (
        next(one for one in tools["importlinter"]["contracts"] if word in one["name"])
        for word in ("Plug-ins", "unsafe")
    )
    assert tools["importlinter"]["root_packages"] == unsafe["source_modules"] == list(PACKAGES)
    assert layers["layers"] == [" | ".join([*PACKAGES][1:]), "meeple"]
    folders = [str(path.relative_to(ROOT)) for path in PLUG_INS]
    assert tools["mypy"]["mypy_path"] == [
        "src",
        *(f"{one}{end}" for one in folders for end in ("/src", "")),
    ]


def test_no_modules_import_each_other_in_a_cycle():
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    arrows = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(arrows).prepare()  # its CycleError names the modules


def test_the_design_lists_every_folder_and_root_file_from_the_lowest_layer_up():
    """Rows `| layer | `folder/` | ...`; files directly in the package stand in a row's text."""
    contracts = tomllib.loads(SETTINGS.read_text())["tool"]["importlinter"]["contracts"]
    layers = contracts[0]["layers"]  # the highest first
    place = {name: number for number, row in enumerate(layers) for name in row.split(" | ")}
    text = (ROOT / "docs" / "design.md").read_text()
    rows = re.findall(r"^\| (\d+) \| `(\w+)/` \|(.*)$", text, re.M)
    folders = [folder for _, folder, _ in rows]
    assert sorted(folders) == sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
    assert folders == sorted(folders, key=lambda name: -place[name])
    numbers = [int(number) for number, _, _ in rows]
    assert numbers == sorted(numbers)
    files = {path.name for path in PACKAGE.glob("*.py")} - {"__init__.py", "__main__.py"}
    described = " ".join(words for _, _, words in rows)
    assert [name for name in sorted(files) if f"`{name}`" not in described] == []


@pytest.mark.slow
@pytest.mark.parametrize("module", ["meeple", "meeple.cli.main"])
def test_importing_loads_no_heavy_module(module):
    program = f"import sys, {module}; print(*(m for m in {HEAVY_MODULES!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()) == (0, [])


# ------------------------------------------------------------------------------- single files


def test_no_file_is_longer_than_the_limit():
    lengths = {
        path: len(path.read_text().splitlines()) for path in python_files("src", "tests", "plugins")
    }
    assert [at(path, lines) for path, lines in lengths.items() if lines > MAX_FILE_LINES] == []


def test_no_module_lets_numpy_read_pickles():
    assert [
        path for path in python_files("src", "plugins") if "allow_pickle" in path.read_text()
    ] == []


# ------------------------------------------------------------------------------- browser tests


def reads_at_once(tree: ast.AST) -> list[int]:
    """Return the lines of assertions about a page that do not wait for what they expect."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
        and any(
            (
                isinstance(part, ast.Call)
                and isinstance(part.func, ast.Attribute)
                and (part.func.attr in PAGE_READS or (part.func.attr == "count" and not part.args))
            )
            or (isinstance(part, ast.Attribute) and ast.unparse(part) == "page.url")
            for part in ast.walk(node.test)
        )
    ]


def test_assertions_about_a_page_wait_for_what_they_expect():
    browser_tests = [
        path for path in python_files("tests/server", "plugins") if "page" in path.stem
    ]
    assert browser_tests
    assert [
        at(p, line) for p in browser_tests for line in reads_at_once(ast.parse(p.read_text()))
    ] == []


def test_the_check_for_waiting_finds_a_page_that_is_read_at_once():
    for source in (
        'assert page.get_by_text("won").count() == 1',
        'assert "b2" in page.locator(".moves").inner_text()',
        "assert not link.is_visible()",
        'assert page.url.endswith("ply=2")',
    ):
        assert reads_at_once(ast.parse(source)) == [1]
    waiting = 'expect(rows).to_have_count(1)\nassert words.count("a") == 1'
    assert reads_at_once(ast.parse(waiting)) == []
