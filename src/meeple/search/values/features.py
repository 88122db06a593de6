"""What a value network is given of a position: a record of numbers of each seat.

A game may fill it itself (`seat_features`, of the type `Features`). For any other, a seat's numbers
are what the seat observes (`observe`), and there are no sites and no table.
"""

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import SEAT_FEATURES, RecordType, parts_record


def features_of(game: Game) -> RecordType:
    """The record's type; see `kernels.parts_record`."""
    if game.has(SEAT_FEATURES):
        return type(game).Features
    return parts_record(game.players, int(np.prod(game.observation_shape)), 1, 1, 1)


def empty_features(game: Game, count: int) -> npt.NDArray[np.uint8]:
    """[count, bytes] memory for so many records, to be filled by `lookahead.note_features`."""
    records = np.zeros(count, dtype=features_of(game))
    records["players"] = game.players
    return records.view(np.uint8).reshape(count, -1)


def observed_from(game: Game) -> int:
    """The byte of the record at which seats' numbers begin: seat by seat, float32."""
    fields = features_of(game).fields
    return int(fields["own"][1]) if fields else 0
