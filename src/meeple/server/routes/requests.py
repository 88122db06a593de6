"""What every route asks of a request or a socket."""

from typing import cast

from starlette.requests import HTTPConnection

from meeple.server.services import Services


def services_of(connection: HTTPConnection) -> Services:
    """The services of the application that a request or a socket came to."""
    return cast(Services, connection.app.state.services)


def tokens_of(connection: HTTPConnection) -> tuple[str, ...]:
    """The seats' tokens that a request was sent with."""
    header = connection.headers.get("x-seat-tokens", "")
    return tuple(token for token in header.split(",") if token)[:16]
