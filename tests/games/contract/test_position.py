"""Copies and taking back are true to the byte, as searches tell states apart by their bytes."""

from typing import Any

import numpy as np
import pytest

from meeple.errors import IllegalAction, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make
from meeple.kernels import CHANCE
from tests.search.toys import A, Paper

PADDING = 1  # the byte between the fields `to_move` and `node`


@pytest.fixture
def position():
    """A position whose state has something in the bytes between its fields."""
    game: Game = Paper()
    assert game.State.fields is not None
    assert game.State.fields["node"][1] == PADDING + 1
    position = game.start()
    position.row[PADDING] = 77
    return position


def test_a_copy_has_the_bytes_between_fields_too(position):
    for _ in range(20):
        np.full(position.row.shape, 99, dtype=np.uint8)  # leaves its memory to the next array
        assert position.copy().row.tobytes() == position.row.tobytes()


def test_a_copy_is_a_position_of_its_own(position):
    twin = position.copy()
    twin.play(A)
    assert (position.state.node, position.actions) == (0, ())
    assert (twin.state.node, twin.actions) == (1, (A,))


def test_taking_back_restores_the_bytes_between_fields(position):
    before = position.row.tobytes()
    position.play(A)
    position.row[PADDING] = 5
    position.undo()
    assert position.row.tobytes() == before


# ---------------------------------------------------------------- what is no argument


ACTIONS: list[Any] = [[0], None, "3", 1.0, {}, np.array([1, 2])]


@pytest.mark.parametrize("action", [*ACTIONS, -1, 10**30, 1 << 31], ids=repr)
def test_what_is_no_action_is_refused_and_changes_nothing(action):
    position = make("hex", size=3).start()
    position.play(4)
    before = position.row.tobytes(), position.actions, position.copy()
    with pytest.raises(IllegalAction):
        position.play(action)
    assert (position.row.tobytes(), position.actions) == before[:2]
    position.undo()
    assert (position.row.tobytes(), position.actions) == (position.game.start().row.tobytes(), ())


def test_an_action_may_be_any_kind_of_whole_number():
    position = make("hex", size=3).start()
    kinds: list[Any] = [np.int32(4), np.uint8(1), np.array(2)]
    for action in kinds:
        position.play(action)
    assert position.actions == (4, 1, 2)
    assert {type(action) for action in position.actions} == {int}


@pytest.mark.parametrize("seat", [-1, 2, 10**4, 10**30, "0", None, 0.0, [0]], ids=repr)
@pytest.mark.parametrize("game", ["hex", "catan"])
def test_no_observation_or_belief_is_had_of_a_seat_that_is_not_there(game, seat):
    options = {"players": 2} if game == "catan" else {}
    position = make(game, **options).start()
    with pytest.raises(UsageError, match="seat"):
        position.observation(seat)
    if position.game.hides:
        with pytest.raises(UsageError, match="seat"):
            position.game.belief(seat)


def test_names_and_seeds_are_checked_too():
    position = make("hex", size=3).start()
    for action in (-1, 9, 10**30):
        with pytest.raises(UsageError, match="there is no action"):
            position.action_name(action)
    wrong: Any
    for wrong in (None, 3, ["a1"]):
        with pytest.raises(IllegalAction, match="is a text"):
            position.parse_action(wrong)
    for wrong in (None, "1", 0.5):
        with pytest.raises(UsageError, match="a seed is a whole number"):
            position.game.start(wrong)
    with pytest.raises(UsageError, match="numbered from 0"):
        list(position.steps(-1))


# ---------------------------------------------------------------- chance


@pytest.fixture
def at_chance():
    """A position of Catan where the dice are about to be thrown."""
    position = make("catan", players=2).start(seed=3)
    while position.to_move != CHANCE:
        position.play(position.legal_actions()[0])
    return position


def test_a_draw_that_was_taken_back_falls_alike(at_chance):
    drawn = set()
    for _ in range(20):
        drawn.add(at_chance.play_chance())
        at_chance.undo()
    assert len(drawn) == 1


def test_outcomes_that_somebody_chose_use_up_as_many_draws(at_chance):
    """So that a game that is loaded from its moves goes on with the dice it would have had."""
    twin = at_chance.copy()
    twin.play(at_chance.play_chance())
    other = at_chance.copy()
    other.undo()
    outcomes = other.chance_outcomes()[0]
    other.play(next(outcome for outcome in outcomes if outcome != at_chance.actions[-1]))
    assert generator(twin) == generator(at_chance) == generator(other)


def generator(position):
    return int(position._rng["state"][0])
