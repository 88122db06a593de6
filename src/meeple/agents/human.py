"""The agent that asks a person: board and prompt on stderr, one line of stdin a move.

What `meeple play` adds to this, such as undo and hints, is in the command's own session.
"""

import sys
from collections.abc import Callable, Mapping

from meeple.agents.agent import Analysis
from meeple.errors import IllegalAction, MeepleError
from meeple.games.game import Game
from meeple.games.position import Position


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

    def begin(self, seed: int) -> None:
        """Nothing to forget, and nothing to draw."""

    def choose(self, position: Position) -> int:
        """The move that the person types. Raises MeepleError where the input ends before it."""
        name = position.game.player_name(position.to_move)
        self._say(f"{position.game.view(position, position.to_move)}\n")
        while True:
            try:
                return position.parse_action(self._read(f"{name}, your move: "))
            except IllegalAction as error:
                self._say(f"{error}\n")
            except EOFError:
                raise MeepleError(f"the input ended while {name} was to move") from None


def make_human(game: Game, options: Mapping[str, float], seed: int) -> Human:
    """The agent of the spec `human`."""
    return Human()
