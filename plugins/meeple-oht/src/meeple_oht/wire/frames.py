"""Frames: a 4-byte little-endian signed length, then that many bytes of UTF-8 JSON, both ways."""

import json
import struct
from typing import Any

from meeple_oht.wire.messages import WireError, depth_of, is_text

HEAD = struct.Struct("<i")
MAX_SERVER_FRAME_BYTES = 1_000_000
MAX_CLIENT_FRAME_BYTES = 4096  # the longest answer is a token
_MAX_DEPTH = 20  # of nested lists and objects


def pack(value: Any) -> bytes:
    """Return a frame with a JSON value."""
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return HEAD.pack(len(content)) + content


class FrameReader:
    """Splits received bytes into frames and parses their values.

    After a WireError nothing more can be read, since the start of the next frame is unknown.
    """

    def __init__(self, most: int) -> None:
        """Create the reader; `most` is the largest size of a frame in bytes."""
        self._most = most
        self._held = bytearray()

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._held += data

    @property
    def is_empty(self) -> bool:
        """Whether no part of a frame is buffered."""
        return not self._held

    def next(self) -> tuple[Any] | None:
        """Return the next value in a 1-tuple; None if its frame is incomplete.

        Raises:
            WireError: the length is out of range, or the content is not UTF-8 JSON.
        """
        if len(self._held) < HEAD.size:
            return None
        (length,) = HEAD.unpack_from(self._held)
        if not 0 < length <= self._most:
            raise WireError(f"a frame may have from 1 to {self._most:,} bytes, not {length:,}")
        end = HEAD.size + length
        if len(self._held) < end:
            return None
        content = bytes(self._held[HEAD.size : end])
        del self._held[:end]
        return (parse(content),)


def parse(content: bytes) -> Any:
    """Return the value of a frame's content. Raises WireError."""
    brackets = content.count(b"[") + content.count(b"{")
    if brackets > _MAX_DEPTH and depth_of(content, b"[{", b"]}") > _MAX_DEPTH:
        raise WireError("the content of a frame is nested too deeply")
    try:
        value = json.loads(content.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):  # includes UnicodeDecodeError
        raise WireError("the content of a frame is not UTF-8 JSON") from None
    if b"\\ud" in content.lower() and not is_text(value):
        raise WireError("the content of a frame has a text that UTF-8 cannot hold")
    return value


def _refuse(name: str) -> Any:
    raise ValueError(name)  # NaN and Infinity are not JSON
