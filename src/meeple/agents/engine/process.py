"""Another program in a process of its own: lines to it and from it, in bounded time and memory.

Nothing of it stays behind: on POSIX systems `guard.py` runs it, and kills it with all that it has
started when it ends, when it is closed, when no reference to it is left, and when this process
dies.
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

_LOOK = 0.05  # seconds between two looks at whether to stop
_GOODBYE = 1.0  # seconds in which a program that was told to quit may end
_KILLING_SECONDS = 10.0  # in which the guard has killed a program and all its children
_LAST_WORDS = 20  # lines of its standard error that are kept
_MAX_WAITING_LINES = 500  # lines that it may be ahead of who reads them: 100 MB at the most
_SEND_SECONDS = 10.0  # until a program that reads nothing is given up, unless its owner says less
_POSIX = os.name == "posix"


def words_of(command: str) -> list[str]:
    """A command line as its words. Raises SpecError where there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SpecError(f"the command of an engine cannot be read: {error}") from None
    if not words or shutil.which(words[0]) is None:
        what = words[0] if words else command
        raise SpecError(f"there is no program {shown(what)} to be an engine")
    return words


class EngineProcess:
    """A program that was started; a `Channel` to it."""

    def __init__(self, words: Sequence[str], patience: float = _SEND_SECONDS) -> None:
        """Start a program.

        Args:
            words: its command and arguments.
            patience: seconds after which a program that reads nothing has failed.

        Raises:
            EngineError: if it cannot be started.
        """
        self._patience = min(patience, _SEND_SECONDS)
        try:
            # On POSIX systems the process is the guard, which exits with the program's code.
            self._process, owner = _start_guarded(words) if _POSIX else (_popen(words), None)
        except OSError as error:
            reason = error.strerror or str(error)
            raise EngineError(f"it cannot be started: {reason}", "start") from None
        self._lines: queue.Queue[str | None] = queue.Queue(_MAX_WAITING_LINES)  # None: its end
        self._words: collections.deque[str] = collections.deque(maxlen=_LAST_WORDS)
        self._end = weakref.finalize(self, _end, self._process, owner)
        # The threads hold no reference to `self`, so that it can be forgotten, and then ended.
        heard, said = (self._process, self._lines), (self._process, self._words)
        threading.Thread(target=_read_lines, args=heard, daemon=True).start()
        self._listener = threading.Thread(target=_read_errors, args=said, daemon=True)
        self._listener.start()

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._end.alive and self._process.poll() is None

    def send(self, line: str) -> None:
        """Write a line, in bounded time."""
        data = memoryview(f"{line}\n".encode())
        pipe = self._process.stdin
        assert pipe is not None
        deadline = time.monotonic() + self._patience
        try:
            while data:
                # A pipe that can be written takes so many bytes at once without waiting.
                if _POSIX and not select.select([], [pipe], [], _LOOK)[1]:
                    if time.monotonic() > deadline:
                        raise EngineError("it does not read what it is sent", "time")
                    continue
                data = data[os.write(pipe.fileno(), data[: select.PIPE_BUF if _POSIX else None]) :]
        except (OSError, ValueError):
            raise self._crash() from None

    def receive(self, deadline: float, stop: Callable[[], bool] | None = None) -> str:
        """Its next line, before a time on `time.monotonic`."""
        while True:
            left = deadline - time.monotonic()
            try:
                line = self._lines.get(timeout=max(0.0, min(_LOOK, left)))
            except queue.Empty:
                if stop is not None and stop():
                    raise Stopped from None
                if left <= 0:
                    raise EngineError("it gives no answer in time", "time") from None
                continue
            if line is None:
                self._lines.put(None)  # for who asks again
                raise self._crash()
            if len(line) > MAX_LINE_CHARS:
                raise EngineError(f"it writes a line of {len(line):,} characters", "rubbish")
            return line

    def close(self, farewell: Sequence[str] | None = ()) -> None:
        """End it.

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
            self._process.wait(_GOODBYE)
        self._end()

    def _crash(self) -> EngineError:
        """What is said of a program that has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GOODBYE)
        self._listener.join(_GOODBYE)  # until its last words are read
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
    """Start a program under its guard; return the guard and the pipe whose end stops it.

    Raises OSError where the program cannot be run.
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
    """Kill a program with all that it has started."""
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
    """Put a program's lines into a queue until it ends; who is too far ahead has to wait."""
    with contextlib.suppress(OSError, ValueError):
        assert process.stdout is not None
        with process.stdout as pipe:
            while data := pipe.readline(MAX_LINE_CHARS + 1):
                _put(process, lines, data.decode("utf-8", "replace").rstrip("\r\n"))
    _put(process, lines, None)


def _put(
    process: "subprocess.Popen[bytes]", lines: "queue.Queue[str | None]", line: str | None
) -> None:
    """Put a line into a queue once there is room; of a program that has ended, only if there is."""
    while True:
        try:
            lines.put(line, timeout=_GOODBYE)
        except queue.Full:
            if process.poll() is None:
                continue
        return


def _read_errors(process: "subprocess.Popen[bytes]", words: "collections.deque[str]") -> None:
    """Keep the last lines of a program's standard error."""
    with contextlib.suppress(OSError, ValueError):
        assert process.stderr is not None
        with process.stderr as pipe:
            while data := pipe.readline(MAX_LINE_CHARS):
                words.append(data.decode("utf-8", "replace"))
