"""Resource cards of Catan changing hands, and offers, which are composed card by card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


def holds(hand: list[int], cards: Sequence[int]) -> bool:
    """Whether a hand has all of the cards, each as often as it is named."""
    return all(hand[resource] >= cards.count(resource) for resource in range(5))


def hand_over(giver: list[int], taker: list[int], cards: Iterable[int]) -> None:
    """From one hand, or the bank, to another."""
    for card in cards:
        giver[card] -= 1
        taker[card] += 1


@dataclass
class Offer:
    """What a seat would give, and what it wants for that, as sorted lists of cards."""

    seat: int
    give: list[int] = field(default_factory=list)
    want: list[int] = field(default_factory=list)

    def steps(self, hand: list[int], most_wanted: int) -> set[tuple[str] | tuple[str, int]]:
        """How an offer begun goes on, for a seat with this hand: first all given, then wanted."""
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
