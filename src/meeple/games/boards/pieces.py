"""What pieces look like: a letter in a player's or another colour, or a picture of the author's."""

import base64
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from meeple.errors import UsageError

MAX_LETTERS = 2  # of a piece
MAX_PICTURE_CHARS = 4096  # of an SVG picture
MAX_SEATS = 8
MAX_PICTURE_DEPTH = 8  # elements within elements
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_SVG = "http://www.w3.org/2000/svg"
_ELEMENTS = {"svg", "g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon"}
_ATTRIBUTES = re.compile(
    r"viewBox|width|height|d|points|transform|[xy][12]?|c[xy]|r[xy]?|opacity|fill(-rule|-opacity)?|"
    r"stroke(-width|-linecap|-linejoin|-dasharray|-opacity|-miterlimit)?"
)
_VALUE = re.compile(r"[\w\s.,#%()+-]*", re.ASCII)  # no URL has a place here: no colon, no slash
_BRIGHT = 140  # of 255: on a brighter colour letters are dark


@dataclass(frozen=True)
class Piece:
    """What a piece looks like on every board.

    Attributes:
        letter: one or two characters: alone in a terminal, on a disc elsewhere.
        player: the seat in whose colour the disc is.
        colour: of the disc if it is no player's, such as "#7a3e9d".
        picture: SVG in place of the disc, of shapes and colours alone: at most 4096 characters.

    Raises:
        UsageError: one of them is not that.
    """

    letter: str
    player: int | None = None
    colour: str = ""
    picture: str = ""

    def __post_init__(self) -> None:
        if not 1 <= len(self.letter) <= MAX_LETTERS or not self.letter.isprintable():
            raise UsageError(f"a piece has one or two letters, not {self.letter!r:.40}")
        if self.player is not None and not 0 <= self.player < MAX_SEATS:
            raise UsageError(f"a piece is of the seat {self.player!r:.40}, which does not exist")
        if self.colour and not _COLOUR.fullmatch(self.colour):
            raise UsageError(f"a colour is written like #7a3e9d, not {self.colour!r:.40}")
        _ = self.facts  # checks the picture

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """The piece as JSON data of a scene."""
        found: dict[str, Any] = {"letter": self.letter, "player": self.player}
        if self.colour:
            levels = [int(self.colour[at : at + 2], 16) for at in (1, 3, 5)]
            light = sum(share * level for share, level in zip((0.3, 0.6, 0.1), levels, strict=True))
            found |= {"colour": self.colour, "ink": "#16191d" if light > _BRIGHT else "#ffffff"}
        if self.picture:
            data = base64.b64encode(clean_picture(self.picture).encode()).decode()
            found["picture"] = f"data:image/svg+xml;base64,{data}"
        return found


def clean_picture(text: str) -> str:
    """Return an SVG picture, written anew from its shapes and colours.

    Raises:
        UsageError: it is too long, no SVG, or has another element, attribute or value than those
            of shapes and colours: a script, a link, a style, an entity, a text.
    """
    if len(text) > MAX_PICTURE_CHARS:
        raise UsageError(f"a picture has at most {MAX_PICTURE_CHARS} characters, not {len(text)}")
    if "<!" in text or "<?" in text:  # entities, comments, instructions
        raise UsageError("a picture has only elements: no <! and no <?")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise UsageError(f"a picture is no SVG: {error}") from None
    if _name(root.tag) != "svg" or "viewBox" not in root.attrib:
        raise UsageError("a picture is one <svg> with a viewBox")
    return ElementTree.tostring(_checked(root, 0), encoding="unicode")


def _checked(element: ElementTree.Element, depth: int) -> ElementTree.Element:
    name = _name(element.tag)
    if name not in _ELEMENTS or (name == "svg") != (depth == 0):
        raise UsageError(f"a picture must not have the element <{name:.40}> there")
    if depth > MAX_PICTURE_DEPTH or (element.text or "").strip() or (element.tail or "").strip():
        raise UsageError("a picture has shapes in few groups, and no text")
    for key, value in element.attrib.items():
        if not _ATTRIBUTES.fullmatch(key) or not _VALUE.fullmatch(value) or "url" in value.lower():
            raise UsageError(f"a picture must not have the attribute {key:.40}={value!r:.40}")
    found = ElementTree.Element(name, element.attrib)
    if not depth:
        found.set("xmlns", _SVG)
    found.extend([_checked(one, depth + 1) for one in element])
    return found


def _name(tag: str) -> str:
    return tag.removeprefix(f"{{{_SVG}}}")
