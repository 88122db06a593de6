"""Leduc poker (Southey and others, 2005): a hidden card each, two rounds of bets, one open card."""

import numpy as np

from meeple.games import Game
from meeple.kernels import CHANCE, OVER, add, add_outcome, below, kernel, record
from meeple.options import Integer

FOLD, CALL, RAISE, NONE = 0, 1, 2, -1
MOST, OPEN = 13, 2  # chips that a seat can lose; the place of the open card
State = record(
    to_move=np.int8, ranks=np.int8, round=np.int8, folded=np.int8,  # the seat that did, or NONE
    raises=np.int8, checked=np.int8,  # in this round; whether its first to move has called
    cards=(np.int8, 3), paid=(np.int8, 2), bets=(np.int8, 8),  # four of each round: action + 1
)  # fmt: skip
Options = record(ranks=np.int8)


@kernel
def start(s, options, rng):
    """Both have put in 1; chance deals."""
    s.to_move, s.folded, s.ranks, s.cards[:], s.paid[:] = CHANCE, NONE, options.ranks, NONE, 1


@kernel
def left(s, rank):
    """Cards of a rank that are still in the deck."""
    return 2 - (s.cards[0] == rank) - (s.cards[1] == rank) - (s.cards[OPEN] == rank)


@kernel
def legal(s, moves):
    """A rank from the deck; else fold where there is a bet, call or check, raise twice at most."""
    if s.to_move == CHANCE:
        deck = 2 * s.ranks - (s.cards[0] != NONE) - (s.cards[1] != NONE)
        for rank in range(s.ranks):
            if left(s, rank) > 0:
                add_outcome(moves, rank, left(s, rank) / deck)
        return
    first = FOLD if s.paid[0] != s.paid[1] else CALL
    for action in range(first, RAISE + (s.raises < 2)):
        add(moves, action)


@kernel
def play(s, action):
    """Deal, or bet 2, later 4; a round ends with a call that is not its first action."""
    if s.to_move == CHANCE:
        dealt = int(s.cards[0] != NONE) + int(s.cards[1] != NONE)
        s.cards[dealt], s.to_move = action, CHANCE if dealt == 0 else 0
        return
    me, other, done = s.to_move, 1 - s.to_move, s.raises + s.checked
    s.bets[4 * s.round + done], s.to_move = action + 1, other
    if action == FOLD:
        s.folded, s.to_move = me, OVER
    elif action == RAISE:
        s.paid[me], s.raises = s.paid[other] + 2 + 2 * s.round, s.raises + 1
    elif done == 0:
        s.checked = 1
    else:
        s.paid[me], s.to_move = s.paid[other], OVER if s.round == 1 else CHANCE
        s.round, s.raises, s.checked = 1, 0, 0


@kernel
def payoffs(s, out):
    """Shares, (13 + chips won) / 26: a pair wins, else the higher card; equal cards share."""
    mine, theirs = s.cards[0], s.cards[1]
    if s.folded != NONE:
        mine, theirs = s.folded, 1 - s.folded
    elif mine != theirs and (mine == s.cards[OPEN] or theirs == s.cards[OPEN]):
        mine, theirs = int(mine == s.cards[OPEN]), int(theirs == s.cards[OPEN])
    won = (int(mine > theirs) - int(mine < theirs)) * min(s.paid[0], s.paid[1])
    out[0], out[1] = (MOST + won) / (2 * MOST), (MOST - won) / (2 * MOST)


@kernel
def observe(s, player, out):
    """The own card and the open one, a flag for each rank; the seat; 3 flags for each bet."""
    for rank in range(s.ranks):
        out[rank], out[s.ranks + rank] = s.cards[player] == rank, s.cards[OPEN] == rank
    out[2 * s.ranks] = player
    for index in range(8):
        if s.bets[index] > 0:
            out[2 * s.ranks + 3 * index + s.bets[index]] = 1.0


@kernel
def resample(s, player, rng):
    """The other's card, from those that the seat has not seen."""
    other = 1 - player
    if s.cards[other] != NONE:
        s.cards[other] = NONE
        draw = below(rng, 2 * s.ranks - 1 - (s.cards[OPEN] != NONE))
        for rank in range(s.ranks):
            count = left(s, rank)
            if 0 <= draw < count:
                s.cards[other] = rank
                return
            draw -= count


class Leduc(Game):
    """Two seats, six cards."""

    name, summary = "leduc", "a small poker game: two rounds of bets, one hidden card each"
    declared = {"ranks": Integer(3, 2, 6, "ranks, of two cards each")}
    max_moves = 6

    def configure(self):
        self.num_actions, self.max_plies = max(3, self.options["ranks"]), 11
        self.observation_shape = (2 * self.options["ranks"] + 25,)

    def draw(self, position, colour=False):
        s = position.state
        return f"open card {s.cards[OPEN]}, bets {s.bets.tolist()}, paid {s.paid.tolist()}"

    def action_name(self, position, action):
        return str(action) if position.to_move == CHANCE else ("fold", "call", "raise")[action]
