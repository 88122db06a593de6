"""Limits of the JSON that clients send, checked before it is parsed.

Parsing and validation are calls into C and Rust that hold the GIL, so running them in a thread
would not help other requests; these limits bound their cost. The check takes a few milliseconds for
the longest text.
"""

import re

from meeple.server.errors import TooMuch, refusal
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
        raise refusal(TooMuch, "request_bytes", most=limits.max_bytes)
    if b"\0" in text:  # UTF-16, whose quotes the counts below would miss
        raise refusal(TooMuch, "request_utf8")
    structure = _without_strings(text, limits)
    containers = structure.count(b"[") + structure.count(b"{")
    if structure.count(b",") + containers > limits.max_items:
        raise refusal(TooMuch, "request_values", most=limits.max_items)
    if structure.count(b":") > limits.max_members or containers > limits.max_containers:
        raise refusal(
            TooMuch, "request_keys", most=limits.max_members, containers=limits.max_containers
        )
    if _depth(structure) > limits.max_depth:
        raise refusal(TooMuch, "request_depth", most=limits.max_depth)


def _without_strings(text: bytes, limits: JsonLimits) -> bytes:
    """Return the text outside of strings; raise TooMuch for too many strings."""
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    if text.count(b'"') > 2 * (limits.max_items + limits.max_members):
        raise refusal(TooMuch, "request_values", most=limits.max_items)
    return b"".join(text.split(b'"')[::2])


def _depth(structure: bytes) -> int:
    """Return the maximum depth of nested containers."""
    depth = deepest = 0
    for bracket in _BRACKETS.findall(structure):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
