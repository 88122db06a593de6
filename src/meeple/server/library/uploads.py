"""Uploads to the library: games read from a text and replayed under the rules."""

import time
from typing import Any

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.records import GameRecord, replay
from meeple.games.contract.result import DECLARED, LOST_BY, lost_by
from meeple.protocols.records.vocabulary import MAX_NAME_CHARS
from meeple.sentences import say
from meeple.server.analysis.record_text import read_text
from meeple.server.errors import TooMuch, refusal
from meeple.server.store import OVER, UPLOADED, Ply, StoredGame, new_id
from meeple.server.web.schemas import MAX_PLIES, check_seed

_MAX_SENTENCE_CHARACTERS = 400  # of an error, which may repeat what was sent


UploadedGame = tuple[StoredGame, list[Ply]]
"""An uploaded game, as stored in the database."""


def read_games(
    content: str | bytes, first: int | None, max_games: int, host: str = ""
) -> tuple[list[UploadedGame], list[str]]:
    """Return the games of a file's content, each replayed, and sentences on how it was read.

    Args:
        content: a file of records in any format.
        first: number of the first game to read, of at most `max_games`; None: read all.
        max_games: maximum number of games.
        host: hash of the token with which the games may be deleted.

    Raises:
        UsageError: A game is invalid; the message names the game, the move and the reason.
        TooMuch: There are more than `max_games` games, and `first` is not given.
    """
    try:
        found = read_text(content, max_games, first)
        records = list(found.records)
    except TooMuch:
        raise
    except MeepleError as error:
        raise UsageError(_shortened(str(error))) from None
    games = []
    for number, record in enumerate(records, start=first or 1):
        try:
            games.append(_uploaded(record, host))
        except MeepleError as error:
            placed = len(records) > 1 or first
            reason = say("record.in_game", n=number, reason=error) if placed else str(error)
            raise UsageError(_shortened(reason)) from None
    return games, found.notices()


def _uploaded(record: GameRecord, host: str) -> UploadedGame:
    """Return the game of a record, replayed; raise MeepleError if it is invalid."""
    if len(record.actions) > MAX_PLIES:
        raise refusal(UsageError, "too_many_plies", most=MAX_PLIES, n=len(record.actions))
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
        result=_result(record),
        terms={"host": host},
        notes=notes,
    )
    return game, [Ply(action) for action in position.actions]


def _result(record: GameRecord) -> dict[str, Any] | None:
    """Return the result of a game in the form of `Table.result`; None if it was broken off."""
    if record.payoffs is not None:
        tally = {"tally": record.tally} if record.tally else {}
        return {"payoffs": list(record.payoffs), "how": "rules", **tally}
    if record.shares is None:
        return None
    if record.lost_by is None:
        return {"payoffs": list(record.shares), "how": DECLARED}
    how, seat = record.lost_by
    return {"payoffs": list(record.shares), "how": how, "seat": seat}


def _shortened(sentence: str) -> str:
    line = " ".join(sentence.split())
    if len(line) > _MAX_SENTENCE_CHARACTERS:
        return line[:_MAX_SENTENCE_CHARACTERS] + "..."
    return sentence if line == sentence else line
