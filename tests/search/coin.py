"""A coin that one player sees and the other guesses or plays safe; a cheater guesses right."""

from typing import Any

import numpy as np

from meeple.games import Game, Position
from meeple.kernels import CHANCE, OVER, add, add_outcome, below, kernel, record

State = record(to_move=np.int8, coin=np.int8, shown=np.int8, choice=np.int8)
Options = record()
HEADS, TAILS, SAFE = range(3)


@kernel
def start(s: Any, options: Any, rng: Any) -> None:
    s.to_move = CHANCE
    s.coin = -1
    s.shown = -1
    s.choice = -1


@kernel
def legal(s: Any, moves: Any) -> None:
    if s.to_move == CHANCE:
        add_outcome(moves, HEADS, 0.5)
        add_outcome(moves, TAILS, 0.5)
    elif s.to_move == 1:
        add(moves, int(s.coin))
        add(moves, SAFE)
    else:
        add(moves, HEADS)
        add(moves, TAILS)
        add(moves, SAFE)


@kernel
def play(s: Any, action: int) -> None:
    if s.to_move == CHANCE:
        s.coin = action
        s.to_move = 1
    elif s.to_move == 1:
        s.shown = action
        s.to_move = 0
    else:
        s.choice = action
        s.to_move = OVER


@kernel
def payoffs(s: Any, out: Any) -> None:
    out[0] = 0.7 if s.choice == SAFE else (1.0 if s.choice == s.coin else 0.0)
    out[1] = 1.0 - out[0]


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    out[0] = s.coin if player == 1 else -1
    out[1] = s.shown


@kernel
def resample(s: Any, player: int, rng: Any) -> None:
    if player == 0 and s.coin >= 0:
        s.coin = s.shown if 0 <= s.shown < SAFE else below(rng, 2)


class Coin(Game):
    name, summary, max_moves = "coin", "guess a coin", 3
    State, Options = State, Options

    def configure(self) -> None:
        self.num_actions, self.max_plies, self.observation_shape = 3, 3, (2,)

    def draw(self, position: Position, colour: bool = False) -> str:
        return f"said {position.state.shown}"
