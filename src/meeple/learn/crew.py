"""Who plays and who learns in a run: what the loop knows of them, wherever they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from meeple.errors import NetworkError
from meeple.executors.executor import Executor
from meeple.learn.config import Config
from meeple.learn.episode import Episode
from meeple.learn.learner import Lesson, Losses
from meeple.learn.replay import Cases
from meeple.learn.selfplay import Timing, Wave

Numbers = Sequence[int]
"""A job of self-play: the numbers of episodes that are played together."""


@dataclass(frozen=True)
class Arrival:
    """A wave as it comes to the trainer."""

    numbers: Numbers
    episodes: tuple[Episode, ...]  # in the order of their numbers; moves may be left out
    cases: tuple[Cases, ...]  # of each episode that has some, in the same order
    timing: Timing
    generation: int  # of the network that played: the episodes that it had learned from
    worker: str = ""  # that played; "": this process

    def notes(self, seconds: float) -> dict[str, str | int | float]:
        """What the record of each game says of how it came about; of this process, nothing."""
        if not self.worker:
            return {}
        return {
            "network": self.generation,
            "worker": self.worker,
            "arrived": round(seconds, 3),  # since the run began
        }


class Crew(Protocol):
    """Those who work for one session of training. Close it at the end."""

    @property
    def players(self) -> Executor[Numbers, Arrival]:
        """Those who play."""
        ...

    @property
    def cases(self) -> int:
        """How many are in the replay buffer."""
        ...

    def learn(self, lesson: Lesson, cases: Sequence[Cases]) -> Losses:
        """Take cases into the replay buffer and learn from it; the run's network follows, and those
        who play take it over.

        What it gives has what the network knew of the cases before, too. Raises Stopped where the
        run is to stop and minibatches would take long.
        """
        ...

    def fetch(self) -> None:
        """Bring the run's network and optimizer up to date, to be saved."""
        ...

    def matches(self, seconds: float, *, at_end: bool) -> Mapping[str, float]:
        """Figures of matches that have been played, where they were due, see `Matches`."""
        ...

    def close(self) -> None:
        """Let go of all that was begun."""
        ...


def arrival_of(
    config: Config, numbers: Numbers, wave: Wave, generation: int, worker: str = ""
) -> Arrival:
    """A wave with the cases that are to be learned from it."""
    cases = tuple(_cases(config, episode) for episode in wave.episodes if episode.moves)
    return Arrival(numbers, wave.episodes, cases, wave.timing, generation, worker)


def _cases(config: Config, episode: Episode) -> Cases:
    training = config.training
    rng = np.random.default_rng((config.run.seed, episode.seed, 2, 1))
    return episode.cases(training.search_value, training.surprise, rng, discount=training.discount)


def diverged(error: NetworkError, numbers: Numbers) -> NetworkError:
    """The error that a network's output was not finite, with when that was."""
    return NetworkError(f"{error}: training diverged by episode {numbers[0]}")


def kept_as_saved(error: NetworkError, folder: Path) -> NetworkError:
    """The same, with what to do."""
    return NetworkError(
        f"{error}, and {folder} stays as it was saved last; begin another run with a lower "
        "learning rate"
    )
