"""Connects an engine to text streams; lines are read ahead, so that a command can stop a search."""

import queue
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any, Protocol, TextIO

MAX_LINE_CHARS = 1_000_000  # longer lines are cut
_MAX_WAITING_LINES = 100  # lines that are read ahead


class LineEngine(Protocol):
    """An engine of one protocol."""

    @property
    def ended(self) -> bool:
        """Whether it has received the command to end."""
        ...

    def handle(self, line: str) -> Iterator[str]:
        """Yield the text to write for a line, with newlines. A wrong line raises nothing."""
        ...

    def look_ahead(self, line: str) -> None:
        """Receive each line as soon as it is read; some lines make a running agent stop."""
        ...

    def input_ended(self) -> None:
        """Make a running agent choose at once; called when there are no more lines."""
        ...


def serve(
    engine: LineEngine, source: TextIO, sink: TextIO, made: "Future[Any] | None" = None
) -> None:
    """Answer lines until the engine or the input ends.

    Args:
        engine: what answers.
        source: where lines are read from.
        sink: where answers are written to.
        made: the engine if it is still being made; its error is raised at once.
    """
    lines: queue.Queue[str | None] = queue.Queue(_MAX_WAITING_LINES)  # None: the end
    if made is not None:
        made.add_done_callback(lambda made: lines.put(""))  # `handle` raises its error
    arguments = (engine, source, lines)
    threading.Thread(target=_read, args=arguments, name="lines", daemon=True).start()
    while not engine.ended and (line := lines.get()) is not None:
        for piece in engine.handle(line):
            sink.write(piece)
            sink.flush()
    if made is not None and made.done():
        made.result()


def _read(engine: LineEngine, source: TextIO, lines: "queue.Queue[str | None]") -> None:
    try:
        while line := source.readline(MAX_LINE_CHARS):
            whole = line
            while whole and not whole.endswith("\n"):  # the rest of a line that is too long
                whole = source.readline(MAX_LINE_CHARS)
            line = line.rstrip("\r\n")
            engine.look_ahead(line)
            lines.put(line)
    finally:
        engine.input_ended()
        lines.put(None)
