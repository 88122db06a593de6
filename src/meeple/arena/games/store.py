"""The finished games of a match, tournament or ladder in a SQLite database, to resume from.

An outcome is committed before it is announced, so a killed process loses no finished game. One
process at a time uses the folder. Only the thread that opened a store uses it.
"""

import json
from pathlib import Path
from typing import Any, Self

from filelock import FileLock, Timeout
from sqlalchemy import JSON, Engine, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from meeple.arena.games.conditions import Terms
from meeple.arena.games.outcome import Outcome
from meeple.arena.games.wire import outcome_of, outcome_to_json
from meeple.database import ForeignDatabase, open_database, reason_of
from meeple.errors import MeepleError, RunError, shown
from meeple.files import lock_holder

FILE, LOCK = "arena.sqlite", "arena.lock"
VERSION = 1  # of the settings; the schema of the tables is numbered by `meeple.database`
PATIENCE = 1.0  # seconds to wait for another process to end


class Base(DeclarativeBase):
    """The tables of the database."""


class StoredTerms(Base):
    """The settings: one row."""

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
    """The games of one run; a context manager."""

    def __init__(self, folder: str | Path, terms: Terms) -> None:
        """Open the folder.

        Raises:
            RunError: The folder cannot be used, another process uses it, or its settings differ.
        """
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(self.folder / LOCK)
            self._lock.acquire(timeout=PATIENCE)
        except Timeout:
            holder = lock_holder(self.folder / LOCK)
            raise RunError(f"{holder} plays the games of {folder}; wait for it") from None
        except OSError as error:
            raise RunError(f"cannot store games in {folder}: {error.strerror or error}") from None
        self._engine: Engine | None = None
        try:
            self._engine = _open(self.folder / FILE)
            self._agree(json.loads(json.dumps(dict(terms))))
        except SQLAlchemyError as error:
            self.close()
            raise RunError(f"{self.folder / FILE} cannot be used: {reason_of(error)}") from None
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database and unlock the folder."""
        if self._engine is not None:
            self._engine.dispose()
        self._lock.release()

    def outcomes(self) -> dict[int, Outcome]:
        """Return the stored games by number; raise RunError if they cannot be read."""
        try:
            with Session(self._engine) as session:
                rows = session.scalars(select(StoredOutcome)).all()
                return {row.number: _outcome(row) for row in rows}
        except (SQLAlchemyError, TypeError, ValueError) as error:
            raise RunError(f"cannot read {self.folder / FILE}: {reason_of(error)}") from None

    def add(self, outcome: Outcome) -> None:
        """Commit a game to disk; raise RunError if that fails."""
        row = StoredOutcome(**outcome_to_json(outcome))
        try:
            with Session(self._engine) as session:
                session.add(row)
                session.commit()
        except SQLAlchemyError as error:
            reason = reason_of(error)
            raise RunError(f"cannot store a game in {self.folder / FILE}: {reason}") from None

    def _agree(self, terms: dict[str, Any]) -> None:
        """Store the settings of a new store; raise RunError if an old one has others."""
        with Session(self._engine) as session:
            row = session.scalar(select(StoredTerms))
            if row is None:
                session.add(StoredTerms(version=VERSION, terms=terms))
                session.commit()
                return
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
    try:
        return open_database(file, Base)
    except ForeignDatabase:
        raise RunError(f"{file} holds no games of the arena: choose another folder") from None
    except MeepleError as error:
        raise RunError(str(error)) from None
