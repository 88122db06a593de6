"""A new game: its first position, its seats with their secrets, and its terms."""

import dataclasses
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from meeple.errors import UsageError
from meeple.games.contract.game import Position
from meeple.games.contract.records import GameRecord, opening_of, replay
from meeple.games.contract.registry import make_from
from meeple.server.errors import refusal
from meeple.server.play.clock import Clock
from meeple.server.play.levels import level_name
from meeple.server.play.messages import ClockChoice, NewTable
from meeple.server.play.seats import Seat, digest, new_token
from meeple.server.play.stored import new_stored, terms_of
from meeple.server.play.table import Table
from meeple.server.store import PAR, Ply, StoredGame
from meeple.server.thinking.specs import check_for
from meeple.server.web.schemas import MAX_PLIES, SEED_BITS, check_seed


@dataclass
class Beginning:
    """A new game that is not stored yet."""

    stored: StoredGame
    played: list[Ply]  # plies of the record that the game continues
    tokens: dict[str, str] = field(default_factory=dict)  # the creator's, by seat or "host"
    invites: dict[str, str] = field(default_factory=dict)  # by seat


def new_seed() -> int:
    """Return a secret random seed."""
    return secrets.randbits(SEED_BITS)


def beginning(wanted: NewTable, runs: Path) -> Beginning:
    """Return the requested game; slow if it continues a long record.

    Raises:
        MeepleError: The options, a spec or the record is invalid.
    """
    position = _opening(wanted)
    game = position.game
    if len(wanted.seats) != game.seats:
        raise refusal(UsageError, "wrong_seats", seats=game.seats, n=len(wanted.seats))
    seats: list[Seat] = []
    tokens: dict[str, str] = {}
    invites: dict[str, str] = {}
    for number, choice in enumerate(wanted.seats):
        secret = new_token()
        if choice.kind == "agent":
            check_for(choice.spec, game, runs)
            seats.append(Seat("agent", level_name(game, choice.spec), choice.spec))
        elif choice.kind == "me":
            seats.append(Seat("human", name=choice.name, token=digest(secret)))
            tokens[str(number)] = secret
        else:
            seats.append(Seat("open", invite=digest(secret)))
            invites[str(number)] = secret
    if game.has_par:
        seats.append(Seat(PAR))
    if invites and wanted.seed is not None:
        raise refusal(UsageError, "seed_with_others")
    terms: dict[str, Any] = {
        "help": not invites if wanted.help is None else wanted.help,
        "pace": wanted.pace,
        "host": "",
        "creator": min(map(int, tokens), default=None),
        "clock": clock_terms(wanted.clock, game.players),
    }
    if not tokens:
        tokens["host"] = new_token()
        terms["host"] = digest(tokens["host"])
    stored = new_stored(position, seats, terms, {})
    return Beginning(stored, [Ply(action) for action in position.actions], tokens, invites)


def rematch(table: Table) -> tuple[StoredGame, dict[str, int]]:
    """Return a new game with all seats moved by one, and the new seat of each old one."""
    players, par = table.game.seats, table.seats[table.game.seats :]
    seats = [table.seats[(number + 1) % players] for number in range(players)] + par
    seats = [Seat(seat.kind, seat.name, seat.spec, seat.token) for seat in seats]
    moved = {str((number + 1) % players): number for number in range(players)}
    creator = moved.get(str(table.agreed.creator))
    terms = {**terms_of(table), "next": None, "creator": creator, "cup": ""}
    if terms["clock"]:
        terms["clock"]["left"] = None
    return new_stored(table.game.start(new_seed()), seats, terms, {}), moved


def _opening(wanted: NewTable) -> Position:
    """Return the first position: the end of a record, or the start of the game."""
    if wanted.record:
        shared = any(choice.kind == "link" for choice in wanted.seats)
        return _resumed(GameRecord.from_json(wanted.record), shared)
    game = make_from(wanted.game, wanted.options)
    return game.start(new_seed() if wanted.seed is None else wanted.seed)


def _resumed(record: GameRecord, shared: bool) -> Position:
    """Return the position at the end of a record.

    Args:
        record: an unfinished game.
        shared: whether other people play, who did not send the record.

    Raises:
        MeepleError: The game is over or too long, or its record reveals hidden information.
    """
    if record.payoffs is not None:
        raise refusal(UsageError, "record_over")
    if len(record.actions) >= MAX_PLIES:
        raise refusal(UsageError, "too_many_plies", most=MAX_PLIES, n=len(record.actions))
    check_seed(record.seed)
    if shared:
        fresh = dataclasses.replace(record, seed=new_seed())
        start, other = opening_of(record), opening_of(fresh)
        if start.game.hides or start.row.tobytes() != other.row.tobytes():
            raise refusal(UsageError, "record_knows_secrets", game=record.game)
        record = fresh
    return replay(record)


def clock_terms(choice: ClockChoice | None, players: int) -> dict[str, Any] | None:
    """Return the terms of a chosen clock, to store."""
    if choice is None:
        return None
    left = [choice.seconds] * players
    return Clock(choice.kind, choice.seconds, choice.increment, left).terms()
