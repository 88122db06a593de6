"""Statements of a document that the program contradicts.

Each code span is treated as the first of these that it looks like: a command, arguments of the
command before it, an option, an address of the server, a spec, a path, data in JSON, an environment
variable, a call, an option with its value, a dotted name; anything else must consist of words of
the program's sources. Blocks without a language hold commands, and output, which is not checked.
Prose may name a feature of `PROMISES` only if its module exists.
"""

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.documents.commands import all_options, is_command, wrong_command
from tests.documents.markdown import Block, Document, read
from tests.documents.program import (
    ROOT,
    WORD,
    address_exists,
    config_allows,
    declared_options,
    functions,
    is_placeholder,
    option_allows,
    path_exists,
    program_words,
    python_name_exists,
    variable_exists,
    wrong_spec,
)
from tests.roots import PACKAGES

PROMISES = {
    "GTP": "protocols/**/*gtp*",
    "HTP": "protocols/**/*gtp*",
    "OHT": "wire/*",
    "Gomocup": "protocols/**/*piskvork*",
    "Piskvork": "protocols/**/*piskvork*",
    "NBoard": "protocols/**/*nboard*",
    "SGF": "protocols/**/*sgf*",
    "PettingZoo": "interop/*pettingzoo*",
    "gate": "learn/*gat*",
    "gated": "learn/*gat*",
    "gating": "learn/*gat*",
}
"""Words for features, each with the module of the core or a plug-in that implements it."""

SUFFIX = re.compile(r"\.(?:py|md|toml|yml|cff|ipynb|json|jsonl|html|safetensors|sgf|svg|png|c|h)$")
SPEC = re.compile(r"[a-z][\w-]*:[^\s:/]\S*")
PAIR = re.compile(r"([a-z_]\w*)\s*=\s*(\S+)")
CALL = re.compile(r"([\w.]+)\((.*)\)")
DOTTED = re.compile(r"\w+(?:\.\w+)+")


def findings(text: str, folder: Path = ROOT) -> list[str]:
    """Return a sentence for every broken reference, and every plan that exists by now."""
    document = read(text)
    found = [*_of_spans(document, folder), *_of_prose(document)]
    for block in document.blocks:
        found += _of_block(block, folder)
    for line, link in document.links:
        if not (folder / link).exists():
            found.append(f"line {line}: the link to {link} leads nowhere")
    return found


def _of_spans(document: Document, folder: Path) -> Iterator[str]:
    command = ""
    for span in document.spans:
        wrong = wrong_span(span.text, command, folder)
        if is_command(span.text):
            command = span.text
        if span.declares and wrong is None:
            yield f"line {span.line}: `{span.text}` is there, and no longer planned"
        elif wrong is not None and not (span.planned and span.text in document.declared):
            yield f"line {span.line}: `{span.text}`: {wrong}"


def exists(module: str) -> bool:
    """Return whether a package has a module of this pattern."""
    return any(any(folder.glob(module)) for folder in PACKAGES.values())


def _of_prose(document: Document) -> Iterator[str]:
    for prose in document.prose:
        for word, module in PROMISES.items():
            said = re.search(rf"\b{word}\b", prose.text)
            if said and not prose.planned and not exists(module):
                yield f"line {prose.line}: {word}: there is no {module}"


# ------------------------------------------------------------------------------------- spans


def wrong_span(text: str, command: str, folder: Path) -> str | None:
    """Return the fault of a span that follows the mention of `command`, or None."""
    if is_command(text):
        return wrong_command(text, whole=False, folder=folder)
    if _continues(text):
        return _wrong_continuation(text, command, folder)
    if text.startswith("-") and " " not in text:
        return _wrong_option(text)
    if text.startswith(("/", "#/")):
        return None if address_exists(text) else f"the server has no address {text}"
    if SPEC.fullmatch(text):
        return wrong_spec(text)
    if _is_path(text):
        return _wrong_paths(text, folder)
    for shape, wrong in SHAPES:
        if shape.fullmatch(text):
            return wrong(text)
    return _wrong_words(text)


def _continues(text: str) -> bool:
    """Return whether these are arguments for the command before: `... --games 6`."""
    return text.startswith("... ") or (" --" in text and not is_command(text))


def _wrong_continuation(text: str, command: str, folder: Path) -> str | None:
    """Check the command with these arguments added: options of a game replace earlier ones."""
    words = [word for word in text.split() if word != "..."]
    given = {words[i + 1].partition("=")[0] for i in range(len(words) - 1) if words[i] == "-o"}
    before = command.split()
    kept: list[str] = []
    for word in before:
        if kept and kept[-1] == "-o" and word.partition("=")[0] in given:
            kept.pop()
        else:
            kept.append(word)
    if not kept:
        return "no command stands before these arguments"
    return wrong_command(" ".join([*kept, *words]), whole=True, folder=folder)


def _wrong_option(text: str) -> str | None:
    return None if text.partition("=")[0] in all_options() else f"no command takes {text}"


def _is_path(text: str) -> bool:
    words = text.split()
    return all("/" in word or SUFFIX.search(word) for word in words) and text[0] not in '{"<'


def _wrong_paths(text: str, folder: Path) -> str | None:
    missing = [word for word in text.split() if not path_exists(word, folder)]
    return f"there is no {missing[0]}" if missing else None


def _wrong_variable(text: str) -> str | None:
    name = text.partition("=")[0]
    known = variable_exists(name) or name in program_words()
    return None if known else f"nothing reads the variable {name}"


def _wrong_keys(text: str) -> str | None:
    unknown = [key for key in re.findall(r'"(\w+)"', text) if key not in program_words()]
    return f"nothing writes the key {unknown[0]}" if unknown else None


def _wrong_function(text: str) -> str | None:
    """Check a call of one of our functions, with its own parameters if only names are passed."""
    called = CALL.fullmatch(text)
    assert called is not None
    name = called[1].rpartition(".")[2]
    if name not in functions():
        return _wrong_words(text)
    given = [one.strip() for one in called[2].split(",") if one.strip()]
    if not all(one.isidentifier() for one in given):
        return None
    if any(set(given) <= set(parameters) for parameters in functions()[name]):
        return None
    return f"no function {name} takes {', '.join(given)}"


def _wrong_pair(text: str) -> str | None:
    """Check an option of a game or agent with a value that it allows, or words of the sources."""
    pair = PAIR.fullmatch(text)
    assert pair is not None
    options = declared_options().get(pair[1])
    value = pair[2].strip("\"'")
    if options is None or is_placeholder(value):
        return _wrong_words(text)
    if any(option_allows(option, value) for option in options) or config_allows(pair[1], value):
        return None
    return f"{pair[1]} cannot be {value}"


def _wrong_name(text: str) -> str | None:
    first = text.split(".")[0]
    if first in ("meeple", "numba"):
        return None if python_name_exists(text) else f"there is no {text}"
    return _wrong_words(text)


def _wrong_words(text: str) -> str | None:
    """Check that the sources have every word; capitals and single letters are placeholders."""
    words = [word for word in WORD.findall(text) if len(word) > 1 and not is_placeholder(word)]
    words = [word for word in words if word not in program_words()]
    return f"the sources have no word {words[0]}" if words else None


SHAPES: list[tuple[re.Pattern[str], Callable[[str], str | None]]] = [
    (re.compile(r"\{.*\}"), _wrong_keys),
    (re.compile(r"[A-Z]+_[A-Z_]+(?:=\S*)?"), _wrong_variable),
    (CALL, _wrong_function),
    (PAIR, _wrong_pair),
    (DOTTED, _wrong_name),
]
"""Checks of spans that are no command, option, address, spec or path: the first match applies."""


# ------------------------------------------------------------------------------------- blocks


def _of_block(block: Block, folder: Path) -> Iterator[str]:
    if block.language in BLOCKS:
        wrong = BLOCKS[block.language]("\n".join(block.lines))
        if wrong is not None:
            yield f"line {block.line}: {wrong}"
        return
    for number, line in enumerate(block.lines, block.line):
        if is_command(line) and (wrong := wrong_command(line, whole=True, folder=folder)):
            yield f"line {number}: `{line.strip()}`: {wrong}"


def _unread(text: str, parse: Callable[[str], object], what: str) -> str | None:
    try:
        parse(text)
    except ValueError as error:  # the errors of both parsers are subclasses
        return f"no {what}: {error}"
    return None


def _wrong_python(text: str) -> str | None:
    """Check that it can be parsed, and that its imports, attributes and specs exist."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return f"no Python: {error}"
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "meeple":
            missing = [one.name for one in node.names]
            missing = [one for one in missing if not python_name_exists(f"{node.module}.{one}")]
            if missing:
                return f"{node.module} has no {missing[0]}"
        elif isinstance(node, ast.Attribute):
            name = ast.unparse(node)
            whole = name.startswith("meeple.") and DOTTED.fullmatch(name)
            if not (python_name_exists(name) if whole else node.attr in program_words()):
                return f"there is no {name}"
        elif isinstance(node, ast.Constant) and SPEC.fullmatch(str(node.value)):
            wrong = wrong_spec(str(node.value))
            if wrong is not None:
                return wrong
    return None


BLOCKS: dict[str, Callable[[str], str | None]] = {
    "python": _wrong_python,
    "json": partial(_unread, parse=json.loads, what="JSON"),
    "toml": partial(_unread, parse=tomllib.loads, what="TOML"),
}
"""Checks of blocks, by their language."""
