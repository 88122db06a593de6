"""Records in and out of the library, and replays; the routes are in `library_api.py`.

A text is lines of JSON, one record each, or a collection in SGF.
"""

import dataclasses
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import GameRecord, replay, to_lines
from meeple.kernels import CHANCE
from meeple.server.analysis.sources import Line, valued
from meeple.server.errors import Forbidden
from meeple.server.schemas import MOST_PLIES, check_seed
from meeple.server.store import OVER, UPLOADED, Ply, StoredGame, new_id

MOST_GAMES = 200  # of one upload
FORMATS = {"jsonl": "application/x-ndjson", "sgf": "application/x-go-sgf"}

_LOST_BY = ("resigned", "time")  # notes that name the seat that gave up, or had no time left
_NAMED = 100  # characters of a player's name that are kept
_LONGEST = 400  # characters of a sentence, which may repeat what was sent


@dataclasses.dataclass(frozen=True)
class Brought:
    """A game that was brought, as the database keeps it."""

    id: str
    game: StoredGame
    plies: tuple[Ply, ...]


def read_games(text: str) -> list[Brought]:
    """The games of a text, each replayed under the rules.

    Raises MeepleError for the first that is wrong: which game, which move, why.
    """
    from meeple.protocols import sgf

    try:
        records = sgf.read(text, MOST_GAMES) if sgf.looks_like(text) else _read_lines(text)
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


def _read_lines(text: str) -> list[GameRecord]:
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise UsageError("there is no game in this text")
    if not lines[0][1].lstrip("\ufeff \t").startswith("{"):
        raise UsageError("this is neither lines of JSON nor SGF, which begins with '(;'")
    if len(lines) > MOST_GAMES:
        raise UsageError(
            f"these are {len(lines)} games; at most {MOST_GAMES} can be brought at once"
        )
    records = []
    for number, line in lines:
        try:
            records.append(GameRecord.from_json(line.lstrip("\ufeff")))
        except MeepleError as error:
            raise UsageError(f"line {number}: {error}") from None
    return records


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
        if name not in _LOST_BY or _is_seat(value, len(names))
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
    for how in _LOST_BY:
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


def write_records(records: Iterable[GameRecord], format: str) -> str:
    """Records as the text of a file. Raises MeepleError where a game has no such format."""
    if format == "sgf":
        from meeple.protocols import sgf

        return sgf.write(records)
    return to_lines(records)


def public(record: GameRecord, game: Game, position: Position) -> GameRecord:
    """The record of a game under way as anybody may have it: the seed would tell what comes.

    Raises Forbidden for a game that hides something or draws by chance.
    """
    start = game.start(record.seed)
    chance = start.to_move == CHANCE or any(
        step.before.view(game.State)["to_move"][0] == CHANCE for step in position.steps()
    )
    if game.hides or chance or start.row.tobytes() != game.start(0).row.tobytes():
        raise Forbidden(f"the record of a game of {game.name} can be had when it is over")
    return dataclasses.replace(record, seed=0)


def replay_of(line: Line, values: Sequence[Sequence[float] | None]) -> list[dict[str, Any]]:
    """Every ply in words, with what the agent that chose it expected for every player."""
    told = [{name: ply[name] for name in ("ply", "seat", "text")} for ply in line.told()]
    return valued(told, values)
