"""The house rules that a reader relies on: floors, sizes, docstrings, no pickle, a light import."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "meeple"

FLOORS: tuple[tuple[str, ...], ...] = (
    ("errors",),
    ("options", "extras"),
    ("files", "low_priority", "rate_limit"),
    ("tensor_file",),
    ("kernels",),
    ("games",),
    ("search", "nets", "protocols"),
    ("agents", "importers"),
    ("executors",),
    ("arena", "engines"),
    ("learn",),
    ("studies",),
    ("oht",),
    ("server",),  # below the command line, which starts it
    ("cli",),
    ("", "__main__"),  # the package itself gathers the public names
)
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

UNPICKLERS = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}
MAY_UNPICKLE = {"meeple.importers.array_pickle"}  # arrays alone, and its tests say what that means
LONGEST = 500


def python_files(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert found, f"no Python files in {folders}"
    return sorted(found)


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in python_files("src/meeple")}


def room(module: str) -> str:
    """The folder or file directly under the package that `module` belongs to; "" for its root."""
    return module.removeprefix("meeple").removeprefix(".").partition(".")[0]


def imports(source: str) -> Iterator[str]:
    """Every module and name that `source` imports: at its top, in functions, for types alone."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the floor"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def house_imports(module: str) -> set[str]:
    """The modules of the package that `module` imports; a name counts for its module."""
    found = set()
    for name in imports(MODULES[module].read_text()):
        if name.split(".")[0] == "meeple":
            found.add(name if name in MODULES else name.rpartition(".")[0] or name)
    return found - {module}


def trespasses(module: str, imported: set[str]) -> list[str]:
    """Which of `imported` stand on `module`'s floor, outside its own room, or above it."""
    here = FLOOR[room(module)]
    return sorted(
        name for name in imported if room(name) != room(module) and FLOOR[room(name)] >= here
    )


def test_every_module_stands_on_a_known_floor():
    assert {room(module) for module in MODULES} <= set(FLOOR)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_imports_only_from_floors_below_it(module):
    assert trespasses(module, house_imports(module)) == []


def test_the_floor_check_sees_an_import_from_above_and_one_from_beside():
    source = "def f():\n    from meeple.learn import loop\n    import meeple.nets.mlp\n"
    assert trespasses("meeple.search.mcts.tree", set(imports(source))) == [
        "meeple.learn.loop",
        "meeple.nets.mlp",
    ]
    assert trespasses("meeple.cli.main", set(imports(source))) == []


def circle(arrows: Mapping[str, set[str]]) -> str:
    """The first circle among arrows, each imported by the next; "" where there is none."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return " imports ".join(reversed(error.args[1]))
    return ""


def test_no_modules_import_each_other_in_a_circle():
    assert circle({module: house_imports(module) for module in MODULES}) == ""


def place(module: str) -> str:
    """The folder or file directly in its room that `module` belongs to, as `games.contract`."""
    return ".".join(module.split(".")[1:3])


def places(name: str) -> dict[str, set[str]]:
    """What each folder and file of a room imports from the others there."""
    arrows: dict[str, set[str]] = {}
    for module in MODULES:
        if room(module) == name:
            inside = {place(other) for other in house_imports(module) if room(other) == name}
            arrows[place(module)] = arrows.get(place(module), set()) | inside - {place(module)}
    return arrows


@pytest.mark.parametrize("name", sorted({room(module) for module in MODULES}))
def test_the_folders_of_a_room_do_not_import_each_other_in_a_circle(name):
    arrows = places(name)
    assert circle(arrows) == ""


def test_the_check_for_circles_sees_imports_in_functions_and_for_types():
    source = "if TYPE_CHECKING:\n    import a.b\ndef f():\n    from c import d\n"
    assert list(imports(source)) == ["a.b", "c.d"]
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    assert not circle({"a": {"b", "c"}, "b": {"c"}})


@pytest.mark.parametrize("path", python_files("src", "tests"), ids=lambda path: path.name)
def test_no_file_is_too_long_to_read(path):
    assert len(path.read_text().splitlines()) <= LONGEST


@pytest.mark.parametrize("module", sorted(MODULES))
def test_every_module_says_what_lives_there(module):
    assert ast.get_docstring(ast.parse(MODULES[module].read_text()))


def unpickles(source: str) -> list[str]:
    """What in `source` could run code from a data file."""
    found = [name for name in imports(source) if name.split(".")[0] in UNPICKLERS]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "torch.load":
            found.append("torch.load")
        elif isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            found += [] if ast.unparse(node.value) == "False" else ["allow_pickle"]
    return found


@pytest.mark.parametrize("module", sorted(set(MODULES) - MAY_UNPICKLE))
def test_no_module_reads_pickles(module):
    assert unpickles(MODULES[module].read_text()) == []


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from pickle import loads",
        "torch.load(path)",
        "np.load(p, allow_pickle=True)",
    ],
)
def test_the_pickle_check_sees_every_way_in(source):
    assert unpickles(source)


@pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="there is no README yet")
def test_the_readme_lists_the_folders_bottom_up():
    """A row of a table or list whose first `code` is a room: those rows follow the floors."""
    text = (ROOT / "README.md").read_text()
    rows = re.findall(r"^(?:\||[-*]|\d+\.)[^`\n]*`(?:src/meeple/)?(\w+)(?:\.py|/)`", text, re.M)
    listed = [row for row in rows if row in FLOOR]
    there = {room(module) for module in MODULES} - {
        "",
        "__main__",
        "errors",
        "files",
        "low_priority",
        "rate_limit",
        "extras",
        "tensor_file",
    }
    assert set(listed) >= there
    assert listed == sorted(listed, key=FLOOR.__getitem__)


@pytest.mark.parametrize("module", ["meeple", "meeple.cli.main"])
@pytest.mark.parametrize("heavy", ["torch", "matplotlib", "tensorboard", "rich.progress"])
def test_importing_stays_light(module, heavy):
    program = f"import sys, {module}; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


READS = {
    *("all_inner_texts", "all_text_contents", "bounding_box", "evaluate", "get_attribute"),
    *("inner_html", "inner_text", "input_value", "is_checked", "is_disabled", "is_enabled"),
    *("is_hidden", "is_visible", "text_content"),
}
"""Playwright's calls that read a page as it is at this instant."""


def reads_at_once(source: str) -> list[int]:
    """The lines of assertions about a page that do not wait for what they expect."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Assert)
        and any(
            (
                isinstance(part, ast.Call)
                and isinstance(part.func, ast.Attribute)
                and (part.func.attr in READS or (part.func.attr == "count" and not part.args))
            )
            or (isinstance(part, ast.Attribute) and ast.unparse(part) == "page.url")
            for part in ast.walk(node.test)
        )
    ]


BROWSER_TESTS = [path for path in python_files("tests/server") if "page" in path.stem]


@pytest.mark.parametrize("path", BROWSER_TESTS, ids=lambda path: path.stem)
def test_assertions_about_a_page_wait_for_what_they_expect(path):
    assert reads_at_once(path.read_text()) == []


@pytest.mark.parametrize(
    "source",
    [
        'assert page.get_by_text("won").count() == 1',
        'assert "b2" in page.locator(".moves").inner_text()',
        "assert not link.is_visible()",
        'assert page.url.endswith("ply=2")',
    ],
)
def test_the_check_for_waiting_sees_a_page_read_at_once(source):
    assert reads_at_once(source) == [1]
    assert reads_at_once('expect(rows).to_have_count(1)\nassert words.count("a") == 1') == []
