"""Pieces: letters, colours and pictures are shown; a picture has shapes and colours alone."""

import base64

import pytest

from meeple.errors import UsageError
from meeple.games.boards.drawing import paint, write
from meeple.games.boards.pieces import MAX_PICTURE_CHARS, Piece, clean_picture
from meeple.games.boards.scene import squares
from meeple.games.boards.svg import PLAYERS, drawing_of

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
SHAPE = '<g fill="#aa3333"><path d="M1 8L4.5 1L8 8Z" transform="rotate(4 2 2)"/></g>'


def test_letters_colours_and_pictures_are_shown_on_every_board():
    looks = {
        "king": Piece("K", player=0),
        "gold": Piece("G", colour="#ffee88"),
        "tower": Piece("T", player=1, picture=SVG.format(SHAPE)),
    }
    scene = squares([["king", "gold", "tower"]], looks=looks)
    assert write(scene).splitlines()[1] == "1  K G T  1"
    assert paint("T", 1) in write(scene, colour=True)
    drawing = drawing_of(scene, "")
    assert PLAYERS[0] in drawing
    assert "#ffee88" in drawing
    assert ">K</text>" in drawing
    data = scene.facts["looks"]["tower"]["picture"]
    assert data in drawing
    written = base64.b64decode(data.removeprefix("data:image/svg+xml;base64,")).decode()
    assert clean_picture(written) == written
    assert 'd="M1 8L4.5 1L8 8Z"' in written
    assert (looks["gold"].facts["ink"], Piece("x", colour="#102030").facts["ink"]) == (
        "#16191d",
        "#ffffff",
    )


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        "<style>*{fill:red}</style>",
        '<image href="http://x.test/a.png"/>',
        '<use href="#a"/>',
        '<a href="https://x.test"><path d="M0 0"/></a>',
        "<foreignObject/>",
        "<animate/>",
        "<text>x</text>",
        "<g>x</g>",
        '<path d="M0 0" onclick="alert(1)"/>',
        '<path d="M0 0" style="fill:red"/>',
        '<path d="M0 0" fill="url(#a)"/>',
        '<path d="M0 0" fill="u&#114;l(x)"/>',
        '<path d="M0 0" fill="&quot;&gt;"/>',
        '<path xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="x"/>',
        '<svg viewBox="0 0 1 1"/>',
        '<path xmlns="http://x.test" d="M0 0"/>',
        "<!-- comment -->",
        "<?xml-stylesheet href='x'?>",
        "<g>" * 9 + "</g>" * 9,
        "<path",
        '<path d="' + "M0 0" * (MAX_PICTURE_CHARS // 4) + '"/>',
    ],
)
def test_a_picture_with_anything_but_shapes_and_colours_is_refused(inside):
    with pytest.raises(UsageError, match="a picture"):
        Piece("x", picture=SVG.format(inside))


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG.format("&a;"),
        "<html/>",
        "<svg/>",
        "",
        "\x00",
    ],
)
def test_what_is_no_picture_is_refused(text):
    with pytest.raises(UsageError, match="a picture"):
        clean_picture(text)


@pytest.mark.parametrize(
    "wrong",
    [{"letter": ""}, {"letter": "abc"}, {"letter": "\x1b"}, {"player": -1}, {"colour": "red"}],
)
def test_a_piece_without_a_letter_a_seat_or_a_colour_is_refused(wrong):
    with pytest.raises(UsageError):
        Piece(**{"letter": "x", **wrong})
