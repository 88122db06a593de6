"""The parent's end of a worker process: starts it, sends orders, and replaces it when it dies.

Each has a thread for its blocking calls, so that the event loop never waits.
"""

import asyncio
import contextlib
import json
import multiprocessing
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from meeple.agents.engine.listed import listed_engines
from meeple.sentences import from_json
from meeple.server.limits import ServerLimits
from meeple.server.thinking.worker import work

_SPAWN = multiprocessing.get_context("spawn")
_starting = threading.Lock()

OnMessage = Callable[[int, dict[str, Any] | None], None]
"""Called in the event loop with an order's number and a message, or None if the process died."""


def new_flags(workers: int) -> Any:
    """Return shared memory: for each worker, the number of the order to stop."""
    return _SPAWN.RawArray("Q", workers)


class WorkerProcess:
    """One slot for a process; its methods run in the event loop and do not block."""

    def __init__(
        self,
        index: int,
        flags: Any,
        game_files: Sequence[str],
        runs: Path | None,
        loop: asyncio.AbstractEventLoop,
        on_message: OnMessage,
        limits: ServerLimits,
    ) -> None:
        self.index, self._limits = index, limits
        self._flags, self._game_files, self._runs = flags, tuple(game_files), runs
        self._loop, self._on_message = loop, on_message
        self._orders: SimpleQueue[tuple[int, bytes] | None] = SimpleQueue()
        self._process: Any = None
        self._connection: Connection | None = None
        self._closing = False
        self.thread = threading.Thread(target=self._run, name=f"worker {index}", daemon=True)
        self.thread.start()

    @property
    def pid(self) -> int | None:
        """The id of the current process, if there is one."""
        return None if self._process is None else self._process.pid

    def order(self, number: int, order: dict[str, Any]) -> None:
        """Send an order; the previous one must have been answered."""
        self._orders.put((number, json.dumps(order).encode()))

    def stop(self, number: int) -> None:
        """Make the process answer an order now, with the result so far."""
        self._flags[self.index] = number

    def kill(self) -> None:
        """Kill the process; a new one replaces it."""
        process = self._process
        with contextlib.suppress(ValueError):  # it has just been replaced
            if process is not None:
                process.kill()

    def close(self) -> None:
        """End the process and the thread for good; the caller joins the thread."""
        self._closing = True
        self._orders.put(None)

    # ------------------------------------------------------------ in the thread

    def _run(self) -> None:
        self._start()
        while (item := self._orders.get()) is not None:
            self._exchange(*item)
        self._end()

    def _start(self) -> None:
        """Replace the process; without one if the system refuses to start it."""
        self._end()
        if self._closing:
            return
        ours, theirs = _SPAWN.Pipe()
        loaded = self._game_files, dict(listed_engines())
        arguments = (theirs, self._flags, self.index, *loaded, self._runs, self._limits)
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
        connection.close()  # which ends the process
        process.join(self._limits.grace_seconds)
        if process.is_alive():
            process.kill()
            process.join()
        process.close()

    def _exchange(self, number: int, order: bytes) -> None:
        """Send an order and forward the messages up to its answer."""
        if self._process is None or not self._process.is_alive():
            self._start()
        try:
            if self._connection is None:
                raise OSError
            self._connection.send_bytes(order)
            while True:
                message = from_json(self._connection.recv_bytes())
                self._forward(number, message)
                if "state" not in message:
                    return
        except (EOFError, OSError):
            self._forward(number, None)
            self._start()

    def _forward(self, number: int, message: dict[str, Any] | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._on_message, number, message)
