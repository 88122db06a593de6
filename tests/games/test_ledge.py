"""Ledge agrees with brute force on strings for all short rows and in random play on long ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meeple.errors import OptionError
from meeple.games.contract.registry import make
from tests.games.moves import names_of
from tests.naive import ledge as naive


def as_row(position):
    state = position.state
    cells = ["1" if int(state.coins) >> cell & 1 else "0" for cell in range(int(state.length))]
    if not position.is_over:
        cells[state.gold] = "2"
    return "".join(cells)


@st.composite
def rows(draw):
    cells = draw(st.lists(st.sampled_from("001"), min_size=1, max_size=64))
    cells[draw(st.integers(0, len(cells) - 1))] = "2"
    return "".join(cells)


@given(rows(), st.integers(0, 2**32))
def test_random_games_agree_with_moves_on_strings(row, seed):
    position, choice = make("ledge", row=row).start(), np.random.default_rng(seed)
    while True:
        expected = naive.moves(row)
        assert set(names_of(position)) == set(expected)
        mover, name = position.to_move, choice.choice(sorted(expected))
        position.play(str(name))
        row = expected[name]
        if row is None:
            assert position.payoffs[mover] == 1
            return
        assert not position.is_over
        assert as_row(position) == row


def test_observation_shows_copper_gold_and_the_mover():
    position = make("ledge", row="0120").start()
    assert position.observation(0)[:, 0].tolist() == [[0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 1]]
    assert position.observation(1)[:, 0].tolist() == [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]


def test_row_is_drawn_from_the_ledge_on():
    board = "|  .  c  G  . |\n   0  1  2  3"
    assert str(make("ledge", row="0120").start()) == board


@pytest.mark.parametrize("row", ["", "0110", "0220", "0a2", "2" + "0" * 64])
def test_invalid_row_is_refused(row):
    with pytest.raises(OptionError, match="row must be a row like"):
        make("ledge", row=row)
