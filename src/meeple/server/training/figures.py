"""The curves of a run, read incrementally from its metrics, and thinned for the page."""

import math
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from meeple.learn.evaluation.diagnosis import WaveHistory
from meeple.learn.evaluation.results import pairings_in
from meeple.learn.run.metrics import SPEED_WAVES, MetricsReader, speed_of
from meeple.learn.run.schema import WaveMetrics
from meeple.sentences import say
from meeple.server.training.answers import CurveData

MAX_POINTS = 500  # in a curve
MAX_CURVES = 64  # of a run


@dataclass(frozen=True)
class Figure:
    """The group, title and one-line description of a curve."""

    group: str
    title: str
    words: str


FIGURES: dict[str, Figure] = {
    "loss/loss": Figure(
        "losses",
        "Loss",
        "The weighted sum of the losses below, which training minimises. It does not reach 0, "
        "because the targets are uncertain, and may rise when the games change.",
    ),
    "loss/policy": Figure(
        "losses",
        "Policy's loss",
        "Cross-entropy in nats between the network's probabilities of moves and those of the "
        "search, or the moves of the records (lower is closer).",
    ),
    "loss/value": Figure(
        "losses",
        "Critic's loss",
        "Cross-entropy in nats between its chances of winning and the games' results; always "
        "predicting one half gives 0.69 in a game for two.",
    ),
    "loss/ownership": Figure(
        "losses",
        "Owners' loss",
        "Cross-entropy in nats of its prediction of each cell's owner at the end, a mean over "
        "cells.",
    ),
    "unseen/policy": Figure(
        "losses",
        "Policy's loss, games not seen before",
        "The same for the games of a wave, before the network learns from them.",
    ),
    "unseen/value": Figure(
        "losses",
        "Critic's loss, games not seen before",
        "The same for games it has not learned from. If this rises while the critic's loss falls, "
        "it overfits.",
    ),
    "unseen/ownership": Figure(
        "losses",
        "Owners' loss, games not seen before",
        "The same for games it has not learned from.",
    ),
    "unseen/shares": Figure(
        "losses",
        "Chances, labels not seen before",
        "Cross-entropy in nats between the network's chances of each seat and labels that it has "
        "not learned from; includes the variance of playouts.",
    ),
    "unseen/gained": Figure(
        "training",
        "Gain by choosing",
        "The value of the sibling that the network prefers minus the mean of its siblings, by "
        "labels that it has not learned from, as a share of the win: above 0, the network is "
        "better than random choice.",
    ),
    "unseen/siblings": Figure(
        "training",
        "Siblings told apart",
        "Squared error of the differences between siblings, for labels that it has not learned "
        "from.",
    ),
    "gate/quick players": Figure(
        "gate",
        "A new network among quick players",
        "Its share of the games that decide whether it is accepted.",
    ),
    "gate/the incumbent": Figure(
        "gate",
        "A new network among those that play now",
        "The same with the network that played before in all other seats.",
    ),
    "gate/accepted": Figure(
        "gate", "Accepted", "1 if the new network plays from then on, 0 if it does not."
    ),
    "selfplay/first_player_share": Figure(
        "games",
        "First player's share",
        "Of the points in self-play. Half means an even game; many games favour the first player "
        "the more, the better both play.",
    ),
    "selfplay/plies": Figure(
        "games", "Length of an episode", "Moves of a game that were searched, on average."
    ),
    "selfplay/drawn": Figure(
        "games", "Drawn games", "Share of the games of self-play that end equal for all."
    ),
    "selfplay/repeated": Figure(
        "games",
        "Games played before",
        "Share of the games that equal one of the last 200. If it is high, there is little new to "
        "learn: raise the temperature of the moves.",
    ),
    "records/policy": Figure(
        "losses",
        "Policy's loss, games held out",
        "Cross-entropy in nats between its probabilities of moves and the moves of people in games "
        "that it never learns from, after each epoch.",
    ),
    "records/value": Figure(
        "losses",
        "Critic's loss, games held out",
        "Cross-entropy in nats between its chances of winning and the results of games that it "
        "never learns from, after each epoch.",
    ),
    "records/accuracy": Figure(
        "training",
        "Moves predicted",
        "Share of positions in games held out in which its best legal move was played.",
    ),
    "records/value_error": Figure(
        "training",
        "Error of the chances",
        "Mean squared error of the mover's share of the win in games held out; always predicting "
        "one half gives 0.25.",
    ),
    "unseen/agreement": Figure(
        "training",
        "Agreement with the search",
        "Share of positions in new games where the best actions of policy and search are equal.",
    ),
    "unseen/value_explained": Figure(
        "training",
        "Results explained by the critic",
        "Share of explained variance in new games: 1 is perfect, 0 is no better than the mean.",
    ),
    "unseen/policy_entropy": Figure(
        "training",
        "Spread of the policy",
        "Its entropy in nats: 0 if it puts all probability on one action.",
    ),
    "unseen/search_entropy": Figure(
        "training",
        "Spread of the search",
        "The entropy of the search's policy; the policy's loss cannot fall below it.",
    ),
    "loss/gradient_norm": Figure(
        "training",
        "Gradient",
        "The norm of the gradient of a minibatch. Growing peaks mean unstable training: lower the "
        "learning rate.",
    ),
    "replay/cases": Figure(
        "training",
        "Positions in the replay buffer",
        "Minibatches are drawn from it; it grows to its capacity.",
    ),
    "selfplay/simulations_per_second": Figure(
        "speed", "Simulations a second", "Of the searches of all games together."
    ),
    "selfplay/evaluations_per_second": Figure(
        "speed", "Evaluations a second", "Positions that the network evaluated."
    ),
    "selfplay/network_share": Figure(
        "speed", "The network's share of the time", "Of self-play; the rest is the search itself."
    ),
    "time/selfplay_seconds": Figure(
        "speed", "Self-play, seconds", "Time to play a wave of episodes."
    ),
    "time/learning_seconds": Figure(
        "speed", "Learning, seconds", "Time for the minibatches after a wave, or of a round."
    ),
    "labels/learned": Figure(
        "speed", "Labels", "Labels that a round's network is trained on, older rounds included."
    ),
    "time/labelling_seconds": Figure(
        "speed", "Labelling, seconds", "Time for the playouts of a round."
    ),
    "time/gate_seconds": Figure(
        "speed", "Gate, seconds", "Time for the games that decide whether a network is accepted."
    ),
    "training/threads": Figure(
        "speed", "Training threads", "The faster number by measurement, unless one is set."
    ),
}
"""The curves by the names of their metrics, in the order of the page."""


def _figure_of(name: str) -> Figure:
    """Return the figure of a curve without an entry: of a match, or a run's own."""
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
            figure = FIGURES.get(name) or _figure_of(name)
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
