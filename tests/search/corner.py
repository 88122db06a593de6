"""A game of three with a board and chance: one cell is blocked, then whoever owns cell 0 wins."""

from typing import Any

from numpy import int8

from meeple.games import Game
from meeple.kernels import CHANCE, OVER, add_outcome, kernel, record

CELLS, PLAYERS, BLOCKED, EMPTY = 6, 3, 4, 0
State = record(to_move=int8, free=int8, board=(int8, CELLS))
Options = record()


@kernel
def start(s: Any, options: Any, rng: Any) -> None:
    s.to_move, s.free, s.board[:] = CHANCE, CELLS, EMPTY


@kernel
def legal(s: Any, moves: Any) -> None:
    for cell in range(CELLS):
        if s.board[cell] == EMPTY:
            add_outcome(moves, cell, 1.0 / CELLS)


@kernel
def play(s: Any, action: Any) -> None:
    s.board[action] = BLOCKED if s.to_move == CHANCE else s.to_move + 1
    s.free -= 1
    s.to_move = OVER if s.free == 0 else (s.to_move + 1) % PLAYERS


@kernel
def payoffs(s: Any, out: Any) -> None:
    for player in range(PLAYERS):
        won = 1.0 * (s.board[0] == player + 1)
        out[player] = 1.0 / PLAYERS if s.board[0] == BLOCKED else won


@kernel
def observe(s: Any, player: Any, out: Any) -> None:
    for plane in range(PLAYERS + 1):
        for cell in range(CELLS):
            owner = (player + plane) % PLAYERS + 1 if plane < PLAYERS else BLOCKED
            out[plane * CELLS + cell] = s.board[cell] == owner


class Corner(Game):
    name, summary = "corner", "own cell 0"
    players, max_moves, max_plies, num_actions = PLAYERS, CELLS, CELLS, CELLS
    State, Options = State, Options

    def configure(self) -> None:
        self.observation_shape = (PLAYERS + 1, 2, 3)
