"""Command lines in documents, checked by the parsers of the programs that they call.

Words in capitals are placeholders for the reader's values, a single capital for a number.
"""

import re
import shlex
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperArgument

from bench.speed.command import app as speed_app
from bench.speed.subjects import BenchOptions, find
from meeple.agents.engine.listed import read_engines
from meeple.cli.main import SUBCOMMANDS, app, load
from meeple.cli.play import split_specs
from meeple.cli.shared.arguments import open_game
from meeple.cli.train.command import names_game
from meeple.cli.train.sweep import plan_sweep
from meeple.errors import MeepleError
from meeple.games.contract.registry import game_class, is_of_library, load_file, load_game_file
from meeple.learn.config import find_config
from meeple.learn.config import load as load_configuration
from tests.documents.program import (
    MAKEFILE,
    ROOT,
    extra_exists,
    file_of,
    is_placeholder,
    make_target_exists,
    path_exists,
    variable_exists,
    wrong_spec,
)

ASSIGNMENT = re.compile(r"([A-Z][A-Z_]*)=(.*)")
TOOLS = ("git", "tensorboard", "source", "ruff", "mypy", "pytest", "cd")  # options not checked
LEFT_OUT = ("MissingParameter", "BadOptionUsage")  # a missing argument, or a missing option value
CALLS = ("meeple", "make", "python", "pip", *TOOLS)


def is_command(text: str) -> bool:
    """Return whether a line or span calls a program, judging by its first words."""
    words = text.split()
    while words and ASSIGNMENT.fullmatch(words[0]):
        words = words[1:]
    return bool(words) and words[0] in CALLS


def wrong_command(line: str, *, whole: bool, folder: Path = ROOT) -> str | None:
    """Return the fault of a command; one that is not `whole` may omit arguments."""
    words = shlex.split(line, comments=True)
    while words and (variable := ASSIGNMENT.fullmatch(words[0])):
        if not variable_exists(variable[1]):
            return f"nothing reads the variable {variable[1]}"
        words = words[1:]
    if ">" in words:
        words = words[: words.index(">")]
    called, arguments = words[0], words[1:]
    if called == "meeple":
        return wrong_call(arguments, whole=whole)
    if called == "make":
        return _wrong_make(arguments)
    if called == "pip":
        return _wrong_extras(arguments)
    if called == "python" or called in TOOLS:
        return _wrong_script(arguments, folder)
    return f"there is no program {called}"


def _wrong_make(arguments: list[str]) -> str | None:
    for word in arguments:
        variable = ASSIGNMENT.fullmatch(word)
        if variable and not re.search(rf"\$\({variable[1]}\)", MAKEFILE):
            return f"the Makefile has no variable {variable[1]}"
        if not variable and not make_target_exists(word):
            return f"the Makefile has no target {word}"
    return None


def _wrong_extras(arguments: list[str]) -> str | None:
    for extra in re.findall(r"\.\[([\w,]+)\]", " ".join(arguments)):
        if missing := [one for one in extra.split(",") if not extra_exists(one)]:
            return f"there are no extra dependencies called {missing[0]}"
    return None


def _wrong_script(arguments: list[str], folder: Path) -> str | None:
    """Check `python FILE`, `python -m MODULE` and tools: paths, and options of our scripts."""
    if arguments[:2] == ["-m", "bench"]:
        return _wrong_benchmark(arguments[2:])
    if arguments[:1] == ["-m"]:
        if "." not in arguments[1]:  # a tool, such as pytest
            return _missing_path(arguments[2:], folder)
        module = arguments[1].replace(".", "/")
        is_package = (ROOT / module).is_dir()
        file = f"{module}/__main__.py" if is_package else f"{module}.py"
        arguments = [file, *arguments[2:]]
    if not arguments or not arguments[0].endswith(".py"):
        return _missing_path(arguments, folder)
    if missing := _missing_path(arguments, folder):
        return missing
    text = (ROOT / arguments[0]).read_text()
    options = [word for word in arguments[1:] if word.startswith("-")]
    unknown = [word for word in options if f'"{word}"' not in text]
    return f"{arguments[0]} takes no {unknown[0]}" if unknown else None


def _wrong_benchmark(arguments: list[str]) -> str | None:
    command = typer.main.get_command(speed_app)
    try:
        return _wrong_values(
            command, _parsed(command, "bench", _with_numbers(arguments), whole=False)
        )
    except (typer.TyperException, MeepleError) as error:
        return str(error)


def _with_numbers(words: Iterable[str]) -> list[str]:
    """Return words with a number in place of single capitals."""
    return ["2" if re.fullmatch("[A-Z]", word) else word for word in words]


def _missing_path(arguments: Iterable[str], folder: Path) -> str | None:
    for word in arguments:
        path, _, test = word.partition("::")
        if ("/" in path or path.endswith(".py")) and not path_exists(path, folder):
            return f"there is no {path}"
        if test and f"def {test.partition('[')[0]}(" not in (ROOT / path).read_text():
            return f"{path} has no test {test}"
    return None


# ------------------------------------------------------------------------------ meeple itself


def wrong_call(arguments: list[str], *, whole: bool) -> str | None:
    """Return the fault of the arguments of `meeple`, found by its own parsers."""
    words = [word for word in _with_numbers(arguments) if word != "--debug"]
    if "|" in words:
        unknown = [word for word in words[::2] if word not in SUBCOMMANDS]
        return f"meeple has no subcommand {unknown[0]}" if unknown else None
    try:
        name, command, rest = _subcommand(words)
        if name is None:
            return None
        return _wrong_values(command, _parsed(command, name, rest, whole))
    except (typer.TyperException, MeepleError) as error:
        return str(error) or type(error).__name__


def _subcommand(words: list[str]) -> tuple[str | None, Any, list[str]]:
    """Return the called subcommand, its function and its arguments; files to load are loaded."""
    group = typer.main.get_command(app)
    context = group.make_context("meeple", list(words), resilient_parsing=True)
    for file in context.params.get("files") or ():
        if is_of_library(file):
            load_file(file)
        elif not is_placeholder(Path(file).stem):
            (read_engines if file.endswith(".toml") else load_file)(file_of(file))
    rest = [*context._protected_args, *context.args]
    if not rest:
        return None, group, []
    name, command, rest = group.resolve_command(context, rest)  # type: ignore[attr-defined]
    while hasattr(command, "commands") and rest:
        outer = command.make_context(name, rest, resilient_parsing=True)
        name, command, rest = command.resolve_command(outer, rest)
    return name, command, rest


def _parsed(command: Any, name: str, rest: list[str], whole: bool) -> dict[str, Any]:
    """Return the values of all parameters; omitted ones are None if the line is not whole."""
    if hasattr(command, "commands"):
        return {}
    try:
        context = command.make_context(name, list(rest))
    except typer.TyperException as error:
        if whole or type(error).__name__ not in LEFT_OUT:
            raise
        context = command.make_context(name, list(rest), resilient_parsing=True)
    return dict(context.params)


def _wrong_values(command: Any, values: dict[str, Any]) -> str | None:
    """Return what the command would refuse before it starts: games, options, specs, files."""
    for parameter in getattr(command, "params", ()):
        value, metavar = values.get(parameter.name), parameter.metavar or ""
        if not value:
            continue
        if "GAME" in metavar:
            _check_game(value, values.get("option") or ())
        elif "SPEC" in metavar:
            given = [value] if isinstance(value, str) else list(value)
            specs = [one for word in given for one in split_specs(word)]
            wrong = [wrong_spec(spec) for spec in specs if not is_placeholder(spec)]
            if any(wrong):
                return next(filter(None, wrong))
        elif metavar == "CONFIG" and names_game(value, values.get("minutes")):
            _check_game(value, values.get("option") or ())
        elif metavar == "CONFIG" and not is_placeholder(value):
            path = _config_of(value)
            load_configuration(path, values.get("changes") or ())
            for text in values.get("sweep") or ():
                plan_sweep(text, str(path), values.get("changes") or ())
        elif metavar == "[SUBJECT]":
            asked = {name: values[name] or None for name in BenchOptions.__annotations__}
            find(value, BenchOptions(**asked))
    return None


def _config_of(name: str) -> Path:
    return file_of(name) if file_of(name).exists() else find_config(name)


def _check_game(name: str, options: Iterable[str]) -> None:
    """Make the game with its options; only the names of options that are files are checked.

    Raises MeepleError for an unknown game or option.
    """
    if is_placeholder(name) or name.endswith((".jsonl", ".sgf")):
        return
    if name.endswith(".py"):
        name = load_game_file(file_of(name)).name
    words = [word for word in options if word != "k=v"]
    from_files = [word for word in words if word.endswith(".json")]
    for word in from_files:
        if word.partition("=")[0] not in game_class(name).declared:
            raise MeepleError(f"{name} has no option '{word.partition('=')[0]}'")
    open_game(name, [word for word in words if word not in from_files])


@cache
def all_options() -> frozenset[str]:
    """Return the options of `meeple` and of all subcommands, as typed."""
    return frozenset(
        word
        for command in _commands()
        for parameter in command.params
        if not isinstance(parameter, TyperArgument)
        for word in parameter.opts
    )


def _commands() -> Iterator[Any]:
    yield from map(typer.main.get_command, (app, speed_app))
    for name in SUBCOMMANDS:
        command = load(name)
        yield from getattr(command, "commands", {"": command}).values()
