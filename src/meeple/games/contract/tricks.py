"""Trick games: hands, suits to follow, tricks and what each seat knows of the others' hands.

A game file makes its `State` by `trick_state`, and its kernels call those of this module. A class
below `TrickGame` has the kernel `resample`. Card `suit * ranks + rank` is the action that plays it.
"""

import sys
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from meeple.games.boards.cards import cards
from meeple.games.boards.scene import Scene
from meeple.games.contract.game import Game, Position
from meeple.kernels import OVER, RecordType, add, below, kernel, record

NONE = -1
STOCK = -1  # in `place`: face down on the table; the card that a seat has played: `-2 - seat`
EXCHANGES = 5  # of cards in `resample`, for each card


def trick_state(seats: int, suits: int, ranks: int, **more: Any) -> RecordType:
    """Return the record of a trick game's state, with `more` fields of its own."""
    return record(
        to_move=np.int8,
        leader=np.int8,
        place=(np.int8, suits * ranks),  # of each card: whose hand, STOCK, or who has played it
        trick=(np.int8, seats),  # the card of each seat, or NONE
        last=(np.int8, seats),  # the trick before
        tricks=(np.int8, seats),  # won by each seat
        lacks=(np.int8, (seats, suits)),  # 1: the seat did not follow this suit
        **more,
    )


@kernel
def deal(s: Any, each: int, rng: Any) -> None:
    """Give each seat cards; the others stay face down, and seat 0 leads."""
    s.to_move, s.leader, s.trick[:], s.last[:], s.tricks[:], s.lacks[:] = 0, 0, NONE, NONE, 0, 0
    for card in range(len(s.place)):
        s.place[card] = card % len(s.trick) if card < each * len(s.trick) else STOCK
    resample(s, NONE - 1, rng)


@kernel
def resample(s: Any, player: int, rng: Any) -> None:
    """Exchange cards at random that a seat does not see, where the others may have them."""
    count = len(s.place)
    ranks = count // s.lacks.shape[1]
    for _ in range(EXCHANGES * count):
        card, other = below(rng, count), below(rng, count)
        one, two = s.place[card], s.place[other]
        hidden = one >= STOCK and two >= STOCK and one != player and two != player
        first = one < 0 or s.lacks[one, other // ranks] == 0
        if hidden and first and (two < 0 or s.lacks[two, card // ranks] == 0):
            s.place[card], s.place[other] = two, one


@kernel
def list_cards(s: Any, moves: Any) -> None:
    """List the mover's cards of the suit that was led, or all if there are none."""
    ranks = len(s.place) // s.lacks.shape[1]
    led = s.trick[s.leader] // ranks  # below 0: nothing was led
    for free in range(2):
        for card in range(len(s.place)):
            if s.place[card] == s.to_move and (free or card // ranks == led):
                add(moves, card)
        if moves.count > 0:
            return


@kernel
def play_card(s: Any, card: int, trump: int) -> int:
    """Play a card, and pass the turn; at the last trick end the game.

    Returns:
        The seat that wins the trick, by the highest trump or card of the suit that was led; NONE
        if the trick is not complete. `trump` is a suit, or NONE.
    """
    seat, seats, ranks = s.to_move, len(s.trick), len(s.place) // s.lacks.shape[1]
    led = s.trick[s.leader]
    if led != NONE and led // ranks != card // ranks:
        s.lacks[seat, led // ranks] = 1
    s.place[card], s.trick[seat], s.to_move = -2 - seat, card, (seat + 1) % seats
    if s.to_move != s.leader:
        return NONE
    best = int(s.leader)
    for other in range(seats):
        top, played = s.trick[best], s.trick[other]
        if played > top if played // ranks == top // ranks else played // ranks == trump:
            best = other
    s.tricks[best] += 1
    s.last = s.trick
    s.trick[:] = NONE
    s.leader, s.to_move = best, OVER
    for other in range(len(s.place)):
        if s.place[other] == best:
            s.to_move = best
    return int(best)


def num_seen(state: RecordType) -> int:
    """Return how many numbers `observe_cards` writes."""
    (cards,), (seats, suits) = state["place"].shape, state["lacks"].shape
    return int(cards * (1 + 2 * seats) + seats * (2 + suits))


@kernel
def observe_cards(s: Any, player: int, out: Any) -> int:
    """Write what a seat knows of the cards, seats from the own one on; return how many numbers."""
    count, seats, suits = len(s.place), len(s.trick), s.lacks.shape[1]
    for card in range(count):
        out[card] = s.place[card] == player
    at = count
    for turn in range(seats):
        seat = (player + turn) % seats
        for card in range(count):
            out[at + card] = s.trick[seat] == card
            out[at + count + card] = s.place[card] == -2 - seat
        at += 2 * count
        out[at], out[at + 1] = s.leader == seat, s.tricks[seat] * seats / count
        for suit in range(suits):
            out[at + 2 + suit] = s.lacks[seat, suit]
        at += 2 + suits
    return at


class TrickGame(Game):
    """A trick game on the page and in the terminal. Actions from `len(deck)` on are buttons."""

    kernel_modules = (sys.modules[__name__],)
    deck: ClassVar[Sequence[str]]  # the name of each card, such as "AS" or "10H"

    def action_name(self, position: Position, action: int) -> str:
        return self.deck[action]

    def note(self, position: Position) -> str:
        """Return what all seats know, such as the trump."""
        return ""

    def notes(self, position: Position) -> Sequence[str]:
        """Return what stands beside the name of each seat: its tricks."""
        return [f"tricks: {count}" for count in position.state.tricks]

    def scene(self, position: Position, seat: int | None = None) -> Scene:
        s, mine = position.state, position.legal_actions() if position.to_move == seat else ()
        order = [(s.leader + turn) % self.seats for turn in range(self.seats)]
        stock = int((s.place == STOCK).sum())
        held = [np.flatnonzero(s.place == one).tolist() for one in range(self.seats)]
        return cards(
            [[self.deck[card] for card in hand] for hand in held],
            seat,
            legal={card: self.deck[card] for card in mine if card < len(self.deck)},
            trick={one: self.deck[int(s.trick[one])] for one in order if s.trick[one] != NONE},
            last_trick={one: self.deck[card] for one, card in enumerate(s.last) if card != NONE},
            piles={"stock": stock} if stock else {},
            notes=self.notes(position),
            note=self.note(position),
        )
