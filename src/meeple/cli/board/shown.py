"""Games of agents shown move by move: each position, with the last action."""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from meeple.cli.shared.terminal import CLEAR, in_colour, is_interactive
from meeple.cli.shared.words import describe_result, seat_names
from meeple.games.contract.game import Position

KEY = "s"  # toggles whether the games are shown
MAX_DELAY = 60.0  # seconds
_LISTENING = 0.1  # seconds between two checks whether to stop listening

Delay = Annotated[
    float,
    typer.Option(
        "--delay",
        min=0,
        max=MAX_DELAY,
        metavar="SECONDS",
        help="With --show: pause after every move.",
    ),
]


class GameShow:
    """Shows games move by move while they are played; a key hides and shows them.

    A context manager. The key works at an interactive terminal if no agent is human. With a delay,
    a terminal shows each position in place of the one before.
    """

    def __init__(self, delay: float = 0.0, *, with_key: bool = True) -> None:
        self.visible = True
        self._delay, self._with_key = delay, with_key
        self._named: int | None = None  # the game whose players were printed last
        self._exits = contextlib.ExitStack()

    def __enter__(self) -> "GameShow":
        if self._with_key and is_interactive():
            print(f"Press {KEY} to hide the games, and again to show them.", file=sys.stderr)
            self._exits.enter_context(keys(self.press))
        return self

    def __exit__(self, *error: object) -> None:
        self._exits.close()

    def press(self, key: str) -> None:
        """Handle a pressed key."""
        if key.lower() == KEY:
            self.visible = not self.visible
            print("Shown." if self.visible else "Hidden.", file=sys.stderr, flush=True)

    def position(self, number: int, names: tuple[str, ...], position: Position) -> None:
        """Show a position of game `number`, from 0; `names` are the agents by seat."""
        if not self.visible:
            self._named = None
            return
        seats = seat_names(position.game, names)
        lines = []
        if self._named != number or not position.actions:
            lines.append(f"\nGame {number + 1}: {', '.join(seats)}\n")
            self._named = number
        if position.actions:
            lines.append(f"{last_action(position)}\n")
        lines.append(f"{position.game.draw(position, in_colour())}\n")
        if position.is_over:
            lines.append(describe_result(position, seats))
        in_place = self._delay > 0 and sys.stdout.isatty()
        print((CLEAR if in_place else "") + "\n".join(lines), flush=True)
        time.sleep(self._delay)


def last_action(position: Position) -> str:
    """Return the last action of a position as text: "3. player 1: b2"."""
    before = position.copy()
    before.undo()
    action = position.actions[-1]
    seat = before.to_move
    who = position.game.player_name(seat) if seat >= 0 else "chance"
    return f"{len(position.actions)}. {who}: {before.action_name(action)}"


@contextlib.contextmanager
def keys(press: Callable[[str], None]) -> Iterator[None]:
    """Call `press` from a thread for each key pressed at stdin's terminal; Ctrl-C still works.

    Does nothing on a system without termios.
    """
    try:
        import select
        import termios
        import tty
    except ImportError:  # Windows
        yield
        return
    file = sys.stdin.fileno()
    before, over = termios.tcgetattr(file), threading.Event()

    def listen() -> None:
        while not over.is_set():
            if select.select([file], [], [], _LISTENING)[0]:
                key = os.read(file, 1)
                if not key:
                    return
                press(key.decode(errors="replace"))

    tty.setcbreak(file)
    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield
    finally:
        over.set()
        listener.join()
        termios.tcsetattr(file, termios.TCSADRAIN, before)
