"""Simulated matches for the sequential test.

Results of pairs of games are drawn from a known distribution, and `meeple.arena.figures.sprt`
evaluates them as in a match. No game is played.
"""

import numpy as np
import numpy.typing as npt

from meeple.arena.figures.sprt import UNSEEN, Hypotheses, log_ratio

Chances = npt.NDArray[np.float64]  # [5], of RESULTS

RESULTS = np.array([0, 0.25, 0.5, 0.75, 1])  # results of a pair of games for the first agent
MATCHES = 1000


def never_drawn(share: float) -> Chances:
    """Return the chances without draws, with independent games in a pair."""
    lost = 1 - share
    return np.array([lost * lost, 0, 2 * share * lost, 0, share * share])


def often_drawn(share: float) -> Chances:
    """Return the chances with six draws in ten games."""
    drawn = 0.6
    won = share - drawn / 2
    lost = 1 - won - drawn
    middle = 2 * won * lost + drawn**2
    return np.array([lost**2, 2 * lost * drawn, middle, 2 * won * drawn, won**2])


def by_the_seat(share: float) -> Chances:
    """Return the chances without draws if the first seat wins 85 % between equals."""
    first, second = share + 0.35, share - 0.35
    both, none = first * second, (1 - first) * (1 - second)
    return np.array([none, 0, 1 - both - none, 0, both])


def simulate(
    chances: Chances, hypotheses: Hypotheses, seed: int, matches: int = MATCHES
) -> tuple[float, float]:
    """Return the share of matches in which `high` was accepted, and the mean number of pairs."""
    rng = np.random.default_rng(seed)
    low, high = hypotheses.bounds
    counts = np.zeros((matches, 5))
    counts[:, [0, 2, 4]] = UNSEEN
    playing, accepted, pairs = np.arange(matches), 0, 0
    while len(playing):
        counts[playing, rng.choice(5, size=len(playing), p=chances)] += 1
        ratios = log_ratio(RESULTS, counts[playing], *hypotheses.shares)
        pairs += len(playing)
        accepted += int((ratios >= high).sum())
        playing = playing[(low < ratios) & (ratios < high)]
    return accepted / matches, pairs / matches
