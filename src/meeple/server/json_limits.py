"""Limits of the JSON that clients send, checked before it is parsed.

Parsing and validation are calls into C and Rust that keep the interpreter's lock, so that a thread
for them would not help others: what they may cost is bounded here instead. The check takes a few
milliseconds for the longest text there may be.
"""

import re
from typing import NamedTuple

from meeple.server.errors import TooMuch

MAX_DEPTH = 8  # lists and objects in each other; a changed field of a run takes four
MAX_CONTAINERS = 400  # lists and objects of a text
MAX_MEMBERS = 400  # of all objects of a text together; a new run sets up to 100 fields
_BRACKETS = re.compile(rb"[\[\]{}]")


class JsonLimits(NamedTuple):
    """What one route, or one WebSocket, takes."""

    max_bytes: int
    max_items: int  # values of all lists and objects together


LOGIN = JsonLimits(2_000, 10)
SMALL = JsonLimits(64_000, 3_000)  # a board of 1,024 cells is among it
WITH_GAME = JsonLimits(1_200_000, 45_000)  # a record, or two lists of 20,000 moves
BY_PATH = {
    "/api/login": LOGIN,
    **dict.fromkeys(
        ("/api/tables", "/api/records", "/api/positions", "/api/scenes", "/api/openings"), WITH_GAME
    ),
}


def limits_of(path: str) -> JsonLimits:
    """What the route of a path takes."""
    return BY_PATH.get(path, SMALL)


def check_json(text: bytes, limits: JsonLimits) -> None:
    """Check the size and the shape of a JSON text by its quotes, commas, colons and brackets.

    Text that is no JSON may pass: the parser ends at its first fault.

    Raises TooMuch with a sentence.
    """
    if len(text) > limits.max_bytes:
        raise TooMuch(f"a request here may have at most {limits.max_bytes:,} bytes")
    if b"\0" in text:  # of UTF-16, whose quotes cannot be told apart
        raise TooMuch("a request is JSON in UTF-8")
    structure = _without_strings(text, limits.max_items)
    containers = structure.count(b"[") + structure.count(b"{")
    if structure.count(b",") + containers > limits.max_items:
        raise TooMuch(f"a request here may have at most {limits.max_items:,} values")
    if structure.count(b":") > MAX_MEMBERS or containers > MAX_CONTAINERS:
        raise TooMuch(
            f"a request may have at most {MAX_MEMBERS} keys, and {MAX_CONTAINERS} lists and objects"
        )
    if _depth(structure) > MAX_DEPTH:
        raise TooMuch(f"a request may have at most {MAX_DEPTH} lists and objects in each other")


def _without_strings(text: bytes, max_items: int) -> bytes:
    """What is outside of strings. Raises TooMuch for more strings than values and keys may be."""
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    if text.count(b'"') > 2 * (max_items + MAX_MEMBERS):
        raise TooMuch(f"a request here may have at most {max_items:,} values")
    return b"".join(text.split(b'"')[::2])


def _depth(structure: bytes) -> int:
    """How many containers are open at once, at most."""
    depth = deepest = 0
    for bracket in _BRACKETS.findall(structure):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
