"""Exchange of resource cards in Catan, and offers composed card by card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


def holds(hand: list[int], cards: Sequence[int]) -> bool:
    """Return whether a hand has all of the cards, with multiplicity."""
    return all(hand[resource] >= cards.count(resource) for resource in range(5))


def hand_over(giver: list[int], taker: list[int], cards: Iterable[int]) -> None:
    """Move cards from one hand, or the bank, to another."""
    for card in cards:
        giver[card] -= 1
        taker[card] += 1


@dataclass
class Offer:
    """The cards that a seat gives and wants, as sorted lists."""

    seat: int
    give: list[int] = field(default_factory=list)
    want: list[int] = field(default_factory=list)

    def steps(self, hand: list[int], most_wanted: int) -> set[tuple[str] | tuple[str, int]]:
        """Return the next steps of an offer for a seat with this hand: gifts first, then wants."""
        able: set[tuple[str] | tuple[str, int]] = set()
        for resource in range(5):
            left = hand[resource] - self.give.count(resource)
            if not self.want and resource >= self.give[-1] and left:
                able.add(("give", resource))
            rising = not self.want or resource >= self.want[-1]
            if resource not in self.give and rising and len(self.want) < most_wanted:
                able.add(("want", resource))
        if self.want:
            able.add(("propose",))
        return able
