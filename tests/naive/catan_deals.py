"""Catan with deals, as described in `docs/catan.md`: on lists and sets, slow and readable."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.naive.catan import COSTS, OFFERS, PIECES, Action, Layout, NaiveCatan
from tests.naive.catan_island import settlement_sites
from tests.naive.catan_trade import holds

Part = tuple[int, int]  # a seat and a resource


class NaiveCatanWithDeals(NaiveCatan):
    """Adds the phases "deal" and "consent" to the game."""

    def __init__(self, layout: Layout, **options: Any) -> None:
        super().__init__(layout, **options)
        self.begun = ""  # the phase in which the deal was started
        self.gives: list[Part] = []  # one per card, in order
        self.gets: list[Part] = []
        self.clause: Action | None = None  # the action in addition to moving cards
        self.asked: list[int] = []  # seats that have not agreed yet

    @property
    def to_move(self) -> int | str | None:
        return self.asked[0] if self.phase == "consent" else super().to_move

    def legal(self) -> set[Action]:
        match self.phase:
            case "consent":
                able = {("accept",)} if self._holds_all(self.asked[0]) else set()
                return {("refuse",)} | able
            case "deal":
                return self._steps() | {("withdraw",)}
            case "main" | "robber" if self.offers < OFFERS:
                return super().legal() | self._more_to_give()
        return super().legal()

    def _holds_all(self, seat: int) -> bool:
        return holds(self.hands[seat], [resource for who, resource in self.gives if who == seat])

    def _left_over(self) -> Counter[int]:
        """Return the cards that are given and received by no seat."""
        left = Counter(resource for _, resource in self.gives)
        left.subtract(resource for _, resource in self.gets)
        return +left

    def _parties(self) -> list[int]:
        """Return the other participants, in order from the player on turn."""
        part = {seat for seat, _ in self.gives + self.gets}
        return [seat for seat in self._others() if seat in part]

    def _more_to_give(self) -> set[Action]:
        """Return further gifts: own cards are known, of other hands only the number of cards."""
        able: set[Action] = set()
        last = self.gives[-1] if self.gives else (0, 0)
        for seat in self.seats:
            for resource in range(5):
                part = (seat, resource)
                if seat == self.on_turn:
                    free = self.hands[seat][resource] > self.gives.count(part)
                else:
                    free = sum(self.hands[seat]) > sum(who == seat for who, _ in self.gives)
                if part >= last and free:
                    able.add(("gives", *part))
        return able

    def _steps(self) -> set[Action]:
        """Return the next steps: all gifts, then their receivers, a site, and the proposal."""
        able: set[Action] = set()
        left, parties = self._left_over(), self._parties()
        if self.clause is None:
            if not self.gets:
                able |= self._more_to_give()
            last = self.gets[-1] if self.gets else (0, 0)
            parts = {(seat, resource) for seat in self.seats for resource in left}
            able |= {("gets", *part) for part in parts if part >= last and part not in self.gives}
            if parties:
                able |= self._places(left)
        whole = not left and self.begun == "main"
        return able | ({("propose",)} if parties and (self.clause or whole) else set())

    def _places(self, left: Counter[int]) -> set[Action]:
        """Return the robber's tiles while it is moved, else sites that cost the remaining cards."""
        seat = self.on_turn
        if self.begun == "robber":
            return {("robber", tile) for tile in range(19) if tile != self.robber and not left}
        if left == Counter(COSTS["road"]):
            return self._road_sites()
        if left == Counter(COSTS["settlement"]):
            sites = settlement_sites(self.buildings(self.seats), self.roads[seat])
            able = {("settlement", vertex) for vertex in sites}
            return able if len(self.settlements[seat]) < PIECES["settlement"] else set()
        if left == Counter(COSTS["city"]) and len(self.cities[seat]) < PIECES["city"]:
            return {("city", vertex) for vertex in self.settlements[seat]}
        return set()

    # Playing

    def play(self, action: Action) -> None:
        if self.phase == "deal" and action[0] in ("robber", "road", "settlement", "city"):
            assert action in self.legal()
            self.clause = action
        else:
            super().play(action)

    def _play_gives(self, seat: int, resource: int) -> None:
        if self.phase != "deal":
            self.offers += 1
            self.begun, self.phase = self.phase, "deal"
            self.gives, self.gets, self.clause = [], [], None
        self.gives.append((seat, resource))

    def _play_gets(self, seat: int, resource: int) -> None:
        self.gets.append((seat, resource))

    def _play_propose(self) -> None:
        if self.phase == "deal":
            self.phase, self.asked = "consent", self._parties()
        else:
            super()._play_propose()

    def _play_accept(self) -> None:
        if self.phase != "consent":
            super()._play_accept()
            return
        del self.asked[0]
        if not self.asked:
            self._carry_out()

    def _play_refuse(self) -> None:
        if self.phase == "consent":
            self._off()
        else:
            super()._play_refuse()

    def _play_withdraw(self) -> None:
        if self.phase == "deal":
            self._off()
        else:
            super()._play_withdraw()

    def _off(self) -> None:
        self.phase, self.gives, self.gets, self.asked = self.begun, [], [], []

    def _carry_out(self) -> None:
        """The player on turn receives the remaining cards and pays with them."""
        left, clause = self._left_over(), self.clause
        for seat, resource in self.gives:
            self.hands[seat][resource] -= 1
        for seat, resource in [*self.gets, *((self.on_turn, card) for card in left.elements())]:
            self.hands[seat][resource] += 1
        self._off()
        if clause is not None:
            word, place = clause
            getattr(self, f"_play_{word}")(place)
