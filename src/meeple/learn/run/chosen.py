"""A race of methods: the runs that enter it, and the record of the matches that decided."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field

from meeple.arena.figures.statistics import wilson_interval
from meeple.files import reported, write_atomically
from meeple.games.contract.game import Game
from meeple.games.contract.result import percent
from meeple.learn.config import AnyConfig
from meeple.learn.run.folder import RunFolder, holds_run
from meeple.learn.run.schema import Stored, read_stored
from meeple.learn.usual import usual_configs

RACE = "race"  # the folder of the methods in a run's folder
RACE_SHARE = 0.1  # of the minutes: training of all methods, and their matches
MATCH_SHARE = 0.3  # of the race: the matches
RESULT = "race.json"
MAX_RESULT_BYTES = 100_000
MOVE_SECONDS = 0.02  # of all agents in matches
MIN_GAMES = 10  # of a match, before its interval decides it
_Seconds = Annotated[float, Field(ge=0)]
_Share = Annotated[float, Field(ge=0, le=1)]


class Contest(Stored):
    """A match at equal time a move."""

    method: str  # its name among the usual configurations
    opponent: str  # another method, or the spec of an agent
    share: _Share  # of the win, of the method
    games: Annotated[int, Field(ge=1)]
    seconds: _Seconds
    points: tuple[float, float] | None = None  # mean of both, in a game of points

    @property
    def words(self) -> str:
        """The result as a phrase: "won 90 % of 20 games against uct:seconds=0.02"."""
        if self.points is not None:
            mine, other = self.points
            many = f"points a game, and {self.opponent} {other:.1f}"
            return f"has {mine:.1f} {many}, in {self.games} games"
        return f"won {percent(self.share)} of {self.games} games against {self.opponent}"

    @property
    def is_clear(self) -> bool:
        """Whether enough games were played, and the interval excludes equal strength."""
        if self.games < MIN_GAMES:
            return False
        low, high = wilson_interval(self.share * self.games, self.games)
        return not low <= 0.5 <= high


class Race(Stored):
    """The methods that fitted a game, and what decided between them."""

    seconds: dict[str, _Seconds]  # of training, by method
    contests: list[Contest]
    winner: str
    spent: _Seconds  # seconds besides the training of the winner
    final: Contest | None = None  # the trained agent against the yardstick

    @property
    def sentence(self) -> str:
        """Which method was chosen, and why."""
        if not self.contests:
            why = "fits the game" if len(self.seconds) == 1 else "had a network in time"
            return f"Method {self.winner}: no other {why}"
        trained = max(self.seconds.values())
        results = "; ".join(f"{one.method} {one.words}" for one in self.contests)
        return (
            f"Method {self.winner}: after {trained:.0f} s of training each, at "
            f"{1000 * MOVE_SECONDS:.0f} ms a move, {results}"
        )

    @property
    def strength(self) -> list[str]:
        """The strength of the trained agent as a sentence, if it was measured."""
        if self.final is None:
            return []
        advice = f": {self.final.opponent} is stronger so far" if self.final.share < 0.5 else ""
        return [f"The trained agent {self.final.words}{advice}."]

    @property
    def sentences(self) -> list[str]:
        """The choice and, if it was measured, the strength of the trained agent."""
        return [f"{self.sentence}.", *self.strength]


def enter(game: Game, folder: Path, minutes: float) -> Mapping[str, AnyConfig]:
    """Make a run of each method that fits a game, for an equal part of a race in a run's folder.

    Returns:
        The configurations of the methods, by name. Runs that there are already stay.

    Raises:
        UsageError: no method fits the game.
        RunError: a folder cannot be made.
    """
    configs = usual_configs(game)
    share = RACE_SHARE * (1 - MATCH_SHARE) * minutes / len(configs)
    for name, config in configs.items():
        if not holds_run(folder / RACE / name):
            RunFolder(folder / RACE / name).create(lasting(config, share))
    return configs


def lasting(config: AnyConfig, minutes: float) -> AnyConfig:
    """Return a configuration with another time limit."""
    run = config.run.model_copy(update={"minutes": minutes})
    return config.model_copy(update={"run": run})


def read_race(folder: str | Path) -> Race | None:
    """Return the race of a run, or None if its method was not chosen by one.

    Raises:
        RunError: the file is damaged.
    """
    try:
        return read_stored(Path(folder) / RESULT, Race, MAX_RESULT_BYTES)
    except FileNotFoundError:
        return None


def save_race(folder: Path, race: Race) -> None:
    """Write the record of a run. Raises RunError if that fails."""
    with reported(f"cannot write {folder / RESULT}"):
        write_atomically(folder / RESULT, race.model_dump_json(indent=2))
