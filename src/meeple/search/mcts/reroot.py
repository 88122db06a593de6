"""Rerooting: after a move its child becomes the root, and all outside the subtree is freed."""

import functools
from typing import Any

import numpy as np

from meeple.kernels import cache as kernel_cache
from meeple.kernels import kernel
from meeple.search.mcts.transpositions import rebuild_table
from meeple.search.mcts.tree import ROOT, child_of, clear, is_expanded, new_forest, reset

LOAD_REROOT = f"{__name__}:load_reroot"
_GONE = -1


@functools.cache
def load_reroot(players: int, transpositions: bool) -> None:
    """Compile or load `reroot`, which the second move of a game needs first."""
    tree = new_forest(1, players, 1, transpositions).tree(0)
    with kernel_cache.compiling("search"):
        reset(tree, 0)
        reroot(tree, 0, 0, np.empty((3, 2), dtype=np.int32))


@kernel
def reroot(tree: Any, action: int, to_move: int, scratch: Any) -> bool:
    """Make the child of an action the root and keep its subtree; False if it has none.

    Compacts in place. `scratch` is int32 [3, n + 1] for n nodes in use.
    """
    child = child_of(tree, ROOT, action) if is_expanded(tree, ROOT) else -1
    if child < 0 or not is_expanded(tree, child):  # a leaf, perhaps proven: it needs children now
        reset(tree, to_move)
        return False
    node_place, block_place = scratch[0], scratch[1]
    _mark_reachable(tree, child, node_place, block_place, scratch[2])
    # The root goes to slot 0; the others keep their order, so none moves to a higher slot.
    nodes = _number_kept(node_place, tree.used[0])
    blocks = _number_kept(block_place, tree.used[1])
    _move_node(tree, child, ROOT, block_place)
    for node in range(1, tree.used[0]):
        if node_place[node] != _GONE:
            _move_node(tree, node, node_place[node], block_place)
    for number in range(1, tree.used[1]):
        if block_place[number] != _GONE:
            _move_block(tree, number, block_place[number], node_place)
    clear(tree, nodes)
    tree.used[0], tree.used[1] = nodes, blocks
    tree.nodes[ROOT].to_move = to_move
    rebuild_table(tree)
    return True


@kernel
def _mark_reachable(tree: Any, root: int, nodes: Any, blocks: Any, queue: Any) -> None:
    """Set the places of all that is below the root to 1, and of all else to _GONE."""
    nodes[: tree.used[0]] = _GONE
    blocks[: tree.used[1]] = _GONE
    queue[0] = root
    waiting = 1
    while waiting > 0:
        waiting -= 1
        number = tree.nodes[queue[waiting]].block
        if number == 0 or blocks[number] != _GONE:
            continue
        blocks[number] = 1
        block = tree.blocks[number]
        for child in range(block.first, block.first + block.size):
            nodes[child] = 1
            queue[waiting] = child
            waiting += 1


@kernel
def _number_kept(place: Any, used: int) -> int:
    """Number the nodes or blocks of the subtree from 1 on; return the next number."""
    kept = 1
    for index in range(1, used):
        if place[index] != _GONE:
            place[index] = kept
            kept += 1
    return kept


@kernel
def _move_node(tree: Any, node: int, to: int, block_place: Any) -> None:
    old, new = tree.nodes[node], tree.nodes[to]
    new.visits = old.visits
    new.block = block_place[old.block] if old.block > 0 else 0
    new.to_move = old.to_move
    new.proof = old.proof
    copy_value(tree, node, to)


@kernel
def copy_value(tree: Any, node: int, to: int) -> None:
    """Copy a node's action, values, mean, spread and prior."""
    for player in range(tree.value_sum.shape[1]):
        tree.value_sum[to, player] = tree.value_sum[node, player]
    tree.action[to] = tree.action[node]
    tree.mean[to] = tree.mean[node]
    tree.spread[to] = tree.spread[node]
    tree.prior[to] = tree.prior[node]


@kernel
def _move_block(tree: Any, number: int, to: int, node_place: Any) -> None:
    old, new = tree.blocks[number], tree.blocks[to]
    new.first = node_place[old.first]
    new.size = old.size
    new.opened = old.opened
    new.visits = old.visits
    new.key = old.key
    new.value = old.value
    new.explore = old.explore
    new.proof = old.proof
