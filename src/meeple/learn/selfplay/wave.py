"""Waves of self-play as they come to the trainer, from this process or another."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from meeple.errors import NetworkError
from meeple.learn.config import Config
from meeple.learn.selfplay.episode import Episode
from meeple.learn.selfplay.play import PlayedWave, Timing
from meeple.learn.selfplay.trajectory import Trajectory

Numbers = Sequence[int]
"""A job of self-play: the numbers of episodes that are played together."""


@dataclass(frozen=True)
class Wave:
    """A wave as it comes to the trainer."""

    numbers: Numbers
    episodes: tuple[Episode, ...]  # in the order of their numbers; moves may be left out
    trajectories: tuple[Trajectory, ...]  # of each episode with decisions, in the same order
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


def wave_of(
    config: Config, numbers: Numbers, played: PlayedWave, generation: int, worker: str = ""
) -> Wave:
    """Return a wave with the trajectories to learn from."""
    trajectories = tuple(
        _trajectory(config, episode) for episode in played.episodes if episode.moves
    )
    return Wave(numbers, played.episodes, trajectories, played.timing, generation, worker)


def _trajectory(config: Config, episode: Episode) -> Trajectory:
    training = config.training
    rng = np.random.default_rng((config.run.seed, episode.seed, 2, 1))
    return episode.trajectory(
        training.search_value, training.surprise, rng, discount=training.discount
    )


def diverged(error: NetworkError, numbers: Numbers) -> NetworkError:
    """The error that a network's output was not finite, with when that was."""
    return NetworkError(f"{error}: training diverged by episode {numbers[0]}")


def kept_as_saved(error: NetworkError, folder: Path) -> NetworkError:
    """The same, with what to do."""
    return NetworkError(
        f"{error}, and {folder} stays as it was saved last; begin another run with a lower "
        "learning rate"
    )
