"""Selection rules agree with plain versions of their formulas on random statistics."""

import math

import numpy as np
import pytest

from meeple.search.mcts.lockstep_kernels import LockstepSettings
from meeple.search.mcts.selection import (
    FPU_REDUCTION,
    VIRTUAL_LOSS,
    best_by_improved_policy,
    best_by_puct,
    best_by_uct,
    best_child,
    count_in_flight,
    keep_exploration,
    open_at_random,
    open_in_order,
    refresh_opened_uct,
    refresh_puct,
    refresh_uct,
    sample_outcome,
)
from meeple.search.mcts.tree import OPEN, PROVEN, new_forest
from tests.naive.generator import Generator

NODE, FIRST = 2, 4  # slots of the parent and its first child; actions are 10, 11, ...


def family(visits, means, *, priors=None, proven=(), mover=0):
    """Return a tree with a node and these children; `means` are the mover's, of two players."""
    count = len(visits)
    tree = new_forest(1, 2, FIRST + count + 2).tree(0)
    tree.nodes[NODE]["block"] = 1
    tree.nodes[NODE]["to_move"] = mover
    tree.blocks[1]["first"], tree.blocks[1]["size"] = FIRST, count
    tree.blocks[1]["opened"] = sum(n > 0 for n in visits)
    tree.spread[:] = 1
    for index, (n, mean) in enumerate(zip(visits, means, strict=True)):
        node = FIRST + index
        tree.nodes[node]["visits"], tree.action[node] = n, 10 + index
        tree.nodes[node]["proof"] = PROVEN if index in proven else OPEN
        tree.value_sum[node, mover], tree.value_sum[node, 1 - mover] = n * mean, n * (1 - mean)
        tree.prior[node] = 1 / count if priors is None else priors[index]
    return tree


def drawn(seed, count=6, least=1):
    """Draw visits, means and priors of children."""
    rng = np.random.default_rng(seed)
    visits, means = rng.integers(least, 30, count), rng.uniform(0, 1, count)
    return visits.tolist(), means.tolist(), rng.dirichlet(np.ones(count)).tolist()


def give(tree, visits, value):
    """Set the parent's visits and its players' mean shares."""
    tree.nodes[NODE]["visits"] = visits
    tree.value_sum[NODE] = np.array(value) * visits


# ---------------------------------------------------------------- the next child to open


@pytest.mark.parametrize("odds", [(0.25, 0.75), (0.1, 0.0, 0.6, 0.3), (1.0,), (0.25, 0.5)])
def test_an_outcome_is_drawn_by_its_odds_and_the_last_one_takes_the_rounding_error(odds):
    tree = family([0] * len(odds), [0] * len(odds), priors=odds)
    for seed in range(40):
        rng, twin = Generator(seed), Generator(seed)
        mark = twin.uniform()
        expected = sum(mark >= limit for limit in np.cumsum(odds)[:-1])
        assert sample_outcome(tree, tree.blocks[1], rng.record[0]) == FIRST + expected
        assert rng.record == twin.record


def test_children_are_opened_in_random_order():
    for seed in range(20):
        tree = family([0] * 5, [0] * 5)
        tree.value_sum[:], tree.mean[:], tree.spread[:] = 7, 7, 7
        block, rng, twin = tree.blocks[1], Generator(seed), Generator(seed)
        untried = [10, 11, 12, 13, 14]
        block["visits"] = 1
        for opened in range(5):
            chosen = twin.below(len(untried))
            untried[0], untried[chosen] = untried[chosen], untried[0]
            child = open_at_random(tree, block, 0, rng.record[0])
            assert child == FIRST + opened
            assert tree.action[child] == untried.pop(0)
            assert sorted(tree.action[FIRST : FIRST + 5].tolist()) == [10, 11, 12, 13, 14]
            assert block["opened"] == opened + 1
            assert tree.value_sum[child].tolist() == [0, 0]
            assert (tree.value_sum[child + 1] == 7).all()
            # The next selection is by UCB1 once all are open.
            expected = math.sqrt(math.log(2)) if opened == 4 else 0
            assert block["explore"] == pytest.approx(expected)
        assert (tree.mean[FIRST : FIRST + 5] == 0).all()
        assert (tree.spread[FIRST : FIRST + 5] == 1).all()


def test_what_uct_scans_is_stored_once_the_last_child_is_opened():
    tree = family([4, 9, 2, 0], [0.25, 0.5, 1, 0], proven=[2], mover=1)
    block, rng = tree.blocks[1], Generator(0)
    tree.mean[FIRST + 2], tree.spread[FIRST + 2] = 1, 0
    refresh_opened_uct(tree, NODE, FIRST, 1, 4)
    assert (tree.mean[FIRST], tree.spread[FIRST]) == (0, 1)
    open_at_random(tree, block, 1, rng.record[0])
    assert tree.mean[FIRST : FIRST + 4].tolist() == [0.25, 0.5, 1, 0]
    assert tree.spread[FIRST : FIRST + 4].tolist() == pytest.approx([1 / 2, 1 / 3, 0, 1])
    tree.value_sum[FIRST, 1] = 4
    refresh_opened_uct(tree, NODE, FIRST, 1, 16)
    assert (tree.mean[FIRST], tree.spread[FIRST]) == (0.25, 0.25)


@pytest.mark.parametrize(
    ("proven", "opened"),
    [((), [0, 1, 2, -1, -1]), ((0, 1), [2, -1]), ((1, 2), [0, -1]), ((0, 1, 2), [-1, -1])],
)
def test_proven_children_are_skipped_when_opened_in_order(proven, opened):
    tree = family([0] * 3, [0] * 3, proven=proven)
    block = tree.blocks[1]
    block["visits"] = 4
    for index in opened:
        assert open_in_order(tree, block) == (FIRST + index if index >= 0 else -1)
        # The next selection is by UCB1 once all are open.
        expected = math.sqrt(math.log(5)) if block["opened"] == 3 else 0
        assert block["explore"] == pytest.approx(expected)
    assert block["opened"] == 3


# ---------------------------------------------------------------- UCB1


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize("c", [0.0, 0.4, 2.0])
def test_uct_chooses_by_ucb1(c, mover):
    chosen = set()
    for seed in range(25):
        visits, means, _ = drawn(seed)
        tree = family(visits, means, mover=mover)
        block = tree.blocks[1]
        for child, n in enumerate(visits, FIRST):
            refresh_uct(tree, NODE, child, mover, n)
        block["visits"] = sum(visits)
        keep_exploration(block)
        total = sum(visits) + 1  # including the selection in progress
        block["visits"] = total
        scores = [
            mean + c * math.sqrt(math.log(total) / n) for n, mean in zip(visits, means, strict=True)
        ]
        best = int(np.argmax(scores))
        assert best_by_uct(tree, block, c) == FIRST + best
        assert block["explore"] == pytest.approx(math.sqrt(math.log(total + 1)))
        chosen.add(best)
    assert chosen == set(range(6))


def test_first_of_equal_children_is_chosen():
    tree = family([3, 5, 5, 2, 5], [0.2, 0.6, 0.6, 0.2, 0.6])
    give(tree, 20, [0.5, 0.5])
    for refresh, best in (
        (refresh_uct, lambda: best_by_uct(tree, tree.blocks[1], 0.0)),
        (refresh_puct, lambda: best_by_puct(tree, NODE, 0, LockstepSettings(0.0))),
    ):
        for child in range(FIRST, FIRST + 5):
            refresh(tree, NODE, child, 0, int(tree.visits[child]))
        assert best() == FIRST + 1
    behind = family([4, 2, 2, 2], [0.5, 0.5, 0.5, 0.5])
    assert best_by_improved_policy(behind, NODE, 0.1, np.zeros(8, np.float32)) == FIRST + 1


def test_proven_loss_comes_last_even_if_all_other_values_are_zero():
    tree = family([4, 4, 4], [0, 0, 0])
    tree.mean[FIRST : FIRST + 3], tree.spread[FIRST : FIRST + 3] = [-1, 0, -1], [0, 0.5, 0]
    give(tree, 12, [0, 1])
    tree.blocks[1]["visits"] = 12
    for c in (0.0, 1.0):
        assert best_by_uct(tree, tree.blocks[1], c) == FIRST + 1
        assert best_by_puct(tree, NODE, 0, LockstepSettings(c)) == FIRST + 1
    tree.mean[FIRST + 1], tree.spread[FIRST + 1] = -1, 0
    assert best_by_uct(tree, tree.blocks[1], 1.0) == FIRST
    assert best_by_puct(tree, NODE, 0, LockstepSettings(1.0)) == FIRST


# ---------------------------------------------------------------- PUCT


def naive_puct(visits, means, priors, own, c, total):
    """Return Q + c P sqrt(N) / (1 + n); Q of an unvisited child is the node's minus a reduction."""
    tried = sum(prior for n, prior in zip(visits, priors, strict=True) if n)
    urgency = max(0.0, own - 0.1 * math.sqrt(tried))
    return [
        (mean if n else urgency) + c * prior * math.sqrt(total) / (1 + n)
        for n, mean, prior in zip(visits, means, priors, strict=True)
    ]


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize("c", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("own", [0.05, 0.5, 0.9])
def test_puct_chooses_by_its_formula_with_first_play_urgency(own, c, mover):
    for seed in range(40):
        visits, means, priors = drawn(seed)
        for index in range(seed % 6):
            visits[(seed + index) % 6] = 0
        tree = family(visits, means, priors=priors, mover=mover)
        for child, n in enumerate(visits, FIRST):
            if n:
                refresh_puct(tree, NODE, child, mover, n)
        give(tree, sum(visits) + 2, [own, 1 - own] if mover == 0 else [1 - own, own])
        tree.blocks[1]["visits"] = sum(visits) + 1
        scores = naive_puct(visits, means, priors, own, c, sum(visits) + 1)
        best = FIRST + int(np.argmax(scores))
        assert best_by_puct(tree, NODE, mover, LockstepSettings(c)) == best


def test_first_play_urgency_is_a_tenth_below_the_node_if_the_whole_policy_is_visited():
    assert float(FPU_REDUCTION) == pytest.approx(0.1)
    for mean, chosen in ((0.39, 1), (0.41, 0)):  # compared with a child of value 0.5 - 0.1
        tree = family([9, 0], [mean, 0], priors=[1.0, 0.0])
        refresh_puct(tree, NODE, FIRST, 0, 9)
        give(tree, 10, [0.5, 0.5])
        tree.blocks[1]["visits"] = 10
        assert best_by_puct(tree, NODE, 0, LockstepSettings(0.0)) == FIRST + chosen


def test_unvisited_child_has_a_value_of_at_least_zero():
    tree = family([9, 0], [0.01, 0], priors=[1.0, 0.0])
    refresh_puct(tree, NODE, FIRST, 0, 9)
    give(tree, 10, [0.05, 0.95])
    assert best_by_puct(tree, NODE, 0, LockstepSettings(0.0)) == FIRST
    refresh_puct(tree, NODE, FIRST, 1, 9)
    tree.mean[FIRST] = -0.01
    assert best_by_puct(tree, NODE, 0, LockstepSettings(0.0)) == FIRST + 1


def test_visits_in_flight_are_small_losses_and_leave_the_nodes_own_mean():
    tree = family([9, 0], [0.5, 0], priors=[0.0, 1.0])
    refresh_puct(tree, NODE, FIRST, 0, 9)
    give(tree, 10, [0.6, 0.4])
    tree.nodes[NODE]["visits"] += 5
    assert best_by_puct(tree, NODE, 0, LockstepSettings(0.0)) == FIRST + 1
    assert tree.mean[FIRST + 1] == pytest.approx(0.6), "nothing of the policy was tried"
    for child, visits, mean in ((FIRST, 9, 0.5), (FIRST + 1, 0, 0.6)):
        count_in_flight(tree, child, visits)
        assert tree.mean[child] == pytest.approx(mean - float(VIRTUAL_LOSS) / (visits + 1))
        assert tree.spread[child] == pytest.approx(1 / (visits + 2))


def test_among_lost_children_the_one_with_fewer_visits_in_flight_is_next():
    tree = family([1, 1], [0.0, 0.0], priors=[0.5, 0.5])
    give(tree, 3, [0.1, 0.9])
    tree.blocks[1]["visits"] = 5
    for child in (FIRST, FIRST + 1):
        refresh_puct(tree, NODE, child, 0, 1)
    for child, visits in ((FIRST, 1), (FIRST, 2), (FIRST + 1, 1)):
        count_in_flight(tree, child, visits)
    assert best_by_puct(tree, NODE, 0, LockstepSettings(0.01)) == FIRST + 1


@pytest.mark.parametrize(
    ("refresh", "mover", "visits", "mean", "spread"),
    [
        (refresh_uct, 0, 5, 0.3, 1 / math.sqrt(5)),
        (refresh_uct, 1, 4, 3.5 / 4, 0.5),  # as if visited that often
        (refresh_puct, 0, 5, 0.3, 1 / 6),
        (refresh_puct, 1, 7, 3.5 / 7, 1 / 8),
    ],
)
def test_selection_reads_a_childs_mean_and_spread(refresh, mover, visits, mean, spread):
    tree = family([5], [0.3])
    refresh(tree, NODE, FIRST, mover, visits)
    assert (tree.mean[FIRST], tree.spread[FIRST]) == pytest.approx((mean, spread))


# ---------------------------------------------------------------- the improved policy


def improved(visits, means, priors, own, scale):
    """Return softmax(log P + scale (50 + max visits) Q), with the mixed value for unvisited Q."""
    seen = [index for index, n in enumerate(visits) if n]
    total = sum(visits)
    mixed = own
    if seen:
        weight = sum(priors[index] for index in seen)
        mixed = own + total * sum(priors[index] * means[index] for index in seen) / weight
        mixed /= 1 + total
    values = np.array([mean if n else mixed for n, mean in zip(visits, means, strict=True)])
    logits = np.log(priors) + scale * (50 + max(visits)) * values
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize("scale", [0.0, 0.02, 0.2])
def test_visits_follow_the_improved_policy(scale, mover):
    scores = np.zeros(8, dtype=np.float32)
    for seed in range(40):
        visits, means, priors = drawn(seed, least=0)
        for index in range(seed % 7):
            visits[(seed + index) % 6] = 0
        tree = family(visits, means, priors=priors, mover=mover)
        tree.blocks[1]["value"] = 0.4
        behind = improved(visits, means, priors, 0.4, scale) - np.array(visits) / (1 + sum(visits))
        found = best_by_improved_policy(tree, NODE, scale, scores)
        assert found == FIRST + int(np.argmax(behind))


@pytest.mark.parametrize(
    ("visits", "means", "proven", "chosen"),
    [
        ([1, 90, 0], [0, 0.3, 0], [0], 2),
        ([1, 90, 90], [0, 0.3, 0.29], [0], 1),
        ([1, 90, 90], [0, 0, 0.3], [0, 1], 2),
    ],
)
def test_proven_loss_is_never_visited(visits, means, proven, chosen):
    tree = family(visits, means, proven=proven)
    found = best_by_improved_policy(tree, NODE, 0.01, np.zeros(8, dtype=np.float32))
    assert found == FIRST + chosen


# ---------------------------------------------------------------- the played child


@pytest.mark.parametrize(
    ("visits", "means", "proven", "all_proven", "best"),
    [
        ([0, 0, 0], [0, 0, 0], [], False, None),
        ([3, 8, 5], [0.9, 0.1, 0.5], [], False, 1),
        ([0, 0, 1], [0, 0, 0], [], False, 2),
        ([5, 8, 8], [0.9, 0.2, 0.3], [], False, 2),  # the better of the most visited
        ([5, 8, 8], [0.9, 0.3, 0.3], [], False, 1),  # the first of the most visited
        ([5, 6, 1], [1.0, 0.1, 0.0], [], False, 1),  # a visit counts for more than any mean
        ([5, 6, 8], [1.0, 0.0, 0.0], [], False, 2),  # a mean of 1 is not a proof
        ([50, 1, 8], [0.9, 1.0, 1.0], [1, 2], False, 1),  # the first proven win
        ([50, 1, 8], [0.0, 0.0, 0.1], [0], False, 2),  # a proven loss only if all are
        ([2, 1, 0], [0.0, 0.0, 0.0], [0], False, 1),
        ([3, 7, 0], [0.0, 0.0, 0.0], [0, 1], False, 1),  # the most visited of the losing ones
        ([7, 3, 7], [0.0, 0.0, 0.0], [0, 1, 2], True, 0),
        ([50, 3, 2], [0.2, 0.5, 0.4], [0, 1, 2], True, 1),  # the best, whatever its visits
        ([50, 3, 3], [0.0, 0.5, 0.5], [0, 1, 2], True, 1),
        ([50, 3, 2], [0.9, 0.5, 0.4], [1, 2], True, 1),  # the best proven one if the node is proven
        ([9, 3, 2], [0.2, 0.5, 0.4], [0, 1, 2], False, 0),  # they alone do not prove the node
    ],
)
@pytest.mark.parametrize("mover", [0, 1])
def test_the_choice_is_a_proven_win_or_the_most_visited(
    visits, means, proven, all_proven, best, mover
):
    tree = family(visits, means, proven=proven, mover=mover)
    tree.nodes[NODE]["proof"] = PROVEN if all_proven else OPEN
    assert best_child(tree, NODE) == (-1 if best is None else FIRST + best)
