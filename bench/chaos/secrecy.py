"""No message about a running game says what its reader may not know.

Each message is compared with what the server would have sent in another world: the same game with
other hidden cards, as far as the reader can tell. The seed must be in none.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from bench.chaos.findings import Findings
from bench.chaos.people import Heard
from meeple import kernels
from meeple.errors import MeepleError
from meeple.games.catan.belief import ONLOOKER
from meeple.games.contract.game import Position
from meeple.server.play.stored import table_of
from meeple.server.play.table import Table
from meeple.server.play.views import view_of
from meeple.server.store import Ply, Store, StoredGame

WORLDS = 3  # that each message is compared with
COMPARED = ("scene", "actions", "guide", "events", "to_move", "chances")


def check(folder: Path, heard: list[Heard], findings: Findings) -> None:
    """Compare the messages that were kept; what differs is a fault."""
    store, rng = Store(folder), kernels.new_rng(5)
    for one in heard:
        try:
            stored, plies = store.game(one.table)
        except MeepleError:
            findings.fault(f"table {one.table} is not there any more")
            continue
        message = json.loads(one.text)
        if str(stored.seed) in one.text:
            findings.fault(f"the seed of table {one.table} is in a message to {one.you or 'all'}")
        table, seen = _table_at(stored, plies, message["ply"]), frozenset(one.you)
        reader = table.history.reader(seen)
        since = message["events"]["from"]
        for twin in other_worlds(table.position, reader, rng):
            true, table.history.position = table.position, twin
            table.drawn.clear()
            again = view_of(table, seen, since=since)
            table.history.position = true
            findings.counts["messages compared"] += 1
            findings.counts["in a world that differs"] += not np.array_equal(twin.row, true.row)
            for key in COMPARED:
                if json.dumps(again[key]) != json.dumps(message[key]):
                    findings.fault(
                        f"table {one.table}, ply {message['ply']}: '{key}' as sent to "
                        f"{one.you or 'onlookers'} tells what is hidden, or is not as it was"
                    )
    store.close()


def _table_at(stored: StoredGame, plies: list[Ply], ply: int) -> Table:
    table = table_of(stored, plies[:ply])
    table.status, table.result = "playing", None
    return table


def other_worlds(position: Position, reader: int | None, rng: Any) -> list[Position]:
    """The position with other hidden cards, as a reader believes they may be; a few times."""
    if position.to_move < 0 or not position.game.hides:
        return []
    belief = position.game.belief(ONLOOKER if reader is None else reader)
    belief.follow(position)
    twins = [position.copy() for _ in range(WORLDS)]
    for twin in twins:
        belief.sample(twin.row, rng)
    return twins
