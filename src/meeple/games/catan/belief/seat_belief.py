"""One seat's belief about the other players' hands and cards, from that seat's observations only.

Hands of resources are a joint distribution (`joint_hands.py`), which starts with a single case and
branches only at steals whose card the seat did not see. A development card drawn by another seat is
equally likely to be any card not seen yet, with one restriction: a seat that did not win on its
turn had too few points, which bounds its number of victory point cards.
"""

import itertools
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple import kernels
from meeple.games.catan.belief.events import UNSEEN, Event
from meeple.games.catan.belief.joint_hands import (
    branch_steal,
    draw_case,
    draw_hands,
    empty_hands,
    keep_possible,
    make_possible,
    see_steal,
)
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import draw_card
from meeple.games.contract.position import BarePosition
from meeple.kernels import kernel

_MAX_SAMPLING_TRIES = 64  # random deals of unseen cards, until one respects the points bound
_NOTHING = np.zeros(c.MAX_SEATS * c.KINDS, dtype=np.int8)

SPECTATOR = c.MAX_SEATS
"""The seat of a belief that sees only public events."""


class CatanBelief:
    """One seat's knowledge of a game, kept up to date by `see`."""

    def __init__(
        self,
        seat: int,
        players: int,
        *,
        victory_points: int = 10,
        robber: bool = True,
        seed: int = 0,
    ) -> None:
        """Start a belief at the beginning of a game.

        Args:
            seat: the observing seat, or SPECTATOR.
            players: the number of seats.
            victory_points: points that win the game.
            robber: whether the game has the robber, and so knights.
            seed: of the generator that samples cases if there are too many.
        """
        self.seat, self.players, self.target = seat, players, victory_points
        self._with_robber, self._seed = robber, seed
        self._begin()

    def _begin(self) -> None:
        self._past: tuple[int, ...] = ()  # the actions that the belief includes
        self._game_seed: int | None = None
        self._joint = empty_hands()
        self._rng = kernels.new_rng(self._seed, self.seat)
        deck = np.array(c.DECK_CARDS, dtype=np.int8)
        if not self._with_robber:
            deck[c.KNIGHT] = 0
        self.unseen = deck  # [5] development cards that the seat has not seen, by kind
        self.hidden = np.zeros(c.MAX_SEATS, dtype=np.int8)  # unseen cards in each seat's hand
        self.known = np.zeros((c.MAX_SEATS, c.KINDS), dtype=np.int8)  # seen cards in hands
        self.most_points = np.full(c.MAX_SEATS, c.DECK_CARDS[c.VICTORY_POINT], dtype=np.int8)
        """[4] upper bound of victory point cards among the hidden cards"""

    def _begin_at(self, row: npt.NDArray[np.uint8]) -> None:
        """Begin at a state in which cards are held: of others' hands only the sizes are known."""
        s = np.frombuffer(row, c.State)[0]
        hidden = s["cards"].sum(axis=1).astype(np.int8)
        if self.seat == SPECTATOR or not (s["hand"].any() or hidden.any() or s["played"].any()):
            return
        sizes, pool = s["hand"].sum(axis=1), np.zeros(c.KINDS, np.int64)
        draw_hands(self._joint, sizes, s["hand"][self.seat], self.seat, pool, self._rng[0])
        self.known[self.seat] = s["cards"][self.seat]
        self.unseen -= s["played"].sum(axis=0) + s["cards"][self.seat]
        hidden[self.seat] = 0
        self.hidden = hidden

    @property
    def exact(self) -> bool:
        """Whether the distribution of hands is exact rather than a sample."""
        return bool(self._joint.exact[0])

    @property
    def joint_hands(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float64]]:
        """The possible hands [N, 4, 5] and their weights [N], which sum to 1."""
        count = int(self._joint.number[0])
        hands = self._joint.hands[:count].reshape(count, c.MAX_SEATS, c.KINDS)
        return hands.copy(), self._joint.weights[:count].copy()

    # ------------------------------------------------------------ seeing

    def follow(self, position: BarePosition) -> None:
        """Update to a position: process all events since the last call, or a new game's events."""
        known = len(self._past)
        if position.seed != self._game_seed or position.actions[:known] != self._past:
            self._begin()
            self._game_seed, known = position.seed, 0
            self._begin_at(position.state_before(0) if position.actions else position.row)
        for sight in position.sights(self.seat, known):
            self.see(sight)
        self._past = position.actions

    def see(self, event: Event) -> None:
        """Update to one event, as this seat saw it."""
        self._see_hands(event)
        self._see_cards(event)

    def _see_hands(self, event: Event) -> None:
        """Update the joint distribution; a sample without a possible case is made possible."""
        least = np.zeros((c.MAX_SEATS, c.KINDS), dtype=np.int8)
        if event.shows >= 0:
            least[event.shows] = event.shown
        possible = self._see_change(event, least)
        if not possible and not self.exact:
            make_possible(self._joint, event.hands.reshape(-1), least.reshape(-1))
            possible = self._see_change(event._replace(monopoly=UNSEEN), least)
        if possible and event.victim >= 0:
            if event.stolen < 0:
                branch_steal(self._joint, event.thief, event.victim, self._rng[0])
                return
            possible = self._see_stolen(event)
            if not possible and not self.exact:
                least[:] = 0
                least[event.victim, event.stolen] = 1
                make_possible(self._joint, _NOTHING, least.reshape(-1))
                possible = self._see_stolen(event)
        if not possible:
            raise AssertionError("an event contradicts every possible hand")

    def _see_change(self, event: Event, least: npt.NDArray[np.int8]) -> bool:
        if event.shows < 0 and event.monopoly < 0 and not event.hands.any():
            return True
        taker = int(event.cards[:, c.MONOPOLY].argmax()) if event.monopoly >= 0 else -1
        changes = event.hands.reshape(-1)
        return bool(keep_possible(self._joint, changes, least.reshape(-1), event.monopoly, taker))

    def _see_stolen(self, event: Event) -> bool:
        return bool(see_steal(self._joint, event.thief, event.victim, event.stolen))

    def _see_cards(self, event: Event) -> None:
        if event.draws >= 0:
            if event.drawn >= 0:
                self.unseen[event.drawn] -= 1
                self.known[event.draws, event.drawn] += 1
            else:
                self.hidden[event.draws] += 1
                self.most_points[event.draws] += 1
        for seat, card in zip(*event.cards.nonzero(), strict=True):
            if self.known[seat, card]:
                self.known[seat, card] -= 1
            else:
                self.unseen[card] -= 1
                self.hidden[seat] -= 1
        if event.checked >= 0 and event.checked != self.seat:
            most = self.target - 1 - event.points
            self.most_points[event.checked] = min(self.most_points[event.checked], most)

    # ------------------------------------------------------------ marginal distributions

    def hand_marginals(self) -> npt.NDArray[np.float64]:
        """Return the probability that a seat holds n cards of a resource: [4, 5, 20]."""
        hands, weights = self.joint_hands
        out = np.zeros((c.MAX_SEATS, c.KINDS, c.BANK_CARDS + 1))
        for seat, resource in itertools.product(range(c.MAX_SEATS), range(c.KINDS)):
            out[seat, resource] = np.bincount(hands[:, seat, resource], weights, c.BANK_CARDS + 1)
        return out

    def card_marginals(self) -> npt.NDArray[np.float64]:
        """Return the probability that a seat holds n unseen cards of a kind: [4, 5, 20].

        Counts all deals of the unseen development cards that respect the bounds `most_points`.
        """
        others = [seat for seat in range(self.players) if self.hidden[seat] > 0]
        sizes = [int(self.hidden[seat]) for seat in others]
        unseen = [int(count) for count in self.unseen]
        points, rest = unseen[c.VICTORY_POINT], sum(unseen) - unseen[c.VICTORY_POINT]
        deck = sum(unseen) - sum(sizes)
        out = np.zeros((c.MAX_SEATS, c.KINDS, c.BANK_CARDS + 1))
        out[:, :, 0] = 1.0
        out[others] = 0.0
        total = 0
        choices = [
            range(min(size, int(self.most_points[seat]), points) + 1)
            for seat, size in zip(others, sizes, strict=True)
        ]
        for held in itertools.product(*choices):
            left = points - sum(held)
            if not 0 <= left <= deck:
                continue
            ways = math.comb(deck, left) * math.prod(map(math.comb, sizes, held))
            total += ways
            for seat, size, count in zip(others, sizes, held, strict=True):
                out[seat, c.VICTORY_POINT, count] += ways
                for card in range(c.KINDS):
                    if card != c.VICTORY_POINT:
                        drawn = size - count
                        for n in range(min(drawn, unseen[card]) + 1):
                            deals = math.comb(unseen[card], n)
                            deals *= math.comb(rest - unseen[card], drawn - n)
                            out[seat, card, n] += ways * deals / math.comb(rest, drawn)
        if total:
            out[others] /= total
        return out

    # ------------------------------------------------------------ sampling

    def sample(self, row: npt.NDArray[np.uint8], rng: Any) -> None:
        """Replace all hidden parts of a state by a sample.

        Args:
            row: [state_bytes] the state; updated.
            rng: the generator; advanced.
        """
        cards = self.known, self.unseen, self.hidden, self.most_points
        # As an array of one state: passing a single record to a kernel is slow.
        _fill(np.frombuffer(row, c.State), self.seat, self._joint, *cards, rng)


@kernel
def _fill(
    states: Any,
    seat: int,
    joint: Any,
    known: Any,
    unseen: Any,
    hidden: Any,
    most_points: Any,
    rngs: Any,
) -> None:
    """Write the hands of a random case into a state, and deal the unseen cards at random."""
    s, rng = states[0], rngs[0]
    place = draw_case(joint, rng)
    for other in range(s.players):
        for resource in range(c.KINDS):
            s.hand[other, resource] = joint.hands[place, other * c.KINDS + resource]
    for _ in range(_MAX_SAMPLING_TRIES):
        if _deal(s, seat, known, unseen, hidden, most_points, rng):
            return


@kernel
def _deal(
    s: Any, seat: int, known: Any, unseen: Any, hidden: Any, most_points: Any, rng: Any
) -> bool:
    """Deal the unseen cards to hands and deck; return False if a hand got too many points."""
    left = 0
    fresh = 0
    for card in range(c.KINDS):
        s.deck[card] = unseen[card]
        left += int(unseen[card])
        if hidden[s.on_turn] > 0:
            fresh += int(s.fresh[card])
            s.fresh[card] = 0
    possible = True
    for other in range(s.players):
        if other == seat:
            continue
        points = 0
        for card in range(c.KINDS):
            s.cards[other, card] = known[other, card]
        for number in range(hidden[other]):
            card = draw_card(s.deck, left, rng)
            s.cards[other, card] += 1
            left -= 1
            points += 1 if card == c.VICTORY_POINT else 0
            if other == s.on_turn and number < fresh:
                s.fresh[card] += 1
        if points > most_points[other]:
            possible = False
    if not possible and hidden[s.on_turn] > 0:  # the next try reads the number of fresh cards
        for card in range(c.KINDS):
            s.fresh[card] = 0
        s.fresh[0] = fresh
    return possible
