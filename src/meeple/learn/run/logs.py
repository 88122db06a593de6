"""The logs of a run's actors: `logs/NAME.log` in the run's folder, bounded, written and read.

A log that has grown to its bound becomes `NAME.log.1`, in the place of the one before, and begins
anew.
"""

import contextlib
import io
import logging
import os
import re
import threading
from collections import OrderedDict
from logging.handlers import RotatingFileHandler
from pathlib import Path

from meeple.errors import RunError
from meeple.files import open_file
from meeple.learn.run.cluster_state import ACTOR_NAME

LOGS = "logs"
MOST_LOG_BYTES = 4 * 2**20  # of a log, and as many of the one before
MOST_LINE = 4000  # characters of a line; the rest is left out
MOST_OPEN = 64  # files that a writer keeps open
TAIL_LINES, TAIL_BYTES = 12, 8192  # that are shown of a log
_FILE = re.compile(rf"({ACTOR_NAME})\.log")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class RunLogs:
    """Appends lines to the logs of a run's actors; any thread may call it.

    What cannot be written, as on a full disk, is counted and left out: a log never ends a run.
    """

    def __init__(self, run: str | Path, most_bytes: int = MOST_LOG_BYTES) -> None:
        """Nothing is made before the first line. `most_bytes`: of a log."""
        self._folder, self._most = Path(run) / LOGS, most_bytes
        self._open: OrderedDict[str, _Log] = OrderedDict()
        self._lock = threading.Lock()
        self._lost = 0  # lines, in logs that are closed

    @property
    def lost(self) -> int:
        """Lines that could not be written."""
        with self._lock:
            return self._lost + sum(log.lost for log in self._open.values())

    def write(self, name: str, text: str) -> None:
        """Append the lines of a text to an actor's log, each with the time. Raises ValueError
        for a name that no actor may have.
        """
        if not re.fullmatch(ACTOR_NAME, name):
            raise ValueError(f"no actor may have the name {name[:80]!r}")
        lines = text.splitlines()
        with self._lock:
            log = self._log(name)
            for line in lines:
                if log is None:
                    self._lost += 1
                else:
                    log.append(line)

    def close(self) -> None:
        """Let go of all files."""
        with self._lock:
            while self._open:
                self._close_oldest()

    def _log(self, name: str) -> "_Log | None":
        """The open log of a name, now the newest of all; None where it cannot be opened."""
        log = self._open.pop(name, None)
        if log is None:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                log = _Log(self._folder / f"{name}.log", self._most)
            except OSError:
                return None
        self._open[name] = log
        while len(self._open) > MOST_OPEN:
            self._close_oldest()
        return log

    def _close_oldest(self) -> None:
        _, log = self._open.popitem(last=False)
        log.close()
        self._lost += log.lost


class _Log(RotatingFileHandler):
    """One open file."""

    def __init__(self, path: Path, most: int) -> None:
        super().__init__(path, maxBytes=most, backupCount=1, encoding="utf-8", errors="replace")
        self.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
        self.lost = 0

    def append(self, line: str) -> None:
        text = _CONTROL.sub("", line)[:MOST_LINE]
        self.handle(logging.makeLogRecord({"msg": text, "levelno": logging.INFO}))

    def handleError(self, record: logging.LogRecord) -> None:
        self.lost += 1

    def close(self) -> None:
        with contextlib.suppress(OSError):  # what is still in memory is lost
            super().close()


def log_names(run: str | Path) -> list[str]:
    """The actors of a run that have a log, in the order of their names and numbers."""
    try:
        entries = os.listdir(Path(run) / LOGS)
    except OSError:
        return []
    found = [match[1] for entry in entries if (match := _FILE.fullmatch(entry))]
    return sorted(found, key=in_order)


def in_order(name: str) -> tuple[str, int]:
    """A key by which "self-play-9" comes before "self-play-10"."""
    stem, _, digits = name.rpartition("-")
    return (stem, int(digits)) if digits.isdecimal() else (name, -1)


def log_path(run: str | Path, name: str) -> Path:
    """Where the log of an actor is, or would be."""
    return Path(run) / LOGS / f"{name}.log"


def last_lines(run: str | Path, name: str, lines: int = TAIL_LINES) -> list[str]:
    """The last lines of an actor's log, of a few thousand bytes at most; none without a log.

    The name is looked up among the run's logs, so that no name leads elsewhere. Raises RunError
    where the log cannot be read.
    """
    if name not in log_names(run):
        return []
    path = log_path(run, name)
    try:
        with open_file(path) as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(max(0, size - TAIL_BYTES))
            content = file.read(TAIL_BYTES)
    except FileNotFoundError:  # it is being replaced
        return []
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror or error}") from None
    found = content.decode(errors="replace").splitlines()
    if size > TAIL_BYTES:
        found = found[1:]  # what is left of a line
    return [_CONTROL.sub("", line) for line in found[-lines:]]
