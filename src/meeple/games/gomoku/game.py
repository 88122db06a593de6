"""The game of Gomoku: its options, the names of its actions, its symmetries and its drawing."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from meeple.games.boards.drawing import write
from meeple.games.boards.scene import LINES
from meeple.games.contract.board_game import BoardGame
from meeple.games.contract.game import Position
from meeple.games.contract.patterns import Patterns
from meeple.games.contract.rules import refuse
from meeple.games.contract.set_up import board_option
from meeple.games.contract.symmetry import Symmetry, dihedral
from meeple.games.gomoku import board, candidates, explanations, opening, renju, rules, threats
from meeple.games.gomoku.lines import MAX_LENGTH, MAX_SIZE
from meeple.games.gomoku.patterns import line_patterns
from meeple.games.gomoku.rules import OPENING_PLANES, PLANES, RENJU_PLANES, Options, State
from meeple.games.gomoku.solver import ThreatSolver
from meeple.options import Choice, Integer
from meeple.sentences import say


class Gomoku(BoardGame):
    """Gomoku on a board of `size` x `size` cells, with `in_a_row` stones in a row to win."""

    name = "gomoku"
    summary = "be the first with five stones in a row, in any direction (or another number)"
    declared = {
        "size": Integer(15, 3, MAX_SIZE, "cells along a side"),
        "in_a_row": Integer(
            5,
            3,
            MAX_LENGTH,
            "stones in a row that win; if they do not fit on the board, all games are draws",
        ),
        "rule": Choice(
            "freestyle",
            ("freestyle", "standard", "renju"),
            "freestyle: longer rows win too; standard: they do not; renju: they win for White, and "
            "Black must not make one, nor two fours or two threes at once",
        ),
        "opening": Choice(
            "none",
            opening.OPENINGS,
            "swap: player 1 places two black stones and a white one, player 2 chooses a colour; "
            "swap2: player 2 may also place one stone more of each, and player 1 chooses",
        ),
        "board": board_option(),
    }
    introduction = Path(__file__).with_name("lesson.toml")
    style = LINES
    later = ("opening",)
    examples = (
        {"size": 3, "in_a_row": 3},
        {"size": 5, "in_a_row": 4, "board": "-X---OO-X----O------OO--- O"},
        {"size": 4, "in_a_row": 4},
        {"size": 4, "in_a_row": 5},
        {"size": 7, "in_a_row": 3, "rule": "standard"},
        {"size": 9, "in_a_row": 6},
        {},
        {"size": 20, "rule": "standard"},
        {"size": 6, "rule": "renju"},
        {"rule": "renju"},
        {"size": 4, "in_a_row": 4, "opening": "swap2"},
        {"size": 9, "opening": "swap"},
        {"rule": "renju", "opening": "swap2"},
    )
    drawn = ({"rule": "renju"},)
    max_moves = MAX_SIZE * MAX_SIZE
    State = State
    Options = Options
    kernel_modules = (rules, candidates, threats)

    def configure(self) -> None:
        self.in_a_row = int(self.options["in_a_row"])
        self.exact = self.options["rule"] == "standard"
        self.renju = self.options["rule"] == "renju"
        if self.renju and self.in_a_row != renju.IN_A_ROW:
            raise refuse(self, f"rule=renju is for in_a_row=5, not {self.in_a_row}")
        self.opening = opening.OPENINGS.index(str(self.options["opening"]))
        if self.opening != opening.NONE and self.in_a_row < opening.LEAST_IN_A_ROW:
            raise refuse(
                self,
                f"opening={self.options['opening']} is for in_a_row of {opening.LEAST_IN_A_ROW} or "
                f"more, not {self.in_a_row}",
            )
        self.words = tuple((name,) for name in opening.CHOICES[: (0, 2, 3)[self.opening]])
        self.configure_board(
            PLANES
            + (RENJU_PLANES if self.renju else 0)
            + (OPENING_PLANES if self.opening != opening.NONE else 0)
        )
        if self.board is not None and self.opening != opening.NONE:
            raise refuse(self, "board is for opening=none")
        self.max_plies = self.num_cells + (0, 1, 2)[self.opening]

    def encode_options(self, options: Any) -> None:
        options.size, options.in_a_row = self.size, self.in_a_row
        options.exact, options.renju, options.opening = self.exact, self.renju, self.opening
        self.encode_board(options)

    def player_name(self, player: int) -> str:
        if self.opening != opening.NONE:  # whose colours are chosen in the game
            return super().player_name(player)
        return say("name.White") if player else say("name.Black")

    def illegal_reason(self, position: Position, action: int) -> str:
        rule = board.closed(position).get(action)
        return say("gomoku.forbidden", rule=rule) if rule else ""

    def symmetries(self) -> Sequence[Symmetry]:
        """Return the rotations and reflections of the board."""
        if self.board is not None:
            return ()
        return dihedral(self.observation_shape[0], self.size, len(self.words))

    def patterns(self) -> Patterns:
        """Return the windows of lines that evaluate positions."""
        return line_patterns(self.size, self.in_a_row)

    def position_solver(self) -> ThreatSolver:
        """Return a search for wins by threats."""
        return ThreatSolver(self)

    explanations = staticmethod(explanations.explanations)
    winning_cells = staticmethod(board.winning_cells)
    closed = staticmethod(board.closed)

    def colours(self, position: Position) -> Sequence[str]:
        return super().colours(position)[:: -1 if position.state.black else 1]

    def draw_marked(
        self,
        position: Position,
        actions: Collection[int],
        colour: bool = False,
        names: Mapping[str, str] | None = None,
    ) -> str:
        """Return the board and its legend as text, with the cells of `actions` marked.

        `names` are written in place of the names of rows and columns.
        """
        grid = write(self.scene(position), colour, actions, names)
        return "\n".join([grid, *board.legend(position, colour)])
