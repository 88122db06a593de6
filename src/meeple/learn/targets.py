"""Targets of auxiliary heads: what such a head learns about the end of a position's game."""

import abc
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.games.contract.symmetry import Symmetry
from meeple.kernels import OWNERSHIP
from meeple.search.batch import StateBatch
from meeple.sentences import say

Column = npt.NDArray[Any]  # [N, W] the numbers of a target for N steps, see `Trajectory.targets`


class Endings(NamedTuple):
    """How the games of N steps ended."""

    states: npt.NDArray[np.uint8]  # [N, S] the last state of each step's game
    is_over: npt.NDArray[np.bool_]  # [N] False: the record stops before the end of the game
    plies_left: npt.NDArray[np.int32]  # [N] actions of the game after the step's own

    def finished(self) -> "Endings":
        """Return those of the steps whose games are over."""
        over = self.is_over
        return Endings(self.states[over], over[over], self.plies_left[over])


class Target(abc.ABC):
    """What an auxiliary head learns. The replay buffer stores it as a column by seat."""

    head: str
    """Name of the head in `nets.graph.HEADS`, and of its weight in the section [training]."""
    column: str
    """Name in trajectories and in the files of the replay buffer."""
    dtype: npt.DTypeLike = np.float32
    """Type of the column."""
    unknown: float = 0.0
    """The numbers of a step whose game has no known end."""

    def missing(self, game: Game) -> str:
        """Return the clause that says what a game lacks for this target, or ""."""
        return ""

    @abc.abstractmethod
    def width(self, game: Game) -> int:
        """Return W, the numbers a step."""

    @abc.abstractmethod
    def values(self, game: Game, endings: Endings) -> Column:
        """Return the column of steps whose games are all over."""

    def bounds(self, players: int) -> tuple[float, float]:
        """Return the least and the largest number that a column may contain."""
        return -np.inf, np.inf

    def transformed(self, column: Column, symmetry: Symmetry) -> Column:
        """Return a column as seen through a symmetry of the game."""
        return column

    def for_mover(self, column: Column, movers: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        """Return [N, W'] what the head is trained on; `movers`: [N] the seats to move."""
        return column.astype(np.float32)

    def column_of(self, game: Game, endings: Endings) -> Column:
        """Return the column of any steps, with `unknown` where the end is unknown."""
        over = endings.is_over
        column = np.full((len(over), self.width(game)), self.unknown, dtype=self.dtype)
        if over.any():
            column[over] = self.values(game, endings.finished())
        return column


class Ownership(Target):
    """The owner of each cell at the end: a seat, or -1 for no seat.

    A network learns 1 for cells of the player to move, 0 for cells of others, and 0.5 for the rest.
    """

    head, column, dtype, unknown = "ownership", "owners", np.int8, -1

    def missing(self, game: Game) -> str:
        return "" if game.has(OWNERSHIP) else say("config.no_owners")

    def width(self, game: Game) -> int:
        return game.num_cells

    def values(self, game: Game, endings: Endings) -> Column:
        return StateBatch(game, endings.states).ownership()

    def bounds(self, players: int) -> tuple[float, float]:
        return -1, players - 1

    def transformed(self, column: Column, symmetry: Symmetry) -> Column:
        owners = column[:, symmetry.action[: column.shape[1]]]  # cells are the first actions
        return np.where(owners < 0, owners, np.argsort(symmetry.player)[owners])

    def for_mover(self, column: Column, movers: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        mine: npt.NDArray[np.float32] = (column == movers[:, None]).astype(np.float32)
        mine[column < 0] = 0.5
        return mine


TARGETS: tuple[Target, ...] = tuple(kind() for kind in Target.__subclasses__())
