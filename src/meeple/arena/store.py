"""The finished games of a match, tournament or ladder in a SQLite database, to go on from.

Each is committed before anybody is told of it, so a killed process loses no finished game. One
process at a time has the folder. Only the thread that opened a store uses it.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout
from sqlalchemy import JSON, Engine, create_engine, event, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from meeple.arena.outcome import Outcome
from meeple.arena.wire import outcome_of, outcome_to_json
from meeple.errors import RunError, shown

FILE, LOCK = "arena.sqlite", "arena.lock"
VERSION = 1  # of the tables
PATIENCE = 1.0  # seconds to wait for another process that is about to end

Terms = Mapping[str, Any]
"""What was asked for, as JSON: by name, all that games depend on."""


class Base(DeclarativeBase):
    """The tables of the database."""


class StoredTerms(Base):
    """What was asked for: one row."""

    __tablename__ = "terms"

    version: Mapped[int] = mapped_column(primary_key=True)
    terms: Mapped[dict[str, Any]] = mapped_column(JSON)


class StoredOutcome(Base):
    """A finished game."""

    __tablename__ = "outcomes"

    number: Mapped[int] = mapped_column(primary_key=True)
    lineup: Mapped[list[int]] = mapped_column(JSON)
    record: Mapped[str]  # a line of JSON
    choices: Mapped[list[int]] = mapped_column(JSON)
    seconds: Mapped[list[float]] = mapped_column(JSON)
    simulations: Mapped[list[int]] = mapped_column(JSON)
    habits: Mapped[dict[str, list[float]]] = mapped_column(JSON)
    fault: Mapped[list[Any] | None] = mapped_column(JSON)
    warm: Mapped[bool]


class Store:
    """The games of one run. Use it as a context."""

    def __init__(self, folder: str | Path, terms: Terms) -> None:
        """Raises RunError where the folder cannot be used, is used by another process, or holds
        what was asked for in other terms.
        """
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(self.folder / LOCK)
            self._lock.acquire(timeout=PATIENCE)
        except Timeout:
            raise RunError(f"another process plays the games of {folder}; wait for it") from None
        except OSError as error:
            raise RunError(f"cannot keep games in {folder}: {error.strerror or error}") from None
        self._engine: Engine | None = None
        try:
            self._engine = _open(self.folder / FILE)
            self._agree(json.loads(json.dumps(dict(terms))))
        except SQLAlchemyError as error:
            self.close()
            reason = getattr(error, "orig", None) or error
            raise RunError(f"{self.folder / FILE} cannot be used: {reason}") from None
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the folder go."""
        if self._engine is not None:
            self._engine.dispose()
        self._lock.release()

    def outcomes(self) -> dict[int, Outcome]:
        """All games so far, by number. Raises RunError where they cannot be read."""
        try:
            with Session(self._engine) as session:
                rows = session.scalars(select(StoredOutcome)).all()
                return {row.number: _outcome(row) for row in rows}
        except (SQLAlchemyError, TypeError, ValueError) as error:
            reason = getattr(error, "orig", None) or error
            raise RunError(f"cannot read {self.folder / FILE}: {reason}") from None

    def add(self, outcome: Outcome) -> None:
        """Keep a game: when this returns, it is on disk. Raises RunError."""
        row = StoredOutcome(**outcome_to_json(outcome))
        try:
            with Session(self._engine) as session:
                session.add(row)
                session.commit()
        except SQLAlchemyError as error:
            reason = getattr(error, "orig", None) or error
            raise RunError(f"cannot keep a game in {self.folder / FILE}: {reason}") from None

    def _agree(self, terms: dict[str, Any]) -> None:
        """Keep the terms of a new store; raise RunError unless they are those of an old one."""
        with Session(self._engine) as session:
            row = session.scalar(select(StoredTerms))
            if row is None:
                session.add(StoredTerms(version=VERSION, terms=terms))
                session.commit()
                return
            if row.version != VERSION:
                raise RunError(
                    f"{self.folder} is of another version of Meeple: choose another folder"
                )
            for name in [*row.terms, *terms]:
                there, here = row.terms.get(name), terms.get(name)
                if there != here:
                    raise RunError(
                        f"{self.folder} holds the games of another command, with {name} "
                        f"{shown(there)} and not {shown(here)}: choose another folder"
                    )


def _outcome(row: StoredOutcome) -> Outcome:
    return outcome_of({column.key: getattr(row, column.key) for column in row.__table__.columns})


def _open(file: Path) -> Engine:
    engine = create_engine(f"sqlite:///{file}", hide_parameters=True)

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _: Any) -> None:
        # A killed process loses nothing that was committed; a power cut the last moments at most.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")

    Base.metadata.create_all(engine)
    return engine
