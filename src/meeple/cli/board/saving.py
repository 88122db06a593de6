"""Saving the game of a session to its own files; other files are never overwritten."""

from collections.abc import Sequence
from pathlib import Path

from meeple.errors import MeepleError
from meeple.files import write_atomically
from meeple.games.contract.records import GameRecord


class SavedGame:
    """The files of one game, which it may replace, such as the file it was loaded from."""

    def __init__(self, own_files: Sequence[Path] = ()) -> None:
        self._own_files = {path.resolve() for path in own_files}

    def check(self, path: Path) -> None:
        """Raise MeepleError for an existing file that is not the game's own."""
        if path.exists() and path.resolve() not in self._own_files:
            raise MeepleError(f"{path} exists already; name another file")

    def store(self, path: Path, record: GameRecord) -> None:
        """Write the record atomically; raise MeepleError with the reason of a failure."""
        try:
            write_atomically(path, record.to_json() + "\n")
        except OSError as error:
            reason = error.strerror or error
            raise MeepleError(f"the game cannot be saved to {path}: {reason}") from None
        self._own_files.add(path.resolve())
