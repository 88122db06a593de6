"""What a run's figures mean, in words: how the network fares, and what goes wrong in learning."""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from meeple.games.contract.records import GameRecord
from meeple.learn.config import Config, ValuesConfig
from meeple.learn.evaluation.findings import (
    LEAST_EPISODES,
    LEAST_WAVES,
    Finding,
    records_findings,
    selfplay_findings,
)
from meeple.learn.evaluation.pairing import pairings_in
from meeple.learn.evaluation.results import progress
from meeple.learn.evaluation.values_findings import LATELY, values_findings
from meeple.learn.run.cluster_state import ClusterState
from meeple.learn.run.metrics import all_waves
from meeple.learn.run.schema import WaveMetrics

TELL_SECONDS = 60.0  # of training between two looks for what goes wrong
MOST_WAVES = 4000  # that are remembered


class History:
    """The waves of a run, thinned once there are very many: those with matches are all kept."""

    def __init__(self, waves: Iterable[WaveMetrics] = ()) -> None:
        self.waves: list[WaveMetrics] = []
        for wave in waves:
            self.add(wave)

    def add(self, wave: WaveMetrics) -> None:
        """A wave; those that it replaces, since a session before lost them, are forgotten."""
        while self.waves and self.waves[-1].episodes >= wave.episodes:
            self.waves.pop()
        self.waves.append(wave)
        if len(self.waves) > MOST_WAVES:
            keep = [pairings_in(one.metrics) or number % 2 for number, one in enumerate(self.waves)]
            self.waves = [one for one, kept in zip(self.waves, keep, strict=True) if kept]


class Adviser:
    """A reporter that tells how the network fares after each round of matches, and what goes wrong
    once it is seen, each kind once.
    """

    def __init__(
        self,
        config: Config | ValuesConfig,
        players: int,
        before: Iterable[WaveMetrics],
        tell: Callable[[str], None],
    ) -> None:
        """`before`: the waves of earlier sessions; `tell` is given sentences without full stops."""
        self.history = History(before)
        self._config, self._players, self._tell = config, players, tell
        self._told: set[str] = set()
        self._looked = 0.0  # seconds of the run

    def message(self, text: str) -> None: ...

    def cluster(self, state: ClusterState) -> None: ...

    watch = None

    def game(self, record: GameRecord) -> None: ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        wave = WaveMetrics.model_construct(
            episodes=episodes, seconds=seconds, time=time.time(), starts=False, metrics=metrics
        )
        self.history.add(wave)
        if pairings_in(metrics):
            for line in progress(self.history.waves, self._players):
                self._tell(f"{self._config.unit.capitalize()} {episodes}: {line}")
        if seconds - self._looked > TELL_SECONDS:
            self._looked = seconds
            for found in findings(self.history.waves, self._config):
                if found.name not in self._told:
                    self._told.add(found.name)
                    self._tell(sentence(found))


def summary(folder: str | Path, config: Config | ValuesConfig) -> list[str]:
    """How a run's network fares, and what goes wrong, in sentences. Raises RunError."""
    waves = all_waves(folder)
    lines = progress(waves, config.make_game().players)
    lines += [f"Note: {sentence(found)}" for found in findings(waves, config)]
    return [f"{line}." for line in lines]


def sentence(found: Finding) -> str:
    """A finding and its advice, without the last point."""
    return f"{found.words[0].upper()}{found.words[1:]}. {found.advice[0].upper()}{found.advice[1:]}"


def findings(waves: Sequence[WaveMetrics], config: Config | ValuesConfig) -> list[Finding]:
    """What goes wrong in a run of any kind, by its waves in their order."""
    if isinstance(config, ValuesConfig):
        return values_findings(waves, config)
    if config.records:
        return records_findings(waves, config)
    return selfplay_findings(waves, config)


def lacking(waves: Sequence[WaveMetrics], config: Config | ValuesConfig) -> str:
    """Return which data findings lack, as text; "" if they have enough."""
    if isinstance(config, ValuesConfig):
        rounds = len(waves)
        return f"{rounds} of {LATELY} rounds" if rounds < LATELY else ""
    if len(waves) < LEAST_WAVES:
        return f"{len(waves)} of {LEAST_WAVES} waves"
    episodes = waves[-1].episodes - waves[0].episodes
    return f"{episodes} of {LEAST_EPISODES} episodes" if episodes < LEAST_EPISODES else ""
