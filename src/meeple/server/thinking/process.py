"""The parent's end of a worker process: started, spoken to, and replaced when it dies.

A thread for each does all that may block, so that the event loop never waits.
"""

import asyncio
import contextlib
import json
import multiprocessing
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from meeple.server.thinking.worker import work

GRACE = 2.0  # seconds that a process has to end by itself

_SPAWN = multiprocessing.get_context("spawn")
_starting = threading.Lock()

Heard = Callable[[int, dict[str, Any] | None], None]
"""Called in the event loop with an order's number and a message, or None where the process died."""


def new_flags(workers: int) -> Any:
    """Memory that all processes see: for each worker the number of the order that is to stop."""
    return _SPAWN.RawArray("Q", workers)


class WorkerProcess:
    """One place for a process. Its methods are called in the event loop, and return at once."""

    def __init__(
        self,
        index: int,
        flags: Any,
        game_files: Sequence[str],
        loop: asyncio.AbstractEventLoop,
        heard: Heard,
    ) -> None:
        self.index = index
        self._flags, self._game_files = flags, tuple(game_files)
        self._loop, self._heard = loop, heard
        self._orders: SimpleQueue[tuple[int, bytes] | None] = SimpleQueue()
        self._process: Any = None
        self._connection: Connection | None = None
        self._closing = False
        self.thread = threading.Thread(target=self._live, name=f"worker {index}", daemon=True)
        self.thread.start()

    @property
    def pid(self) -> int | None:
        """The process at the moment, if there is one."""
        return None if self._process is None else self._process.pid

    def order(self, number: int, order: dict[str, Any]) -> None:
        """Send an order; the one before must have been answered."""
        self._orders.put((number, json.dumps(order).encode()))

    def stop(self, number: int) -> None:
        """Have an order answered with what there is."""
        self._flags[self.index] = number

    def kill(self) -> None:
        """End the process; another takes its place."""
        process = self._process
        with contextlib.suppress(ValueError):  # it has just been replaced
            if process is not None:
                process.kill()

    def close(self) -> None:
        """End the process for good, and the thread with it: join it elsewhere."""
        self._closing = True
        self._orders.put(None)

    # ------------------------------------------------------------ in the thread

    def _live(self) -> None:
        self._start()
        while (item := self._orders.get()) is not None:
            self._converse(*item)
        self._end()

    def _start(self) -> None:
        """Put a new process in place of the old one; none where the system refuses."""
        self._end()
        if self._closing:
            return
        ours, theirs = _SPAWN.Pipe()
        arguments = (theirs, self._flags, self.index, self._game_files)
        process = _SPAWN.Process(target=work, args=arguments, daemon=True)
        with theirs, _starting:
            try:
                process.start()
            except OSError:
                ours.close()
                return
        self._process, self._connection = process, ours

    def _end(self) -> None:
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if process is None or connection is None:
            return
        connection.close()  # which the process takes as its end
        process.join(GRACE)
        if process.is_alive():
            process.kill()
            process.join()
        process.close()

    def _converse(self, number: int, order: bytes) -> None:
        """Send an order and pass on what is said, until it has been answered."""
        if self._process is None or not self._process.is_alive():
            self._start()
        try:
            if self._connection is None:
                raise OSError
            self._connection.send_bytes(order)
            while True:
                message = json.loads(self._connection.recv_bytes())
                self._say(number, message)
                if "state" not in message:
                    return
        except (EOFError, OSError):
            self._say(number, None)
            self._start()

    def _say(self, number: int, message: dict[str, Any] | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens
            self._loop.call_soon_threadsafe(self._heard, number, message)
