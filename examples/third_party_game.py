"""Domineering, all of it in one file: upright dominoes against flat ones; no room left loses."""

import numpy as np

from meeple.games import Game
from meeple.games.boards.scene import squares
from meeple.kernels import OVER, add, kernel, record
from meeple.options import Integer

LIMIT = 12
State = record(to_move=np.int8, loser=np.int8, size=np.int32, board=(np.int8, (LIMIT, LIMIT)))
Options = record(size=np.int32)


@kernel
def start(s, options, rng):
    """An empty board, player 1 to move."""
    s.to_move, s.size, s.board[:] = 0, options.size, 0


@kernel
def fits(s, player, cell):
    """Whether a player's domino fits, with its upper or left half on a cell."""
    row, column = cell // s.size, cell % s.size
    below, beside = row + 1 - player, column + player
    return max(below, beside) < s.size and s.board[row, column] + s.board[below, beside] == 0


@kernel
def legal(s, moves):
    """Every place where a domino of the player to move fits, by its upper or left cell."""
    for cell in range(s.size * s.size):
        if fits(s, s.to_move, cell):
            add(moves, cell)


@kernel
def play(s, action):
    """Lay a domino. The game is over when the other player has no room for theirs."""
    player, row, column = s.to_move, action // s.size, action % s.size
    s.board[row, column] = s.board[row + 1 - player, column + player] = player + 1
    s.to_move, s.loser = OVER, 1 - player
    for cell in range(s.size * s.size):
        if fits(s, s.loser, cell):
            s.to_move = s.loser


@kernel
def payoffs(s, out):
    """All for the player who made the last move."""
    out[s.loser], out[1 - s.loser] = 0.0, 1.0


@kernel
def observe(s, player, out):
    """Two planes [2, size, size]: covered cells, and whether the player lays upright."""
    for cell in range(s.size * s.size):
        out[cell] = s.board[cell // s.size, cell % s.size] > 0
        out[s.size * s.size + cell] = 1 - player


class Domineering(Game):
    """Domineering on a board of `size` x `size` cells; a cell is called by its column and row."""

    name, summary = "domineering", "lay dominoes until your opponent has no room left"
    declared = {"size": Integer(6, 2, LIMIT, "cells along a side")}
    max_moves = LIMIT * LIMIT

    def configure(self):
        size = self.size = self.options["size"]
        self.num_actions, self.max_plies = size * size, size * size // 2
        self.observation_shape = (2, size, size)

    def action_name(self, position, action):
        return f"{chr(ord('a') + action % self.size)}{action // self.size + 1}"

    def scene(self, position, seat=None):
        mine, theirs = (self.size, 1)[:: 1 - 2 * position.state.loser]  # to a domino's other cell
        marks = {cell: (cell, cell + mine) for cell in position.legal_actions().tolist()}
        last = [cell for upper in position.actions[-1:] for cell in (upper, upper + theirs)]
        tiles = np.array(["", "|", "-"])[position.state.board[: self.size, : self.size]]
        return squares(tiles, position.legal_actions(), last=last, marks=marks)
