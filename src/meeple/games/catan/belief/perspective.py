"""What one player knows of another, or of itself: ten distributions of cards and what is public.

After "Explorers of Catan with a neural network computer player", whose network sees each player so.
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

ENTRIES = c.BANK + 1
"""Of a distribution: the chances of 0 to 19 cards; no more exist of any kind."""


@dataclass(frozen=True)
class PublicKnowledge:
    """What everybody at the board knows of a player."""

    points: int
    """Without victory point cards."""
    hand: int
    """Cards of resources."""
    development_cards: int
    """Held, not yet played."""
    played: Mapping[str, int]
    """Development cards by kind."""
    roads: int
    settlements: int
    cities: int
    """Pieces that are left to build."""
    road_length: int
    longest_road: bool
    largest_army: bool
    """Whether it holds the award."""


@dataclass(frozen=True)
class Perspective:
    """What the observer knows of the observed player's cards, and what all know."""

    observer: int
    observed: int
    """Seats, from 0."""
    chances: Mapping[str, npt.NDArray[np.float64]]
    """Of each resource and each kind of development card, the chances [20] of holding 0 to 19."""
    exact: bool
    """Whether those of resources are exact, not a sample's."""
    public: PublicKnowledge

    def least(self, card: str) -> int:
        """The smallest number of a card that the observed player may hold."""
        return int(np.flatnonzero(self.chances[card])[0])

    def most(self, card: str) -> int:
        """The largest number of a card that the observed player may hold."""
        return int(np.flatnonzero(self.chances[card])[-1])

    def expected(self, card: str) -> float:
        """How many of a card the observed player holds on average."""
        return float(self.chances[card] @ np.arange(ENTRIES))

    def __str__(self) -> str:
        """A line of what is public, then a line a card: its mean and the chances of 0, 1, 2..."""
        return "\n".join([*_heading(self), *_table(self)])


def perspective(
    position: Position, observer: int, observed: int, belief: CatanBelief | None = None
) -> Perspective:
    """What one seat knows of another, or of itself.

    `belief` is the observer's, if it is kept anyway; it takes in what it has not seen. Raises
    ValueError for a seat that the game does not have, or another's belief.
    """
    players = int(position.state.players)
    for seat in (observer, observed):
        if not 0 <= seat < players:
            raise ValueError(f"there is no seat {seat}; seats: 0 to {players - 1}")
    belief = _belief(position, observer) if belief is None else belief
    if belief.seat != observer:
        raise ValueError(f"this is the belief of seat {belief.seat}, not of seat {observer}")
    belief.follow(position)
    hands = belief.hand_marginals()[observed]
    unseen = belief.card_marginals()[observed]
    chances = {c.RESOURCES[r]: hands[r] for r in range(c.KINDS)}
    for card, name in enumerate(c.CARDS):
        seen = int(belief.known[observed, card])
        chances[name] = np.concatenate([np.zeros(seen), unseen[card][: ENTRIES - seen]])
    for row in chances.values():
        row.flags.writeable = False
    public = _public(position, observed)
    return Perspective(observer, observed, MappingProxyType(chances), belief.exact, public)


def perspectives(position: Position) -> dict[tuple[int, int], Perspective]:
    """Of all pairs of seats, (observer, observed), what the first knows of the second."""
    players = range(int(position.state.players))
    beliefs = {seat: _belief(position, seat) for seat in players}
    return {
        (observer, observed): perspective(position, observer, observed, beliefs[observer])
        for observer in players
        for observed in players
    }


def _belief(position: Position, seat: int) -> CatanBelief:
    belief = position.game.belief(seat)
    assert isinstance(belief, CatanBelief)
    return belief


def _public(position: Position, seat: int) -> PublicKnowledge:
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


# ---------------------------------------------------------------- in words


def _heading(view: Perspective) -> list[str]:
    """Who looks at whom, and what all know."""
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
    """A line of each card, without the columns that are impossible for all."""
    columns = 1 + max(view.most(card) for card in view.chances)
    head = f"{'':14}{'mean':>6}" + "".join(f"{number:>6}" for number in range(columns))
    lines = [head]
    for card, chances in view.chances.items():
        cells = "".join(_percent(chance) for chance in chances[:columns])
        lines.append(f"{card:14}{view.expected(card):6.2f}{cells}".rstrip())
    return lines


def _percent(chance: float) -> str:
    """A chance in a column of six characters; nothing where it is 0."""
    if chance == 0:
        return " " * 6
    return "  <1 %" if chance < 0.005 else f"{100 * chance:4.0f} %"
