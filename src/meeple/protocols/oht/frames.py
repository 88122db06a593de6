"""Frames: a 4-byte little-endian signed length, then that many bytes of UTF-8 JSON, both ways."""

import json
import struct
from typing import Any

from meeple.protocols.oht.messages import WireError, is_text

HEAD = struct.Struct("<i")
MAX_SERVER_FRAME_BYTES = 1_000_000  # bytes of a frame
MAX_CLIENT_FRAME_BYTES = 4096  # an answer is a token at most
_MAX_DEPTH = 20  # lists within lists


def pack(value: Any) -> bytes:
    """A frame with a value of JSON."""
    content = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return HEAD.pack(len(content)) + content


class FrameReader:
    """Takes bytes as they arrive and gives the values of whole frames, in their order.

    After a WireError nothing more can be read: where the next frame begins is not known.
    """

    def __init__(self, most: int) -> None:
        """`most`: bytes that a frame may have."""
        self._most = most
        self._held = bytearray()

    def feed(self, data: bytes) -> None:
        """More bytes have arrived."""
        self._held += data

    @property
    def is_empty(self) -> bool:
        """Whether no part of a frame is held."""
        return not self._held

    def next(self) -> tuple[Any] | None:
        """The next value, in a tuple of its own; None where the frame is not whole yet.

        Raises WireError for a length that is out of range, or content that is not UTF-8 JSON.
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
    """The value in a frame. Raises WireError."""
    if content.count(b"[") + content.count(b"{") > _MAX_DEPTH and _depth(content) > _MAX_DEPTH:
        raise WireError("the content of a frame is nested too deeply")
    try:
        value = json.loads(content.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):  # of which UnicodeDecodeError is one
        raise WireError("the content of a frame is not UTF-8 JSON") from None
    if b"\\ud" in content.lower() and not is_text(value):
        raise WireError("the content of a frame has a text that UTF-8 cannot hold")
    return value


def _depth(content: bytes) -> int:
    """How deep brackets lie in brackets, those in texts counted too."""
    depth = deepest = 0
    for byte in content:
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def _refuse(name: str) -> Any:
    raise ValueError(name)  # NaN and Infinity are no JSON
