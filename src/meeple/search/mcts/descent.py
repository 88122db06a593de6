"""One simulation in the textbook's steps: descend, evaluate, backpropagate.

Every search here is this descent; it differs in two functions that it supplies:

- `grow(search, node, mover, depth, scratch)` gives a node its children where it is time for that,
  and says whether it has any: without, the node is a leaf;
- `choose(search, node, mover, depth, scratch)` is the child to go on to.

`search` is a record of the search's own with at least `tree`, `rules`, `rng` and `settings`. These
functions are copied into the kernel that calls them, as they are named there: one descent, compiled
for each search.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import OVER, PAYOFFS, inlined, invoke2
from meeple.search.mcts.proofs import exact_value, prove_upwards, recount_proven, set_proven
from meeple.search.mcts.tree import PROVEN, ROOT
from meeple.search.moves import Moves, new_moves, play, seat_to_move
from meeple.search.room import PliesExceeded, fits

EXPANSIONS = 4  # that a tree which may grow has room for: a decision, chance nodes after it


class Scratch(NamedTuple):
    """The working memory of one descending thread."""

    state: npt.NDArray[np.uint8]  # [state_bytes]
    twin: npt.NDArray[np.uint8]  # [state_bytes]
    moves: Moves
    path: npt.NDArray[np.int32]  # [max_plies + 2]
    scores: npt.NDArray[np.float32]  # [most legal actions]
    shares: npt.NDArray[np.float64]  # [players]


def new_scratch(game: Game) -> Scratch:
    """Working memory for searches of a game."""
    return Scratch(
        state=np.zeros(game.state_bytes, dtype=np.uint8),
        twin=np.zeros(game.state_bytes, dtype=np.uint8),
        moves=new_moves(game),
        path=np.zeros(game.max_plies + 2, dtype=np.int32),
        scores=np.zeros(min(game.max_moves, game.num_actions + 1), dtype=np.float32),
        shares=np.zeros(game.players, dtype=np.float64),
    )


@inlined
def room_of_descent(scratch: Any) -> int:
    """Return the nodes with less room for which a tree is enlarged before the next simulation.

    A descent may need more: each expansion asks `has_room`.
    """
    return max(EXPANSIONS * scratch.scores.shape[0], scratch.moves.actions.shape[0])


@inlined
def simulate(
    search: Any, scratch: Any, grow: Any, choose: Any, is_known: Any, evaluate: Any, refresh: Any
) -> None:
    """One simulation from `scratch.state`, the root's.

    `is_known(search, scratch, depth)` reads what a leaf is worth for certain, `has_ended` or
    `is_proven`; `evaluate(search, scratch)` evaluates any other leaf, both into `scratch.shares`;
    `refresh` is that of the selection rule, see `backpropagate`.
    """
    depth = descend(search, scratch, grow, choose)
    if not is_known(search, scratch, depth):
        evaluate(search, scratch)
    backpropagate(search.tree, scratch, depth, refresh)


@inlined
def descend(search: Any, scratch: Any, grow: Any, choose: Any) -> int:
    """Go from the root to a leaf, playing on `scratch.state`; return the depth of the leaf.

    Counts a visit for every node of `scratch.path`. Stops at a node without children, a finished
    or a proven one. Raises PliesExceeded at a game longer than `max_plies`.
    """
    tree, state, path = search.tree, scratch.state, scratch.path
    node: Any = ROOT
    depth = 0
    path[0] = ROOT
    while True:
        here = tree.nodes[node]
        mover = seat_to_move(state)
        here.visits += 1
        here.to_move = mover
        if here.proof == PROVEN:
            recount_proven(tree, node)
            return depth
        if mover == OVER or not grow(search, node, mover, depth, scratch):
            return depth
        # Unsigned: the compiler sees that no index is from the end.
        node = np.int64(np.uint32(choose(search, node, mover, depth, scratch)))
        play(search.rules, state, tree.action[node])
        depth += 1
        if not fits(path, depth + 1):
            raise PliesExceeded
        path[depth] = node


@inlined
def has_ended(search: Any, scratch: Any, depth: int) -> bool:
    """Read the value of a finished leaf into `scratch.shares`; False for any other leaf."""
    if seat_to_move(scratch.state) != OVER:
        return False
    invoke2(search.rules[PAYOFFS], scratch.state.ctypes.data, scratch.shares.ctypes.data)
    return True


@inlined
def is_proven(search: Any, scratch: Any, depth: int) -> bool:
    """Read the value of a finished or proven leaf into `scratch.shares`; False for any other leaf.

    With `search.settings.solve`, a finished leaf is proven, and its ancestors as far as that goes.
    """
    tree, shares = search.tree, scratch.shares
    leaf = scratch.path[depth]
    if tree.nodes[leaf].proof != PROVEN:
        if seat_to_move(scratch.state) != OVER:
            return False
        invoke2(search.rules[PAYOFFS], scratch.state.ctypes.data, shares.ctypes.data)
        if not search.settings.solve:
            return True
        set_proven(tree, leaf, shares)
    prove_upwards(tree, scratch.path, depth, shares)
    exact_value(tree, leaf, shares)
    return True


@inlined
def backpropagate(tree: Any, scratch: Any, depth: int, refresh: Any) -> None:
    """Add `scratch.shares` to every node of the path; proven nodes keep their exact value.

    `refresh(tree, parent, child, mover, visits)` keeps what selection scans.
    A node on the path that was proven after the descent passed it has counted the visit already.
    """
    path, shares = scratch.path, scratch.shares
    mover = OVER
    parent: Any = ROOT
    for index in range(depth + 1):
        node = np.int64(np.uint32(path[index]))
        here = tree.nodes[node]
        if here.proof != PROVEN:
            _add_shares(tree, node, shares)
            if mover >= 0:
                refresh(tree, parent, node, mover, here.visits)
        mover = int(here.to_move)
        parent = node


@inlined
def _add_shares(tree: Any, node: int, shares: Any) -> None:
    if shares.shape[0] == 2:  # a loop costs more than its work
        tree.value_sum[node, 0] += shares[0]
        tree.value_sum[node, 1] += shares[1]
        return
    for player in range(shares.shape[0]):
        tree.value_sum[node, player] += shares[player]


@inlined
def no_refresh(tree: Any, parent: int, child: int, mover: int, visits: int) -> None:
    """For rules that keep nothing beside visits and sums."""
