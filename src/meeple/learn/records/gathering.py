"""Games that a run learns from: read from files of any format, checked, copied to its folder.

The copy is a file of JSON lines, so that the run can resume without the original files. Games of
another game or board, repeated games and games that break the rules are left out and counted.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from meeple.errors import ConfigError, MeepleError, RunError, Stopped
from meeple.files import atomic_file, reported
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord, game_of, replay
from meeple.learn.run.folder import RECORDS
from meeple.protocols.records.formats import read_file
from meeple.protocols.records.vocabulary import NOTHING_GIVEN

Progress = Callable[[int, int], None]
REPLAYED = "jsonl"  # the format whose reading does not play the games; all others do


class Gathered:
    """Counts of the games of files: those that are learned from, and those left out by reason."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kept = 0
        self.decided = 0  # of those, games with a result
        self.declared = 0  # of those, games whose result is only declared
        self.twice = 0
        self.others: Counter[str] = Counter()  # other games, by name and options
        self.faulty: list[str] = []  # the first error
        self.wrong = 0
        self.notices: list[str] = []  # on how the files were understood
        self._seen: set[tuple[object, ...]] = set()

    def takes(self, record: GameRecord) -> bool:
        """Count a record; return whether to learn from it."""
        try:
            what = game_of(record)
        except MeepleError as error:
            self.note(error)
            return False
        if (what.name, dict(what.options)) != (self.game.name, dict(self.game.options)):
            options = ", ".join(f"{key}={value}" for key, value in what.options.items())
            self.others[f"{what.name} ({options})" if options else what.name] += 1
            return False
        key = (record.seed, record.actions)
        if key in self._seen or not record.actions:
            self.twice += 1
            return False
        self._seen.add(key)
        self.kept += 1
        self.decided += record.shares is not None
        self.declared += record.is_declared
        return True

    def note(self, error: MeepleError) -> None:
        """Count a game that cannot be read."""
        self.wrong += 1
        if not self.faulty:
            self.faulty.append(str(error))

    def sentences(self) -> list[str]:
        """Return sentences on the games left out, without full stops."""
        said = [*self.notices]
        if self.others:
            kinds = ", ".join(f"{count:,} of {name}" for name, count in self.others.most_common(3))
            many = self.others.total()
            are = "is" if many == 1 else "are"
            said.append(f"Left out {_games(many)} that {are} not of this one: {kinds}")
        if self.twice:
            said.append(f"Left out {_games(self.twice)}: there twice, or without a move")
        if self.wrong:
            said.append(f"Left out {_games(self.wrong)} that cannot be read: {self.faulty[0]}")
        if self.kept and not self.decided:
            said.append("None of the games has a result: moves are learned, but no values")
        elif self.decided < self.kept:
            unknown = _games(self.kept - self.decided)
            said.append(f"No values are learned from {unknown} without a result")
        if self.declared:
            said.append(f"The result of {_games(self.declared)} is only declared by the file")
        return said


def _games(count: int) -> str:
    return f"{count:,} game{'s' * (count != 1)}"


def store_records(
    game: Game,
    files: Sequence[Path],
    folder: Path,
    given: Mapping[str, Any] = NOTHING_GIVEN,
    stop: Callable[[], bool] = lambda: False,
    progress: Progress = lambda done, total: None,
) -> Gathered:
    """Read the games of files, and write those of `game` to a run's folder atomically.

    Args:
        game: the game of the run.
        files: files of games in any format.
        folder: the run's folder.
        given: the options that the user gave, see `read`.
        stop: turns true if reading is to stop.
        progress: called with the games read so far and their total.

    Raises:
        MeepleError: a file cannot be read.
        ConfigError: no game of the files is of this game.
        RunError: the folder cannot be written.
        Stopped: `stop` turned true.
    """
    opened = [read_file(path, given=given) for path in files]
    total = sum(one.found.total for one in opened)
    gathered, done = Gathered(game), 0
    path = folder / RECORDS
    with reported(f"cannot write {path}"):
        folder.mkdir(parents=True, exist_ok=True)
    with reported(f"cannot write {path}"), atomic_file(path) as out:
        for one in opened:
            for record in one.found.games:
                if stop():
                    raise Stopped
                done += 1
                progress(done, total)
                if isinstance(record, MeepleError):
                    gathered.note(record)
                elif _is_sound(record, one.format.name, gathered):
                    out.write(record.to_json().encode() + b"\n")
            gathered.notices += one.found.notices()
        if not gathered.kept:
            raise ConfigError(_nothing(game, gathered))
    return gathered


def _is_sound(record: GameRecord, format: str, gathered: Gathered) -> bool:
    """Return whether a game of a file can be learned from; count it."""
    try:
        if format == REPLAYED:
            replay(record)
    except MeepleError as error:
        gathered.note(error)
        return False
    return gathered.takes(record)


def _nothing(game: Game, gathered: Gathered) -> str:
    options = ", ".join(f"{key}={value}" for key, value in game.options.items())
    found = "; ".join(gathered.sentences()) or "they hold no game"
    return f"there is no game of {game.name} ({options}) in these files: {found}"


def stored_records(folder: Path) -> Iterator[GameRecord]:
    """Yield the games of a run. Raises RunError if they cannot be read."""
    try:
        yield from read_file(folder / RECORDS, format=REPLAYED).found.records()
    except MeepleError as error:
        raise RunError(f"the games that this run learns from are damaged: {error}") from None
