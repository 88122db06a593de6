"""Leduc poker (Southey and others, 2005): two rounds of bets, one hidden card each, one open.

Each puts in 1 and gets a card. In a round a seat may check or call, raise (by 2, then by 4, twice
a round at most), or fold. After the first round a card is laid open. A pair with it wins, else the
higher card; equal cards share. Payoffs are shares: (13 + chips won) / 26.
"""

import numpy as np

from meeple.games import Game
from meeple.kernels import CHANCE, OVER, add, add_outcome, below, kernel, record
from meeple.options import Integer

FOLD, CALL, RAISE = 0, 1, 2
MOST = 13  # chips that a seat can lose
NONE = -1
State = record(
    to_move=np.int8,
    round=np.int8,
    raises=np.int8,  # of this round
    checked=np.int8,  # whether the first to move in this round has called or checked
    folded=np.int8,  # the seat that folded, or NONE
    open=np.int8,  # the rank on the table, or NONE
    ranks=np.int8,
    cards=(np.int8, 2),
    paid=(np.int8, 2),
    bets=(np.int8, (2, 4)),  # what was done in each round: action + 1
)
Options = record(ranks=np.int8)


@kernel
def start(s, options, rng):
    """Both have put in 1; chance deals."""
    s.to_move, s.folded, s.open, s.ranks = CHANCE, NONE, NONE, options.ranks
    s.cards[:], s.paid[:] = NONE, 1


@kernel
def left(s, rank):
    """Cards of a rank that are still in the deck."""
    return 2 - (s.cards[0] == rank) - (s.cards[1] == rank)


@kernel
def legal(s, moves):
    """A rank from the deck; else fold where there is a bet, call or check, raise."""
    if s.to_move == CHANCE:
        deck = 0
        for rank in range(s.ranks):
            deck += left(s, rank)
        for rank in range(s.ranks):
            if left(s, rank) > 0:
                add_outcome(moves, rank, left(s, rank) / deck)
        return
    if s.paid[0] != s.paid[1]:
        add(moves, FOLD)
    add(moves, CALL)
    if s.raises < 2:
        add(moves, RAISE)


@kernel
def play(s, action):
    """Deal, or bet; a round ends with a call that is not its first action."""
    if s.to_move == CHANCE:
        if s.cards[0] == NONE:
            s.cards[0] = action
        elif s.cards[1] == NONE:
            s.cards[1], s.to_move = action, 0
        else:
            s.open, s.to_move = action, 0
        return
    me, other = s.to_move, 1 - s.to_move
    done = s.raises + s.checked
    s.bets[s.round, done] = action + 1
    s.to_move = other
    if action == FOLD:
        s.folded, s.to_move = me, OVER
    elif action == RAISE:
        s.paid[me] = s.paid[other] + 2 + 2 * s.round
        s.raises += 1
    elif done == 0:
        s.checked = 1
    else:
        s.paid[me] = s.paid[other]
        s.to_move = OVER if s.round == 1 else CHANCE
        s.round, s.raises, s.checked = 1, 0, 0


@kernel
def payoffs(s, out):
    """The loser's chips go to the other."""
    if s.folded != NONE:
        won = s.paid[1] if s.folded == 1 else -s.paid[0]
    else:
        mine = 100 * (s.cards[0] == s.open) + s.cards[0]
        theirs = 100 * (s.cards[1] == s.open) + s.cards[1]
        won = s.paid[0] * (int(mine > theirs) - int(mine < theirs))
    out[0] = (MOST + won) / (2 * MOST)
    out[1] = 1.0 - out[0]


@kernel
def observe(s, player, out):
    """The own card and the open one, a flag for each rank; the seat; 3 flags for each bet."""
    for rank in range(s.ranks):
        out[rank] = s.cards[player] == rank
        out[s.ranks + rank] = s.open == rank
    out[2 * s.ranks] = player
    for index in range(8):
        done = s.bets[index // 4, index % 4]
        if done > 0:
            out[2 * s.ranks + 3 * index + done] = 1.0


@kernel
def resample(s, player, rng):
    """The other's card, from those that the seat has not seen."""
    other = 1 - player
    if s.cards[other] == NONE:
        return
    s.cards[other] = NONE
    unseen = 2 * s.ranks - 1 - (s.open != NONE)
    draw = below(rng, unseen)
    for rank in range(s.ranks):
        count = left(s, rank) - (s.open == rank)
        if 0 <= draw < count:
            s.cards[other] = rank
        draw -= count


class Leduc(Game):
    """Two seats, six cards."""

    name = "leduc"
    summary = "a small poker game: two rounds of bets, one hidden card each"
    declared = {"ranks": Integer(3, 2, 6, "ranks, of two cards each")}
    max_moves = 6
    State, Options = State, Options

    def configure(self):
        self.num_actions, self.max_plies = max(3, self.options["ranks"]), 11
        self.observation_shape = (2 * self.options["ranks"] + 25,)

    def draw(self, position, colour=False):
        s = position.state
        bets = ["".join(" fcr"[bet] for bet in row if bet) or "-" for row in s.bets.tolist()]
        card = "none" if s.open == NONE else s.open
        return f"open card {card}, bets {bets[0]} {bets[1]}, paid {s.paid[0]} and {s.paid[1]}"

    def action_name(self, position, action):
        return str(action) if position.to_move == CHANCE else ("fold", "call", "raise")[action]
