"""Small whist for two teams of two: eight of 32 cards each; player 1 names the trump."""

import numpy as np

from meeple.games import Game
from meeple.games.boards.cards import cards
from meeple.kernels import OVER, add, below, kernel, record

PLAYERS, SUITS, RANKS, HAND, NOBODY, BID = 4, 4, 8, 8, -1, 32  # BID + suit names the trump
CARDS = [f"{rank}{suit}" for suit in "CDHS" for rank in (*"789", "10", *"JQKA")]
State = record(
    to_move=np.int8, leader=np.int8, trump=np.int8,
    place=(np.int8, len(CARDS)),  # a seat's hand, or NOBODY
    trick=(np.int8, PLAYERS), last=(np.int8, PLAYERS),  # what each seat played, or NOBODY
    tricks=(np.int8, 2), lacks=(np.int8, (PLAYERS, SUITS)),  # of a team; where a seat cannot follow
)  # fmt: skip
Options = record()


@kernel
def start(s, options, rng):
    """Eight cards each; the first player names the trump and leads."""
    s.to_move, s.leader, s.trump, s.trick[:], s.last[:] = 0, 0, NOBODY, NOBODY, NOBODY
    for card in range(32):
        s.place[card] = card % PLAYERS
    resample(s, NOBODY, rng)


@kernel
def resample(s, player, rng):
    """Exchange cards at random that a player does not see, and that both others may have."""
    for _ in range(150):
        card, other = below(rng, 32), below(rng, 32)
        one, two = s.place[card], s.place[other]
        hidden = one not in (player, NOBODY) and two not in (player, NOBODY)
        if hidden and not s.lacks[one, other // RANKS] and not s.lacks[two, card // RANKS]:
            s.place[card], s.place[other] = two, one


@kernel
def legal(s, moves):
    """Name a trump; then a card of the suit that was led, or any where there is none."""
    led = s.trick[s.leader] // RANKS  # below 0: nothing was led
    for suit in range(SUITS if s.trump == NOBODY else 0):
        add(moves, BID + suit)
    for free in range(0 if s.trump == NOBODY else 2):
        for card in range(32):
            if s.place[card] == s.to_move and (free or card // RANKS == led):
                add(moves, card)
        if moves.count > 0:
            return


@kernel
def play(s, action):
    """Play a card; the fourth one ends the trick, and the eighth trick the game."""
    if action >= BID:
        s.trump = action - BID
        return
    seat, led = s.to_move, s.trick[s.leader]
    if led != NOBODY and led // RANKS != action // RANKS:
        s.lacks[seat, led // RANKS] = 1
    s.place[action], s.trick[seat], s.to_move = NOBODY, action, (seat + 1) % PLAYERS
    if s.to_move == s.leader:
        best = s.leader
        for other in range(PLAYERS):
            card, top = s.trick[other], s.trick[best]
            if card > top if card // RANKS == top // RANKS else card // RANKS == s.trump:
                best = other
        s.tricks[best % 2] += 1
        s.last = s.trick
        s.trick[:] = NOBODY
        s.leader, s.to_move = best, OVER if s.tricks.sum() == HAND else best


@kernel
def payoffs(s, out):
    """The tricks of each seat's team."""
    for seat in range(PLAYERS):
        out[seat] = s.tricks[seat % 2]


@kernel
def observe(s, player, out):
    """By card the own hand, the others' cards, and the trick; then what all know of each seat."""
    for card in range(32):
        out[card], out[32 + card] = s.place[card] == player, s.place[card] != NOBODY
        for seat in range(PLAYERS):
            out[64 + 32 * seat + card] = s.trick[(player + seat) % PLAYERS] == card
    for seat in range(PLAYERS):
        other = (player + seat) % PLAYERS
        out[192 + seat], out[196 + seat] = s.leader == other, s.trump == seat
        for suit in range(SUITS):
            out[200 + SUITS * seat + suit] = s.lacks[other, suit]
    out[216], out[217] = s.tricks[player % 2] / HAND, s.tricks[1 - player % 2] / HAND


class Whist(Game):
    """Eight tricks."""

    name, summary = "whist", "small whist for two teams of two with hidden hands"
    State, Options, max_moves, players, num_actions = State, Options, HAND, PLAYERS, BID + SUITS
    teams, points = ((0, 2), (1, 3)), (0, HAND)

    def configure(self):
        self.max_plies, self.observation_shape = 1 + PLAYERS * HAND, (218,)

    def action_name(self, position, action):
        return [*CARDS, "clubs", "diamonds", "hearts", "spades"][action]

    def scene(self, position, seat=None):
        s, mine = position.state, position.legal_actions() if position.to_move == seat else ()
        order = [(s.leader + turn) % PLAYERS for turn in range(PLAYERS)]
        return cards(
            [[CARDS[card] for card in np.flatnonzero(s.place == one)] for one in range(PLAYERS)],
            seat,
            legal={action: CARDS[action] for action in mine if action < BID},
            trick={one: CARDS[s.trick[one]] for one in order if s.trick[one] != NOBODY},
            last_trick={one: CARDS[card] for one, card in enumerate(s.last) if card != NOBODY},
            notes=[f"tricks: {s.tricks[one % 2]}" for one in range(PLAYERS)],
            note="" if s.trump == NOBODY else f"trump: {self.action_name(position, BID + s.trump)}",
        )
