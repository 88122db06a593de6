"""Ctrl-C during long work: asked to stop, and broken off where nobody hears it."""

import _thread
import contextlib
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from meeple.cli.arguments import command_line
from meeple.games.contract.game import Game

PATIENCE = 1.5  # seconds after Ctrl-C until what does not look out for it is broken off


@contextlib.contextmanager
def stopping(patience: float = PATIENCE) -> Iterator[Callable[[], bool]]:
    """Gives a function that says whether Ctrl-C was pressed; a second one raises KeyboardInterrupt.

    So does the first where nobody asks that function within so many seconds: what is at work then,
    such as a compilation, does not look out for it.
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


def say_stopped(game: Game, folder: Path) -> None:
    """Tell on stderr that a run of training was stopped, and how it goes on."""
    on = command_line(game, f"train --resume --run {shlex.quote(str(folder))}")
    print(f"Stopped; all that was learned is saved. Go on: {on}", file=sys.stderr)
