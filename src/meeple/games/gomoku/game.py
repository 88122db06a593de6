"""The game of Gomoku: its options, the names of its actions, its symmetries and its drawing."""

from collections.abc import Collection, Sequence
from typing import Any

from meeple.games.boards.grid import cell_name, parse_cell
from meeple.games.boards.scene import Scene
from meeple.games.contract.game import Game, Position
from meeple.games.contract.symmetry import Symmetry, dihedral
from meeple.games.gomoku import board
from meeple.games.gomoku.lines import MAX_SIZE
from meeple.games.gomoku.rules import (
    PLANES,
    Options,
    State,
    known_result,
    legal,
    observe,
    payoffs,
    play,
    rollout,
    start,
)
from meeple.games.gomoku.threats import heuristic, identity, winning_actions
from meeple.options import Choice, Integer

__all__ = [
    "Gomoku",
    "Options",
    "State",
    "heuristic",
    "identity",
    "known_result",
    "legal",
    "observe",
    "payoffs",
    "play",
    "rollout",
    "start",
    "winning_actions",
]


class Gomoku(Game):
    """Gomoku on a board of `size` x `size` cells, with `in_a_row` stones in a row to win."""

    name = "gomoku"
    summary = "be the first with five stones in a row, in any direction (or another number)"
    declared = {
        "size": Integer(15, 3, MAX_SIZE, "cells along a side"),
        "in_a_row": Integer(
            5,
            3,
            6,
            "stones in a row that win; if they do not fit on the board, all games are draws",
        ),
        "rule": Choice(
            "freestyle",
            ("freestyle", "standard"),
            "freestyle: longer rows win too; standard: they do not",
        ),
    }
    board_options = ("size",)
    examples = (
        {"size": 3, "in_a_row": 3},
        {"size": 4, "in_a_row": 4},
        {"size": 4, "in_a_row": 5},
        {"size": 7, "in_a_row": 3, "rule": "standard"},
        {"size": 9, "in_a_row": 6},
        {},
        {"size": 20, "rule": "standard"},
    )
    max_moves = MAX_SIZE * MAX_SIZE
    State = State
    Options = Options

    def configure(self) -> None:
        self.size, self.in_a_row = int(self.options["size"]), int(self.options["in_a_row"])
        self.exact = self.options["rule"] == "standard"
        self.num_actions = self.max_plies = self.size * self.size
        self.observation_shape = (PLANES, self.size, self.size)

    def encode_options(self, options: Any) -> None:
        options.size, options.in_a_row, options.exact = self.size, self.in_a_row, self.exact

    def action_name(self, position: Position, action: int) -> str:
        return cell_name(*divmod(action, self.size))

    def parse_action(self, position: Position, text: str) -> int | None:
        return parse_cell(text, self.size, self.size)

    def symmetries(self) -> Sequence[Symmetry]:
        """Return the rotations and reflections of the board."""
        return dihedral(PLANES, self.size)

    def draw(self, position: Position, colour: bool = False) -> str:
        return board.draw(position, (), colour)

    def draw_marked(
        self, position: Position, actions: Collection[int], colour: bool = False
    ) -> str:
        return board.draw(position, actions, colour)

    def scene(self, position: Position, seat: int | None = None) -> Scene:
        return board.scene(position)
