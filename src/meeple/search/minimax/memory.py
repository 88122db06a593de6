"""The memory of alpha-beta, and the scale of its scores.

A score is a share for the player to move as a whole number, so that windows are exact:
2 * share - 1 times SHARE, moved towards 0 by the plies from the root to where it was found, so that
sooner wins and later losses score higher.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import inlined, record
from meeple.search.machine.stack import Stack, new_stack
from meeple.search.minimax.deepening import MAX_DEPTH
from meeple.search.patterns.evaluation import MEASURED_PLIES
from meeple.search.selective import MAX_EXTENSION

PLIES = 1 << 16  # more plies than any game has
SHARE = (1 << 24) * PLIES  # a whole share; a share of a half is 0
WIN = SHARE - PLIES  # every score above it is a proven win: heuristics stay below
INFINITE = 2 * SHARE

Frame = record(
    remaining=np.int64,  # plies left
    bottom=np.int64,  # the initial lower bound
    alpha=np.int64,  # the current window
    beta=np.int64,
    best=np.int64,  # the best score
    best_action=np.int64,
    next=np.int64,  # the next child
    count=np.int64,  # children
    width=np.int64,  # children to search
    reduced=np.int64,  # plies by which the next child is searched less deep
    probe=np.int64,  # the state of the node's probe
    key=np.int64,
    killers=(np.int32, 2),
    narrow=np.bool_,  # whether the next child is searched with a null window
    again=np.bool_,  # whether it is searched again
    complete=np.bool_,  # whether all relevant lines reached the end of the game
    limited=np.bool_,  # whether actions that may not lose were left out
)
"""A node on the path to the current one."""

Settings = record(
    age=np.int64,  # the number of the search
    salt=np.int64,  # the game's part of keys
    hint=np.int64,  # the root's first action
    margin=np.int64,  # of `_bonus`
    draw=np.int64,  # the random word of `_bonus`
    deepest=np.int64,  # the deepest ply, of lines that are extended
    reducing=np.bool_,  # whether late actions are searched less deep
)
"""What holds for all nodes of a search."""

Ints = npt.NDArray[np.int64]


class Search(NamedTuple):
    """One search's memory; W is the most actions."""

    rules: Ints  # of `rules_for`
    stack: Stack  # of Frame; one spare row to try an action on
    ranks: Ints  # [d, W] the highest is searched first
    history: Ints  # [2, actions]
    noise: Ints  # [actions] added to unproven scores of the root's children, at most 0
    scores: Ints  # [W] of the root's children, in the order searched
    exact: npt.NDArray[np.bool_]  # [W] whether the score is exact, not just a bound
    identity: npt.NDArray[np.uint64]  # [2]
    flag: npt.NDArray[np.int8]  # [1]
    distance: npt.NDArray[np.int32]  # [1]
    settings: npt.NDArray[np.void]  # [1] Settings
    margins: Ints  # [ply, MEASURED_PLIES left] of scores, beyond which a probe decides; 0: no probe
    table: Ints  # [slots, 3], slots a power of two


def new_search(game: Game, rules: Ints, plies: int, slots: int) -> Search:
    """Allocate memory for a search of at most `plies` plies; unwritten pages cost none."""
    width = game.max_moves
    return Search(
        rules=rules,
        stack=new_stack(game, plies + 2, Frame),
        ranks=np.zeros((plies + 2, width), np.int64),
        history=np.zeros((2, game.num_actions), np.int64),
        noise=np.zeros(game.num_actions, np.int64),
        scores=np.zeros(width, np.int64),
        exact=np.zeros(width, np.bool_),
        identity=np.zeros(2, np.uint64),
        flag=np.zeros(1, np.int8),
        distance=np.zeros(1, np.int32),
        settings=np.zeros(1, Settings),
        margins=np.zeros((MAX_DEPTH + MAX_EXTENSION + 1, MEASURED_PLIES), np.int64),
        table=np.zeros((slots, 3), np.int64),
    )


@inlined
def score_of(share: float, ply: int, most: int) -> Any:
    """The score of a share found `ply` plies below the root, limited to +-`most`."""
    units: Any = np.int64(np.floor((2.0 * share - 1.0) * (SHARE // PLIES) + 0.5))
    return at_ply(min(max(units * PLIES, -most), most), ply)


@inlined
def at_ply(score: Any, ply: int) -> Any:
    """Convert a score relative to a node `ply` plies below the root to one relative to the root."""
    return score - ply if score > 0 else score + ply if score < 0 else score
