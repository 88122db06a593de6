"""Whole games of uniformly random moves through the rules alone: what a game's kernels can do."""

from typing import Any

import numpy as np

from meeple import kernels
from meeple.games.contract.game import Position
from meeple.kernels import CHANCE, OVER, kernel
from meeple.search.moves import (
    copy_state,
    draw_legal,
    draw_outcome,
    new_moves,
    one_less,
    play,
    plies_of,
    seat_to_move,
)


def play_random_games(position: Position, games: int, seed: int) -> int:
    """Play `games` games to the end from a position; return their plies, chance included.

    The position is not changed.
    """
    game = position.game
    state = np.zeros(game.state_bytes, dtype=np.uint8)
    moves = new_moves(game)
    return int(_play(game.addresses, position.row, state, moves, kernels.new_rng(seed), games))


@kernel
def _play(rules: Any, start: Any, state: Any, moves: Any, rngs: Any, games: int) -> int:
    plies = 0
    for _ in range(games):
        copy_state(start, state)
        left = plies_of(moves)
        while seat_to_move(state) != OVER:
            left = one_less(left)
            plies += 1
            if seat_to_move(state) == CHANCE:
                action = draw_outcome(rules, state, moves, rngs[0])
            else:
                action = draw_legal(rules, state, moves, rngs[0])
            play(rules, state, action)
    return plies
