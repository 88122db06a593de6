"""Copies and taking back are true to the byte, as searches tell states apart by their bytes."""

import numpy as np
import pytest

from meeple.games.contract.game import Game
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
