"""Proven results: exact values of nodes, and their propagation to the ancestors.

MCTS-Solver (Winands, Bjoernsson and Saito, "Monte-Carlo tree search solver", 2008), for any number
of players and with chance nodes. A named phase beside the textbook's descent: without `solve` no
node is ever proven. `shares` is float64 [players], the caller's scratch.
"""

from typing import Any

import numpy as np

from meeple.kernels import CHANCE, inlined, kernel
from meeple.search.mcts.tree import PROVEN, block_of, mean_value

SURE_LOSS = np.float32(-1.0)  # what selection sees of a child proven to lose: it comes last


@kernel
def set_proven(tree: Any, node: int, shares: Any) -> None:
    """Mark a node as proven: from now on its mean is this exact value."""
    tree.nodes[node].proof = PROVEN
    for player in range(shares.shape[0]):
        tree.value_sum[node, player] = shares[player] * tree.nodes[node].visits


@kernel
def exact_value(tree: Any, node: int, shares: Any) -> None:
    """Read the value of a proven and visited node."""
    for player in range(shares.shape[0]):
        shares[player] = mean_value(tree, node, player)


@kernel
def recount_proven(tree: Any, node: int) -> None:
    """Keep a proven node's mean exact after one more visit."""
    visits = tree.nodes[node].visits
    for player in range(tree.value_sum.shape[1]):
        tree.value_sum[node, player] = tree.value_sum[node, player] / (visits - 1) * visits


@kernel
def prove_upwards(tree: Any, path: Any, depth: int, shares: Any) -> None:
    """Prove the ancestors of a proven node, up to the first that cannot be proven.

    A node is proven when its mover has a sure win, or when all its children are proven: it is then
    worth the child best for the mover, or at a chance node the mean over outcomes.
    """
    while depth > 0:
        node = path[depth - 1]
        if tree.nodes[node].proof == PROVEN:
            return
        if not note_proven_child(tree, node, path[depth], shares):
            return
        set_proven(tree, node, shares)
        depth -= 1


@kernel
def note_proven_child(tree: Any, node: int, child: int, shares: Any) -> bool:
    """Note in a node's block that one of its children is proven; True where that proves the block.

    Then `shares` holds what it is worth. Selection needs to explore such a child no more: it counts
    as its value, and a sure loss comes last.
    """
    block, mover = block_of(tree, node), tree.nodes[node].to_move
    if mover >= 0:
        value = np.float32(mean_value(tree, child, mover))
        tree.mean[child] = value if value > 0.0 else SURE_LOSS
        tree.spread[child] = 0.0
    if _is_sure_win(tree, child, mover, shares) or _value_of_proven_children(
        tree, block, mover, shares
    ):
        block.proof = PROVEN
        return True
    return False


@kernel
def prove_by_block(tree: Any, node: int, shares: Any) -> None:
    """Prove a visited node whose state was proven on another path."""
    block, mover = block_of(tree, node), tree.nodes[node].to_move
    for child in range(block.first, block.first + block.size):
        if tree.nodes[child].proof == PROVEN and _is_sure_win(tree, child, mover, shares):
            set_proven(tree, node, shares)
            return
    if _value_of_proven_children(tree, block, mover, shares):
        set_proven(tree, node, shares)


@inlined
def is_sure_loss(tree: Any, child: int, mover: int) -> bool:
    """Return whether a child is proven to give the mover a share of 0."""
    return tree.nodes[child].proof == PROVEN and tree.value_sum[child, mover] <= 0.0


@inlined
def _is_sure_win(tree: Any, child: int, mover: int, shares: Any) -> bool:
    """Return whether a proven child gives the mover the whole win; its value is in `shares`."""
    if mover < 0 or tree.value_sum[child, mover] < tree.nodes[child].visits:
        return False
    exact_value(tree, child, shares)
    return True


@kernel
def _value_of_proven_children(tree: Any, block: Any, mover: int, shares: Any) -> bool:
    """Return whether all children of a block are proven; then its value is in `shares`."""
    last = block.first + block.size
    for child in range(block.first, last):
        if tree.nodes[child].proof != PROVEN:
            return False
    best = int(block.first)
    for player in range(shares.shape[0]):
        shares[player] = 0.0
    for child in range(block.first, last):
        if mover == CHANCE:
            for player in range(shares.shape[0]):
                shares[player] += tree.prior[child] * mean_value(tree, child, player)
        elif (
            tree.value_sum[child, mover] * tree.nodes[best].visits
            > tree.value_sum[best, mover] * tree.nodes[child].visits
        ):
            best = child
    if mover != CHANCE:
        exact_value(tree, best, shares)
    return True
