"""The curves of a run, read incrementally from its metrics, and thinned for the page."""

import math
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from meeple.learn.evaluation.diagnosis import WaveHistory
from meeple.learn.evaluation.results import pairings_in
from meeple.learn.run.metrics import SPEED_WAVES, MetricsReader, speed_of
from meeple.learn.run.schema import WaveMetrics
from meeple.sentences import english, say
from meeple.server.training.answers import CurveData

MAX_POINTS = 500  # in a curve
MAX_CURVES = 64  # of a run


@dataclass(frozen=True)
class Figure:
    """The group, title and one-line description of a curve."""

    group: str
    title: str
    words: str


GROUPS = {
    "losses": (
        *("loss/loss", "loss/policy", "loss/value", "loss/ownership", "unseen/policy"),
        *("unseen/value", "unseen/ownership", "unseen/shares", "records/policy", "records/value"),
    ),
    "training": (
        *("unseen/gained", "unseen/siblings", "records/accuracy", "records/value_error"),
        *("unseen/agreement", "unseen/value_explained", "unseen/policy_entropy"),
        *("unseen/search_entropy", "loss/gradient_norm", "replay/cases"),
    ),
    "gate": ("gate/quick players", "gate/the incumbent", "gate/accepted"),
    "games": (
        *("selfplay/first_player_share", "selfplay/plies", "selfplay/drawn", "selfplay/repeated"),
    ),
    "speed": (
        *("selfplay/simulations_per_second", "selfplay/evaluations_per_second"),
        *("selfplay/network_share", "time/selfplay_seconds", "time/learning_seconds"),
        *("labels/learned", "time/labelling_seconds", "time/gate_seconds", "training/threads"),
    ),
}
"""The names of the metrics with a curve by group, in the order of the page. `declared.json` of each
language has their titles and descriptions."""
FIGURES = {name: group for group, names in GROUPS.items() for name in names}
"""The group of each curve by the name of its metric."""


def _figure_of(name: str) -> Figure:
    """Return the figure of a curve; one of a match or a run's own has no entry."""
    if name in FIGURES:
        words = english("declared")
        return Figure(FIGURES[name], words[f"figure.{name}"], words[f"figure.{name}.words"])
    family, _, rest = name.partition("/")
    if family == "seat":
        return Figure("seats", say("training.seat", n=rest), say("training.seat_words"))
    if family == "habit":
        return Figure("habits", rest.capitalize(), say("training.habit_words"))
    for pairing in pairings_in({name: 0.0, f"{name}/games": 0.0}):
        return Figure(pairing.player, pairing.opponent, "")
    return Figure("others", name, "")


@dataclass
class _Bucket:
    """Adjacent waves of a curve, drawn as one point."""

    last: int  # episode
    total: float
    count: int


class Curves:
    """The curves of one run. Memory is bounded: adjacent waves are stored as their mean.

    Not thread-safe.
    """

    def __init__(self, run: Path, episodes: int) -> None:
        """Create the curves; `episodes` is the length of the whole run."""
        self._reader = MetricsReader(run)
        self.width = max(1, math.ceil(episodes / MAX_POINTS))  # episodes of a point
        self._points: dict[str, dict[int, _Bucket]] = {}
        self._recent: deque[WaveMetrics] = deque(maxlen=SPEED_WAVES)
        self._last = 0  # episodes of the last wave
        self.history = WaveHistory()

    def update(self) -> None:
        """Read the metrics written since the last call."""
        for wave in self._reader.new_waves():
            if wave.starts or wave.episodes <= self._last:
                self._forget(wave.episodes)
            self._last = wave.episodes
            self._recent.append(wave)
            self.history.add(wave)
            found = pairings_in(wave.metrics)
            besides = {name for one in found for name in (one.count, one.deviation)}
            for name, value in wave.metrics.items():
                if name not in besides:
                    self._add(name, wave.episodes, value)

    @property
    def speed(self) -> float | None:
        """The recent number of episodes a second; None before the second wave of a session."""
        return speed_of(list(self._recent))

    def since(self, episode: int) -> tuple[int, list[CurveData]]:
        """Return the points after an episode, from the last point that may have changed on.

        Returns:
            The episode after which the points begin, and all curves.
        """
        first = max(episode - 1, 0) // self.width
        known = [name for name in FIGURES if name in self._points]
        others = sorted(set(self._points) - set(known))
        curves = []
        for name in known + others:
            figure = _figure_of(name)
            buckets = self._points[name]
            points = [
                (bucket.last, round(bucket.total / bucket.count, 5))
                for number, bucket in sorted(buckets.items())
                if number >= first
            ]
            curves.append(CurveData(name=name, **vars(figure), points=points))
        return first * self.width, curves

    def _add(self, name: str, step: int, value: float) -> None:
        full = len(self._points) >= MAX_CURVES and name not in self._points
        if full or not math.isfinite(value):
            return
        buckets = self._points.setdefault(name, {})
        bucket = buckets.setdefault(max(step - 1, 0) // self.width, _Bucket(step, 0.0, 0))
        bucket.last, bucket.total, bucket.count = step, bucket.total + value, bucket.count + 1

    def _forget(self, step: int) -> None:
        """Remove the points from `step` on: a session resumes there, and later waves were lost.

        A point that contains the step keeps its earlier part; the lost waves are repeated equally.
        """
        self._recent.clear()
        for buckets in self._points.values():
            for number in [n for n in buckets if n * self.width >= step - 1]:
                del buckets[number]
