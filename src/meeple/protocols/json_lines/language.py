"""The messages of JSON lines, as bytes on a pipe: written, read and checked. `docs/protocols.md`.

Nothing here knows a game. A message is an object with a `type`.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

from meeple.errors import MeepleError, shown

VERSION = 1
MAX_LINE_CHARS = 1_000_000  # characters of a line
WANTS = ("view", "scene", "told", "seen")
"""What an engine may ask to be sent of a game that hides something, beside its legal actions."""

MAX_SIMULATIONS = 10**12  # that a message may report of a move or an action
_MAX_SECONDS = 86_400  # that a move may take
_ROUNDING = 0.01  # that a share may be off, as a program may write two digits
_CHECK = 4  # bytes of the checksum that goes with a state


class Malformed(MeepleError):
    """A line that is no message, or a message that lacks something."""


def encode(type: str, **fields: Any) -> str:
    """A message as a line, without the line's end; fields that are None are left out."""
    kept = {name: value for name, value in fields.items() if value is not None}
    return json.dumps({"type": type, **kept}, ensure_ascii=False, separators=(",", ":"))


def decode(line: str) -> dict[str, Any]:
    """The message of a line. Raises Malformed."""
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
    """A text of a message. Raises Malformed."""
    value = message.get(name)
    if not isinstance(value, str):
        raise Malformed(f"'{name}' must be a text, not {shown(value)}")
    return value


def whole_in(message: Mapping[str, Any], name: str, low: int, high: int, default: int) -> int:
    """A whole number of a message. Raises Malformed."""
    value = message.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise Malformed(f"'{name}' must be a whole number from {low} to {high}, not {shown(value)}")
    return value


def seconds_in(message: Mapping[str, Any], name: str) -> float | None:
    """A time in seconds; None where there is none. Raises Malformed."""
    value = message.get(name)
    if value is None:
        return None
    # Compared before it is converted: a float holds no whole number of 400 digits.
    if not _is_number(value) or not 0 < value <= _MAX_SECONDS:
        raise Malformed(
            f"'{name}' must be seconds above 0, at most {_MAX_SECONDS:,}, not {shown(value)}"
        )
    return float(value)


def shares_in(message: Mapping[str, Any], name: str, count: int) -> tuple[float, ...] | None:
    """Shares of the win, one for each of `count` players; None if missing. Raises Malformed."""
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
    """Whole numbers by name, none if missing. Raises Malformed."""
    value = message.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Malformed(f"'{name}' must be an object of whole numbers, not {shown(value)}")
    return {key: whole_in(value, key, 0, MAX_SIMULATIONS, 0) for key in value}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def list_in(message: Mapping[str, Any], name: str) -> list[Any]:
    """A list of a message, empty where there is none. Raises Malformed."""
    value = message.get(name, [])
    if not isinstance(value, list):
        raise Malformed(f"'{name}' must be a list, not {shown(value)}")
    return value


def texts_in(message: Mapping[str, Any], name: str) -> list[str]:
    """A list of texts. Raises Malformed."""
    values = list_in(message, name)
    if not all(isinstance(value, str) for value in values):
        raise Malformed(f"'{name}' must be a list of texts")
    return values


def pack_state(state: bytes) -> str:
    """A state as text, with a checksum, so that a line that was damaged on its way is noticed."""
    return base64.b64encode(state + zlib.crc32(state).to_bytes(_CHECK, "little")).decode()


def unpack_state(text: Any) -> bytes:
    """The bytes of a state. Raises Malformed."""
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
