"""Fixtures of the server's tests that the tests of the page use."""

from tests.server.conftest import pool

__all__ = ["pool"]
