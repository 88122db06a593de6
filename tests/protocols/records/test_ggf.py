"""GGF of the server GGS is read, and our records survive writing and reading."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import meeple
from meeple.errors import MeepleError
from meeple.games.contract.records import record_of, replay
from meeple.protocols.records import ggf
from tests.protocols.records.playing import random_game, reading

MATCH = (Path(__file__).parent / "data" / "match.ggf").read_text()
BOARD = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27


read, only, refused = reading(ggf.find)


def test_each_game_of_a_match_is_read_with_all_its_data():
    first, second = read(MATCH)
    assert first.seats == ("anna", "berta")
    assert first.actions == ("f5", "d6", "c3", "d3")
    assert first.notes == {
        "place": "GGS/os",
        "date": "2003.12.15_13:24:03.MST",
        "time_limit": "05:00//02:00",
        "ratings": ["2197.01", "2199.72"],
        "time": 0,
        "times": {"1": 4.09, "2": 0.01, "3": 12.5},
        "estimates": {"2": -1.5, "3": 0.25},
    }
    assert second.seats == ("berta", "anna")
    assert second.notes["result"] == "+2.00:s"  # agreed by both players


def test_the_sign_says_which_player_resigned():
    text = f"(;GM[Othello]PB[A]PW[B]RE[-40.00:r]TY[8]BO[8 {BOARD} *]B[F5]W[D6]B[C3];)"
    assert only(text).notes["resigned"] == 0
    assert only(text.replace("-40", "+40")).notes["resigned"] == 1


@pytest.mark.parametrize(
    ("said", "shares", "declared"),
    [
        ("+2.00", (1.0, 0.0), True),
        ("-64:s", (0.0, 1.0), True),
        ("0", (0.5, 0.5), True),
        ("+64.00:t", (1.0, 0.0), False),
        ("?", None, False),
    ],
)
def test_the_score_of_a_game_that_stopped_early_counts(said, shares, declared):
    record = only(f"(;GM[Othello]PB[A]PW[B]RE[{said}]TY[8]B[F5];)")
    assert (record.payoffs, record.shares, record.is_declared) == (None, shares, declared)
    assert only(ggf.write(record)).shares == shares


def test_a_declared_score_is_a_share_of_the_cells_if_these_are_paid():
    record = only("(;GM[Othello]RE[+16.00]RU[discs]TY[8]B[F5];)")
    assert record.shares == (0.625, 0.375)  # 40 of 64 cells


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(;GM[Othello]TY[8]BO[8 " + "-" * 62 + "O O];)", "is no board of 8 x 8"),
        ("(;GM[Othello]TY[8k];)", "TY[8k] is a game with komi"),
        ("(;GM[Othello]TY[8a];)", "the fewer discs winning"),
        ("(;GM[Othello]TY[8]KM[3];)", "a game with komi"),
        ("(;GM[Othello]TY[8]KB[2];)", "a game with komi"),
        ("(;GM[Othello]TY[8r20];)", "a random board, which BO does not give"),
        ("(;GM[Othello]TY[8z];)", "an unknown variant"),
        ("(;GM[Othello]TY[8]RU[anti];)", "the rule 'anti', which is not known"),
        ("(;GM[Othello]TY[x];)", "not a number of cells"),
        ("(;GM[Othello]TY[99];)", "size"),
        ("(;GM[Amazons]TY[10];)", "it has GM[Amazons]; there must be GM[Othello]"),
        ("(;GM[Othello]B[a1];)", "move 1, B[a1]: the rules do not allow it there"),
        ("(;GM[Othello]B[f5]B[d6];)", "move 2, B[d6]: it is the turn of White"),
        ("(;GM[Othello]B[PA];)", "move 1, B[PA]: a player who can move must not pass"),
        ("(;GM[Othello]B[z9];)", "move 1, B[z9]: there is no such cell"),
        ("(;GM[Othello]TY[8]nonsense B[f5];)", "before its first move there is no property"),
        ("(;GM[Othello]" + "B[f5]" * 3000 + ";)", "more than 2,000 properties"),
        ("nothing", "it has no game"),
    ],
)
def test_illegal_games_are_refused(text, words):
    assert words in refused(text)


def test_a_forced_pass_may_be_omitted():
    record = next(
        record
        for seed in range(200)
        if "pass" in (record := random_game("reversi", seed, size=4)).actions
    )
    text = ggf.write(record)
    assert "[PA]" in text
    left_out = text.replace("W[PA]", "").replace("B[PA]", "")
    assert only(left_out).actions == record.actions


def test_empty_cells_of_a_finished_game_count_for_the_winner():
    position = meeple.make("reversi").start()
    for move in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]:
        position.play(position.parse_action(move))
    assert "RE[+64.00]" in ggf.write(record_of(position, ["a", "b"]))


@given(
    st.integers(0, 10**6), st.sampled_from([4, 6, 8, 10]), st.sampled_from(["win", "discs"]),
    st.integers(0, 100),
)  # fmt: skip
@settings(max_examples=40)
@pytest.mark.slow
def test_records_of_random_play_survive_writing_and_reading(seed, size, payoff, plies):
    record = random_game("reversi", seed, plies, size=size, payoff=payoff)
    again = only(ggf.write(record))
    assert again == record
    assert replay(again).actions == replay(record).actions


def test_times_estimates_and_endings_survive_writing_and_reading():
    first, _ = read(MATCH)
    assert only(ggf.write(first)) == first


def test_another_game_is_refused_by_name():
    with pytest.raises(MeepleError, match="no GGF for nim, only for reversi"):
        ggf.write(random_game("nim", 1))
