"""A simulation in named steps: descend, evaluate by rollout, backpropagate; and the loop of them.

Arrays are the caller's: `state` uint8 [state_bytes], `moves` int32 [1 + 2 * max_moves], `path`
int32 [longest game + 1], `scores` float32 [most legal actions], `shares` float64 [players].
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import (
    CHANCE,
    GUIDED_ROLLOUT,
    HEURISTIC,
    LEGAL,
    NARROW,
    OVER,
    PAYOFFS,
    PLAY,
    PRUNE,
    ROLLOUT,
    SETTLED,
    below,
    inlined,
    invoke2,
    invoke3,
    kernel,
    next_uint64,
    uniform,
)
from meeple.search.mcts.selection import UCT, select
from meeple.search.mcts.tree import (
    PROVEN,
    ROOT,
    UNVISITED,
    exact_value,
    expand,
    note_proven_child,
    prove_by_block,
    prove_upwards,
    set_proven,
    share_block,
    table_is_full,
    tree_at,
)

_HALF = np.uint64(32)

TO_THE_END = -1  # moves of a rollout
EXPANSIONS = 4  # that a tree which may grow has room for: a decision, chance nodes after it

WHOLE_PATH_NODES = 20_000
"""Below this many nodes a tree whose equal states are shared keeps every state of a descent: a game
that small is soon known whole. (Ledge, rows of 10: without it 500 simulations a move hold the won
side in 10 to 30 of 100 games, with it in 99.)"""


class Scratch(NamedTuple):
    """The working memory of one descending thread."""

    state: npt.NDArray[np.uint8]  # [state_bytes]
    twin: npt.NDArray[np.uint8]  # [state_bytes]
    moves: npt.NDArray[np.int32]  # [1 + 2 * max_moves]
    path: npt.NDArray[np.int32]  # [max_plies + 2]
    scores: npt.NDArray[np.float32]  # [most legal actions]
    shares: npt.NDArray[np.float64]  # [players]


def new_scratch(state_bytes: int, max_moves: int, max_plies: int, players: int) -> Scratch:
    """Working memory for games of these sizes."""
    return Scratch(
        state=np.zeros(state_bytes, dtype=np.uint8),
        twin=np.zeros(state_bytes, dtype=np.uint8),
        moves=np.zeros(1 + 2 * max_moves, dtype=np.int32),
        path=np.zeros(max_plies + 2, dtype=np.int32),
        scores=np.zeros(max_moves, dtype=np.float32),
        shares=np.zeros(players, dtype=np.float64),
    )


@inlined
def copy_state(source: Any, target: Any) -> None:
    """Copy a state's bytes."""
    for index in range(source.shape[0]):
        target[index] = source[index]


@kernel
def seat_to_move(state: Any) -> int:
    """`to_move`, the first field of every state."""
    return int(np.int64(np.int8(state[0])))


@inlined
def descend(
    tree: Any,
    rules: Any,
    rule: int,
    c: float,
    expand_after: int,
    solve: bool,
    state: Any,
    path: Any,
    scratch: Any,
    rng: Any,
    first_step: int,
) -> int:
    """Go from the root to a leaf, playing on `state`, and return the depth of the leaf.

    Counts a visit for every node of `path`. Expands a node met with at least `expand_after` visits
    before this one, a node whose state is known from another path, every chance node, and in a
    small tree that shares states every node; stops at an unexpanded, finished or proven node.
    From an expanded root it goes to the child `first_step`, or by the rule where that is -1.
    """
    node = ROOT
    depth = 0
    path[0] = ROOT
    sharing = solve and tree.table.shape[0] > 0
    while True:
        tree.visits[node] += 1
        if tree.proof[node] == PROVEN:
            _recount_proven(tree, node)
            return depth
        if tree.to_move[node] == OVER:
            return depth
        if tree.first_child[node] == 0 and not share_block(tree, node, state):
            small = sharing and tree.used[0] < WHOLE_PATH_NODES
            if tree.visits[node] <= expand_after and tree.to_move[node] != CHANCE and not small:
                return depth
            widest = scratch.scores.shape[0]
            if tree.to_move[node] == CHANCE:  # may have more outcomes than there are actions
                widest = (scratch.moves.shape[0] - 1) // 2
            if tree.used[0] + widest > tree.visits.shape[0]:
                return depth  # no room: the leaf is evaluated again
            expand(tree, node, rules, state, scratch.moves, rng)
            if sharing and tree.to_move[node] != CHANCE:
                look_ahead(tree, node, rules, state, scratch)
        if sharing and tree.to_move[node] != CHANCE:
            _collect_proofs(tree, tree.first_child[node], tree.to_move[node], scratch.shares)
            if tree.block_proof[tree.first_child[node]] == PROVEN:
                prove_by_block(tree, node, scratch.shares)
                return depth
        if depth == 0 and first_step >= 0:
            tree.block_visits[tree.first_child[ROOT]] += 1
            node = first_step
        else:
            node = select(tree, node, rule, c, scratch.scores, rng)
        invoke2(rules[PLAY], state.ctypes.data, np.int64(tree.action[node]))
        if tree.to_move[node] == UNVISITED:
            tree.to_move[node] = np.int8(state[0])
        depth += 1
        path[depth] = node


@kernel
def look_ahead(tree: Any, node: int, rules: Any, state: Any, scratch: Any) -> None:
    """Play each action of a new block once: prove children that are over or settled, and give
    those whose states are known their blocks.

    Only where equal states are shared: there a move costs little, and saves a simulation.
    """
    first = tree.first_child[node]
    twin = scratch.twin
    for child in range(first, first + tree.block_size[first]):
        copy_state(state, twin)
        invoke2(rules[PLAY], twin.ctypes.data, np.int64(tree.action[child]))
        tree.to_move[child] = np.int8(twin[0])
        if tree.to_move[child] == OVER:
            invoke2(rules[PAYOFFS], twin.ctypes.data, scratch.shares.ctypes.data)
        elif rules[SETTLED] == 0 or not _is_settled(rules, twin, scratch.shares):
            share_block(tree, child, twin)
            continue
        tree.visits[child] = 1
        set_proven(tree, child, scratch.shares)


@kernel
def _collect_proofs(tree: Any, first: int, mover: int, shares: Any) -> None:
    """Prove the children of a block whose states were proven on other paths, and the block."""
    for child in range(first, first + tree.block_size[first]):
        if tree.proof[child] != PROVEN:
            block = tree.first_child[child]
            if block == 0 or tree.block_proof[block] != PROVEN:
                continue
            tree.visits[child] = max(tree.visits[child], 1)
            prove_by_block(tree, child, shares)
        note_proven_child(tree, first, child, mover, shares)


@inlined
def evaluate_known(
    tree: Any, path: Any, depth: int, rules: Any, state: Any, solve: bool, shares: Any
) -> bool:
    """Read the value of a finished or proven leaf into `shares`; False for any other leaf.

    With `solve`, a finished leaf is proven, and its ancestors as far as that goes.
    """
    leaf = path[depth]
    if tree.proof[leaf] == PROVEN:
        prove_upwards(tree, path, depth, shares)
        exact_value(tree, leaf, shares)
        return True
    if tree.to_move[leaf] != OVER:
        return False
    invoke2(rules[PAYOFFS], state.ctypes.data, shares.ctypes.data)
    if solve:
        set_proven(tree, leaf, shares)
        prove_upwards(tree, path, depth, shares)
        exact_value(tree, leaf, shares)
    return True


@inlined
def _is_settled(rules: Any, state: Any, shares: Any) -> bool:
    """Whether the game's `settled` kernel knows how this ends; then `shares` holds it."""
    shares[:] = 0.0
    invoke2(rules[SETTLED], state.ctypes.data, shares.ctypes.data)
    return shares.sum() > 0.0


@kernel
def _recount_proven(tree: Any, leaf: int) -> None:
    """Keep a proven node's mean exact after one more visit."""
    visits = tree.visits[leaf]
    for player in range(tree.value_sum.shape[0]):
        mean = tree.value_sum[player, leaf] / (visits - 1)
        tree.value_sum[player, leaf] = mean * visits


@inlined
def backpropagate(tree: Any, path: Any, depth: int, shares: Any) -> None:
    """Add a result to every node of the path; proven nodes keep their exact value.

    A node on the path that was proven after the descent passed it has counted the visit already.
    """
    for index in range(depth + 1):
        node = path[index]
        if tree.proof[node] != PROVEN:
            for player in range(shares.shape[0]):
                tree.value_sum[player, node] += shares[player]


@kernel
def draw_outcome(rules: Any, state: Any, moves: Any, rng: Any) -> int:
    """An outcome of a chance node, drawn by its probabilities; consumes `rng`."""
    moves[0] = 0
    invoke2(rules[LEGAL], state.ctypes.data, moves.ctypes.data)
    return _listed_at(moves, uniform(rng))


@inlined
def _listed_at(moves: Any, mark: float) -> int:
    """The listed action or outcome at which the weights, summed up in turn, pass a mark."""
    weights = moves.view(np.float32)
    start = 1 + (moves.shape[0] - 1) // 2
    index = 0
    while index < moves[0] - 1:
        mark -= weights[start + index]
        if mark < 0.0:
            break
        index += 1
    return int(np.int64(moves[1 + index]))


@inlined
def draw_legal(rules: Any, state: Any, moves: Any, rng: Any) -> Any:
    """Any of the legal actions, each as likely as the others; consumes `rng`."""
    moves[0] = 0
    invoke2(rules[LEGAL], state.ctypes.data, moves.ctypes.data)
    return np.int64(moves[1 + below(rng, np.int64(moves[0]))])


@kernel
def uniform_rollout(rules: Any, state: Any, moves: Any, rng: Any) -> None:
    """Play uniformly random actions, and chance outcomes by their probabilities, to the end."""
    while True:
        mover = seat_to_move(state)
        if mover == OVER:
            return
        if mover == CHANCE:
            action = draw_outcome(rules, state, moves, rng)
        else:
            action = draw_legal(rules, state, moves, rng)
        invoke2(rules[PLAY], state.ctypes.data, action)


@kernel
def weighted_rollout(
    rules: Any, state: Any, moves: Any, rng: Any, guidance: int, plies: int
) -> None:
    """Play so many moves, or to the end: each with chance guidance / 2**32 by `prune`'s weights.

    It stops where a player is to move.
    """
    while True:
        mover = seat_to_move(state)
        if mover == OVER or (mover != CHANCE and plies == 0):
            return
        if mover == CHANCE:
            invoke2(rules[PLAY], state.ctypes.data, draw_outcome(rules, state, moves, rng))
            continue
        plies -= 1
        if np.int64(next_uint64(rng) >> _HALF) < guidance:
            action = draw_weighted(rules, state, moves, rng, True)
        else:
            action = draw_legal(rules, state, moves, rng)
        invoke2(rules[PLAY], state.ctypes.data, action)


@kernel
def draw_weighted(rules: Any, state: Any, moves: Any, rng: Any, few: bool) -> int:
    """One of the sensible actions, drawn by its weight; consumes `rng`.

    With `few`, one of those that a tree would try, where the game says which (`narrow`).
    """
    weights = moves.view(np.float32)
    start = 1 + (moves.shape[0] - 1) // 2
    moves[0] = 0
    invoke2(rules[PRUNE], state.ctypes.data, moves.ctypes.data)
    if few and rules[NARROW] != 0:
        invoke3(rules[NARROW], state.ctypes.data, moves.ctypes.data, np.int64(-1))
    total = 0.0
    for index in range(moves[0]):
        total += weights[start + index]
    return _listed_at(moves, uniform(rng) * total)


@inlined
def rollout(rules: Any, scratch: Any, rngs: Any, guidance: int, plies: int) -> None:
    """Play `scratch.state` to the end at random and read the payoffs into `scratch.shares`.

    With `guidance` > 0, moves follow the game's rule of thumb with chance guidance / 2**32. With
    `plies` > 0, the game's heuristic judges the position after so many moves.
    """
    if plies > 0:
        weighted_rollout(rules, scratch.state, scratch.moves, rngs[0], guidance, plies)
        if seat_to_move(scratch.state) != OVER:
            invoke2(rules[HEURISTIC], scratch.state.ctypes.data, scratch.shares.ctypes.data)
            return
    elif guidance > 0 and rules[GUIDED_ROLLOUT] != 0:
        invoke3(
            rules[GUIDED_ROLLOUT],
            scratch.state.ctypes.data,
            rngs.ctypes.data,
            np.int64(guidance),
        )
    elif guidance > 0:
        weighted_rollout(rules, scratch.state, scratch.moves, rngs[0], guidance, TO_THE_END)
    elif rules[ROLLOUT] != 0:
        invoke2(rules[ROLLOUT], scratch.state.ctypes.data, rngs.ctypes.data)
    else:
        uniform_rollout(rules, scratch.state, scratch.moves, rngs[0])
    invoke2(rules[PAYOFFS], scratch.state.ctypes.data, scratch.shares.ctypes.data)


@kernel
def run_rollouts(
    forest: Any,
    index: int,
    rules: Any,
    root: Any,
    scratch: Any,
    rngs: Any,
    simulations: int,
    c: float,
    solve: bool,
    may_grow: bool,
    guidance: int,
    plies: int,
) -> int:
    """Run simulations of UCT with random rollouts on one tree; return how many were run.

    Stops early when the root is proven, when the tree's table is full, and, with `may_grow`, when
    there may be no room for all that a descent expands; without it, a full tree goes on from the
    leaves it has. `root` is the state at the root; `rngs` holds the generator, and is consumed.
    `guidance` and `plies` are those of `rollout`.
    """
    tree = tree_at(forest, index)
    rng = rngs[0]
    room = EXPANSIONS * scratch.scores.shape[0]
    small = WHOLE_PATH_NODES if solve and tree.table.shape[0] > 0 else 0
    for done in range(simulations):
        if tree.proof[ROOT] == PROVEN or table_is_full(tree):
            return done
        if may_grow and max(tree.used[0], small) + room > tree.visits.shape[0]:
            return done
        copy_state(root, scratch.state)
        depth = descend(
            tree, rules, UCT, c, 1, solve, scratch.state, scratch.path, scratch, rng, -1
        )
        if not evaluate_known(
            tree, scratch.path, depth, rules, scratch.state, solve, scratch.shares
        ):
            rollout(rules, scratch, rngs, guidance, plies)
        backpropagate(tree, scratch.path, depth, scratch.shares)
    return simulations
