"""Kuhn poker (1950): three cards, one each, one bet. Payoffs are shares: (2 + chips won) / 4."""

import numpy as np

from meeple.games import Game
from meeple.kernels import CHANCE, OVER, add, add_outcome, below, kernel, record

PASS, BET = 0, 1
NONE = -1
State = record(to_move=np.int8, cards=(np.int8, 2), done=np.int8, bets=(np.int8, 3))
Options = record()


@kernel
def start(s, options, rng):
    s.to_move = CHANCE
    s.cards[:] = NONE


@kernel
def legal(s, moves):
    if s.to_move != CHANCE:
        add(moves, PASS)
        add(moves, BET)
        return
    for card in range(3):
        if s.cards[0] != card:
            add_outcome(moves, card, 1 / 3 if s.cards[0] == NONE else 1 / 2)


@kernel
def play(s, action):
    if s.to_move == CHANCE:
        if s.cards[0] == NONE:
            s.cards[0] = action
        else:
            s.cards[1], s.to_move = action, 0
        return
    s.bets[s.done] = action + 1
    s.done += 1
    s.to_move = 1 - s.to_move
    if s.done == 3 or (s.done == 2 and not (s.bets[0] == 1 and s.bets[1] == 2)):
        s.to_move = OVER


@kernel
def payoffs(s, out):
    higher = 1 if s.cards[0] > s.cards[1] else -1
    if s.bets[0] == 1:
        won = higher if s.bets[1] == 1 else (2 * higher if s.bets[2] == 2 else -1)
    else:
        won = 2 * higher if s.bets[1] == 2 else 1
    out[0] = (2 + won) / 4
    out[1] = 1 - out[0]


@kernel
def observe(s, player, out):
    out[0] = s.cards[player]
    for index in range(3):
        out[1 + index] = s.bets[index]


@kernel
def resample(s, player, rng):
    if s.cards[1 - player] != NONE:
        card = below(rng, 2)
        s.cards[1 - player] = card + (card >= s.cards[player])


class Kuhn(Game):
    name, summary, max_moves = "kuhn", "one card, one bet", 3
    State, Options = State, Options

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = 3, 5, (4,)

    def draw(self, position, colour=False):
        return str(position.state.bets)
