"""A person at the terminal: board and prompt on stderr, one line of stdin a move.

`meeple play` adds undo and hints in its own session.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from meeple.agents.agent import Analysis
from meeple.errors import IllegalAction, MeepleError
from meeple.games.boards.menu import Menu, menu_of
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position

MENU_COLUMNS = 80


def read_line(prompt: str) -> str:
    """Return the next line of stdin, without the newline. Raises EOFError at the end of input."""
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
    """A person at the terminal, who is prompted again after a wrong move."""

    def __init__(
        self, read: Callable[[str], str] = read_line, say: Callable[[str], object] = write
    ) -> None:
        self.spec = "human"
        self.analysis: Analysis | None = None  # people report no analysis
        self._read, self._say = read, say
        self._rest: list[int] = []  # actions left of a line that named several, such as an offer

    def begin(self, seed: int) -> None:
        """Forget the rest of a line."""
        self._rest = []

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return the move that the person types. Raises MeepleError if the input ends."""
        if not self._rest:
            name = position.game.player_name(position.to_move)
            self._say(f"{position.game.view(position, position.to_move)}\n")
            try:
                self._rest = self._ask(position, name)
            except EOFError:
                raise MeepleError(f"the input ended while {name} was to move") from None
        return self._rest.pop(0)

    def _ask(self, position: Position, name: str) -> list[int]:
        """Return the actions of the first line that names legal ones, or a choice from the menu."""
        menu = menu_of(capabilities.action_groups(position))
        while True:
            if menu is not None and menu.text(MENU_COLUMNS):
                self._say(f"{menu.text(MENU_COLUMNS)}\n")
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
    """Return the actions of a line. Raises IllegalAction if one is not legal in its turn."""
    actions = capabilities.parse_line(position, text)
    if actions is None:
        return [position.parse_action(text)]  # its error lists what is legal
    twin = position.copy()
    for action in actions:
        twin.play(action)
    return actions


def make_human(game: Game, options: Mapping[str, Any], seed: int) -> Human:
    """Make the agent of the spec `human`."""
    return Human()
