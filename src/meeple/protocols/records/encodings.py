"""Files of records as text: by the encoding that each game declares, as UTF-8, or by detection.

SGF declares it in the property `CA` of a game (https://www.red-bean.com/sgf/properties.html#CA). A
file is decoded before it is parsed: the second byte of a character in Shift JIS, GBK or Big5 may be
a backslash or a bracket. Detection prefers the reading with most values in brackets, since a wrong
one joins values.
"""

import contextlib
import functools
import itertools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from encodings import normalize_encoding
from encodings.aliases import aliases
from typing import NamedTuple

from charset_normalizer import from_bytes
from charset_normalizer.constant import IANA_SUPPORTED
from charset_normalizer.utils import is_multi_byte_encoding

from meeple.errors import UsageError
from meeple.files import BYTE_ORDER_MARK, as_text
from meeple.sentences import say

_SAMPLE_BYTES = 1 << 16  # of a file, that detection reads
_HEADER_BYTES = 1 << 12  # of a game, in which its encoding is declared
_MOST_NOTICES = 3
_REPEATED_BYTES = 400  # a shorter sample is repeated: detection is better on longer texts

_SHIFTED = re.compile(rb"\x1b|~\{")  # begins characters of ISO 2022 and HZ, whose bytes are ASCII
_ROOT = re.compile(rb"\(\s*;\s*(?:FF|GM|CA|AP|SZ|PB)\s*\[")
_DECLARED = re.compile(rb"(?<![A-Z])CA\s*\[\s*([!-Z^-~ ]{1,40}?)\s*\]")
_VALUE = re.compile(r"\[(?:[^\]\\]|\\.)*+\]?", re.DOTALL)  # linear: one without an end is the last
_WORDS = re.compile(rb"[^\s\[\]();]{0,20}[\x80-\xff](?:[^\s\[\]();]|(?<=[\x80-\xff])[\[\]])*")

_EXTENDED = {
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949",
    "big5": "big5hkscs", "latin_1": "cp1252", "ascii": "cp1252", "iso8859_9": "cp1254",
}  # fmt: skip
"""By encoding, an extension of it that programs write under its name."""

_DETECTED = (
    "cp932", "gb18030", "cp949", "big5", "euc_jp", "koi8_r", "cp1251", "cp1250", "cp1252", "cp1254",
)  # fmt: skip


class Decoded(NamedTuple):
    """A text, and sentences for the user, without full stops, on how it was read."""

    text: str
    notices: tuple[str, ...] = ()


def decoded(content: bytes) -> Decoded:
    """Return the bytes of a file of records as text.

    Raises:
        UsageError: the file is of JSON lines, or in UTF-16 or UTF-32, and damaged.
    """
    is_json = re.match(rb"(?:\xef\xbb\xbf)?\s*\{", content)
    if is_json or json.detect_encoding(content) not in ("utf-8", "utf-8-sig"):
        try:
            return Decoded(as_text(content))
        except OSError as error:
            raise UsageError(error.strerror) from None
    likely = functools.cache(lambda: _likely_codecs(content))
    parts = [_decode(part, likely) for part in _games(content)]
    notices = dict.fromkeys(notice for part in parts for notice in part.notices)
    text = "".join(part.text for part in parts).removeprefix(BYTE_ORDER_MARK)
    return Decoded(text, tuple(notices)[:_MOST_NOTICES])


def _games(content: bytes) -> Iterator[bytes]:
    """Split a file before each game, which may declare an encoding of its own."""
    starts = [0, *(found.start() for found in _ROOT.finditer(content)), len(content)]
    return (content[start:end] for start, end in itertools.pairwise(starts))


def _decode(part: bytes, likely: Callable[[], Sequence[str]]) -> Decoded:
    """Decode a game; `likely` returns codecs for one whose encoding is unknown."""
    if part.isascii() and not _SHIFTED.search(part):
        return Decoded(part.decode("ascii"))
    found = _DECLARED.search(part, 0, _HEADER_BYTES)
    said = found[1].decode("ascii") if found else ""
    declared = _codecs_of(said)
    names = [*declared, "utf_8"]
    if declared and not is_multi_byte_encoding(declared[0]):
        names = ["utf_8", *declared]  # which other texts in one byte a character hardly ever are
    for name in names:
        with contextlib.suppress(UnicodeError):
            text = part.decode(name)
            right = not said or name in declared
            return Decoded(text, () if right else (_wrong(said, "utf_8"),))
    text, name = _best_reading(part, likely())
    guessed = say("record.its_encoding_is_not", field=_written(name))
    return Decoded(text, (_wrong(said, name) if said else guessed,))


def _wrong(said: str, name: str) -> str:
    return say("record.its_encoding_is_not_as", field=said, command=_written(name))


def _written(name: str) -> str:
    return name.replace("_", "-").replace("cp125", "windows-125")


def _codecs_of(said: str) -> tuple[str, ...]:
    """Return the codecs of a declared encoding, the likelier first; () if it is unknown."""
    word = normalize_encoding(said.lower().removeprefix("x-"))
    name = aliases.get(word, word)
    if name not in IANA_SUPPORTED or name == "utf_7" or "(;".encode(name) != b"(;":
        return ()
    both = (_EXTENDED.get(name, name), name)
    return both[::-1] if is_multi_byte_encoding(name) else both  # one byte: all texts are possible


def _likely_codecs(content: bytes) -> list[str]:
    """Return codecs for a file whose encoding is unknown, the likeliest first."""
    sample = b" ".join(dict.fromkeys(_WORDS.findall(content[:_SAMPLE_BYTES])))
    sample = (sample + b" ") * max(1, min(8, _REPEATED_BYTES // (len(sample) + 1)))
    ranked = [match.encoding for match in from_bytes(sample, cp_isolation=list(_DETECTED))]
    return [*dict.fromkeys([*ranked, *_DETECTED, "latin_1"])]


def _best_reading(part: bytes, likely: Sequence[str]) -> tuple[str, str]:
    """Return a game as text, with the name of its codec."""
    readings: dict[str, str] = {}
    for name in likely:
        with contextlib.suppress(UnicodeDecodeError):
            readings[name] = part.decode(name)
    best = max(readings, key=lambda name: len(_VALUE.findall(readings[name])))
    usual = readings.get("cp1252") == readings[best]  # the most frequent of codecs that agree
    return readings[best], "cp1252" if usual else best
