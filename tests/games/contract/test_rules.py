"""Rules objects: a game can be pickled, and played without names of actions."""

import pickle
from typing import Any, cast

import pytest

import meeple
from meeple.errors import IllegalAction
from meeple.games.boards.shape import hexhex
from meeple.games.contract.game import Game
from meeple.games.contract.position import BarePosition
from meeple.kernels import record
from meeple.sentences import Sentence

State = record(to_move="i1")


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


class Declared(Game):
    """A game without options: its class sets all, and its module has the state."""

    name, shape, num_actions, max_plies, observation_shape = "declared", hexhex(2), 9, 7, (1,)


class Derived(Declared):
    """A game with a state of its own."""

    State = record(to_move="i1", more="i1")


def test_a_class_needs_no_configure_and_has_the_state_of_its_module_and_names_of_its_cells():
    game, unneeded = Declared(), cast(Any, None)
    assert (game.State, game.Options, dict(game.options)) == (State, record(), {})
    assert (Derived.State, Derived.Options) == (record(to_move="i1", more="i1"), record())
    assert [game.action_name(unneeded, action) for action in (1, 8, 9)] == ["b1", "c3", "9"]


def test_the_name_of_an_action_stays_a_sentence_that_pages_translate():
    position = meeple.make("catan").start()
    name = position.action_name(int(position.legal_actions()[0]))
    assert isinstance(name, Sentence)
    assert name.code == "catan.settlement"
