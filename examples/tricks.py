"""A small trick game for three: 6 of 24 cards each, the rest face down; follow suit, d trumps."""

import numpy as np

from meeple.games import Game
from meeple.kernels import OVER, add, below, kernel, record

PLAYERS, SUITS, RANKS, HAND, NOBODY = 3, 4, 6, 6, -1
CARDS, TRUMP = SUITS * RANKS, SUITS - 1
State = record(
    to_move=np.int8, leader=np.int8,
    place=(np.int8, CARDS),  # of card suit * RANKS + rank: a hand, NOBODY, or PLAYERS + who played
    trick=(np.int8, PLAYERS),  # what each seat has played to it, or NOBODY
    tricks=(np.int8, PLAYERS), lacks=(np.int8, (PLAYERS, SUITS)),  # where a seat did not follow
)  # fmt: skip


@kernel
def start(s, options, rng):
    """Six cards each; the first player leads."""
    s.to_move, s.leader, s.tricks[:], s.lacks[:], s.trick[:] = 0, 0, 0, 0, NOBODY
    for card in range(CARDS):
        s.place[card] = card % PLAYERS if card < PLAYERS * HAND else NOBODY
    shuffle(s, PLAYERS, rng)


@kernel
def shuffle(s, seat, rng):
    """Deal all cards anew that were not played and are not in this seat's hand."""
    for card in range(CARDS):
        if s.place[card] < PLAYERS and s.place[card] != seat:
            other = below(rng, card + 1)
            while s.place[other] >= PLAYERS or s.place[other] == seat:
                other = below(rng, card + 1)
            s.place[card], s.place[other] = s.place[other], s.place[card]


@kernel
def resample(s, player, rng):
    """Deal the unseen cards anew, until nobody has a suit that he could not follow."""
    fits = False
    while not fits:
        shuffle(s, player, rng)
        fits = True
        for card in range(CARDS):
            if 0 <= s.place[card] < PLAYERS and s.lacks[s.place[card], card // RANKS]:
                fits = False


@kernel
def legal(s, moves):
    """A card of the suit that was led, or any where there is none."""
    led = s.trick[s.leader] // RANKS  # below 0: nothing was led
    for free in range(2):
        for card in range(CARDS):
            if s.place[card] == s.to_move and (free or card // RANKS == led):
                add(moves, card)
        if moves.count > 0:
            return


@kernel
def play(s, action):
    """Play a card; the third one ends the trick, the last trick the game."""
    seat, led = s.to_move, s.trick[s.leader]
    if led != NOBODY and led // RANKS != action // RANKS:
        s.lacks[seat, led // RANKS] = 1
    s.place[action], s.trick[seat], s.to_move = PLAYERS + seat, action, (seat + 1) % PLAYERS
    if s.to_move == s.leader:
        best = s.leader
        for other in range(PLAYERS):
            card, top = s.trick[other], s.trick[best]
            if card > top if card // RANKS == top // RANKS else card // RANKS == TRUMP:
                best = other
        s.tricks[best] += 1
        s.leader, s.trick[:], s.to_move = best, NOBODY, OVER if s.tricks.sum() == HAND else best


@kernel
def payoffs(s, out):
    """Shares of the tricks."""
    for seat in range(PLAYERS):
        out[seat] = s.tricks[seat] / HAND


@kernel
def observe(s, player, out):
    """The hand; of each seat, from the own one on: its card, those played, tricks, lead, lacks."""
    for seat in range(PLAYERS):
        other, first = (player + seat) % PLAYERS, 7 * CARDS + seat * (2 + SUITS)
        for card in range(CARDS):
            out[card] = s.place[card] == player
            out[(1 + seat) * CARDS + card] = s.trick[other] == card
            out[(4 + seat) * CARDS + card] = s.place[card] == PLAYERS + other
        out[first], out[first + 1] = s.tricks[other] / HAND, s.leader == other
        for suit in range(SUITS):
            out[first + 2 + suit] = s.lacks[other, suit]


class Tricks(Game):
    """Six tricks for three players."""

    name, summary = "tricks", "a small trick game for three with hidden hands"
    max_moves, players, num_actions = HAND, PLAYERS, CARDS

    def configure(self):
        self.max_plies, self.observation_shape = PLAYERS * HAND, (7 * CARDS + 3 * (2 + SUITS),)

    def action_name(self, position, action):
        return f"{'abcd'[action // RANKS]}{action % RANKS + 1}" if action >= 0 else "-"

    def draw(self, position, colour=False):
        trick = [self.action_name(None, card) for card in position.state.trick.tolist()]
        return f"trick {trick}, tricks {position.state.tricks}"

    def view(self, position, seat, colour=False):
        hand = np.flatnonzero(position.state.place == seat).tolist()
        return f"{self.draw(position)}, hand {[self.action_name(None, card) for card in hand]}"
