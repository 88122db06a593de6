"""Every notebook runs alone: a copy in an empty folder, all its cells, in one namespace.

What the cells show can be drawn, and the outputs that are stored hold no errors and no paths.
"""

import ast
import io
import json
import re
import shutil
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from meeple.games.contract import registry

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
FIGURES = {"01-search-tree", "03-determinization"}
"""Notebooks whose cells run in a test of what they show."""
MINUTES = "0.02"  # of training
API = {"meeple", "pandas", "numpy", "math", "random", "itertools", "os", "importlib.util"}
WRITE = "%%writefile "  # begins a cell that is a file
MAX_BYTES = 300_000
PICTURE = r'"image/png": "[^"]*"'  # of an output, in base64
ABSOLUTE_PATH = r"(?<![\w.:/<)\]])/\w[\w.-]*/"


def cells(notebook):
    """Return the cells of a notebook."""
    data = json.loads(notebook.read_text(encoding="utf-8"))
    assert (data["nbformat"], data["nbformat_minor"]) == (4, 5)
    return data["cells"]


def code_of(notebook):
    return ["".join(cell["source"]) for cell in cells(notebook) if cell["cell_type"] == "code"]


def shown(value):
    """Return a value as a notebook shows it, as HTML if it has such a form."""
    drawn = getattr(value, "_repr_html_", None)
    return "" if value is None else (drawn() if drawn else None) or repr(value)


def run_cell(text, namespace):
    """Run a cell; return what it prints, and the value of its last expression as it is shown."""
    if text.startswith(WRITE):
        head, _, content = text.partition("\n")
        Path(head.removeprefix(WRITE)).write_text(f"{content}\n", encoding="utf-8")
        return "", ""
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), namespace)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)  # noqa: S307  # a cell
    return printed.getvalue(), shown(value)


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """Return a function that copies a notebook into an empty folder, the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEEPLE_NOTEBOOK_MINUTES", MINUTES)
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_files", [])
    return lambda stem: Path(shutil.copy(FOLDER / f"{stem}.ipynb", tmp_path))


@pytest.mark.parametrize(
    "notebook", [path for path in NOTEBOOKS if path.stem not in FIGURES], ids=lambda path: path.stem
)
def test_every_cell_of_a_notebook_runs_alone(notebook, alone):
    pytest.importorskip("pandas", reason="pandas makes the tables")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for number, text in enumerate(code_of(alone(notebook.stem)), start=1):
        try:
            run_cell(text, namespace)
        except Exception as error:
            error.add_note(f"{notebook.name}, cell {number}:\n{text}")
            raise


def test_the_search_notebook_draws_the_tree_and_finds_the_move(alone):
    namespace: dict[str, Any] = {"__name__": "__main__"}
    html = [run_cell(text, namespace)[1] for text in code_of(alone("01-search-tree"))]
    assert html[4].count("<svg") == 8
    root = namespace["root"]
    assert root.visits == 100


def test_the_determinizing_agent_promises_more_than_it_gets(alone):
    namespace: dict[str, Any] = {"__name__": "__main__"}
    results = [run_cell(text, namespace) for text in code_of(alone("03-determinization"))]
    results = results[2:]  # without the check and the file of the game
    assert results[1][0].split() == ["leave", "0.6", "enter", "1.0"]
    cheated, honest = (float(results[at][1]) for at in (3, 5))
    assert cheated < 0.55
    assert honest == pytest.approx(0.6)


def test_a_notebook_writes_the_game_of_the_examples():
    (text,) = [text for text in code_of(FOLDER / "03-determinization.ipynb") if WRITE in text]
    game = (FOLDER.parent / "examples" / "doors.py").read_text(encoding="utf-8")
    assert f"{text}\n" == f"{WRITE}doors.py\n{game}"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_without_meeple_says_what_to_install(notebook, alone, monkeypatch):
    first = code_of(alone(notebook.stem))[0]
    run_cell(first, {})
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r"Missing: meeple.*pip install 'meeple\["):
        run_cell(first, {})


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_stored_outputs_and_imports_the_public_api_alone(notebook):
    assert notebook.stat().st_size < MAX_BYTES
    codes = [cell for cell in cells(notebook) if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in codes] == list(range(1, len(codes) + 1))
    stored = re.sub(PICTURE, "", json.dumps([cell["outputs"] for cell in codes]))
    for pattern in ('"error"', '"stderr"', ABSOLUTE_PATH, r"\w:\\\\"):
        assert not re.search(pattern, stored), pattern
    for cell in codes:
        text = "".join(cell["source"])
        if text.startswith(WRITE):
            continue
        nodes = ast.parse(text)
        if isinstance(nodes.body[-1], ast.Expr):
            assert cell["outputs"], text
        data = [output.get("data", {}) for output in cell["outputs"]]
        assert all("image/png" in one for one in data if "<Figure" in str(one)), text
        for node in ast.walk(nodes):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= API
            assert not isinstance(node, ast.ImportFrom)
