"""An agent answers GTP and HTP commands of HexGui and GoGui, also over real pipes."""

import subprocess
import sys

import pytest

import meeple
from meeple.engines.gtp import GtpEngine
from meeple.errors import UsageError

HTP = """\
name
1 protocol_version
2 known_command genmove
3 known_command fly
boardsize 5 5
# a comment, and an empty line

4 play b c3
5 play white swap-pieces
6 play black a1
play white a1
genmove black
play blue b2 extra
boardsize 7 5
boardsize 99
undo
undo
showboard
final_score
7 time_settings 0 1 1
8 time_left w 30 5
time_settings x 1 1
hexgui-analyze_commands
unexpected_line
8 quit
name
"""


def answer_to(engine, line):
    return "".join(engine.handle(line))


def payload_of(answer):
    """Return an answer without its status."""
    assert answer.startswith("=")
    assert answer.endswith("\n\n")
    return answer[1:].strip()


def hex_engine(spec="uct:sims=50", **options):
    return GtpEngine(spec, meeple.make("hex", **{"size": 5, **options}))


@pytest.mark.slow
def test_recorded_conversation_of_hexgui_runs_over_a_pipe():
    command = [sys.executable, "-m", "meeple", "engine", "gtp", "uct:sims=50", "-o", "swap=on"]
    done = subprocess.run(command, input=HTP, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0
    answers = done.stdout.split("\n\n")
    assert answers.pop() == ""
    assert [answer[0] for answer in answers] == list("=" * 8 + "?" * 5 + "==" + "=?==?=?=")
    assert answers[:5] == ["= Meeple", "=1 2", "=2 true", "=3 false", "= "]
    assert answers[8] == "? it is the turn of black" or answers[8].startswith("?")
    assert "X" in answers[15]
    assert answers[16] == "? cannot score: the game is not over"
    assert "meeple-win_estimates" in answers[20]
    assert answers[21] == "? unknown command"
    assert answers[22] == "=8 "


def test_black_moves_first_and_joins_top_and_bottom():
    engine = hex_engine()
    for row in range(1, 6):
        payload_of(answer_to(engine, f"play b c{row}"))
        if row < 5:
            payload_of(answer_to(engine, f"play w e{row}"))
    assert payload_of(answer_to(engine, "final_score")) == "B+"
    assert payload_of(answer_to(engine, "genmove w")) == "resign"


def test_either_colour_may_move_first_at_hex():
    engine = hex_engine("uct:sims=20")
    payload_of(answer_to(engine, "genmove w"))
    assert answer_to(engine, "genmove w") == "? it is the turn of black\n\n"
    payload_of(answer_to(engine, "clear_board"))
    payload_of(answer_to(engine, "play b c3"))
    payload_of(answer_to(engine, "genmove w"))


def test_genmove_plays_its_move_and_reg_genmove_does_not():
    engine = hex_engine()
    asked = payload_of(answer_to(engine, "reg_genmove b"))
    payload_of(answer_to(engine, f"play b {asked}"))
    payload_of(answer_to(engine, "undo"))
    made = payload_of(answer_to(engine, "genmove b"))
    assert answer_to(engine, f"play w {made}") == "? illegal move\n\n"
    payload_of(answer_to(engine, "undo"))
    payload_of(answer_to(engine, f"play b {made}"))


def test_analyses_list_cells_with_numbers():
    engine = hex_engine("uct:sims=200")
    for command in ("meeple-win_estimates", "meeple-visit_shares", "meeple-policy"):
        words = payload_of(answer_to(engine, command)).split()
        cells, numbers = words[::2], [float(word) for word in words[1::2]]
        assert len(set(cells)) == len(cells) > 10
        assert numbers == sorted(numbers, reverse=True)
        assert all(0 <= number <= 1 for number in numbers)
    shares = payload_of(answer_to(engine, "meeple-visit_shares")).split()[1::2]
    assert sum(map(float, shares)) == pytest.approx(1, abs=0.1)
    assert 0 < float(payload_of(answer_to(engine, "meeple-value"))) < 1
    assert payload_of(answer_to(engine, "meeple-expected_play"))


def test_each_program_draws_the_expected_play_by_a_type_that_it_knows():
    engine = hex_engine("uct:sims=20")
    for program, kind in (("hexgui", "var"), ("gogui", "plist")):
        listed = payload_of(answer_to(engine, f"{program}-analyze_commands")).splitlines()
        assert f"{kind}/Expected play/meeple-expected_play" in listed
        assert len(listed) == 5


def test_analysis_of_an_agent_without_estimates_reports_that():
    assert answer_to(hex_engine("random"), "meeple-value").startswith("? ")


def test_cells_of_gomoku_are_named_as_in_go():
    """Letters omit i and rows count from the bottom: a1 is bottom left, t19 top right."""
    engine = GtpEngine("random", meeple.make("gomoku", size=19))
    payload_of(answer_to(engine, "play b t19"))
    payload_of(answer_to(engine, "play w a1"))
    assert answer_to(engine, "play b i5") == "? illegal move\n\n"
    payload_of(answer_to(engine, "komi 6.5"))


@pytest.mark.parametrize(
    ("game", "size", "cell"),
    [
        ("gomoku", 19, "j16"),
        ("gomoku", 20, "u1"),
        ("gomoku", 9, "h9"),
        ("gomoku", 5, "a1"),
        ("reversi", 8, "d3"),
        ("reversi", 10, "d5"),
    ],
)
def test_showboard_labels_the_last_stone_as_play_names_it(game, size, cell):
    engine = GtpEngine("random", meeple.make(game, size=size))
    payload_of(answer_to(engine, f"play b {cell}"))
    _, letters, *rows = answer_to(engine, "showboard").splitlines()
    row = next(row for row in rows if "(X)" in row)
    assert letters[row.index("(X)") + 1] + row.split()[0] == cell
    assert row.split()[0] == row.split()[-1]


@pytest.mark.parametrize("board", ["boardsize 7", "clear_board", "set_random_seed 3"])
def test_clocks_sent_before_the_board_hold_in_the_game(board):
    engine = hex_engine("random")
    for line in ("time_settings 100 0 0", "time_left b 20 0", board, "boardsize 5"):
        payload_of(answer_to(engine, line))
    assert engine._seconds_for_move() == 1.0
    payload_of(answer_to(engine, "play b a1"))
    payload_of(answer_to(engine, "clear_board"))
    assert engine._seconds_for_move() == 5.0, "a new game begins with the full time"


def test_reversi_handles_passes_and_the_final_score():
    engine = GtpEngine("minimax:depth=2", meeple.make("reversi", size=4))
    colour = "b"
    for _ in range(40):
        move = answer_to(engine, f"genmove {colour}")
        if move.startswith("?"):
            break
        colour = "w" if colour == "b" else "b"
    assert payload_of(answer_to(engine, "final_score"))[0] in "BW0"


def test_impossible_board_is_refused_and_the_game_stays():
    engine = hex_engine("puct:hex7,sims=20", size=7)
    payload_of(answer_to(engine, "play b d4"))
    assert answer_to(engine, "boardsize 40").startswith("? unacceptable size")
    assert answer_to(engine, "play w d4") == "? illegal move\n\n"


@pytest.mark.slow
def test_time_limit_ends_a_long_search():
    engine = hex_engine("uct:sims=50000000", size=11)
    payload_of(answer_to(engine, "time_settings 0 1 1"))
    payload_of(answer_to(engine, "genmove b"))
    payload_of(answer_to(engine, "time_left w 2 1"))
    payload_of(answer_to(engine, "genmove w"))


def test_error_for_other_games_suggests_json_lines():
    with pytest.raises(UsageError, match="take the protocol json"):
        GtpEngine("random", meeple.make("nim"))


def test_analysis_has_a_number_for_every_listed_move():
    engine = GtpEngine("minimax:depth=2", meeple.make("reversi"))
    payload_of(answer_to(engine, "play b f5"))
    for command in ("meeple-win_estimates", "meeple-visit_shares", "meeple-policy"):
        numbers = payload_of(answer_to(engine, command)).split()[1::2]
        assert numbers
        assert all(0 <= float(number) <= 1 for number in numbers), f"{command}: {numbers}"
