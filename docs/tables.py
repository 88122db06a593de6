"""Tables of the documents that the program writes, each below a line `<!-- table: NAME -->`.

`python -m docs.tables` writes them all into the documents; a test compares them.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import getmembers, isfunction
from pathlib import Path
from typing import Any

from bench import ladders, levels
from meeple.agents.networks import shipped_networks
from meeple.cli.nets import describe, lines_of, training_words
from meeple.games.check.hooks import CAPABILITIES
from meeple.kernels import calls
from meeple.kernels.unsupported import CONSTRUCTS

ROOT = Path(__file__).resolve().parents[1]
MARK = re.compile(r"^<!-- table: (\w+) -->\n(?:\n(?:\|.*\n)+)?", re.M)
KERNEL = re.compile(r'^\w+ = _kernel\("(\w+)", (.*)\)  # (.*)$', re.M)


def kernels() -> Iterator[str]:
    """Yield the kernels that a game may have, with the comments of their declarations."""
    source = Path(str(calls.__file__)).read_text(encoding="utf-8")
    for name, parameters, words in KERNEL.findall(source):
        if name in calls.GAME_KERNELS:
            yield f"| `{name}` | {parameters.lower()} | {words} |"


def methods(capability: type[Any]) -> list[str]:
    """Return the methods that a game with a capability has."""
    return [name for name, _ in getmembers(capability, isfunction) if not name.startswith("_")]


def capabilities() -> Iterator[str]:
    """Yield what only some games can do: the methods, and the first line of the protocol."""
    for one in CAPABILITIES:
        names = ", ".join(f"`{name}`" for name in methods(one))
        yield f"| {names} | {str(one.__doc__).splitlines()[0]} |"


def networks() -> Iterator[str]:
    """Yield the networks that ship."""
    for name, path in shipped_networks().items():
        facts = describe(name, path)
        what, cost, *_ = lines_of(facts)
        spec, _, measured = cost.strip().rpartition(": ")
        cells = [
            what.partition(": ")[2],
            f"`{spec}`: {measured}",
            training_words(facts["training"]),
        ]
        yield f"| [`{name}`](#{name}) | {' | '.join(cells)} |"


def nightly() -> Iterator[str]:
    """Yield the files of nightly tests, each with what a marker says that it guards."""
    for path in [*ROOT.glob("tests/**/*.py"), *ROOT.glob("plugins/*/tests/**/*.py")]:
        if "mark.nightly" in (text := path.read_text(encoding="utf-8")):
            name = path.relative_to(ROOT).as_posix().removeprefix("tests/")
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.nightly":
                    yield f"| `{name}` | {ast.literal_eval(node.args[0])} |"


TABLES: dict[str, tuple[Sequence[str], Callable[[], Iterable[str]]]] = {
    "kernels": (("kernel", "arguments", "what it does"), kernels),
    "capabilities": (("methods", "a game that has them"), capabilities),
    "constructs": (
        ("kernels do not have", "such as", "write instead"),
        lambda: (f"| {' | '.join(one)} |" for one in CONSTRUCTS.values()),
    ),
    "networks": (("network", "what it is", "cost and rating", "trained by"), networks),
    "nightly": (("tests", "guard"), lambda: sorted({*nightly()})),
    "levels": (
        ("board", "level", "against", "share", "interval", "games", "ms a move"),
        lambda: levels.table(levels.LevelResults()),
    ),
    "ladders": (
        ("board", "agent", "rating", "interval", "ms a move", "games of a pair"),
        lambda: ladders.table(ladders.read()),
    ),
}
"""The columns and the rows of each table, by its name."""


def table(name: str) -> str:
    """Return a table in Markdown."""
    columns, rows = TABLES[name]
    return "\n".join([f"| {' | '.join(columns)} |", "|---" * len(columns) + "|", *rows()])


def written(markdown: str) -> str:
    """Return a document with its tables."""
    return MARK.sub(lambda mark: f"<!-- table: {mark[1]} -->\n\n{table(mark[1])}\n", markdown)


if __name__ == "__main__":
    for path in (ROOT / "docs").rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        if MARK.search(text):
            path.write_text(written(text), encoding="utf-8")
