"""Pig, a dice race for three players: unlike the built-in games."""

from typing import Any

import numpy as np

from meeple.games import Game, Position
from meeple.kernels import CHANCE, OVER, add, add_outcome, kernel, record
from meeple.options import Integer

State = record(
    to_move=np.int8,
    turn=np.int8,
    winner=np.int8,
    goal=np.int32,
    pot=np.int32,
    points=(np.int32, (3,)),
)
Options = record(goal=np.int32)
ROLL, HOLD = 6, 7  # after the six faces


@kernel
def start(s: Any, options: Any, rng: Any) -> None:
    """The first player rolls at once."""
    s.to_move = CHANCE
    s.turn = 0
    s.winner = -1
    s.goal = options.goal
    s.pot = 0
    for player in range(3):
        s.points[player] = 0


@kernel
def legal(s: Any, moves: Any) -> None:
    """Six faces at a chance node; otherwise roll or hold."""
    if s.to_move == CHANCE:
        for face in range(6):
            add_outcome(moves, face, 1 / 6)
    else:
        add(moves, ROLL)
        add(moves, HOLD)


@kernel
def play(s: Any, action: int) -> None:
    """A face of 1 loses the pot and the turn; other faces are added to the pot."""
    if action == ROLL:
        s.to_move = CHANCE
        return
    if action == HOLD or action == 0:
        s.points[s.turn] += s.pot if action == HOLD else 0
        s.pot = 0
        if s.points[s.turn] >= s.goal:
            s.winner = s.turn
            s.to_move = OVER
            return
        s.turn = (s.turn + 1) % 3
        s.to_move = CHANCE
        return
    s.pot += action + 1
    s.to_move = s.turn


@kernel
def payoffs(s: Any, out: Any) -> None:
    """All for the winner."""
    for player in range(3):
        out[player] = 1.0 if player == s.winner else 0.0


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    """The points of all, in fixed seats."""
    for seat in range(3):
        out[seat] = s.points[seat]


class Pig(Game):
    """Pig to `goal` points."""

    name = "pig"
    summary = "roll on or hold, before a 1 takes all"
    declared = {"goal": Integer(12, 1, 100, "points that win")}
    max_moves = 6
    State = State
    Options = Options

    def configure(self) -> None:
        self.players, self.num_actions, self.max_plies = 3, 8, 10_000
        self.observation_shape = (3,)

    def action_name(self, position: Position, action: int) -> str:
        return f"rolled {action + 1}" if action < ROLL else ("roll", "hold")[action - ROLL]

    def draw(self, position: Position, colour: bool = False) -> str:
        state = position.state
        return f"points {' '.join(map(str, state.points))}, pot {state.pot}"
