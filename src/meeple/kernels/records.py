"""Record types: the state of a game, the list of legal actions, the features of seats."""

from typing import Any

import numpy as np

from meeple.kernels.decorator import kernel

CHANCE = -1  # the value of `to_move` at a chance node
OVER = -2  # the value of `to_move` after the end of the game

RecordType = np.dtype[np.void]  # the type of a record, as `record` returns it


class Fields(np.record):  # type: ignore[misc]  # final only in NumPy's stubs
    """A record whose attributes are its fields, even those named like one of NumPy's: `size`."""

    def __getattribute__(self, name: str) -> Any:
        fields = np.void.__getattribute__(self, "dtype").fields or ()
        return np.void.__getitem__(self, name) if name in fields else super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        np.void.__setitem__(self, name, value)


def record(**fields: Any) -> RecordType:
    """A record type of named fields, each a NumPy scalar type or `(type, shape)`.

    `record(to_move=int8, heaps=(int16, 8))` lays the fields out in this order, as C would.
    """
    layout: Any = np.dtype([(name, *_field(kind)) for name, kind in fields.items()], align=True)
    return np.dtype((Fields, layout))  # so that `s.field` works in plain Python too


def _field(kind: Any) -> tuple[Any, ...]:
    return (kind[0], kind[1]) if isinstance(kind, tuple) else (kind,)


def moves_record(capacity: int) -> RecordType:
    """The list that `legal` fills: up to `capacity` actions, or outcomes with probabilities."""
    return record(
        count=np.int32, actions=(np.int32, (capacity,)), probabilities=(np.float32, (capacity,))
    )


def parts_record(seats: int, own: int, sites: int, site: int, table: int) -> RecordType:
    """What `seat_features` fills: numbers of each seat, of the best sites of each, and of all.

    Whole record to be filled. A site that is not there is all zeros, one that is there begins with
    a number that is not, and those come first.
    """
    return record(
        players=np.int32,
        own=(np.float32, (seats, own)),
        sites=(np.float32, (seats, sites, site)),
        table=(np.float32, (table,)),
    )


@kernel
def add(moves: Any, action: int) -> None:
    """Append a legal action to the list that `legal` fills."""
    moves.actions[moves.count] = action
    moves.count += 1


@kernel
def add_outcome(moves: Any, outcome: int, probability: float) -> None:
    """Append a chance outcome with its probability; those of one node sum to 1."""
    moves.probabilities[moves.count] = probability
    moves.actions[moves.count] = outcome
    moves.count += 1
