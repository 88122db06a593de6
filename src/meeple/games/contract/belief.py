"""What a seat can believe of a position whose hidden parts it has not seen, for search to sample.

A game of hidden information supplies either a `resample` kernel, where what a player knows is in
the state itself, or an object of its own that follows what the seat has seen.
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
        """Take in all that the seat has seen since the last call, or the whole of another game."""
        ...

    def sample(self, row: npt.NDArray[np.uint8], rng: Any) -> None:
        """Replace all in a state's bytes that the seat cannot know by a sample of what it may be.

        Consumes `rng`.
        """
        ...


class StateBelief:
    """The belief of a game whose state says what each seat knows: its `resample` kernel."""

    def __init__(self, seat: int, address: int) -> None:
        """`address` is that of the kernel."""
        self.seat = seat
        self._address = address

    def follow(self, position: BarePosition) -> None:
        """Nothing is remembered."""

    def sample(self, row: npt.NDArray[np.uint8], rng: Any) -> None:
        """One call of the kernel."""
        _resample(self._address, row.ctypes.data, self.seat, rng.ctypes.data)
