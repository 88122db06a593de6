"""Record types: a game's state, the list of legal actions, the features of seats."""

from typing import Any

import numpy as np

from meeple.kernels.decorator import COMPILED, kernel

CHANCE = -1  # the value of `to_move` at a chance node
OVER = -2  # the value of `to_move` after the end of the game

RecordType = np.dtype[np.void]  # the type of a record, as `record` returns it


class Fields(np.record):  # type: ignore[misc]  # final only in NumPy's stubs
    """A record whose fields are attributes, even one named like NumPy's own: `size`."""

    def __getattribute__(self, name: str) -> Any:
        try:  # most names are those of fields
            return np.void.__getitem__(self, name)
        except (KeyError, ValueError, IndexError):
            return super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        np.void.__setitem__(self, name, value)


def record(**fields: Any) -> RecordType:
    """Return a record type: `record(to_move=int8, heaps=(int16, 8))`.

    Args:
        fields: the type of each field, a NumPy scalar type or `(type, shape)`. The fields lie in
            memory in this order, aligned as in C.
    """
    layout: Any = np.dtype([(name, *_field(kind)) for name, kind in fields.items()], align=True)
    return np.dtype((Fields, layout))  # makes `s.field` work in plain Python


def _field(kind: Any) -> tuple[Any, ...]:
    return (kind[0], kind[1]) if isinstance(kind, tuple) else (kind,)


def moves_record(capacity: int) -> RecordType:
    """Return the type of the list that `legal` fills.

    Args:
        capacity: the largest number of actions, or of chance outcomes with their probabilities.
    """
    return record(
        count=np.int32, actions=(np.int32, (capacity,)), probabilities=(np.float32, (capacity,))
    )


def parts_record(seats: int, own: int, sites: int, site: int, table: int) -> RecordType:
    """Return the type of the record that `seat_features` fills, every number of it.

    Sites come first in `sites`; each begins with a number other than 0. The rest is zeros.

    Args:
        seats: the largest number of players.
        own: the number of features of each seat.
        sites: the largest number of sites of a seat.
        site: the number of features of each site.
        table: the number of features that all seats share.
    """
    return record(
        players=np.int32,
        own=(np.float32, (seats, own)),
        sites=(np.float32, (seats, sites, site)),
        table=(np.float32, (table,)),
    )


@kernel
def add(moves: Any, action: int) -> None:
    """Append a legal action to the list that `legal` fills; a full list only counts it."""
    if not COMPILED or moves.count < moves.actions.shape[0]:  # Python raises IndexError
        moves.actions[moves.count] = action
    moves.count += 1


@kernel
def add_outcome(moves: Any, outcome: int, probability: float) -> None:
    """Append a chance outcome with its probability; the probabilities of a node sum to 1."""
    if not COMPILED or moves.count < moves.actions.shape[0]:
        moves.probabilities[moves.count] = probability
        moves.actions[moves.count] = outcome
    moves.count += 1


@kernel
def add_outcomes(moves: Any, items: Any, wanted: int) -> None:
    """Append as outcomes all places of an array that hold a number, each equally likely."""
    for place in range(len(items)):
        if items[place] == wanted:
            add_outcome(moves, place, 1.0)
    for n in range(moves.count):
        moves.probabilities[n] = 1.0 / moves.count
