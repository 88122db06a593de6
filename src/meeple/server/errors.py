"""What a server may have to refuse; each with a sentence for whoever asked."""

from meeple.errors import MeepleError


class NotFound(MeepleError):
    """There is nothing of that name here."""


class Damaged(NotFound):
    """What the database holds of a game cannot be read."""


class Forbidden(MeepleError):
    """Whoever asks may not do that."""


class TooMuch(MeepleError):
    """More was sent than is taken at once; a part of it would be."""


class Busy(MeepleError):
    """All workers think, and enough others wait: to be asked again later."""


class TooMany(MeepleError):
    """More requests, pages or tries than one may make."""
