"""Games in a SQLite database. Every change is committed before it is published, so none is lost.

All calls block; the server makes them in one dedicated thread, in order.
"""

import contextlib
import json
import logging
import re
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import (
    JSON,
    ColumnElement,
    Engine,
    ForeignKey,
    Select,
    String,
    and_,
    delete,
    event,
    func,
    literal_column,
    select,
    text,
    update,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from meeple.database import ForeignDatabase, MigrationStep, add_column, open_database
from meeple.errors import MeepleError
from meeple.files import reported
from meeple.games.contract.records import GameRecord, record_of
from meeple.games.contract.registry import make_from
from meeple.games.contract.result import DECLARED
from meeple.sentences import say
from meeple.server.errors import Damaged, NotFound, TooMuch, refusal
from meeple.server.folder_lock import FolderLock
from meeple.server.limits import LIMITS

LOG = logging.getLogger(__name__)
FILE = "games.sqlite"
PAR = "par"  # the kind of the seat of a par
ID_BYTES = 9  # twelve letters
PLAYING, OVER = "playing", "over"
PLAYED, UPLOADED = "played", "uploaded"
AGREED, LEFT = "agreed", "left"  # results: the players agreed on a draw; nobody continued the game
RESULTS = ("first", "other", "draw", "none")  # seat 0 won, another seat won, draw, no result
MAX_LISTED = 100  # games in a list; one more row is read to detect a further page
STEPS: tuple[MigrationStep, ...] = (add_column("plies", "times VARCHAR"),)
"""The migrations of the tables of `StoredBase`, in order; later versions append."""


class StoredBase(DeclarativeBase):
    """The tables of the database."""


class StoredGame(StoredBase):
    """A row of the table of games: terms and state, without the plies."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    created: Mapped[float]
    updated: Mapped[float] = mapped_column(index=True)
    game: Mapped[str] = mapped_column(String(64), index=True)
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    seed: Mapped[int]
    seats: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    people: Mapped[str]  # the players' names in lower case, for text search
    status: Mapped[str] = mapped_column(String(8), index=True)
    origin: Mapped[str] = mapped_column(String(8))
    plies: Mapped[int] = mapped_column(default=0)
    opening: Mapped[int] = mapped_column(default=0)  # number of plies before the game
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    terms: Mapped[dict[str, Any]] = mapped_column(JSON)  # clock, pace, help
    notes: Mapped[dict[str, Any]] = mapped_column(JSON)  # further fields of the record


class StoredPly(StoredBase):
    """A row of the table of plies: an action or a chance outcome."""

    __tablename__ = "plies"

    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)  # from 0
    action: Mapped[int]
    value: Mapped[str | None]  # the moving agent's value for every player, as JSON
    times: Mapped[str | None]  # the clock's remaining seconds of every player, as JSON


class StoredCup(StoredBase):
    """A row of the table of cups."""

    __tablename__ = "cups"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    updated: Mapped[float]
    data: Mapped[str]  # JSON


class StoredReview(StoredBase):
    """A row of the table of reviews: of a finished game by its newest evaluator."""

    __tablename__ = "reviews"

    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str]  # what the review depends on
    messages: Mapped[str]  # JSON


# One SQLite step for all rows: between two steps, another Python thread may run for 5 ms.
_ADD_PLIES = text(
    "INSERT INTO plies (game, ply, action, value, times) SELECT :game, :first + key, "
    "json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') "
    "FROM json_each(:rows)"
)
_PLIES: ColumnElement[str] = literal_column(
    "(SELECT json_group_array(json_array(ply, action, value, times)) FROM plies "
    "WHERE plies.game = games.id)"
)


class Ply(NamedTuple):
    """An action of a stored game."""

    action: int
    value: tuple[float, ...] | None = None  # its agent's value for every player
    times: tuple[float, ...] | None = None  # every player's remaining seconds when it was chosen


class StoredOpening(NamedTuple):
    """A stored game, and its first actions."""

    game: StoredGame
    actions: tuple[int, ...]


@dataclass(frozen=True)
class Filter:
    """The filter of a list of games; an empty field does not filter."""

    game: str = ""
    status: str = ""
    player: str = ""
    text: str = ""
    result: str = ""  # one of RESULTS
    ids: tuple[str, ...] = ()
    held: frozenset[str] | None = None  # also the games whose creator's token has such a hash
    limit: int = 30
    before: float | None = None  # updated before that time


_GROWTH = re.compile(r"INSERT INTO (?!plies\b|reviews\b)|UPDATE (?!games\b|cups\b|reviews\b)")


def _check_room(most: int, connection: Any, cursor: Any, statement: str, *more: Any) -> None:
    """Raise TooMuch before a statement that adds to a database of more than `most` bytes."""
    if _GROWTH.match(statement):
        found = {
            name: cursor.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        }
        used = (found["page_count"] - found["freelist_count"]) * found["page_size"]
        if used > most:
            raise refusal(TooMuch, "data_full", most=round(most / 1e6))


class GameStore:
    """The database of one server."""

    def __init__(
        self, folder: str | Path, server: str = "", max_bytes: int = LIMITS.max_data_bytes
    ) -> None:
        """Open the database of a folder.

        Args:
            folder: the folder, created if missing.
            server: the address of the server that uses the folder until `close`, and alone; without
                it, the database is used for a moment, perhaps beside a server.
            max_bytes: used bytes of the database, above which only games that have begun are
                stored; all else raises TooMuch.

        Raises:
            MeepleError: The folder or the database cannot be used, or another server uses it.
        """
        place = Path(folder)
        with reported(f"cannot store games in {place}", MeepleError):
            place.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(place, server)
        try:
            self.engine = _open(place / FILE, alone=self._lock.alone)
        except BaseException:
            self._lock.release()
            raise
        event.listen(self.engine, "before_cursor_execute", partial(_check_room, max_bytes))
        if not server:
            self._lock.release()

    def close(self) -> None:
        """Close the database, and let another server use the folder."""
        self.engine.dispose()
        self._lock.release()

    # ------------------------------------------------------------ writing

    def add(self, game: StoredGame, plies: Sequence[Ply] = ()) -> None:
        """Store a new game with its first plies."""
        self.add_all([(game, plies)])

    def add_all(self, games: Iterable[tuple[StoredGame, Sequence[Ply]]]) -> None:
        """Store several games, or none of them."""
        with Session(self.engine) as session, session.begin():
            for game, plies in games:
                game.plies = len(plies)
                session.add(game)
                session.flush()
                if plies:
                    session.execute(_ADD_PLIES, _rows(game.id, 0, plies))

    def append(
        self, id: str, first: int, plies: Sequence[Ply], *, keep: int | None = None, **changes: Any
    ) -> None:
        """Add plies to a game.

        Args:
            id: the game.
            first: number of the first added ply.
            plies: the added plies.
            keep: number of plies to keep; later ones are deleted first.
            **changes: new values of columns of the game.
        """
        columns = {"plies": first + len(plies), "updated": time.time(), **changes}
        with self.engine.begin() as connection:
            if keep is not None:
                gone = StoredPly.game == id, StoredPly.ply >= keep
                connection.execute(delete(StoredPly).where(*gone))
            if plies:
                connection.execute(_ADD_PLIES, _rows(id, first, plies))
            connection.execute(update(StoredGame).where(StoredGame.id == id).values(columns))

    def put_cup(self, id: str, data: str) -> None:
        """Store a cup, or its new state."""
        with Session(self.engine) as session, session.begin():
            session.merge(StoredCup(id=id, updated=time.time(), data=data))

    def put_review(self, id: str, key: str, messages: str) -> None:
        """Store the review of a game instead of an earlier one; without effect for no game."""
        with Session(self.engine) as session, session.begin():
            if session.get(StoredGame, id) is not None:
                session.merge(StoredReview(game=id, key=key, messages=messages))

    def remove(self, id: str) -> None:
        """Delete a game with its plies and its review."""
        with self.engine.begin() as connection:
            connection.execute(delete(StoredGame).where(StoredGame.id == id))

    def close_left(self, before: float, kept: Sequence[str]) -> Sequence[str]:
        """Close games in progress without a move since a time; return their ids.

        Args:
            before: Unix time in s.
            kept: games that stay open, beside those of cups.
        """
        cup = func.coalesce(func.json_extract(StoredGame.terms, "$.cup"), "")
        left = StoredGame.status == PLAYING, StoredGame.updated < before, cup == ""
        result = {"payoffs": None, "how": LEFT}
        closing = update(StoredGame).where(*left, StoredGame.id.not_in(kept))
        closing = closing.values(status=OVER, result=result).returning(StoredGame.id)
        with self.engine.begin() as connection:
            return connection.execute(closing).scalars().all()

    # ------------------------------------------------------------ reading

    def review(self, id: str, key: str) -> str | None:
        """Return the review of a game with this key; None if there is none."""
        wanted = StoredReview.game == id, StoredReview.key == key
        with self.engine.connect() as connection:
            found = connection.execute(select(StoredReview.messages).where(*wanted))
            return found.scalar_one_or_none()

    def cup(self, id: str) -> str:
        """Return the data of a cup; raise NotFound."""
        with Session(self.engine) as session:
            found = session.get(StoredCup, id)
            if found is None:
                raise refusal(NotFound, "no_cup", id=id[:16])
            return found.data

    def game(self, id: str) -> tuple[StoredGame, list[Ply]]:
        """Return a game and its plies; raise NotFound or Damaged."""
        with readable(id), Session(self.engine, expire_on_commit=False) as session:
            # One statement, so that no move is stored between the game and its plies.
            found = session.execute(select(StoredGame, _PLIES).where(StoredGame.id == id)).first()
            if found is None:
                raise refusal(NotFound, "no_game", id=id[:16])
            game, rows = found[0], sorted(json.loads(found[1]))
            if [row[0] for row in rows] != list(range(game.plies)):
                raise ValueError(f"of {game.plies} plies, {len(rows)} are stored")
            session.expunge(game)
            return game, [Ply(row[1], *map(_numbers, row[2:])) for row in rows]

    def count_plies(self, ids: Sequence[str]) -> int:
        """Return the total number of plies of the existing ones of these games."""
        counted = select(func.sum(StoredGame.plies)).where(StoredGame.id.in_(ids))
        with self.engine.connect() as connection:
            return int(connection.execute(counted).scalar_one() or 0)

    def list(self, wanted: Filter) -> list[StoredGame]:
        """Return games, the last played first."""
        words = (wanted.game, wanted.status, wanted.player, wanted.text)
        if any("\0" in word for word in words):  # which would end a pattern of SQLite
            return []
        query = select(StoredGame).order_by(StoredGame.updated.desc())
        if wanted.game:
            query = query.where(StoredGame.game == wanted.game)
        if wanted.status:
            query = query.where(StoredGame.status == wanted.status)
        if wanted.result:
            query = query.where(_has_result(wanted.result))
        if wanted.held is not None:
            host = func.json_extract(StoredGame.terms, "$.host")
            query = query.where(StoredGame.id.in_(wanted.ids) | host.in_(wanted.held))
        elif wanted.ids:
            query = query.where(StoredGame.id.in_(wanted.ids))
        for word in (wanted.player, wanted.text):
            if word:
                pattern = f"%{_escaped(word.lower())}%"
                in_game = func.lower(StoredGame.game).like(pattern, escape="\\")
                among = StoredGame.people.like(pattern, escape="\\")
                query = query.where(among if word is wanted.player else among | in_game)
        if wanted.before is not None:
            query = query.where(StoredGame.updated < wanted.before)
        with Session(self.engine, expire_on_commit=False) as session:
            query = query.limit(min(wanted.limit, MAX_LISTED + 1))
            try:
                found = list(session.scalars(query))
            except (ValueError, TypeError):  # a row whose JSON is damaged
                found = _undamaged(session, query)
            session.expunge_all()
            return found

    def played(self, game: str, most: int, plies: int) -> Sequence[StoredOpening]:
        """Return the newest finished games, without damaged rows.

        Args:
            game: name of the game.
            most: maximum number of games.
            plies: number of first actions to read of each.
        """
        query = select(StoredGame).order_by(StoredGame.updated.desc()).limit(most)
        query = query.where(StoredGame.game == game, StoredGame.status == OVER)
        actions = (
            select(StoredPly.game, StoredPly.action)
            .where(StoredPly.game.in_(query.with_only_columns(StoredGame.id)))
            .where(StoredPly.ply < plies)
            .order_by(StoredPly.game, StoredPly.ply)
        )
        with Session(self.engine, expire_on_commit=False) as session:
            try:
                games = list(session.scalars(query))
            except (ValueError, TypeError):  # a row whose JSON is damaged
                games = _undamaged(session, query)
            found: dict[str, list[int]] = {one.id: [] for one in games}
            for id, action in session.execute(actions):
                if id in found:
                    found[id].append(action)
            session.expunge_all()
            return [StoredOpening(one, tuple(found[one.id])) for one in games]

    def record(self, id: str) -> GameRecord:
        """Return a game as a record, finished or not; raise NotFound or Damaged."""
        game, plies = self.game(id)
        return as_record(game, plies)


def _open(file: Path, *, alone: bool) -> Engine:
    what = "the database of games"
    try:
        return open_database(file, StoredBase, what=what, steps=STEPS, alone=alone)
    except ForeignDatabase:
        words = f"{file} is no database of games of Meeple: choose another folder"
        raise MeepleError(words) from None


@contextlib.contextmanager
def readable(id: str) -> Iterator[None]:
    """Raise Damaged, and log the reason, if the row of a game cannot be read."""
    try:
        yield
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        LOG.error("game %s is damaged", id, exc_info=error)
        raise refusal(Damaged, "game_damaged", id=id) from None


def _undamaged(session: Session, query: Select[StoredGame]) -> list[StoredGame]:
    """Return the undamaged rows of a query, read one by one; log the damaged ones."""
    found = []
    for id in session.scalars(query.with_only_columns(StoredGame.id)):
        try:
            game = session.get(StoredGame, id)
        except (ValueError, TypeError) as error:
            LOG.error("game %s is damaged, and left out of lists", id, exc_info=error)
            continue
        if game is not None:
            found.append(game)
    return found


def as_record(game: StoredGame, plies: Iterable[Ply]) -> GameRecord:
    """Return a stored game as a record; raise Damaged."""
    with readable(game.id):
        position = make_from(game.game, game.options).start(game.seed)
        for ply in plies:
            position.play(ply.action)
        notes = dict(game.notes)
        result = game.result or {"how": "rules"}
        if result["how"] == AGREED:
            notes |= {DECLARED: result["payoffs"]}
        elif result["how"] not in ("rules", DECLARED, LEFT):
            notes |= {result["how"]: result.get("seat")}
        seats = [_record_words(seat) for seat in game.seats]
        return record_of(position, seats, game.opening, notes)


def seat_words(seat: dict[str, Any]) -> str:
    """Return the name of a seat's player, for lists."""
    nobody = "an empty seat" if seat.get("kind") == "open" else "guest"
    return str(seat.get("name") or seat.get("spec") or nobody)


def seats_words(seats: Iterable[dict[str, Any]]) -> list[str]:
    """Return the names of all players; one that is a seat's number is no name, but its sentence."""
    people = [seat for seat in seats if seat.get("kind") != PAR]
    names = [(seat_words(seat), say("game.player", n=n)) for n, seat in enumerate(people, start=1)]
    return [number if name == number else name for name, number in names]


def _record_words(seat: dict[str, Any]) -> str:
    """Return who played a seat, for a record: an agent by its spec, not by its level."""
    by_agent = seat.get("kind") == "agent" and not seat.get("gone")
    return str((by_agent and seat.get("spec")) or seat_words(seat))


def new_id() -> str:
    """Return a random id of a game."""
    return secrets.token_urlsafe(ID_BYTES)


def _rows(game: str, first: int, plies: Sequence[Ply]) -> dict[str, Any]:
    """Return plies as parameters of `_ADD_PLIES`."""
    rows = [[ply.action, _list(ply.value), _list(ply.times)] for ply in plies]
    return {"game": game, "first": first, "rows": json.dumps(rows)}


def _list(numbers: tuple[float, ...] | None) -> str | None:
    return None if numbers is None else json.dumps([round(x, 4) for x in numbers])


def _numbers(text: str | None) -> tuple[float, ...] | None:
    return None if text is None else tuple(json.loads(text))


def _has_result(result: str) -> ColumnElement[bool]:
    """Return the SQL condition of a kind of result."""
    payoffs = func.json_each(StoredGame.result, "$.payoffs").table_valued("value").c.value
    first = func.json_extract(StoredGame.result, "$.payoffs[0]")
    most, least = (
        select(bound(payoffs)).correlate(StoredGame).scalar_subquery()
        for bound in (func.max, func.min)
    )
    return {
        "first": and_(first == most, most > least),
        "other": first < most,
        "draw": most == least,
        "none": first.is_(None),
    }[result]


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
