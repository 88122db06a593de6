"""Symmetries of a game, as index arrays that transform observations, policies and values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from meeple.games.boards.shape import Shape, grid
from meeple.options import OptionValue


@dataclass(frozen=True)
class Symmetry:
    """A transformation of a position, as index arrays.

    For a flat observation o, a policy p and values v of a position, `o[observation]`, `p[action]`
    and `v[player]` belong to the transformed position. Seat i of it is seat `player[i]` here.
    """

    observation: npt.NDArray[np.intp]  # [features of an observation]
    action: npt.NDArray[np.intp]  # [num_actions]
    player: npt.NDArray[np.intp]  # [players]


@dataclass(frozen=True)
class Variant:
    """Other options under which a game is the same, through a symmetry.

    The symmetry maps a position of the game to the same position of the variant. A network's values
    begin with the observer's share and continue in the order of seats, so `symmetry.player` must be
    a rotation of the seats; for two players, the identity and the exchange are rotations.
    """

    options: Mapping[str, OptionValue]  # those that differ from the game's
    symmetry: Symmetry


@dataclass(frozen=True)
class SwapRule:
    """The rule by which the second player may answer the first move by taking it over.

    A swap exchanges the players through a symmetry of the game without this rule, so it gives the
    player who swaps the share that the opponent had.
    """

    without: Mapping[str, OptionValue]  # the options of the game without the rule that differ
    action: int  # that swaps; the game without the rule has the actions below it


Steps = Sequence[tuple[int, int]]  # (down, right) of each way in which a piece moves

PLACES: Steps = ((0, 0),)  # the only step of a game whose actions place a stone on a cell


def board_symmetry(
    cells: npt.NDArray[np.intp],
    planes: Iterable[int],
    extra_actions: int = 0,
    player: Sequence[int] = (0, 1),
    steps: Steps = PLACES,
) -> Symmetry:
    """Return the symmetry of a board whose image shows these cells.

    Args:
        cells: [rows, columns] the cell `row * columns + column` that each cell of the image shows.
        planes: the plane of the observation [planes, rows, columns] that each of the image shows.
        extra_actions: number of further actions that the symmetry does not change, such as a pass.
        player: the seat that each seat of the image is.
        steps: of pieces, closed under the symmetry: the action `cell * len(steps) + step` moves
            what is on a cell. With more than one, the board has two rows and columns or more.
    """
    board, images = cells.ravel(), [0]
    if len(steps) > 1:
        places = np.stack(np.divmod(cells, cells.shape[1]), axis=-1)  # [rows, columns, 2]
        down, right = np.sign([places[-1, 0] - places[0, 0], places[0, -1] - places[0, 0]])
        number = {step: index for index, step in enumerate(steps)}
        images = [number[tuple((one * down + two * right).tolist())] for one, two in steps]
    moves = (board[:, None] * len(steps) + np.array(images)).ravel()
    actions = np.concatenate([moves, moves.size + np.arange(extra_actions)])
    observation = np.concatenate([plane * board.size + board for plane in planes])
    return Symmetry(observation.astype(np.intp), actions.astype(np.intp), np.array(player, np.intp))


def symmetries_of(shape: Shape, planes: int, extra_actions: int = 0) -> list[Symmetry]:
    """Return the turned and mirrored boards of a shape, without the identity.

    Args:
        shape: of the board; actions are its numbers.
        planes: number of planes of the observation [planes, rows, columns] of the shape.
        extra_actions: number of further actions that no symmetry changes, such as a pass.
    """
    boards = (image.reshape(shape.rows, shape.columns) for image in shape.images)
    return [board_symmetry(board, range(planes), extra_actions) for board in boards]


def turned_boards(size: int) -> list[npt.NDArray[np.intp]]:
    """Return the cells of the 7 other images of a square board, each an array [size, size]."""
    return [image.reshape(size, size) for image in grid(size, size).images]


def dihedral(planes: int, size: int, extra_actions: int = 0) -> list[Symmetry]:
    """Return the 7 rotations and reflections of a square board: see `symmetries_of`."""
    return symmetries_of(grid(size, size), planes, extra_actions)
