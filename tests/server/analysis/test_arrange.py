"""Stones that are placed by hand become moves, or the board that a game begins with."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import meeple
from meeple.errors import MeepleError
from meeple.server.analysis.arrange import arrange
from tests.server.analysis.test_analysis import ask, pool, random_game

__all__ = ["pool"]  # a fixture


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    plies=st.integers(0, 60),
    game=st.sampled_from(
        [
            meeple.make("hex", size=5),
            meeple.make("hex", size=4, swap=True),
            meeple.make("gomoku", size=7, in_a_row=4),
            meeple.make("gomoku", size=7, in_a_row=3, rule="standard"),
        ]
    ),
)
def test_placed_stones_are_ordered_into_a_legal_sequence(seed, plies, game):
    position = random_game(game.name, seed, plies, **dict(game.options))
    pieces = game.scene(position).facts["pieces"]
    to_move = None if position.is_over else position.to_move
    again = game.start()
    for name in arrange(game, pieces, to_move):
        assert not again.is_over
        again.play(again.parse_action(name))
    assert game.scene(again).facts["pieces"] == pieces
    assert again.is_over or to_move in (None, again.to_move)


def test_impossible_stones_are_refused(client, pool):
    hexes = {"game": "hex", "options": {"size": 3}}
    column = ["p0", "p1", "p1", "p0", "p1", "", "p0", "", ""]  # connected before the last stone
    rows = ask(client, "arrange", status=400, **hexes, pieces=column, to_move=1)
    assert "these numbers of stones are impossible with player 2 to move" in rows
    lines = ["p0", "p0", "p0", "p1", "p1", "p1", "", "", ""]
    tic = {"game": "gomoku", "options": {"size": 3, "in_a_row": 3}}
    both = ask(client, "arrange", status=400, **tic, pieces=lines)
    assert "in any order the game ends before" in both
    few = ask(client, "arrange", status=400, **hexes, pieces=[""])
    assert few == "the board has 9 cells, not 1"


@pytest.mark.parametrize(
    ("game", "options", "pieces", "to_move", "board"),
    [
        ("hex", {"size": 3}, "XX-------", None, "XX------- O"),
        ("hex", {"size": 3}, "X--------", 0, "X-------- X"),
        ("gomoku", {"size": 5}, "X--OO" + "-" * 20, 1, "X--OO" + "-" * 20 + " O"),
        ("reversi", {"size": 4}, "XXO-" + "-" * 12, None, "XXO-" + "-" * 12 + " O"),
    ],
)
def test_stones_that_players_cannot_place_in_turn_are_the_first_board(
    client, pool, game, options, pieces, to_move, board
):
    signs = [{"X": "p0", "O": "p1", "-": ""}[sign] for sign in pieces]
    wanted = {"game": game, "options": options, "pieces": signs, "to_move": to_move}
    told = ask(client, "arrange", **wanted)
    assert (told["options"]["board"], told["moves"]) == (board, [])
    source = {"game": game, "options": told["options"], "moves": []}
    shown = ask(client, "scenes", source=source, ply=0)
    assert shown["scene"]["pieces"] == signs
    assert shown["to_move"] == "XO".index(board[-1]) if "to_move" in shown else True


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("reversi", "play or type the moves"),
        ("nim", r"options \(stones, take, heaps, misere\)"),
        ("ledge", r"options \(row\)"),
        ("catan", "has no stones to place"),
    ],
)
def test_games_without_stone_placement_suggest_an_alternative(name, words):
    with pytest.raises(MeepleError, match=words):
        arrange(meeple.make(name), [])


def test_stones_of_an_opening_with_a_choice_of_colours_cannot_be_arranged():
    with pytest.raises(MeepleError, match="the players choose colours in this opening"):
        arrange(meeple.make("gomoku", opening="swap"), [""] * 225)
