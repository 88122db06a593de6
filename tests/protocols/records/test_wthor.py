"""Every game of the WTHOR database replays under the rules and gives the discs that it records."""

import itertools

import pytest

from meeple.errors import MeepleError
from meeple.games.contract.records import replay
from meeple.protocols.records import formats, wthor
from tests import wthor as independent
from tests.protocols.records.playing import WTHOR, needs_wthor

PASSED = "pass"
EVERY = 10


def one_game(moves="f5 d6 c3 d3 c4", size=8, kind=0, black=2, year=1999, count=1):
    """Return a small file, written from the format's description."""
    cells = [10 * int(move[1]) + ord(move[0]) - 96 for move in moves.split()]
    header = bytes([20, 26, 1, 2]) + count.to_bytes(4, "little") + (0).to_bytes(2, "little")
    header += year.to_bytes(2, "little") + bytes([size, kind, 22, 0])
    row = (0).to_bytes(2, "little") + (1).to_bytes(2, "little") + (2).to_bytes(2, "little")
    return header + (row + bytes([black, 32]) + bytes(cells) + bytes(60 - len(cells))) * count


def test_a_file_is_read_with_the_names_beside_it(tmp_path):
    header = bytes(16)
    names = [b"nobody", b"Tastet Marc", b"Caspard\xe9"]
    players = b"".join(name.ljust(20, b"\0") for name in names)
    (tmp_path / "wthor.jou").write_bytes(header + players)
    (tmp_path / "WTHOR.TRN").write_bytes(header + b"Paris".ljust(26, b"\0"))
    (tmp_path / "game.wtb").write_bytes(one_game())
    [record] = formats.read_all(tmp_path / "game.wtb")
    assert record.seats == ("Tastet Marc", "Caspardé")
    assert record.actions == ("f5", "d6", "c3", "d3", "c4")
    assert record.payoffs is None
    assert dict(record.notes) == {
        "event": "Paris", "black_score": 2, "date": "1999", "result": "2 - 62",
        "declared": [0.0, 1.0],
    }  # fmt: skip


def test_numbers_replace_missing_names():
    [record] = wthor.find(one_game()).records()
    assert record.seats == ("player 1", "player 2")
    assert record.notes["event"] == "tournament 0"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (one_game(size=10), "boards of 10 x 10; only 8 x 8 is read"),
        (one_game(kind=1), "holds problems, not games"),
        (one_game()[:-1], "its header counts 1 games, which take 84 bytes, but it has 83"),
        (one_game()[:10], "shorter than a header"),
        (one_game(count=0), "holds no game"),
        (one_game("f5 f5"), "move 2, f5: not allowed"),
        (one_game("f5 d6 c9"), "move 3, 93: there is no such cell"),
        (one_game("e6 f4 e3 f6 g5 d6 e7 f5 c5 a1"), "move 10, a1: it comes after the end"),
    ],
)
def test_other_files_are_refused(content, words):
    with pytest.raises(MeepleError) as caught:
        list(wthor.find(content).records())
    assert words in str(caught.value)


def test_a_faulty_game_keeps_its_position():
    header, row = one_game(count=2)[:16], one_game()[16:]
    first, second = wthor.find(header + one_game("a1")[16:] + row).games
    assert str(first) == "game 1, move 1, a1: not allowed"
    assert getattr(second, "actions", ()) == ("f5", "d6", "c3", "d3", "c4")


@needs_wthor
@pytest.mark.parametrize("file", sorted(WTHOR.glob("*.wtb")), ids=lambda file: file.stem)
@pytest.mark.slow
def test_our_reader_agrees_with_another_reader_and_the_recorded_discs(file):
    """Read every tenth game, as all take half a minute; EVERY = 1 reads them all."""
    found, theirs = formats.read_file(file).found, list(independent.read(file))
    assert found.total == len(theirs)
    for number in range(0, found.total, EVERY):
        record, other = found.read(number), theirs[number]
        cells = [8 * int(name[1]) + ord(name[0]) - 105 for name in record.actions if name != PASSED]
        assert tuple(cells) == other.moves
        assert record.notes["black_score"] == other.black
        assert record.notes["date"] == file.stem[-4:]
        if record.payoffs is not None:
            assert black_discs(record) == other.black


def black_discs(record):
    """Return Black's discs at the end by the rules, with empty cells given to the winner."""
    position = replay(record)
    black, white = (sum(int(word).bit_count() for word in side) for side in position.state.discs)
    empty = 64 - black - white
    return black + (empty if black > white else 0) + (empty // 2 if black == white else 0)


@needs_wthor
def test_every_file_is_detected_as_wthor_only():
    for file in itertools.islice(sorted(WTHOR.glob("*.wtb")), 4):
        content = file.read_bytes()
        assert formats.read(content).format.name == "wthor"
        assert not wthor.has_game(content + b"\0")
