"""A move's search by the game's own exact solver."""

from collections.abc import Callable

import numpy as np

from meeple.games.contract.capabilities import PositionSolver
from meeple.games.contract.game import Position
from meeple.search.machine.slices import Clock
from meeple.search.minimax.deepening import Lookahead


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
    seconds *= solver.share
    clock, nodes, spent = Clock(seconds=seconds, stop=stop), solver.nodes(position), 0
    if nodes is None or nodes > seconds * solver.nodes_per_second:
        return None
    solver.open(position)
    for steps in clock.slices():
        if solver.advance(steps):
            break
        spent += steps
    else:
        return None
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
        seconds=clock.elapsed,
    )
