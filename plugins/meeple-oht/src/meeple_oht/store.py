"""The SQLite file of a tournament: every move and result is stored before it is announced.

All calls block; the host makes them in order, in one dedicated thread.
"""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Engine, ForeignKey, String, func, insert, or_, select, update
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from meeple.database import ForeignDatabase, open_database
from meeple.errors import MeepleError, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make_from
from meeple_oht.players import RegisteredPlayer
from meeple_oht.rules import TournamentRules

REGISTRATION, LEAGUE, OVER = "registration", "league", "over"  # phases of a tournament
NEW, READY, FAILED = "new", "ready", "failed"  # a player not yet qualified, qualified, disqualified
WAITING, PLAYING, DONE = "waiting", "playing", "done"  # states of series and games
QUALIFIER = "qualifier"  # a kind of series; the other kind is LEAGUE
BY_RULES = "rules"  # how a game ended that no fault ended
MAX_FAULT_CHARS = 300  # of the description of a fault


class TournamentBase(DeclarativeBase):
    """Base class of the tables of the file."""


class StoredTournament(TournamentBase):
    """The game, rules and phase of the tournament: a table of one row."""

    __tablename__ = "tournament"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(64))
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    seed: Mapped[int]
    phase: Mapped[str] = mapped_column(String(16))
    created: Mapped[float]


class StoredPlayer(TournamentBase):
    """A player, or an agent of the qualifiers."""

    __tablename__ = "players"

    uid: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    spec: Mapped[str] = mapped_column(default="")
    competes: Mapped[bool] = mapped_column(default=True)  # False: only an agent of the qualifiers
    state: Mapped[str] = mapped_column(String(8), default=NEW)
    attempts: Mapped[int] = mapped_column(default=0)  # number of attempts at the qualifiers
    connected: Mapped[bool] = mapped_column(default=False)


class StoredSeries(TournamentBase):
    """A series of games between two players; `first` is player 1."""

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
        """The ids of player 1 and player 2."""
        return self.first, self.second


class StoredSeriesGame(TournamentBase):
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


class StoredMove(TournamentBase):
    """An action of a player or a chance outcome."""

    __tablename__ = "moves"

    game: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    action: Mapped[int]
    seconds: Mapped[float]  # from the request to the answer; 0 without a request


class StoredFault(TournamentBase):
    """A fault of a player, whether or not it lost the game."""

    __tablename__ = "faults"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[float]
    uid: Mapped[int] = mapped_column(index=True)
    game: Mapped[int | None]
    kind: Mapped[str] = mapped_column(String(12))
    words: Mapped[str]


# Moves are the most frequent writes; plain SQL takes a third of the ORM's time.
_ADD_MOVE = "INSERT INTO moves (game, ply, action, seconds) VALUES (?, ?, ?, ?)"
_COUNT_PLIES = "UPDATE games SET plies = ? WHERE id = ?"


class TournamentStore:
    """The file of one tournament."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    # ------------------------------------------------------------ opening

    @classmethod
    def begin(
        cls,
        file: Path,
        game: Game,
        rules: TournamentRules,
        players: Sequence[RegisteredPlayer],
        seed: int,
    ) -> "TournamentStore":
        """Create a tournament, or open the one in the file if game and rules are the same.

        During registration, players that the file does not have are added.

        Args:
            file: the SQLite file, created if missing.
            game: the game of the tournament.
            rules: the tournament's rules.
            players: who may take part.
            seed: of a new tournament.

        Raises:
            MeepleError: the file cannot be used.
            UsageError: the file holds a different tournament.
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
            elif different := TournamentRules.from_json(known.rules).difference(rules):
                raise UsageError(f"the tournament in {file} has other rules: {different}")
            session.execute(update(StoredPlayer).values(connected=False))
            _add_players(session, players, rules, known.phase)
        return store

    @classmethod
    def open(cls, file: Path) -> "TournamentStore":
        """Open the tournament of an existing file. Raises MeepleError."""
        store = cls(_engine(file, must_exist=True))
        with Session(store.engine) as session:
            if session.get(StoredTournament, 1) is None:
                raise MeepleError(f"{file} holds no tournament")
        return store

    def close(self) -> None:
        """Close the file."""
        self.engine.dispose()

    # ------------------------------------------------------------ reading

    def tournament(self) -> StoredTournament:
        """Return the tournament's game, rules and phase."""
        with Session(self.engine, expire_on_commit=False) as session:
            return session.get_one(StoredTournament, 1)

    def game(self) -> Game:
        """Return the game. Raises OptionError if it is not installed."""
        known = self.tournament()
        return make_from(known.game, known.options)

    def players(self) -> list[StoredPlayer]:
        """Return all players, in order of their ids."""
        return self._all(select(StoredPlayer).order_by(StoredPlayer.uid))

    def series(self, **columns: Any) -> list[StoredSeries]:
        """Return the series with these column values, in order of creation."""
        return self._all(select(StoredSeries).filter_by(**columns).order_by(StoredSeries.id))

    def games(self, **columns: Any) -> list[StoredSeriesGame]:
        """Return the games with these column values, in the order they began."""
        return self._all(
            select(StoredSeriesGame).filter_by(**columns).order_by(StoredSeriesGame.id)
        )

    def games_of_kind(self, kind: str) -> list[tuple[StoredSeriesGame, StoredSeries]]:
        """Return all games of the qualifiers or the league, each with its series."""
        return self._with_series(StoredSeries.kind == kind)

    def newest(
        self, most: int, player: int | None = None, before: int | None = None
    ) -> list[tuple[StoredSeriesGame, StoredSeries]]:
        """Return the newest games, at most `most`, each with its series.

        Args:
            most: the largest number of games.
            player: the id of a player who played in them; None means all.
            before: the id of the game before which they began; None means no limit.
        """
        where: list[Any] = []
        if player is not None:
            where.append(or_(StoredSeries.first == player, StoredSeries.second == player))
        if before is not None:
            where.append(StoredSeriesGame.id < before)
        return self._with_series(*where, newest=most)

    def _with_series(
        self, *where: Any, newest: int | None = None
    ) -> list[tuple[StoredSeriesGame, StoredSeries]]:
        order = StoredSeriesGame.id.asc() if newest is None else StoredSeriesGame.id.desc()
        query = (
            select(StoredSeriesGame, StoredSeries)
            .join(StoredSeries, StoredSeriesGame.series == StoredSeries.id)
            .where(*where)
            .order_by(order)
            .limit(newest)
        )
        with Session(self.engine, expire_on_commit=False) as session:
            return [(game, series) for game, series in session.execute(query)]

    def results(self, kind: str) -> list[tuple[int, int, int, int]]:
        """Count the finished games: (player 1, player 2, winner, number of games)."""
        query = (
            select(StoredSeries.first, StoredSeries.second, StoredSeriesGame.winner, func.count())
            .join(StoredSeriesGame, StoredSeriesGame.series == StoredSeries.id)
            .where(StoredSeries.kind == kind, StoredSeriesGame.state == DONE)
            .group_by(StoredSeries.first, StoredSeries.second, StoredSeriesGame.winner)
        )
        with Session(self.engine) as session:
            rows = session.execute(query)
            return [(first, second, winner or 0, count) for first, second, winner, count in rows]

    def series_counts(self, kind: str) -> dict[str, tuple[int, int]]:
        """Return the number of series and of their games, by the state of the series."""
        query = (
            select(StoredSeries.state, func.count(), func.sum(StoredSeries.games))
            .where(StoredSeries.kind == kind)
            .group_by(StoredSeries.state)
        )
        with Session(self.engine) as session:
            return {state: (count, games) for state, count, games in session.execute(query)}

    def fault_counts(self) -> dict[int, int]:
        """Return the number of faults by player id."""
        query = select(StoredFault.uid, func.count()).group_by(StoredFault.uid)
        with Session(self.engine) as session:
            return {row[0]: row[1] for row in session.execute(query)}

    def playing(self) -> list[tuple[StoredSeriesGame, StoredSeries]]:
        """Return the games in progress, each with its series."""
        return self._with_series(StoredSeriesGame.state == PLAYING)

    def moves(self, game: int) -> list[int]:
        """Return the actions of a game, in order."""
        query = select(StoredMove.action).where(StoredMove.game == game).order_by(StoredMove.ply)
        with Session(self.engine) as session:
            return list(session.scalars(query))

    def faults(self) -> list[StoredFault]:
        """Return all faults, in order."""
        return self._all(select(StoredFault).order_by(StoredFault.id))

    def _all(self, query: Any) -> list[Any]:
        with Session(self.engine, expire_on_commit=False) as session:
            return list(session.scalars(query))

    # ------------------------------------------------------------ writing

    def set_phase(self, phase: str) -> None:
        """Set the phase of the tournament."""
        self._write(update(StoredTournament).values(phase=phase))

    def set_player(self, uid: int, **columns: Any) -> None:
        """Set columns of a player."""
        self._write(update(StoredPlayer).where(StoredPlayer.uid == uid).values(**columns))

    def set_series(self, id: int, state: str) -> None:
        """Set the state of a series."""
        self._write(update(StoredSeries).where(StoredSeries.id == id).values(state=state))

    def begin_attempt(self, uid: int, attempt: int, against: Sequence[int], games: int) -> None:
        """Add an attempt at the qualifiers: a series against each of these agents."""
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
        """Add all series of the league and set the phase, in one transaction."""
        with Session(self.engine) as session, session.begin():
            session.execute(update(StoredTournament).values(phase=LEAGUE))
            for first, second in pairs:
                session.add(StoredSeries(kind=LEAGUE, first=first, second=second, games=games))
                session.flush()  # assigns ids in this order

    def add_game(self, series: int, number: int, starter: int, seed: int) -> StoredSeriesGame:
        """Add a game that begins."""
        game = StoredSeriesGame(
            series=series, number=number, starter=starter, seed=seed, began=time.time()
        )
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            session.add(game)
        return game

    def add_move(self, game: int, ply: int, action: int, seconds: float) -> None:
        """Add a move."""
        with self.engine.begin() as connection:
            connection.exec_driver_sql(_ADD_MOVE, (game, ply, action, round(seconds, 4)))
            connection.exec_driver_sql(_COUNT_PLIES, (ply + 1, game))

    def end_game(self, game: int, winner: int, how: str) -> None:
        """Store the result of a game."""
        changes = {"state": DONE, "winner": winner, "how": how, "ended": time.time()}
        self._write(update(StoredSeriesGame).where(StoredSeriesGame.id == game).values(**changes))

    def add_fault(self, uid: int, game: int | None, kind: str, words: str) -> None:
        """Add a fault of a player."""
        row = {"at": time.time(), "uid": uid, "game": game, "kind": kind}
        self._write(insert(StoredFault).values(**row, words=words[:MAX_FAULT_CHARS]))

    def _write(self, *statements: Any) -> None:
        with self.engine.begin() as connection:
            for statement in statements:
                connection.execute(statement)


def _add_players(
    session: Session, players: Sequence[RegisteredPlayer], rules: TournamentRules, phase: str
) -> None:
    """Add the players that the file lacks. Raises UsageError if a player's spec has changed."""
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
    if phase == REGISTRATION:  # players removed from the list are not waited for
        gone = StoredPlayer.name.not_in([row["name"] for row in rows])
        session.execute(update(StoredPlayer).where(gone).values(state=FAILED))


def _engine(file: Path, *, must_exist: bool) -> Engine:
    what = "the file of a tournament"
    try:
        if not must_exist:
            file.parent.mkdir(parents=True, exist_ok=True)
        new = not must_exist  # a file that must exist may be in use by a host
        return open_database(file, TournamentBase, what=what, create=new, alone=new)
    except OSError as error:
        raise MeepleError(f"{file} cannot be used as {what}: {error}") from None
    except ForeignDatabase:
        raise MeepleError(f"{file} holds no tournament: choose another file") from None
