"""Symmetries of a game, as index arrays that transform observations, policies and values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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


def board_symmetry(
    cells: npt.NDArray[np.intp],
    planes: Iterable[int],
    extra_actions: int = 0,
    player: Sequence[int] = (0, 1),
) -> Symmetry:
    """Return the symmetry of a square board whose image shows these cells.

    Args:
        cells: [size, size] the cell `row * size + column` that each cell of the image shows.
        planes: the plane of the observation [planes, size, size] that each of the image shows.
        extra_actions: number of further actions that the symmetry does not change, such as a pass.
        player: the seat that each seat of the image is.
    """
    board = cells.ravel()
    actions = np.concatenate([board, board.size + np.arange(extra_actions)])
    observation = np.concatenate([plane * board.size + board for plane in planes])
    return Symmetry(observation.astype(np.intp), actions.astype(np.intp), np.array(player, np.intp))


def dihedral(planes: int, size: int, extra_actions: int = 0) -> list[Symmetry]:
    """Return the 7 rotations and reflections of a square board, without the identity.

    Args:
        planes: number of planes of the observation [planes, size, size].
        size: cells along a side; actions are the cells `row * size + column`.
        extra_actions: number of further actions that no symmetry changes, such as a pass.
    """
    cells = np.arange(size * size).reshape(size, size)
    images = [np.rot90(board, turns) for board in (cells, cells.T) for turns in range(4)]
    return [board_symmetry(image, range(planes), extra_actions) for image in images[1:]]
