"""A run's curves, read from its figures as these grow, and thinned for a page."""

import math
from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from meeple.learn.evaluation.diagnosis import WaveHistory
from meeple.learn.evaluation.results import pairings_in
from meeple.learn.run.metrics import SPEED_WAVES, MetricsReader, speed_of
from meeple.learn.run.schema import WaveMetrics

MOST_POINTS = 500  # of a curve
MOST_CURVES = 64


@dataclass(frozen=True)
class Figure:
    """What a curve is called, where it is drawn, and what it means in a line."""

    group: str
    title: str
    words: str


FIGURES: dict[str, Figure] = {
    "loss/loss": Figure(
        "losses",
        "Loss",
        "What training lowers: the losses below, added up with their weights. It does not reach "
        "0, because what is learned from is itself uncertain, and may rise when the games change.",
    ),
    "loss/policy": Figure(
        "losses",
        "Policy's loss",
        "How far the network's probabilities of moves are from what the search found, or from what "
        "was played in the records that it learns from (cross-entropy in nats; lower is closer).",
    ),
    "loss/value": Figure(
        "losses",
        "Critic's loss",
        "How far its chances of winning are from the games' results (cross-entropy in nats; "
        "always saying half and half gives 0.69 in a game for two).",
    ),
    "loss/ownership": Figure(
        "losses",
        "Owners' loss",
        "How far its guesses of who owns each cell at the end are from the truth "
        "(cross-entropy in nats for each cell).",
    ),
    "unseen/policy": Figure(
        "losses",
        "Policy's loss, games not seen before",
        "The same for the games of a wave, before the network learns from them.",
    ),
    "unseen/value": Figure(
        "losses",
        "Critic's loss, games not seen before",
        "The same for games it has not learned from. Where this rises while the critic's loss "
        "falls, it learns games by heart.",
    ),
    "unseen/shares": Figure(
        "losses",
        "Chances, labels not seen before",
        "How far the network's chances of each seat are from labels that it has not learned from "
        "(cross-entropy in nats); what playouts differ by is part of it.",
    ),
    "unseen/gained": Figure(
        "training",
        "Gain by choosing",
        "What the sibling that the network prefers is worth beyond the mean of its siblings, by "
        "labels that it has not learned from, as a share of the win: above 0 it tells good from "
        "bad.",
    ),
    "unseen/siblings": Figure(
        "training",
        "Siblings told apart",
        "Squared error of what siblings differ by, of labels that it has not learned from.",
    ),
    "gate/quick players": Figure(
        "gate",
        "A new network among quick players",
        "Its share of the games that decide whether it is let in.",
    ),
    "gate/the incumbent": Figure(
        "gate",
        "A new network among those that play now",
        "The same with the network that played before in all other seats.",
    ),
    "gate/accepted": Figure(
        "gate", "Let in", "1 where the new network plays from then on, 0 where it does not."
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
        "Share of the games that equal one of the last 200. Where many do, there is little new to "
        "learn: let moves be drawn more freely.",
    ),
    "records/policy": Figure(
        "losses",
        "Policy's loss, games held out",
        "How far its probabilities of moves are from what people played in games that it never "
        "learns from (cross-entropy in nats), after each epoch.",
    ),
    "records/value": Figure(
        "losses",
        "Critic's loss, games held out",
        "How far its chances of winning are from the results of games that it never learns from, "
        "after each epoch.",
    ),
    "records/accuracy": Figure(
        "training",
        "Moves foreseen",
        "Share of positions in games held out where its best legal move is what was played.",
    ),
    "records/value_error": Figure(
        "training",
        "Error of the chances",
        "Mean squared error of the mover's share of the win in games held out: 0.25 for who "
        "always says half and half.",
    ),
    "unseen/agreement": Figure(
        "training",
        "Agreement with the search",
        "Share of positions in new games where the policy's best action is the one that the search "
        "favours.",
    ),
    "unseen/value_explained": Figure(
        "training",
        "Results that the critic foresees",
        "Of new games: 1 is foresight, 0 is no better than always saying the mean.",
    ),
    "unseen/policy_entropy": Figure(
        "training",
        "Spread of the policy",
        "Its entropy in nats: 0 where it is sure of one action; lower means more settled.",
    ),
    "unseen/search_entropy": Figure(
        "training",
        "Spread of the search",
        "The same of what the search would have it be; the policy's loss cannot fall below it.",
    ),
    "loss/gradient_norm": Figure(
        "training",
        "Gradient",
        "How hard the minibatches pull at the weights. Peaks that grow mean unsteady training: "
        "lower the learning rate.",
    ),
    "replay/cases": Figure(
        "training",
        "Positions remembered",
        "In the replay buffer, which minibatches are drawn from; it grows to its capacity.",
    ),
    "selfplay/simulations_per_second": Figure(
        "speed", "Simulations a second", "Descents of the search's trees, of all games together."
    ),
    "selfplay/evaluations_per_second": Figure(
        "speed", "Evaluations a second", "Positions that the network judged."
    ),
    "selfplay/network_share": Figure(
        "speed", "The network's share of the time", "Of self-play; the rest is the search itself."
    ),
    "time/selfplay_seconds": Figure(
        "speed", "Self-play, seconds", "That playing a wave of episodes took."
    ),
    "time/learning_seconds": Figure(
        "speed", "Learning, seconds", "That the minibatches after a wave, or of a round, took."
    ),
    "labels/learned": Figure(
        "speed", "Labels", "That a round's network learned from, older rounds' included."
    ),
    "time/labelling_seconds": Figure(
        "speed", "Labelling, seconds", "That the playouts of a round took."
    ),
    "time/gate_seconds": Figure(
        "speed", "Gate, seconds", "That the games took that decide whether a network is let in."
    ),
    "training/threads": Figure(
        "speed", "Threads that learn", "As many as prove faster, where none are set."
    ),
}
"""The curves by the names they have there, in the order of the page."""


FAMILIES = {
    "seat": Figure("seats", "Seat {}", "Its share of the points where it plays from this seat."),
    "habit": Figure("habits", "{}", "How often it does this in a game, on average over matches."),
}
"""Curves of which a game has as many as it has seats, or habits; titles take in which one."""


def _figure_of(name: str) -> Figure:
    """Of a curve that has no entry there: of matches, or one that only this run has."""
    family, _, rest = name.partition("/")
    if family in FAMILIES:
        figure = FAMILIES[family]
        return replace(figure, title=figure.title.format(rest.capitalize()))
    for pairing in pairings_in({name: 0.0, f"{name}/games": 0.0}):
        return Figure(pairing.player, pairing.opponent, "")
    return Figure("others", name, "")


@dataclass
class _Bucket:
    """Neighbouring waves of a curve, drawn as one point."""

    last: int  # episode
    total: float
    count: int


class Curves:
    """The curves of one run. Memory is bounded: neighbouring waves are kept as their mean.

    Not for several threads at once.
    """

    def __init__(self, run: Path, episodes: int) -> None:
        """`episodes`: of the whole run."""
        self._reader = MetricsReader(run)
        self.width = max(1, math.ceil(episodes / MOST_POINTS))  # episodes of a point
        self._points: dict[str, dict[int, _Bucket]] = {}
        self._recent: deque[WaveMetrics] = deque(maxlen=SPEED_WAVES)
        self._last = 0  # episodes of the last wave
        self.history = WaveHistory()

    def update(self) -> None:
        """Read what was written since the last time."""
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
        """Episodes a second, lately; None before the second wave of a session."""
        return speed_of(list(self._recent))

    def since(self, episode: int) -> tuple[int, list[dict[str, Any]]]:
        """The points after an episode, or a little before it: a last point may have changed.

        Returns the episode they begin after, and all curves as data.
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
            curves.append({"name": name, **vars(figure), "points": points})
        return first * self.width, curves

    def _add(self, name: str, step: int, value: float) -> None:
        full = len(self._points) >= MOST_CURVES and name not in self._points
        if full or not math.isfinite(value):
            return
        buckets = self._points.setdefault(name, {})
        bucket = buckets.setdefault(max(step - 1, 0) // self.width, _Bucket(step, 0.0, 0))
        bucket.last, bucket.total, bucket.count = step, bucket.total + value, bucket.count + 1

    def _forget(self, step: int) -> None:
        """A session begins with this step: what another wrote from there on was lost.

        A point that the step falls within keeps its part; the lost waves are played again alike.
        """
        self._recent.clear()
        for buckets in self._points.values():
            for number in [n for n in buckets if n * self.width >= step - 1]:
                del buckets[number]
