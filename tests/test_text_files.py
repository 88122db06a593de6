"""Every text file that a user may have written is read in UTF-8, UTF-16 and UTF-32."""

import codecs
import json

import pytest

import meeple
from meeple.agents.engine.listed import read_engines
from meeple.arena.plan.book import read_book
from meeple.cli.serve import _password_in_file
from meeple.cli.shared.arguments import parse_options
from meeple.errors import MeepleError
from meeple.files import as_text
from meeple.games.contract.records import read_records, record_of, to_lines
from meeple.learn.config import load
from meeple.protocols.records import formats
from meeple.search.qtable.csv_file import import_csv

HEX = meeple.make("hex", size=3)
ENCODINGS = {
    "utf-8": b"",
    "utf-8-sig": b"",
    "utf-16-le": codecs.BOM_UTF16_LE,  # as the shell of Windows writes by `>`
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-16": b"",  # marks itself
}
BROKEN = [b"\xff", b"caf\xe9 = 1", codecs.BOM_UTF16_LE + b"a", codecs.BOM_UTF16_LE + b"\x00\xd8"]
"""Contents in no encoding of Unicode."""
RECORD = to_lines([record_of(HEX.start(), ["Jürgen", "b"])])
CONFIG = '[run]\r\nepisodes = 8 # für\r\n[game]\r\nname = "hex"\r\noptions = { size = 3 }\r\n'
LAYOUT = json.dumps({"tiles": ["ore 10"], "ports": {}}, indent=1)


def password(path, monkeypatch):
    monkeypatch.setenv("MEEPLE_PASSWORD_FILE", str(path))
    return _password_in_file()


FILES = {
    "config.toml": (CONFIG, lambda path, _: load(path).game.options, {"size": 3}),
    "engines.toml": (
        'mine = "run me"\n',
        lambda path, _: read_engines(path),
        {"mine": "engine:run me,name=mine"},
    ),
    "board.json": (LAYOUT, lambda path, _: parse_options([f"board={path}"])["board"], LAYOUT),
    "book.txt": ("a1 b2 # für\r\n", lambda path, _: len(read_book(path, HEX)), 1),
    "games.jsonl": (RECORD, lambda path, _: read_records(path)[0].seats, ("Jürgen", "b")),
    "any.jsonl": (RECORD, lambda path, _: formats.read_all(path)[0].seats, ("Jürgen", "b")),
    "table.csv": (
        "board,to_move,name,visits,q,position,action,value_0,value_1\r\n,,,2,,ff,1,0.5,0.5\r\n",
        lambda path, _: len(import_csv(path, HEX)),
        1,
    ),
    "password": ("geheim-ü\r\n", password, "geheim-ü"),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_in_every_encoding_of_unicode(name, encoding, tmp_path, monkeypatch):
    text, read, expected = FILES[name]
    assert read(encoded(text, encoding, tmp_path / name), monkeypatch) == expected


def encoded(text, encoding, path):
    """Write a text in an encoding of `ENCODINGS` and return the path."""
    path.write_bytes(ENCODINGS[encoding] + text.encode(encoding))
    return path


@pytest.mark.parametrize("name", sorted({*FILES} - {"any.jsonl"}))
@pytest.mark.parametrize("content", BROKEN)
def test_another_encoding_is_refused_in_a_sentence(name, content, tmp_path, monkeypatch):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(MeepleError) as caught:
        FILES[name][1](path, monkeypatch)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unicode_without_a_mark_is_recognised_by_its_zeros():
    assert as_text("(;GM[4])".encode("utf-16-be")) == "(;GM[4])"
    assert as_text("(;GM[4])".encode("utf-32-le")) == "(;GM[4])"
