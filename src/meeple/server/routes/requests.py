"""Helpers of all routes: the services and tokens of a request or a socket."""

from typing import cast

from starlette.requests import HTTPConnection

from meeple.server.services import Services


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the application that received a request or a socket."""
    return cast(Services, connection.app.state.services)


def tokens_of(connection: HTTPConnection) -> tuple[str, ...]:
    """Return the tokens of seats in a request's header."""
    header = connection.headers.get("x-seat-tokens", "")
    return tuple(token for token in header.split(",") if token)[:16]
