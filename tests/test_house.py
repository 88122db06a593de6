"""Rules for all files: layers, sizes, docstrings, no pickle, light imports, waiting browser tests.

Each test loops over all files, which are parsed once, and reports every offender as `file:line`.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "meeple"

FLOORS: tuple[tuple[str, ...], ...] = (
    ("errors",),
    ("options", "extras"),
    ("files", "low_priority", "rate_limit", "shell", "listening", "tables"),
    ("tensor_file", "sqlite_repair"),
    ("database",),
    ("kernels",),
    ("games",),
    ("search", "nets", "protocols"),
    ("agents", "importers"),
    ("executors",),
    ("arena", "engines", "interop"),
    ("learn",),
    ("studies",),
    ("oht",),
    ("server",),  # below the command line, which starts it
    ("cli",),
    ("", "__main__"),  # the package itself exports the public names
)
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

UNPICKLERS = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}
MAY_UNPICKLE = {"meeple.importers.array_pickle"}  # only arrays, as its tests check
MAX_FILE_LINES = 500
HEAVY_MODULES = ("torch", "matplotlib", "tensorboard", "rich.progress")

PAGE_READS = {
    *("all_inner_texts", "all_text_contents", "bounding_box", "evaluate", "get_attribute"),
    *("inner_html", "inner_text", "input_value", "is_checked", "is_disabled", "is_enabled"),
    *("is_hidden", "is_visible", "text_content"),
}
"""Playwright's calls that read the page at once, without waiting."""

Import = tuple[str, int]  # the imported module or name, and its line


# ------------------------------------------------------------------------------- reading files


@cache
def python_files(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert found, f"no Python files in {folders}"
    return sorted(found)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def at(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in python_files("src/meeple")}


def room(module: str) -> str:
    """Return the folder or file directly under the package; "" for the package itself."""
    return module.removeprefix("meeple").removeprefix(".").partition(".")[0]


def imports(tree: ast.AST) -> Iterator[Import]:
    """Yield every import: at the top, in functions, for types only."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from ((f"{module}.{alias.name}", node.lineno) for alias in node.names)


def house_imports(module: str) -> dict[str, int]:
    """Return the modules of the package that `module` imports, with the first line of each."""
    found: dict[str, int] = {}
    for name, line in imports(tree_of(MODULES[module])):
        if name.split(".")[0] == "meeple":
            found.setdefault(name if name in MODULES else name.rpartition(".")[0] or name, line)
    found.pop(module, None)
    return found


# ------------------------------------------------------------------------------- layers


def upward(module: str, imported: Mapping[str, int]) -> dict[str, int]:
    """Return the imports of another room on the same floor or above."""
    floor = FLOOR[room(module)]
    return {
        name: line
        for name, line in imported.items()
        if room(name) != room(module) and FLOOR[room(name)] >= floor
    }


def cycle(arrows: Mapping[str, set[str]]) -> str:
    """Return the first import cycle, as "a imports b imports a"; "" if there is no cycle."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return " imports ".join(reversed(error.args[1]))
    return ""


def folders_of(name: str) -> dict[str, set[str]]:
    """Return what each folder and file of a room imports from the others of that room."""
    arrows: dict[str, set[str]] = {}
    for module in MODULES:
        if room(module) == name:
            own = ".".join(module.split(".")[1:3])
            inside = {
                ".".join(other.split(".")[1:3])
                for other in house_imports(module)
                if room(other) == name
            }
            arrows[own] = arrows.get(own, set()) | inside - {own}
    return arrows


def test_every_module_imports_only_from_floors_below_it():
    assert {room(module) for module in MODULES} <= set(FLOOR)
    offenders = [
        f"{at(path, line)} imports {name}"
        for module, path in MODULES.items()
        for name, line in upward(module, house_imports(module)).items()
    ]
    assert offenders == []


def test_no_module_uses_a_relative_import():
    offenders = [
        f"{at(path, line)} imports {name}"
        for path in MODULES.values()
        for name, line in imports(tree_of(path))
        if name.startswith(".")
    ]
    assert offenders == []


def test_neither_modules_nor_the_folders_of_a_room_import_in_a_cycle():
    assert cycle({module: set(house_imports(module)) for module in MODULES}) == ""
    rooms = sorted({room(module) for module in MODULES})
    assert [found for name in rooms if (found := cycle(folders_of(name)))] == []


def test_the_layer_checks_find_imports_from_above_from_beside_and_in_a_cycle():
    source = "def f():\n    from meeple.learn import loop\n    import meeple.nets.mlp\n"
    found = dict(imports(ast.parse(source)))
    assert upward("meeple.search.mcts.tree", found) == {
        "meeple.learn.loop": 2,
        "meeple.nets.mlp": 3,
    }
    assert upward("meeple.cli.main", found) == {}
    source = "if TYPE_CHECKING:\n    import a.b\ndef f():\n    from c import d\nfrom . import e\n"
    assert [name for name, _ in imports(ast.parse(source))] == ["..e", "a.b", "c.d"]
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    assert not cycle({"a": {"b", "c"}, "b": {"c"}})


def test_the_design_lists_every_folder_and_root_file_from_the_lowest_floor_up():
    """Rows `| floor | `folder/` | ...`; files directly in the package stand in a row's text."""
    text = (ROOT / "docs" / "design.md").read_text()
    rows = re.findall(r"^\| (\d+) \| `(\w+)/` \|(.*)$", text, re.M)
    folders = [folder for _, folder, _ in rows]
    assert sorted(folders) == sorted({room(m) for m, p in MODULES.items() if p.parent != PACKAGE})
    assert folders == sorted(folders, key=FLOOR.__getitem__)
    numbers = [int(number) for number, _, _ in rows]
    assert numbers == sorted(numbers)
    files = {path.name for path in PACKAGE.glob("*.py")} - {"__init__.py", "__main__.py"}
    described = " ".join(words for _, _, words in rows)
    assert [name for name in sorted(files) if f"`{name}`" not in described] == []


# ------------------------------------------------------------------------------- single files


def test_no_file_is_longer_than_the_limit():
    lengths = {path: len(path.read_text().splitlines()) for path in python_files("src", "tests")}
    assert [at(path, lines) for path, lines in lengths.items() if lines > MAX_FILE_LINES] == []


def test_every_module_has_a_docstring():
    assert [at(p, 1) for p in MODULES.values() if not ast.get_docstring(tree_of(p))] == []


def unpickles(tree: ast.AST) -> list[Import]:
    """Return every use of what could run code from a data file, with its line."""
    found = [one for one in imports(tree) if one[0].split(".")[0] in UNPICKLERS]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "torch.load":
            found.append(("torch.load", node.lineno))
        elif (
            isinstance(node, ast.keyword)
            and node.arg == "allow_pickle"
            and ast.unparse(node.value) != "False"
        ):
            found.append(("allow_pickle", node.value.lineno))
    return found


def test_no_module_reads_pickles():
    offenders = [
        f"{at(path, line)} uses {name}"
        for module, path in MODULES.items()
        if module not in MAY_UNPICKLE
        for name, line in unpickles(tree_of(path))
    ]
    assert offenders == []


def test_the_pickle_check_finds_every_way_to_unpickle():
    assert unpickles(ast.parse("import pickle"))
    assert unpickles(ast.parse("from pickle import loads"))
    assert unpickles(ast.parse("torch.load(path)"))
    assert unpickles(ast.parse("np.load(p, allow_pickle=True)"))
    assert not unpickles(ast.parse("np.load(p, allow_pickle=False)"))


@pytest.mark.slow
@pytest.mark.parametrize("module", ["meeple", "meeple.cli.main"])
def test_importing_loads_no_heavy_module(module):
    program = f"import sys, {module}; print(*(m for m in {HEAVY_MODULES!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()) == (0, [])


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
    browser_tests = [path for path in python_files("tests/server") if "page" in path.stem]
    assert browser_tests
    assert [at(p, line) for p in browser_tests for line in reads_at_once(tree_of(p))] == []


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
