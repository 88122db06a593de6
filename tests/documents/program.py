"""The existing names: words of the sources, files, Python names, specs, games, make targets."""

import ast
import builtins
import contextlib
import fnmatch
import importlib
import inspect
import re
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from meeple.agents.kinds import AGENTS
from meeple.agents.networks import shipped_networks
from meeple.agents.spec import parse
from meeple.cli.new_game import Kind, written_files
from meeple.cli.new_plugin import written_package
from meeple.errors import MeepleError
from meeple.games.contract.registry import BUILT_IN, game_class, load_game
from meeple.learn.config import Config, find_config, load_config, section_of
from meeple.options import Option
from meeple.plugins import plug_ins
from tests.documents.markdown import read

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "meeple"
DEPLOY = ROOT / "deploy"
SOURCES = ("src", "plugins", "examples", "notebooks", "bench", "configs", "tests")
SUFFIXES = {".py", ".ipynb", ".js", ".html", ".css", ".toml", ".c", ".h"}
WRITTEN = ("runs", "build", ".venv", "~")  # folders created by commands
MAKEFILE = (ROOT / "Makefile").read_text()
PLACEHOLDER = re.compile(r"[A-Z][A-Z_]*(\.\.\.)?")
WORD = re.compile(r"[A-Za-z_]\w*")


@cache
def source_files() -> tuple[Path, ...]:
    """Return all source files except the tests of documents, which name missing things."""
    found = [path for folder in SOURCES for path in (ROOT / folder).rglob("*")]
    here = Path(__file__).parent
    kept = [path for path in found if "__pycache__" not in path.parts and here not in path.parents]
    return tuple(path for path in kept if path != here)


@cache
def program_text() -> str:
    """Return the text of the program's sources and configuration, without tests."""
    inside = [path for path in source_files() if "tests" not in path.relative_to(ROOT).parts]
    files = [path for path in inside if path.suffix in SUFFIXES]
    files += [ROOT / "pyproject.toml", ROOT / "Makefile", *DEPLOY.glob("*.yaml")]
    texts = [path.read_text() for path in [*files, DEPLOY / "Containerfile"]]
    return "\n".join(texts).replace('\\"', '"')  # as notebooks escape it


@cache
def program_words() -> frozenset[str]:
    """Return every word of the program's text."""
    return frozenset(WORD.findall(program_text())) | set(dir(builtins))


@cache
def functions() -> dict[str, list[tuple[str, ...]]]:
    """Return the parameters of every function of the sources by name, without `self`."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for path in source_files():
        if path.suffix == ".py":
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.FunctionDef):
                    names = [one.arg for one in [*node.args.posonlyargs, *node.args.args]]
                    given = tuple(name for name in names if name not in ("self", "cls"))
                    found.setdefault(node.name, []).append(given)
    return found


@cache
def _places() -> tuple[str, ...]:
    """Return files and folders by their paths from the root, each with a leading slash."""
    folders = (ROOT / name for name in ("docs", "deploy", ".ci", "tests/documents"))
    top = [*ROOT.glob("*"), *(path for folder in folders for path in folder.rglob("*"))]
    return tuple(f"/{path.relative_to(ROOT)}" for path in {*source_files(), *top})


@cache
def _written_folder() -> Path:
    """Return a folder with what documents make: a game, a plug-in, and blocks that are files."""
    folder = Path(tempfile.mkdtemp())
    written_files("my-game", Kind.squares, folder)
    written_package("trio", folder)
    for page in (ROOT / "docs").rglob("*.md"):
        for block in read(page.read_text(encoding="utf-8")).blocks:
            if block.file:
                (folder / block.file).write_text("\n".join(block.lines))
    return folder


def file_of(name: str) -> Path:
    """Return the file named by a document: of the checkout, or one that documents make."""
    written = _written_folder() / name
    return written if written.is_file() else ROOT / name


def is_placeholder(word: str) -> bool:
    """Return whether a word in capitals is a placeholder."""
    return PLACEHOLDER.fullmatch(word) is not None


def path_exists(path: str, folder: Path = ROOT) -> bool:
    """Return whether a path exists below any folder: `mcts/tree.py` is in src/meeple/search/.

    Patterns, paths relative to the document, and files written by commands exist, too.
    """
    plain = path.rstrip("/")
    parts = plain.split("/")
    if parts[0] in WRITTEN or parts[0] == ".." or any(is_placeholder(part) for part in parts):
        return True
    if any(is_placeholder(Path(part).stem) for part in parts) and len(parts) > 1:
        return path_exists("/".join(parts[:-1]), folder)
    if (folder / plain).exists() or file_of(plain).exists():
        return True
    if "*" in plain and fnmatch.filter(_places(), f"*/{plain}"):
        return True
    if any(place.endswith(f"/{plain}") for place in _places()):
        return True
    return len(parts) == (2 if "*" in parts[-1] else 1) and _is_written(parts[0])


def _is_written(name: str) -> bool:
    """Return whether the sources name such a file or folder as output."""
    return f'"{name}"' in program_text()


def address_exists(address: str) -> bool:
    """Return whether an address of the server or its page exists: its words are in the sources."""
    if address == inspect.signature(FastAPI).parameters["openapi_url"].default:
        return True
    words = [word for word in WORD.findall(address) if not is_placeholder(word)]
    return all(word in program_words() for word in words)


def python_name_exists(name: str) -> bool:
    """Return whether a dotted name that begins with `meeple` or `numba` can be imported."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[count:]:
            if not hasattr(found, attribute):
                return False
            found = getattr(found, attribute)
        return True
    return False


def variable_exists(name: str) -> bool:
    """Return whether an environment variable is used by the program or by Numba."""
    if name.startswith("NUMBA_"):
        config: Any = importlib.import_module("numba.core.config")
        return hasattr(config, name.removeprefix("NUMBA_"))
    return f'"{name}"' in program_text() or f"{name}=" in MAKEFILE


def make_target_exists(target: str) -> bool:
    return re.search(rf"^{re.escape(target)}:", MAKEFILE, re.M) is not None


def extra_exists(extra: str) -> bool:
    """Return whether pip knows this extra: `pip install '.[docs]'`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return extra in project["optional-dependencies"]


def wrong_spec(spec: str) -> str | None:
    """Return the fault of an agent's spec, or of the name of a library's game, which is like one.

    Capitals may stand for its path and numbers.
    """
    try:
        if spec.partition(":")[0] in plug_ins("libraries"):
            if not is_placeholder(spec.partition(":")[2]):
                load_game(spec)
            return None
        parsed = parse(re.sub(r"=[A-Z]+\b", "=1", spec))
    except MeepleError as error:
        return str(error)
    path = parsed.path
    if parsed.name == "engine":  # an external program; files of ours must exist
        missing = [
            word for word in (path or "").split() if word.endswith(".py") and not path_exists(word)
        ]
        return f"there is no {missing[0]}" if missing else None
    if path is None or is_placeholder(path) or path in shipped_networks():
        return None
    file, _, name = path.rpartition(":")
    if is_placeholder(file.removesuffix(".py")) or defines_class(file, name):
        return None
    return None if "/" in path and path_exists(path) else f"there is no network '{path}'"


def defines_class(file: str, name: str) -> bool:
    """Return whether a file defines a class; without a file, whether any example does."""
    files = [file_of(file)] if file else sorted((ROOT / "examples").glob("*.py"))
    return any(one.is_file() and f"class {name}" in one.read_text() for one in files)


@cache
def declared_options() -> dict[str, list[Option]]:
    """Return the options of games and agents by name."""
    found: dict[str, list[Option]] = {}
    tables = [kind.keys for kind in AGENTS.values()]
    tables += [game_class(name).declared for name in BUILT_IN]
    for table in tables:
        for name, option in table.items():
            found.setdefault(name, []).append(option)
    return found


def option_allows(option: Option, value: str) -> bool:
    try:
        option.check(value)
    except (ValueError, MeepleError):
        return False
    return True


def config_allows(field: str, value: str) -> bool:
    """Return whether a section of the configuration has such a field with this value."""
    for name, section in Config.model_fields.items():
        if field in getattr(section_of(section), "model_fields", {}):
            with contextlib.suppress(MeepleError):
                load_config(find_config("hex5"), [f"{name}.{field}={value}"])
                return True
    return False
