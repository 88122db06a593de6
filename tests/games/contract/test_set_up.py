"""A game may begin with a board that is set up, by the option `board`."""

import random

import numpy as np
import pytest

import meeple
from meeple.errors import OptionError
from meeple.games.contract.set_up import board_text
from tests.games.moves import owners_of

GAMES = [
    ("hex", {"size": 4}),
    ("hex", {"size": 4, "swap": True}),
    ("hex", {"size": 12}),
    ("gomoku", {"size": 5, "in_a_row": 3}),
    ("gomoku", {"size": 7, "rule": "standard"}),
    ("gomoku", {"size": 7, "rule": "renju"}),
    ("reversi", {"size": 4}),
    ("reversi", {"size": 8, "payoff": "discs"}),
    ("reversi", {"size": 10}),
]


def set_up(position):
    """Return the game of a position that begins with its board."""
    board = board_text(owners_of(position), position.to_move)
    return meeple.make(position.game.name, **{**position.game.options, "board": board})


@pytest.mark.parametrize(("name", "options"), GAMES)
@pytest.mark.parametrize("plies", [0, 1, 2, 7, 12])
def test_a_set_up_board_plays_like_the_position_that_moves_reach(name, options, plies):
    rng = random.Random(plies)
    played = meeple.make(name, **options).start()
    for _ in range(plies):
        if not played.is_over:
            played.play(rng.choice(played.legal_actions().tolist()))
    if played.is_over or played.actions[-1:] == (played.game.num_cells,):
        return  # over, or just swapped: then the single stone is the second player's
    begun = set_up(played).start()
    while played.to_move >= 0:
        assert begun.to_move == played.to_move
        assert owners_of(begun) == owners_of(played)
        assert begun.legal_actions().tolist() == played.legal_actions().tolist()
        planes = 2 if name == "gomoku" else 4
        seen, wanted = (one.observation(one.to_move)[:planes] for one in (begun, played))
        np.testing.assert_array_equal(seen, wanted)
        action = rng.choice(played.legal_actions().tolist())
        played.play(action)
        begun.play(action)
    assert begun.payoffs.tolist() == played.payoffs.tolist()


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("hex", {"size": 3, "board": "XO------- X", "first": 2}, "leave out first"),
        ("hex", {"size": 4, "board": "XO------- X"}, "board has 9 cells, but size=4 has 16"),
        ("hex", {"size": 3, "board": "XO-------"}, "board must be a sign for each cell"),
        (
            "gomoku",
            {"size": 4, "in_a_row": 4, "opening": "swap", "board": "X" + "-" * 15 + " O"},
            "opening=none",
        ),
        ("reversi", {"size": 4, "board": "X" * 401 + " X"}, "board must be a sign for each cell"),
    ],
)
def test_a_wrong_board_is_refused_in_a_sentence(name, options, words):
    with pytest.raises(OptionError, match=words):
        meeple.make(name, **options)


@pytest.mark.parametrize(
    ("name", "options", "payoffs"),
    [
        ("hex", {"size": 3, "board": "X-OX-OX-- O"}, [1.0, 0.0]),
        ("gomoku", {"size": 3, "in_a_row": 3, "board": "XX-OOO-X- X"}, [0.0, 1.0]),
        ("gomoku", {"size": 3, "in_a_row": 3, "board": "XOXXOOOXX O"}, [0.5, 0.5]),
        ("reversi", {"size": 4, "board": "X" * 15 + "- O"}, [1.0, 0.0]),
    ],
)
def test_a_decided_board_is_over_at_once(name, options, payoffs):
    position = meeple.make(name, **options).start()
    assert position.is_over
    assert position.payoffs.tolist() == payoffs


@pytest.mark.slow
def test_options_networks_and_ratings_are_those_of_the_usual_game():
    usual = meeple.make("hex", size=7)
    begun = meeple.make("hex", size=7, board="-" * 24 + "XO" + "-" * 23 + " O")
    assert "board" not in usual.options
    assert begun.usual() == usual != begun
    agent = meeple.agent("puct:hex7,sims=8", begun, seed=1)
    assert agent.choose(begun.start()) not in (24, 25)
