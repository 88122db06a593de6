"""Selection rules: which child a descent goes to. Values are shares in [0, 1] of the mover."""

from typing import Any

import numpy as np

from meeple.kernels import CHANCE, inlined, kernel, uniform
from meeple.search.mcts.improvement import LOST, improved_logits, softmax_in_place
from meeple.search.mcts.tree import HAS_PROVEN_CHILD, PROVEN

UCT, PUCT, IMPROVED = 0, 1, 2


@inlined
def select(tree: Any, node: int, rule: int, c: float, scores: Any, rng: Any) -> int:
    """The child to descend to, by the rule, or at a chance node by its probabilities.

    `scores` is float32 scratch with room for all children; consumes `rng` at chance nodes only.
    """
    first = tree.first_child[node]
    tree.block_visits[first] += 1
    if tree.to_move[node] == CHANCE:
        return _sample_outcome(tree, node, rng)
    if rule == UCT:
        while tree.block_opened[first] < tree.block_size[first]:
            tree.block_opened[first] += 1
            child = first + tree.block_opened[first] - 1
            if tree.proof[child] != PROVEN:
                return child
        return _uct(tree, node, c, scores)
    if rule == IMPROVED:
        return _improved(tree, node, c, scores)
    return _puct(tree, node, c, scores)


@inlined
def _sample_outcome(tree: Any, node: int, rng: Any) -> int:
    first = tree.first_child[node]
    last = first + tree.block_size[first] - 1
    draw = uniform(rng)
    for child in range(first, last):
        draw -= tree.prior[child]
        if draw < 0.0:
            return child
    return last


@inlined
def _uct(tree: Any, node: int, c: float, scores: Any) -> int:
    """UCB1 over visited children: Q + c sqrt(ln N / n) (Kocsis and Szepesvari, 2006)."""
    first = tree.first_child[node]
    count = np.int64(tree.block_size[first])
    sums = tree.value_sum[tree.to_move[node], first : first + count]
    visits = tree.visits[first : first + count]
    explore = np.float32(c) * np.sqrt(np.log(np.float32(tree.block_visits[first])))
    for index in range(count):
        inverse = np.float32(1.0) / np.float32(visits[index])
        scores[index] = np.float32(sums[index]) * inverse + explore * np.sqrt(inverse)
    if tree.block_proof[first] == HAS_PROVEN_CHILD:
        _score_proven(tree, first, count, sums, visits, scores)
    return first + _argmax(scores, count)


@kernel
def _puct(tree: Any, node: int, c: float, scores: Any) -> int:
    """PUCT: Q + c P sqrt(N) / (1 + n) (Silver et al., 2017).

    An unvisited child counts as the node's own mean, less as more of the policy has been tried:
    first-play urgency as in KataGo (Wu, 2019, section 4), on the scale of shares.
    """
    first = tree.first_child[node]
    count = np.int64(tree.block_size[first])
    mover = tree.to_move[node]
    sums = tree.value_sum[mover, first : first + count]
    visits = tree.visits[first : first + count]
    prior = tree.prior[first : first + count]
    tried = np.float32(0.0)
    for index in range(count):
        if visits[index] > 0:
            tried += prior[index]
    mean = np.float32(tree.value_sum[mover, node] / max(tree.visits[node], 1))
    urgency = max(np.float32(0.0), mean - np.float32(FPU_REDUCTION) * np.sqrt(tried))
    explore = np.float32(c) * np.sqrt(np.float32(tree.block_visits[first]))
    for index in range(count):
        n = np.float32(visits[index])
        q = np.float32(sums[index]) / n if visits[index] > 0 else urgency
        scores[index] = q + explore * prior[index] / (np.float32(1.0) + n)
    if tree.block_proof[first] == HAS_PROVEN_CHILD:
        _score_proven(tree, first, count, sums, visits, scores)
    return first + _argmax(scores, count)


@kernel
def _improved(tree: Any, node: int, scale: float, scores: Any) -> int:
    """The child furthest behind the improved policy: P' - n / (1 + N), without any noise.

    (Danihelka et al., 2022, equation 14: visits come to follow the improved policy.)
    """
    first = tree.first_child[node]
    count = np.int64(improved_logits(tree, node, scale, scores))
    softmax_in_place(scores, count)
    total = np.float32(1.0)
    for index in range(count):
        total += np.float32(tree.visits[first + index])
    for index in range(count):
        child = first + index
        if tree.proof[child] == PROVEN and tree.value_sum[tree.to_move[node], child] <= 0.0:
            scores[index] = LOST
        else:
            scores[index] -= np.float32(tree.visits[child]) / total
    return first + _argmax(scores, count)


FPU_REDUCTION = 0.1  # in shares of a win; KataGo's 0.2 on its scale of -1..1


@kernel
def _score_proven(tree: Any, first: int, count: int, sums: Any, visits: Any, scores: Any) -> None:
    """A proven child needs no exploration: it counts as its value, and a sure loss comes last."""
    for index in range(count):
        if tree.proof[first + index] == PROVEN:
            value = np.float32(sums[index]) / np.float32(visits[index])
            scores[index] = value if value > 0.0 else np.float32(-1.0)


@inlined
def _argmax(scores: Any, count: int) -> int:
    best = 0
    top = scores[0]
    for index in range(1, count):
        if scores[index] > top:
            top = scores[index]
            best = index
    return best


@kernel
def best_child(tree: Any, node: int) -> int:
    """The child to play: a sure win, else the most visited that is no sure loss.

    Among sure results the best for the mover; ties go to the higher mean. -1 where none is visited.
    """
    mover = tree.to_move[node]
    first = tree.first_child[node]
    best = -1
    best_rank = 0.0
    for child in range(first, first + tree.block_size[first]):
        n = tree.visits[child]
        if n == 0:
            continue
        mean = tree.value_sum[mover, child] / n
        rank = n + 0.5 * mean
        if tree.proof[child] == PROVEN:
            if mean >= 1.0:
                return child
            if mean <= 0.0:
                rank = -1.0 + 1e-9 * n
            elif tree.proof[node] == PROVEN:
                rank = mean * 1e12
        if best < 0 or rank > best_rank:
            best, best_rank = child, rank
    return best
