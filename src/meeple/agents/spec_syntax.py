"""The syntax of specs, `name[:[PATH][,]key=value,...]`: splitting and writing.

A path or value in double quotes may hold commas; a double quote in it is doubled.
"""

import re
from collections.abc import Mapping
from typing import Any

from meeple.errors import SpecError
from meeple.sentences import say

_QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"\s*')
_PIECE = re.compile(rf"(?:\s*\w+\s*=)?{_QUOTED.pattern}(?=,|$)|[^,]*")
_PAIR = re.compile(r"\s*(\w+)\s*=(.*)", re.DOTALL)


def write(name: str, path: str | None = None, options: Mapping[str, Any] | None = None) -> str:
    """Return the spec of an agent with this path and these options, in quotes where needed."""
    words = [] if path is None else [quoted(path)]
    words += [f"{key}={quoted(str(value))}" for key, value in (options or {}).items()]
    return f"{name}:{','.join(words)}" if words else name


def quoted(word: str) -> str:
    """Return a path or value as it is written in a spec: in quotes if it holds `,`, `=` or `"`."""
    plain = word == word.strip() and not set(word) & set(',="')
    return word if plain else '"{}"'.format(word.replace('"', '""'))


def split(rest: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the path and the key=value pairs after it.

    A path that is not in quotes may hold commas and `=`, as long as no pair follows from them.
    """
    pieces, at = [], 0
    while at <= len(rest):
        piece = _PIECE.match(rest, at)
        assert piece is not None  # the pattern matches an empty piece
        pieces.append(piece[0])
        at = piece.end() + 1
    pairs = []
    while pieces and (pair := _PAIR.fullmatch(pieces[-1])):
        pairs.append((pair[1], _unquoted(pair[2])))
        pieces.pop()
    if len(pieces) > 1 and _QUOTED.fullmatch(pieces[0]):
        raise SpecError(say("agent.a_comma_must_follow", agent=rest))
    return _unquoted(",".join(pieces)), pairs[::-1]


def _unquoted(text: str) -> str:
    word = _QUOTED.fullmatch(text)
    return text.strip() if word is None else word[1].replace('""', '"')
