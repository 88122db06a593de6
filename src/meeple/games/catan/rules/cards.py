"""Cards in hands, in the bank and in the deck: counts, payments and points."""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.kernels import below, kernel

_COSTS = c.COSTS


@kernel
def cards_of(s: Any, seat: int) -> int:
    """Return the number of resource cards that a seat holds."""
    total = 0
    for r in range(c.KINDS):
        total += int(s.hand[seat, r])
    return total


@kernel
def deck_size(s: Any) -> int:
    """Return the number of development cards left in the deck."""
    left = 0
    for card in range(c.KINDS):
        left += int(s.deck[card])
    return left


@kernel
def can_buy(s: Any, seat: int, thing: int) -> bool:
    """Return whether a seat holds the cards that a road, settlement, city or card costs."""
    for r in range(c.KINDS):
        if s.hand[seat, r] < _COSTS[thing, r]:
            return False
    return True


@kernel
def pay_for(s: Any, seat: int, thing: int) -> None:
    """Move the cards that a thing costs from a hand to the bank."""
    for r in range(c.KINDS):
        pay(s, seat, r, np.int64(_COSTS[thing, r]))


@kernel
def rate_of(s: Any, seat: int, resource: int) -> int:
    """Return the cards of a resource that the bank takes from a seat for one card: 4, 3 or 2."""
    ports = np.int64(s.ports[seat])
    if ports & (1 << (2 + resource)):
        return 2
    return 3 if ports & 2 else 4


@kernel
def can_pay(s: Any, seat: int, proposer: int) -> bool:
    """Return whether a seat holds all cards that a proposer wants."""
    for r in range(c.KINDS):
        if s.hand[seat, r] < s.want[proposer, r]:
            return False
    return True


@kernel
def public_points(s: Any, seat: int) -> int:
    """Return a seat's public points: those of its buildings and awards."""
    points = 5 - np.int64(s.settlements[seat]) + 2 * (4 - np.int64(s.cities[seat]))
    if s.longest_road == seat:
        points += 2
    if s.largest_army == seat:
        points += 2
    return int(points)


@kernel
def points(s: Any, seat: int) -> int:
    """Return a seat's points, including its victory point cards."""
    return int(public_points(s, seat) + np.int64(s.cards[seat, c.VICTORY_POINT]))


@kernel
def pay(s: Any, seat: int, resource: int, count: int) -> None:
    """Move cards from a hand to the bank; a negative count moves them the other way."""
    s.hand[seat, resource] -= count
    s.bank[resource] += count


@kernel
def draw_card(pool: Any, left: int, rng: Any) -> int:
    """Remove a random card from a pool and return its kind.

    Args:
        pool: [5] number of cards per kind; updated.
        left: the sum of `pool`.
        rng: advanced by one step.
    """
    mark = below(rng, left)
    kind = 0
    while mark >= pool[kind]:
        mark -= int(pool[kind])
        kind += 1
    pool[kind] -= 1
    return kind


@kernel
def move_card(s: Any, source: int, target: int, resource: int, count: int) -> None:
    """Move cards from hand to hand; a negative count moves them the other way."""
    s.hand[source, resource] -= count
    s.hand[target, resource] += count
