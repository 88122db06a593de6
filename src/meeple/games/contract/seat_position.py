"""A game of hidden information as one seat has seen it, for a program that plays that seat.

The state is a determinization: a sample replaces what the seat cannot know. The history is what the
seat has seen. An agent that uses only its seat's knowledge chooses the same action for this
position as for the game itself.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.position import Step

UNKNOWN = -1  # an action or outcome that the seat has not seen


class Seen(NamedTuple):
    """An action or outcome as a seat has seen it."""

    action: int  # or UNKNOWN
    sight: Any  # as `sights.sight` gives it
    after: bytes  # a determinization of the state after it


class SeatPosition(Position):
    """The part of a game that a seat has seen; `see` extends it."""

    def __init__(self, game: Game, seat: int, start: bytes, number: int = 0) -> None:
        """Begin a game at its first state.

        Args:
            game: the game.
            seat: the seat whose view it is.
            start: a determinization of the first state.
            number: distinguishes games, as a seed does for `Position`.

        Raises:
            UsageError: the bytes are not a state of the game.
        """
        super().__init__(game, number)
        self.seat = game.checked_seat(seat)
        self._start = self._checked(start)
        self._seen: list[Seen] = []
        self._put(start)

    def see(self, seen: Seen) -> None:
        """Add an action or outcome.

        Raises:
            UsageError: the bytes are not a state of the game.
        """
        self._put(self._checked(seen.after))
        self._seen.append(seen)

    @property
    def actions(self) -> tuple[int, ...]:
        """All actions and outcomes since the start; UNKNOWN for those that the seat did not see."""
        return (*(seen.action for seen in self._seen), *self._actions)

    def steps(self, first: int = 0) -> Iterator[Step]:
        """Yield the actions from number `first` on, each between two determinizations.

        The two may differ in sampled parts alone, so use `sights` for hidden information.
        """
        if first < 0:
            raise UsageError(f"actions are numbered from 0: there is none of number {first}")
        before = self._seen[first - 1].after if 0 < first <= len(self._seen) else self._start
        for seen in self._seen[first:]:
            yield Step(
                np.frombuffer(before, np.uint8), seen.action, np.frombuffer(seen.after, np.uint8)
            )
            before = seen.after
        yield from super().steps(max(0, first - len(self._seen)))

    def state_before(self, number: int) -> npt.NDArray[np.uint8]:
        """Return a determinization of the state before the action of a number, read-only."""
        seen = len(self._seen)
        if number >= seen:
            return super().state_before(number - seen)
        state = self._start if number == 0 else self._seen[number - 1].after
        return np.frombuffer(state, np.uint8)

    def sights(self, seat: int, first: int = 0) -> Iterator[Any]:
        """Yield what the seat has seen.

        Raises:
            UsageError: another seat's view is requested, which is not known.
        """
        if seat != self.seat:
            raise UsageError(f"this is the game as seat {self.seat} has seen it, not seat {seat}")
        for seen in self._seen[first:]:
            yield seen.sight
        yield from super().sights(seat, max(first, len(self._seen)))

    def copy(self) -> Self:
        twin = super().copy()
        twin.seat, twin._start, twin._seen = self.seat, self._start, self._seen.copy()
        return twin

    def _checked(self, state: bytes) -> bytes:
        if len(state) != self.game.state_bytes:
            raise UsageError(
                f"a state of {self.game.name} has {self.game.state_bytes} bytes, not {len(state)}"
            )
        return state

    def _put(self, state: bytes) -> None:
        self.row[:] = np.frombuffer(state, np.uint8)
