"""Set-up stones of records: in turn they are moves, otherwise a board that the game begins with."""

import time

import pytest

import meeple
from meeple.engines.nboard import NBoardEngine
from meeple.errors import MeepleError
from meeple.games.contract.records import record_of, replay
from meeple.games.contract.variations import of_records
from meeple.protocols.gtp.language import ensure_supported
from meeple.protocols.records import formats, sgf_variations


def only(text):
    [record] = formats.read(text).found.records()
    replay(record)
    return record


def refused(text):
    with pytest.raises(MeepleError) as caught:
        only(text)
    return str(caught.value)


HEX, GO, OTHELLO = "(;GM[11]SZ[5]", "(;GM[4]SZ[15]", "(;GM[2]SZ[4]"


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        (f"{HEX};AB[c3][b2]AW[d4][a5])", "c3 d4 b2 a5"),
        (f"{HEX};AB[c3];C[why]AW[d4])", "c3 d4"),
        (f"{HEX};AB[c3];AW[d4];B[a1])", "c3 d4 a1"),
        (f"{HEX};AB[c3]AW[d4];AE[d4];AW[e5])", "c3 e5"),
        (f"{HEX};AB[c3]AW[d4];AE[a1:e5])", ""),
        (f"{HEX}AB[a1:b2]AW[c3:d4])", "a1 c3 b1 d3 a2 c4 b2 d4"),
        (f"{HEX}AB[b2:a1]AW[d3:c4])", "a1 c3 b1 d3 a2 c4 b2 d4"),
        (f"{HEX}AB[a2:b1]AW[C3:D4])", "a1 c3 b1 d3 a2 c4 b2 d4"),
        (f"{HEX}AB[a1:a1][b1]AW[c3][d4])", "a1 c3 b1 d4"),
        (f"{GO}AB[hh:hj]AW[ii:ik];B[aa])", "h8 i9 h9 i10 h10 i11 a1"),
        (f"{OTHELLO};AB[c2][b3]AW[b2][c3];B[b1])", "b1"),
        (f"{OTHELLO}PL[B];B[b1])", "b1"),
    ],
)
def test_stones_that_players_can_place_in_turn_are_moves(text, actions):
    record = only(text)
    assert " ".join(record.actions) == actions
    assert "board" not in record.options


@pytest.mark.parametrize(
    ("text", "board", "actions"),
    [
        (f"{HEX};AB[c3]AW[d4][a5][b1])", "-O----------X-----O-O---- X", ""),
        (f"{HEX}AB[a1][b1][c1]AW[a2];W[b2])", "XXX--O------------------- O", "b2"),
        (f"{HEX}AB[a1][b1];PL[B])", "XX----------------------- X", ""),
        (f"{HEX}AB[a1][b1]AW[c3];B[d1];W[d2])", "XX----------O------------ X", "d1 d2"),
        (f"{HEX}AB[a1:e1])", "XXXXX-------------------- O", ""),
        ("(;GM[4]SZ[5]AB[aa:ab])", "X----X------------------- O", ""),
        (f"{OTHELLO}AB[a1][b2]AW[b1]PL[W])", "XO---X---------- O", ""),
        (f"{OTHELLO}PL[W])", "-----OX--XO----- O", ""),
        (f"{OTHELLO}AE[b2])", "------X--XO----- X", ""),
        ("(;GM[Othello]TY[4]BO[4 ---- -OO- -*O- ---- O]W[A3];)", "-----OO--XO----- O", "a3"),
    ],
)
def test_other_stones_are_a_board_that_the_game_begins_with(text, board, actions):
    record = only(text)
    assert record.options["board"] == board
    assert " ".join(record.actions) == actions


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{HEX};B[a1];AW[b2])", "stones are set up after move 1"),
        (f"{HEX};B[a1];W[b2];AE[a1])", "stones are set up after move 2"),
        (f"{HEX}AB[a9])", "set-up AB[a9]: there is no such cell on a board of 5 x 5"),
        (f"{HEX}AB[a1:z9])", "set-up AB[a1:z9]: there is no such cell"),
        (f"{HEX}AB[a1:b2:c3])", "there is no such cell"),
        (f"{HEX}AB[])", "there is no such cell"),
        (f"{HEX}AB[a1:b2]AW[b2])", "set-up AW[b2]: another property of the node"),
        ("(;GM[4]SZ[5]AB[aa:ea]AW[ab:db];W[cc])", "move 1, W[cc]: it comes after the end"),
        (HEX + ";AB[a1:e5];AE[a1:e5]" * 200 + ")", "more than 100 nodes"),
        ("(;GM[Othello]TY[4]BO[4 ---- -OO- -*O- --- O];)", "is no board of 4 x 4"),
    ],
)
def test_impossible_set_ups_are_refused_in_a_sentence(text, words):
    assert words in refused(text)


@pytest.mark.parametrize("property", ["AB", "AW", "AE", "CR", "TB"])
def test_repeated_rectangles_cost_no_more_than_their_text(property):
    only(f"(;GM[4]SZ[19];{property}[aa:bb])")  # compiles
    begun = time.process_time()
    record = only(f"(;GM[4]SZ[19];{property}{'[aa:ss]' * 50_000})")
    assert time.process_time() - begun < 3.0
    assert len(str(record.options) + str(record.notes)) < 10_000


@pytest.mark.parametrize("property", ["AB", "CR"])
def test_stones_and_marks_are_counted_once_for_each_variation(property):
    variations = "".join(f"(;B[a{chr(97 + at % 19)}])" for at in range(2000))
    begun = time.process_time()
    with pytest.raises(MeepleError, match="more than 50,000 moves and marks in all"):
        sgf_variations.read(f"(;GM[4]SZ[19]{property}{'[aa:ss]' * 2000}{variations})")
    assert time.process_time() - begun < 1.5


def test_variations_begin_with_one_board():
    text = "(;GM[11]SZ[5];AB[a1:c1](;W[b2];B[c3])(;W[d2]))"
    tree = of_records(sgf_variations.read(text), 100)
    assert tree.options["board"] == "XXX---------------------- O"
    again = of_records(sgf_variations.read(sgf_variations.write(tree)), 100)
    assert again == tree
    with pytest.raises(MeepleError, match="different set-ups"):
        sgf_variations.read("(;GM[11]SZ[5](;AB[a1:c1];W[b2])(;AB[a1:b1];W[d2]))")


def test_rectangles_in_marks_are_cells():
    record = only(f"{GO};B[hh]CR[aa:bb]SQ[co][zz]TB[aa:cc])")
    assert record.notes["marks"] == {"1": "circle:0 circle:1 circle:15 circle:16 square:212"}


@pytest.mark.parametrize(
    ("game", "options", "actions", "names"),
    [
        ("hex", {"size": 4, "board": "XX-------------- O"}, ("c3", "d4"), "jsonl sgf"),
        ("gomoku", {"size": 6, "board": "OOO" + "-" * 33 + " X"}, ("c3", "d4"), "jsonl sgf"),
        ("reversi", {"size": 4, "board": "----XXO--OX---O- O"}, ("b1",), "jsonl sgf ggf"),
        ("reversi", {"size": 4, "board": "-----OX--XO----- O"}, ("b4",), "jsonl sgf ggf"),
    ],
)
def test_boards_survive_writing_and_reading(game, options, actions, names):
    made = meeple.make(game, **options)
    position = made.start()
    for action in actions:
        position.play(action)
    record = record_of(position, ("a", "b"))
    for name in names.split():
        again = only(formats.write([record], name))
        assert (again.options, again.actions) == (record.options, record.actions)


def test_formats_and_protocols_that_hold_no_set_up_refuse_it_in_a_sentence():
    record = only("(;GM[4]SZ[15]RU[freestyle]AB[aa:ac])")
    with pytest.raises(MeepleError, match="PSQ has no set-up stones"):
        formats.write([record], "psq")
    with pytest.raises(MeepleError, match="without the option board"):
        ensure_supported(replay(record).game)


def test_nboard_games_may_begin_with_another_board():
    engine = NBoardEngine("random", meeple.make("reversi"))
    board = "-" * 27 + "O*------*O" + "-" * 27
    line = f"set game (;GM[Othello]TY[8]BO[8 {board} O];)"
    assert list(engine.handle(line)) == []
    assert any(answer.startswith("=== ") for answer in engine.handle("go"))
    assert engine._session.position.to_move == 1
    assert list(engine.handle("set game (;GM[Othello]TY[8]B[F5];)")) == []
    assert engine._session.position.actions == (37,)
