"""Solves whole games with chance or hidden information.

`solver.solve` solves single positions of games without either. `meeple solve` and the agent
`perfect` use both, with the same limits.
"""

import time
from collections.abc import Callable

import numpy as np

from meeple.errors import TooLarge
from meeple.games.contract.game import Game
from meeple.kernels import CHANCE
from meeple.search.exact.cfr import Equilibrium, expected_payoffs, exploitability, solve_by_cfr
from meeple.search.exact.information_tree import (
    MAX_NODES,
    Floats,
    InformationTree,
    information_tree,
)

SHARE_TOLERANCE = 1e-12  # shares closer than this are equal

Report = Callable[[str], None]  # called with the progress as text, a few times a second


def solve_whole(game: Game, limit: int | None = None, report: Report | None = None) -> Equilibrium:
    """Solve a whole game of two players.

    Uses CFR+ if the game hides something, else exact backward induction.

    Args:
        game: the game to solve.
        limit: nodes that the game may have; None: `information_tree.MAX_NODES`.
        report: called with the progress as text.

    Raises:
        TooLarge: the game does not have two players, or has more than `limit` nodes.
    """
    if game.players != 2:
        raise TooLarge(f"only games of 2 players can be solved, and {game.name} has {game.players}")

    def nodes(count: int) -> None:
        if report is not None:
            report(f"{count:,} nodes")

    def iterations(count: int, exploitable: float) -> None:
        if report is not None:
            report(f"{count:,} iterations, a best answer wins {100 * exploitable:.2f} % more")

    tree = information_tree(game, MAX_NODES if limit is None else limit, nodes)
    if game.hides or tree.sets.number < np.count_nonzero(tree.mover >= 0):
        return solve_by_cfr(tree, progress=iterations)
    return solve_by_backward_induction(tree)


def solve_by_backward_induction(tree: InformationTree) -> Equilibrium:
    """Solve a tree whose information sets are single nodes; ties get equal probabilities."""
    began = time.perf_counter()
    strategy: Floats = np.zeros(len(tree.sets.action))
    values = tree.payoffs.copy()
    for level in reversed(tree.levels[1:]):
        above = tree.parent[level]
        begins = np.flatnonzero(np.diff(above, prepend=-1))
        sizes = np.diff(begins, append=len(above))
        mover = tree.mover[above]
        decides = mover != CHANCE
        scores = values[level][np.arange(len(above)), np.where(decides, mover, 0)]
        best = np.repeat(np.maximum.reduceat(scores, begins), sizes)
        is_best = (scores >= best - SHARE_TOLERANCE).astype(np.float64)
        weights = is_best / np.repeat(np.add.reduceat(is_best, begins), sizes)
        strategy[tree.slot[level][decides]] = weights[decides]
        weights = np.where(decides, weights, tree.chance[level])
        values[above[begins]] = np.add.reduceat(weights[:, None] * values[level], begins, axis=0)
    return Equilibrium(
        tree,
        strategy,
        expected_payoffs(tree, strategy),
        exploitability(tree, strategy),
        1,
        time.perf_counter() - began,
    )
