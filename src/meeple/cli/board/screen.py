"""The terminal's output of a game with people: drawings, moves, and whose turn it is."""

import itertools
import operator
from collections.abc import Callable, Sequence

from meeple.cli.board.story import Story
from meeple.cli.shared.terminal import height, hidden_above
from meeple.cli.shared.words import describe_result, seat_names
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position


class BoardScreen:
    """The screen that all `people`, the seats of human players, share.

    `specs` are the seats' agents, "human" for a person; `read` waits for a line.
    """

    def __init__(
        self,
        game: Game,
        specs: Sequence[str],
        people: Sequence[int],
        *,
        colour: bool,
        read: Callable[[str], str],
    ) -> None:
        alone = len(people) == 1
        self.names = seat_names(
            game, ["you" if alone and spec == "human" else spec for spec in specs]
        )
        self._people = people
        self._colour = colour
        self._read = read
        self._has_sentences = isinstance(
            game, capabilities.DescribesActions
        )  # has sentences for actions
        self._story = Story(game.player_names)
        self._facing: int | None = None  # the seat whose hand was shown last
        self._drawn: list[str] = []  # the parts of the last drawing

    def tell(self, before: Position, action: int, after: Position, words: str) -> None:
        """Print an action, in the game's own sentence if it has one, else as `words`."""
        told = capabilities.describe_action(before, action, after, self._reader(after))
        if told:
            self._story.tell(told)
        elif told is None and words:
            print(words)

    def show(self, position: Position, whole: bool = False) -> bool:
        """Draw the position; if the game describes actions, only when a person is to move.

        A drawing may have parts, separated by empty lines; the parts above the first change are
        left out unless `whole`. Returns whether it was drawn.
        """
        waiting = position.is_over or position.to_move in self._people
        drawn = whole or waiting or not self._has_sentences
        if drawn:
            self.end_line()
            self._hand_over(position)
            parts = self._drawing(position)
            same = 0 if whole else _equal_from_the_top(parts[:-1], self._drawn)
            print("\n" + "\n\n".join(parts[same:]) + "\n")
            self._drawn = parts
        if position.is_over:
            print(describe_result(position, self.names))
        return drawn

    def show_again(self, position: Position) -> bool:
        """Draw the whole position, or its board alone if the terminal has too few lines.

        Returns whether the whole position was drawn.
        """
        parts = self._drawing(position)
        if sum(part.count("\n") + 2 for part in parts) < height():
            return self.show(position, whole=True)
        print(parts[0])
        return False

    def forget(self) -> None:
        """Draw every part the next time."""
        self._drawn = []

    def end_line(self) -> None:
        """End the open line of the story, before other output."""
        self._story.end()

    def _reader(self, position: Position) -> int | None:
        """Return the seat that reads the screen: the person to move, or the only person."""
        if position.to_move in self._people:
            return position.to_move
        return self._people[0] if len(self._people) == 1 else None

    def _hand_over(self, position: Position) -> None:
        """Before a hidden hand is shown, wait until only its owner sees the screen."""
        seat, game = position.to_move, position.game
        if len(self._people) < 2 or not game.hides or seat not in self._people:
            return
        if self._facing is not None and seat != self._facing:
            print(hidden_above())
            self._read(f"{game.player_name(seat)}, when only you see the screen (Enter: go on): ")
            self.forget()
        self._facing = seat

    def _drawing(self, position: Position) -> list[str]:
        """Return the drawing of the position as its reader may see it, in parts."""
        game, reader = position.game, self._reader(position)
        if reader is None:
            return game.draw(position, self._colour).split("\n\n")
        return game.view(position, reader, self._colour).split("\n\n")


def _equal_from_the_top(parts: Sequence[str], others: Sequence[str]) -> int:
    """Return the number of equal parts before the first that differs."""
    return sum(1 for _ in itertools.takewhile(bool, map(operator.eq, parts, others)))
