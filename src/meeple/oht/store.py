"""A tournament in a SQLite file: every move and result is there before anybody is told of it.

All calls block; the host makes them in one thread of its own, in order.
"""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Engine,
    ForeignKey,
    String,
    create_engine,
    event,
    func,
    insert,
    inspect,
    or_,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make_from
from meeple.oht.players import Player
from meeple.oht.rules import Rules

REGISTRATION, LEAGUE, OVER = "registration", "league", "over"  # phases of a tournament
NEW, READY, FAILED = "new", "ready", "failed"  # a player before, with and without qualification
WAITING, PLAYING, DONE = "waiting", "playing", "done"  # of series and games
QUALIFIER = "qualifier"  # the other kind of series is LEAGUE
BY_RULES = "rules"  # how a game ended, or the fault that ended it
MOST_WORDS = 300  # of a fault


class Base(DeclarativeBase):
    """The tables of the file."""


class StoredTournament(Base):
    """The one row of what holds for all of it."""

    __tablename__ = "tournament"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(64))
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    seed: Mapped[int]
    phase: Mapped[str] = mapped_column(String(16))
    created: Mapped[float]


class StoredPlayer(Base):
    """One who takes part, or an agent that qualifiers are played against."""

    __tablename__ = "players"

    uid: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    spec: Mapped[str] = mapped_column(default="")
    competes: Mapped[bool] = mapped_column(default=True)  # False: an agent of the qualifiers alone
    state: Mapped[str] = mapped_column(String(8), default=NEW)
    attempts: Mapped[int] = mapped_column(default=0)  # at the qualifiers, begun
    connected: Mapped[bool] = mapped_column(default=False)


class StoredSeries(Base):
    """Games between two players, of whom the first is player 1."""

    __tablename__ = "series"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(12), index=True)
    attempt: Mapped[int] = mapped_column(default=0)  # of a qualifier
    first: Mapped[int] = mapped_column(ForeignKey("players.uid"))
    second: Mapped[int] = mapped_column(ForeignKey("players.uid"))
    games: Mapped[int]
    state: Mapped[str] = mapped_column(String(8), default=WAITING)

    @property
    def uids(self) -> tuple[int, int]:
        """Player 1 and player 2."""
        return self.first, self.second


class StoredGame(Base):
    """A game of a series, without its moves."""

    __tablename__ = "games"

    id: Mapped[int] = mapped_column(primary_key=True)
    series: Mapped[int] = mapped_column(ForeignKey("series.id"), index=True)
    number: Mapped[int]  # within the series, from 0
    starter: Mapped[int]  # 1 or 2
    seed: Mapped[int]
    state: Mapped[str] = mapped_column(String(8), default=PLAYING, index=True)
    winner: Mapped[int | None]  # 1 or 2, 0 for a draw
    how: Mapped[str] = mapped_column(String(12), default="")
    plies: Mapped[int] = mapped_column(default=0)
    began: Mapped[float]
    ended: Mapped[float | None]


class StoredMove(Base):
    """An action, or an outcome of chance."""

    __tablename__ = "moves"

    game: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    action: Mapped[int]
    seconds: Mapped[float]  # from the request to the answer; 0 where nobody was asked


class StoredFault(Base):
    """What somebody did wrong, whether it cost a game or not."""

    __tablename__ = "faults"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[float]
    uid: Mapped[int] = mapped_column(index=True)
    game: Mapped[int | None]
    kind: Mapped[str] = mapped_column(String(12))
    words: Mapped[str]


# The one thing that is written all the time: as plain SQL it takes a third of the time.
_ADD_MOVE = "INSERT INTO moves (game, ply, action, seconds) VALUES (?, ?, ?, ?)"
_COUNT_PLIES = "UPDATE games SET plies = ? WHERE id = ?"


class Store:
    """The file of one tournament."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    # ------------------------------------------------------------ opening

    @classmethod
    def begin(
        cls, file: Path, game: Game, rules: Rules, players: Sequence[Player], seed: int
    ) -> "Store":
        """A new tournament, or the one that the file holds, if it is the same.

        Players that are new in the list are added as long as registration lasts. Raises MeepleError
        where the file cannot hold it, and UsageError where it holds another one.
        """
        store = cls(_engine(file, must_exist=False))
        options = dict(game.options)
        with Session(store.engine) as session, session.begin():
            known = session.get(StoredTournament, 1)
            if known is None:
                known = StoredTournament(
                    id=1, game=game.name, options=options, rules=rules.to_json(), seed=seed,
                    phase=REGISTRATION, created=time.time(),
                )  # fmt: skip
                session.add(known)
            elif (known.game, known.options) != (game.name, options):
                raise UsageError(f"{file} holds a tournament of {known.game} {known.options}")
            elif different := Rules.from_json(known.rules).difference(rules):
                raise UsageError(f"the tournament in {file} has other rules: {different}")
            session.execute(update(StoredPlayer).values(connected=False))
            _add_players(session, players, rules, known.phase)
        return store

    @classmethod
    def open(cls, file: Path) -> "Store":
        """The tournament of a file that exists. Raises MeepleError."""
        store = cls(_engine(file, must_exist=True))
        with Session(store.engine) as session:
            if session.get(StoredTournament, 1) is None:
                raise MeepleError(f"{file} holds no tournament")
        return store

    def close(self) -> None:
        """Let the file go."""
        self.engine.dispose()

    # ------------------------------------------------------------ reading

    def tournament(self) -> StoredTournament:
        """What holds for all of it."""
        with Session(self.engine, expire_on_commit=False) as session:
            return session.get_one(StoredTournament, 1)

    def game(self) -> Game:
        """The game that is played. Raises OptionError where it is not known here."""
        known = self.tournament()
        return make_from(known.game, known.options)

    def players(self) -> list[StoredPlayer]:
        """All of them, by their unique ids."""
        return self._all(select(StoredPlayer).order_by(StoredPlayer.uid))

    def series(self, **columns: Any) -> list[StoredSeries]:
        """Those with these values, in the order they were made."""
        return self._all(select(StoredSeries).filter_by(**columns).order_by(StoredSeries.id))

    def games(self, **columns: Any) -> list[StoredGame]:
        """Those with these values, in the order they began."""
        return self._all(select(StoredGame).filter_by(**columns).order_by(StoredGame.id))

    def games_of_kind(self, kind: str) -> list[tuple[StoredGame, StoredSeries]]:
        """All games of qualifiers or the league, each with its series."""
        return self._with_series(StoredSeries.kind == kind)

    def newest(
        self, most: int, player: int | None = None, before: int | None = None
    ) -> list[tuple[StoredGame, StoredSeries]]:
        """The newest games, of one player or of all, before the game of that id."""
        where: list[Any] = []
        if player is not None:
            where.append(or_(StoredSeries.first == player, StoredSeries.second == player))
        if before is not None:
            where.append(StoredGame.id < before)
        return self._with_series(*where, newest=most)

    def _with_series(
        self, *where: Any, newest: int | None = None
    ) -> list[tuple[StoredGame, StoredSeries]]:
        order = StoredGame.id.asc() if newest is None else StoredGame.id.desc()
        query = (
            select(StoredGame, StoredSeries)
            .join(StoredSeries, StoredGame.series == StoredSeries.id)
            .where(*where)
            .order_by(order)
            .limit(newest)
        )
        with Session(self.engine, expire_on_commit=False) as session:
            return [(game, series) for game, series in session.execute(query)]

    def results(self, kind: str) -> list[tuple[int, int, int, int]]:
        """How games that are over ended: (first, second, winner, how many), by series' players."""
        query = (
            select(StoredSeries.first, StoredSeries.second, StoredGame.winner, func.count())
            .join(StoredGame, StoredGame.series == StoredSeries.id)
            .where(StoredSeries.kind == kind, StoredGame.state == DONE)
            .group_by(StoredSeries.first, StoredSeries.second, StoredGame.winner)
        )
        with Session(self.engine) as session:
            rows = session.execute(query)
            return [(first, second, winner or 0, count) for first, second, winner, count in rows]

    def series_counts(self, kind: str) -> dict[str, tuple[int, int]]:
        """By state: how many series there are, and games in them altogether."""
        query = (
            select(StoredSeries.state, func.count(), func.sum(StoredSeries.games))
            .where(StoredSeries.kind == kind)
            .group_by(StoredSeries.state)
        )
        with Session(self.engine) as session:
            return {state: (count, games) for state, count, games in session.execute(query)}

    def fault_counts(self) -> dict[int, int]:
        """How many faults each player has committed."""
        query = select(StoredFault.uid, func.count()).group_by(StoredFault.uid)
        with Session(self.engine) as session:
            return {row[0]: row[1] for row in session.execute(query)}

    def playing(self) -> list[tuple[StoredGame, StoredSeries]]:
        """The games in progress, each with its series."""
        return self._with_series(StoredGame.state == PLAYING)

    def moves(self, game: int) -> list[int]:
        """The actions of a game, in order."""
        query = select(StoredMove.action).where(StoredMove.game == game).order_by(StoredMove.ply)
        with Session(self.engine) as session:
            return list(session.scalars(query))

    def faults(self) -> list[StoredFault]:
        """All that went wrong, in order."""
        return self._all(select(StoredFault).order_by(StoredFault.id))

    def _all(self, query: Any) -> list[Any]:
        with Session(self.engine, expire_on_commit=False) as session:
            return list(session.scalars(query))

    # ------------------------------------------------------------ writing

    def set_phase(self, phase: str) -> None:
        """The tournament is in another phase."""
        self._write(update(StoredTournament).values(phase=phase))

    def set_player(self, uid: int, **columns: Any) -> None:
        """Something of a player has changed."""
        self._write(update(StoredPlayer).where(StoredPlayer.uid == uid).values(**columns))

    def set_series(self, id: int, state: str) -> None:
        """A series begins or is done."""
        self._write(update(StoredSeries).where(StoredSeries.id == id).values(state=state))

    def begin_attempt(self, uid: int, attempt: int, against: Sequence[int], games: int) -> None:
        """A player begins the qualifiers: a series against each of these agents."""
        rows = [
            {"kind": QUALIFIER, "attempt": attempt, "first": uid, "second": other, "games": games}
            for other in against
        ]
        with Session(self.engine) as session, session.begin():
            session.execute(
                update(StoredPlayer).where(StoredPlayer.uid == uid).values(attempts=attempt)
            )
            session.add_all(StoredSeries(**row) for row in rows)

    def begin_league(self, pairs: Sequence[tuple[int, int]], games: int) -> None:
        """The league begins: all its series, and the phase, or nothing."""
        with Session(self.engine) as session, session.begin():
            session.execute(update(StoredTournament).values(phase=LEAGUE))
            for first, second in pairs:
                session.add(StoredSeries(kind=LEAGUE, first=first, second=second, games=games))
                session.flush()  # so that they are numbered in this order

    def add_game(self, series: int, number: int, starter: int, seed: int) -> StoredGame:
        """A game begins."""
        game = StoredGame(
            series=series, number=number, starter=starter, seed=seed, began=time.time()
        )
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            session.add(game)
        return game

    def add_move(self, game: int, ply: int, action: int, seconds: float) -> None:
        """A move was made."""
        with self.engine.begin() as connection:
            connection.exec_driver_sql(_ADD_MOVE, (game, ply, action, round(seconds, 4)))
            connection.exec_driver_sql(_COUNT_PLIES, (ply + 1, game))

    def end_game(self, game: int, winner: int, how: str) -> None:
        """A game is over."""
        changes = {"state": DONE, "winner": winner, "how": how, "ended": time.time()}
        self._write(update(StoredGame).where(StoredGame.id == game).values(**changes))

    def add_fault(self, uid: int, game: int | None, kind: str, words: str) -> None:
        """Somebody did something wrong."""
        row = {"at": time.time(), "uid": uid, "game": game, "kind": kind}
        self._write(insert(StoredFault).values(**row, words=words[:MOST_WORDS]))

    def _write(self, *statements: Any) -> None:
        with self.engine.begin() as connection:
            for statement in statements:
                connection.execute(statement)


def _add_players(session: Session, players: Sequence[Player], rules: Rules, phase: str) -> None:
    """Number those that are not known yet; raises UsageError where one has become another."""
    rows: list[Mapping[str, Any]] = [
        {"name": player.name, "spec": player.spec, "competes": True} for player in players
    ]
    rows += [
        {"name": f"qualifier {number}: {spec}", "spec": spec, "competes": False}
        for number, spec in enumerate(rules.qualifiers, start=1)
    ]
    for row in rows:
        known = session.scalar(select(StoredPlayer).where(StoredPlayer.name == row["name"]))
        if known is None and phase == REGISTRATION:
            session.add(StoredPlayer(**row))
            session.flush()
        elif known is not None and known.spec != row["spec"]:
            raise UsageError(f"the player {known.name} was '{known.spec or 'by a token'}' before")
    if phase == REGISTRATION:  # nobody waits for who is no longer on the list
        gone = StoredPlayer.name.not_in([row["name"] for row in rows])
        session.execute(update(StoredPlayer).where(gone).values(state=FAILED))


def _engine(file: Path, *, must_exist: bool) -> Engine:
    if must_exist and not file.is_file():
        raise MeepleError(f"there is no file {file}")
    engine = create_engine(
        f"sqlite:///{file}", connect_args={"check_same_thread": False}, hide_parameters=True
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _: Any) -> None:
        # A killed process loses nothing that was committed; a power cut the last moments at most.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if not must_exist:
            Base.metadata.create_all(engine)
        found = inspect(engine)
        ours = all(
            found.has_table(name)
            and {column.name for column in table.columns}
            <= {column["name"] for column in found.get_columns(name)}
            for name, table in Base.metadata.tables.items()
        )
    except (SQLAlchemyError, OSError) as error:
        reason = getattr(error, "orig", None) or error
        raise MeepleError(f"{file} cannot be used as the file of a tournament: {reason}") from None
    if not ours:
        raise MeepleError(f"{file} holds no tournament, or one of another version of Meeple")
    return engine
