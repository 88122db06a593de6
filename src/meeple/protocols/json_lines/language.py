"""The messages of JSON lines: writing, reading and checking; see `docs/protocols.md`.

A message is an object with a `type`. This module is independent of games.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

from meeple.errors import MeepleError, shown

VERSION = 1
MAX_LINE_CHARS = 1_000_000
WANTS = ("view", "scene", "told", "seen")
"""Optional fields of a game with hidden information, which an engine may request."""

MAX_SIMULATIONS = 10**12  # that a message may report for a move or an action
_MAX_SECONDS = 86_400  # time limit of a move
_ROUNDING = 0.01  # tolerance of a share, as a program may write two digits
_CHECK = 4  # bytes of the checksum of a state


class Malformed(MeepleError):
    """A line that is no message, or a message with a missing or wrong field."""


def encode(type: str, **fields: Any) -> str:
    """Return a message as a line without its newline; fields that are None are omitted."""
    kept = {name: value for name, value in fields.items() if value is not None}
    return json.dumps({"type": type, **kept}, ensure_ascii=False, separators=(",", ":"))


def decode(line: str) -> dict[str, Any]:
    """Return the message of a line. Raises Malformed."""
    if len(line) > MAX_LINE_CHARS:
        raise Malformed(f"a line may have {MAX_LINE_CHARS:,} characters, not {len(line):,}")
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise Malformed(f"this line is no JSON: {shown(line)}") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise Malformed("a message is an object with a text as its 'type'")
    return message


def text_in(message: Mapping[str, Any], name: str) -> str:
    """Return a text field. Raises Malformed."""
    value = message.get(name)
    if not isinstance(value, str):
        raise Malformed(f"'{name}' must be a text, not {shown(value)}")
    return value


def whole_in(message: Mapping[str, Any], name: str, low: int, high: int, default: int) -> int:
    """Return an integer field from `low` to `high`. Raises Malformed."""
    value = message.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise Malformed(f"'{name}' must be a whole number from {low} to {high}, not {shown(value)}")
    return value


def seconds_in(message: Mapping[str, Any], name: str) -> float | None:
    """Return a field of seconds; None if missing. Raises Malformed."""
    value = message.get(name)
    if value is None:
        return None
    # Compared before the conversion: a whole number of 400 digits exceeds a float.
    if not _is_number(value) or not 0 < value <= _MAX_SECONDS:
        raise Malformed(
            f"'{name}' must be seconds above 0, at most {_MAX_SECONDS:,}, not {shown(value)}"
        )
    return float(value)


def shares_in(message: Mapping[str, Any], name: str, count: int) -> tuple[float, ...] | None:
    """Return a field of `count` shares of the win; None if missing. Raises Malformed."""
    value = message.get(name)
    if value is None:
        return None
    if (
        not isinstance(value, list)
        or len(value) != count
        or not all(_is_number(share) and -_ROUNDING <= share <= 1 + _ROUNDING for share in value)
        or abs(sum(value) - 1) > count * _ROUNDING
    ):
        raise Malformed(
            f"'{name}' must be {count} shares from 0 to 1 that sum to 1, not {shown(value)}"
        )
    return tuple(min(max(float(share), 0.0), 1.0) for share in value)


def counts_in(message: Mapping[str, Any], name: str) -> dict[str, int]:
    """Return a field of integers by name; empty if missing. Raises Malformed."""
    value = message.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Malformed(f"'{name}' must be an object of whole numbers, not {shown(value)}")
    return {key: whole_in(value, key, 0, MAX_SIMULATIONS, 0) for key in value}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def list_in(message: Mapping[str, Any], name: str) -> list[Any]:
    """Return a list field; empty if missing. Raises Malformed."""
    value = message.get(name, [])
    if not isinstance(value, list):
        raise Malformed(f"'{name}' must be a list, not {shown(value)}")
    return value


def texts_in(message: Mapping[str, Any], name: str) -> list[str]:
    """Return a field of texts; empty if missing. Raises Malformed."""
    values = list_in(message, name)
    if not all(isinstance(value, str) for value in values):
        raise Malformed(f"'{name}' must be a list of texts")
    return values


def pack_state(state: bytes) -> str:
    """Return a state and its checksum as base64 text; the checksum detects damaged lines."""
    return base64.b64encode(state + zlib.crc32(state).to_bytes(_CHECK, "little")).decode()


def unpack_state(text: Any) -> bytes:
    """Return the bytes of a packed state. Raises Malformed."""
    if not isinstance(text, str):
        raise Malformed("a state is a text")
    try:
        packed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Malformed("a state is written in base64") from None
    state, check = packed[:-_CHECK], packed[-_CHECK:]
    if zlib.crc32(state).to_bytes(_CHECK, "little") != check:
        raise Malformed("a state was damaged on its way: its checksum does not fit")
    return state
