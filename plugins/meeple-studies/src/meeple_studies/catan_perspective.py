"""One player's knowledge of another player or of itself: ten card distributions and public facts.

Source: "Explorers of Catan with a neural network computer player", whose network observes these.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from meeple.games.catan.belief.seat_belief import CatanBelief
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import cards_of, public_points
from meeple.games.catan.words.names import player
from meeple.games.contract.game import Position

NUM_COUNTS = c.BANK_CARDS + 1
"""Length of a distribution: the probabilities of 0 to 19 cards, the most that exist of any kind."""


@dataclass(frozen=True)
class PublicKnowledge:
    """The public facts about a player."""

    points: int
    """Points without victory point cards."""
    hand: int
    """Number of resource cards."""
    development_cards: int
    """Number of development cards held, not yet played."""
    played: Mapping[str, int]
    """Number of development cards played, by kind."""
    roads: int
    settlements: int
    cities: int
    """Number of pieces left to build."""
    road_length: int
    longest_road: bool
    largest_army: bool
    """Whether the player holds the award."""


@dataclass(frozen=True)
class Perspective:
    """An observer's knowledge of an observed player's cards, and the public facts."""

    observer: int
    observed: int
    """Seats, from 0."""
    chances: Mapping[str, npt.NDArray[np.float64]]
    """By resource and kind of development card: [20], the probabilities of holding 0 to 19."""
    exact: bool
    """Whether the distributions of resources are exact rather than those of a sample."""
    public: PublicKnowledge

    def least(self, card: str) -> int:
        """Return the smallest number of a card that the observed player may hold."""
        return int(np.flatnonzero(self.chances[card])[0])

    def most(self, card: str) -> int:
        """Return the largest number of a card that the observed player may hold."""
        return int(np.flatnonzero(self.chances[card])[-1])

    def expected(self, card: str) -> float:
        """Return the expected number of a card in the observed player's hand."""
        return float(self.chances[card] @ np.arange(NUM_COUNTS))

    def __str__(self) -> str:
        """Return the public facts, then one line per card: mean and probabilities of 0, 1, 2..."""
        return "\n".join([*_heading(self), *_table(self)])


def perspective(
    position: Position, observer: int, observed: int, belief: CatanBelief | None = None
) -> Perspective:
    """Return one seat's knowledge of another seat or of itself.

    Args:
        position: the current position.
        observer: the seat whose knowledge is returned.
        observed: the seat whose cards are described.
        belief: the observer's belief, if the caller has one; it is updated to `position`.

    Raises:
        ValueError: the game has no such seat, or `belief` belongs to another seat.
    """
    players = int(position.state.players)
    for seat in (observer, observed):
        if not 0 <= seat < players:
            raise ValueError(f"there is no seat {seat}; seats: 0 to {players - 1}")
    belief = _new_belief(position, observer) if belief is None else belief
    if belief.seat != observer:
        raise ValueError(f"this is the belief of seat {belief.seat}, not of seat {observer}")
    belief.follow(position)
    hands = belief.hand_marginals()[observed]
    unseen = belief.card_marginals()[observed]
    chances = {c.RESOURCES[r]: hands[r] for r in range(c.KINDS)}
    for card, name in enumerate(c.CARDS):
        seen = int(belief.known[observed, card])
        chances[name] = np.concatenate([np.zeros(seen), unseen[card][: NUM_COUNTS - seen]])
    for row in chances.values():
        row.flags.writeable = False
    public = _public_knowledge(position, observed)
    return Perspective(observer, observed, MappingProxyType(chances), belief.exact, public)


def perspectives(position: Position) -> dict[tuple[int, int], Perspective]:
    """Return the perspectives of all pairs of seats (observer, observed)."""
    players = range(int(position.state.players))
    beliefs = {seat: _new_belief(position, seat) for seat in players}
    return {
        (observer, observed): perspective(position, observer, observed, beliefs[observer])
        for observer in players
        for observed in players
    }


def _new_belief(position: Position, seat: int) -> CatanBelief:
    belief = position.game.belief(seat)
    assert isinstance(belief, CatanBelief)
    return belief


def _public_knowledge(position: Position, seat: int) -> PublicKnowledge:
    s = position.state
    return PublicKnowledge(
        points=int(public_points(s, seat)),
        hand=int(cards_of(s, seat)),
        development_cards=int(s.cards[seat].sum()),
        played=MappingProxyType(
            {name: int(s.played[seat, card]) for card, name in enumerate(c.CARDS)}
        ),
        roads=int(s.roads[seat]),
        settlements=int(s.settlements[seat]),
        cities=int(s.cities[seat]),
        road_length=int(s.road_length[seat]),
        longest_road=bool(s.longest_road == seat),
        largest_army=bool(s.largest_army == seat),
    )


# ---------------------------------------------------------------- as text


def _heading(view: Perspective) -> list[str]:
    """Return two lines: observer and observed player, and the public facts."""
    who = "itself" if view.observer == view.observed else player(view.observed)
    public = view.public
    awards = [
        award
        for award, held in (("longest road", public.longest_road), ("army", public.largest_army))
        if held
    ]
    played = ", ".join(f"{count} {name}" for name, count in public.played.items() if count)
    kind = "exact" if view.exact else "a sample"
    facts = [
        f"{public.points} points",
        f"{public.hand} cards",
        f"{public.development_cards} development cards",
        f"played: {played or 'none'}",
        f"road of {public.road_length}",
        f"left: {public.roads} roads, {public.settlements} settlements, {public.cities} cities",
        *awards,
    ]
    return [f"What {player(view.observer)} knows of {who} ({kind})", "; ".join(facts)]


def _table(view: Perspective) -> list[str]:
    """Return one line per card, without columns that are impossible for all cards."""
    columns = 1 + max(view.most(card) for card in view.chances)
    head = f"{'':14}{'mean':>6}" + "".join(f"{number:>6}" for number in range(columns))
    lines = [head]
    for card, chances in view.chances.items():
        cells = "".join(_percent(chance) for chance in chances[:columns])
        lines.append(f"{card:14}{view.expected(card):6.2f}{cells}".rstrip())
    return lines


def _percent(chance: float) -> str:
    """Return a probability in a column of six characters; blank if it is 0."""
    if chance == 0:
        return " " * 6
    return "  <1 %" if chance < 0.005 else f"{100 * chance:4.0f} %"
