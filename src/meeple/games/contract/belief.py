"""Beliefs: what one seat knows of the hidden parts of a state, for search to sample.

A game of hidden information supplies a `resample` kernel if its state says what each seat knows.
Otherwise it supplies an object that follows what the seat has seen.
"""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from meeple.games.contract.position import BarePosition
from meeple.kernels.table import caller

_resample = caller("resample")


class Belief(Protocol):
    """One seat's knowledge of one game."""

    seat: int

    def follow(self, position: BarePosition) -> None:
        """Process what the seat has seen since the last call; all of it in another game."""
        ...

    def sample(self, row: npt.NDArray[np.uint8], rng: Any) -> None:
        """Replace every part of a state that the seat cannot know by a sample.

        Args:
            row: [state_bytes] uint8, the state; changed in place.
            rng: a generator record of `kernels.new_rng`; advanced.
        """
        ...


class StateBelief:
    """The belief of a game whose state says what each seat knows; it calls `resample`."""

    def __init__(self, seat: int, address: int) -> None:
        """Make the belief of a seat; `address` is that of the kernel `resample`."""
        self.seat = seat
        self._address = address

    def follow(self, position: BarePosition) -> None:
        """Do nothing: the state holds all that the seat knows."""

    def sample(self, row: npt.NDArray[np.uint8], rng: Any) -> None:
        """Call `resample` once."""
        _resample(self._address, row.ctypes.data, self.seat, rng.ctypes.data)
