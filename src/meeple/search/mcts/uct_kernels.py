"""Kernels of open UCT: expansion, selection, and the loop of simulations.

`grow` and `choose` are the textbook's; `grow_sharing` and `choose_sharing` are those of trees in
which equal states share statistics (`transpositions.py`).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from meeple.games.contract.game import Game
from meeple.kernels import CHANCE, ROLLOUT, inlined, kernel
from meeple.search.mcts.descent import is_proven, room_of_descent, simulate
from meeple.search.mcts.selection import (
    best_by_uct,
    open_at_random,
    open_in_order,
    refresh_opened_uct,
    refresh_uct,
    sample_outcome,
)
from meeple.search.mcts.transpositions import (
    WHOLE_PATH_NODES,
    expand_shared,
    is_proven_by_others,
    look_ahead,
    share_block,
    table_is_full,
)
from meeple.search.mcts.tree import (
    PROVEN,
    ROOT,
    block_of,
    expand,
    expand_listed,
    has_room,
    is_expanded,
    tree_at,
)
from meeple.search.moves import NO_ACTION, copy_state, list_tree_moves
from meeple.search.rollouts import any_rollout, own_rollout

EXPLORATION = 1.4  # about sqrt 2, the constant of UCB1 for results in [0, 1]


MAX_NODES = 20_000_000  # a tree; 44 bytes each with two players, and 32 for the children of each


class UctSettings(NamedTuple):
    """How trees are grown; a rule replaces what is None by what it chooses for its game."""

    c: float = EXPLORATION  # the constant of UCB1, for results in [0, 1]
    solve: bool = True  # back up proven results
    transpositions: bool | None = None  # equal states share statistics; None: if that pays
    guided: float = 0.0  # chance that a rollout's move follows the game's rule of thumb
    plies: int = 0  # moves of a rollout before the heuristic evaluates it; 0: to the end
    discount: float = 1.0  # moves a rollout's result towards equal shares, once for each move
    prune: bool = False  # leave out of the tree actions that are not sensible; proves nothing
    max_nodes: int = MAX_NODES  # of each tree; the leaves of a full one are evaluated again


PLAIN = UctSettings()


class Uct(NamedTuple):
    """One search of one tree, as the kernels' argument."""

    tree: Any
    rules: Any
    rng: Any  # [1] the generator
    settings: UctSettings


@inlined
def room_for(mover: int, scratch: Any) -> int:
    """The most children that a node may get; a chance node's may be more than all actions."""
    return scratch.moves.actions.shape[0] if mover == CHANCE else scratch.scores.shape[0]


@inlined
def grow(search: Any, node: int, mover: int, depth: int, scratch: Any) -> bool:
    """Expand the root and chance nodes at their first visit, all others at their second."""
    tree = search.tree
    if is_expanded(tree, node):
        return True
    if tree.nodes[node].visits == 1 and mover != CHANCE and depth > 0:
        return False
    if not has_room(tree, room_for(mover, scratch)):
        return False  # the leaf is evaluated again
    expand(tree, node, mover, search.rules, scratch.state, scratch.moves)
    return True


@inlined
def grow_pruning(search: Any, node: int, mover: int, depth: int, scratch: Any) -> bool:
    """As `grow`, with children for sensible actions alone."""
    tree = search.tree
    if mover == CHANCE or is_expanded(tree, node):
        return bool(grow(search, node, mover, depth, scratch))
    if (tree.nodes[node].visits == 1 and depth > 0) or not has_room(tree, room_for(mover, scratch)):
        return False
    count = list_tree_moves(search.rules, scratch.state, scratch.moves, NO_ACTION)
    expand_listed(tree, node, mover, scratch.moves, count)
    return True


@inlined
def choose(search: Any, node: int, mover: int, depth: int, scratch: Any) -> int:
    """An unvisited child at random while there is one, then the best by UCB1."""
    tree = search.tree
    block = block_of(tree, node)
    block.visits += 1
    if mover == CHANCE:
        return sample_outcome(tree, block, search.rng[0])
    if block.opened < block.size:
        return open_at_random(tree, block, mover, search.rng[0])
    return best_by_uct(tree, block, search.settings.c)


@inlined
def grow_sharing(search: Any, node: int, mover: int, depth: int, scratch: Any) -> bool:
    """As `grow`, and look whether the state is known from another path, or proven there."""
    tree, rules = search.tree, search.rules
    if not is_expanded(tree, node) and not share_block(tree, node, scratch.state):
        small = search.settings.solve and tree.used[0] < WHOLE_PATH_NODES
        if tree.nodes[node].visits == 1 and mover != CHANCE and depth > 0 and not small:
            return False
        if not has_room(tree, room_for(mover, scratch)):
            return False
        expand_shared(tree, node, mover, rules, scratch, search.rng[0])
        if search.settings.solve and mover != CHANCE:
            look_ahead(tree, node, rules, scratch)
    proofs = search.settings.solve and mover != CHANCE
    return not (proofs and is_proven_by_others(tree, node, scratch.shares))


@inlined
def choose_sharing(search: Any, node: int, mover: int, depth: int, scratch: Any) -> int:
    """As `choose`; children lie in random order, and some are proven before they are visited."""
    tree = search.tree
    block = block_of(tree, node)
    block.visits += 1
    if mover == CHANCE:
        return sample_outcome(tree, block, search.rng[0])
    child = open_in_order(tree, block)
    return child if child >= 0 else best_by_uct(tree, block, search.settings.c)


class Job(NamedTuple):
    """The arguments of a run of simulations."""

    forest: Any  # of one tree
    rules: Any
    root: Any  # [state_bytes] the state at the root
    rng: Any  # [1] the generator, which is consumed
    settings: UctSettings
    scratch: Any


@kernel
def run_uct(job: Any, simulations: int) -> int:
    """Run simulations by the game's own rollouts; return how many were run.

    Stops early when the root is proven, and when a tree below its limit may have no room for all
    that a descent expands.
    """
    return _run(job, simulations, _is_full, grow, choose, own_rollout, refresh_opened_uct)


@kernel
def run_uct_general(job: Any, simulations: int) -> int:
    """As the kernel above, by any rollouts."""
    return _run(job, simulations, _is_full, grow, choose, any_rollout, refresh_opened_uct)


@kernel
def run_uct_pruning(job: Any, simulations: int) -> int:
    """As `run_uct_general`, in a tree of sensible actions."""
    return _run(job, simulations, _is_full, grow_pruning, choose, any_rollout, refresh_opened_uct)


@kernel
def run_uct_sharing(job: Any, simulations: int) -> int:
    """As `run_uct` where equal states share what is learned; stops also when the table is full."""
    return _run(
        job, simulations, _is_full_sharing, grow_sharing, choose_sharing, own_rollout, refresh_uct
    )


@kernel
def run_uct_sharing_general(job: Any, simulations: int) -> int:
    """As the kernel above, by any rollouts."""
    return _run(
        job, simulations, _is_full_sharing, grow_sharing, choose_sharing, any_rollout, refresh_uct
    )


def uct_kernel(game: Game, settings: UctSettings, evaluated: bool) -> Callable[..., int]:
    """The kernel that runs such a search: each is compiled only where it is used.

    Args:
        game: the game.
        settings: of the search.
        evaluated: whether patterns evaluate leaves.
    """
    if settings.prune:
        return run_uct_pruning
    plain = settings.guided == 0 and settings.plies == 0 and settings.discount == 1.0
    if game.has(ROLLOUT) and plain and not evaluated:
        return run_uct_sharing if settings.transpositions else run_uct
    return run_uct_sharing_general if settings.transpositions else run_uct_general


@inlined
def _run(
    job: Any, simulations: int, is_full: Any, grow: Any, choose: Any, evaluate: Any, refresh: Any
) -> int:
    tree, settings = tree_at(job.forest, 0), job.settings
    search = Uct(tree, job.rules, job.rng, settings)
    for done in range(simulations):
        if tree.nodes[ROOT].proof == PROVEN or is_full(tree, settings, job.scratch):
            return done
        copy_state(job.root, job.scratch.state)
        simulate(search, job.scratch, grow, choose, is_proven, evaluate, refresh)
    return simulations


@inlined
def _is_full(tree: Any, settings: Any, scratch: Any) -> bool:
    return _may_grow(tree, settings) and not has_room(tree, room_of_descent(scratch))


@inlined
def _is_full_sharing(tree: Any, settings: Any, scratch: Any) -> bool:
    if table_is_full(tree):
        return True
    # A small tree keeps every state of a descent: the room of one that is no longer small.
    spare = max(WHOLE_PATH_NODES - tree.used[0], 0) if settings.solve else 0
    return _may_grow(tree, settings) and not has_room(tree, spare + room_of_descent(scratch))


@inlined
def _may_grow(tree: Any, settings: Any) -> bool:
    return tree.nodes.shape[0] < settings.max_nodes
