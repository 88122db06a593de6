"""The input of a value network: a record with numbers of each seat.

A game may fill the record itself (`seat_features`, of type `Features`). For other games, a seat's
numbers are its observation (`observe`), and the record has no sites and no table.
"""

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Game
from meeple.kernels import SEAT_FEATURES, RecordType, parts_record


def features_of(game: Game) -> RecordType:
    """Return the record's type; see `kernels.parts_record`."""
    if game.has(SEAT_FEATURES):
        return type(game).Features
    return parts_record(game.players, int(np.prod(game.observation_shape)), 1, 1, 1)


def empty_features(game: Game, count: int) -> npt.NDArray[np.uint8]:
    """Allocate uint8 [count, bytes] for records that `lookahead.note_features` fills."""
    records = np.zeros(count, dtype=features_of(game))
    records["players"] = game.players
    return records.view(np.uint8).reshape(count, -1)


def observed_from(game: Game) -> int:
    """Return the byte offset of the seats' numbers in the record: seat by seat, float32."""
    fields = features_of(game).fields
    return int(fields["own"][1]) if fields else 0
