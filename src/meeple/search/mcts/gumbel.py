"""The Gumbel root: few simulations, shared out by sequential halving among a few actions.

The actions are drawn from the policy without replacement (Gumbel noise on its logits); those whose
values come out low drop out half by half. Even with fewer simulations than actions the policy is
improved in expectation. (Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by
planning with Gumbel", 2022.)
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import inlined, kernel, uniform
from meeple.search.mcts.improvement import LOST, improved_logits, softmax_in_place
from meeple.search.mcts.selection import best_child
from meeple.search.mcts.tree import PROVEN, ROOT, block_of, is_expanded, tree_at


class GumbelRoots(NamedTuple):
    """The state of G Gumbel roots beside their trees, by action."""

    noise: npt.NDArray[np.float32]  # [G, A] Gumbel draws times their scale
    before: npt.NDArray[np.int32]  # [G, A] visits of the root's children before this search
    budget: npt.NDArray[np.int64]  # [G] simulations of this search


def new_gumbel_roots(games: int, actions: int) -> GumbelRoots:
    """Allocate for `games` games, without noise."""
    return GumbelRoots(
        np.zeros((games, actions), dtype=np.float32),
        np.zeros((games, actions), dtype=np.int32),
        np.zeros(games, dtype=np.int64),
    )


@kernel
def begin_gumbel(
    forest: Any, roots: Any, games: Any, noise_scale: Any, budget: Any, rngs: Any
) -> None:
    """Draw the noise of these games' roots and note their visits; consumes the generator.

    `noise_scale` is float32 [G]: 1 explores as the paper does, 0 not at all. Roots are expanded.
    """
    for index in range(games.shape[0]):
        game = games[index]
        tree = tree_at(forest, game)
        roots.budget[game] = budget[game]
        if not is_expanded(tree, ROOT):
            continue
        block = block_of(tree, ROOT)
        for child in range(block.first, block.first + block.size):
            action = tree.action[child]
            roots.before[game, action] = tree.nodes[child].visits
            draw = 1.0 - uniform(rngs[0])  # in (0, 1]
            gumbel = -np.log(max(-np.log(draw), 1e-30))
            roots.noise[game, action] = np.float32(noise_scale[game] * gumbel)


@kernel
def considered_visits(simulation: int, considered: int, budget: int) -> int:
    """Sequential halving: how often the action that this simulation is for was visited before.

    Of `considered` actions, the simulations of a phase go in turn to those still in the running;
    then half of them stay. The count is of this search alone.
    """
    if considered <= 1:
        return simulation
    phases = 0
    while (1 << phases) < considered:
        phases += 1
    visits = 0
    running = considered
    while True:
        each = max(1, budget // (phases * running))
        if simulation < each * running:
            return visits + simulation // running
        simulation -= each * running
        visits += each
        running = max(2, running // 2)


@inlined
def _scores(tree: Any, noise: Any, scale: float, scores: Any) -> int:
    """Noise plus improved logits of the root's children."""
    count = improved_logits(tree, ROOT, scale, scores)
    first = int(block_of(tree, ROOT).first)
    for index in range(count):
        scores[index] += noise[tree.action[first + index]]
    return count


class GumbelRoot(NamedTuple):
    """The Gumbel root of one game, as the kernels' argument."""

    noise: Any  # [A]
    before: Any  # [A]
    budget: int  # simulations of this search
    considered: int  # actions that share them
    scale: float  # weight of values against priors


@kernel
def gumbel_child(tree: Any, root: Any, simulation: int, scores: Any) -> int:
    """The child of the root that a simulation, numbered from 0, goes to.

    Where proofs have thinned out the actions in the running, the best of the others is searched.
    """
    count = int(_scores(tree, root.noise, root.scale, scores))
    first = int(block_of(tree, ROOT).first)
    level = considered_visits(simulation, min(root.considered, count), root.budget)
    best = -1
    fallback = -1
    for index in range(count):
        if scores[index] <= LOST:
            continue
        if fallback < 0 or scores[index] > scores[fallback]:
            fallback = index
        child = first + index
        visits = tree.nodes[child].visits - root.before[tree.action[child]]
        if visits == level and (best < 0 or scores[index] > scores[best]):
            best = index
    return first + max(best if best >= 0 else fallback, 0)


@kernel
def gumbel_actions(
    forest: Any, roots: Any, games: Any, scale: float, scores: Any, out: Any
) -> None:
    """The action that each of these games plays: the best of those searched to the end.

    A proven root plays its proven best. `out` is int32, as long as `games`.
    """
    for row in range(games.shape[0]):
        game = games[row]
        tree = tree_at(forest, game)
        first = int(block_of(tree, ROOT).first)
        if tree.nodes[ROOT].proof == PROVEN:
            out[row] = tree.action[max(best_child(tree, ROOT), first)]
            continue
        count = int(_scores(tree, roots.noise[game], scale, scores))
        best = -1
        most = 0
        for index in range(count):
            if scores[index] <= LOST:
                continue
            child = first + index
            visits = tree.nodes[child].visits - roots.before[game, tree.action[child]]
            better = best < 0 or visits > most
            if better or (visits == most and scores[index] > scores[best]):
                best = index
                most = visits
        out[row] = tree.action[first + max(best, 0)]


@kernel
def improved_policy(forest: Any, games: Any, scale: float, scores: Any, out: Any) -> None:
    """The improved policies of roots that are not proven into rows of `out` [G, A]."""
    for index in range(games.shape[0]):
        game = games[index]
        tree = tree_at(forest, game)
        if not is_expanded(tree, ROOT) or tree.nodes[ROOT].proof == PROVEN:
            continue
        count = int(improved_logits(tree, ROOT, scale, scores))
        softmax_in_place(scores, count)
        first = int(block_of(tree, ROOT).first)
        out[game] = 0.0
        for child in range(count):
            out[game, tree.action[first + child]] = scores[child]
