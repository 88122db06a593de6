"""The agent that asks a person: board and prompt on stderr, one line of stdin a move.

What `meeple play` adds to this, such as undo and hints, is in the command's own session.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from meeple.agents.agent import Analysis
from meeple.errors import IllegalAction, MeepleError
from meeple.games.boards.menu import Menu, menu_of
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position

WIDTH = 80  # columns of a menu


def read_line(prompt: str) -> str:
    """The next line of stdin, without its end; raises EOFError where there is none."""
    write(prompt)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")


def write(text: str) -> None:
    """Write to stderr, so that what a command prints on stdout stays as it is."""
    sys.stderr.write(text)
    sys.stderr.flush()


class Human:
    """A person at the terminal. A wrong move is answered by a sentence, and asked for again."""

    def __init__(
        self, read: Callable[[str], str] = read_line, say: Callable[[str], object] = write
    ) -> None:
        self.spec = "human"
        self.analysis: Analysis | None = None  # people do not tell
        self._read, self._say = read, say
        self._rest: list[int] = []  # of a line that named several actions, such as a whole offer

    def begin(self, seed: int) -> None:
        """Forget the rest of a line; there is nothing to draw."""
        self._rest = []

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """The move that the person types. Raises MeepleError where the input ends before it."""
        if not self._rest:
            name = position.game.player_name(position.to_move)
            self._say(f"{position.game.view(position, position.to_move)}\n")
            try:
                self._rest = self._ask(position, name)
            except EOFError:
                raise MeepleError(f"the input ended while {name} was to move") from None
        return self._rest.pop(0)

    def _ask(self, position: Position, name: str) -> list[int]:
        """The actions of the first line that names legal ones, or chooses one from the menu."""
        menu = menu_of(capabilities.action_groups(position))
        while True:
            if menu is not None and menu.text(WIDTH):
                self._say(f"{menu.text(WIDTH)}\n")
            text = self._read(f"{name}, {menu.prompt if menu else 'your move'}: ")
            chosen = menu.choose(text) if menu else None
            if isinstance(chosen, Menu):
                menu = chosen
                continue
            try:
                return [chosen] if chosen is not None else _typed(position, text)
            except IllegalAction as error:
                self._say(f"{error}\n")
                menu = menu_of(capabilities.action_groups(position))


def _typed(position: Position, text: str) -> list[int]:
    """The actions that a line names, all legal in their turn. Raises IllegalAction."""
    actions = capabilities.parse_line(position, text)
    if actions is None:
        return [position.parse_action(text)]  # which says what is legal
    twin = position.copy()
    for action in actions:
        twin.play(action)
    return actions


def make_human(game: Game, options: Mapping[str, Any], seed: int) -> Human:
    """The agent of the spec `human`."""
    return Human()
