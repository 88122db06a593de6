"""What routes take from a request or a socket: the part of the server they need, and tokens."""

from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection

MAX_TOKENS = 16  # seats of one table


def part(kind: type[Any]) -> Any:
    """Return a dependency of a route: the part of the running server of this class."""

    async def of_server(connection: HTTPConnection) -> Any:
        return connection.app.state.parts[kind]

    return Depends(of_server)


async def _tokens_of(connection: HTTPConnection) -> tuple[str, ...]:
    header = connection.headers.get("x-seat-tokens", "")
    return tuple(token for token in header.split(",") if token)[:MAX_TOKENS]


SeatTokens = Annotated[tuple[str, ...], Depends(_tokens_of)]
"""The tokens of seats in a request's header."""
