"""Fixtures of the command line's and the server's tests."""

from tests.cli.conftest import command, meeple
from tests.server.conftest import browser, desks

__all__ = ["browser", "command", "desks", "meeple"]
