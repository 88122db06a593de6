"""The card tracker: what a seat can tell of the others' hands, from its own belief and no more.

A belief is costly to build from the start of a game, so the latest are kept and follow.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from meeple.games.catan.belief.seat_belief import ONLOOKER, CatanBelief
from meeple.games.catan.rules.state import BANK, KINDS
from meeple.games.contract.game import Position

MOST_BELIEFS = 96  # kept at a time; each is about a quarter of a megabyte
_DIGITS = 4


Marginals = list[dict[str, Any] | None]


@dataclass
class _Kept:
    """A belief, and what it tells after some actions of its game."""

    belief: CatanBelief
    actions: tuple[int, ...] | None = None
    told: Marginals = field(default_factory=list)


class Tracker:
    """The beliefs of the seats asked about last, and what they say, as JSON data."""

    def __init__(self, most: int = MOST_BELIEFS) -> None:
        self._most = most
        self._kept: OrderedDict[Any, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many beliefs are kept."""
        return len(self._kept)

    def look(self, position: Position, seat: int | None) -> Marginals:
        """What a seat (None: anybody) can tell of each hand, by seat; None of its own.

        Of each resource, in their order: `expected` cards, the chance of at least `one`, and the
        `chances` of 0, 1, 2.. cards up to the most possible; `exact` unless they are a sample's.
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
    """A belief at the start of a game."""
    belief = position.game.belief(ONLOOKER if seat is None else seat)
    assert isinstance(belief, CatanBelief)
    return belief


def _tell(belief: CatanBelief, seat: int | None) -> Marginals:
    """The marginals of every hand but the seat's own."""
    marginals = belief.hand_marginals()
    expected = marginals @ np.arange(BANK + 1)
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
    """The chances of 0, 1, 2.. cards, without the impossible ones at the end."""
    most = max(number for number, chance in enumerate(row) if chance > 0)
    return [round(chance, _DIGITS) for chance in row[: most + 1]]
