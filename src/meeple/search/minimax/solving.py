"""A move's search by the game's own exact solver."""

import time
from collections.abc import Callable

import numpy as np

from meeple.games.contract.capabilities import PositionSolver
from meeple.games.contract.game import Position
from meeple.search.budget import slice_seconds
from meeple.search.minimax.deepening import Lookahead

FIRST_SLICE = 1_000  # nodes before the first check of the clock
MAX_SLICE = 50_000  # nodes between two checks of the clock


def solve_position(
    solver: PositionSolver,
    position: Position,
    seconds: float,
    stop: Callable[[], bool] | None = None,
) -> Lookahead | None:
    """Solve a position if a fast processor usually solves it in its share of the time.

    Args:
        solver: the game's solver.
        position: the position; a player must be to move.
        seconds: wall-clock time of the whole move.
        stop: called between slices; True stops the solver.

    Returns:
        The exact result; None if the solver did not decide the position.
    """
    began = time.perf_counter()
    seconds *= solver.share
    nodes = solver.nodes(position)
    if nodes is None or nodes > seconds * solver.nodes_per_second:
        return None
    solver.open(position)
    spent, slice_ = 0, FIRST_SLICE
    while not solver.advance(slice_):
        spent += slice_
        elapsed = time.perf_counter() - began
        if elapsed > seconds or (stop is not None and stop()):
            return None
        wanted = slice_seconds(seconds - elapsed) * spent / max(elapsed, 1e-9)
        slice_ = int(min(max(wanted, FIRST_SLICE), 2 * slice_, MAX_SLICE))
    payoffs = solver.payoffs
    if payoffs is None:
        return None
    line = solver.line
    actions = np.sort(position.legal_actions())
    is_best = actions == line[0]
    values = np.full((len(actions), 2), np.nan)
    values[is_best] = payoffs
    return Lookahead(
        actions=actions,
        visits=np.where(is_best, spent + 1, 0),
        values=values,
        value=payoffs,
        best=line[0],
        proven=True,
        principal_variation=line,
        depth=max(solver.plies, len(line)),
        nodes=spent + 1,
        seconds=time.perf_counter() - began,
    )
