"""What the operator of this process allows beyond `spec.check_read`, by what the command line says.

A call in Python counts as the command line.
"""

from collections.abc import Iterable

_words: set[str] = set()
_everything = False


def allow(words: Iterable[str]) -> None:
    """Allow specs, and names of networks, that the operator typed."""
    _words.update(words)


def allow_everything() -> None:
    """Allow all that is read from now on to run programs and to name any file."""
    global _everything
    _everything = True


def is_allowed(word: str) -> bool:
    """Return whether the operator allowed a spec or the name of a network."""
    return _everything or word in _words
