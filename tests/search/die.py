"""A public die: the roller takes the share it shows or leaves it to the opponent."""

from typing import Any

import numpy as np

from meeple.games import Game, Position
from meeple.kernels import CHANCE, OVER, add, add_outcome, kernel, record

State = record(to_move=np.int8, shown=np.int8, taken=np.int8)
Options = record()
FEW, HALF, MANY = range(3)  # outcomes: shares of 0.2, 0.5 and 0.9
TAKE, LEAVE = range(2)


@kernel
def start(s: Any, options: Any, rng: Any) -> None:
    """Start with a chance node for the die."""
    s.to_move = CHANCE


@kernel
def legal(s: Any, moves: Any) -> None:
    """List the outcomes, of which a half has probability 1/2, or the two choices."""
    if s.to_move == CHANCE:
        add_outcome(moves, FEW, 0.25)
        add_outcome(moves, HALF, 0.5)
        add_outcome(moves, MANY, 0.25)
    else:
        add(moves, TAKE)
        add(moves, LEAVE)


@kernel
def play(s: Any, action: int) -> None:
    """One throw, one choice."""
    if s.to_move == CHANCE:
        s.shown = action
        s.to_move = 0
    else:
        s.taken = action
        s.to_move = OVER


@kernel
def payoffs(s: Any, out: Any) -> None:
    """Give the other player the rest of the share."""
    share = 0.2 if s.shown == FEW else (0.5 if s.shown == HALF else 0.9)
    out[0] = share if s.taken == TAKE else 1.0 - share
    out[1] = 1.0 - out[0]


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    """Write the die and the player to move."""
    out[0] = s.shown
    out[1] = s.to_move


class Die(Game):
    """One throw, one choice."""

    name = "die"
    summary = "take what a die shows, or leave it"
    perfect_information = True
    max_moves = 3
    State = State
    Options = Options

    def configure(self) -> None:
        self.num_actions, self.max_plies, self.observation_shape = 3, 2, (2,)

    def draw(self, position: Position, colour: bool = False) -> str:
        return f"shown {position.state.shown}"
