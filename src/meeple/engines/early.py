"""Answers the first lines of a manager of the Gomocup while the engine is imported and compiled.

Managers wait a second or two for the answers to ABOUT and START, and compiling may take a minute.
Nothing here imports the compiler.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future

from meeple.engines.loop import LineEngine
from meeple.files import version

SIZES = range(5, 21)  # board sizes for which START is answered at once
_MAX_WAITING_LINES = 1000  # lines without an answer that are stored for the engine


class EarlyPiskvork:
    """An engine of Piskvork's protocol that is made in another thread.

    It answers ABOUT, START, RECTSTART and END by itself at first. Any other line waits for the
    engine, which is then sent all lines that came before, settings before START included; if it
    refuses one, its error comes before the answer.
    """

    def __init__(self, spec: str, make: Callable[[], LineEngine]) -> None:
        """Start a thread that imports and makes the engine; `handle` raises its errors."""
        self.made: Future[LineEngine] = Future()
        self._spec, self._ended = spec, False
        self._sent: list[str] = []  # lines that the engine has not seen
        self._lock = threading.Lock()  # for the three below
        self._engine: LineEngine | None = None
        self._ahead: list[str] = []  # lines read before the engine was made
        self._no_more = False  # whether the input has ended
        threading.Thread(target=self._make, args=(make,), name="make", daemon=True).start()

    @property
    def ended(self) -> bool:
        """Whether it has received the command to end."""
        return self._ended or (self._engine is not None and self._engine.ended)

    def handle(self, line: str) -> Iterator[str]:
        """Yield the answers to a line. Raises the error of `make`."""
        word, _, rest = line.strip().upper().partition(" ")
        if not self.made.done():
            if word == "ABOUT":
                yield f"{about(self._spec)}\n"
                return
            if word in ("START", "RECTSTART") and _size(word, rest) in map(str, SIZES):
                self._sent.append(line)
                yield "OK\n"
                return
            if word == "INFO" and len(self._sent) < _MAX_WAITING_LINES:
                self._sent.append(line)
                return
            if word in ("", "END"):
                self._ended = word == "END"
                return
        engine = self.made.result()
        sent, self._sent = self._sent, []
        for early in sent:
            yield from (answer for answer in engine.handle(early) if answer.strip() != "OK")
        yield from engine.handle(line)

    def look_ahead(self, line: str) -> None:
        """Receive each line as soon as it is read."""
        with self._lock:
            if self._engine is None:
                self._ahead.append(line)
            else:
                self._engine.look_ahead(line)

    def input_ended(self) -> None:
        """Make the agent choose at once, as no caller waits for a better move."""
        with self._lock:
            self._no_more = True
            if self._engine is not None:
                self._engine.input_ended()

    def _make(self, make: Callable[[], LineEngine]) -> None:
        try:
            engine = make()
        except BaseException as error:
            self.made.set_exception(error)
            return
        with self._lock:
            for line in self._ahead:
                engine.look_ahead(line)
            if self._no_more:
                engine.input_ended()
            self._engine = engine
        self.made.set_result(engine)


def _size(word: str, rest: str) -> str:
    """Return the size that START or RECTSTART requests; empty if the board is not a square."""
    sides = {side.strip() for side in rest.split(",")} if word == "RECTSTART" else {rest.strip()}
    return sides.pop() if len(sides) == 1 else ""


def about(spec: str) -> str:
    """Return the answer to ABOUT."""
    return f'name="Meeple", version="{version()}", author="Meeple authors", agent="{spec}"'
