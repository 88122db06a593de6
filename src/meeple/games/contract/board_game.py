"""Games of two players with stones on a square board: what Hex, Gomoku and Reversi share."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from meeple.games.boards.grid import cell_name, parse_cell
from meeple.games.boards.scene import FIELDS, STONES, Scene, squares
from meeple.games.contract.capabilities import Pasted
from meeple.games.contract.game import Game, Position
from meeple.games.contract.lessons import Lesson, read_lesson
from meeple.games.contract.set_up import Board, board_of, encode_board, pasted_board
from meeple.kernels import OWNERSHIP
from meeple.kernels.table import caller

_ownership = caller("ownership")


def owners(position: Position) -> npt.NDArray[np.int_]:
    """Return the seat of the stone on each cell, int [size, size]; -1 for an empty cell."""
    size = int(position.game.options["size"])
    owner = np.zeros((size, size), np.int8)
    _ownership(position.game.address_of(OWNERSHIP), position.address, owner.ctypes.data)
    return owner.astype(np.int_)


class BoardGame(Game):
    """A game on `size` x `size` cells, whose first actions place a stone on a cell.

    It has the kernel `ownership`, and the options `size` and `board` (`set_up.board_option`).
    """

    board_options = ("size",)
    start_option = "board"
    introduction: ClassVar[Path]  # the file of the lesson
    style: ClassVar[str] = FIELDS  # of the board in a scene
    words: Sequence[Sequence[str]] = ()  # the names of each action above the cells

    def configure_board(self, planes: int) -> None:
        """Set the attributes that depend on the options `size` and `board`."""
        self.size = int(self.options["size"])
        self.board = board_of(self, self.size)
        self.num_cells = self.size * self.size
        self.num_actions = self.num_cells + len(self.words)
        self.observation_shape = (planes, self.size, self.size)

    def encode_board(self, options: Any, to_move: int = 0) -> None:
        """Write the board into a record of options; on an empty one `to_move` is to move."""
        encode_board(options, self.board or Board((-1,) * self.num_cells, to_move))

    def action_name(self, position: Position, action: int) -> str:
        if action >= self.num_cells:
            return self.words[action - self.num_cells][0]
        return cell_name(*divmod(action, self.size))

    def parse_action(self, position: Position, text: str) -> int | None:
        word = text.strip().lower()
        for action, names in enumerate(self.words, self.num_cells):
            if word in names:
                return action
        return parse_cell(word, self.size, self.size)

    def pasted(self, text: str) -> Pasted | None:
        """Return the game that begins with a pasted board."""
        return pasted_board(self, text)

    def lesson(self) -> Lesson:
        return read_lesson(self.introduction)

    # ------------------------------------------------------------ drawings

    def colours(self, position: Position) -> Sequence[str]:
        """Return the colours of the stones by player; none: those of the players."""
        return STONES.get(self.style, ())

    def last_cell(self, position: Position) -> int:
        """Return the cell of the last stone, -1 if it is not known."""
        return int(position.state.last)

    def winning_cells(self, position: Position) -> Collection[int]:
        """Return the cells that won the game."""
        return ()

    def closed(self, position: Position) -> Mapping[int, str]:
        """Return the free cells that a rule closes to the player to move, each with the rule."""
        return {}

    def scene(self, position: Position, seat: int | None = None) -> Scene:
        last = self.last_cell(position)
        return squares(
            owners(position),
            position.legal_actions(),
            last=[last] if last >= 0 else (),
            line=self.winning_cells(position),
            style=self.style,
            colours=self.colours(position),
            closed=self.closed(position),
        )
