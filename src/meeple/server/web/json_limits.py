"""Limits of the JSON that clients send, checked before it is parsed.

Parsing and validation are calls into C and Rust that hold the GIL, so running them in a thread
would not help other requests; these limits bound their cost. The check takes a few milliseconds for
the longest text.
"""

import re

from meeple.server.errors import TooMuch
from meeple.server.limits import JsonLimits, ServerLimits

_BRACKETS = re.compile(rb"[\[\]{}]")
_PATHS_WITH_GAME = (
    "/api/tables",
    "/api/records",
    "/api/positions",
    "/api/scenes",
    "/api/explore",
)
_STUDIES = "/api/studies"  # and `/api/studies/KEY`


def limits_of(path: str, limits: ServerLimits) -> JsonLimits:
    """Return the limits of the route of a path."""
    if path in _PATHS_WITH_GAME or path.startswith(_STUDIES):
        return limits.game_json
    return limits.login_json if path == "/api/login" else limits.small_json


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
    structure = _without_strings(text, limits)
    containers = structure.count(b"[") + structure.count(b"{")
    if structure.count(b",") + containers > limits.max_items:
        raise TooMuch(f"a request here may have at most {limits.max_items:,} values")
    if structure.count(b":") > limits.max_members or containers > limits.max_containers:
        raise TooMuch(
            f"a request may have at most {limits.max_members} keys, "
            f"and {limits.max_containers} lists and objects"
        )
    if _depth(structure) > limits.max_depth:
        raise TooMuch(
            f"a request may have at most {limits.max_depth} lists and objects in each other"
        )


def _without_strings(text: bytes, limits: JsonLimits) -> bytes:
    """Return the text outside of strings; raise TooMuch for too many strings."""
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    if text.count(b'"') > 2 * (limits.max_items + limits.max_members):
        raise TooMuch(f"a request here may have at most {limits.max_items:,} values")
    return b"".join(text.split(b'"')[::2])


def _depth(structure: bytes) -> int:
    """Return the maximum depth of nested containers."""
    depth = deepest = 0
    for bracket in _BRACKETS.findall(structure):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
