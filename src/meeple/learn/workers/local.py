"""Workers in this process; self-play and learning take turns."""

import contextlib
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from meeple.errors import NetworkError, UsageError
from meeple.executors.executor import Executor, Stop
from meeple.executors.threads import InThisThread
from meeple.files import reported, write_atomically
from meeple.learn.evaluation.matches import network_matches
from meeple.learn.fit.learner import Learner, Losses, Update, subsample, trainer_of
from meeple.learn.run.cluster import CLUSTER, Snapshot, leave_cluster
from meeple.learn.run.metrics import Reporter
from meeple.learn.run.run import NetworkRun, Run
from meeple.learn.selfplay.episode import EpisodeNumbers, Wave, diverged, with_advice
from meeple.learn.selfplay.play import Watch, play_wave
from meeple.learn.selfplay.predictors import (
    device_for,
    predictors_of,
    refresh_all,
    words_of,
)
from meeple.learn.selfplay.teacher import Teacher
from meeple.learn.selfplay.trajectory import Trajectory
from meeple.learn.values.run import ValuesRun
from meeple.learn.workers.contract import SelfPlayWorkers
from meeple.learn.workers.labels import LabelWorkers, LocalLabelWorkers
from meeple.nets.batching import PolicyValueFunction
from meeple.nets.devices import CPU
from meeple.nets.trainer import Trainer
from meeple.nets.training import torch_threads

MAX_THREADS = 64  # that label games
TEACHER = "teacher.safetensors"  # the copy of a teacher's weights in the run's folder


@dataclass(frozen=True)
class LocalBackend:
    """Starts workers in this process, see `contract.TrainingBackend`."""

    threads: int | None = None  # that label games; None: one

    def __post_init__(self) -> None:
        """Raise UsageError if the number of threads is out of range."""
        if self.threads is not None and not 1 <= self.threads <= MAX_THREADS:
            raise UsageError(f"workers must be from 1 to {MAX_THREADS}, not {self.threads}")

    def selfplay(self, run: NetworkRun, reporter: Reporter, stop: Stop) -> SelfPlayWorkers:
        _mark_local(run)
        return LocalWorkers(run, reporter, stop)

    def labels(
        self, run: ValuesRun, snapshot: Callable[[], Snapshot], reporter: Reporter, stop: Stop
    ) -> LabelWorkers:
        _mark_local(run)
        return LocalLabelWorkers(run.games, run.config.run.seed, stop, self.threads or 1)


def _mark_local(run: Run) -> None:
    """Show that a run which a cluster trained before continues here. Raises RunError."""
    if (run.folder.path / CLUSTER).exists():
        leave_cluster(run.folder.path)


class LocalWorkers:
    """Workers of self-play in this process, see `contract.SelfPlayWorkers`."""

    def __init__(self, run: NetworkRun, reporter: Reporter, stop: Stop) -> None:
        """Start the workers. Raises ConfigError if fewer accelerators exist than configured."""
        self._run, self._stop = run, stop
        self._teacher = _teacher_of(run)
        self._open = contextlib.ExitStack()  # predictors
        say = functools.cache(reporter.message)  # each sentence once
        try:
            trainer, self._predictors = self._devices(say)
        except BaseException:
            self._open.close()
            raise
        self.players: Executor[EpisodeNumbers, Wave] = InThisThread(reporter.watch, self._play, len)
        self._learner = Learner(run.config, run.game, run.network, trainer)
        self._matches = network_matches(run, self._predictors[0])

    def _devices(self, say: Callable[[str], None]) -> tuple[Trainer, Sequence[PolicyValueFunction]]:
        run, play = self._run, self._run.config.selfplay
        trainer = trainer_of(run.config, run.network, run.optimizer, say)
        run.optimizer = trainer.optimizer
        device = device_for(play.device, run.config.network.kind, say)
        if device != CPU:
            say(words_of(device, run.state.format))
        predictors = self._open.enter_context(
            predictors_of(
                run.network.weights,
                run.state.format,
                workers=play.workers,
                device=device,
                positions=play.games * run.config.search.leaves,
            )
        )
        return trainer, predictors

    def _play(self, watch: Watch | None, numbers: EpisodeNumbers, stopped: Stop) -> Wave:
        """Play a wave. Raises Stopped, and NetworkError if the network diverged."""
        run = self._run
        if self._teacher is not None and numbers[0] < run.config.taught:
            wave = self._teacher.play_wave(numbers, self._stop, watch)
            return replace(wave, generation=run.state.episodes)
        one = len(self._predictors) == 1  # workers have a thread each
        try:
            with torch_threads(torch.get_num_threads() if one else 1):
                wave = play_wave(run.game, run.config, self._predictors, numbers, self._stop, watch)
        except NetworkError as error:
            raise with_advice(diverged(error, numbers), run.folder.path) from None
        return replace(wave, generation=run.state.episodes)

    @property
    def stored_steps(self) -> int:
        return len(self._run.buffer)

    def learn(self, update: Update, trajectories: Sequence[Trajectory]) -> Losses:
        run = self._run
        unseen = self._learner.evaluate(subsample(trajectories))
        run.remember(trajectories)
        rng = np.random.default_rng((run.config.run.seed, update.first, 1))
        size = run.config.training.batch_size
        batches = (run.buffer.sample(size, rng) for _ in range(update.batches))
        losses = self._learner.learn(update, batches, self._stop)
        refresh_all(self._predictors)
        return replace(losses, means={**losses.means, **unseen})

    def fetch(self) -> None:
        pass  # the network in training is the run's

    def matches(
        self, seconds: float, save: Callable[[], None], *, at_end: bool
    ) -> Mapping[str, float]:
        return self._matches.round(seconds, save, self._stop, at_end=at_end)

    def close(self) -> None:
        self._open.close()


def _teacher_of(run: NetworkRun) -> Teacher | None:
    """Return the teacher of a run; None without one, or after its episodes. Errors as `Teacher`.

    Its weights are copied into the run's folder first, since the teacher's run may go on.
    """
    name, file = run.config.run.teacher, run.folder.path / TEACHER
    if name is None or run.state.episodes >= run.config.taught:
        return None
    if not file.exists():
        found = run.folder.catalogue.find(name)
        Teacher(run.game, run.config, found)  # refuses it before the copy
        with reported(f"cannot copy {found} to {file}"):
            write_atomically(file, Path(found).read_bytes())
    return Teacher(run.game, run.config, file)
