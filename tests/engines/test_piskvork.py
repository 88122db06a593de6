"""An agent answers a manager of the Gomocup."""

import re
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
CELL = r"\d+,\d+"
RENJU = "START 15; INFO rule 4; BOARD; 7,7,2; 0,0,1; 8,7,2; 0,14,1; 6,6,2; 14,14,1; 6,5,2; 14,0,1"
SWAP2 = "START 9; SWAP2BOARD"
NOT_SWAP2 = "ERROR SWAP2BOARD needs 0, 3 or 5 different"

CONVERSATIONS = {
    "the four of the opponent is blocked": "START 15; BOARD; 0,0,1; 5,5,2; 0,2,1; 6,5,2; 0,4,1; "
    "7,5,2; 4,5,1; 8,5,2; DONE -> 9,5",
    "the stones of a board are in any order": "START 15; BOARD; 7,7,2; 8,8,2; 3,3,1; DONE -> CELL",
    **{
        f"an impossible board leaves the game unchanged: {stones}": (
            f"START 15; BEGIN -> CELL; BOARD; {stones}; DONE -> ERROR.*{words}; TURN 0,0 -> CELL"
        )
        for stones, words in {
            "7,7,1": "it is not our turn",
            "7,7,2; 7,7,2; 1,1,1": "two stones on a cell",
            "99,7,2": "no line of BOARD",
            "7,7,5": "no line of BOARD",
        }.items()
    },
    "renju is played": f"{RENJU}; 7,0,2; DONE -> CELL",
    "forbidden moves of renju are refused": f"{RENJU}; 6,7,2; DONE -> ERROR",
    "caro is refused": "INFO rule 8 -> ERROR INFO rule 8.*caro",
    "a continuous game is refused": "INFO rule 2 -> ERROR INFO rule 2.*continuous game",
    "an unknown rule is refused": "INFO rule 9 -> ERROR INFO rule 9.*unknown",
    **{
        f"wrong stones of the opening swap2: {stones}": f"{SWAP2}; {stones}; DONE -> {NOT_SWAP2}"
        for stones in ("4,4", "4,4; 4,4; 5,5", "9,9; 1,1; 2,2", "x; 1,1; 2,2", "1,1,1; 1,1,1")
    },
    "the opening swap2 begins with three stones": f"{SWAP2}; DONE -> CELL CELL CELL",
    "play goes on after the opening swap2": f"{SWAP2}; 4,4; 5,4; 6,6; DONE; RESTART -> OK; BOARD; "
    "4,4,1; 5,4,2; 6,6,1; 3,3,2; DONE -> CELL",
}
"""Lines to an engine, and what its last line after some of them begins with."""


def engine(spec="minimax:depth=1"):
    return PiskvorkEngine(spec, meeple.make("gomoku"))


def answer_to(made, line):
    """Return the last line of an answer, which comments precede."""
    return "".join(made.handle(line)).strip().rpartition("\n")[2]


def converse(made, talk):
    for line in talk.split("; "):
        command, arrow, expected = line.partition(" -> ")
        answer = answer_to(made, command)
        if arrow:
            assert re.match(expected.replace("CELL", CELL), answer), f"{command}: {answer}"


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
        assert all(0 <= int(number) < 20 for number in move.split(","))
    assert wrong.startswith("ERROR only the last stone")
    assert won in ("9,10", "14,10")  # four in a row become five
    kinds = [line.split()[0] for line in rest]
    assert kinds == ["ERROR", "ERROR", "UNKNOWN", "ERROR"]


@pytest.mark.parametrize("talk", CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_conversations_have_the_answers_of_the_protocol(talk):
    converse(engine(), talk)


@pytest.mark.parametrize(
    ("stones", "counts"),
    [(("4,4", "5,4", "6,6"), {0, 1, 2}), (("4,4", "5,4", "6,6", "5,5", "5,3"), {0, 1})],
)
def test_an_engine_swaps_or_places_stones_on_free_cells(stones, counts):
    found = set()
    for seed in range(20):
        made = PiskvorkEngine("random", meeple.make("gomoku"), seed)
        converse(made, "; ".join([SWAP2, *stones]))
        said = answer_to(made, "DONE")
        cells = [] if said == "SWAP" else said.split()
        assert not set(cells) & set(stones)
        found.add(len(cells))
    assert found == counts


@pytest.mark.parametrize(
    ("number", "rule"), [(0, "freestyle"), (1, "standard"), (4, "renju"), (8, "freestyle")]
)
def test_the_rule_of_a_manager_is_applied(number, rule):
    made = engine("random")
    converse(made, f"START 15; INFO rule {number}")
    assert made._session.game.options["rule"] == rule


def test_takeback_removes_a_stone():
    made = engine()
    converse(made, "START 15")
    converse(made, f"TAKEBACK {answer_to(made, 'BEGIN')} -> OK; BEGIN -> CELL")


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [("hex", {}, "for gomoku"), ("gomoku", {"opening": "swap2"}, "it is for opening=none")],
)
def test_other_games_and_openings_are_refused(name, options, words):
    with pytest.raises(UsageError, match=words):
        PiskvorkEngine("random", meeple.make(name, **options))
