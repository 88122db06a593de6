"""An agent answers GTP, and HTP of HexGui and GoGui, also over real pipes and in tournaments.

gomill's ringmaster, gogui-twogtp and @sabaki/gtp use the rules of Go: a game is over after two
passes or a resignation. benzene's twogtp plays until a program resigns, and informs the other.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import meeple
from meeple.cli.shared.arguments import parse_options
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


def engine(name="hex", spec="random", **options):
    size = {"size": 5} if name == "hex" else {}
    return GtpEngine(spec, meeple.make(name, **size | options))


def ask(made, line):
    """Return the answer to a command, which must succeed."""
    answer = "".join(made.handle(line))
    assert answer.startswith("="), f"{line}: {answer}"
    assert answer.endswith("\n\n")
    return answer[1:].strip()


def converse(made, talk):
    """Send each command; the answer is the text after `->`, which begins with `?` if refused."""
    for line in talk:
        command, arrow, expected = line.partition(" -> ")
        answer = "".join(made.handle(command))
        if arrow:
            assert answer.strip().removeprefix("= ") == expected, command
        else:
            assert answer.startswith("="), f"{command}: {answer}"


def played(*moves):
    return [f"play {move}" for move in moves]


def in_turn(*cells):
    return [f"play {'bw'[ply % 2]} {cell}" for ply, cell in enumerate(cells)]


FIVE = played("B A1", "W A2", "B B1", "W B2", "B C1", "W C2", "B D1", "W D2", "B E1")
"""Gomoku: five of Black in the bottom row."""
CHAIN = in_turn("c1", "a1", "c2", "a2", "c3", "a3", "c4", "a4", "c5")
"""Hex 5x5: a chain of Black from top to bottom."""
RINGMASTER = ["protocol_version -> 2", "list_commands", "boardsize 9", "clear_board", "komi 0.0"]
RINGMASTER += [move.lower() for move in FIVE]
TWOGTP = ["protocol_version -> 2", "name -> Meeple", "version", "list_commands", "boardsize 9"]
TWOGTP += ["clear_board", "komi 6.5", *FIVE]
BENZENE = ["boardsize 5 5", "name -> Meeple", "version", *CHAIN]
SABAKI = ["list_commands", "komi 6.5", "boardsize 5", "clear_board"]
SABAKI += [move.upper().replace("PLAY", "play") for move in CHAIN]
NOT_OVER = "final_score -> ? cannot score: the game is not over"

GOMOKU_9 = {"name": "gomoku", "size": 9}
LOSER_PASSES = "play w pass; genmove b -> pass; final_score -> B+"
CONVERSATIONS: dict[str, tuple[dict[str, Any], list[str], str]] = {
    "gomill's ringmaster, the loser resigns": (GOMOKU_9, RINGMASTER, "genmove w -> resign"),
    "gomill's ringmaster, the loser passes": (
        GOMOKU_9,
        RINGMASTER,
        f"known_command gomill-cpu_time -> false; {LOSER_PASSES}",
    ),
    "gogui-twogtp, the loser resigns": (GOMOKU_9, TWOGTP, "genmove W -> resign; quit"),
    "gogui-twogtp, the loser passes, and moves are taken back": (
        GOMOKU_9,
        TWOGTP,
        f"{LOSER_PASSES}; undo; undo; undo; {NOT_OVER}",
    ),
    "benzene's twogtp, to the loser": ({}, BENZENE, "genmove w -> resign; final_score -> B+; quit"),
    "benzene's twogtp, to the winner": (
        {},
        BENZENE,
        "play w resign; showboard; final_score -> B+; quit",
    ),
    "Sabaki undoes moves after the end": (
        {},
        SABAKI,
        "play W PASS; play B PASS; undo; undo; undo; play B E5; undo; undo; genmove W",
    ),
    "a drawn game ends by two passes": (
        {"name": "gomoku", "size": 3, "in_a_row": 3},
        in_turn("b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3"),
        "genmove w -> pass; play b pass; final_score -> 0",
    ),
    "a program that resigns before the end has lost": (
        {},
        [],
        "play b c3; play w resign; final_score -> B+R; clear_board; play b resign; "
        f"final_score -> W+R; boardsize 5; {NOT_OVER}",
    ),
    "no stone can be placed after the end": (
        {},
        CHAIN,
        "play w e5 -> ? illegal move; reg_genmove w -> resign; genmove w -> resign; "
        "reg_genmove b -> pass; final_score -> B+",
    ),
    "a pass is illegal before the end": ({}, [], "play b pass -> ? illegal move"),
    "either colour may move first at Hex": (
        {},
        [],
        "genmove w; genmove w -> ? it is the turn of black; clear_board; play b c3; genmove w",
    ),
    "cells of Gomoku are named as in Go: letters omit i, and rows count from the bottom": (
        {"name": "gomoku", "size": 19},
        [],
        "play b t19; play w a1; play b i5 -> ? illegal move; komi 6.5",
    ),
    "an impossible board is refused and the game stays": (
        {"spec": "puct:hex7,sims=20", "size": 7},
        [],
        "play b d4; boardsize 40 -> ? unacceptable size: hex: size must be a whole number from 3 "
        "to 19, not 40; play w d4 -> ? illegal move",
    ),
}


@pytest.mark.slow
def test_recorded_conversation_of_hexgui_runs_over_a_pipe():
    command = [sys.executable, "-m", "meeple", "engine", "gtp", "uct:sims=50", "-o", "swap=on"]
    done = subprocess.run(command, input=HTP, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0
    answers = done.stdout.split("\n\n")
    assert answers.pop() == ""
    assert [answer[0] for answer in answers] == list("=" * 8 + "?" * 5 + "==" + "=?==?=?=")
    assert answers[:5] == ["= Meeple", "=1 2", "=2 true", "=3 false", "= "]
    assert "X" in answers[15]
    assert answers[16] == "? cannot score: the game is not over"
    assert "meeple-win_estimates" in answers[20]
    assert answers[21] == "? unknown command"
    assert answers[22] == "=8 "


@pytest.mark.parametrize(("made", "before", "talk"), CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_managers_detect_the_end_of_a_game_and_what_is_illegal(made, before, talk):
    converse(engine(**made), [*before, *talk.split("; ")])


@pytest.mark.slow
def test_time_limit_ends_a_long_search():
    talk = ["time_settings 0 1 1", "genmove b", "time_left w 2 1", "genmove w"]
    converse(engine(spec="uct:sims=50000000", size=11), talk)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("name", "size"), [("hex", 4), ("gomoku", 6), ("reversi", 8)])
def test_manager_of_go_ends_every_game_with_the_result_by_the_rules(name, size, seed):
    """It plays like ringmaster and gogui-twogtp: to two passes, or a resignation."""
    players = {colour: engine(name, size=size) for colour in "bw"}
    for place, made in enumerate(players.values()):
        ask(made, f"set_random_seed {2 * seed + place}")
    passes, turn, result = 0, 0, ""
    while passes < 2 and not result:
        colour, other = "bw"[turn % 2], "wb"[turn % 2]
        move = ask(players[colour], f"genmove {colour}").lower()
        if move == "resign":
            result = f"{other.upper()}+R"
        else:
            ask(players[other], f"play {colour} {move}")
        passes = passes + 1 if move == "pass" else 0
        turn += 1
    scores = {ask(player, "final_score") for player in players.values()}
    assert len(scores) == 1 or result
    score = ask(players["b"], "final_score")
    assert (result or score)[0] == score[0]
    assert name != "reversi" or not result


def test_genmove_plays_its_move_and_reg_genmove_does_not():
    made = engine(spec="uct:sims=50")
    ask(made, f"play b {ask(made, 'reg_genmove b')}")
    ask(made, "undo")
    move = ask(made, "genmove b")
    converse(made, [f"play w {move} -> ? illegal move", "undo", f"play b {move}"])


@pytest.mark.parametrize(
    ("name", "spec", "first"),
    [("hex", "uct:sims=200", ()), ("reversi", "minimax:depth=2", ["play b f5"])],
)
def test_analyses_list_cells_with_numbers_from_0_to_1(name, spec, first):
    made = engine(name, spec)
    converse(made, first)
    for command in ("meeple-win_estimates", "meeple-visit_shares", "meeple-policy"):
        words = ask(made, command).split()
        cells, numbers = words[::2], [float(word) for word in words[1::2]]
        assert len(set(cells)) == len(cells) > 0
        assert all(0 <= number <= 1 for number in numbers), f"{command}: {numbers}"
        if name == "hex":
            assert len(cells) > 10
            assert numbers == sorted(numbers, reverse=True)
            assert command != "meeple-visit_shares" or sum(numbers) == pytest.approx(1, abs=0.1)
    assert 0 < float(ask(made, "meeple-value")) < 1
    assert ask(made, "meeple-expected_play")


def test_analyses_that_go_on_are_known_and_listed():
    assert ask(engine(), "known_command lz-analyze") == "true"
    assert "kata-genmove_analyze" in ask(engine(), "list_commands").split("\n")


def test_each_program_draws_the_expected_play_by_a_type_that_it_knows():
    for program, kind in (("hexgui", "var"), ("gogui", "plist")):
        listed = ask(engine(), f"{program}-analyze_commands").splitlines()
        assert f"{kind}/Expected play/meeple-expected_play" in listed
        assert len(listed) == 5


@pytest.mark.parametrize("line", ["meeple-value", "play green pass"])
def test_impossible_commands_are_refused(line):
    assert "".join(engine().handle(line)).startswith("? ")


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
    made = engine(game, size=size)
    ask(made, f"play b {cell}")
    _, letters, *rows = "".join(made.handle("showboard")).splitlines()
    row = next(row for row in rows if "(X)" in row)
    assert letters[row.index("(X)") + 1] + row.split()[0] == cell
    assert row.split()[0] == row.split()[-1]


@pytest.mark.parametrize("board", ["boardsize 7", "clear_board", "set_random_seed 3"])
def test_clocks_sent_before_the_board_hold_in_the_game(board):
    made = engine()
    converse(made, ["time_settings 100 0 0", "time_left b 20 0", board, "boardsize 5"])
    assert made._seconds_for_move() == 1.0
    converse(made, ["play b a1", "clear_board"])
    assert made._seconds_for_move() == 5.0, "a new game begins with the full time"


def test_error_for_other_games_suggests_json_lines():
    with pytest.raises(UsageError, match="take the protocol json"):
        engine("nim")


def test_command_for_hexgui_in_the_manual_allows_its_user_to_swap():
    manual = Path(__file__).parents[2] / "docs" / "protocols.md"
    (command,) = re.findall(r"^meeple engine gtp (.*?)\s*# .*HexGui.*$", manual.read_text(), re.M)
    spec, *words = command.split()
    made = GtpEngine(spec, meeple.make("hex", **parse_options(words[1::2])))
    converse(made, ["boardsize 5 5", "play b c3", "play w swap-pieces"])
