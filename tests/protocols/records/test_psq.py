"""PSQ of Piskvork and the Gomocup is read, and our records survive writing and reading."""

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeple.errors import MeepleError
from meeple.protocols.records import psq
from tests.protocols.records.playing import random_game, reading

GAME = (Path(__file__).parent / "data" / "game.psq").read_bytes().decode()


_, only, refused = reading(psq.find)


def test_a_game_of_the_manager_is_read():
    record = only(GAME)
    assert record.actions[:2] == ("j10", "k11")  # columns first, counted from 1 at the top left
    assert record.payoffs == (1.0, 0.0)
    assert {"size": 15, "in_a_row": 5, "rule": "freestyle"}.items() <= record.options.items()
    assert record.notes["times"]["2"] == 1.234


def test_the_header_names_the_first_player():
    assert only(GAME).seats == ("pbrain-first.exe", "pbrain-second.exe")
    other = GAME.replace("11:11, 1", "11:11, 0")
    assert only(other).seats == ("pbrain-second.exe", "pbrain-first.exe")


def test_a_game_outside_of_tournaments_has_no_names():
    record = only("Piskvorky 15x15, 0:3, 0\n8,8,100\n9,9,0\n-1\n")
    assert record.seats == ("Black", "White")
    assert record.actions == ("h8", "i9")


def test_the_rule_is_named_or_inferred_from_the_moves():
    assert only(GAME.replace("Freestyle", "Standard")).options["rule"] == "standard"
    assert only(GAME.replace("Freestyle", "Renju")).options["rule"] == "renju"
    moves = [f"{x},1,0\n{x},15,0" for x in (1, 2, 3, 5, 6)] + ["4,1,0", "9,9,0"]
    six = "Piskvorky 15x15, 11:11, 0\n" + "\n".join(moves)  # a row of six does not end it
    assert only(six).options["rule"] == "standard"


def test_a_winner_is_declared_if_the_moves_give_none():
    broken = only(GAME.replace("6,10,99\r\n", ""))
    assert broken.payoffs is None
    assert broken.shares == (1.0, 0.0)  # 2, the second name, moved first
    assert broken.is_declared


def unfinished(end, moves="8,8,10\n1,1,10", names="a\nb", size=15):
    return only(f"Piskvorky {size}x{size}, 11:11, 0\n{moves}\n{names}\n-1\n{end}\n")


@pytest.mark.parametrize(
    ("end", "rule", "shares", "size"),
    [
        ("1,Freestyle15_1", "freestyle", (1.0, 0.0), 15),
        ("2,Freestyle20_2", "freestyle", (0.0, 1.0), 20),
        ("1,Freestyle2", "freestyle", (1.0, 0.0), 20),
        ("1,Renju_1", "renju", (1.0, 0.0), 15),
        ("2,Standard1", "standard", (0.0, 1.0), 15),
        ("1,Fastgame", "freestyle", (1.0, 0.0), 20),
        ("0,Renju", "renju", None, 15),
    ],
)
def test_leagues_of_the_gomocup_name_the_rule(end, rule, shares, size):
    record = unfinished(end, size=size)
    assert record.options["rule"] == rule
    assert record.shares == shares


def test_the_judge_of_the_gomocup_numbers_players_as_its_table_after_an_odd_opening():
    moves, names = "8,8,0\n1,1,10", "a.zip\nb.zip"
    assert unfinished("1,Renju", moves, names).shares == (0.0, 1.0)
    assert unfinished("1,Renju", moves.replace("1,1,10", "1,1,0\n2,2,9"), names).shares == (
        1.0,
        0.0,
    )
    assert unfinished("1,Renju", moves).shares == (1.0, 0.0)


def test_the_rules_win_over_a_declared_winner_with_a_notice():
    record = only(GAME.replace("2,Freestyle", "1,Freestyle"))
    assert record.payoffs == (1.0, 0.0)
    assert record.notes["notice"].startswith("it declares player 1 as the winner, but by the rules")
    assert "notice" not in only(GAME).notes


def test_a_user_gives_an_unknown_rule_but_no_other_than_the_stated_one():
    text = GAME.replace("Freestyle", "Caro")
    [record] = psq.find(text, given={"rule": "standard"}).records()
    assert record.options["rule"] == "standard"
    with pytest.raises(MeepleError, match="by the rule freestyle, not renju as you gave"):
        list(psq.find(GAME, given={"rule": "renju"}).records())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Piskvorky", "the header of a PSQ is such as"),
        ("Piskvorky 15x20, 11:11, 0", "15 x 20 cells is not square"),
        ("Piskvorky 99x99, 11:11, 0", "size"),
        ("Piskvorky 15x15, 11:11, 0\n1,1,0\n1,1,0", "move 2, 1,1: the rules do not allow it"),
        ("Piskvorky 15x15, 11:11, 0\n0,1,0", "move 1, 0,1: there is no such cell"),
        (
            "Piskvorky 15x15, 11:11, 0\na\nb\n-1\n1,Caro",
            "by the rule 'Caro', which is not known: if it is one of freestyle",
        ),
        ("Piskvorky 15x15, 11:11, 0\n" + "1,1,0\n" * 3000, "more than 2,000 lines"),
        ("Piskvorky 20x20, 11:11, 0\na\nb\n-1\n1,Freestyle15_1", "but its board has 20 rows"),
        ("Piskvorky 15x15, 11:11, 0\na\nb\n-1\n1,gomocup2017", "by the rule 'gomocup2017'"),
        (GAME.replace("pbrain-second", "1,2,3\r\npbrain-second"), "after the end of the game"),
        ("nothing", "no line that begins with Piskvorky"),
    ],
)
def test_illegal_games_are_refused(text, words):
    assert words in refused(text)


@given(
    st.integers(0, 10**6), st.integers(5, 20), st.sampled_from(["freestyle", "standard", "renju"]),
    st.integers(0, 60),
)  # fmt: skip
@settings(max_examples=40)
def test_records_of_random_play_survive_writing_and_reading(seed, size, rule, plies):
    record = random_game("gomoku", seed, plies, size=size, rule=rule)
    assert only(psq.write(record)) == record


def test_times_survive_writing_and_reading():
    record = only(GAME)
    assert only(psq.write(record)) == record


def test_another_row_length_is_refused():
    with pytest.raises(MeepleError, match="PSQ is for 5 in a row"):
        psq.write(random_game("gomoku", 1, size=6, in_a_row=4))
    with pytest.raises(MeepleError, match="PSQ has no choice of colours"):
        psq.write(random_game("gomoku", 1, opening="swap"))
    with pytest.raises(MeepleError, match="no PSQ for hex, only for gomoku"):
        psq.write(random_game("hex", 1, size=5))


def test_a_name_is_not_read_as_a_move():
    record = dataclasses.replace(random_game("gomoku", 1, 5), seats=("1,2", "3,4,5"))
    assert len(only(psq.write(record)).actions) == 5
