"""Reports a run's progress, problems and speed as sentences."""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from meeple.errors import Stopped
from meeple.kernels.compile_process import usable_cores
from meeple.learn.config import AnyConfig, Config, PatternsConfig, ValuesConfig
from meeple.learn.evaluation.findings import RunFinding, findings
from meeple.learn.evaluation.results import pairings_in, progress
from meeple.learn.run.metrics import Silent, all_waves
from meeple.learn.run.schema import WaveMetrics

CHECK_INTERVAL_SECONDS = 60.0  # of training between two checks for problems
MAX_WAVES = 4000  # held in memory; more are thinned
MIN_SPEEDUP = 1.15  # that is worth a change of the configuration
MAX_WAVE_SECONDS = 30.0  # that playing a wave may take to measure its speed

ACTIVITIES = (
    ("time/labelling_seconds", "labelling"),
    ("time/learning_seconds", "learning"),
    ("time/gate_seconds", "games that decide"),
)
"""Of a round of values: metric and words."""


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
        config: AnyConfig,
        players: int,
        before: Iterable[WaveMetrics],
        tell: Callable[[str], None],
    ) -> None:
        """Start with the waves `before`; `tell` receives each sentence, without its full stop."""
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


def summary(folder: str | Path, config: AnyConfig) -> list[str]:
    """Return a run's progress and problems as sentences. Raises RunError."""
    waves = all_waves(folder)
    lines = progress(waves, len(config.make_game().sides))
    lines += [f"Note: {sentence(found)}" for found in findings(waves, config)]
    return [f"{line}." for line in lines]


def sentence(found: RunFinding) -> str:
    """Return a finding and its advice as text, without the last full stop."""
    return f"{found.words[0].upper()}{found.words[1:]}. {found.advice[0].upper()}{found.advice[1:]}"


# ------------------------------------------------------------ speed


def speed_sentence(
    config: AnyConfig, waves: Sequence[WaveMetrics], duration: Callable[[float], str]
) -> str:
    """Return a sentence on the speed of a run and the shares of its time.

    `waves`: or rounds; `duration` gives words for a number of seconds.
    """
    last = waves[-1]
    if isinstance(config, ValuesConfig):
        parts = [
            f"{_sum(waves, name) / last.seconds:.0%} of it {words}" for name, words in ACTIVITIES
        ]
    elif isinstance(config, PatternsConfig):
        parts = [f"{_sum(waves, 'time/learning_seconds') / last.seconds:.0%} of it games"]
    else:
        playing = _sum(waves, "time/selfplay_seconds") / config.selfplay.workers
        learning = _sum(waves, "time/learning_seconds")
        parts = [
            f"{playing / last.seconds:.0%} of it self-play",
            f"{learning / last.seconds:.0%} learning",
        ]
    whole = duration(last.seconds * config.length / last.episodes)
    return (
        f"{last.episodes:,} {config.unit}s in {duration(last.seconds)}: {', '.join(parts)}; all "
        f"{config.length:,} would take {whole}."
    )


def _sum(waves: Sequence[WaveMetrics], name: str) -> float:
    return sum(wave.metrics.get(name, 0.0) for wave in waves)


def advice_on_workers(config: AnyConfig, folder: Path, stop: Callable[[], bool]) -> list[str]:
    """Return a sentence if another number of self-play workers is faster, as measured; or nothing.

    `stop` turns true if the measurement is to end.
    """
    if not isinstance(config, Config) or config.records is not None or stop():
        return []
    now, cores = config.selfplay.workers, usable_cores()
    other = cores if now == 1 else 1
    if other == now:
        return []
    try:
        before, after = (_seconds_of_wave(config, folder, n, stop) for n in (now, other))
    except Stopped:
        return []
    if before < MIN_SPEEDUP * after:
        return []
    ratio = before / after
    return [f"Self-play is {ratio:.1f} times as fast with selfplay.workers = {other}."]


def _seconds_of_wave(config: Config, folder: Path, workers: int, stop: Callable[[], bool]) -> float:
    """Return the seconds of a wave of self-play. Raises Stopped after `MAX_WAVE_SECONDS`."""
    from meeple.agents.networks import load_predictor
    from meeple.learn.selfplay.play import play_wave

    game = config.make_game()
    predictors = [load_predictor(str(folder), game) for _ in range(workers)]
    began = time.perf_counter()

    def is_late() -> bool:
        return stop() or time.perf_counter() - began > MAX_WAVE_SECONDS

    play_wave(game, config, predictors, range(config.selfplay.games), is_late)
    return time.perf_counter() - began
