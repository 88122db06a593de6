"""A game of Catan at a table of JSettlers, as one seat sees it.

`Table` turns the messages of a game into a `SeatPosition`: public facts are exact, and hidden cards
are a determinization drawn from the seat's belief. Our rules carry out what happens; what JSettlers
reports is trusted where both differ.
"""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.errors import MeepleError
from meeple.games.catan.belief.events import NO_ONE, UNSEEN, Event
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import public_points
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.contract.seat_position import UNKNOWN, SeatPosition, Seen
from meeple.games.contract.sights import sight
from meeple.kernels import OVER
from meeple.kernels.random_numbers import new_rng
from meeple_jsettlers import board
from meeple_jsettlers.state import State

LOG = logging.getLogger(__name__)
Cards = npt.NDArray[np.int8]
ROAD, SETTLEMENT, CITY = range(3)  # their pieces
_THINGS = {ROAD: c.ROAD, SETTLEMENT: c.SETTLEMENT, CITY: c.CITY}
CARDS = {
    1: c.ROAD_BUILDING, 2: c.YEAR_OF_PLENTY, 3: c.MONOPOLY, 9: c.KNIGHT,
    **dict.fromkeys(range(4, 9), c.VICTORY_POINT),
}  # fmt: skip
"""Our development card of each of theirs."""


@dataclass
class Snapshot:
    """The public facts and the own cards of a game that has begun, by their numbers of players."""

    pieces: list[tuple[int, int, int]] = field(default_factory=list)  # player, piece, coordinate
    hands: dict[int, list[int]] = field(default_factory=dict)  # [5] own cards, in our order
    sizes: Counter[int] = field(default_factory=Counter)  # cards in each hand
    cards: dict[int, Counter[int]] = field(default_factory=dict)  # theirs; 0: unknown
    played: dict[int, Counter[int]] = field(default_factory=dict)  # ours
    longest_road: int = -1
    largest_army: int = -1
    robber: int = -1  # a coordinate
    card_played: bool = False
    current: int = -1
    dice: int = 0


class Table:
    """One game. Seats are ours: 0 moves first; `players` are their numbers, in turn order."""

    position: SeatPosition

    def __init__(
        self,
        players: Sequence[int],
        me: int,
        layout: str,
        options: Mapping[str, Any],
        snapshot: Snapshot,
        state: int,
        number: int,
    ) -> None:
        """Begin a game, or enter one that has begun.

        Args:
            players: their numbers of the players, the first to move first.
            me: our own number there.
            layout: the island, for the option `board`.
            options: other options of our game.
            snapshot: the facts so far.
            state: the game's `State`.
            number: distinguishes games.

        Raises:
            MeepleError: these are no facts of a game of Catan.
        """
        self.players, self.me = list(players), players.index(me)
        self.game = Catan(players=len(players), board=layout, **options)
        self._scratch = self.game.start(0)
        self._number = number
        self._rng = new_rng(number, self.me)
        self._start = self._state_of(snapshot, state).tobytes()
        self._begin(())
        self._marks: list[int] = []  # number of steps before each step that can be taken back

    def _begin(self, seen: Sequence[Seen]) -> None:
        """Begin the position at its start, and repeat steps."""
        self._seen = list(seen)
        self._belief = self.game.belief(self.me, self._number)
        self.position = SeatPosition(self.game, self.me, self._start, self._number)
        self._belief.follow(self.position)
        for one in seen:
            self._belief.see(one.sight)
            self.position.see(one)

    # ------------------------------------------------------------ reading

    @property
    def state(self) -> Any:
        """The state record of the current determinization."""
        return self.position.state

    def seat(self, player: int) -> int:
        """Return our seat of their player. Raises MeepleError if there is none."""
        if player not in self.players:
            raise MeepleError(f"the server sent a player who does not sit there: {player}")
        return self.players.index(player)

    @property
    def my_turn(self) -> bool:
        return bool(self.state.on_turn == self.me)

    # ------------------------------------------------------------ what happens

    def step(
        self,
        action: int,
        *,
        hidden: bool = False,
        gains: Cards | None = None,
        **before: Any,
    ) -> None:
        """Carry out an action or outcome by our rules.

        Args:
            action: of our game.
            hidden: whether the seat does not see it: the action is then any possible one.
            gains: [4, 5] cards gained by each seat, if reported; else our rules decide.
            before: fields of the state that are set before, where a determinization may differ.
        """
        old = self._prepared(before)
        self._scratch.row[:] = old
        self._scratch.play(action)
        new = self._scratch.row.copy()
        self._scratch.undo()
        if gains is not None:
            _state(new).hand = _state(old).hand + gains
        seen = sight(self.game, old, action, new, self.me)
        self._add(UNKNOWN if hidden else action, seen, new)

    def edit(
        self, *, gains: Cards | None = None, losses: Mapping[int, int] | None = None, **after: Any
    ) -> None:
        """Change the state as reported, without an action of our rules.

        Args:
            gains: [4, 5] cards gained by each seat, negative if lost.
            losses: cards that each seat lost to the bank unseen.
            after: fields of the state.
        """
        new = self.position.row.copy()
        s = _state(new)
        for name, value in after.items():
            s[name] = value
        no_cards = np.zeros((c.MAX_SEATS, c.KINDS), np.int8)
        event = Event(
            hands=no_cards if gains is None else gains.astype(np.int8),
            monopoly=UNSEEN, thief=NO_ONE, victim=NO_ONE, stolen=UNSEEN,
            shows=NO_ONE, shown=np.zeros(c.KINDS, np.int8), draws=NO_ONE, drawn=UNSEEN,
            cards=no_cards, checked=NO_ONE, points=0,
        )  # fmt: skip
        if gains is not None or not losses:
            self._add(UNKNOWN, event, new)
        for seat, count in (losses or {}).items():
            for _ in range(count):
                self._add(UNKNOWN, event._replace(hands=no_cards, victim=seat), new)

    def _prepared(self, before: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
        """Return the state with fields set, in which no other seat wins by sampled points."""
        row = self.position.row.copy()
        s = _state(row)
        for name, value in before.items():
            s[name] = value
        if s.to_move == OVER:
            raise MeepleError("the server continues a game that is won")
        turn = int(s.on_turn)
        if turn != self.me:
            held = int(s["cards"][turn, c.VICTORY_POINT])
            s["cards"][turn, c.VICTORY_POINT] = 0
            s["deck"][c.VICTORY_POINT] += held
        return row

    def _add(self, action: int, event: Event, row: npt.NDArray[np.uint8]) -> None:
        """Append a step and draw the hidden cards of the state after it."""
        self._belief.see(event)
        self._belief.sample(row, self._rng)
        s = _state(row)
        s["bank"] = c.BANK_CARDS - s["hand"].sum(axis=0)
        self._seen.append(Seen(action, event, row.tobytes()))
        self.position.see(self._seen[-1])

    def holding(self, seat: int, cost: Sequence[int] | Cards) -> Cards:
        """Return all hands [4, 5], where a seat holds at least the cards that it pays."""
        hands: Cards = self.state.hand.copy()
        if seat != self.me:
            hands[seat] = np.maximum(hands[seat], np.asarray(cost, np.int8))
        return hands

    def gains(self, counts: Mapping[int, Sequence[int]]) -> Cards:
        """Return the cards gained [4, 5] by seats, from counts by seat in our order."""
        found = np.zeros((c.MAX_SEATS, c.KINDS), np.int8)
        for seat, count in counts.items():
            found[seat] += np.asarray(count, np.int8)
        return found

    # ------------------------------------------------------------ actions by kind

    def put(self, player: int, piece: int, coordinate: int) -> None:
        """Place a piece that was bought, is free, or belongs to the set-up."""
        seat = self.seat(player)
        at = board.EDGE_AT if piece == ROAD else board.VERTEX_AT
        if piece not in _THINGS or coordinate not in at:
            raise MeepleError("the server sent a piece that is not of Catan's base game")
        first = (c.ROAD_AT, c.SETTLEMENT_AT, c.CITY_AT)[piece]
        action = first + at[coordinate]
        self._marks.append(len(self.position.actions))
        phase = int(self.state.phase)
        if phase in (c.SETTLE, c.SETTLE_ROAD, c.FREE_ROADS):
            self.step(action)
        else:
            cost = c.COSTS[_THINGS[piece]]
            self.step(action, phase=c.MAIN, to_move=seat, hand=self.holding(seat, cost))

    def turn(self, player: int, in_setup: bool = False) -> None:
        """Begin a player's turn; nothing if it is theirs already."""
        seat, s, players = self.seat(player), self.state, len(self.players)
        if s.phase in (c.SETTLE, c.SETTLE_ROAD):
            if not in_setup:  # the server passed over the last seat, which was too slow
                self.edit(phase=c.ROLL, setup=2 * players, to_move=seat, on_turn=seat)
            elif seat != s.to_move:  # or another one
                place = seat if s.setup <= seat else 2 * players - 1 - seat
                self.edit(phase=c.SETTLE, setup=place, to_move=seat, on_turn=seat)
            return
        if s.phase == c.ROLL and s.on_turn == seat:
            return
        for _ in range(len(self.players)):
            s = self.state
            self.step(c.END_TURN, phase=c.MAIN, to_move=s.on_turn, rolled=True, discards=0)
            if self.state.on_turn == seat:
                return

    def roll(self, total: int) -> None:
        """Throw the dice; what they bring is known later, except for a seven."""
        if not 2 <= total <= 12:
            raise MeepleError(f"the server sent dice that show {total}")
        self.step(c.ROLL_DICE, phase=c.ROLL, to_move=self.state.on_turn)
        if total == 7:
            self.step(7)

    def produce(self, total: int, counts: Mapping[int, Sequence[int]]) -> None:
        """Give the cards of a throw, as reported: [5] for each seat that gains any."""
        gains = self.gains(counts)
        if self.state.phase == c.DICE:
            self.step(total, gains=gains)
        else:
            self.edit(gains=gains)

    def discard(self, player: int, counts: Sequence[int], unknown: int) -> None:
        """Discard for a seven; the last one to discard lets the robber move."""
        seat = self.seat(player)
        if sum(counts) + unknown > self.state.hand[seat].sum():
            raise MeepleError("the server lets a player discard more cards than there are")
        left = self.state.discards.copy()
        left[seat] = 0
        gains = -self.gains({seat: counts}) if sum(counts) else None
        last = not left.any()
        self.edit(
            gains=gains,
            losses={seat: unknown} if unknown else None,
            discards=left,
            last=0,
            phase=c.ROBBER if last else c.DISCARD,
            to_move=self.state.on_turn if last else int(left.argmax()),
        )

    def move_robber(self, coordinate: int) -> None:
        tile = board.TILE_AT.get(coordinate)
        if tile is None:
            raise MeepleError("the server sent a robber outside the island")
        if self.state.to_move != OVER:
            robber = {"discards": 0, "phase": c.ROBBER, "to_move": self.state.on_turn}
            if tile != self.state.robber:
                self.step(c.ROBBER_TO + tile, **robber)

    def rob(self, victim: int, resource: int | None) -> None:
        """Steal a card, of a resource if the seat saw it."""
        if self.state.to_move == OVER:
            return
        seat = self.seat(victim)
        if self.state.phase == c.VICTIM:
            self.step(c.ROB + seat)
        if resource is None:
            held = self.state.hand[seat]
            resource, hidden = int(held.argmax()), True
        else:
            hidden = False
        cost = [int(r == resource) for r in range(c.KINDS)]
        self.step(
            resource, hidden=hidden, phase=c.STEAL, victim=seat, to_move=-1,
            hand=self.holding(seat, cost),
        )  # fmt: skip

    def buy_card(self, player: int, card: int | None) -> None:
        """Buy a development card, of a kind if the seat saw it."""
        seat = self.seat(player)
        hand = self.holding(seat, c.COSTS[c.CARD])
        self.step(c.BUY_CARD, phase=c.MAIN, to_move=seat, hand=hand)
        if card is None:
            self.step(int(self.state.deck.argmax()), hidden=True)
        else:
            deck = self.state.deck.copy()
            deck[card] = max(1, deck[card])
            self.step(card, deck=deck)

    def play_card(self, player: int, card: int, action: int, **before: Any) -> None:
        """Play a development card by an action."""
        seat = self.seat(player)
        s = self.state
        cards = s.cards.copy()
        if seat != self.me:
            cards[seat, card] = max(1, cards[seat, card])
        fresh = s.fresh.copy()
        fresh[card] = min(fresh[card], cards[seat, card] - 1)
        self._marks.append(len(self.position.actions))
        self.step(
            action, cards=cards, fresh=fresh, card_played=False, to_move=seat,
            phase=c.MAIN if s.rolled else c.ROLL, **before,
        )  # fmt: skip

    def plenty(self, player: int, counts: Sequence[int]) -> None:
        """Take two cards of choice from the bank, by the card for it."""
        taken = [r for r in range(c.KINDS) for _ in range(counts[r])]
        if len(taken) == 2:
            action = c.PLAY_PLENTY + taken[0] * c.KINDS + taken[1]
        elif len(taken) == 1:
            action = c.PLAY_PLENTY_ONE + taken[0]
        else:
            raise MeepleError("the server sent a card that brings no one or two cards")
        bank = np.maximum(self.state.bank, np.asarray(counts, np.int8))
        self.play_card(player, c.YEAR_OF_PLENTY, action, bank=bank)

    def monopoly(self, player: int, resource: int, sizes: Mapping[int, int]) -> None:
        """Take all cards of a resource.

        `sizes` are the cards left in the hands, by player; those who had none of it are missing.
        """
        hands = self.state.hand.copy()
        for seat, other in enumerate(self.players):
            if other != player and seat != self.me:
                held = int(hands[seat].sum())
                hands[seat, resource] = max(0, held - sizes.get(other, held))
        self.play_card(player, c.MONOPOLY, c.PLAY_MONOPOLY + resource, hand=hands)

    def exchange(self, gains: Mapping[int, Sequence[int]]) -> None:
        """Exchange cards between seats, or with the bank."""
        self.edit(gains=self.gains(gains))

    def take_back(self, count: int = 1) -> None:
        """Take back the last pieces or cards, with everything since."""
        for _ in range(count):
            if not self._marks:
                raise MeepleError("the server takes back what was not played")
            self._begin(self._seen[: self._marks.pop()])

    def correct(self, hand: Sequence[int]) -> None:
        """Set the seat's own hand as reported, if it differs."""
        difference = np.asarray(hand, np.int8) - self.state.hand[self.me]
        if difference.any():
            LOG.warning("the server's count of our own hand differs by %s", difference.tolist())
            self.edit(gains=self.gains({self.me: difference.tolist()}))

    def award(self, name: str, player: int | None) -> None:
        """Set who holds an award as reported, if it differs; -1 is no player, None no report."""
        if player is not None:
            seat = c.NO_SEAT if player < 0 else self.seat(player)
            if self.state[name] != seat:
                LOG.warning("the server's %s is player %s", name, player)
                fields: dict[str, Any] = {name: seat}
                self.edit(**fields)

    def align(self, state: int) -> None:
        """Correct the phase where it contradicts the state of the server's game."""
        s = self.state
        phases: dict[int, int] = {
            State.ROLL_OR_CARD: c.ROLL,
            State.PLAY: c.MAIN,
            State.PLACING_ROBBER: c.ROBBER,
            State.WAITING_FOR_VICTIM: c.VICTIM,
        }
        phase = phases.get(state)
        if phase is None or s.to_move == OVER or s.phase == phase:
            return
        LOG.warning("the server's game is in state %s, ours in phase %s", state, c.PHASES[s.phase])
        self.edit(phase=phase, to_move=s.on_turn, rolled=phase != c.ROLL or s.rolled, free_roads=0)

    # ------------------------------------------------------------ entering a game

    def _state_of(self, found: Snapshot, state: int) -> npt.NDArray[np.uint8]:
        """Return the state that a snapshot describes."""
        position = self.game.start(0)
        s = position.state
        for player, piece, coordinate in sorted(found.pieces, key=lambda one: one[1] == ROAD):
            seat = self.seat(player)
            at = (board.EDGE_AT if piece == ROAD else board.VERTEX_AT).get(coordinate)
            if at is None or piece not in _THINGS:
                raise MeepleError("the server sent a piece outside the island")
            s.setup, s.to_move = 0, seat
            if piece == ROAD:
                s.phase, s.settled = c.SETTLE_ROAD, TOPOLOGY.edge_vertices[at, 0]
                position.play(c.ROAD_AT + at)
            else:
                s.phase = c.SETTLE
                position.play(c.SETTLEMENT_AT + at)
                if piece == CITY:
                    s.vertex[at] = 5 + seat
                    s.cities[seat] -= 1
                    s.settlements[seat] += 1
        s.setup = int((5 - s.settlements + 4 - s.cities)[: len(self.players)].sum())
        for player, counter in found.played.items():
            for card, count in counter.items():
                s.played[self.seat(player), card] = count
        self._deal(s, found)
        s.longest_road, s.largest_army = (
            c.NO_SEAT if player < 0 else self.seat(player)
            for player in (found.longest_road, found.largest_army)
        )
        if found.robber in board.TILE_AT:
            s.robber = board.TILE_AT[found.robber]
        s.card_played = found.card_played
        self._place_turn(s, found, state)
        row: npt.NDArray[np.uint8] = position.row.copy()
        return row

    def _deal(self, s: Any, found: Snapshot) -> None:
        """Give the seat its cards, and others any cards in the right number."""
        pool = c.BANK_CARDS - np.zeros(c.KINDS, np.int64)
        hand = found.hands.get(self.players[self.me], [0] * c.KINDS)
        s.hand[self.me] = hand
        pool -= hand
        deck = np.array(c.DECK_CARDS) - s.played.sum(axis=0)
        for theirs, count in found.cards.get(self.players[self.me], Counter()).items():
            if theirs in CARDS:
                s.cards[self.me, CARDS[theirs]] += count
                deck[CARDS[theirs]] -= count
        for seat, player in enumerate(self.players):
            if seat == self.me:
                continue
            for _ in range(found.sizes[player]):
                s.hand[seat, pool.argmax()] += 1
                pool[pool.argmax()] -= 1
            for _ in range(found.cards.get(player, Counter()).total()):
                s.cards[seat, deck.argmax()] += 1
                deck[deck.argmax()] -= 1
        if pool.min() < 0 or deck.min() < 0:
            raise MeepleError("the server sent more cards than Catan has")
        s.bank, s.deck = pool, deck

    def _place_turn(self, s: Any, found: Snapshot, state: int) -> None:
        """Set the turn and the phase."""
        players = len(self.players)
        placing = {State.FIRST_ROAD, State.SECOND_ROAD}
        turn = self.seat(found.current) if found.current >= 0 else 0
        s.on_turn = s.to_move = turn
        if state in (State.FIRST_SETTLEMENT, State.SECOND_SETTLEMENT):
            s.phase = c.SETTLE
        elif state in placing:
            s.phase = c.SETTLE_ROAD
            mine = [at for player, piece, at in found.pieces if player == found.current and piece]
            s.settled = board.VERTEX_AT[mine[-1]] if mine else 0
        else:
            s.setup = 2 * players
            s.rolled = state != State.ROLL_OR_CARD
            s.dice = found.dice if s.rolled and 2 <= found.dice <= 12 else 0
            phases: dict[int, int] = {
                State.ROLL_OR_CARD: c.ROLL,
                State.PLACING_ROBBER: c.ROBBER,
                State.WAITING_FOR_VICTIM: c.VICTIM,
            }
            s.phase = phases.get(state, c.MAIN)
        if public_points(s, turn) >= s.victory_points:
            raise MeepleError("the server sent a game that is won")


def _state(row: npt.NDArray[np.uint8]) -> Any:
    """Return a view of the bytes of a state as its record."""
    return row.view(c.State)[0]
