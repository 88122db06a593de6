"""What a search found: visits, policy and values at the root, and the line it expects."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.search.mcts.selection import best_child
from meeple.search.mcts.tree import PROVEN, ROOT


@dataclass(frozen=True)
class SearchResult:
    """The root after a search over A legal actions for P players; actions in ascending order."""

    actions: npt.NDArray[np.int32]  # [A]
    visits: npt.NDArray[np.int64]  # [A] simulations through each action
    values: npt.NDArray[np.float64]  # [A, P] mean shares after each action; NaN where unvisited
    priors: npt.NDArray[np.float32]  # [A]
    value: npt.NDArray[np.float64]  # [P] mean shares at the root
    best: int  # the action to play
    proven: bool  # whether `value` is exact and `best` reaches it
    principal_variation: list[int]  # actions, `best` first
    simulations: int  # run by this search; visits kept from earlier ones are not counted
    seconds: float
    nodes: int = field(default=0)  # in all trees

    @property
    def policy(self) -> npt.NDArray[np.float64]:
        """[A] the visit distribution: visits as shares of their sum."""
        total = self.visits.sum()
        return self.visits / total if total else np.full(len(self.actions), 1 / len(self.actions))


def read_root(views: list[Any], simulations: int, seconds: float) -> SearchResult:
    """The merged root of several trees of the same position (one or more, each expanded)."""
    first = views[0]
    children = [view.children(ROOT) for view in views]
    actions = np.sort(first.action[children[0]])
    visits = np.zeros(len(actions), dtype=np.int64)
    sums = np.zeros((len(actions), first.value_sum.shape[1]))
    priors = np.zeros(len(actions), dtype=np.float32)
    for view, slots in zip(views, children, strict=True):
        order = np.argsort(view.action[slots])
        seen = view.visits[slots][order]
        visits += seen
        sums += np.where(seen[:, None] > 0, view.value_sum[slots][order], 0.0)
        priors += view.prior[slots][order] / np.float32(len(views))
    with np.errstate(invalid="ignore"):
        values = sums / visits[:, None]
    tree, best = _leader(views, actions, visits)
    return SearchResult(
        actions=actions,
        visits=visits,
        values=values,
        priors=priors,
        value=_root_value(views),
        best=best,
        proven=any(view.proof[ROOT] == PROVEN for view in views),
        principal_variation=_principal_variation(tree, best),
        simulations=simulations,
        seconds=seconds,
        nodes=int(sum(view.used[0] for view in views)),
    )


def _root_value(views: list[Any]) -> npt.NDArray[np.float64]:
    for view in views:
        if view.proof[ROOT] == PROVEN:
            return np.asarray(view.value_sum[ROOT] / view.visits[ROOT])
    total = sum(view.value_sum[ROOT] for view in views)
    return np.asarray(total / max(1, sum(int(view.visits[ROOT]) for view in views)))


def _leader(
    views: list[Any], actions: npt.NDArray[np.int32], visits: npt.NDArray[np.int64]
) -> tuple[Any, int]:
    """The tree to read the best line from, and the action to play."""
    for view in views:
        if view.proof[ROOT] == PROVEN:
            return view, int(view.action[best_child(view, ROOT)])
    if len(views) == 1:
        child = best_child(views[0], ROOT)
        return views[0], int(views[0].action[child]) if child >= 0 else int(actions[0])
    # A move that any tree proved lost is left to the others' second choice.
    lost = {int(a) for view in views for a in _proven_losses(view)}
    open_visits = np.where([int(a) in lost for a in actions], -1, visits)
    best = int(actions[int(np.argmax(open_visits))])
    return max(views, key=lambda view: int(view.visits[ROOT])), best


def _proven_losses(tree: Any) -> npt.NDArray[np.int32]:
    slots = tree.children(ROOT)
    mover = int(tree.to_move[ROOT])
    if mover < 0:
        return np.zeros(0, dtype=np.int32)
    lost = (tree.proof[slots] == PROVEN) & (tree.value_sum[slots, mover] <= 0.0)
    return np.asarray(tree.action[slots[lost]])


def _principal_variation(tree: Any, best: int, longest: int = 12) -> list[int]:
    line: list[int] = []
    node, action = ROOT, best
    while len(line) < longest:
        slots = tree.children(node)
        match = slots[tree.action[slots] == action]
        if not len(match):
            break
        line.append(action)
        node = int(match[0])
        if not len(tree.children(node)) or tree.to_move[node] < 0:
            break
        child = int(best_child(tree, node))
        if child < 0:
            break
        action = int(tree.action[child])
    return line
