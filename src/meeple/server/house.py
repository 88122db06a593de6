"""What every route of the application shares."""

from dataclasses import dataclass
from typing import cast

from starlette.requests import HTTPConnection

from meeple.server.play.tables import Tables
from meeple.server.settings import Settings
from meeple.server.store import Store
from meeple.server.thinking.pool import Pool


@dataclass(frozen=True)
class House:
    """The parts of a running server."""

    settings: Settings
    store: Store
    pool: Pool
    tables: Tables


def house_of(connection: HTTPConnection) -> House:
    """The house that a request or a socket came to."""
    return cast(House, connection.app.state.house)


def tokens_of(connection: HTTPConnection) -> tuple[str, ...]:
    """The seats' tokens that a request was sent with."""
    header = connection.headers.get("x-seat-tokens", "")
    return tuple(token for token in header.split(",") if token)[:16]
