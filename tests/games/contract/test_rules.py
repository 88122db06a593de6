"""Rules objects: a game can be pickled, and played without names of actions."""

import pickle

import pytest

import meeple
from meeple.errors import IllegalAction
from meeple.games.contract.position import BarePosition


@pytest.mark.parametrize(
    ("name", "options"), [("hex", {"size": 4, "swap": True}), ("catan", {"players": 3})]
)
def test_pickled_game_is_the_same_game(name, options):
    game = meeple.make(name, **options)
    twin = pickle.loads(pickle.dumps(game))  # noqa: S301  # created by this test
    assert twin == game
    assert (twin.options, twin.num_actions) == (game.options, game.num_actions)


def test_rules_alone_play_a_game_with_numbers_as_names():
    position = BarePosition(meeple.make("nim", stones=3, take=2))
    position.play(1)
    with pytest.raises(IllegalAction, match=r"action 1 \(1\) is not legal here; legal: 0$"):
        position.play(1)
    position.play(0)
    assert position.payoffs.tolist() == [0.0, 1.0]
    assert type(position.copy()) is BarePosition
