"""A card game of hidden hands: three players, three tricks, each worth one or two points by chance.

Each player holds three of nine cards, dealt by the seed; the highest card takes a trick. The legal
actions of the others thus differ by determinization. Payoffs are shares of the points.
"""

import numpy as np

from meeple.games.contract.game import Game
from meeple.kernels import CHANCE, OVER, add, add_outcome, below, kernel, record

PLAYERS, CARDS, TRICKS = 3, 9, 3
PLAYED = -1

State = record(
    to_move=np.int8,
    worth=np.int8,  # points of the current trick
    played=np.int8,  # cards
    leader=np.int8,  # seat of the highest card in the trick
    highest=np.int8,
    holder=(np.int8, (CARDS,)),  # a seat or PLAYED
    points=(np.int8, (PLAYERS,)),
)
Options = record()


@kernel
def start(s, options, rng):
    s.to_move = CHANCE
    s.worth = s.played = s.leader = 0
    s.highest = -1
    for card in range(CARDS):
        s.holder[card] = card % PLAYERS
    for player in range(PLAYERS):
        s.points[player] = 0
    for card in range(CARDS):
        other = card + below(rng, CARDS - card)
        s.holder[card], s.holder[other] = s.holder[other], s.holder[card]


@kernel
def legal(s, moves):
    if s.to_move == CHANCE:
        add_outcome(moves, 1, 0.75)
        add_outcome(moves, 2, 0.25)
        return
    for card in range(CARDS):
        if s.holder[card] == s.to_move:
            add(moves, card)


@kernel
def play(s, action):
    if s.to_move == CHANCE:
        s.worth = action
        s.to_move = 0
        return
    s.holder[action] = PLAYED
    s.played += 1
    if action > s.highest:
        s.highest = action
        s.leader = s.to_move
    s.to_move += 1
    if s.to_move == PLAYERS:
        s.points[s.leader] += s.worth
        s.highest = -1
        s.to_move = OVER if s.played == CARDS else CHANCE


@kernel
def payoffs(s, out):
    total = 0
    for player in range(PLAYERS):
        total += s.points[player]
    for player in range(PLAYERS):
        out[player] = s.points[player] / total


@kernel
def observe(s, player, out):
    for card in range(CARDS):
        out[card] = s.holder[card] == player


@kernel
def resample(s, player, rng):
    """Deal the other players' cards again among them."""
    for card in range(CARDS):
        if s.holder[card] == player or s.holder[card] == PLAYED:
            continue
        chosen, seen = card, 0
        for other in range(card, CARDS):
            if s.holder[other] != player and s.holder[other] != PLAYED:
                seen += 1
                if below(rng, seen) == 0:
                    chosen = other
        s.holder[card], s.holder[chosen] = s.holder[chosen], s.holder[card]


class Tricks(Game):
    name, summary, max_moves = "tricks", "take tricks", CARDS
    State, Options = State, Options
    players = PLAYERS

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = CARDS, 4 * TRICKS, (CARDS,)
