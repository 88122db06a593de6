"""Saving a game that is played: to files of its own, and never over others."""

from collections.abc import Sequence
from pathlib import Path

from meeple.errors import MeepleError
from meeple.files import write_atomically
from meeple.games.contract.records import GameRecord


class SavedGame:
    """The files that one game is saved to; it may replace its own, such as that it came from."""

    def __init__(self, own_files: Sequence[Path] = ()) -> None:
        self._own_files = {path.resolve() for path in own_files}

    def check(self, path: Path) -> None:
        """Raise MeepleError for a file that exists and is not the game's own."""
        if path.exists() and path.resolve() not in self._own_files:
            raise MeepleError(f"{path} exists already; name another file")

    def store(self, path: Path, record: GameRecord) -> None:
        """Write the record, all or nothing. Raises MeepleError that says why it cannot be."""
        try:
            write_atomically(path, record.to_json() + "\n")
        except OSError as error:
            reason = error.strerror or error
            raise MeepleError(f"the game cannot be saved to {path}: {reason}") from None
        self._own_files.add(path.resolve())
