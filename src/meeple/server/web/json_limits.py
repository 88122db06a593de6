"""Limits of the JSON that clients send, checked before it is parsed.

Parsing and validation are calls into C and Rust that hold the GIL, so running them in a thread
would not help other requests; these limits bound their cost. The check takes a few milliseconds for
the longest text.
"""

import re
from typing import NamedTuple

from meeple.server.errors import TooMuch

MAX_DEPTH = 8  # of nested lists and objects; a field of a run needs 4
MAX_CONTAINERS = 400  # lists and objects in a text
MAX_MEMBERS = 400  # keys in a text; a new run sets up to 100 fields
_BRACKETS = re.compile(rb"[\[\]{}]")


class JsonLimits(NamedTuple):
    """The limits of one route or WebSocket."""

    max_bytes: int
    max_items: int  # values in a text


LOGIN = JsonLimits(2_000, 10)
SMALL = JsonLimits(64_000, 3_000)  # up to a board of 1,024 cells
WITH_GAME = JsonLimits(1_200_000, 45_000)  # up to a record, or two lists of 20,000 moves
BY_PATH = {
    "/api/login": LOGIN,
    **dict.fromkeys(
        ("/api/tables", "/api/records", "/api/positions", "/api/scenes", "/api/openings"), WITH_GAME
    ),
}


def limits_of(path: str) -> JsonLimits:
    """Return the limits of the route of a path."""
    return BY_PATH.get(path, SMALL)


def check_json(text: bytes, limits: JsonLimits) -> None:
    """Check the size and the shape of a JSON text by its quotes, commas, colons and brackets.

    Invalid JSON may pass, since the parser stops at its first fault.

    Raises:
        TooMuch: The text exceeds a limit.
    """
    if len(text) > limits.max_bytes:
        raise TooMuch(f"a request here may have at most {limits.max_bytes:,} bytes")
    if b"\0" in text:  # UTF-16, whose quotes the counts below would miss
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
    """Return the text outside of strings; raise TooMuch for too many strings."""
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    if text.count(b'"') > 2 * (max_items + MAX_MEMBERS):
        raise TooMuch(f"a request here may have at most {max_items:,} values")
    return b"".join(text.split(b'"')[::2])


def _depth(structure: bytes) -> int:
    """Return the maximum depth of nested containers."""
    depth = deepest = 0
    for bracket in _BRACKETS.findall(structure):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
