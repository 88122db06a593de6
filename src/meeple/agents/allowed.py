"""What the operator of this process allows beyond `spec.check_read`, by what the command line says.

A call in Python counts as the command line.
"""

import contextlib
from collections.abc import Iterable, Iterator

_words: set[str] = set()
_everything = False


def allow(words: Iterable[str]) -> None:
    """Allow specs, and names of networks, that the operator typed."""
    _words.update(words)


def allow_everything() -> None:
    """Allow all that is read from now on to run programs and to name any file."""
    global _everything
    _everything = True


@contextlib.contextmanager
def allowed_within(words: Iterable[str], *, everything: bool) -> Iterator[None]:
    """Allow words, or everything, in the block only."""
    global _everything
    before = set(_words), _everything
    allow(words)
    _everything = _everything or everything
    try:
        yield
    finally:
        _words.clear()
        _words.update(before[0])
        _everything = before[1]


def is_allowed(word: str) -> bool:
    """Return whether the operator allowed a spec or the name of a network."""
    return _everything or word in _words
