"""Runs another program in a process; exchanges lines with it, in bounded time and memory.

No process is left behind. On POSIX systems `guard.py` runs the program; it kills the program and
all its descendants when the program ends, when it is closed, when no reference to it is left, and
when this process dies.
"""

import collections
import contextlib
import os
import queue
import select
import shlex
import shutil
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

from meeple.errors import EngineError, SpecError, Stopped, shown
from meeple.protocols.controller import MAX_LINE_CHARS

_POLL_SECONDS = 0.05  # between two checks whether to stop
_QUIT_SECONDS = 1.0  # that a program has to end after the quit command
_KILLING_SECONDS = 10.0  # that the guard has to kill a program and all its children
_MAX_ERROR_LINES = 20  # of standard error, the last, for messages
_MAX_UNREAD_LINES = 500  # in the queue: at most 100 MB
_SEND_SECONDS = 10.0  # after which a program that reads nothing has failed, at most
_POSIX = os.name == "posix"


def words_of(command: str) -> list[str]:
    """Split a command line. Raises SpecError if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SpecError(f"the command of an engine cannot be read: {error}") from None
    if not words or shutil.which(words[0]) is None:
        what = words[0] if words else command
        raise SpecError(f"there is no program {shown(what)} to be an engine")
    return words


class EngineProcess:
    """A started program, and a `Channel` to it."""

    def __init__(self, words: Sequence[str], patience: float = _SEND_SECONDS) -> None:
        """Start a program.

        Args:
            words: its command and arguments.
            patience: seconds after which a program that reads nothing has failed.

        Raises:
            EngineError: the program cannot be started.
        """
        self._patience = min(patience, _SEND_SECONDS)
        try:
            # On POSIX systems the process is the guard, which exits with the program's code.
            self._process, owner = _start_guarded(words) if _POSIX else (_popen(words), None)
        except OSError as error:
            reason = error.strerror or str(error)
            raise EngineError(f"it cannot be started: {reason}", "start") from None
        self._lines: queue.Queue[str | None] = queue.Queue(_MAX_UNREAD_LINES)  # None: end of output
        self._words: collections.deque[str] = collections.deque(maxlen=_MAX_ERROR_LINES)
        self._end = weakref.finalize(self, _end, self._process, owner)
        # The threads hold no reference to `self`, so that it can be collected, which ends them.
        heard, said = (self._process, self._lines), (self._process, self._words)
        threading.Thread(target=_read_lines, args=heard, daemon=True).start()
        self._listener = threading.Thread(target=_read_errors, args=said, daemon=True)
        self._listener.start()

    @property
    def is_alive(self) -> bool:
        """Whether the program runs."""
        return self._end.alive and self._process.poll() is None

    def send(self, line: str) -> None:
        """Write a line, in bounded time."""
        data = memoryview(f"{line}\n".encode())
        pipe = self._process.stdin
        assert pipe is not None
        deadline = time.monotonic() + self._patience
        try:
            while data:
                # A writable pipe accepts PIPE_BUF bytes without blocking.
                if _POSIX and not select.select([], [pipe], [], _POLL_SECONDS)[1]:
                    if time.monotonic() > deadline:
                        raise EngineError("it does not read what it is sent", "time")
                    continue
                data = data[os.write(pipe.fileno(), data[: select.PIPE_BUF if _POSIX else None]) :]
        except (OSError, ValueError):
            raise self._crash() from None

    def receive(self, deadline: float, stop: Callable[[], bool] | None = None) -> str:
        """Return the next line. Raises EngineError after `deadline` on `time.monotonic`."""
        while True:
            left = deadline - time.monotonic()
            try:
                line = self._lines.get(timeout=max(0.0, min(_POLL_SECONDS, left)))
            except queue.Empty:
                if stop is not None and stop():
                    raise Stopped from None
                if left <= 0:
                    raise EngineError("it gives no answer in time", "time") from None
                continue
            if line is None:
                self._lines.put(None)  # for the next call
                raise self._crash()
            if len(line) > MAX_LINE_CHARS:
                raise EngineError(f"it writes a line of {len(line):,} characters", "rubbish")
            return line

    def close(self, farewell: Sequence[str] | None = ()) -> None:
        """End the program.

        Args:
            farewell: lines to send before waiting a second for it to end; None: kill it.
        """
        if not self._end.alive:
            return
        if farewell is None:
            self._end()
            return
        with contextlib.suppress(EngineError):
            for line in farewell:
                self.send(line)
        pipe = self._process.stdin
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_QUIT_SECONDS)
        self._end()

    def _crash(self) -> EngineError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_QUIT_SECONDS)
        self._listener.join(_QUIT_SECONDS)  # until all its standard error is read
        code = self._process.poll()
        how = "it has closed its output" if code is None else f"it has ended with code {code}"
        last = next((word for word in reversed(self._words) if word.strip()), "")
        words = f", its last words: {shown(last.strip(), 200)}" if last else ""
        return EngineError(f"{how}{words}", "crash")


def _popen(words: Sequence[str], pass_fds: Sequence[int] = ()) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=_POSIX,
        pass_fds=pass_fds,
    )


def _start_guarded(words: Sequence[str]) -> "tuple[subprocess.Popen[bytes], int]":
    """Start a program under its guard; return the guard and the pipe whose closing stops it.

    Raises OSError if the program cannot be run.
    """
    script = str(Path(__file__).with_name("guard.py"))
    held, owner = os.pipe()
    reported, report = os.pipe()
    try:
        command = [sys.executable, "-I", "-S", script, str(held), str(report), *words]
        guard = _popen(command, pass_fds=(held, report))
    except OSError:
        os.close(owner)
        os.close(reported)
        raise
    finally:
        os.close(held)
        os.close(report)
    with open(reported, "rb") as pipe:
        said = pipe.read()
    if said != b"started":
        _end(guard, owner)
        for end in (guard.stdout, guard.stderr):
            if end is not None:
                end.close()
        raise OSError(said.decode("utf-8", "replace") or "its guard has ended")
    return guard, owner


def _end(process: "subprocess.Popen[bytes]", owner: int | None) -> None:
    """Kill a program and all its descendants."""
    if owner is not None:
        os.close(owner)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_KILLING_SECONDS)
    else:
        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()
    with contextlib.suppress(OSError, ValueError):
        if process.stdin is not None:
            process.stdin.close()


def _read_lines(process: "subprocess.Popen[bytes]", lines: "queue.Queue[str | None]") -> None:
    """Put a program's lines into a queue until it ends; blocks while the queue is full."""
    with contextlib.suppress(OSError, ValueError):
        assert process.stdout is not None
        with process.stdout as pipe:
            while data := pipe.readline(MAX_LINE_CHARS + 1):
                _put(process, lines, data.decode("utf-8", "replace").rstrip("\r\n"))
    _put(process, lines, None)


def _put(
    process: "subprocess.Popen[bytes]", lines: "queue.Queue[str | None]", line: str | None
) -> None:
    """Put a line into a queue once there is room; drop it if the program has ended meanwhile."""
    while True:
        try:
            lines.put(line, timeout=_QUIT_SECONDS)
        except queue.Full:
            if process.poll() is None:
                continue
        return


def _read_errors(process: "subprocess.Popen[bytes]", words: "collections.deque[str]") -> None:
    """Collect the last lines of a program's standard error."""
    with contextlib.suppress(OSError, ValueError):
        assert process.stderr is not None
        with process.stderr as pipe:
            while data := pipe.readline(MAX_LINE_CHARS):
                words.append(data.decode("utf-8", "replace"))
