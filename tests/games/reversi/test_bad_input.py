"""Agents with patterns in a millisecond a move, and in positions that no game reaches."""

import numpy as np
import pytest

import meeple
from tests.conformance import step
from tests.games.reversi.boards import board

FULL, ROW = 2**64 - 1, 0xFF


@pytest.mark.slow
def test_a_millisecond_suffices_for_a_legal_move() -> None:
    game = meeple.make("reversi")
    agent = meeple.agent("minimax:eval=reversi8-patterns,seconds=0.001", game, seed=1)
    rng, position = np.random.default_rng(1), game.start()
    while not position.is_over:
        assert agent.choose(position) in position.legal_actions()
        step(position, rng)


@pytest.mark.parametrize(
    ("black", "white"),
    [
        (ROW, ROW << 8),  # two full rows, and an empty centre
        (1, FULL ^ 1 ^ (1 << 63)),  # a single black disc, a single empty cell
        (1 << 27, 1 << 28),  # two discs
        (0x5555555555555555 & FULL >> 8, 0xAAAAAAAAAAAAAAAA & FULL >> 8),
    ],
)
@pytest.mark.parametrize("limit", ["depth=3", "seconds=0.05"])
def test_a_position_that_cannot_arise_has_a_move(black: int, white: int, limit: str) -> None:
    position = board("".join(".XO"[(black >> n & 1) + 2 * (white >> n & 1)] for n in range(64)))
    agent = meeple.agent(f"minimax:eval=reversi8-patterns,{limit}", position.game, seed=1)
    assert agent.choose(position) in position.legal_actions()
