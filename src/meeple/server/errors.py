"""Errors that the server answers, each with a sentence and most with a code for the client."""

from typing import Any, TypeVar

from meeple.errors import MeepleError
from meeple.sentences import Sentence, english

_Error = TypeVar("_Error", bound=MeepleError)
MAX_FIELD_CHARACTERS = 1000


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


def refusal(kind: type[_Error], code: str, **fields: Any) -> _Error:
    """Return an error of a kind with the sentence of a code.

    The code is stable. Its answer has the code and the fields beside the English sentence, so that
    a client can write the sentence in another language.
    """
    error = kind(english("errors")[code].format(**fields))
    error.code, error.fields = code, fields
    return error


def error_json(error: MeepleError) -> dict[str, Any]:
    """Return the answer to a request that failed."""
    return {"error": str(error), **_coded(error)}


def error_message(error: MeepleError) -> dict[str, Any]:
    """Return the message of a socket about a failure."""
    return {"type": "error", "text": str(error), **_coded(error)}


def _coded(error: MeepleError) -> dict[str, Any]:
    if not error.code:
        return {}
    fields = {
        name: value
        if isinstance(value, int | float | Sentence)
        else str(value)[:MAX_FIELD_CHARACTERS]
        for name, value in error.fields.items()
    }
    return {"code": error.code, "fields": fields}
