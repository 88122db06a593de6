"""Records in the encodings of other programs lose no move and no name."""

import time

import pytest

from meeple.errors import UsageError
from meeple.protocols.records import formats
from meeple.protocols.records.encodings import decoded

ACTIONS = ("h8", "i9", "g7")
NAMES = {
    "GBK": "王小明", "GB2312": "王小明", "GB18030": "王小明鿫", "Shift_JIS": "表十ソー",
    "x-sjis": "ポーカー",
    "Big5": "許功蓋", "KOI8-R": "Иванов Пётр", "EUC-KR": "김철수", "EUC-JP": "山田太郎",
    "windows-1250": "Dvořák", "windows-1251": "Иванов", "windows-1252": "“Ann” – O’Neil",
    "windows-1254": "Şükrü", "ISO-8859-1": "Müller", "ISO-2022-JP": "山田太郎", "HZ": "王小明",
    "UTF-8": "王 Müller",
}  # fmt: skip


def game(name, declared="", codec="utf-8"):
    """The bytes of a game with this name of Black."""
    encoding = f"CA[{declared}]" if declared else ""
    text = f"(;GM[4]FF[4]{encoding}SZ[15]PB[{name}]PW[Guest];B[hh];W[ii];B[gg])"
    return text.encode(codec)


def read(content):
    found = formats.read(content).found
    records = list(found.records())
    assert all(record.actions == ACTIONS for record in records)
    assert all(record.seats[1] == "Guest" for record in records)
    return [record.seats[0] for record in records], found.notices()


@pytest.mark.parametrize("declared", NAMES)
def test_a_game_is_read_in_the_encoding_that_it_declares(declared):
    codec = declared.removeprefix("x-")
    assert read(game(NAMES[declared], declared, codec)) == ([NAMES[declared]], [])


def test_programs_write_an_extension_under_the_name_of_an_encoding():
    assert read(game("“Ann”", "ISO-8859-1", "cp1252"))[0] == ["“Ann”"]
    assert read(game("镕髙", "GB2312", "gbk"))[0] == ["镕髙"]


def test_each_game_of_a_file_has_its_own_encoding():
    content = b"\n".join(game(name, code, code) for code, name in NAMES.items() if code != "x-sjis")
    content += game("Zoë")  # which declares none
    names = [name for code, name in NAMES.items() if code != "x-sjis"]
    assert read(content) == ([*names, "Zoë"], [])


@pytest.mark.parametrize(
    ("name", "codec"),
    [("Müller", "latin-1"), ("“Ann” – O’Neil", "cp1252"), ("Иванов Пётр", "koi8-r")],
)
def test_an_encoding_that_is_not_declared_is_guessed_with_a_notice(name, codec):
    names, [notice] = read(game(name, codec=codec))
    assert names == [name]
    assert notice.startswith("its encoding is not declared: read as ")
    assert notice.endswith("which is a guess")


@pytest.mark.parametrize("declared", NAMES)
def test_no_move_is_lost_by_a_guess(declared):
    """A wrong guess may garble names, but joins no values."""
    if declared == "UTF-8":
        return
    codec = declared.removeprefix("x-")
    _, notices = read(game(NAMES[declared], codec=codec))
    assert len(notices) == (codec not in ("ISO-2022-JP", "HZ"))  # whose bytes are ASCII


@pytest.mark.parametrize(
    "declared",
    [
        "foo",
        "Shift_JIS",
        "US-ASCII",
        "UTF-16",
        "UTF-7",
        "punycode",
        "unicode_escape",
        "zlib",
        "../x",
    ],
)
def test_a_wrong_or_unknown_declaration_is_ignored_with_a_notice(declared):
    names, [notice] = read(game("Müller, Łódź", declared))
    assert names == ["Müller, Łódź"]
    assert notice == f"its encoding is not {declared}, as it declares: read as utf-8"
    assert read(game("Ann", declared)) == (["Ann"], [])


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_unicode_with_or_without_a_mark_is_read(codec):
    assert read(game("王 Müller", codec=codec)) == (["王 Müller"], [])


def test_ggf_and_psq_are_decoded_too():
    ggf = "(;GM[Othello]PB[Jürgen]PW[b]TY[8]RE[?]B[F5];)".encode("latin-1")
    psq = "Piskvorky 15x15, 11:11, 0\n8,8,1\nJürgen\nb\n-1\n1,Freestyle\n".encode("cp1252")
    for content in (ggf, psq):
        found = formats.read(content).found
        assert [record.seats[0] for record in found.records()] == ["Jürgen"]
        assert len(found.notices()) == 1


def test_json_lines_in_another_encoding_are_refused():
    for content in (b'{"game": "\xfc"}', b"\xff\xfe{"):
        with pytest.raises(UsageError, match="its text is not UTF-8"):
            decoded(content)


@pytest.mark.parametrize(
    "content",
    [
        b"".join(b"(;FF[4]CA[x%d]PB[\xcd\xf5];B[aa])" % number for number in range(20_000)),
        b"(;FF[4]PB[\xe9];B[aa])" * 30_000,
        b"\xe9[" * 400_000,
        b"[\xe9\\" * 300_000,
        b"a" * 900_000 + b"\xe9",
        b"\xe9(;" * 200_000,
        b"(;FF[4]CA" + b" " * 900_000 + b"\xe9",
        b"(;FF[4]" + b"CA[ a" * 160_000 + b"\xe9",
        b"(;FF[ " * 100_000 + b"\xe9",
    ],
    ids=range(9),
)
def test_hostile_bytes_are_decoded_in_linear_time_with_few_notices(content):
    began = time.process_time()
    assert len(decoded(content).notices) <= 3
    assert time.process_time() - began < 5
