"""Symmetries of a game: the same position seen differently, as index arrays to gather with."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from meeple.options import OptionValue


@dataclass(frozen=True)
class Symmetry:
    """A way to see the same position differently, as index arrays to gather with.

    For a flat observation o, a policy p and shares v of a position, `o[observation]`, `p[action]`
    and `v[player]` belong to the transformed position. `player[i]` is who sits in seat i there.
    """

    observation: npt.NDArray[np.intp]  # [features of an observation]
    action: npt.NDArray[np.intp]  # [num_actions]
    player: npt.NDArray[np.intp]  # [players]


@dataclass(frozen=True)
class Variant:
    """Other options under which a game is the same, seen through a symmetry.

    The symmetry leads from a position of the game to the same position of the variant. A network's
    values begin with the observer's share and continue in the order of seats, so `symmetry.player`
    must be a rotation of the seats; of two players, the identity and the exchange are.
    """

    options: Mapping[str, OptionValue]  # those that differ from the game's
    symmetry: Symmetry


def dihedral(planes: int, size: int, extra_actions: int = 0) -> list[Symmetry]:
    """The 7 symmetries of a square board beside the identity: turns and reflections.

    For observations [planes, size, size] and actions that are the cells `row * size + column`,
    followed by `extra_actions` others that mean the same on every board, such as a pass.
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
