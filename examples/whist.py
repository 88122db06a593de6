"""Small whist for two teams of two: eight of 32 cards each; player 1 names the trump."""

import numpy as np

from meeple.games.contract.tricks import (
    NONE,
    TrickGame,
    deal,
    list_cards,
    num_seen,
    observe_cards,
    play_card,
    trick_state,
)
from meeple.kernels import add, kernel

SEATS, SUITS, RANKS, HAND, BID = 4, 4, 8, 8, 32  # BID + suit names the trump
DECK = [f"{rank}{suit}" for suit in "CDHS" for rank in (*"789", "10", *"JQKA")]
State = trick_state(SEATS, SUITS, RANKS, trump=np.int8)


@kernel
def start(s, options, rng):
    """Eight cards each; the first player names the trump and leads."""
    deal(s, HAND, rng)
    s.trump = NONE


@kernel
def legal(s, moves):
    """Name a trump; then a card of the suit that was led, or any where there is none."""
    if s.trump != NONE:
        list_cards(s, moves)
        return
    for suit in range(SUITS):
        add(moves, BID + suit)


@kernel
def play(s, action):
    """Name the trump, or play a card."""
    if action >= BID:
        s.trump = action - BID
    else:
        play_card(s, action, s.trump)


@kernel
def payoffs(s, out):
    """The tricks of each seat's team."""
    for seat in range(SEATS):
        out[seat] = s.tricks[seat] + s.tricks[(seat + 2) % SEATS]


@kernel
def observe(s, player, out):
    """The cards as a seat knows them, and the trump."""
    count = observe_cards(s, player, out)
    for suit in range(SUITS):
        out[count + suit] = s.trump == suit


class Whist(TrickGame):
    """Eight tricks."""

    name, summary = "whist", "small whist for two teams of two with hidden hands"
    deck, max_moves, players, num_actions = DECK, HAND, SEATS, BID + SUITS
    teams, points, max_plies = ((0, 2), (1, 3)), (0, HAND), 1 + SEATS * HAND
    observation_shape = (num_seen(State) + SUITS,)

    def action_name(self, position, action):
        return [*DECK, "clubs", "diamonds", "hearts", "spades"][action]

    def note(self, position):
        trump = position.state.trump
        return "" if trump == NONE else f"trump: {self.action_name(position, BID + trump)}"

    def notes(self, position):
        tricks = position.state.tricks
        return [f"tricks: {tricks[one] + tricks[(one + 2) % SEATS]}" for one in range(SEATS)]
