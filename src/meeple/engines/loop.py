"""Joins an engine to lines of text: reads ahead while it thinks, so that it can be hurried."""

import queue
import threading
from collections.abc import Iterator
from typing import Protocol, TextIO

LONGEST_LINE = 1_000_000  # characters; what is longer is cut
_MOST_WAITING = 100  # lines that are read ahead


class Engine(Protocol):
    """One protocol's side that answers."""

    ended: bool  # whether it was told to end

    def handle(self, line: str) -> Iterator[str]:
        """What to write for a line, piece by piece, with the ends of lines.

        It never raises for what a line says.
        """
        ...

    def look_ahead(self, line: str) -> None:
        """Told of each line as soon as it is read: one may hurry the agent that thinks."""
        ...

    def input_ended(self) -> None:
        """Called when there are no more lines: the agent that thinks chooses at once."""
        ...


def serve(engine: Engine, source: TextIO, sink: TextIO) -> None:
    """Answer lines until the engine is told to end, or there are no more."""
    lines: queue.Queue[str | None] = queue.Queue(_MOST_WAITING)  # None: the end
    arguments = (engine, source, lines)
    threading.Thread(target=_read, args=arguments, name="lines", daemon=True).start()
    while not engine.ended and (line := lines.get()) is not None:
        for piece in engine.handle(line):
            sink.write(piece)
            sink.flush()


def _read(engine: Engine, source: TextIO, lines: "queue.Queue[str | None]") -> None:
    try:
        while line := source.readline(LONGEST_LINE):
            whole = line
            while whole and not whole.endswith("\n"):  # the rest of a line that is too long
                whole = source.readline(LONGEST_LINE)
            line = line.rstrip("\r\n")
            engine.look_ahead(line)
            lines.put(line)
    finally:
        engine.input_ended()
        lines.put(None)
