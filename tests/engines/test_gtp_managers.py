"""Managers of GTP games detect the end of a game and its result, in recorded conversations.

gomill's ringmaster, gogui-twogtp and @sabaki/gtp use the rules of Go: a game is over after two
passes or a resignation. benzene's twogtp plays until a program resigns, and informs the other.
"""

import re
from pathlib import Path

import pytest

import meeple
from meeple.cli.shared.arguments import parse_options
from meeple.engines.gtp import GtpEngine

FIVE = ["B A1", "W A2", "B B1", "W B2", "B C1", "W C2", "B D1", "W D2", "B E1"]
"""Gomoku: five of Black in the bottom row."""
CHAIN = ["b c1", "w a1", "b c2", "w a2", "b c3", "w a3", "b c4", "w a4", "b c5"]
"""Hex 5x5: a chain of Black from top to bottom."""


def engine(name, spec="random", **options):
    return GtpEngine(spec, meeple.make(name, **options))


def ask(made, line):
    """Return the answer to a command, which must succeed."""
    answer = "".join(made.handle(line))
    assert answer.startswith("="), f"{line}: {answer}"
    return answer[1:].strip()


def refused(made, line):
    answer = "".join(made.handle(line))
    assert answer.startswith("? ")
    return answer[2:].strip()


def converse(made, talk):
    """Send each command, and compare its answer with the text after `->`, if any."""
    for line in talk:
        command, arrow, expected = line.partition(" -> ")
        answer = ask(made, command)
        if arrow:
            assert answer == expected, command


def played(moves):
    return [f"play {move}" for move in moves]


def by_a_manager_of_go(players, limit=400):
    """Play a game like ringmaster and gogui-twogtp; return their results or the resignation."""
    passes = 0
    for turn in range(limit):
        colour, other = "bw"[turn % 2], "wb"[turn % 2]
        move = ask(players[colour], f"genmove {colour}").lower()
        if move == "resign":
            return {f"{other.upper()}+R"}
        ask(players[other], f"play {colour} {move}")
        passes = passes + 1 if move == "pass" else 0
        if passes == 2:
            return {ask(player, "final_score") for player in players.values()}
    raise AssertionError("the game has no end")


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("name", "size"), [("hex", 4), ("gomoku", 6), ("reversi", 8)])
def test_manager_of_go_ends_every_game_with_the_result_by_the_rules(name, size, seed):
    players = {colour: engine(name, size=size) for colour in "bw"}
    for place, made in enumerate(players.values()):
        ask(made, f"set_random_seed {2 * seed + place}")
    (result,) = by_a_manager_of_go(players)
    score = ask(players["b"], "final_score")
    assert result[0] == score[0], f"{result} by the manager, {score} by the rules"
    assert name != "reversi" or result == score


def test_drawn_game_ends_by_two_passes():
    made = engine("gomoku", size=3, in_a_row=3)
    cells = ["b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3"]
    converse(made, [f"play {'bw'[n % 2]} {cell}" for n, cell in enumerate(cells)])
    converse(made, ["genmove w -> pass", "play b pass", "final_score -> 0"])


# ---------------------------------------------------------------- recorded conversations


def test_recorded_conversation_of_gomills_ringmaster():
    talk = ["protocol_version -> 2", "list_commands", "boardsize 9", "clear_board", "komi 0.0"]
    talk += [move.lower() for move in played(FIVE)] + ["genmove w -> resign"]
    converse(engine("gomoku", size=9), talk)
    loser_passes = ["known_command gomill-cpu_time -> false", "play w pass", "genmove b -> pass"]
    converse(engine("gomoku", size=9), talk[:-1] + loser_passes + ["final_score -> B+"])


def test_recorded_conversation_of_gogui_twogtp():
    talk = ["protocol_version -> 2", "name -> Meeple", "version", "list_commands", "boardsize 9"]
    talk += ["clear_board", "komi 6.5", *played(FIVE), "genmove W -> resign", "quit"]
    converse(engine("gomoku", size=9), talk)
    passes = ["play W PASS", "genmove B -> pass", "final_score -> B+", "undo", "undo", "undo"]
    made = engine("gomoku", size=9)
    converse(made, talk[:-2] + passes)
    assert refused(made, "final_score") == "cannot score: the game is not over"


def test_recorded_conversation_of_benzenes_twogtp():
    talk = ["boardsize 5 5", "name -> Meeple", "version", *played(CHAIN)]
    converse(engine("hex", size=5), [*talk, "genmove w -> resign", "final_score -> B+", "quit"])
    winner = engine("hex", size=5)
    converse(winner, [*talk, "play w resign", "showboard", "final_score -> B+", "quit"])


def test_program_that_resigns_before_the_end_has_lost():
    made = engine("hex", size=5)
    converse(made, ["play b c3", "play w resign", "final_score -> B+R"])
    converse(made, ["clear_board", "play b resign", "final_score -> W+R"])
    converse(made, ["boardsize 5"])
    assert refused(made, "final_score") == "cannot score: the game is not over"


def test_sabaki_can_undo_moves_after_the_end():
    made = engine("hex", size=5)
    talk = ["list_commands", "komi 6.5", "boardsize 5", "clear_board"]
    talk += [move.upper().replace("PLAY", "play") for move in played(CHAIN)]
    talk += ["play W PASS", "play B PASS", "undo", "undo", "undo", "play B E5", "undo", "undo"]
    converse(made, [*talk, "genmove W"])


# ---------------------------------------------------------------- moves around the end of a game


def test_no_stone_can_be_placed_after_the_end():
    made = engine("hex", size=5)
    converse(made, played(CHAIN))
    assert refused(made, "play w e5") == "illegal move"
    assert refused(made, "play green pass").startswith("invalid color")
    converse(made, ["reg_genmove w -> resign", "reg_genmove b -> pass", "final_score -> B+"])


def test_pass_is_illegal_before_the_end():
    assert refused(engine("hex", size=5), "play b pass") == "illegal move"


# ---------------------------------------------------------------- the command of the manual


def test_command_for_hexgui_allows_its_user_to_swap():
    manual = Path(__file__).parents[2] / "docs" / "protocols.md"
    (command,) = re.findall(r"^meeple engine gtp (.*?)\s*# .*HexGui.*$", manual.read_text(), re.M)
    spec, *words = command.split()
    made = engine("hex", spec, **parse_options(words[1::2]))
    converse(made, ["boardsize 5 5", "play b c3", "play w swap-pieces"])
