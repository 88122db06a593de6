"""The game of Hex: its options, the names of its actions, its symmetries and its drawing."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.games.boards.drawing import DISC, PLAIN, paint, winning_chain, write
from meeple.games.boards.scene import Scene, hexagons
from meeple.games.contract.board_game import BoardGame, owners
from meeple.games.contract.capabilities import Pasted
from meeple.games.contract.game import Position
from meeple.games.contract.rules import refuse
from meeple.games.contract.set_up import board_option
from meeple.games.contract.symmetry import SwapRule, Symmetry, Variant, board_symmetry
from meeple.games.hex import bridges, explanations, links, rules
from meeple.games.hex.rules import MAX_SIZE, PLANES, Options, State
from meeple.options import Flag, Integer


class Hex(BoardGame):
    """Hex on a diamond of `size` x `size` cells."""

    name = "hex"
    summary = "join your two sides of a diamond of hexagons before your opponent joins theirs"
    can_be_drawn = False
    declared = {
        "size": Integer(7, 3, MAX_SIZE, "cells along a side"),
        "swap": Flag(False, "the second player may take over the first stone"),
        "first": Integer(
            1, 1, 2, "the player who moves first; player 1 joins rows, player 2 columns"
        ),
        "board": board_option(),
    }
    introduction = Path(__file__).with_name("lesson.toml")
    words = (("swap", "swap-pieces"),)
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
    kernel_modules = (rules, bridges)

    def configure(self) -> None:
        self.configure_board(PLANES)
        if self.board is not None and self.options["first"] != 1:
            raise refuse(self, "board says who is to move: leave out first")
        self.num_actions = self.num_cells + bool(self.options["swap"])
        self.max_plies = self.num_actions

    def encode_options(self, options: Any) -> None:
        options.size, options.swap = self.size, self.options["swap"]
        options.first = self.options["first"]
        self.encode_board(options, to_move=int(options.first) - 1)

    def pasted(self, text: str) -> Pasted | None:
        """Return what a pasted board, link or list of two-letter moves means."""
        return links.pasted(self, text) or super().pasted(text)

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
        return np.arange(self.num_cells).reshape(self.size, self.size)

    def _symmetry(self, board: npt.NDArray[np.intp], *, exchanged: bool) -> Symmetry:
        """Return the symmetry whose image shows `board`'s cells, [size, size].

        `exchanged`: it also exchanges the players.
        """
        planes, players = ((0, 1, 3, 2), (1, 0)) if exchanged else (range(PLANES), (0, 1))
        return board_symmetry(board, planes, int(bool(self.options["swap"])), players)

    explanations = staticmethod(explanations.explanations)

    def winning_cells(self, position: Position) -> Collection[int]:
        winner = int(position.state.winner)
        return winning_chain(owners(position), winner) if winner >= 0 else ()

    def draw_marked(
        self, position: Position, actions: Collection[int], colour: bool = False
    ) -> str:
        board = write(self.scene(position), colour, actions)
        first, second = (paint(DISC, 0), paint(DISC, 1)) if colour else PLAIN[:2]
        return (
            f"{board}\n"
            f"player 1 ({first}) joins the lettered sides, player 2 ({second}) the numbered ones"
        )

    def scene(self, position: Position, seat: int | None = None) -> Scene:
        last = self.last_cell(position)
        return hexagons(
            owners(position),
            position.legal_actions(),
            last=[last] if last >= 0 else (),
            line=self.winning_cells(position),
            edges={"top": 0, "bottom": 0, "left": 1, "right": 1},
        )
