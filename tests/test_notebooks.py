"""Every notebook runs: all its cells, in one namespace, and what they show can be drawn."""

import ast
import io
import json
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
API = {"meeple", "pandas", "numpy", "math", "random", "itertools", "os"}


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
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), namespace)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)  # noqa: S307  # a cell
    return printed.getvalue(), shown(value)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the layout of the checkout: a notebook's folder, beside the examples."""
    (tmp_path / "examples").symlink_to(FOLDER.parent / "examples")
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    monkeypatch.setenv("MEEPLE_NOTEBOOK_MINUTES", MINUTES)
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_files", [])
    return tmp_path


@pytest.mark.parametrize(
    "notebook", [path for path in NOTEBOOKS if path.stem not in FIGURES], ids=lambda path: path.stem
)
def test_every_cell_of_a_notebook_runs(notebook, folder):
    pytest.importorskip("pandas", reason="pandas makes the tables")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for number, text in enumerate(code_of(notebook), start=1):
        try:
            run_cell(text, namespace)
        except Exception as error:
            error.add_note(f"{notebook.name}, cell {number}:\n{text}")
            raise


def test_the_search_notebook_draws_the_tree_and_finds_the_move(folder):
    namespace: dict[str, Any] = {"__name__": "__main__"}
    html = [run_cell(text, namespace)[1] for text in code_of(FOLDER / "01-search-tree.ipynb")]
    assert html[3].count("<svg") == 8
    root = namespace["root"]
    assert root.visits == 100


def test_the_determinizing_agent_promises_more_than_it_gets(folder):
    namespace: dict[str, Any] = {"__name__": "__main__"}
    texts = code_of(FOLDER / "03-determinization.ipynb")
    results = [run_cell(text, namespace) for text in texts]
    assert results[1][0].split() == ["leave", "0.6", "enter", "1.0"]
    cheated, honest = (float(results[at][1]) for at in (3, 5))
    assert cheated < 0.55
    assert honest == pytest.approx(0.6)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_no_output_and_imports_the_public_api_alone(notebook):
    for cell in cells(notebook):
        assert not cell.get("outputs")
        assert not cell.get("execution_count")
    for text in code_of(notebook):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= API
            assert not isinstance(node, ast.ImportFrom)
