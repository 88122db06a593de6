"""Liar's Dice for two: hidden dice, and ever higher bids on all of them."""

import numpy as np

from meeple.games import Game
from meeple.kernels import CHANCE, OVER, add, add_outcome, below, kernel, record
from meeple.options import Flag, Integer

MOST_DICE, MOST_SIDES, MOST_BIDS = 3, 6, 36
State = record(
    to_move=np.int8, dice=np.int8, sides=np.int8, wild=np.int8,  # 1: the highest face is wild
    seat=np.int8, face=np.int8, left=np.int8,  # whose dice are thrown, and which face is next
    call=np.int8, last=np.int8, winner=np.int8,  # the number of bids; the last bid, or -1
    hands=(np.int8, (2, MOST_SIDES)), bids=(np.int8, MOST_BIDS),  # dice of each face; 1: made
)  # fmt: skip
Options = record(dice=np.int8, sides=np.int8, wild=np.int8)


@kernel
def start(s, options, rng):
    """Chance throws the dice of both."""
    s.to_move, s.dice, s.sides, s.wild = CHANCE, options.dice, options.sides, options.wild
    s.seat, s.face, s.left, s.call, s.last = 0, 0, s.dice, 2 * s.dice * s.sides, -1


@kernel
def legal(s, moves):
    """How many dice show a face (binomial); any higher bid, or the call that the last is a lie."""
    if s.to_move == CHANCE:
        chance, ways = 1.0 / (s.sides - s.face), 1.0
        for count in range(s.left + 1):
            add_outcome(moves, count, ways * chance**count * (1 - chance) ** (s.left - count))
            ways = ways * (s.left - count) / (count + 1)
        return
    for action in range(s.last + 1, s.call + (s.last >= 0)):
        add(moves, action)


@kernel
def play(s, action):
    """Throw the dice of one face; bid; or call, and count the dice of the face and the wild one."""
    if s.to_move == CHANCE:
        s.hands[s.seat, s.face] = action
        s.left, s.face = s.left - action, s.face + 1
        if s.face == s.sides - 1:  # the others show the last face
            s.hands[s.seat, s.face] = s.left
            s.seat, s.face, s.left = s.seat + 1, 0, s.dice
            s.to_move = CHANCE if s.seat == 1 else 0
    elif action < s.call:
        s.bids[action], s.last, s.to_move = 1, action, 1 - s.to_move
    else:
        face, highest = s.last % s.sides, s.sides - 1
        count = s.hands[0, face] + s.hands[1, face]
        if s.wild and face != highest:
            count += s.hands[0, highest] + s.hands[1, highest]
        s.winner = 1 - s.to_move if count > s.last // s.sides else s.to_move
        s.to_move = OVER


@kernel
def payoffs(s, out):
    """All for the bidder if the bid was true, else for the caller."""
    out[s.winner], out[1 - s.winner] = 1.0, 0.0


@kernel
def observe(s, player, out):
    """The own dice of each face, as a share; which bids were made; the seat."""
    for face in range(s.sides):
        out[face] = s.hands[player, face] / s.dice
    for bid in range(s.call):
        out[s.sides + bid] = s.bids[bid]
    out[s.sides + s.call] = player


@kernel
def resample(s, player, rng):
    """The other's dice, thrown again as far as they were thrown."""
    other = 1 - player
    thrown = s.sides if s.to_move != CHANCE or other < s.seat else s.face * (other == s.seat)
    s.hands[other, :] = 0
    for _ in range(s.dice):
        face = below(rng, s.sides)
        if face < thrown:
            s.hands[other, face] += 1
    if s.to_move == CHANCE:
        s.left = s.dice - s.hands[s.seat].sum()


class LiarsDice(Game):
    """Two seats with `dice` dice of `sides` sides each."""

    name, summary = "liars-dice", "bids on hidden dice, until one calls the last a lie"
    declared = {
        "dice": Integer(1, 1, MOST_DICE, "dice of each player"),
        "sides": Integer(6, 2, MOST_SIDES, "sides of a die"),
        "wild": Flag(True, "the highest face counts as every face"),
    }
    examples = ({}, {"dice": 2, "sides": 3, "wild": False})
    max_moves = MOST_BIDS + 1

    def configure(self):
        dice, sides = self.options["dice"], self.options["sides"]
        self.num_actions, self.max_plies = 2 * dice * sides + 1, 2 * (sides + dice * sides)
        self.observation_shape = (sides + 2 * dice * sides + 1,)

    def action_name(self, position, action):
        s = position.state
        if position.to_move == CHANCE:
            return f"{action} dice show {s.face + 1}"
        return "liar" if action == s.call else f"{action // s.sides + 1}x{action % s.sides + 1}"

    def draw(self, position, colour=False):
        bids = np.flatnonzero(position.state.bids)
        return f"bids: {', '.join(self.action_name(position, bid) for bid in bids) or 'none'}"

    def view(self, position, seat, colour=False):
        faces = np.repeat(np.arange(1, MOST_SIDES + 1), position.state.hands[seat])
        return f"{self.draw(position)}\nyour dice: {', '.join(map(str, faces)) or 'not thrown'}"
