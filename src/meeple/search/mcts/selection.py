"""Selection rules: which child a descent goes to. Values are shares in [0, 1] of the mover.

What a rule scans of a child is kept in `tree.mean` and `tree.spread` by the rule's own `refresh`,
once a visit, so that a scan needs neither divisions nor roots. A proven child has a spread of 0.
"""

from typing import Any

import numpy as np

from meeple.kernels import below, float_bits, inlined, kernel, uniform
from meeple.search.mcts.improvement import improved_logits, softmax_in_place
from meeple.search.mcts.tree import PROVEN, block_of, forget_sums, forget_value, mean_value

FPU_REDUCTION = np.float32(0.1)  # in shares of a win; KataGo's 0.2 on its scale of -1..1
VIRTUAL_LOSS = np.float32(0.2)  # shares below a child's mean that an unfinished visit counts as

_LEAST = -(2**63)
_LAST = 0x7FFFFFFF
_ONE = np.float32(1.0)


@inlined
def _key(score: Any, index: int) -> Any:
    """A number that orders scores, and equal ones by their index, the first highest.

    A float's bits order like the float where it is not negative; an argmax over such keys is a
    plain maximum, which the compiler vectorises.
    """
    return (int(float_bits(np.float32(score))) << 32) | (_LAST - index)


@inlined
def _index(key: Any) -> int:
    return _LAST - (key & _LAST)


@inlined
def sample_outcome(tree: Any, block: Any, rng: Any) -> int:
    """Draw a child of a chance node by its probability; consumes `rng`."""
    child = int(block.first)
    last = child + block.size - 1
    mark = uniform(rng)
    while child < last:
        mark -= tree.prior[child]
        if mark < 0.0:
            break
        child += 1
    return child


@inlined
def open_at_random(tree: Any, block: Any, mover: int, rng: Any) -> int:
    """Draw a child that was never visited, and move it behind the visited ones; consumes `rng`."""
    child = np.int64(np.uint32(block.first + block.opened))  # unsigned, see `block_of`
    drawn = child + below(rng, int(block.size - block.opened))
    block.opened += 1
    action = tree.action[drawn]
    tree.action[drawn] = tree.action[child]
    tree.action[child] = action
    forget_sums(tree, child)
    if block.opened == block.size:
        prepare_selection(tree, block, mover)
    return int(child)


@kernel
def prepare_selection(tree: Any, block: Any, mover: int) -> None:
    """Store what `best_by_uct` reads of a block, all of whose children are opened now."""
    keep_exploration(block)
    for child in range(block.first, block.first + block.size):
        visits = tree.nodes[child].visits
        if visits == 0:
            forget_value(tree, child)
        elif tree.nodes[child].proof != PROVEN:
            _store_uct(tree, child, mover, visits)


@inlined
def open_in_order(tree: Any, block: Any) -> int:
    """Return the first child that was never visited and is not proven, or -1."""
    while block.opened < block.size:
        child = int(block.first + block.opened)
        block.opened += 1
        if block.opened == block.size:
            keep_exploration(block)
        if tree.nodes[child].proof != PROVEN:
            return child
    return -1


@inlined
def best_by_uct(tree: Any, block: Any, c: float) -> int:
    """UCB1 over visited children: Q + c sqrt(ln N / n) (Kocsis and Szepesvari, 2006)."""
    first, count = np.int64(np.uint32(block.first)), np.int64(np.uint32(block.size))
    explore = np.float32(c) * block.explore
    mean, spread = tree.mean[first : first + count], tree.spread[first : first + count]
    best = _LEAST
    for index in range(count):
        key = _key(mean[index] + explore * spread[index], index)
        best = key if key > best else best
    keep_exploration(block)
    return int(first + _index(best))


@inlined
def keep_exploration(block: Any) -> None:
    """Compute sqrt(ln N) for the next selection now, so that no selection waits for it."""
    block.explore = np.sqrt(np.log(np.float32(block.visits + 1)))


@inlined
def refresh_uct(tree: Any, parent: int, child: int, mover: int, visits: int) -> None:
    """Store Q and 1 / sqrt(n) of a child that was visited n times."""
    _store_uct(tree, child, mover, visits)


@inlined
def refresh_opened_uct(tree: Any, parent: int, child: int, mover: int, visits: int) -> None:
    """As `refresh_uct`, once `prepare_selection` has stored those of all children."""
    block = block_of(tree, parent)
    if block.opened == block.size:
        _store_uct(tree, child, mover, visits)


@inlined
def _store_uct(tree: Any, child: int, mover: int, visits: int) -> None:
    inverse = _ONE / np.float32(visits)
    tree.mean[child] = np.float32(tree.value_sum[child, mover]) * inverse
    tree.spread[child] = np.sqrt(inverse)


@inlined
def best_by_puct(tree: Any, node: int, mover: int, settings: Any) -> int:
    """PUCT: Q + c P sqrt(N) / (1 + n) (Silver et al., 2017).

    An unvisited child counts as the node's own mean, less as more of the policy has been tried:
    first-play urgency as in KataGo (Wu, 2019, section 4), on the scale of shares. Of shares that
    sum to 1, a node's sum is the number of its visits without those in flight.
    """
    block = block_of(tree, node)
    first, count = int(block.first), int(block.size)
    mean, spread = tree.mean[first : first + count], tree.spread[first : first + count]
    prior = tree.prior[first : first + count]
    tried = np.float32(0.0)
    for index in range(count):
        tried += prior[index] if spread[index] < _ONE else np.float32(0.0)
    own = np.float32(tree.value_sum[node, mover] / tree.value_sum[node].sum())  # none in flight
    urgency = max(np.float32(0.0), own - FPU_REDUCTION * np.sqrt(tried))
    explore = np.float32(settings.c) * np.sqrt(np.float32(block.visits))
    best = _LEAST
    for index in range(count):
        q = mean[index] if spread[index] < _ONE else urgency
        key = _key(q + explore * prior[index] * spread[index], index)
        best = key if key > best else best
    chosen = _index(best)
    if spread[chosen] == _ONE:
        mean[chosen] = urgency  # until its first visit is finished
    return first + chosen


@inlined
def count_in_flight(tree: Any, child: int, visits: int) -> None:
    """Count an unfinished visit to a child visited n times for PUCT: a small virtual loss.

    (Chaslot, Winands and van den Herik, "Parallel Monte-Carlo tree search", 2008, count a loss.)
    """
    less = tree.mean[child] - VIRTUAL_LOSS / np.float32(visits + 1)
    tree.mean[child] = max(less, np.float32(0.0))  # for `_key`
    tree.spread[child] = _ONE / np.float32(visits + 2)


@inlined
def refresh_puct(tree: Any, parent: int, child: int, mover: int, visits: int) -> None:
    """Store Q and 1 / (1 + n) of a child visited n times; an unvisited one has a spread of 1."""
    tree.mean[child] = np.float32(tree.value_sum[child, mover] / visits)
    tree.spread[child] = _ONE / np.float32(1 + visits)


@kernel
def best_by_improved_policy(tree: Any, node: int, scale: float, scores: Any) -> int:
    """The child furthest behind the improved policy: P' - n / (1 + N), without any noise.

    (Danihelka et al., 2022, equation 14: visits come to follow the improved policy.) A sure loss,
    which has no share of it, is never behind. `scores` is float32 scratch with room for all
    children.
    """
    first = int(block_of(tree, node).first)
    count = int(improved_logits(tree, node, scale, scores))
    softmax_in_place(scores, count)
    total = _ONE
    for index in range(count):
        total += np.float32(tree.nodes[first + index].visits)
    best = 0
    for index in range(count):
        scores[index] -= np.float32(tree.nodes[first + index].visits) / total
        if scores[index] > scores[best]:
            best = index
    return first + best


@kernel
def best_child(tree: Any, node: int) -> int:
    """The child to play: a sure win, else the most visited that is no sure loss.

    Among sure results the best for the mover; ties go to the higher mean. -1 where none is visited.
    """
    block, mover = block_of(tree, node), tree.nodes[node].to_move
    best = -1
    best_rank = 0.0
    for child in range(block.first, block.first + block.size):
        n = tree.nodes[child].visits
        if n == 0:
            continue
        mean = mean_value(tree, child, mover)
        rank = n + 0.5 * mean
        if tree.nodes[child].proof == PROVEN:
            if mean >= 1.0:
                return int(child)
            if mean <= 0.0:
                rank = -1.0 + 1e-9 * n
            elif tree.nodes[node].proof == PROVEN:
                rank = mean * 1e12
        if best < 0 or rank > best_rank:
            best, best_rank = int(child), rank
    return best
