"""An agent answers NBoard, whose documentation has the conversation below."""

import subprocess
import sys

import pytest

import meeple
from meeple.engines.nboard import NBoardEngine
from meeple.errors import UsageError

GAME = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)
TALK = f"nboard 2\nset game {GAME}\nset depth 2\nping 1\ngo\n"


def engine(spec="minimax:depth=2"):
    return NBoardEngine(spec, meeple.make("reversi"))


def answers_to(made, *lines):
    return [piece.rstrip() for line in lines for piece in made.handle(line)]


@pytest.mark.slow
def test_recorded_conversation_runs_over_a_pipe():
    command = [sys.executable, "-m", "meeple", "engine", "nboard", "minimax:depth=2,margin=0"]
    done = subprocess.run(command, input=TALK, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "set myname Meeple"
    assert "pong 1" in lines
    move = next(line for line in lines if line.startswith("=== "))
    name, estimate, seconds = move.removeprefix("=== ").split("/")
    game = meeple.make("reversi")
    position = game.start()
    for word in ["F5", "F6", "D3", "C5", "E6", "F7", "E7", "F4"]:
        position.play(position.parse_action(word))
    assert position.parse_action(name) in position.legal_actions()
    assert -64 <= float(estimate) <= 64
    assert float(seconds) >= 0
    assert [line.split()[0] for line in lines].count("status") == 2


def test_hints_have_the_requested_number_the_best_first():
    made = engine("uct:sims=300")
    answers_to(made, "nboard 2", f"set game {GAME}")
    lines = [line.split() for line in answers_to(made, "hint 3") if line.startswith("search")]
    assert len(lines) == 3
    assert len({line[1][:2] for line in lines}) == 3


def test_moves_and_passes_are_played():
    made = engine()
    assert answers_to(
        made, "nboard 2", f"set game {GAME}", "move D6/1.0/2", "move PA", "learn"
    ) == ["set myname Meeple", "status the move PA is not legal", "learned"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("set game (;GM[Go]B[F5];)", "GM[Othello]"),
        ("set game rubbish", "not GGF"),
        ("set game (;GM[Othello]B[A1];)", "move 1, B[A1]"),
        ("set game (;GM[Othello]TY[10]B[E4];)", "8x8"),
        ("set depth many", "number of plies"),
        ("move Z9", "not legal"),
    ],
)
def test_errors_are_reported_as_a_status_and_the_game_stays(line, words):
    made = engine()
    answers_to(made, "nboard 2", f"set game {GAME}")
    before = made._session.position.actions
    (answer,) = answers_to(made, line)
    assert answer.startswith("status ")
    assert words in answer
    assert made._session.position.actions == before


def test_unknown_lines_are_ignored():
    assert answers_to(engine(), "fly away", "", "set contempt 3") == []


def test_only_the_8x8_board_is_supported():
    with pytest.raises(UsageError, match="Reversi 8x8"):
        NBoardEngine("random", meeple.make("reversi", size=6))


def test_every_hint_has_a_number():
    """Moves that the search has cut off have no estimate and are omitted."""
    made = engine("minimax:depth=1")
    answers_to(made, "nboard 2", "set depth 2", "move F5")
    lines = [line.split() for line in answers_to(made, "hint 5") if line.startswith("search")]
    estimates = [float(line[2]) for line in lines]
    assert estimates
    assert all(-64 <= estimate <= 64 for estimate in estimates), "nan is no estimate"
    assert estimates == sorted(estimates, reverse=True)
