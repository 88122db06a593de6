"""What routes take from a request or a socket: the part of the server they need, and tokens."""

from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection

from meeple.server.errors import TooMany, refusal
from meeple.server.work import caller_now

MAX_TOKENS = 16  # seats of one table


def part(kind: type[Any]) -> Any:
    """Return a dependency of a route: the part of the running server of this class."""

    async def of_server(connection: HTTPConnection) -> Any:
        return connection.app.state.parts[kind]

    return Depends(of_server)


def charged(rate: str) -> Any:
    """Return a dependency of a route that stores something: it charges the caller.

    `rate` is the name of a `Rate` of `ServerLimits`; a long request counts as several.
    """

    async def charge(connection: HTTPConnection) -> None:
        resources = connection.app.state.services.resources
        limits = resources.limits
        length = int(connection.headers.get("content-length", limits.game_json.max_bytes))
        cost = 1 + length // limits.request_bytes
        if not resources.rate(rate).take(caller_now.get(), cost):
            raise refusal(TooMany, "new_too_fast")

    return Depends(charge)


async def _tokens_of(connection: HTTPConnection) -> tuple[str, ...]:
    header = connection.headers.get("x-seat-tokens", "")
    return tuple(token for token in header.split(",") if token)[:MAX_TOKENS]


SeatTokens = Annotated[tuple[str, ...], Depends(_tokens_of)]
"""The tokens of seats in a request's header."""
