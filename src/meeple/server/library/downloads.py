"""Downloads of games from the library, without hidden information."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from meeple.errors import UsageError
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord, replay
from meeple.kernels import CHANCE
from meeple.protocols.records import formats
from meeple.server.errors import Forbidden, refusal
from meeple.server.store import OVER, GameStore, as_record


@dataclass(frozen=True)
class GameFile:
    """A file of games to download."""

    name: str
    text: str
    media_type: str


def file_of(
    store: GameStore, ids: Sequence[str], format: str, name: str, max_plies: int
) -> GameFile:
    """Return games as a file, named after the first one if `name` is empty.

    Raises:
        NotFound: A game does not exist.
        Forbidden: The record of a game would reveal hidden information.
        UsageError: Several games have more than `max_plies` plies.
    """
    records: list[GameRecord] = []
    for id in ids:
        records.append(_record(store, id))
        plies = sum(len(record.actions) for record in records)
        if len(ids) > 1 and plies > max_plies:
            raise refusal(UsageError, "download_too_long", most=max_plies)
    text = formats.write(records, format)
    name = name or f"{records[0].game}-{ids[0]}"
    form = formats.format_named(format)
    return GameFile(f"{name}{form.endings[0]}", text, form.media_type)


def _record(store: GameStore, id: str) -> GameRecord:
    """Return the public record of a game; raise NotFound or Forbidden."""
    stored, plies = store.game(id)
    record = as_record(stored, plies)
    if stored.status == OVER:
        return record
    position = replay(record)
    return public_record(record, position)


def public_record(record: GameRecord, position: Position) -> GameRecord:
    """Return the record of an unfinished game without its seed, which predicts chance outcomes.

    Raises:
        Forbidden: The game has hidden information or chance outcomes.
    """
    game = position.game
    start = game.start(record.seed)
    chance = start.to_move == CHANCE or any(
        step.before.view(game.State)["to_move"][0] == CHANCE for step in position.steps()
    )
    if game.hides or chance or start.row.tobytes() != game.start(0).row.tobytes():
        raise refusal(Forbidden, "record_when_over", game=game.name)
    return dataclasses.replace(record, seed=0)
