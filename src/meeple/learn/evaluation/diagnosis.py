"""Reports a run's progress and problems as sentences, from its metrics."""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from meeple.learn.config import Config, ValuesConfig
from meeple.learn.evaluation.findings import (
    MIN_EPISODES,
    MIN_WAVES,
    RunFinding,
    records_findings,
    selfplay_findings,
)
from meeple.learn.evaluation.results import pairings_in, progress
from meeple.learn.evaluation.values_findings import RECENT_ROUNDS, values_findings
from meeple.learn.run.metrics import Silent, all_waves
from meeple.learn.run.schema import WaveMetrics

CHECK_INTERVAL_SECONDS = 60.0  # of training between two checks for problems
MAX_WAVES = 4000  # held in memory; more are thinned


class WaveHistory:
    """The waves of a run, thinned above `MAX_WAVES`; those with matches all stay."""

    def __init__(self, waves: Iterable[WaveMetrics] = ()) -> None:
        self.waves: list[WaveMetrics] = []
        for wave in waves:
            self.add(wave)

    def add(self, wave: WaveMetrics) -> None:
        """Add a wave; it replaces later waves of an earlier session, which were lost."""
        while self.waves and self.waves[-1].episodes >= wave.episodes:
            self.waves.pop()
        self.waves.append(wave)
        if len(self.waves) > MAX_WAVES:
            keep = [pairings_in(one.metrics) or number % 2 for number, one in enumerate(self.waves)]
            self.waves = [one for one, kept in zip(self.waves, keep, strict=True) if kept]


class Adviser(Silent):
    """A reporter that logs results after each round of matches, and each problem once."""

    def __init__(
        self,
        config: Config | ValuesConfig,
        players: int,
        before: Iterable[WaveMetrics],
        tell: Callable[[str], None],
    ) -> None:
        """Start with the waves of earlier sessions.

        Args:
            config: the run's configuration.
            players: number of players of the game.
            before: waves of earlier sessions.
            tell: receives each sentence, without its full stop.
        """
        self.history = WaveHistory(before)
        self._config, self._players, self._tell = config, players, tell
        self._reported: set[str] = set()  # names of findings
        self._checked = 0.0  # training seconds at the last check

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        wave = WaveMetrics.model_construct(
            episodes=episodes, seconds=seconds, time=time.time(), starts=False, metrics=metrics
        )
        self.history.add(wave)
        if pairings_in(metrics):
            for line in progress(self.history.waves, self._players):
                self._tell(f"{self._config.unit.capitalize()} {episodes}: {line}")
        if seconds - self._checked > CHECK_INTERVAL_SECONDS:
            self._checked = seconds
            for found in findings(self.history.waves, self._config):
                if found.name not in self._reported:
                    self._reported.add(found.name)
                    self._tell(sentence(found))


def summary(folder: str | Path, config: Config | ValuesConfig) -> list[str]:
    """Return a run's progress and problems as sentences.

    Raises:
        RunError: the metrics cannot be read.
    """
    waves = all_waves(folder)
    lines = progress(waves, config.make_game().players)
    lines += [f"Note: {sentence(found)}" for found in findings(waves, config)]
    return [f"{line}." for line in lines]


def sentence(found: RunFinding) -> str:
    """Return a finding and its advice as text, without the last full stop."""
    return f"{found.words[0].upper()}{found.words[1:]}. {found.advice[0].upper()}{found.advice[1:]}"


def findings(waves: Sequence[WaveMetrics], config: Config | ValuesConfig) -> list[RunFinding]:
    """Return the problems of a run, by the method that it learns with."""
    if isinstance(config, ValuesConfig):
        return values_findings(waves, config)
    if config.records:
        return records_findings(waves, config)
    return selfplay_findings(waves, config)


def lacking(waves: Sequence[WaveMetrics], config: Config | ValuesConfig) -> str:
    """Return which data findings lack, as text; "" if they have enough."""
    if isinstance(config, ValuesConfig):
        rounds = len(waves)
        return f"{rounds} of {RECENT_ROUNDS} rounds" if rounds < RECENT_ROUNDS else ""
    if len(waves) < MIN_WAVES:
        return f"{len(waves)} of {MIN_WAVES} waves"
    episodes = waves[-1].episodes - waves[0].episodes
    return f"{episodes} of {MIN_EPISODES} episodes" if episodes < MIN_EPISODES else ""
