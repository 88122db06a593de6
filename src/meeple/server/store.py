"""Games in a SQLite database: each is written before anybody is told of it, so none is lost.

All calls block; the server makes them in one thread of their own, in order.
"""

import contextlib
import json
import logging
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
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
    create_engine,
    delete,
    event,
    func,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from meeple.errors import MeepleError
from meeple.games.contract.records import GameRecord, record_of
from meeple.games.contract.registry import make_from
from meeple.server.errors import Damaged, NotFound

LOG = logging.getLogger(__name__)
FILE = "games.sqlite"
ID_BYTES = 9  # twelve letters
PLAYING, OVER = "playing", "over"
PLAYED, UPLOADED = "played", "uploaded"
RESULTS = ("first", "other", "draw", "none")  # seat 0 won, another did, nobody, no result (yet)
MAX_LISTED = 100  # and one more, which tells that there are more


class Base(DeclarativeBase):
    """The tables of the database."""


class StoredGame(Base):
    """A game as it was agreed on and as it stands, without its actions."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    created: Mapped[float]
    updated: Mapped[float] = mapped_column(index=True)
    game: Mapped[str] = mapped_column(String(64), index=True)
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    seed: Mapped[int]
    seats: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    people: Mapped[str]  # the names at the board, lower case, to be searched
    status: Mapped[str] = mapped_column(String(8), index=True)
    origin: Mapped[str] = mapped_column(String(8))
    plies: Mapped[int] = mapped_column(default=0)
    opening: Mapped[int] = mapped_column(default=0)  # actions that were there before the game
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    terms: Mapped[dict[str, Any]] = mapped_column(JSON)  # clock, pace, help
    notes: Mapped[dict[str, Any]] = mapped_column(JSON)  # whatever else goes into the record


class StoredPly(Base):
    """An action, or an outcome of chance."""

    __tablename__ = "plies"

    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)  # from 0
    action: Mapped[int]
    value: Mapped[str | None]  # what the agent that chose it expected for every player, as JSON


# All rows in one step: between two steps of SQLite a thread that computes may take 5 ms each time.
_ADD_PLIES = text(
    "INSERT INTO plies (game, ply, action, value) SELECT :game, :first + key, "
    "json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:rows)"
)
_PLIES = text(
    "SELECT json_group_array(json_array(ply, action, value)) FROM plies WHERE game = :game"
)


class Ply(NamedTuple):
    """An action of a stored game, and its agent's estimate of all players' shares."""

    action: int
    value: tuple[float, ...] | None = None


class Played(NamedTuple):
    """A stored game, and the first of its actions."""

    game: StoredGame
    actions: tuple[int, ...]


@dataclass(frozen=True)
class Filter:
    """Which games of a list are wanted; empty words want all."""

    game: str = ""
    status: str = ""
    player: str = ""
    text: str = ""
    result: str = ""  # one of RESULTS
    ids: tuple[str, ...] = ()
    limit: int = 30
    before: float | None = None  # updated before that time


class Store:
    """The database of one server."""

    def __init__(self, folder: str | Path) -> None:
        """Raises MeepleError where the folder cannot hold a database."""
        place = Path(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise MeepleError(f"cannot keep games in {place}: {error.strerror}") from None
        self.engine = _open(place / FILE)

    def close(self) -> None:
        """Let the file go."""
        self.engine.dispose()

    # ------------------------------------------------------------ writing

    def add(self, game: StoredGame, plies: Sequence[Ply] = ()) -> None:
        """A new game, with what was played already."""
        self.add_all([(game, plies)])

    def add_all(self, games: Iterable[tuple[StoredGame, Sequence[Ply]]]) -> None:
        """Several, all of them or none."""
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
        """Add plies from number `first` on; those from `keep` on are gone first.

        `changes` are columns of the game.
        """
        columns = {"plies": first + len(plies), "updated": time.time(), **changes}
        with self.engine.begin() as connection:
            if keep is not None:
                gone = StoredPly.game == id, StoredPly.ply >= keep
                connection.execute(delete(StoredPly).where(*gone))
            if plies:
                connection.execute(_ADD_PLIES, _rows(id, first, plies))
            connection.execute(update(StoredGame).where(StoredGame.id == id).values(columns))

    # ------------------------------------------------------------ reading

    def game(self, id: str) -> tuple[StoredGame, list[Ply]]:
        """A game and its plies. Raises NotFound, and Damaged."""
        with readable(id), Session(self.engine, expire_on_commit=False) as session:
            game = session.get(StoredGame, id)
            if game is None:
                raise NotFound(f"there is no game {id[:16]!r} here")
            rows = json.loads(session.execute(_PLIES, {"game": id}).scalar_one())
            session.expunge(game)
            return game, [Ply(action, _value(value)) for _, action, value in sorted(rows)]

    def count_plies(self, ids: Sequence[str]) -> int:
        """How many plies those games have together, as far as there are such."""
        counted = select(func.sum(StoredGame.plies)).where(StoredGame.id.in_(ids))
        with self.engine.connect() as connection:
            return int(connection.execute(counted).scalar_one() or 0)

    def list(self, wanted: Filter) -> list[StoredGame]:
        """Games, the last played first."""
        words = (wanted.game, wanted.status, wanted.player, wanted.text)
        if any("\0" in word for word in words):  # where a pattern of SQLite ends
            return []
        query = select(StoredGame).order_by(StoredGame.updated.desc())
        if wanted.game:
            query = query.where(StoredGame.game == wanted.game)
        if wanted.status:
            query = query.where(StoredGame.status == wanted.status)
        if wanted.result:
            query = query.where(_ended(wanted.result))
        if wanted.ids:
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
                found = _whole(session, query)
            session.expunge_all()
            return found

    def played(self, game: str, most: int, plies: int) -> Sequence[Played]:
        """The newest games of that name which are over, at most so many, each with the first of its
        actions. Rows that are damaged are left out.
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
                games = _whole(session, query)
            found: dict[str, list[int]] = {one.id: [] for one in games}
            for id, action in session.execute(actions):
                if id in found:
                    found[id].append(action)
            session.expunge_all()
            return [Played(one, tuple(found[one.id])) for one in games]

    def record(self, id: str) -> GameRecord:
        """A game as a record, as far as it was played. Raises NotFound, and Damaged."""
        game, plies = self.game(id)
        return as_record(game, plies)


@contextlib.contextmanager
def readable(id: str) -> Iterator[None]:
    """Raise Damaged in a sentence, and log why, where the row of a game cannot be read."""
    try:
        yield
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        LOG.error("game %s is damaged", id, exc_info=error)
        raise Damaged(f"game {id} is damaged in the database, and cannot be shown") from None


def _whole(session: Session, query: Select[StoredGame]) -> list[StoredGame]:
    """The rows of a query one by one; those that are damaged are left out, and named in the log."""
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
    """A stored game as a record. Raises Damaged."""
    with readable(game.id):
        position = make_from(game.game, game.options).start(game.seed)
        for ply in plies:
            position.play(ply.action)
        notes = dict(game.notes)
        if game.result and game.result["how"] != "rules":
            notes |= {game.result["how"]: game.result.get("seat")}
        return record_of(position, [seat_words(seat) for seat in game.seats], game.opening, notes)


def seat_words(seat: dict[str, Any]) -> str:
    """Who sits there, for records and lists."""
    return str(seat.get("name") or seat.get("spec") or "guest")


def new_id() -> str:
    """A name for a game that nobody guesses."""
    return secrets.token_urlsafe(ID_BYTES)


def _rows(game: str, first: int, plies: Sequence[Ply]) -> dict[str, Any]:
    """Plies as `_ADD_PLIES` takes them."""
    rows = [
        [ply.action, None if ply.value is None else json.dumps([round(x, 4) for x in ply.value])]
        for ply in plies
    ]
    return {"game": game, "first": first, "rows": json.dumps(rows)}


def _value(text: str | None) -> tuple[float, ...] | None:
    return None if text is None else tuple(json.loads(text))


def _ended(result: str) -> ColumnElement[bool]:
    """Whether a game's payoffs are of that kind."""
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


def _open(file: Path) -> Engine:
    engine = create_engine(
        f"sqlite:///{file}",
        connect_args={"check_same_thread": False},
        hide_parameters=True,  # an error's words may reach a log, or a page
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _: Any) -> None:
        # A killed process loses nothing that was committed; a power cut the last moments at most.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")

    try:
        Base.metadata.create_all(engine)
        found = inspect(engine)
        ours = all(
            {column.name for column in table.columns}
            <= {column["name"] for column in found.get_columns(name)}
            for name, table in Base.metadata.tables.items()
        )
    except SQLAlchemyError as error:
        reason = getattr(error, "orig", None) or error
        raise MeepleError(f"{file} cannot be used as the database of games: {reason}") from None
    if not ours:
        raise MeepleError(f"{file} is of another version of Meeple: choose another folder")
    return engine
