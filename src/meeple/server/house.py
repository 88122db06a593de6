"""What every route of the application shares."""

import json
from dataclasses import dataclass
from typing import Any, cast

from starlette.requests import HTTPConnection
from starlette.responses import Response

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


def answer_of(data: Any) -> Response:
    """Data that may be long as JSON; what FastAPI does to it takes twenty times as long."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    return Response(text, media_type="application/json")
