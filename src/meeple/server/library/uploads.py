"""Games that are brought to the library: read from a text, replayed under the rules, and stored."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.records import GameRecord, replay
from meeple.protocols.records.vocabulary import LOST_BY, MAX_NAME_CHARS, lost_by, result_of
from meeple.server.errors import TooMuch
from meeple.server.record_text import read_text
from meeple.server.schemas import MOST_PLIES, check_seed
from meeple.server.store import OVER, UPLOADED, Ply, StoredGame, new_id

MOST_GAMES = 200  # of one upload

_LONGEST = 400  # characters of a sentence, which may repeat what was sent


@dataclass(frozen=True)
class Brought:
    """A game that was brought, as the database keeps it."""

    id: str
    game: StoredGame
    plies: tuple[Ply, ...]


def read_games(content: str | bytes, first: int | None = None) -> list[Brought]:
    """The games of a file's content, or at most `MOST_GAMES` from that number on, each replayed.

    Raises MeepleError for the first that is wrong: which game, which move, why; TooMuch where there
    are more and nobody said which.
    """
    try:
        records = list(read_text(content, MOST_GAMES, first).records)
    except TooMuch:
        raise
    except MeepleError as error:
        raise UsageError(_short(str(error))) from None
    games = []
    for number, record in enumerate(records, start=first or 1):
        try:
            games.append(_brought(record))
        except MeepleError as error:
            place = f"game {number}, " if len(records) > 1 or first else ""
            raise UsageError(_short(f"{place}{error}")) from None
    return games


def _brought(record: GameRecord) -> Brought:
    """The game of a record, after a replay. Raises MeepleError."""
    if len(record.actions) > MOST_PLIES:
        raise UsageError(f"a game may have {MOST_PLIES:,} plies, not {len(record.actions):,}")
    check_seed(record.seed)
    position = replay(record)
    names = [" ".join(name.split())[:MAX_NAME_CHARS] for name in record.seats]
    notes = {
        name: value
        for name, value in record.notes.items()
        if name not in LOST_BY or lost_by({name: value}, len(names))
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
    shares, lost = result_of(record), lost_by(notes, len(record.seats))
    if shares is None or lost is None:
        return None
    return {"payoffs": list(shares), "how": lost[0], "seat": lost[1]}


def _short(sentence: str) -> str:
    line = " ".join(sentence.split())
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "..."
