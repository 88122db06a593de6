"""Lockstep search's part of the descent, and what it does with its trees between two batches."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import CHANCE, OVER, PAYOFFS, inlined, invoke2, kernel, named_kernel
from meeple.search.mcts import uct_kernels
from meeple.search.mcts.descent import Scratch, backpropagate, descend, is_proven, no_refresh
from meeple.search.mcts.gumbel import GumbelRoot, gumbel_child
from meeple.search.mcts.reroot import reroot
from meeple.search.mcts.selection import (
    best_by_improved_policy,
    best_by_puct,
    best_child,
    count_in_flight,
    refresh_puct,
    refresh_uct,
    sample_outcome,
)
from meeple.search.mcts.tree import (
    PROVEN,
    ROOT,
    block_of,
    expand,
    expand_with_policy,
    has_room,
    is_expanded,
    tree_at,
)
from meeple.search.moves import copy_state, play_chance, seat_to_move

UCT, PUCT, IMPROVED = range(3)  # rules of selection
NO_CHILD = -1


class LockstepSettings(NamedTuple):
    """How games are searched in lockstep."""

    c: float = 0.5  # the constant of PUCT or UCT, for values in [0, 1]
    rule: int = PUCT  # PUCT or IMPROVED with the evaluator's policy as priors, or UCT without
    considered: int = 0  # actions that a Gumbel root considers; 0: no Gumbel roots
    value_scale: float = 1.0  # weight of values against priors, at a Gumbel root and for IMPROVED
    leaves: int = 1  # descents of a game before an evaluation; more: larger batches, less exact
    solve: bool = True  # back up proven results
    room: int = 800  # expansions that a tree has room for


class Roots(NamedTuple):
    """The roots of G searches."""

    states: npt.NDArray[np.uint8]  # [G, D, state_bytes] D determinizations, or 1 state itself
    left: npt.NDArray[np.int64]  # [G] simulations still to run
    gumbel: Any  # GumbelRoots


class Leaves(NamedTuple):
    """The at most L leaves of a round, which an evaluator evaluates."""

    states: npt.NDArray[np.uint8]  # [L, state_bytes]
    paths: npt.NDArray[np.int32]  # [L, max_plies + 2]
    depths: npt.NDArray[np.int32]  # [L]
    games: npt.NDArray[np.int32]  # [L] the game of each


class Round(NamedTuple):
    """The arguments of a round of descents."""

    forest: Any
    rules: Any
    rng: Any  # [1] the generator
    settings: LockstepSettings
    roots: Roots
    leaves: Leaves
    scratch: Scratch
    hidden: Any  # `multi_observer.DescentMemory` if the game hides something, else None


class LockstepSearch(NamedTuple):
    """One descent of one game, as the kernels' argument."""

    tree: Any
    rules: Any
    rng: Any  # [1] the generator
    settings: LockstepSettings
    first: int  # the root's child to begin with, or NO_CHILD


@inlined
def _grow_chance(search: Any, node: int, mover: int, depth: int, scratch: Any) -> bool:
    """Expand chance nodes; decisions get their children from the evaluator's policy."""
    tree = search.tree
    if is_expanded(tree, node):
        return True
    if mover != CHANCE or not has_room(tree, scratch.moves.actions.shape[0]):
        return False
    expand(tree, node, mover, search.rules, scratch.state, scratch.moves)
    return True


@inlined
def _begin_choice(search: Any, node: int, mover: int, depth: int) -> int:
    """Count a selection; return the child if it needs no rule, or NO_CHILD."""
    tree = search.tree
    block = block_of(tree, node)
    block.visits += 1
    if mover == CHANCE:
        return sample_outcome(tree, block, search.rng[0])
    return int(search.first if depth == 0 else NO_CHILD)


@inlined
def choose_puct(search: Any, node: int, mover: int, depth: int, scratch: Any) -> int:
    """The child to follow by PUCT."""
    child = _begin_choice(search, node, mover, depth)
    if child < 0:
        child = best_by_puct(search.tree, node, mover, search.settings)
    there = search.tree.nodes[child]
    if mover >= 0 and there.proof != PROVEN:
        count_in_flight(search.tree, child, there.visits)
    return child


@inlined
def choose_improved(search: Any, node: int, mover: int, depth: int, scratch: Any) -> int:
    """The child to follow by the improved policy."""
    child = _begin_choice(search, node, mover, depth)
    if child < 0:
        scale = search.settings.value_scale
        child = best_by_improved_policy(search.tree, node, scale, scratch.scores)
    return child


@inlined
def choose_uct(search: Any, node: int, mover: int, depth: int, scratch: Any) -> int:
    """The child to follow by UCT."""
    tree, child = search.tree, uct_kernels.choose(search, node, mover, depth, scratch)
    if mover >= 0 and tree.nodes[child].proof != PROVEN:  # an unfinished visit counts as a loss
        refresh_uct(tree, node, child, mover, tree.nodes[child].visits + 1)
    return child


@inlined
def _grow_uct(search: Any, node: int, mover: int, depth: int, scratch: Any) -> bool:
    """As UCT, with equal priors, which a root reports."""
    bare = not is_expanded(search.tree, node)
    grown = bool(uct_kernels.grow(search, node, mover, depth, scratch))
    if bare and grown and mover != CHANCE:
        equalise(search.tree, node)
    return grown


@kernel
def equalise(tree: Any, node: int) -> None:
    """Give all children of a node the same prior."""
    block = block_of(tree, node)
    tree.prior[block.first : block.first + block.size] = np.float32(1.0 / block.size)


@inlined
def _gather(now: Any, descend: Any, grow: Any, choose: Any, refresh: Any) -> int:
    """Fill `now.leaves` with what an evaluator must evaluate, `settings.leaves` a game at most.

    What is known without it is backed up at once.
    """
    settings, left, leaves = now.settings, now.roots.left, now.leaves
    count = 0
    for game in range(left.shape[0]):
        tree = tree_at(now.forest, game)
        # Of a new tree only the root, whose children the others need.
        wanted = settings.leaves if is_expanded(tree, ROOT) else 1
        for number in range(min(wanted, left[game])):
            if tree.nodes[ROOT].proof == PROVEN:
                left[game] = 0
                break
            first = first_child(tree, now, game)
            left[game] -= 1
            determinization = min(number, now.roots.states.shape[1] - 1)
            copy_state(now.roots.states[game, determinization], leaves.states[count])
            scratch = scratch_of_leaf(now.scratch, leaves, count)
            search = LockstepSearch(tree, now.rules, now.rng, settings, first)
            depth = descend(search, scratch, now.hidden, count, grow, choose)
            if is_proven(search, scratch, depth) or _ends_by_chance(search, scratch):
                backpropagate(tree, scratch, depth, refresh)
                continue
            leaves.depths[count] = depth
            leaves.games[count] = game
            count += 1
    return count


@inlined
def _descend(search: Any, scratch: Any, hidden: Any, slot: int, grow: Any, choose: Any) -> int:
    """Descend in a game that hides nothing."""
    return int(descend(search, scratch, grow, choose))


@inlined
def first_child(tree: Any, now: Any, game: int) -> int:
    """The root's child that a Gumbel root wants searched next, or NO_CHILD."""
    settings, gumbel = now.settings, now.roots.gumbel
    if settings.considered == 0 or not is_expanded(tree, ROOT):
        return NO_CHILD
    budget = gumbel.budget[game]
    root = GumbelRoot(
        gumbel.noise[game], gumbel.before[game], budget, settings.considered, settings.value_scale
    )
    return int(gumbel_child(tree, root, budget - now.roots.left[game], now.scratch.scores))


@inlined
def scratch_of_leaf(scratch: Any, leaves: Any, slot: int) -> Any:
    """Return working memory with the state and the path of a leaf."""
    return Scratch(
        leaves.states[slot],
        scratch.twin,
        scratch.moves,
        leaves.paths[slot],
        scratch.scores,
        scratch.shares,
    )


@kernel
def _ends_by_chance(search: Any, scratch: Any) -> bool:
    """Play outcomes from a chance node without room for children; return whether it is over."""
    if seat_to_move(scratch.state) != CHANCE:
        return False
    play_chance(search.rules, scratch.state, scratch.moves, search.rng[0])
    if seat_to_move(scratch.state) != OVER:
        return False
    invoke2(search.rules[PAYOFFS], scratch.state.ctypes.data, scratch.shares.ctypes.data)
    return True


@inlined
def _expand_leaf(tree: Any, now: Any, slot: int, legal: Any, policy: Any, value: Any) -> None:
    """Give a leaf its children; UCT, which takes no policy, does so on the way."""
    leaf = int(now.leaves.paths[slot, now.leaves.depths[slot]])
    bare = not is_expanded(tree, leaf) and tree.nodes[leaf].to_move != CHANCE
    room = now.settings.rule != UCT and has_room(tree, now.scratch.scores.shape[0])
    if bare and room and tree.nodes[leaf].proof != PROVEN:
        expand_with_policy(tree, leaf, legal, policy, value)


class RuleKernels(NamedTuple):
    """The kernels of a round by one rule of selection."""

    gather: Callable[..., Any]
    back_up: Callable[..., Any]


def kernels_of(
    name: str, descend: Any, expand_leaf: Any, grow: Any, choose: Any, refresh: Any
) -> RuleKernels:
    """Return the kernels of a rule, whose functions are copied into them.

    `descend(search, scratch, hidden, slot, grow, choose)` goes to a leaf and returns its depth;
    `expand_leaf(tree, now, slot, legal, policy, value)` adds what the evaluator found to the tree.
    """

    @named_kernel(f"gather_{name}")
    def gather(now: Any) -> int:
        """Descend in every game with simulations left; return how many leaves wait."""
        return int(_gather(now, descend, grow, choose, refresh))

    @named_kernel(f"back_up_{name}")
    def back_up(now: Any, count: int, legal: Any, policy: Any, value: Any) -> None:
        """Expand the round's first `count` leaves, and back their values up."""
        leaves, shares = now.leaves, now.scratch.shares
        for slot in range(count):
            tree = tree_at(now.forest, leaves.games[slot])
            for player in range(shares.shape[0]):
                shares[player] = value[slot, player]
            expand_leaf(tree, now, slot, legal[slot], policy[slot], value[slot])
            scratch = scratch_of_leaf(now.scratch, leaves, slot)
            backpropagate(tree, scratch, int(leaves.depths[slot]), refresh)

    return RuleKernels(gather, back_up)


_open = (_descend, _expand_leaf)
OPEN_KERNELS = {
    UCT: kernels_of("uct", *_open, _grow_uct, choose_uct, refresh_uct),
    PUCT: kernels_of("puct", *_open, _grow_chance, choose_puct, refresh_puct),
    IMPROVED: kernels_of("improved", *_open, _grow_chance, choose_improved, no_refresh),
}
"""By rule, for games that hide nothing."""


@kernel
def mix_noise(forest: Any, games: Any, noise: Any, fraction: float) -> None:
    """Mix noise [G, A] into the priors of these games' roots, with this weight."""
    for index in range(games.shape[0]):
        tree = tree_at(forest, games[index])
        if is_expanded(tree, ROOT):
            block = block_of(tree, ROOT)
            for child in range(block.first, block.first + block.size):
                share = noise[games[index], tree.action[child]]
                tree.prior[child] = (1.0 - fraction) * tree.prior[child] + fraction * share


@kernel
def read_priors(forest: Any, out: Any) -> None:
    """The priors of all roots into `out` [G, A]."""
    for game in range(out.shape[0]):
        tree = tree_at(forest, game)
        if is_expanded(tree, ROOT):
            block = block_of(tree, ROOT)
            for child in range(block.first, block.first + block.size):
                out[game, tree.action[child]] = tree.prior[child]


@inlined
def _mean(tree: Any, node: int, player: int) -> float:
    return tree.value_sum[node, player] / max(tree.nodes[node].visits, 1)


@kernel
def read_visit_shares(forest: Any, out: Any) -> None:
    """The visit distributions of all roots into `out` [G, A]; see `Lockstep.visit_shares`."""
    for game in range(out.shape[0]):
        tree = tree_at(forest, game)
        if is_expanded(tree, ROOT):
            _read_visit_share(tree, out[game])


@kernel
def _read_visit_share(tree: Any, out: Any) -> None:
    block, mover = block_of(tree, ROOT), tree.nodes[ROOT].to_move
    last = block.first + block.size
    proven = tree.nodes[ROOT].proof == PROVEN
    best = best_child(tree, ROOT)
    total = 0.0
    for child in range(block.first, last):
        sure = tree.nodes[child].proof == PROVEN
        if proven:  # only actions as good as the best
            counts = sure and _mean(tree, child, mover) >= _mean(tree, best, mover)
        else:  # all but sure losses
            counts = not sure or _mean(tree, child, mover) > 0.0
        if counts:
            out[tree.action[child]] = tree.nodes[child].visits
            total += tree.nodes[child].visits
    for child in range(block.first, last):
        if total > 0.0:
            out[tree.action[child]] /= total
        else:
            out[tree.action[child]] = 1.0 / block.size


@kernel
def reroot_games(forest: Any, roots: Any, actions: Any, games: Any, scratch: Any) -> None:
    """Make the children of these games' actions their roots; `roots` are the states after."""
    for index in range(games.shape[0]):
        tree = tree_at(forest, games[index])
        to_move = seat_to_move(roots[games[index]])
        reroot(tree, int(actions[index]), to_move, scratch)
