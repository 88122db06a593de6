"""A measured session of training, in this process or on a cluster, by the loop of any run."""

import contextlib
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from bench.speed.learning import Tally, replaced
from bench.speed.measuring import Figures
from meeple.errors import RunError
from meeple.learn.config import Config
from meeple.learn.fit.learner import MAX_HELD_OUT
from meeple.learn.loop import start_run, train
from meeple.learn.run.cluster import ClusterState, read_cluster
from meeple.learn.run.metrics import Silent
from meeple.learn.selfplay.episode import Wave
from meeple.learn.selfplay.replay import new_buffer
from meeple.learn.selfplay.trajectory import joined
from meeple.learn.workers.contract import TrainingBackend
from meeple.learn.workers.local import LocalBackend
from meeple.nets.graph import weight_shapes
from meeple_ray.cluster import Cluster
from meeple_ray.learning import players as players_module
from meeple_ray.learning.backend import ClusterBackend, ClusterWorkers
from meeple_ray.learning.wire import bytes_of, of_plain, to_plain

MIN_WAVES = 3  # minimum waves of each worker in a session
ACTOR = "ray::RayActor"  # the name that Ray gives to the processes of our actors
TIMED = {  # methods that the trainer calls: the name of the figure for their time
    "buffer": (ClusterWorkers, "_sampled"),
    "broadcast": (ClusterWorkers, "_publish"),
    "lesson": (ClusterWorkers, "learn"),
    "waiting": (players_module.Players, "gather"),
}


@dataclass
class ScaleSession:
    """The measurements of a session, from its first counted wave to its last."""

    seconds: float = 0.0
    processor_seconds: float = 0.0  # processor time of all processes of the run
    trainer_seconds: float = 0.0  # the part of this process
    ray_seconds: float = 0.0  # processor time of Ray's own processes, which use some when idle
    games: int = 0
    waves: int = 0
    updates: int = 0  # updates, each on all waves received since the one before
    plies: float = 0.0
    evaluations: float = 0.0
    player_seconds: float = 0.0  # time of the workers in waves
    network_seconds: float = 0.0  # the part in calls of the network
    behind: float = 0.0  # games between a wave's weights and the newest, summed over waves
    spent: dict[str, float] = field(default_factory=dict)  # seconds of the trainer, by activity
    moved: dict[str, float] = field(default_factory=dict)  # bytes a game
    shares: dict[str, float] = field(default_factory=dict)  # share of all games, by node

    @property
    def games_per_second(self) -> float:
        """Games a second that were received and trained on."""
        return self.games / self.seconds

    @property
    def processor_seconds_per_game(self) -> float:
        """Processor time a game on this machine: trainer, learner, buffer and actors."""
        return self.processor_seconds / self.games

    def figures(self) -> Figures:
        """Return the figures by name.

        The trainer's seconds for each wave: `lesson` is the time from receiving waves to the end
        of the broadcast. It contains `learning`, the learner's minibatches; `buffer`, waiting for
        sampled minibatches, in part while the learner works; and `broadcast`. `waiting` is the time
        until a wave is received; the rest is records of games, metrics and saving.
        """
        return {
            "games_per_second": round(self.games_per_second, 3),
            "positions_per_second": round(self.plies / self.seconds, 1),
            "evaluations_per_second": round(self.evaluations / self.seconds, 1),
            "network_share": round(self.network_seconds / max(self.player_seconds, 1e-9), 3),
            "player_seconds_per_game": round(self.player_seconds / self.games, 5),
            "evaluations_per_game": round(self.evaluations / self.games, 1),
            "processor_seconds_per_game": round(self.processor_seconds_per_game, 5),
            "ray_processors": round(self.ray_seconds / self.seconds, 4),
            "trainer_processor_seconds_per_wave": round(self.trainer_seconds / self.waves, 5),
            "seconds_per_wave": {
                name: round(value / self.waves, 5) for name, value in self.spent.items()
            },
            "behind_games": round(self.behind / self.waves, 2),
            "games_per_second_by_node": {
                name: round(share * self.games_per_second, 3) for name, share in self.shares.items()
            },
            "bytes_per_game": {name: round(value) for name, value in self.moved.items()},
            "games": self.games,
            "waves": self.waves,
            "waves_per_lesson": round(self.waves / self.updates, 3),
            "seconds": round(self.seconds, 2),
        }


class Meter(Silent):
    """A reporter that sums waves, once each worker has sent one."""

    def __init__(self, seconds: float, workers: int, *, alone: bool) -> None:
        """Measure `seconds`; with `alone`, count the processor time of this process only."""
        self.session, self._alone = ScaleSession(), alone
        self.tallies: Mapping[str, Tally] = {}
        self._seconds, self._workers = seconds, workers
        self._received = self._episodes = 0  # received waves, and their games
        self._began = self._trainer = self._learning = 0.0
        self._processors: dict[int, float] = {}
        self._rays: dict[int, float] = {}
        self._before: dict[str, float] = {}

    def stop(self) -> bool:
        """Return whether the session has lasted long enough."""
        found = self.session
        return found.seconds >= self._seconds and found.waves >= MIN_WAVES * self._workers

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        count, self._episodes = episodes - self._episodes, episodes
        waves = int(metrics.get("selfplay/waves", 1))
        self._received += waves
        if self._received <= self._workers:
            self._began, self._trainer = time.perf_counter(), time.process_time()
            self._processors, self._rays = processor_seconds(alone=self._alone)
            self._before = {name: tally.total for name, tally in self.tallies.items()}
            return
        found, spent = self.session, metrics["time/selfplay_seconds"]
        found.waves += waves
        found.updates += 1
        found.games += count
        found.plies += metrics["selfplay/plies"] * count
        found.evaluations += metrics["selfplay/evaluations_per_second"] * spent
        found.player_seconds += spent
        found.network_seconds += metrics["selfplay/network_share"] * spent
        found.behind += metrics.get("selfplay/behind", 0.0) * waves
        self._learning += metrics["time/learning_seconds"]
        found.seconds = time.perf_counter() - self._began
        found.trainer_seconds = time.process_time() - self._trainer
        processors, rays = processor_seconds(alone=self._alone)
        found.processor_seconds = _since(self._processors, processors)
        found.ray_seconds = _since(self._rays, rays)
        found.spent = {
            "learning": self._learning,
            **{name: tally.total - self._before[name] for name, tally in self.tallies.items()},
        }


class Traffic:
    """The traffic of a run on a cluster, in bytes of arrays."""

    def __init__(self, config: Config) -> None:
        self._config, self._game = config, config.make_game()
        self._bytes = self._games = 0
        self._last: Wave | None = None

    def wave(self, data: Mapping[str, Any]) -> Wave:
        """Measure and return a wave, as `wire.of_plain` returns it."""
        self._bytes += bytes_of(data)
        self._games += len(data["episodes"])
        self._last = of_plain(data)
        return self._last

    def bytes_per_game(self, workers: int, lesson: float) -> dict[str, float]:
        """Return the bytes a game between the processes.

        Waves go from actors to the trainer, and from there to the buffer and the learner;
        minibatches from the buffer to the learner; weights from the learner to the trainer and all
        workers, once in `lesson` games.
        """
        config, last = self._config, self._last
        assert last is not None, "no wave came"
        trajectory = joined(last.trajectories)
        stored = bytes_of(to_plain(trajectory)) / len(last.episodes)
        buffer = new_buffer(config, self._game)
        buffer.add(trajectory)
        drawn = buffer.sample(config.training.batch_size, np.random.default_rng(0))
        shapes = weight_shapes(config.architecture(self._game)).values()
        weights = 4 * sum(int(np.prod(shape)) for shape in shapes)
        return {
            "arrivals": self._bytes / self._games,
            "cases": stored,
            "judged": stored * min(1.0, MAX_HELD_OUT / trajectory.size),
            "minibatches": bytes_of(to_plain([drawn])) * config.training.batches,
            "weights": weights * (1 + workers) / lesson,
        }


def processor_seconds(*, alone: bool) -> tuple[dict[int, float], dict[int, float]]:
    """Return processor seconds by process id, of the run's processes and of Ray's own.

    The run's processes are this one and, unless `alone`, the actors that it started.
    """
    me = psutil.Process()
    working: dict[int, float] = {}
    rays: dict[int, float] = {}
    for process in (me, *(() if alone else me.children(recursive=True))):
        try:
            times, title = process.cpu_times(), "".join(process.cmdline())
        except psutil.Error:  # the process has ended
            continue
        works = process.pid == me.pid or title.startswith(ACTOR)
        (working if works else rays)[process.pid] = times.user + times.system
    return working, rays


def _since(before: Mapping[int, float], now: Mapping[int, float]) -> float:
    return sum(seconds - before.get(pid, 0.0) for pid, seconds in now.items())


def in_this_process(config: Config, folder: Path, seconds: float) -> ScaleSession:
    """Measure a session in this process."""
    return _measured(config, folder, Meter(seconds, 1, alone=True), LocalBackend())


def on_cluster(
    config: Config, folder: Path, cluster: Cluster, workers: int, seconds: float
) -> ScaleSession:
    """Measure a session on a cluster."""
    meter, traffic = Meter(seconds, workers, alone=False), Traffic(config)
    meter.tallies = tallies = {name: Tally() for name in TIMED}

    with contextlib.ExitStack() as timing:
        for name, (owner, method) in TIMED.items():
            timing.enter_context(tallies[name].timing(owner, method))
        timing.enter_context(replaced(players_module, "of_plain", traffic.wave))
        session = _measured(config, folder, meter, ClusterBackend(cluster, workers))
    session.moved = traffic.bytes_per_game(workers, session.games / session.updates)
    session.shares = shares_of(read_cluster(folder))
    return session


def shares_of(state: ClusterState | str | None) -> dict[str, float]:
    """Return each node's share of a run's games, from the cluster's last state."""
    assert isinstance(state, ClusterState), f"not told: {state}"
    games: Counter[str] = Counter()
    for actor in state.actors:
        if actor.role == "self-play":
            games[actor.node] += actor.games
    return {node: count / max(1, games.total()) for node, count in sorted(games.items())}


def _measured(config: Config, folder: Path, meter: Meter, backend: TrainingBackend) -> ScaleSession:
    start_run(config, folder)
    train(folder, meter, meter.stop, backend)
    if not meter.session.waves:
        raise RunError("the session ended before anything was measured")
    return meter.session
