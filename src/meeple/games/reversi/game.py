"""The game of Reversi: its options, the names of its actions, its symmetries and its drawing."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from meeple.games.boards.scene import FELT
from meeple.games.contract.board_game import BoardGame
from meeple.games.contract.game import Position
from meeple.games.contract.patterns import Patterns
from meeple.games.contract.rules import refuse
from meeple.games.contract.set_up import board_option, four_discs
from meeple.games.contract.symmetry import Symmetry, dihedral
from meeple.games.reversi import explanations, rules
from meeple.games.reversi.bits import STRIDE, WIDE
from meeple.games.reversi.endgame import ReversiSolver, solver_of
from meeple.games.reversi.patterns import board_patterns
from meeple.games.reversi.rules import PLANES, Options, State
from meeple.options import Choice, Integer
from meeple.sentences import say


class Reversi(BoardGame):
    """Reversi on `size` x `size` cells."""

    name = "reversi"
    prunes = False
    summary = "close in your opponent's discs to turn them over; most discs win (Othello)"
    declared = {
        "size": Integer(STRIDE, 4, WIDE, "cells along a side, an even number"),
        "payoff": Choice("win", ("win", "discs"), "the winner takes all, or shares by cells"),
        "board": board_option(),
    }
    introduction = Path(__file__).with_name("lesson.toml")
    style = FELT
    words = (("pass", "pa", "ps", "--"),)
    examples = (
        {"size": 4},
        {"size": 4, "board": "----XXO--OX---O- O"},
        {"size": 6, "payoff": "discs"},
        {},
        {"size": 10},
    )
    max_moves = WIDE * WIDE - 4
    transpositions = False  # UCT won 25 % of 60 games with them, at equal time
    State = State
    Options = Options
    kernel_modules = (rules,)

    def configure(self) -> None:
        if int(self.options["size"]) % 2:
            raise refuse(self, f"size must be 4, 6, 8 or 10, not {self.options['size']}")
        self.configure_board(PLANES)
        self.board = self.board or four_discs(self.size)
        self.max_plies = 2 * self.board.owners.count(-1)  # at most one pass before each disc

    def encode_options(self, options: Any) -> None:
        options.size = self.size
        options.by_discs = self.options["payoff"] == "discs"
        self.encode_board(options)

    def player_name(self, player: int) -> str:
        return say("name.White") if player else say("name.Black")

    def symmetries(self) -> Sequence[Symmetry]:
        """Return the rotations and reflections of the square.

        Those that exchange the two diagonals exchange the players too, since at the start each
        player has the discs on one diagonal.
        """
        found: list[Symmetry] = []
        if "board" in self.options:
            return found
        for symmetry in dihedral(PLANES, self.size, extra_actions=1):
            exchanged = symmetry.action[0] not in (0, self.num_cells - 1)
            player = np.array([1, 0] if exchanged else [0, 1], np.intp)
            found.append(dataclasses.replace(symmetry, player=player))
        return found

    def patterns(self) -> Patterns:
        """Return rows, diagonals, corners, and edges with the cells beside the corners."""
        return board_patterns(self.size)

    def position_solver(self) -> ReversiSolver | None:
        """Return an exact search of endgames; None for boards of 10x10 cells."""
        return solver_of(self.size, self.options["payoff"] == "discs")

    explanations = staticmethod(explanations.explanations)

    def last_cell(self, position: Position) -> int:
        """Return the cell of the last disc that a player placed, or -1; passes do not count."""
        placed = (cell for cell in reversed(position.actions) if cell < self.num_cells)
        return next(placed, -1)
