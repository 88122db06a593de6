"""Check that no message about a running game has information that its reader may not know.

Each message is compared with what the server would have sent in another determinization: the same
game with other hidden cards that the reader cannot distinguish from the true ones. No message may
have the seed. Early in a game of Catan all cards are known, and no determinization differs; so some
games begin at a record in which cards are hidden (`game_with_hidden_cards`).
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

import meeple
from bench.chaos.findings import Findings
from bench.chaos.people import Heard, Json
from meeple import kernels
from meeple.errors import MeepleError
from meeple.games.catan.belief.seat_belief import SPECTATOR
from meeple.games.contract.game import Position
from meeple.games.contract.records import record_of
from meeple.server.play.stored import table_of
from meeple.server.play.table import Table
from meeple.server.play.views import view_of
from meeple.server.store import GameStore, Ply, StoredGame

WORLDS = 3  # that each message is compared with
HIDING_PLIES = 300  # within which cards are hidden in most games
COMPARED = ("scene", "actions", "guide", "events", "to_move", "chances")


def check(folder: Path, heard: list[Heard], findings: Findings) -> None:
    """Compare the saved messages; a difference is a fault."""
    store, rng = GameStore(folder), kernels.new_rng(5)
    for one in heard:
        try:
            stored, plies = store.game(one.table)
        except MeepleError:
            findings.fault(f"table {one.table} is not there any more")
            continue
        if str(stored.seed) in one.text:
            findings.fault(f"the seed of table {one.table} is in a message to {_whom(one)}")
        message = json.loads(one.text)
        _compare(one, message, _table_at(stored, plies, message["ply"]), findings, rng)
    store.close()


def _compare(one: Heard, message: Json, table: Table, findings: Findings, rng: Any) -> None:
    """Return a message as it would be in this state, and in other determinizations."""
    seen, since = frozenset(one.you), message["events"]["from"]
    place = f"table {one.table}, ply {message['ply']}: a message to {_whom(one)}"
    true = table.position
    here = view_of(table, seen, since=since)  # the card tracker has followed what was seen then
    if wrong := _differing(here, message):
        findings.fault(f"{place} was not as the game stood: {wrong}")
        return
    for twin in other_worlds(true, table.history.reader(seen), rng):
        table.history.position = twin
        table.drawn.clear()
        findings.counts["messages compared"] += 1
        if not np.array_equal(twin.row, true.row):
            findings.counts["messages compared in a world that differs"] += 1
        if wrong := _differing(view_of(table, seen, since=since), message):
            findings.fault(f"{place} tells what is hidden: {wrong}")


def _differing(view: Json, message: Json) -> str:
    return ", ".join(key for key in COMPARED if json.dumps(view[key]) != json.dumps(message[key]))


def _whom(one: Heard) -> str:
    return f"seats {one.you}" if one.you else "onlookers"


def _table_at(stored: StoredGame, plies: list[Ply], ply: int) -> Table:
    table = table_of(stored, plies[:ply])
    table.status, table.result = "playing", None
    return table


def other_worlds(position: Position, reader: int | None, rng: Any) -> list[Position]:
    """Yield the position with other hidden cards, drawn from a reader's belief."""
    if position.to_move < 0 or not position.game.hides:
        return []
    belief = position.game.belief(SPECTATOR if reader is None else reader)
    belief.follow(position)
    twins = [position.copy() for _ in range(WORLDS)]
    for twin in twins:
        belief.sample(twin.row, rng)
    return twins


def game_with_hidden_cards(seed: int) -> str:
    """Return the record of an unfinished game of Catan with cards hidden from seat 0.

    The moves are random, without offers, and include a theft.
    """
    game, rng = meeple.make("catan", players=3), np.random.default_rng(seed)
    while True:
        position = game.start(int(rng.integers(2**31)))
        while len(position.actions) < HIDING_PLIES and not position.is_over:
            if position.to_move < 0:
                position.play_chance()
                continue
            if position.to_move == 0 and all(hides(position, reader) for reader in (None, 0)):
                return record_of(position, [""] * game.players).to_json()
            position.play(int(rng.choice(_quiet_actions(position))))


def hides(position: Position, reader: int | None) -> bool:
    """Return whether a reader, or a spectator, considers another position possible."""
    twins = other_worlds(position, reader, kernels.new_rng(5))
    return any(not np.array_equal(twin.row, position.row) for twin in twins)


def _quiet_actions(position: Position) -> list[int]:
    """Return the legal actions without offers to trade, if there are any."""
    legal = position.legal_actions().tolist()
    quiet = [a for a in legal if not position.action_name(a).startswith(("offer", "ask"))]
    return quiet or legal
