"""Games that are brought to the library: read from a text, replayed under the rules, and stored."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.records import GameRecord, replay
from meeple.server.record_text import read_text
from meeple.server.schemas import MOST_PLIES, check_seed
from meeple.server.store import LOST_BY, OVER, UPLOADED, Ply, StoredGame, new_id

MOST_GAMES = 200  # of one upload

_NAMED = 100  # characters of a player's name that are kept
_LONGEST = 400  # characters of a sentence, which may repeat what was sent


@dataclass(frozen=True)
class Brought:
    """A game that was brought, as the database keeps it."""

    id: str
    game: StoredGame
    plies: tuple[Ply, ...]


def read_games(text: str) -> list[Brought]:
    """The games of a text, each replayed under the rules.

    Raises MeepleError for the first that is wrong: which game, which move, why.
    """
    try:
        records = list(read_text(text, MOST_GAMES).records)
    except MeepleError as error:
        raise UsageError(_short(str(error))) from None
    games = []
    for number, record in enumerate(records, start=1):
        try:
            games.append(_brought(record))
        except MeepleError as error:
            place = f"game {number}, " if len(records) > 1 else ""
            raise UsageError(_short(f"{place}{error}")) from None
    return games


def _brought(record: GameRecord) -> Brought:
    """The game of a record, after a replay. Raises MeepleError."""
    if len(record.actions) > MOST_PLIES:
        raise UsageError(f"a game may have {MOST_PLIES:,} plies, not {len(record.actions):,}")
    check_seed(record.seed)
    position = replay(record)
    names = [" ".join(name.split())[:_NAMED] for name in record.seats]
    notes = {
        name: value
        for name, value in record.notes.items()
        if name not in LOST_BY or _is_seat(value, len(names))
    }
    now = time.time()
    game = StoredGame(
        id=new_id(),
        created=now,
        updated=now,
        game=record.game,
        options=dict(position.game.options),
        seed=position.seed,
        seats=[{"kind": "record", "name": name} for name in names],
        people=" ".join(names).lower(),
        status=OVER,
        origin=UPLOADED,
        opening=record.opening,
        result=_result(record, notes),
        terms={},
        notes=notes,
    )
    return Brought(str(game.id), game, tuple(Ply(action) for action in position.actions))


def _result(record: GameRecord, notes: Mapping[str, Any]) -> dict[str, Any] | None:
    """How a game ended, as tables say it; None where it was broken off."""
    if record.payoffs is not None:
        return {"payoffs": list(record.payoffs), "how": "rules"}
    for how in LOST_BY:
        if how in notes and len(record.seats) == 2:
            payoffs = [1.0, 1.0]
            payoffs[notes[how]] = 0.0
            return {"payoffs": payoffs, "how": how, "seat": notes[how]}
    return None


def _is_seat(value: Any, players: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < players


def _short(sentence: str) -> str:
    line = " ".join(sentence.split())
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "..."
