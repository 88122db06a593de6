"""A move's search near the end of a game, by the game's own exact solver."""

import time
from collections.abc import Callable

import numpy as np

from meeple.games.contract.capabilities import EndgameSolver
from meeple.games.contract.game import Position
from meeple.search.minimax.deepening import Lookahead

NODES_PER_SECOND = 5_000_000  # that a solver is expected to search at least
SLICE_NODES = 50_000  # between two checks of the clock, some milliseconds


def solve_endgame(
    solver: EndgameSolver,
    position: Position,
    seconds: float,
    stop: Callable[[], bool] | None = None,
) -> Lookahead | None:
    """Solve a position if it can be expected to be solved in time.

    Args:
        solver: the game's solver.
        position: the position; a player must be to move.
        seconds: wall-clock limit.
        stop: called between slices; True stops the solver.

    Returns:
        The exact result, whose depth is the longest game's; None without one.
    """
    began = time.perf_counter()
    nodes = solver.nodes(position)
    if nodes is None or nodes > seconds * NODES_PER_SECOND:
        return None
    solver.open(position)
    spent = 0
    while not solver.advance(SLICE_NODES):
        spent += SLICE_NODES
        if time.perf_counter() - began > seconds or (stop is not None and stop()):
            return None
    actions = np.sort(position.legal_actions())
    is_best = actions == solver.best
    values = np.full((len(actions), 2), np.nan)
    values[is_best] = solver.payoffs
    return Lookahead(
        actions=actions,
        visits=np.where(is_best, spent + 1, 0),
        values=values,
        value=solver.payoffs,
        best=solver.best,
        proven=True,
        principal_variation=[solver.best],
        depth=position.game.max_plies - len(position.actions),
        nodes=spent + 1,
        seconds=time.perf_counter() - began,
    )
