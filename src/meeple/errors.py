"""The errors that a user can cause; each has a sentence as its message."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any


class MeepleError(Exception):
    """Base of all errors that a user can correct: printed as one sentence, exit code 1.

    Attributes:
        code: a stable name of the sentence for programs; "" if it has none.
        fields: what the sentence names, by the names of its places.
    """

    code: str = ""
    fields: Mapping[str, Any] = {}


class UsageError(MeepleError, ValueError):
    """A wrong argument of a call or command: an unknown name, a value out of range. Exit code 2."""


class OptionError(UsageError):
    """An unknown game or option, or an option's value out of range."""


class SpecError(UsageError):
    """An agent spec with an unknown agent or key, or a value out of range."""


class NotAllowed(SpecError):
    """A spec that was read names a program, or a file outside the folders of networks.

    `named` is what it names.
    """

    def __init__(self, named: str, what: str):
        super().__init__(
            f"{shown(named)} {what}; if you trust its author, add --allow-engines, or "
            "allow_engines=True in Python"
        )
        self.named = named


class ConfigError(UsageError):
    """A training configuration with an unknown key or a value out of range."""


class IllegalAction(MeepleError, ValueError):
    """An action that is illegal in the position; the message names it and the legal ones."""


class KernelError(MeepleError):
    """A kernel that does not compile, or writes what no game may have.

    The reason is `sentence`, the place `file` and `line`.
    """

    def __init__(self, sentence: str, file: str, line: int, where: str = ""):
        """Create the error; `where` is in its message only: the position it was met in."""
        super().__init__(f"{file}:{line}: {sentence}{where}")
        self.sentence, self.file, self.line = sentence, file, line


class CheckpointError(MeepleError):
    """A network's or Q-table's file that is corrupt, or of another game, size or version."""


class NetworkError(MeepleError):
    """A network whose output is not finite, so that no move can be chosen."""

    def __init__(self, message: str = "the network's output holds numbers that are not finite"):
        super().__init__(message)


FAULTS = ("start", "crash", "time", "illegal", "rubbish", "resign")
"""The faults of an external program: it does not start, it ends, it exceeds its time, it chooses an
illegal action, its output breaks the protocol, or it resigns."""


class EngineError(MeepleError):
    """An external program failed in a game, which it loses; `fault` is one of `FAULTS`."""

    def __init__(self, message: str, fault: str):
        super().__init__(message)
        self.fault = fault


class CustomAgentError(SpecError):
    """An agent from a user's file failed in a game; `fault` is "crash" or "illegal"."""

    def __init__(self, message: str, fault: str):
        super().__init__(message)
        self.fault = fault


class RunError(MeepleError):
    """A run folder that cannot be read, resumed or written."""


class Stopped(MeepleError):
    """Work was cancelled before its end; the results so far are saved."""

    def __init__(self, message: str = "stopped before the end"):
        super().__init__(message)


class TooLarge(MeepleError):
    """A position too large for the exact solver; the message gives the limits."""


def shown(value: Any, max_characters: int = 80) -> str:
    """Return a value as Python writes it, for a message, cut to `max_characters`."""
    try:
        return f"{value!r:.{max_characters}}"
    except (ValueError, RecursionError):  # too many digits, or lists nested too deeply
        return "a value too long to be shown"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return "did you mean 'hex'?" with the closest known word; "" if none is close."""
    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean '{near[0]}'?" if near else ""
