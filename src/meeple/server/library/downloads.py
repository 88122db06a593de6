"""Games taken along from the library, as files that anybody may have."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from meeple.errors import UsageError
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord, replay
from meeple.kernels import CHANCE
from meeple.protocols.records import formats
from meeple.server.errors import Forbidden
from meeple.server.store import OVER, Store, as_record

MAX_PLIES_PER_DOWNLOAD = 100_000  # of one download: a few seconds


@dataclass(frozen=True)
class GameFile:
    """A file of games, to be taken along."""

    name: str
    text: str
    media_type: str


def file_of(store: Store, ids: Sequence[str], format: str, name: str = "") -> GameFile:
    """Some games as a file; without a name it is called by the first of them.

    Raises NotFound, Forbidden, and UsageError where that would take too long.
    """
    records: list[GameRecord] = []
    for id in ids:
        records.append(_record(store, id))
        plies = sum(len(record.actions) for record in records)
        if len(ids) > 1 and plies > MAX_PLIES_PER_DOWNLOAD:
            raise UsageError(
                f"these games have more than {MAX_PLIES_PER_DOWNLOAD:,} plies: take fewer at once"
            )
    text = formats.write(records, format)
    name = name or f"{records[0].game}-{ids[0]}"
    form = formats.format_named(format)
    return GameFile(f"{name}{form.endings[0]}", text, form.media_type)


def _record(store: Store, id: str) -> GameRecord:
    """A game as anybody may have it. Raises NotFound, Forbidden."""
    stored, plies = store.game(id)
    record = as_record(stored, plies)
    if stored.status == OVER:
        return record
    position = replay(record)
    return _public(record, position)


def _public(record: GameRecord, position: Position) -> GameRecord:
    """The record of a game under way as anybody may have it: the seed would tell what comes.

    Raises Forbidden for a game that hides something or draws by chance.
    """
    game = position.game
    start = game.start(record.seed)
    chance = start.to_move == CHANCE or any(
        step.before.view(game.State)["to_move"][0] == CHANCE for step in position.steps()
    )
    if game.hides or chance or start.row.tobytes() != game.start(0).row.tobytes():
        raise Forbidden(f"the record of a game of {game.name} can be had when it is over")
    return dataclasses.replace(record, seed=0)
