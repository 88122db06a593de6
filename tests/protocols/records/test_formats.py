"""All formats of records: detection by content, bounded reading, errors."""

import random
import time
from pathlib import Path

import pytest

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.records import replay, to_lines
from meeple.protocols.records import formats
from meeple.protocols.records.vocabulary import year_of
from tests.protocols.records.playing import random_game
from tests.protocols.records.test_wthor import one_game

DATA = Path(__file__).parent / "data"
REVERSI = random_game("reversi", 5, 20)
GOMOKU = random_game("gomoku", 5, 20)
HEX = random_game("hex", 5, 20, size=5)
SAMPLES = {
    "jsonl": to_lines([HEX, REVERSI, random_game("nim", 2)]).encode(),
    "sgf": formats.write([HEX, REVERSI, GOMOKU], "sgf").encode(),
    "ggf": formats.write([REVERSI, REVERSI], "ggf").encode() + (DATA / "match.ggf").read_bytes(),
    "psq": formats.write([GOMOKU], "psq").encode() + (DATA / "game.psq").read_bytes(),
    "wthor": one_game(count=3),
}
MALFORMED = 2_000  # of each format, 10,000 in all


@pytest.mark.parametrize("name", SAMPLES)
def test_a_format_is_detected_from_its_content(name):
    opened = formats.read(SAMPLES[name])
    assert opened.format.name == name
    records = list(opened.found.records())
    assert len(records) == opened.found.total
    for record in records:
        replay(record)


def test_a_byte_order_mark_and_an_old_encoding_are_read():
    for name in ("jsonl", "sgf", "ggf", "psq"):
        assert formats.read(b"\xef\xbb\xbf" + SAMPLES[name]).format.name == name
    text = formats.write([HEX], "sgf").replace("player 0", "J\u00fcrgen")
    [record] = formats.read(text.encode("latin-1")).found.records()
    assert record.seats[0] == "J\u00fcrgen"


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_malformed_files_give_one_error_in_bounded_time(name):
    rng, began = random.Random(name), time.process_time()
    sentences = []
    for _ in range(MALFORMED):
        content = damaged(SAMPLES[name], rng)
        try:
            opened = formats.read(content, 20, format=rng.choice([None, name]))
            for record in opened.found.records():
                replay(record)
        except MeepleError as error:
            sentences.append(str(error))
    assert all("\n" not in said and 10 < len(said) < 1000 for said in sentences)
    assert len(sentences) > MALFORMED / 10
    assert time.process_time() - began < 120  # about 1 ms each


def damaged(content, rng):
    """The content with a few pieces replaced, removed, doubled or moved."""
    content = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        at, size = rng.randrange(len(content) + 1), rng.choice([1, 1, 2, 8, 40])
        piece = content[at : at + size]
        kind = rng.randrange(5)
        if kind == 0:
            content[at : at + size] = rng.randbytes(len(piece))
        elif kind == 1:
            del content[at : at + size]
        elif kind == 2:
            content[at:at] = piece * rng.choice([1, 2, 50])
        elif kind == 3:
            content[at : at + 1] = rng.choice(
                [b"[", b"]", b"(", b")", b";", b"{", b'"', b"\\", b"9"]
            )
        else:
            to = rng.randrange(len(content) + 1)
            content[to:to] = piece
    return bytes(content)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \n\t ",
        b"\xef\xbb\xbf",
        b"no game at all",
        b"\0" * 100_000,
        b"(;" * 300_000,
        b"(" * 1_000_000,
        b"(;GM[Othello]" * 60_000,
        b"(;GM[Othello]" + b"B[f5" * 200_000,
        b"(;GM[Othello]" + b" " * 1_000_000,
        b"(;GM[Othello]" + b"\\" * 500_000 + b"[",
        b"(;GM[11];B[" + b"\\" * 999_999,
        b"{" * 1_000_000,
        b'{"game":' * 100_000,
        b"Piskvorky" * 100_000,
        b"Piskvorky " + b"1" * 1_000_000,
        b"Piskvorky 99x99, 11:11, 0\n" + b"1," * 500_000,
        b"Piskvorky 15x15, 11:11, 0" + b" " * 500_000 + b"1",
        bytes([20, 26, 1, 2, 255, 255, 255, 255]) + bytes(8),
        bytes([20, 26, 1, 2, 0, 0, 0, 0]) + bytes(8),
    ],
    ids=range(20),
)
def test_hostile_files_give_an_error_quickly(content):
    began = time.process_time()
    with pytest.raises(MeepleError) as caught:
        list(formats.read(content).found.records())
    assert "\n" not in str(caught.value)
    assert time.process_time() - began < 20


def test_too_many_games_are_refused_before_any_is_read():
    for name, content in SAMPLES.items():
        if name != "psq":
            with pytest.raises(MeepleError, match="at most 1 are read at once"):
                formats.read(content, 1)


def test_errors_of_a_file_name_it(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_bytes(SAMPLES["jsonl"] + b"{}\n")
    found = formats.read_file(path).found
    *good, wrong = found.games
    assert len(good) == 3
    assert str(wrong).startswith(f"{path}, line 4: this is not a game record")
    with pytest.raises(MeepleError, match="there is no file"):
        formats.read_file(tmp_path / "none.sgf")
    with pytest.raises(MeepleError, match="cannot read game records"):
        formats.read_file(tmp_path)


def test_file_name_endings_select_formats_and_unknown_ones_are_refused():
    assert formats.format_of("a/b.WTB").name == "wthor"
    assert formats.format_of("x.json").name == "jsonl"
    with pytest.raises(UsageError, match=r"they are \.jsonl, \.json, \.sgf"):
        formats.format_of("games.txt")
    with pytest.raises(UsageError, match="did you mean 'psq'"):
        formats.format_named("psx")
    with pytest.raises(UsageError, match="wthor is only read"):
        formats.write([REVERSI], "wthor")
    with pytest.raises(MeepleError, match="holds one game"):
        formats.write([GOMOKU, GOMOKU], "psq")


def test_the_result_of_a_record_follows_the_rules_or_a_resignation():
    import dataclasses

    over = random_game("hex", 1, size=3)
    assert over.shares == over.payoffs
    for notes, shares in (({"resigned": 1}, (1.0, 0.0)), ({"time": 0}, (0.0, 1.0))):
        assert dataclasses.replace(HEX, notes=notes).shares == shares
    assert dataclasses.replace(HEX, notes={"resigned": True}).shares is None
    assert HEX.shares is None


@pytest.mark.parametrize(
    ("date", "year"),
    [("2003.12.15_13:24", 2003), ("1999-01-02", 1999), ("12/1/1988", 1988), ("x", None)],
)
def test_the_year_of_a_date_is_found(date, year):
    import dataclasses

    assert year_of(dataclasses.replace(HEX, notes={"date": date})) == year
