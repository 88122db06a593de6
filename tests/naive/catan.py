"""Catan by the rule book, on lists and sets: slow and readable.

Resources and development cards are indices of RESOURCES and CARDS. `catan_island` has the sites of
pieces and the length of roads, `catan_trade` the exchange of cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from tests.naive.catan_island import (
    TILE_VERTICES,
    VERTEX_EDGES,
    VERTEX_TILES,
    Layout,
    harbour_rate,
    longest_trail,
    road_sites,
    settlement_sites,
    yields,
)
from tests.naive.catan_trade import Offer, hand_over, holds

__all__ = ["CARDS", "RESOURCES", "Layout", "NaiveCatan"]

RESOURCES = ("wood", "brick", "wool", "grain", "ore")
CARDS = ("knight", "victory point", "road building", "year of plenty", "monopoly")
WOOD, BRICK, WOOL, GRAIN, ORE = range(5)
KNIGHT, VICTORY_POINT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY = range(5)

DECK = (14, 5, 2, 2, 2)
COSTS = {
    "road": (WOOD, BRICK),
    "settlement": (WOOD, BRICK, WOOL, GRAIN),
    "city": (GRAIN, GRAIN, ORE, ORE, ORE),
    "card": (WOOL, GRAIN, ORE),
}
PIECES = {"road": 15, "settlement": 5, "city": 4}
OFFERS = 8  # maximum of offers in one turn

CHANCES = ("dice", "steal", "draw")  # phases decided by chance

Action = tuple[Any, ...]


class NaiveCatan:
    """A game in progress; `phase` is the next decision, or the next chance event."""

    def __init__(
        self,
        layout: Layout,
        *,
        players: int = 4,
        victory_points: int = 10,
        discard_limit: int = 7,
        robber: bool = True,
        development_cards: bool = True,
        domestic_trade: bool = True,
        friendly_robber: bool = False,
        payoff: str = "win",
        max_turns: int = 1000,
    ) -> None:
        self.layout, self.seats = layout, range(players)
        self.victory_points, self.discard_limit = victory_points, discard_limit
        self.domestic_trade, self.friendly_robber = domestic_trade, friendly_robber
        self.payoff, self.max_turns = payoff, max_turns

        self.hands = [[0] * 5 for _ in self.seats]
        self.bank = [19] * 5
        self.deck = list(DECK) if development_cards else [0] * 5
        if not robber:
            self.deck[KNIGHT] = 0
        self.cards = [[0] * 5 for _ in self.seats]
        self.fresh = [0] * 5
        self.played = [[0] * 5 for _ in self.seats]
        self.settlements: list[set[int]] = [set() for _ in self.seats]
        self.cities: list[set[int]] = [set() for _ in self.seats]
        self.roads: list[set[int]] = [set() for _ in self.seats]
        self.robber = layout.tiles.index(None) if robber else None
        self.longest_road: int | None = None
        self.largest_army: int | None = None
        self.road_length = [0 for _ in self.seats]

        self.phase = "setup settlement"
        self.setup = [*self.seats, *reversed(self.seats)]  # seats still to place, in order
        self.on_turn = 0
        self.turns = 0
        self.rolled = False
        self.dice = 0
        self.winner: int | None = None

        self.placed = 0  # vertex of the last settlement in the setup
        self.card_played = False  # this turn
        self.free_roads = 0  # roads still to place by road building
        self.discards: list[tuple[int, int]] = []  # pending: (seat, number of cards)
        self.last_discard = 0  # the last resource discarded by this seat
        self.victim = 0
        self.offers = 0  # offers made this turn
        self.offer = Offer(0)
        self.counter = Offer(0)
        self.answering: list[int] = []  # seats still to answer, in order
        self.answers: dict[int, Offer] = {}  # an acceptance is the mirror image of the offer

    # Player to move and legal actions

    @property
    def to_move(self) -> int | str | None:
        if self.phase == "over":
            return None
        if self.phase in CHANCES:
            return "chance"
        if self.phase == "discard":
            return self.discards[0][0]
        if self.phase in ("answer", "counter"):
            return self.answering[0]
        return self.on_turn

    def legal(self) -> set[Action]:
        """Return the actions of a decision or the outcomes of chance; nothing after the end."""
        match self.phase:
            case "setup settlement":
                built = self.buildings(self.seats)
                return {("settlement", vertex) for vertex in settlement_sites(built)}
            case "setup road":
                taken = self._roads(self.seats)
                return {("road", e) for e in VERTEX_EDGES[self.placed] if e not in taken}
            case "before dice":
                return {("roll",)} | self._card_plays()
            case "main":
                return self._main()
            case "free road":
                return self._road_sites()
            case "discard":
                return self._discards()
            case "robber":
                return {("robber", tile) for tile in range(19) if tile != self.robber}
            case "rob":
                return {("rob", seat) for seat in self._victims()}
            case "offer":
                largest = max(sum(self.hands[seat]) for seat in self._others())
                return self.offer.steps(self.hands[self.on_turn], largest) | {("withdraw",)}
            case "answer":
                return self._answers()
            case "counter":
                largest = sum(self.hands[self.on_turn])
                return self.counter.steps(self.hands[self.counter.seat], largest) | {("refuse",)}
            case "choose":
                return self._choices()
            case "over":
                return set()
        return set(self.chances())

    def chances(self) -> dict[Action, Fraction]:
        """Return each outcome's probability at a chance node."""
        if self.phase == "dice":
            return {("dice", total): Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}
        if self.phase == "steal":
            word, among = "stolen", self.hands[self.victim]
        else:
            assert self.phase == "draw"
            word, among = "drawn", self.deck
        return {(word, i): Fraction(n, sum(among)) for i, n in enumerate(among) if n}

    def _main(self) -> set[Action]:
        seat = self.on_turn
        able: set[Action] = {("end",)} | self._card_plays()
        if self._can_pay("road"):
            able |= self._road_sites()
        if self._can_pay("settlement") and len(self.settlements[seat]) < PIECES["settlement"]:
            sites = settlement_sites(self.buildings(self.seats), self.roads[seat])
            able |= {("settlement", vertex) for vertex in sites}
        if self._can_pay("city") and len(self.cities[seat]) < PIECES["city"]:
            able |= {("city", v) for v in self.settlements[seat]}
        if self._can_pay("card") and sum(self.deck) > 0:
            able.add(("buy",))
        for give in range(5):
            if self.hands[seat][give] >= self._rate(give):
                able |= {("maritime", give, q) for q in range(5) if q != give and self.bank[q]}
        theirs = sum(sum(self.hands[other]) for other in self._others())
        if self.domestic_trade and self.offers < OFFERS and theirs:
            able |= {("give", r) for r in range(5) if self.hands[seat][r]}
        return able

    def _can_pay(self, thing: str) -> bool:
        return holds(self.hands[self.on_turn], COSTS[thing])

    def _card_plays(self) -> set[Action]:
        """Return the card plays: one card a turn, and none bought in this turn."""
        able: set[Action] = set()
        if self.card_played:
            return able
        old = [self.cards[self.on_turn][card] - self.fresh[card] for card in range(5)]
        if old[KNIGHT]:
            able.add(("knight",))
        if old[ROAD_BUILDING] and self._road_sites():
            able.add(("roads",))
        if old[YEAR_OF_PLENTY]:
            if sum(self.bank) == 1:
                able.add(("plenty", self.bank.index(1)))
            for r in range(5):
                for q in range(r, 5):
                    if self.bank[r] >= 1 and self.bank[q] >= (2 if r == q else 1):
                        able.add(("plenty", r, q))
        if old[MONOPOLY]:
            able |= {("monopoly", r) for r in range(5)}
        return able

    def _discards(self) -> set[Action]:
        seat, count = self.discards[0]
        hand = self.hands[seat]
        rising = range(self.last_discard, 5)
        return {("discard", r) for r in rising if hand[r] and sum(hand[r:]) >= count}

    def _answers(self) -> set[Action]:
        seat = self.answering[0]
        able: set[Action] = {("refuse",)}
        if holds(self.hands[seat], self.offer.want):
            able.add(("accept",))
        return able | {("give", r) for r in range(5) if self.hands[seat][r]}

    def _choices(self) -> set[Action]:
        hand = self.hands[self.on_turn]
        payable = [s for s, deal in self.answers.items() if holds(hand, deal.want)]
        return {("withdraw",)} | {("trade", seat) for seat in payable}

    # The board

    def _others(self) -> list[int]:
        """Return the other seats, in order from the player on turn."""
        return [(self.on_turn + i) % len(self.seats) for i in self.seats if i > 0]

    def buildings(self, seats: Iterable[int]) -> set[int]:
        return {v for seat in seats for v in self.settlements[seat] | self.cities[seat]}

    def _roads(self, seats: Iterable[int]) -> set[int]:
        return {edge for seat in seats for edge in self.roads[seat]}

    def _road_sites(self) -> set[Action]:
        """Return the edges on which the player on turn may place a road, if a piece is left."""
        seat, others = self.on_turn, self._others()
        if len(self.roads[seat]) == PIECES["road"]:
            return set()
        own, theirs = self.buildings([seat]), self.buildings(others)
        sites = road_sites(self.roads[seat], own, self._roads(others), theirs)
        return {("road", edge) for edge in sites}

    def _rate(self, give: int) -> int:
        return harbour_rate(give, self.buildings([self.on_turn]), self.layout.ports)

    def _victims(self) -> list[int]:
        assert self.robber is not None
        return [
            seat
            for seat in self._others()
            if self.buildings([seat]) & set(TILE_VERTICES[self.robber])
            and sum(self.hands[seat]) > 0
            and not (self.friendly_robber and self.public_points(seat) <= 2)
        ]

    # Playing

    def play(self, action: Action) -> None:
        """Play a legal action or an outcome of chance."""
        assert action in self.legal(), f"{action} in phase {self.phase!r}"
        if self.phase.startswith("setup"):
            self._set_up(*action)
            return
        word, *rest = action
        getattr(self, f"_play_{word}")(*rest)
        if self.points(self.on_turn) >= self.victory_points:
            self.phase, self.winner = "over", self.on_turn
        elif self.turns == self.max_turns:
            self.phase = "over"

    def _set_up(self, word: str, place: int) -> None:
        seat = self.on_turn
        if word == "settlement":
            self.settlements[seat].add(place)
            self.placed, self.phase = place, "setup road"
            if len(self.settlements[seat]) == 2:
                lands = [self.layout.tiles[tile] for tile in VERTEX_TILES[place]]
                hand_over(self.bank, self.hands[seat], [land for land in lands if land is not None])
        else:
            self.roads[seat].add(place)
            del self.setup[0]
            self.on_turn = self.setup[0] if self.setup else 0
            self.phase = "setup settlement" if self.setup else "before dice"
        self._assign_longest_road()

    def _play_roll(self) -> None:
        self.phase = "dice"

    def _play_dice(self, total: int) -> None:
        self.rolled, self.dice, self.phase = True, total, "main"
        if total != 7:
            self._produce(total)
        elif self.robber is not None:
            order = [self.on_turn, *self._others()]
            sizes = {seat: sum(self.hands[seat]) for seat in order}
            self.discards = [(s, n // 2) for s, n in sizes.items() if n > self.discard_limit]
            self.last_discard = 0
            self.phase = "discard" if self.discards else "robber"

    def _produce(self, total: int) -> None:
        for resource in range(5):
            tiles = yields(self.layout, resource, total, self.robber)
            due = [
                sum(
                    len(self.settlements[seat] & corners) + 2 * len(self.cities[seat] & corners)
                    for corners in tiles
                )
                for seat in self.seats
            ]
            claimants = [seat for seat in self.seats if due[seat]]
            if sum(due) > self.bank[resource]:
                if len(claimants) > 1:
                    continue
                due[claimants[0]] = self.bank[resource]
            for seat in claimants:
                hand_over(self.bank, self.hands[seat], [resource] * due[seat])

    def _play_discard(self, resource: int) -> None:
        (seat, count), *others = self.discards
        hand_over(self.hands[seat], self.bank, [resource])
        if count > 1:
            self.discards, self.last_discard = [(seat, count - 1), *others], resource
        else:
            self.discards, self.last_discard = others, 0
        if not self.discards:
            self.phase = "robber"

    def _play_robber(self, tile: int) -> None:
        self.robber = tile
        victims = self._victims()
        if not victims:
            self._resume()
        elif len(victims) == 1:
            self._play_rob(victims[0])
        else:
            self.phase = "rob"

    def _play_rob(self, seat: int) -> None:
        self.victim, self.phase = seat, "steal"

    def _play_stolen(self, resource: int) -> None:
        hand_over(self.hands[self.victim], self.hands[self.on_turn], [resource])
        self._resume()

    def _resume(self) -> None:
        """Resume the phase in which a card was played, or continue after a seven."""
        self.phase = "main" if self.rolled else "before dice"

    def _play_end(self) -> None:
        self.turns += 1
        self.on_turn = (self.on_turn + 1) % len(self.seats)
        self.fresh = [0] * 5
        self.rolled = self.card_played = False
        self.offers = 0
        self.phase = "before dice"

    def _play_road(self, edge: int) -> None:
        self.roads[self.on_turn].add(edge)
        self._assign_longest_road()
        if self.phase == "free road":
            self.free_roads -= 1
            if not self.free_roads or not self._road_sites():
                self.free_roads = 0
                self._resume()
        else:
            hand_over(self.hands[self.on_turn], self.bank, COSTS["road"])

    def _play_settlement(self, vertex: int) -> None:
        hand_over(self.hands[self.on_turn], self.bank, COSTS["settlement"])
        self.settlements[self.on_turn].add(vertex)
        self._assign_longest_road()

    def _play_city(self, vertex: int) -> None:
        hand_over(self.hands[self.on_turn], self.bank, COSTS["city"])
        self.settlements[self.on_turn].remove(vertex)
        self.cities[self.on_turn].add(vertex)

    def _play_buy(self) -> None:
        hand_over(self.hands[self.on_turn], self.bank, COSTS["card"])
        self.phase = "draw"

    def _play_drawn(self, card: int) -> None:
        self.deck[card] -= 1
        self.cards[self.on_turn][card] += 1
        self.fresh[card] += 1
        self.phase = "main"

    def _play_card(self, card: int) -> None:
        self.cards[self.on_turn][card] -= 1
        self.played[self.on_turn][card] += 1
        self.card_played = True

    def _play_knight(self) -> None:
        self._play_card(KNIGHT)
        army, holder = self.played[self.on_turn][KNIGHT], self.largest_army
        if army >= 3 and (holder is None or army > self.played[holder][KNIGHT]):
            self.largest_army = self.on_turn
        self.phase = "robber"

    def _play_roads(self) -> None:
        self._play_card(ROAD_BUILDING)
        self.free_roads, self.phase = 2, "free road"

    def _play_plenty(self, *resources: int) -> None:
        self._play_card(YEAR_OF_PLENTY)
        hand_over(self.bank, self.hands[self.on_turn], resources)

    def _play_monopoly(self, resource: int) -> None:
        self._play_card(MONOPOLY)
        for seat in self._others():
            hand_over(
                self.hands[seat], self.hands[self.on_turn], [resource] * self.hands[seat][resource]
            )

    def _play_maritime(self, give: int, take: int) -> None:
        hand_over(self.hands[self.on_turn], self.bank, [give] * self._rate(give))
        hand_over(self.bank, self.hands[self.on_turn], [take])

    def _play_give(self, resource: int) -> None:
        if self.phase == "main":
            self.offers += 1
            self.offer, self.phase = Offer(self.on_turn), "offer"
        elif self.phase == "answer":
            self.counter, self.phase = Offer(self.answering[0]), "counter"
        self._composed().give.append(resource)

    def _play_want(self, resource: int) -> None:
        self._composed().want.append(resource)

    def _composed(self) -> Offer:
        return self.offer if self.phase == "offer" else self.counter

    def _play_propose(self) -> None:
        if self.phase == "offer":
            self.answering = [seat for seat in self._others() if sum(self.hands[seat])]
            self.answers, self.phase = {}, "answer"
        else:
            self._answer(self.counter)

    def _play_accept(self) -> None:
        self._answer(Offer(self.answering[0], self.offer.want, self.offer.give))

    def _play_refuse(self) -> None:
        self._answer(None)

    def _answer(self, deal: Offer | None) -> None:
        seat = self.answering.pop(0)
        if deal is not None:
            self.answers[seat] = deal
        if self.answering:
            self.phase = "answer"
        else:
            self.phase = "choose" if self.answers else "main"

    def _play_trade(self, seat: int) -> None:
        deal = self.answers[seat]
        hand_over(self.hands[seat], self.hands[self.on_turn], deal.give)
        hand_over(self.hands[self.on_turn], self.hands[seat], deal.want)
        self.phase = "main"

    def _play_withdraw(self) -> None:
        self.phase = "main"

    # Points

    def _assign_longest_road(self) -> None:
        """Measure all roads and assign the longest road."""
        for seat in self.seats:
            theirs = self.buildings(other for other in self.seats if other != seat)
            self.road_length[seat] = longest_trail(self.roads[seat], theirs)
        longest = max(self.road_length)
        leaders = [seat for seat in self.seats if self.road_length[seat] == longest]
        if longest < 5:
            self.longest_road = None
        elif self.longest_road not in leaders:
            self.longest_road = leaders[0] if len(leaders) == 1 else None

    def public_points(self, seat: int) -> int:
        """Return the points of buildings and awards."""
        awards = [self.longest_road, self.largest_army].count(seat)
        return len(self.settlements[seat]) + 2 * len(self.cities[seat]) + 2 * awards

    def points(self, seat: int) -> int:
        """Return all points, including those of victory point cards."""
        return self.public_points(seat) + self.cards[seat][VICTORY_POINT]

    def payoffs(self) -> list[float]:
        """Return 1 for the winner only, or shares of all points; only after the end."""
        assert self.phase == "over"
        if self.winner is not None and self.payoff == "win":
            return [float(seat == self.winner) for seat in self.seats]
        points = [self.points(seat) for seat in self.seats]
        return [own / sum(points) for own in points]
