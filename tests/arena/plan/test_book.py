"""Openings from files: each is played from every seat, and errors are named."""

import pytest

import meeple
from meeple.arena.match import match
from meeple.arena.plan.book import read_book
from meeple.errors import UsageError
from meeple.games.contract.records import GameRecord, to_lines

HEX = meeple.make("hex", size=4)


def book(tmp_path, text, name="book.txt"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_openings_of_a_file_are_played_from_every_seat(tmp_path):
    path = book(tmp_path, "a1 b2   # near the corner\n\n# only a comment\nd4\n")
    openings = read_book(path, HEX)
    result = match(HEX, ["random", "uct:sims=5"], 8, openings=openings)
    firsts = [record.actions[: record.opening] for record in result.records]
    assert firsts == [("a1", "b2"), ("a1", "b2"), ("d4",), ("d4",)] * 2
    assert [record.seats[0] for record in result.records] == ["random", "uct:sims=5"] * 4


def test_action_names_with_spaces_are_separated_by_semicolons(tmp_path):
    nim = meeple.make("nim", stones=9)
    openings = read_book(book(tmp_path, "take 2; take 1\ntake 3\n"), nim)
    assert [opening.actions for opening in openings] == [(1, 0), (2,)]


def test_records_give_their_opening_or_all_actions_of_an_unfinished_game(tmp_path):
    played = match(HEX, ["random", "random"], 4, openings=True).records[2:]
    broken_off = GameRecord("hex", {"size": 4}, ("a", "b"), 5, ("a1", "b1"), None)
    path = book(tmp_path, to_lines([*played, broken_off]), "book.jsonl")
    openings = read_book(path, HEX)
    assert [len(opening.actions) for opening in openings] == [1, 1, 2]
    assert openings[0].actions == openings[1].actions
    assert openings[2].seed == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a1\nz9\n", "line 2: .*z9"),
        ("a1 a1\n", "line 1"),
        ("a1 b4 a2 c4 a3 d4 a4\n", "line 1: these actions end the game"),
        ("# nothing\n", "has 0 openings"),
    ],
)
def test_wrong_line_is_named(tmp_path, text, said):
    with pytest.raises(UsageError, match=said):
        read_book(book(tmp_path, text), HEX)


def test_records_of_another_game_and_missing_files_are_refused(tmp_path):
    record = GameRecord("hex", {"size": 5}, ("a", "b"), 5, ("a1",), None)
    with pytest.raises(UsageError, match="game 1: it is of another game, or of other options"):
        read_book(book(tmp_path, to_lines([record]), "book.jsonl"), HEX)
    with pytest.raises(UsageError, match="no file"):
        read_book(tmp_path / "nowhere.jsonl", HEX)
    with pytest.raises(UsageError, match="cannot read"):
        read_book(tmp_path / "nowhere.txt", HEX)
