"""A small correct game into which tests insert mistakes: roll, then take stones or none."""

import numpy as np

from meeple.games import Game
from meeple.games.contract.symmetry import Symmetry, Variant  # noqa: F401 (for a mistake)
from meeple.kernels import CHANCE, OVER, add, add_outcome, kernel, record
from meeple.options import Integer

State = record(to_move=np.int8, mover=np.int8, roll=np.int8, rest=np.int8, won=(np.int8, 2))
Options = record(stones=np.int32)


@kernel
def start(s, options, rng):
    """Start with a heap of stones; a chance node precedes every turn."""
    s.to_move, s.mover, s.roll, s.rest = CHANCE, 0, 0, options.stones
    s.won[:] = 0


@kernel
def taken(s, action):
    """Return the number of stones that an action takes."""
    return min((s.roll + 1) * action, s.rest)


@kernel
def legal(s, moves):
    """List a roll of 1 or 2; then taking none, one or two times the roll."""
    if s.to_move == CHANCE:
        add_outcome(moves, 0, 0.5)
        add_outcome(moves, 1, 0.5)
    else:
        for action in range(3):
            add(moves, action)


@kernel
def play(s, action):
    """Record the roll, or move stones to the player to move."""
    if s.to_move == CHANCE:
        s.roll, s.to_move, s.rest = action, s.mover, s.rest - 1
    else:
        stones = taken(s, action)
        s.won[s.mover] += stones
        s.rest -= stones
        s.mover = 1 - s.mover
        s.to_move = CHANCE if s.rest > 0 else OVER


@kernel
def payoffs(s, out):
    """Give the win to the player with more stones."""
    for player in range(2):
        out[player] = 0.5
        if s.won[player] != s.won[1 - player]:
            out[player] = 1.0 if s.won[player] > s.won[1 - player] else 0.0


@kernel
def observe(s, player, out):
    """Write [4]: the roll, the heap, and the stones of both players, the observer's first."""
    out[0] = s.roll
    out[1] = s.rest
    out[2] = s.won[player]
    out[3] = s.won[1 - player]


class Dice(Game):
    """Taking stones by dice."""

    name, summary = "dice", "take stones by the dice"
    declared = {"stones": Integer(9, 1, 20, "on the heap")}
    State, Options, max_moves = State, Options, 3

    def configure(self):
        """Set three actions, and two plies for each turn, which takes at least one stone."""
        self.num_actions, self.max_plies = 3, 2 * int(self.options["stones"])
        self.observation_shape = (4,)

    def symmetries(self):
        """Return the identity only."""
        return (Symmetry(np.arange(4), np.arange(3), np.arange(2)),)

    def action_name(self, position, action):
        """Return the number of stones, or the roll."""
        return ("none", "one roll", "two rolls")[action] if position.to_move >= 0 else str(action)

    def draw(self, position, colour=False):
        """Return the heap as text."""
        return f"{position.state.rest} left, roll {position.state.roll + 1}"
