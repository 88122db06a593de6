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
    s.to_move = CHANCE


@kernel
def legal(s: Any, moves: Any) -> None:
    if s.to_move == CHANCE:
        add_outcome(moves, FEW, 0.25)
        add_outcome(moves, HALF, 0.5)
        add_outcome(moves, MANY, 0.25)
    else:
        add(moves, TAKE)
        add(moves, LEAVE)


@kernel
def play(s: Any, action: int) -> None:
    if s.to_move == CHANCE:
        s.shown = action
        s.to_move = 0
    else:
        s.taken = action
        s.to_move = OVER


@kernel
def payoffs(s: Any, out: Any) -> None:
    share = 0.2 if s.shown == FEW else (0.5 if s.shown == HALF else 0.9)
    out[0] = share if s.taken == TAKE else 1.0 - share
    out[1] = 1.0 - out[0]


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    out[0] = s.shown
    out[1] = s.to_move


class Die(Game):
    name, summary, max_moves = "die", "take what a die shows, or leave it", 3
    State, Options = State, Options
    perfect_information = True

    def configure(self) -> None:
        self.num_actions, self.max_plies, self.observation_shape = 3, 2, (2,)

    def draw(self, position: Position, colour: bool = False) -> str:
        return f"shown {position.state.shown}"
