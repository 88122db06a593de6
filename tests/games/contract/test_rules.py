"""Rules objects: a game can be pickled, and played without names of actions."""

import pickle
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import meeple
from meeple.errors import IllegalAction
from meeple.games.boards.shape import grid, hexhex
from meeple.games.contract import points
from meeple.games.contract.game import Game
from meeple.games.contract.position import BarePosition
from meeple.kernels import CHANCE, record
from meeple.options import Choice, Integer
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


class Bare(Game):
    """A game that leaves out all that has a default."""

    name, num_actions, max_plies, observation_shape, max_moves = "bare", 9, 7, (1,), 9
    declared = {"size": Integer(2, 1, 3, "size"), "form": Choice("a", ("a", "b"), "form")}
    State = record(to_move="i1", points=("i2", 2), board=("i1", 9))
    action_names, outcome_names = [*"abcdefgh", "pass"], ["heads", "tails"]
    shape, points = grid(2, 2), (0, 9)


def test_what_a_game_leaves_out_has_a_default():
    game = Bare(size=3)
    assert game.Options.names == ("size",)
    payoffs = game.kernel_named("payoffs")
    assert payoffs is points.payoffs
    state, out = np.zeros(1, game.State).view(np.recarray)[0], np.zeros(2)
    state.points[:] = 3, 7
    payoffs(state, out)
    assert out.tolist() == [3, 7]
    position: Any = SimpleNamespace(
        state=SimpleNamespace(board=np.array([-1, 0, 1, -1, 9])), to_move=0, actions=(8,),
        legal_actions=lambda: [0, 3, 8],
    )  # fmt: skip
    assert [game.action_name(position, action) for action in (0, 8, 9)] == ["a", "pass", "9"]
    scene = game.scene(position)
    assert scene.facts["pieces"] == ["", "p0", "p1", ""]
    assert list(scene.clicks) == [0, 3]
    assert "X" in game.draw(position)
    position.to_move = CHANCE
    assert game.action_name(position, 1) == "tails"


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
