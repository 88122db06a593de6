"""The messages of JSON lines, as bytes on a pipe: written, read and checked. `docs/protocols.md`.

Nothing here knows a game. A message is an object with a `type`.
"""

import base64
import binascii
import json
import math
import zlib
from collections.abc import Mapping
from typing import Any

from meeple.errors import MeepleError, shown

VERSION = 1
LONGEST = 1_000_000  # characters of a line
WANTS = ("view", "scene", "told", "seen")
"""What an engine may ask to be sent of a game that hides something, beside its legal actions."""

_CHECK = 4  # bytes of the checksum that goes with a state


class Malformed(MeepleError):
    """A line that is no message, or a message that lacks something."""


def encode(type: str, **fields: Any) -> str:
    """A message as a line, without the line's end; fields that are None are left out."""
    kept = {name: value for name, value in fields.items() if value is not None}
    return json.dumps({"type": type, **kept}, ensure_ascii=False, separators=(",", ":"))


def decode(line: str) -> dict[str, Any]:
    """The message of a line. Raises Malformed."""
    if len(line) > LONGEST:
        raise Malformed(f"a line may have {LONGEST:,} characters, not {len(line):,}")
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
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or not 0 < value <= 86_400:
        raise Malformed(f"'{name}' must be seconds above 0, not {shown(value)}")
    return float(value)


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
