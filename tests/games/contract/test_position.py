"""Copies and undo restore every byte, because searches compare states by their bytes."""

import copy
from typing import Any

import numpy as np
import pytest

from meeple.errors import IllegalAction, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make
from meeple.kernels import CHANCE
from tests.games.moves import after
from tests.search.toys import A, Paper

PADDING = 1  # the byte between the fields `to_move` and `node`


@pytest.fixture
def position():
    """Return a position with nonzero padding bytes between the fields of its state."""
    game: Game = Paper()
    assert game.State.fields is not None
    assert game.State.fields["node"][1] == PADDING + 1
    position = game.start()
    position.row[PADDING] = 77
    return position


def test_copy_includes_padding_bytes(position):
    for _ in range(20):
        np.full(position.row.shape, 99, np.uint8)  # its freed memory is reused by the next array
        assert position.copy().row.tobytes() == position.row.tobytes()


def test_undo_restores_padding_bytes(position):
    before = position.row.tobytes()
    position.play(A)
    position.row[PADDING] = 5
    position.undo()
    assert position.row.tobytes() == before


# ---------------------------------------------------------------- invalid arguments


ACTIONS: list[Any] = [[0], None, "3", 1.0, {}, np.array([1, 2])]


@pytest.mark.parametrize("action", [*ACTIONS, -1, 10**30, 1 << 31], ids=repr)
def test_invalid_action_is_refused_without_effect(action):
    position = make("hex", size=3).start()
    position.play(4)
    twin = position.copy()
    with pytest.raises(IllegalAction):
        position.play(action)
    assert (position, position.actions) == (twin, (4,))
    position.undo()
    assert (position, position.actions) == (position.game.start(), ())


def test_actions_may_be_of_any_integer_type():
    position = make("hex", size=3).start()
    kinds: list[Any] = [np.int32(4), np.uint8(1), np.array(2)]
    for action in kinds:
        position.play(action)
    assert position.actions == (4, 1, 2)
    assert {type(action) for action in position.actions} == {int}


@pytest.mark.parametrize("seat", [-1, 2, 10**4, 10**30, "0", None, 0.0, [0]], ids=repr)
@pytest.mark.parametrize("game", ["hex", "catan"])
def test_observation_and_belief_refuse_missing_seats(game, seat):
    options = {"players": 2} if game == "catan" else {}
    position = make(game, **options).start()
    with pytest.raises(UsageError, match="seat"):
        position.observation(seat)
    if position.game.hides:
        with pytest.raises(UsageError, match="seat"):
            position.game.belief(seat)


def test_names_and_seeds_are_checked():
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
    """Return a position of Catan before a roll of the dice."""
    position = make("catan", players=2).start(seed=3)
    while position.to_move != CHANCE:
        position.play(position.legal_actions()[0])
    return position


def test_draw_after_undo_has_the_same_outcome(at_chance):
    drawn = set()
    for _ in range(20):
        drawn.add(at_chance.play_chance())
        at_chance.undo()
    assert len(drawn) == 1


def test_chosen_outcomes_advance_the_generator_like_draws(at_chance):
    """A game loaded from its moves continues with the same dice as the original."""
    twin = at_chance.copy()
    twin.play(at_chance.play_chance())
    other = at_chance.copy()
    other.undo()
    outcomes = other.chance_outcomes()[0]
    other.play(next(outcome for outcome in outcomes if outcome != at_chance.actions[-1]))
    assert generator(twin) == generator(at_chance) == generator(other)


def generator(position):
    return int(position._rng["state"][0])


def test_positions_are_equal_if_game_and_state_are():
    one, other = (after("hex", moves, size=4) for moves in ("a1 b2 c3", "c3 b2 a1"))
    assert one != other  # the last stone differs
    other.undo()
    assert one != other
    twin = one.copy()
    assert (one, hash(one)) == (twin, hash(twin))
    twin.play("d4")
    twin.undo()
    assert {one: "known"}[twin] == "known"
    assert make("hex", size=4).start() != make("hex", size=4, swap=True).start()
    assert one != "a position"


def test_a_name_is_played_or_refused_with_the_legal_ones():
    position = make("nim", stones=2).start()
    with pytest.raises(IllegalAction, match="'take 3' is not legal here"):
        position.play("take 3")
    position.play("take 2")
    assert position.is_over


def test_a_position_restored_from_its_attributes_reads_its_own_arrays():
    position = make("hex", size=3).start()
    twin = type(position).__new__(type(position))
    arrays = {name: copy.copy(value) for name, value in vars(position).items() if name != "game"}
    twin.__setstate__({**arrays, "game": position.game})
    position.play(4)
    assert 4 in twin.legal_actions()
    twin.play(4)
    assert twin == position
