"""An agent answers a manager of the Gomocup."""

import subprocess
import sys

import pytest

import meeple
from meeple.engines.piskvork import PiskvorkEngine
from meeple.errors import UsageError

TALK = """\
ABOUT
TURN 1,1
START 20
INFO timeout_turn 100
INFO max_memory 83886080
INFO folder /nowhere
BEGIN
TURN 0,0
TAKEBACK 9,9
RESTART
BOARD
10,10,1
10,9,2
11,10,1
11,9,2
12,10,1
12,9,2
13,10,1
0,0,2
DONE
RECTSTART 10,12
START 3000
WHATEVER
INFO rule 8
END
"""


def engine(spec="minimax:depth=1", size=15):
    return PiskvorkEngine(spec, meeple.make("gomoku", size=size))


def answers_to(made, *lines):
    """Return the answers without comments."""
    return ["".join(made.handle(line)).strip().rpartition("\n")[2] for line in lines]


@pytest.mark.slow
def test_recorded_conversation_runs_over_a_pipe():
    command = [sys.executable, "-m", "meeple", "engine", "piskvork", "minimax:depth=1"]
    done = subprocess.run(command, input=TALK, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0
    lines = [line for line in done.stdout.splitlines() if not line.startswith("DEBUG ")]
    assert len(lines) == len(done.stdout.splitlines()) - 3  # one before each move
    about, unready, ok, first, second, wrong, again, won, *rest = lines
    assert 'name="Meeple"' in about
    assert unready == "ERROR there is no board yet: START comes first"
    assert ok == again == "OK"
    for move in (first, second):
        x, y = map(int, move.split(","))
        assert 0 <= x < 20
        assert 0 <= y < 20
    assert wrong.startswith("ERROR only the last stone")
    assert won in ("9,10", "14,10")  # four in a row become five
    kinds = [line.split()[0] for line in rest]
    assert kinds == ["ERROR", "ERROR", "UNKNOWN", "ERROR"]


def test_four_of_the_opponent_is_blocked():
    made = engine()
    answers_to(made, "START 15")
    fields = ["0,0,1", "5,5,2", "0,2,1", "6,5,2", "0,4,1", "7,5,2", "4,5,1", "8,5,2"]
    assert answers_to(made, "BOARD", *fields, "DONE")[-1] == "9,5"


def test_board_command_accepts_stones_in_any_order():
    made = engine()
    answers_to(made, "START 15", "BOARD", "7,7,2", "8,8,2", "3,3,1")
    assert "," in answers_to(made, "DONE")[0]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (["7,7,1"], "it is not our turn"),
        (["7,7,2", "7,7,2", "1,1,1"], "two stones on a cell"),
        (["99,7,2"], "no line of BOARD"),
        (["7,7,5"], "no line of BOARD"),
    ],
)
def test_impossible_board_leaves_the_game_unchanged(fields, words):
    made = engine()
    answers_to(made, "START 15", "BEGIN")
    answer = answers_to(made, "BOARD", *fields, "DONE")[-1]
    assert answer.startswith("ERROR")
    assert words in answer
    assert "," in answers_to(made, "TURN 0,0")[0]


def test_rule_of_exactly_five_is_applied():
    made = engine()
    answers_to(made, "START 15", "INFO rule 1")
    six = ["0,0,1", "5,5,2", "0,2,1", "6,5,2", "0,4,1", "7,5,2", "0,6,1", "9,5,2", "1,8,1"]
    answers_to(made, "BOARD", *six, "10,5,2", "DONE")
    assert made._session.game.options["rule"] == "standard"


def test_renju_is_played_and_forbidden_moves_are_refused():
    made = engine("random")
    answers_to(made, "START 15", "INFO rule 4")
    assert made._session.game.options["rule"] == "renju"
    stones = ["7,7,2", "0,0,1", "8,7,2", "0,14,1", "6,6,2", "14,14,1", "6,5,2", "14,0,1"]
    assert "," in answers_to(made, "BOARD", *stones, "7,0,2", "DONE")[-1]
    refused = answers_to(made, "RESTART", "BOARD", *stones, "6,7,2", "DONE")[-1]
    assert refused.startswith("ERROR")


def test_openings_with_a_choice_of_colours_are_refused():
    with pytest.raises(UsageError, match="it is for opening=none"):
        PiskvorkEngine("random", meeple.make("gomoku", opening="swap2"))


def test_takeback_removes_a_stone():
    made = engine()
    answers_to(made, "START 15")
    x, y = answers_to(made, "BEGIN")[0].split(",")
    assert answers_to(made, f"TAKEBACK {x},{y}") == ["OK"]
    assert answers_to(made, "BEGIN")[0] != ""


def test_other_games_are_refused():
    with pytest.raises(UsageError, match="for gomoku"):
        PiskvorkEngine("random", meeple.make("hex"))
