"""SQLite databases, by SQLAlchemy."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, inspect
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase

from meeple.errors import MeepleError


def open_database(
    file: Path, tables: type[DeclarativeBase], *, what: str = "", create: bool = True
) -> Engine:
    """Open a database in a file, which threads of this process may share.

    A killed process loses no commit; a power failure may lose the last ones.

    Args:
        file: the file.
        tables: the base class of the tables.
        what: what the file is, for the error, such as "the database of games".
        create: whether to create missing tables and a missing file.

    Raises:
        MeepleError: The file cannot be used.
        ForeignDatabase: It has other tables or columns.
    """
    engine = create_engine(
        f"sqlite:///{file}",
        connect_args={"check_same_thread": False},
        hide_parameters=True,  # an error's message may reach a log or a page
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _: Any) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")

    try:
        if create:
            tables.metadata.create_all(engine)
        fits = _has_tables(engine, tables)
    except SQLAlchemyError as error:
        engine.dispose()
        words = f"{file} cannot be used as {what}" if what else f"{file} cannot be used"
        raise MeepleError(f"{words}: {reason_of(error)}") from None
    if not fits:
        engine.dispose()
        raise ForeignDatabase(str(file))
    return engine


class ForeignDatabase(MeepleError):
    """A file has other tables or columns, perhaps of another version."""


def _has_tables(engine: Engine, tables: type[DeclarativeBase]) -> bool:
    found = inspect(engine)
    return all(
        found.has_table(name)
        and {column.name for column in table.columns}
        <= {column["name"] for column in found.get_columns(name)}
        for name, table in tables.metadata.tables.items()
    )


def reason_of(error: SQLAlchemyError) -> str:
    """Return SQLite's reason of an error, without the statement."""
    return str(getattr(error, "orig", None) or error)
