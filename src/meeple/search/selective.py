"""Selective search: candidates, forced wins at leaves, positions too restless to evaluate.

Each calls an optional kernel of the game by its address, which is 0 if the game lacks it or the
search is not selective. Late-move reductions serve every game.
"""

from typing import Any

import numpy as np

from meeple.kernels import (
    CANDIDATES,
    FORCED_WIN,
    LEGAL,
    OVER,
    QUIET,
    inlined,
    invoke2,
    invoke3,
    kernel,
)
from meeple.search.moves import COUNT, checked_count, list_moves

WINNING_NODES = 25  # of a search for a forced win at a node of alpha-beta
MAX_EXTENSION = 8  # plies that lines of restless positions may exceed the depth by

REDUCED_FROM = 3  # remaining plies from which late children are searched less deep
ALL = 1 << 10  # more than any list of candidates
MARGINS = (0.17, 0.28)  # shares, one and two plies before the leaves, of an even bound
SLOPE = 0.7  # part of a margin that a decided bound takes away


@inlined
def list_candidates(rules: Any, state: Any, moves: Any, complete: Any) -> int:
    """List a state's candidates, and whether they are complete; return their number."""
    moves.memory[COUNT] = 0
    invoke3(rules[CANDIDATES], state.ctypes.data, moves.memory.ctypes.data, complete.ctypes.data)
    return (
        0
        if moves.memory[COUNT] == 0
        else int(checked_count(moves.memory, moves.actions.shape[0], state))
    )


@kernel
def list_searched(rules: Any, state: Any, moves: Any, complete: Any) -> int:
    """List a state's candidates, or its legal actions if the game names none."""
    count = 0
    if rules[CANDIDATES] != 0:
        count = list_candidates(rules, state, moves, complete)
    return count if count > 0 else list_moves(rules, LEGAL, state, moves)


@inlined
def forced_win(rules: Any, state: Any, nodes: int, distance: Any) -> int:
    """Return the plies of a win that the mover forces by threats, 0 if none was found."""
    invoke3(rules[FORCED_WIN], state.ctypes.data, np.int64(nodes), distance.ctypes.data)
    return int(distance[0])


@inlined
def wins_by_force(rules: Any, state: Any, distance: Any, shares: Any) -> Any:
    """Whether the mover of an unfinished state forces a win by threats; fills in its shares."""
    mover = np.int64(np.int8(state[0]))
    if rules[FORCED_WIN] == 0 or mover == OVER:
        return False
    if forced_win(rules, state, WINNING_NODES, distance) == 0:
        return False
    shares[mover], shares[1 - mover] = 1.0, 0.0
    return True


@inlined
def is_quiet(rules: Any, state: Any, flag: Any) -> Any:
    """Whether a state can be evaluated as it stands."""
    if rules[QUIET] == 0:
        return True
    invoke2(rules[QUIET], state.ctypes.data, flag.ctypes.data)
    return flag[0] != 0


@inlined
def reduction_of(remaining: int, child: int) -> int:
    """The plies by which the child of this number is searched less deep at first.

    At least one ply is left to search below the child.
    """
    if remaining < REDUCED_FROM or child < 1:
        return 0
    reduction = 1 if child < 2 else 2 if child < 4 else 3 if child < 8 else 4
    return min(reduction, remaining - 2)


@inlined
def width_of(remaining: int) -> int:
    """The number of candidates that are searched, by the plies left to the leaves."""
    return 8 if remaining <= 1 else 10 if remaining == 2 else 14 if remaining == 3 else ALL


@inlined
def margin_of(remaining: int, bound: float) -> float:
    """The share by which an estimate must miss a null window, by the plies left to the leaves.

    0: it never decides. It is smaller near the ends of the scale from -1 to 1 of the bound.
    """
    if 0 < remaining <= len(MARGINS):
        return MARGINS[remaining - 1] * (1.0 - SLOPE * bound * bound)
    return 0.0
