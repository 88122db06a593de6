"""Equilibria of small games with chance and hidden information, by CFR+.

Counterfactual regret minimisation (Zinkevich, Johanson, Bowling and Piccione, 2007) with the
changes of CFR+ (Tammelin, 2014): regrets are clipped at 0, seats update in turns, and the average
gives later strategies more weight. The payoffs of two seats sum to 1, so the average converges to
an equilibrium; best responses give its exact exploitability.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from meeple.errors import TooLarge
from meeple.search.exact.information_tree import Floats, InformationTree

MAX_ITERATIONS = 2000  # default maximum
PRECISION = 1e-4  # exploitability, in shares, below which a strategy counts as an equilibrium
CHECK_ITERATIONS = 100  # iterations between two computations of the exploitability

Progress = Callable[[int, float], None]  # called with the iterations so far, and the exploitability


@dataclass(frozen=True)
class Equilibrium:
    """Strategies of both seats with a small exploitability."""

    tree: InformationTree
    strategy: Floats  # [S] the probability of each slot
    payoffs: Floats  # [2] the shares that both seats expect
    exploitability: float  # share that a best response gains, the mean of both seats
    iterations: int
    seconds: float


def solve_by_cfr(
    tree: InformationTree,
    iterations: int = MAX_ITERATIONS,
    precision: float = PRECISION,
    progress: Progress | None = None,
) -> Equilibrium:
    """Run CFR+ until the exploitability is below `precision`, or for `iterations` iterations.

    Args:
        tree: the whole game.
        iterations: maximum number of iterations.
        precision: exploitability, in shares, at which to stop.
        progress: called with the iterations so far and the exploitability.

    Raises:
        TooLarge: the game does not have two players.
    """
    if tree.game.players != 2:
        raise TooLarge(f"only games of 2 players can be solved, and this has {tree.game.players}")
    began, done = time.perf_counter(), 0
    regrets, total = np.zeros(len(tree.sets.action)), np.zeros(len(tree.sets.action))
    while True:
        done += 1
        for seat in (0, 1):
            _update(tree, seat, done, regrets, total)
        if done % CHECK_ITERATIONS and done < iterations:
            continue
        average = matched(tree, total)
        exploitable = exploitability(tree, average)
        if progress is not None:
            progress(done, exploitable)
        if exploitable < precision or done >= iterations:
            seconds = time.perf_counter() - began
            return Equilibrium(
                tree, average, expected_payoffs(tree, average), exploitable, done, seconds
            )


def _update(
    tree: InformationTree, seat: int, iteration: int, regrets: Floats, total: Floats
) -> None:
    """Update a seat's regrets [S] and the sum [S] of its strategies, in place."""
    strategy = matched(tree, regrets)
    own, values = counterfactual(tree, strategy, seat)
    mine = tree.sets.mover[tree.sets.of_slot] == seat
    expected = np.add.reduceat(strategy * values, tree.sets.first[:-1])
    gained = values - expected[tree.sets.of_slot]
    regrets[mine] = np.maximum(regrets + gained, 0.0)[mine]
    # Weight by the seat's own reach probability, and later iterations more.
    total[mine] += (iteration * own * strategy)[mine]


def matched(tree: InformationTree, weights: Floats) -> Floats:
    """Return the strategy [S] proportional to weights >= 0; uniform in a set if all are 0."""
    sums = np.add.reduceat(weights, tree.sets.first[:-1])
    widths = np.diff(tree.sets.first)
    known = np.where(sums > 0, sums, 1.0)[tree.sets.of_slot]
    return np.where(sums[tree.sets.of_slot] > 0, weights / known, 1.0 / widths[tree.sets.of_slot])


def counterfactual(tree: InformationTree, strategy: Floats, seat: int) -> tuple[Floats, Floats]:
    """Return a seat's reach [S] and counterfactual shares [S] of its slots.

    The reach is the probability that the seat's own choices lead to the set; the shares of an
    action are weighted by the probability that all others and chance lead to each node.
    """
    own, others = _reaches(tree, strategy, seat)
    shares = _values(tree, strategy)[:, seat]
    chosen = np.flatnonzero(tree.slot >= 0)
    chosen = chosen[tree.mover[tree.parent[chosen]] == seat]
    slots, above = tree.slot[chosen], tree.parent[chosen]
    count = len(tree.sets.action)
    values: Floats = np.bincount(slots, shares[chosen] * others[above], count).astype(np.float64)
    reached = np.zeros(count)
    reached[slots] = own[above]  # the same at all nodes of a set, by perfect recall
    return reached, values


def _factors(tree: InformationTree, strategy: Floats) -> Floats:
    """[N] the probability of the action or outcome that leads to each node."""
    return np.where(tree.slot >= 0, strategy[tree.slot], tree.chance)


def _reaches(tree: InformationTree, strategy: Floats, seat: int) -> tuple[Floats, Floats]:
    """[N] the reach probabilities of each node: by the seat's choices, and by all others."""
    factors = _factors(tree, strategy)
    own, others = np.ones(len(factors)), np.ones(len(factors))
    is_own = (tree.slot >= 0) & (tree.mover[tree.parent] == seat)
    own_factors, other_factors = np.where(is_own, factors, 1.0), np.where(is_own, 1.0, factors)
    for level in tree.levels[1:]:
        above = tree.parent[level]
        own[level] = own[above] * own_factors[level]
        others[level] = others[above] * other_factors[level]
    return own, others


def _values(tree: InformationTree, strategy: Floats) -> Floats:
    """[N, P] the expected shares of all seats at each node."""
    factors, values = _factors(tree, strategy), tree.payoffs.copy()
    for level in reversed(tree.levels[1:]):
        above = tree.parent[level]
        begins = np.flatnonzero(np.diff(above, prepend=-1))
        values[above[begins]] += np.add.reduceat(
            factors[level, None] * values[level], begins, axis=0
        )
    return values


def expected_payoffs(tree: InformationTree, strategy: Floats) -> Floats:
    """Return the expected shares [P] of all seats if all play `strategy`."""
    return np.asarray(_values(tree, strategy)[0])


def best_answer(tree: InformationTree, strategy: Floats, seat: int) -> tuple[Floats, float]:
    """Return `strategy` [S] with one seat's best response in its place, and that seat's share.

    The seat's last decisions are solved first: each is best given the later ones.
    """
    answer = strategy.copy()
    sets = tree.sets
    mine = sets.mover == seat
    for depth in sorted(set(sets.depth[mine].tolist()), reverse=True):
        _, values = counterfactual(tree, answer, seat)
        for number in np.flatnonzero(mine & (sets.depth == depth)).tolist():
            first, end = int(sets.first[number]), int(sets.first[number + 1])
            answer[first:end] = 0.0
            answer[first + int(values[first:end].argmax())] = 1.0
    return answer, float(expected_payoffs(tree, answer)[seat])


def exploitability(tree: InformationTree, strategy: Floats) -> float:
    """Return the share that a best response gains, the mean of all seats; 0: an equilibrium.

    This is NashConv divided by the number of seats (Lanctot et al., 2017).
    """
    seats = range(tree.game.players)
    best = sum(best_answer(tree, strategy, seat)[1] for seat in seats)
    return (best - 1.0) / tree.game.players  # without a best response the shares sum to 1
