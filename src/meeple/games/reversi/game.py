"""The game of Reversi: its options, the names of its actions, its symmetries and its drawing."""

import dataclasses
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from meeple.games.boards.grid import cell_name, parse_cell
from meeple.games.boards.scene import Scene
from meeple.games.contract.capabilities import Explanation, Pasted
from meeple.games.contract.game import Game, Position
from meeple.games.contract.lessons import Lesson
from meeple.games.contract.patterns import Patterns
from meeple.games.contract.rules import refuse
from meeple.games.contract.set_up import (
    board_of,
    board_option,
    encode_board,
    four_discs,
    pasted_board,
)
from meeple.games.contract.symmetry import Symmetry, dihedral
from meeple.games.reversi import board, explanations
from meeple.games.reversi.bits import STRIDE, WIDE
from meeple.games.reversi.endgame import ReversiSolver, solver_of
from meeple.games.reversi.lesson import LESSON
from meeple.games.reversi.patterns import board_patterns
from meeple.games.reversi.rules import (
    PLANES,
    Options,
    State,
    count_legal,
    guided_rollout,
    heuristic,
    identity,
    legal,
    narrow,
    observe,
    ownership,
    payoffs,
    play,
    prune,
    rollout,
    simple_heuristic,
    start,
)
from meeple.options import Choice, Integer

__all__ = [
    "Options",
    "Reversi",
    "State",
    "count_legal",
    "guided_rollout",
    "heuristic",
    "identity",
    "legal",
    "narrow",
    "observe",
    "ownership",
    "payoffs",
    "play",
    "prune",
    "rollout",
    "simple_heuristic",
    "start",
]


class Reversi(Game):
    """Reversi on `size` x `size` cells."""

    name = "reversi"
    prunes = False
    summary = "close in your opponent's discs to turn them over; most discs win (Othello)"
    declared = {
        "size": Integer(STRIDE, 4, WIDE, "cells along a side, an even number"),
        "payoff": Choice("win", ("win", "discs"), "the winner takes all, or shares by cells"),
        "board": board_option(),
    }
    board_options = ("size",)
    start_option = "board"
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

    def configure(self) -> None:
        self.size = int(self.options["size"])
        if self.size % 2:
            raise refuse(self, f"size must be 4, 6, 8 or 10, not {self.size}")
        self.num_cells = self.size * self.size
        self.num_actions = self.num_cells + 1
        self.board = board_of(self, self.size) or four_discs(self.size)
        empty = self.board.owners.count(-1)
        self.max_plies = 2 * empty  # at most one pass before each disc
        self.observation_shape = (PLANES, self.size, self.size)

    def encode_options(self, options: Any) -> None:
        options.size = self.size
        options.by_discs = self.options["payoff"] == "discs"
        encode_board(options, self.board)

    def action_name(self, position: Position, action: int) -> str:
        row, column = divmod(action, self.size)
        return "pass" if row == self.size else cell_name(row, column)

    def parse_action(self, position: Position, text: str) -> int | None:
        if text.strip().lower() in ("pass", "pa", "ps", "--"):
            return self.num_cells
        return parse_cell(text, self.size, self.size)

    def player_name(self, player: int) -> str:
        return ("Black", "White")[player]

    def pasted(self, text: str) -> Pasted | None:
        """Return the game that begins with a pasted board."""
        return pasted_board(self, text)

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
            player = np.array([1, 0] if exchanged else [0, 1], dtype=np.intp)
            found.append(dataclasses.replace(symmetry, player=player))
        return found

    def patterns(self) -> Patterns:
        """Return rows, diagonals, corners, and edges with the cells beside the corners."""
        return board_patterns(self.size)

    def position_solver(self) -> ReversiSolver | None:
        """Return an exact search of endgames; None for boards of 10x10 cells."""
        return solver_of(self.size, self.options["payoff"] == "discs")

    def explanations(self, position: Position, seat: int | None) -> list[Explanation]:
        """Return stable discs, and what each move turns over."""
        return explanations.explanations(position)

    def lesson(self) -> Lesson:
        return LESSON

    def draw(self, position: Position, colour: bool = False) -> str:
        return board.draw(position, (), colour)

    def draw_marked(
        self, position: Position, actions: Collection[int], colour: bool = False
    ) -> str:
        return board.draw(position, actions, colour)

    def scene(self, position: Position, seat: int | None = None) -> Scene:
        return board.scene(position)
