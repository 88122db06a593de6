"""Reads a search's result from the root of its tree, or of several trees."""

import numpy as np
import numpy.typing as npt

from meeple.search.mcts.selection import best_child
from meeple.search.mcts.tree import PROVEN, ROOT, Tree
from meeple.search.result import SearchResult


def read_root(trees: list[Tree], simulations: int, seconds: float) -> SearchResult:
    """The merged root of several trees of the same position (one or more, each expanded)."""
    first = trees[0]
    children = [tree.children(ROOT) for tree in trees]
    actions = np.sort(first.action[children[0]])
    visits = np.zeros(len(actions), dtype=np.int64)
    sums = np.zeros((len(actions), first.value_sum.shape[1]))
    priors = np.zeros(len(actions), dtype=np.float32)
    for tree, slots in zip(trees, children, strict=True):
        order = np.argsort(tree.action[slots])
        seen = tree.visits[slots][order]
        visits += seen
        sums += np.where(seen[:, None] > 0, tree.value_sum[slots][order], 0.0)
        priors += tree.prior[slots][order] / np.float32(len(trees))
    with np.errstate(invalid="ignore"):
        values = sums / visits[:, None]
    leader, best = _leader(trees, actions, visits)
    return SearchResult(
        actions=actions,
        visits=visits,
        values=values,
        priors=priors,
        value=_root_value(trees),
        best=best,
        proven=any(tree.proof[ROOT] == PROVEN for tree in trees),
        principal_variation=_principal_variation(leader, best),
        simulations=simulations,
        seconds=seconds,
        nodes=int(sum(tree.used[0] for tree in trees)),
    )


def _root_value(trees: list[Tree]) -> npt.NDArray[np.float64]:
    for tree in trees:
        if tree.proof[ROOT] == PROVEN:
            return np.asarray(tree.value_sum[ROOT] / tree.visits[ROOT])
    total = sum(tree.value_sum[ROOT] for tree in trees)
    return np.asarray(total / max(1, sum(int(tree.visits[ROOT]) for tree in trees)))


def _leader(
    trees: list[Tree], actions: npt.NDArray[np.int32], visits: npt.NDArray[np.int64]
) -> tuple[Tree, int]:
    """The tree to read the best line from, and the action to play."""
    for tree in trees:
        if tree.proof[ROOT] == PROVEN:
            return tree, int(tree.action[best_child(tree, ROOT)])
    if len(trees) == 1:
        child = best_child(trees[0], ROOT)
        return trees[0], int(trees[0].action[child]) if child >= 0 else int(actions[0])
    # A move that any tree proved lost is left to the others' second choice.
    lost = {int(a) for tree in trees for a in _proven_losses(tree)}
    open_visits = np.where([int(a) in lost for a in actions], -1, visits)
    best = int(actions[int(np.argmax(open_visits))])
    return max(trees, key=lambda tree: int(tree.visits[ROOT])), best


def _proven_losses(tree: Tree) -> npt.NDArray[np.int32]:
    slots = tree.children(ROOT)
    mover = int(tree.to_move[ROOT])
    if mover < 0:
        return np.zeros(0, dtype=np.int32)
    lost = (tree.proof[slots] == PROVEN) & (tree.value_sum[slots, mover] <= 0.0)
    return np.asarray(tree.action[slots[lost]])


def _principal_variation(tree: Tree, best: int, longest: int = 12) -> list[int]:
    line: list[int] = []
    node, action = ROOT, best
    slots = tree.children(node)
    while len(line) < longest:
        match = slots[tree.action[slots] == action]
        if not len(match):
            break
        line.append(action)
        node = int(match[0])
        slots = tree.children(node)
        if not len(slots) or tree.to_move[node] < 0:
            break
        child = int(best_child(tree, node))
        if child < 0:
            break
        action = int(tree.action[child])
    return line
