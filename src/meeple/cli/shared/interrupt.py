"""Ctrl-C during long work: a request to stop, and KeyboardInterrupt if it is not read."""

import _thread
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from meeple.games.contract.game import Game
from meeple.games.contract.game_words import command_for
from meeple.shell import Word

PATIENCE = 1.5  # seconds in which work must read the request, or it is interrupted


@contextlib.contextmanager
def stopping(patience: float = PATIENCE) -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed.

    A second Ctrl-C raises KeyboardInterrupt. So does the first if the function is not called within
    `patience` seconds, as during a compilation.
    """
    pressed = threading.Event()
    heard = threading.Event()

    def insist() -> None:
        if not heard.wait(patience):
            _thread.interrupt_main()

    def press(number: int, frame: Any) -> None:
        if pressed.is_set():
            heard.set()
            raise KeyboardInterrupt
        pressed.set()
        threading.Thread(target=insist, daemon=True).start()

    def stopped() -> bool:
        if pressed.is_set():
            heard.set()
            return True
        return False

    before = signal.signal(signal.SIGINT, press)
    try:
        yield stopped
    finally:
        heard.set()
        signal.signal(signal.SIGINT, before)


def say_stopped(game: Game, *words: Word) -> None:
    """Print to stderr that training was stopped, and the command that resumes it."""
    again = command_for(game, *words)
    print(f"Stopped; all training progress is saved. Resume: {again}", file=sys.stderr)
