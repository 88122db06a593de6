"""The card tracker: what a seat can infer about the other hands, from its own belief alone.

Building a belief from the start of a game is slow, so the latest beliefs are cached and updated.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from meeple.games.catan.belief.seat_belief import SPECTATOR, CatanBelief
from meeple.games.catan.rules.state import BANK_CARDS, KINDS
from meeple.games.contract.game import Position

MAX_CACHED_BELIEFS = 96  # each takes about 0.25 MB
_DIGITS = 4


Marginals = list[dict[str, Any] | None]


@dataclass
class _Kept:
    """A cached belief, and its marginals after `actions` of its game."""

    belief: CatanBelief
    actions: tuple[int, ...] | None = None
    told: Marginals = field(default_factory=list)


class Tracker:
    """A least-recently-used cache of beliefs that returns their marginals as JSON data."""

    def __init__(self, most: int = MAX_CACHED_BELIEFS) -> None:
        self._most = most
        self._kept: OrderedDict[Any, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return the number of cached beliefs."""
        return len(self._kept)

    def look(self, position: Position, seat: int | None) -> Marginals:
        """Return what a seat can infer about each hand.

        Args:
            position: the current position of the game.
            seat: the observing seat; None: a spectator, who sees public events only.

        Returns:
            One entry per seat, None for the observer's own. `exact` says whether the belief is
            exact rather than sampled. `cards` has one record per resource: the `expected` number
            of cards, the probability of at least `one`, and the `chances` of 0, 1, 2, ... cards.
        """
        key = position.game, seat, position.seed
        actions = position.actions
        with self._lock:
            kept = self._kept.pop(key, None) or _Kept(_belief(position, seat))
            if kept.actions != actions:
                kept.belief.follow(position)
                kept.actions, kept.told = actions, _tell(kept.belief, seat)
            self._kept[key] = kept
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return kept.told


def _belief(position: Position, seat: int | None) -> CatanBelief:
    """Return the belief of a seat at the start of a game."""
    belief = position.game.belief(SPECTATOR if seat is None else seat)
    assert isinstance(belief, CatanBelief)
    return belief


def _tell(belief: CatanBelief, seat: int | None) -> Marginals:
    """Return the marginals of every hand except the observer's own."""
    marginals = belief.hand_marginals()
    expected = marginals @ np.arange(BANK_CARDS + 1)
    return [
        None
        if other == seat
        else {
            "exact": belief.exact,
            "cards": [
                {
                    "expected": round(float(expected[other, resource]), _DIGITS),
                    "one": round(max(0.0, float(1 - marginals[other, resource, 0])), _DIGITS),
                    "chances": _chances(marginals[other, resource].tolist()),
                }
                for resource in range(KINDS)
            ],
        }
        for other in range(belief.players)
    ]


def _chances(row: list[float]) -> list[float]:
    """Return the probabilities of 0, 1, 2, ... cards without trailing zeros."""
    most = max(number for number, chance in enumerate(row) if chance > 0)
    return [round(chance, _DIGITS) for chance in row[: most + 1]]
