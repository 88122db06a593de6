"""Conversion of tables to rows of the database and back, and to replays."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from meeple.games.contract.game import Position
from meeple.games.contract.registry import make_from
from meeple.games.contract.replay import Replay
from meeple.server.play.clock import Clock
from meeple.server.play.history import History
from meeple.server.play.seats import Seat, people_words
from meeple.server.play.table import Agreed, Table
from meeple.server.store import PLAYED, PLAYING, Ply, StoredGame, new_id, seats_words


def new_stored(
    position: Position, seats: Sequence[Seat], terms: dict[str, Any], notes: dict[str, Any]
) -> StoredGame:
    """Return the row of a game that begins at a position."""
    now = time.time()
    return StoredGame(
        id=new_id(),
        created=now,
        updated=now,
        game=position.game.name,
        options=dict(position.game.options),
        seed=position.seed,
        seats=[asdict(seat) for seat in seats],
        people=people_words(seats),
        status=PLAYING,
        origin=PLAYED,
        opening=len(position.actions),
        result=None,
        terms=terms,
        notes=notes,
    )


def table_of(stored: StoredGame, plies: Sequence[Ply] = ()) -> Table:
    """Return the table of a row, replayed; raise MeepleError for an unknown game."""
    game = make_from(stored.game, stored.options)
    seats = [Seat(**seat) for seat in stored.seats]
    clock = stored.terms.get("clock")
    table = Table(
        id=stored.id,
        agreed=_agreed(stored),
        seats=seats,
        history=History(game.start(stored.seed), seats),
        clock=Clock.new(clock, game.players) if clock else None,
        status=stored.status,
        result=stored.result,
        next=stored.terms.get("next"),
    )
    table.history.replay(plies)
    return table


def table_replay(table: Table, position: Position) -> Replay:
    """Return the game of a table up to a copy of its position, which the replay takes over."""
    seats = seats_words(asdict(seat) for seat in table.seats)
    return Replay(position, seats, opening=table.agreed.opening)


def _agreed(stored: StoredGame) -> Agreed:
    return Agreed(
        help=bool(stored.terms.get("help", True)),
        pace=float(stored.terms.get("pace", 0.0)),
        host=str(stored.terms.get("host", "")),
        creator=stored.terms.get("creator"),
        cup=stored.terms.get("cup", ""),
        opening=stored.opening,
        origin=stored.origin,
        notes=dict(stored.notes),
        notes_length=len(json.dumps(stored.notes)),
    )


def terms_of(table: Table) -> dict[str, Any]:
    """Return the terms of a table, with the remaining times of its clock."""
    agreed = table.agreed
    return {
        "help": agreed.help,
        "pace": agreed.pace,
        "host": agreed.host,
        "creator": agreed.creator,
        "cup": agreed.cup,
        "clock": table.clock.terms() if table.clock else None,
        "next": table.next,
    }


def columns_of(table: Table) -> dict[str, Any]:
    """Return the columns of the database that a change of the table may affect."""
    return {
        "seats": [asdict(seat) for seat in table.seats],
        "people": people_words(table.seats),
        "status": table.status,
        "result": table.result,
        "terms": terms_of(table),
    }
