"""Coins in a row, for three: each in turn takes the coin at one end, and has as many points.

Coins are worth 1, 2, 3 and so on, and lie in random order. A player's share of the win is the share
of all points, so that every point counts, and it matters what one leaves to whom.
"""

import numpy as np

from meeple.games import Game
from meeple.kernels import OVER, add, below, kernel, record
from meeple.options import Integer

MOST, PLAYERS = 24, 3
LEFT, RIGHT = 0, 1
State = record(
    to_move=np.int8,
    left=np.int8,  # the first coin that lies there
    right=np.int8,  # the one after the last
    coins=np.int16,  # that lay there at the start
    worth=(np.int8, MOST),
    points=(np.int16, PLAYERS),
)
Options = record(coins=np.int16)


@kernel
def start(s, options, rng):
    """All coins in random order; the first player begins."""
    s.to_move, s.left, s.right, s.coins = 0, 0, options.coins, options.coins
    s.points[:] = 0
    for place in range(s.coins):
        other = below(rng, place + 1)
        s.worth[place] = s.worth[other]
        s.worth[other] = place + 1


@kernel
def legal(s, moves):
    """The coin on the left, or on the right; the last coin is both."""
    add(moves, LEFT)
    if s.right - s.left > 1:
        add(moves, RIGHT)


@kernel
def play(s, action):
    """The coin goes to the player; without any left the game is over."""
    if action == LEFT:
        s.points[s.to_move] += s.worth[s.left]
        s.left += 1
    else:
        s.right -= 1
        s.points[s.to_move] += s.worth[s.right]
    s.to_move = (s.to_move + 1) % PLAYERS if s.left < s.right else OVER


@kernel
def payoffs(s, out):
    """Shares of all points."""
    for player in range(PLAYERS):
        out[player] = s.points[player] / (s.coins * (s.coins + 1) / 2)


@kernel
def observe(s, player, out):
    """Write [2 * coins + 2 * 3] numbers.

    The coins from the left end, then from the right end, as shares of the greatest; then points and
    flags of the player to move, counted from the player's own seat.
    """
    for place in range(s.right - s.left):
        out[place] = s.worth[s.left + place] / s.coins
        out[s.coins + place] = s.worth[s.right - 1 - place] / s.coins
    for seat in range(PLAYERS):
        out[2 * s.coins + seat] = s.points[(player + seat) % PLAYERS] / (4 * s.coins)
    if s.to_move >= 0:
        out[2 * s.coins + PLAYERS + (s.to_move - player) % PLAYERS] = 1.0


class Coins(Game):
    """A row of `coins` coins for three players."""

    name, summary = "coins", "three players take coins from the ends of a row"
    declared = {"coins": Integer(12, 4, MOST, "coins in the row")}
    max_moves, num_actions, players = 2, 2, PLAYERS

    def configure(self):
        self.max_plies = self.options["coins"]
        self.observation_shape = (2 * self.options["coins"] + 2 * PLAYERS,)

    def action_name(self, position, action):
        return ("left", "right")[action]

    def draw(self, position, colour=False):
        s = position.state
        row = " ".join(str(worth) for worth in s.worth[s.left : s.right])
        return f"{row or 'no coins'}; points {', '.join(map(str, s.points))}"
