"""Every error a user can cause, each with a sentence for a message. Nothing here knows a game."""

import difflib
from collections.abc import Iterable
from typing import Any


class MeepleError(Exception):
    """Base of all errors that are the user's to mend: shown as one sentence, exit code 1."""


class UsageError(MeepleError, ValueError):
    """A wrong word in a call or a command: an unknown name, a value out of range. Exit code 2."""


class OptionError(UsageError):
    """A game, or an option of a game, that does not exist or is out of its range."""


class SpecError(UsageError):
    """An agent spec that names an unknown agent or key, or a value out of range."""


class ConfigError(UsageError):
    """A training configuration with an unknown key or a value out of range."""


class IllegalAction(MeepleError, ValueError):
    """An action that the rules do not allow here; the message names it and the legal ones."""


class KernelError(MeepleError):
    """A kernel that does not compile: `sentence` says why, `file` and `line` where."""

    def __init__(self, sentence: str, file: str, line: int):
        super().__init__(f"{file}:{line}: {sentence}")
        self.sentence, self.file, self.line = sentence, file, line


class CheckpointError(MeepleError):
    """A file of a network or a Q-table that is corrupt, or of another game, size or version."""


class NetworkError(MeepleError):
    """A network whose output is not finite: no move can be chosen by it."""

    def __init__(self, message: str = "the network's output holds numbers that are not finite"):
        super().__init__(message)


FAULTS = ("start", "crash", "time", "illegal", "rubbish", "resign")
"""How another program can fail: it does not start, it ends, it takes too long, it chooses what the
rules do not allow, what it says is not of its protocol, or it gives up."""


class EngineError(MeepleError):
    """Another program that plays has failed; `fault` is one of `FAULTS`. It loses the game."""

    def __init__(self, message: str, fault: str):
        super().__init__(message)
        self.fault = fault


class CustomAgentError(SpecError):
    """An agent of somebody's file that failed in a game; `fault` is "crash" or "illegal"."""

    def __init__(self, message: str, fault: str):
        super().__init__(message)
        self.fault = fault


class RunError(MeepleError):
    """A run folder that cannot be read, resumed or written."""


class Stopped(MeepleError):
    """Work that was called off before its end; what was finished before is kept."""

    def __init__(self, message: str = "stopped before the end"):
        super().__init__(message)


class TooLarge(MeepleError):
    """A position the exact solver will not attempt; the message says what is small enough."""


def shown(value: Any, most: int = 80) -> str:
    """A value for a sentence, as Python writes it, of at most so many characters."""
    try:
        return f"{value!r:.{most}}"
    except (ValueError, RecursionError):  # a number of too many digits, or lists too deep in lists
        return "what is too long to be shown"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The question "did you mean 'hex'?" with the nearest of known words; "" where none is near."""
    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean '{near[0]}'?" if near else ""
