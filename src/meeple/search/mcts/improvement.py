"""Policy improvement: what a searched node's prior becomes when its children's values are added.

A child's value counts on the scale of the prior's logits; one never visited counts as the node's
own estimate (completed values: Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by
planning with Gumbel", 2022, sections 4 and D). Values are shares in [0, 1] of the mover.
"""

from typing import Any

import numpy as np

from meeple.kernels import kernel
from meeple.search.mcts.proofs import is_sure_loss
from meeple.search.mcts.tree import block_of, mean_value

VISIT_OFFSET = 50.0
"""A value's weight is `scale` times this plus the visits of the most visited child, so that values
count from the first visits on, and more as they become sure. (The paper's constant.)"""

LOST = np.float32(-1e30)  # the logit of an action proven to lose
_LEAST_PRIOR = np.float32(1e-9)


@kernel
def completed_value(tree: Any, node: int) -> float:
    """Return the value of an unvisited child of a node for its mover.

    The evaluator's own value of the node, and the visited children's by their priors, mixed by
    visits (equation 33 of the paper).
    """
    block, mover = block_of(tree, node), tree.nodes[node].to_move
    total = 0
    weight = 0.0
    weighted = 0.0
    for child in range(block.first, block.first + block.size):
        n = tree.nodes[child].visits
        if n > 0:
            total += n
            prior = max(tree.prior[child], _LEAST_PRIOR)
            weight += prior
            weighted += prior * mean_value(tree, child, mover)
    own = np.float64(block.value)
    if total == 0:
        return own
    return (own + total * weighted / weight) / (1.0 + total)


@kernel
def improved_logits(tree: Any, node: int, scale: float, logits: Any) -> int:
    """Write the improved policy's logits of a node's children; return how many children there are.

    `logits` is float32 with room for all children. A child proven to lose has LOST.
    """
    block, mover = block_of(tree, node), tree.nodes[node].to_move
    first, count = int(block.first), int(block.size)
    unvisited = completed_value(tree, node)
    most = 0
    for child in range(first, first + count):
        most = max(most, tree.nodes[child].visits)
    weight = scale * (VISIT_OFFSET + most)
    for index in range(count):
        child = first + index
        if is_sure_loss(tree, child, mover):
            logits[index] = LOST
        else:
            n = tree.nodes[child].visits
            value = mean_value(tree, child, mover) if n > 0 else unvisited
            prior = max(tree.prior[child], _LEAST_PRIOR)
            logits[index] = np.float32(np.log(prior) + weight * value)
    return count


@kernel
def softmax_in_place(logits: Any, count: int) -> None:
    """Turn the first `count` logits into probabilities; equal ones where all are LOST."""
    top = logits[0]
    for index in range(1, count):
        top = max(top, logits[index])
    total = np.float32(0.0)
    for index in range(count):
        logits[index] = np.exp(logits[index] - top)
        total += logits[index]
    for index in range(count):
        logits[index] /= total
