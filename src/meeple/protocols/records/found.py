"""The games of a file of records, each parsed on demand."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from meeple.errors import MeepleError, UsageError
from meeple.games.contract.records import GameRecord
from meeple.sentences import counted, say

NOTICE = "notice"  # the note of a record that says how the file was understood

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
    noticed: Counter[str] = field(default_factory=Counter)
    """How the file and the games read so far were understood: by sentence, the number of games; 0
    for the whole file."""

    @property
    def games(self) -> Iterator[Read]:
        """The games in order; an unreadable game is an error in its place."""
        for number in range(self.total):
            try:
                record = self.read(number)
                if isinstance(said := record.notes.get(NOTICE), str):
                    self.noticed[said] += 1
                yield record
            except MeepleError as error:
                yield type(error)(self._placed(number, error))

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
            games = counted(self.total, "game")
            raise UsageError(say("record.there_is_no_game_it", n=first, n2=games))
        left = self.total - first + 1
        read, before = self.read, first - 1
        return dataclasses.replace(
            self,
            total=left if most is None else min(left, most),
            read=lambda number: read(before + number),
            first=self.first + before,
        )

    def in_file(self, path: str) -> "FoundGames":
        """Return the same games with errors that name the file."""
        return dataclasses.replace(self, path=path)

    def with_notices(self, sentences: Iterable[str]) -> "FoundGames":
        """Return the same games with sentences on the whole file."""
        return dataclasses.replace(self, noticed=Counter(dict.fromkeys(sentences, 0)))

    def notices(self) -> list[str]:
        """Return how the file was understood so far, as sentences without full stops."""
        found = [
            say("text.why", what=said, why=counted(count, "game")) if count else said
            for said, count in self.noticed.items()
        ]
        return [say("text.named", name=self.path, text=one) if self.path else one for one in found]

    def _placed(self, number: int, error: MeepleError) -> str:
        """Return an error that names the game."""
        n = self.first + number + 1
        alone = self.total == 1 and not self.first and self.unit == "game"
        if self.path:
            return f"{self.path}{'' if alone else f', {self.unit} {n}'}: {error}"
        if alone:
            return str(error)
        return say("record.line" if self.unit == "line" else "record.in_game", n=n, reason=error)


def check_total(total: int, most: int | None) -> None:
    """Raise MeepleError if there are more than `most` games."""
    if most is not None and total > most:
        raise MeepleError(say("record.these_are_games_at", n=total, n2=most))
