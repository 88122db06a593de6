"""Collects from a search's tree what the search added to it, for a Q-table."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game, Position
from meeple.kernels import cache as kernel_cache
from meeple.kernels import kernel
from meeple.search.mcts.tree import PROVEN, ROOT, block_of, is_expanded, new_forest, reset
from meeple.search.mcts.uct import OpenUct
from meeple.search.qtable.table import MIN_VISITS, Edges, merged
from meeple.search.qtable.walk import new_walk, next_child, step
from meeple.search.qtable.warm_start import check_rule
from meeple.search.state_hash import hash_bytes


class Collector:
    """A phase of searches (`TreeSearch`): collects what each of them adds to its trees."""

    def attach(self, rule: OpenUct) -> None:
        """Load the kernels. Raises UsageError if the rule prunes."""
        check_rule(rule)
        _load_kernels(rule.game)

    def prepare(self, rule: OpenUct, position: Position) -> None:
        """Record the statistics of the trees before a search."""
        self._rule = rule
        self._before = [statistics_before(tree) for tree in rule.trees]

    def collected(self, position: Position) -> list[Edges]:
        """Return what the last search, which was of this position, added to each tree."""
        return [
            statistics(tree, self._rule.game, position, before)
            for tree, before in zip(self._rule.trees, self._before, strict=True)
        ]


class TreeStatistics(NamedTuple):
    """The statistics of a tree's M nodes before its search began."""

    visits: npt.NDArray[np.int32]  # [M]
    value_sum: npt.NDArray[np.float64]  # [M, P]


def statistics_before(tree: Any) -> TreeStatistics:
    """Return a copy of the statistics of a tree."""
    used = int(tree.used[0])
    visits = tree.visits[:used].copy()
    sums = np.where(visits[:, None] > 0, tree.value_sum[:used], 0.0)  # undefined without a visit
    return TreeStatistics(visits, sums)


def statistics(
    tree: Any, game: Game, position: Position, before: TreeStatistics, least: int = MIN_VISITS
) -> Edges:
    """Return what a search added to the tree of `position`.

    States with fewer than `least` visits are left out. `before` has the statistics before the
    search. A proven action has its exact value.
    """
    used = int(tree.used[0])
    slots, keys = np.zeros(used, dtype=np.int32), np.zeros(used, dtype=np.uint64)
    seen = np.zeros(int(tree.used[1]), dtype=np.bool_)
    count = _collect(tree, game.addresses, new_walk(position.row), seen, slots, keys, least)
    slots, keys = slots[:count], keys[:count]
    visits, sums = tree.visits[slots].astype(np.int64), tree.value_sum[slots].copy()
    exact = tree.proof[slots] == PROVEN
    mean = sums / visits[:, None]
    old = slots < len(before.visits)
    visits[old] -= before.visits[slots[old]]
    sums[old] -= before.value_sum[slots[old]]
    added = visits > 0
    value = np.where(exact[:, None], mean, sums / np.maximum(visits, 1)[:, None])
    value = value.clip(0, 1).astype(np.float32)
    edges = Edges(keys[added], tree.action[slots][added], visits[added], value[added])
    return merged([edges])


@kernel
def _collect(tree: Any, rules: Any, walk: Any, seen: Any, slots: Any, keys: Any, least: int) -> int:
    """List the visited children of all states with `least` visits, and the keys of the states."""
    count = 0
    depth = 0
    if not is_expanded(tree, ROOT) or block_of(tree, ROOT).visits < least:
        return 0
    seen[tree.nodes[ROOT].block] = True
    count = _list_children(tree, ROOT, hash_bytes(walk.states[0]), count, slots, keys)
    while depth >= 0:
        child = int(next_child(tree, walk, depth))
        if child < 0:
            depth -= 1
            continue
        number = int(tree.nodes[child].block)
        if number == 0 or seen[number] or tree.blocks[number].visits < least:
            continue
        seen[number] = True  # states that share a block are listed once
        depth += 1
        step(tree, rules, walk, depth - 1, child)
        count = _list_children(tree, child, hash_bytes(walk.states[depth]), count, slots, keys)
    return count


@kernel
def _list_children(tree: Any, node: int, key: Any, count: int, slots: Any, keys: Any) -> int:
    block = block_of(tree, node)
    for child in range(block.first, block.first + block.size):
        if tree.nodes[child].visits > 0:
            slots[count] = child
            keys[count] = key
            count += 1
    return count


def _load_kernels(game: Game) -> None:
    """Compile or load what collecting calls, so that no search's clock pays for it."""
    with kernel_cache.compiling("Q-table"):
        tree = new_forest(1, game.players, 1).tree(0)
        reset(tree, 0)
        walk = new_walk(np.zeros(game.state_bytes, dtype=np.uint8))
        few = np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.uint64)
        _collect(tree, game.addresses, walk, np.zeros(2, dtype=np.bool_), *few, 1)
