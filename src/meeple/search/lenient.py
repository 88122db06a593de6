"""Lenient choice: moves that give away more are played less often.

A move that gives away `d` of a share is chosen with a probability proportional to
exp(-d / loss), as KaTrain's opponent "score loss" chooses by the points that a move loses,
exp(-strength * points). The draw adds Gumbel noise to the values and takes the
greatest sum (Yellott, "The relationship between Luce's choice axiom, Thurstone's theory of
comparative judgment, and the double exponential distribution", 1977), so that a search may
add the noise at its root and still prune.
"""

import dataclasses

import numpy as np
import numpy.typing as npt

from meeple.search.result import SearchResult, with_choice

WHOLE_SHARE = 1.0 - 1e-9  # minimum share of a sole winner


def gumbel_noise(rng: np.random.Generator, count: int, loss: float) -> npt.NDArray[np.float64]:
    """Return noise [count] in shares, at most 0: the greatest sum with values is the choice."""
    noise = loss * rng.gumbel(size=count)
    return np.asarray(noise - noise.max())


def draw_lenient(values: npt.NDArray[np.float64], loss: float, rng: np.random.Generator) -> int:
    """Return the index of a value [n], drawn; at a loss of 0 the first of the greatest.

    A value of a whole share is a certain win, and is not given away.
    """
    best = int(np.argmax(values))
    if loss == 0.0 or values[best] >= WHOLE_SHARE:
        return best
    return int(np.argmax(values + gumbel_noise(rng, len(values), loss)))


def with_lenient_choice(
    result: SearchResult, seat: int, loss: float, rng: np.random.Generator
) -> SearchResult:
    """Return the result of a tree search with a choice that is drawn among the visited actions.

    No action counts as better than the search's own choice, since values of few visits are
    uncertain. Visits and values stay as they are.
    """
    visited = np.flatnonzero(result.visits)
    own = result.values[result.actions == result.best, seat]
    if len(visited) < 2 or np.isnan(own).any():
        return result
    values = np.minimum(result.values[visited, seat], own)
    drawn = int(np.argmax(values + gumbel_noise(rng, len(values), loss)))
    action = int(result.actions[visited[drawn]])
    if action == result.best:
        return result
    return dataclasses.replace(with_choice(result, action), proven=False)
