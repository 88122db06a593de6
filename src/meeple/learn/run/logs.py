"""Writes and reads the logs of a run's actors: `logs/NAME.log` in the run's folder.

A log that reaches its size limit is renamed to `NAME.log.1`, which replaces the previous one.
"""

import contextlib
import logging
import os
import re
import threading
from logging.handlers import RotatingFileHandler
from pathlib import Path

from meeple.files import read_end, reported
from meeple.learn.run.cluster import ACTOR_NAME, name_and_number

LOGS_FOLDER = "logs"
MAX_LOG_BYTES = 4 * 2**20  # size of NAME.log, and of NAME.log.1
MAX_LINE_CHARACTERS = 4000  # longer lines are cut
TAIL_LINES = 12  # default number of lines that `last_lines` returns
TAIL_BYTES = 8192  # read from the end of a log
_FILE = re.compile(rf"({ACTOR_NAME})\.log")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class RunLogs:
    """Appends lines to the logs of a run's actors. Thread-safe.

    A line that cannot be written, for instance on a full disk, is dropped and counted: logging
    never ends a run.
    """

    def __init__(self, run: str | Path, max_bytes: int = MAX_LOG_BYTES) -> None:
        """Create no file: a log of at most `max_bytes` is created with its first line."""
        self._folder, self._max_bytes = Path(run) / LOGS_FOLDER, max_bytes
        self._lock = threading.Lock()
        self.lost = 0
        """Number of lines that could not be written."""

    def write(self, name: str, text: str) -> None:
        """Append lines, each with a timestamp, to the log of an actor. Raises ValueError."""
        if not re.fullmatch(ACTOR_NAME, name):
            raise ValueError(f"{name[:80]!r} is not a valid name of an actor")
        lines = text.splitlines()
        with self._lock:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                log = _Log(self._folder / f"{name}.log", self._max_bytes)
            except OSError:
                self.lost += len(lines)
                return
            with contextlib.closing(log):
                for line in lines:
                    log.append(line)
            self.lost += log.lost


class _Log(RotatingFileHandler):
    """An open log file."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        super().__init__(
            path, maxBytes=max_bytes, backupCount=1, encoding="utf-8", errors="replace"
        )
        self.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
        self.lost = 0

    def append(self, line: str) -> None:
        text = _CONTROL.sub("", line)[:MAX_LINE_CHARACTERS]
        self.handle(logging.makeLogRecord({"msg": text, "levelno": logging.INFO}))

    def handleError(self, record: logging.LogRecord) -> None:
        self.lost += 1

    def close(self) -> None:
        with contextlib.suppress(OSError):  # buffered text is lost then
            super().close()


def log_names(run: str | Path) -> list[str]:
    """Return the names of the actors that have a log, sorted by name and number."""
    try:
        entries = os.listdir(Path(run) / LOGS_FOLDER)
    except OSError:
        return []
    found = [match[1] for entry in entries if (match := _FILE.fullmatch(entry))]
    return sorted(found, key=name_and_number)


def log_path(run: str | Path, name: str) -> Path:
    """Return the path of an actor's log, which need not exist."""
    return Path(run) / LOGS_FOLDER / f"{name}.log"


def last_lines(run: str | Path, name: str, lines: int = TAIL_LINES) -> list[str]:
    """Return at most `lines` last lines of an actor's log, from its last `TAIL_BYTES` bytes.

    The name must be one of `log_names`, so that no name leads to a file elsewhere.

    Returns:
        The lines, oldest first, without control characters; empty if there is no such log.

    Raises:
        RunError: the log cannot be read.
    """
    if name not in log_names(run):
        return []
    path = log_path(run, name)
    content, is_whole = b"", True
    rotated = contextlib.suppress(FileNotFoundError)  # by another process, just now
    with reported(f"cannot read {path}"), rotated:
        content, is_whole = read_end(path, TAIL_BYTES)
    found = content.decode(errors="replace").splitlines()
    if not is_whole:
        found = found[1:]  # the first line is incomplete
    return [_CONTROL.sub("", line) for line in found[-lines:]]
