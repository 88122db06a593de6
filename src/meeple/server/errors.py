"""Errors that the server answers, each with a sentence for the client."""

from meeple.errors import MeepleError


class NotFound(MeepleError):
    """No object has this name."""


class Damaged(NotFound):
    """The database row of a game cannot be read."""


class Forbidden(MeepleError):
    """The client may not do that."""


class Conflict(MeepleError):
    """A change is based on an older version than the stored one."""


class TooMuch(MeepleError):
    """A request is too large; a part of it would be accepted."""


class NoAnalysis(MeepleError):
    """An agent chose a move and reports nothing about it."""


class Busy(MeepleError):
    """All workers are busy and the queue is full: the client may retry later."""


class TooMany(MeepleError):
    """A client exceeds its limit of requests, pages or tries."""
