"""Who is told how a run goes, and the figures of a wave."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from meeple.games.contract.records import GameRecord
from meeple.learn.selfplay import Wave


class Reporter(Protocol):
    """Who is told how a run goes."""

    def message(self, text: str) -> None:
        """A sentence, such as what was found on resume."""
        ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        """A wave was played and learned from; `episodes` and `seconds` count from the start."""
        ...

    def game(self, record: GameRecord) -> None:
        """An episode of the wave, before `wave`."""
        ...


class Silent:
    """Tells nobody."""

    def message(self, text: str) -> None: ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None: ...

    def game(self, record: GameRecord) -> None: ...


@dataclass(frozen=True)
class Losses:
    """What the minibatches after a wave gave."""

    means: Mapping[str, float]  # by name, see `train_step`; empty where no minibatch was due
    seconds: float


def metrics_of(wave: Wave, losses: Losses, cases: int) -> dict[str, float]:
    """A wave's figures by name; `cases` are in the replay buffer."""
    timing, count = wave.timing, len(wave.episodes)
    seconds = max(timing.total, 1e-9)
    plies = sum(len(episode.actions) - episode.opening for episode in wave.episodes)
    return {
        **{f"loss/{name}": loss for name, loss in losses.means.items()},
        "selfplay/plies": plies / count,
        "selfplay/simulations_per_second": timing.simulations / seconds,
        "selfplay/evaluations_per_second": timing.evaluations / seconds,
        "selfplay/network_share": timing.network / seconds,
        "selfplay/first_player_share": float(np.mean([e.payoffs[0] for e in wave.episodes])),
        "time/selfplay_seconds": timing.total,
        "time/learning_seconds": losses.seconds,
        "replay/cases": float(cases),
    }
