"""Fixtures of the command line's and the server's tests."""

from tests.cli.conftest import command, meeple
from tests.server.conftest import anyio_backend, browser, desks

__all__ = ["anyio_backend", "browser", "command", "desks", "meeple"]
