"""Symmetries of a game, as index arrays that transform observations, policies and values."""

from collections.abc import Mapping
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


def dihedral(planes: int, size: int, extra_actions: int = 0) -> list[Symmetry]:
    """Return the 7 rotations and reflections of a square board, without the identity.

    Args:
        planes: number of planes of the observation [planes, size, size].
        size: cells along a side; actions are the cells `row * size + column`.
        extra_actions: number of further actions that no symmetry changes, such as a pass.
    """
    cells = np.arange(size * size).reshape(size, size)
    extras = size * size + np.arange(extra_actions)
    found = []
    for reflected in (False, True):
        for turns in range(4):
            board = np.rot90(cells.T if reflected else cells, turns).ravel()
            if reflected or turns:
                observation = [plane * board.size + board for plane in range(planes)]
                found.append(
                    Symmetry(
                        observation=np.concatenate(observation).astype(np.intp),
                        action=np.concatenate([board, extras]).astype(np.intp),
                        player=np.arange(2, dtype=np.intp),
                    )
                )
    return found
