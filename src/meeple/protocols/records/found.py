"""The games of a file of records, each parsed on demand."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.records import GameRecord

Read = GameRecord | MeepleError
"""A game, or the error of a game that cannot be read; its message names the game."""


@dataclass(frozen=True)
class FoundGames:
    """The games of a file, each parsed on demand."""

    total: int
    read: Callable[[int], GameRecord]
    """Returns a game by its number, from 0. Raises MeepleError, which need not name the game."""
    unit: str = "game"  # the unit of numbers in errors, which count from 1
    path: str = ""  # of the file, for errors
    first: int = 0  # number of skipped games before the first

    @property
    def games(self) -> Iterator[Read]:
        """The games in order; an unreadable game is an error in its place."""
        for number in range(self.total):
            try:
                yield self.read(number)
            except MeepleError as error:
                yield type(error)(f"{self._place(number)}{error}")

    def records(self) -> Iterator[GameRecord]:
        """Yield the games. Raises MeepleError at the first unreadable game."""
        for game in self.games:
            if isinstance(game, MeepleError):
                raise game
            yield game

    def cut(self, first: int, most: int | None = None) -> "FoundGames":
        """Return a part of the games; errors keep the numbers of the file.

        Args:
            first: the number of the first game, from 1.
            most: the largest number of games; None means no limit.

        Raises:
            UsageError: there is no game `first`.
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
        """Return the same games with errors that name the file."""
        return FoundGames(self.total, self.read, self.unit, path, self.first)

    def _place(self, number: int) -> str:
        """Return the prefix of an error that names the game."""
        alone = self.total == 1 and not self.first and self.unit == "game"
        place = "" if alone else f"{self.unit} {self.first + number + 1}"
        if self.path:
            return f"{self.path}, {place}: " if place else f"{self.path}: "
        return f"{place}{': ' if self.unit == 'line' else ', '}" if place else ""


def check_total(total: int, most: int | None) -> None:
    """Raise MeepleError if there are more than `most` games."""
    if most is not None and total > most:
        raise MeepleError(f"these are {total:,} games; at most {most:,} are read at once")
