"""Labelled siblings of decisions as arrays: what a value network is fitted to."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class ValueExamples(NamedTuple):
    """Labelled siblings of decisions as arrays of N rows.

    `seats` is the largest number of players among the games; missing seats are zero.
    """

    own: npt.NDArray[np.float16]  # [N, seats, F]
    sites: npt.NDArray[np.float16]  # [N, seats, S, G]
    table: npt.NDArray[np.float16]  # [N, T]
    players: npt.NDArray[np.int8]  # [N] number of seats of the game
    shares: npt.NDArray[np.float32]  # [N, seats] mean payoffs
    decisions: npt.NDArray[np.int32]  # [N] ascending; siblings have one number
    seats: npt.NDArray[np.int8]  # [N] the decider
    actions: npt.NDArray[np.int32]  # [N]

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.shares)


def joined_examples(parts: Sequence[ValueExamples]) -> ValueExamples:
    """Concatenate examples; their decisions are renumbered, so that no two parts share one."""
    seats = max(part.shares.shape[1] for part in parts)
    widened = [_with_seats(part, seats) for part in parts]
    whole = ValueExamples(*(np.concatenate(arrays) for arrays in zip(*widened, strict=True)))
    first, numbered = 0, []
    for part in parts:
        numbered.append(part.decisions + first)
        first += int(part.decisions.max(initial=-1)) + 1
    return whole._replace(decisions=np.concatenate(numbered))


def _with_seats(examples: ValueExamples, seats: int) -> ValueExamples:
    added = seats - examples.shares.shape[1]
    if added == 0:
        return examples
    return examples._replace(
        own=_widened(examples.own, added),
        sites=_widened(examples.sites, added),
        shares=_widened(examples.shares, added),
    )


def _widened(array: npt.NDArray[Any], added: int) -> npt.NDArray[Any]:
    """Append `added` zeros along the second axis."""
    return np.pad(array, [(0, 0), (0, added), *[(0, 0)] * (array.ndim - 2)])
