"""The game of Hex: its options, the names of its actions, its symmetries and its drawing."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.boards.grid import cell_name, parse_cell
from meeple.games.boards.scene import Scene
from meeple.games.contract.capabilities import Explanation, Pasted
from meeple.games.contract.game import Game, Position
from meeple.games.contract.lessons import Lesson
from meeple.games.contract.rules import refuse
from meeple.games.contract.set_up import Board, board_of, board_option, encode_board, pasted_board
from meeple.games.contract.symmetry import SwapRule, Symmetry, Variant
from meeple.games.hex import board, explanations, links
from meeple.games.hex.bridges import identity, known_result, winning_actions
from meeple.games.hex.lesson import LESSON
from meeple.games.hex.rules import (
    MAX_SIZE,
    PLANES,
    Options,
    State,
    guided_rollout,
    legal,
    observe,
    ownership,
    payoffs,
    play,
    rollout,
    start,
)
from meeple.options import Flag, Integer

__all__ = [
    "Hex",
    "Options",
    "State",
    "guided_rollout",
    "identity",
    "known_result",
    "legal",
    "observe",
    "ownership",
    "payoffs",
    "play",
    "rollout",
    "start",
    "winning_actions",
]


class Hex(Game):
    """Hex on a diamond of `size` x `size` cells."""

    name = "hex"
    summary = "join your two sides of a diamond of hexagons before your opponent joins theirs"
    declared = {
        "size": Integer(7, 3, MAX_SIZE, "cells along a side"),
        "swap": Flag(False, "the second player may take over the first stone"),
        "first": Integer(
            1, 1, 2, "the player who moves first; player 1 joins rows, player 2 columns"
        ),
        "board": board_option(),
    }
    board_options = ("size",)
    start_option = "board"
    later = ("first",)
    examples = (
        {"size": 3},
        {"size": 4, "board": "-X---O--XX------ X"},
        {"size": 4, "swap": True},
        {"size": 4, "swap": True, "first": 2},
        {},
        {"size": 19, "swap": True},
    )
    max_moves = MAX_SIZE * MAX_SIZE + 1
    State = State
    Options = Options

    def configure(self) -> None:
        self.size = int(self.options["size"])
        self.board = board_of(self, self.size)
        if self.board is not None and self.options["first"] != 1:
            raise refuse(self, "board says who is to move: leave out first")
        cells = self.size * self.size
        self.num_cells = cells
        self.num_actions = cells + bool(self.options["swap"])
        self.max_plies = self.num_actions
        self.observation_shape = (PLANES, self.size, self.size)

    def encode_options(self, options: Any) -> None:
        options.size, options.swap = self.size, self.options["swap"]
        options.first = self.options["first"]
        empty = Board((-1,) * self.num_cells, int(options.first) - 1)
        encode_board(options, self.board or empty)

    def action_name(self, position: Position, action: int) -> str:
        row, column = divmod(action, self.size)
        return "swap" if row == self.size else cell_name(row, column)

    def parse_action(self, position: Position, text: str) -> int | None:
        if text.strip().lower() in ("swap", "swap-pieces"):
            return self.size * self.size
        return parse_cell(text, self.size, self.size)

    def pasted(self, text: str) -> Pasted | None:
        """Return what a pasted board, link or list of two-letter moves means."""
        return links.pasted(self, text) or pasted_board(self, text)

    def symmetries(self) -> Sequence[Symmetry]:
        """Return the half turn, and the two reflections, which exchange the players.

        The swap rule favours a seat, so under it only the half turn holds.
        """
        if self.board is not None:
            return ()
        cells = self._cells
        half_turn = cells[::-1, ::-1]
        turned = [self._symmetry(half_turn, exchanged=False)]
        if self.options["swap"]:
            return turned
        return [*turned, *(self._symmetry(board.T, exchanged=True) for board in (cells, half_turn))]

    def variants(self) -> Sequence[Variant]:
        """Return the game in which the other player begins: transposed, players exchanged.

        This holds under the swap rule too, since the player who may swap is exchanged as well.
        """
        if self.board is not None:
            return ()
        other = 3 - int(self.options["first"])
        return [Variant({"first": other}, self._symmetry(self._cells.T, exchanged=True))]

    def swap_rule(self) -> SwapRule | None:
        return SwapRule({"swap": False}, self.num_cells) if self.options["swap"] else None

    @property
    def _cells(self) -> npt.NDArray[np.intp]:
        return np.arange(self.size * self.size).reshape(self.size, self.size)

    def _symmetry(self, board: npt.NDArray[np.intp], *, exchanged: bool) -> Symmetry:
        """Return the symmetry whose image shows `board`'s cells, [size, size].

        `exchanged`: it also exchanges the players.
        """
        planes = (0, 1, 3, 2) if exchanged else (0, 1, 2, 3)
        swap_action = [board.size] if self.options["swap"] else []
        observation = [plane * board.size + board.ravel() for plane in planes]
        return Symmetry(
            observation=np.concatenate(observation).astype(np.intp),
            action=np.concatenate([board.ravel(), swap_action]).astype(np.intp),
            player=np.array([1, 0] if exchanged else [0, 1], dtype=np.intp),
        )

    def explanations(self, position: Position, seat: int | None) -> list[Explanation]:
        """Return bridges, chains of bridges that win, and dead cells."""
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
