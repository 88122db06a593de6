"""A run that learns values while it goes on: all that its parts look at, and change."""

from collections import Counter
from dataclasses import dataclass, field

from meeple.arena.lockstep import Stop
from meeple.games.contract.game import Game
from meeple.learn.config import ValuesConfig
from meeple.learn.run.reporter import Reporter
from meeple.learn.values.folder import ValuesFolder, ValuesState
from meeple.learn.values.work import Glance, Work


@dataclass
class ValuesRun:
    """All of a run, who does its work, and who is told how it goes."""

    config: ValuesConfig
    folder: ValuesFolder
    games: tuple[Game, ...]  # that it learns: the game itself, then its variants
    state: ValuesState
    work: Work
    reporter: Reporter
    stop: Stop
    spent: dict[str, float] = field(default_factory=dict)  # seconds of the round, by what on
    labelled: Counter[int] = field(default_factory=Counter)  # games in its folder, by round
    doing: str = ""  # what the trainer does itself, while workers wait

    @property
    def game(self) -> Game:
        """The game itself."""
        return self.games[0]

    @property
    def round(self) -> int:
        """The one that it is in."""
        return self.state.rounds

    @property
    def is_over(self) -> bool:
        """Whether all rounds are done, or the time is up."""
        limits = self.config.run
        late = limits.minutes is not None and self.state.seconds >= 60 * limits.minutes
        return self.state.rounds > limits.rounds or late

    @property
    def progress(self) -> float:
        """The share of the run that is over, 0 to 1: of its rounds, or if more of its time."""
        limits = self.config.run
        spent = self.state.seconds / (60 * limits.minutes) if limits.minutes else 0.0
        return min(1.0, max(self.state.rounds / (limits.rounds + 1), spent))

    def glance(self) -> Glance:
        """What it is at."""
        fitted = [
            games
            for number, games in self.labelled.items()
            if number < self.round or self.folder.candidate(number).exists()
        ]
        stored = self.labelled.total()
        return Glance(stored, sum(fitted), self.state.incumbent, self.doing)
