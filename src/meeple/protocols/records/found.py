"""What a file of game records gives: its games, each read when it is asked for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.records import GameRecord

Read = GameRecord | MeepleError
"""A game, or in its place why it cannot be read: a sentence that says which game it is."""


@dataclass(frozen=True)
class FoundGames:
    """The games of a file; none is read before it is asked for."""

    total: int
    read: Callable[[int], GameRecord]
    """The game of a number from 0. Raises MeepleError, which need not say which game it is."""
    unit: str = "game"  # what a number counts, from 1
    path: str = ""  # of the file, for errors
    first: int = 0  # games that were left out before

    @property
    def games(self) -> Iterator[Read]:
        """The games in order; in the place of one that cannot be read, why."""
        for number in range(self.total):
            try:
                yield self.read(number)
            except MeepleError as error:
                yield type(error)(f"{self._place(number)}{error}")

    def records(self) -> Iterator[GameRecord]:
        """The games, as far as they can be read. Raises MeepleError at the first that cannot."""
        for game in self.games:
            if isinstance(game, MeepleError):
                raise game
            yield game

    def cut(self, first: int, most: int | None = None) -> "FoundGames":
        """At most so many of the games, from number `first` on, counted from 1. Raises UsageError.

        Numbers in errors stay those of the file.
        """
        if not 1 <= first <= self.total:
            games = f"{self.total:,} game{'s' * (self.total != 1)}"
            raise UsageError(f"there is no game {first:,}: it has {games}")
        left = self.total - first + 1
        read, before = self.read, first - 1
        return FoundGames(
            left if most is None else min(left, most),
            lambda number: read(before + number),
            self.unit,
            self.path,
            self.first + before,
        )

    def in_file(self, path: str) -> "FoundGames":
        """The same, where every error names the file."""
        return FoundGames(self.total, self.read, self.unit, path, self.first)

    def _place(self, number: int) -> str:
        """The words before what is wrong with a game."""
        alone = self.total == 1 and not self.first and self.unit == "game"
        place = "" if alone else f"{self.unit} {self.first + number + 1}"
        if self.path:
            return f"{self.path}, {place}: " if place else f"{self.path}: "
        return f"{place}{': ' if self.unit == 'line' else ', '}" if place else ""


def check_total(total: int, most: int | None) -> None:
    """Raise MeepleError where there are more games than are read at once."""
    if most is not None and total > most:
        raise MeepleError(f"these are {total:,} games; at most {most:,} are read at once")
