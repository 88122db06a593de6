"""How fast a run trains: sentences for `meeple train --diagnose`."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from meeple.errors import Stopped
from meeple.kernels.compile_process import usable_cores
from meeple.learn.config import AnyConfig, Config, ValuesConfig
from meeple.learn.run.schema import WaveMetrics

MIN_SPEEDUP = 1.15  # that is worth a change of the configuration
MAX_WAVE_SECONDS = 30.0  # that playing a wave may take to measure its speed

ACTIVITIES = (
    ("time/labelling_seconds", "labelling"),
    ("time/learning_seconds", "learning"),
    ("time/gate_seconds", "games that decide"),
)
"""Of a round of values: metric and words."""


def speed_sentence(
    config: AnyConfig, waves: Sequence[WaveMetrics], duration: Callable[[float], str]
) -> str:
    """Return a sentence on the speed of a run and the shares of its time.

    Args:
        config: the configuration of the run.
        waves: its waves or rounds.
        duration: words for a number of seconds.
    """
    last = waves[-1]
    if isinstance(config, ValuesConfig):
        parts = [
            f"{_sum(waves, name) / last.seconds:.0%} of it {words}" for name, words in ACTIVITIES
        ]
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

    Args:
        config: the configuration of a run.
        folder: its folder, with a network.
        stop: turns true if the measurement is to end.
    """
    if config.method != "self-play" or isinstance(config, ValuesConfig) or stop():
        return []
    now, cores = config.selfplay.workers, usable_cores()
    other = cores if now == 1 else 1
    if other == now:
        return []
    seconds = [_seconds_of_wave(config, folder, workers, stop) for workers in (now, other)]
    if None in seconds:
        return []
    ratio = (seconds[0] or 0.0) / (seconds[1] or 1.0)
    if ratio < MIN_SPEEDUP:
        return []
    return [f"Self-play is {ratio:.1f} times as fast with selfplay.workers = {other}."]


def _seconds_of_wave(
    config: Config, folder: Path, workers: int, stop: Callable[[], bool]
) -> float | None:
    """Return the seconds of a wave of self-play; None if it takes over `MAX_WAVE_SECONDS`."""
    from meeple.agents.networks import load_predictor
    from meeple.learn.selfplay.play import play_wave

    game = config.make_game()
    predictors = [load_predictor(str(folder), game) for _ in range(workers)]
    began = time.perf_counter()

    def is_late() -> bool:
        return stop() or time.perf_counter() - began > MAX_WAVE_SECONDS

    try:
        play_wave(game, config, predictors, range(config.selfplay.games), is_late)
    except Stopped:
        return None
    return time.perf_counter() - began
