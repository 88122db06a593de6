"""A run's self-play and learning in this process: first the one, then the other."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch

from meeple.arena.lockstep import Stop
from meeple.errors import NetworkError
from meeple.executors.executor import Account, Executor
from meeple.learn.evaluation.evaluated import evaluated_network
from meeple.learn.evaluation.matches import Matches
from meeple.learn.fit.learner import Learner, subsample
from meeple.learn.fit.trainer import trainer_of
from meeple.learn.fit.update import Losses, Update
from meeple.learn.run.cluster_state import leave_cluster
from meeple.learn.run.reporter import Reporter
from meeple.learn.run.run import Run
from meeple.learn.selfplay.play import Watch, play_wave
from meeple.learn.selfplay.predictors import (
    device_for,
    predictors_of,
    refresh_all,
    saying_once,
    words_of,
)
from meeple.learn.selfplay.replay import ReplayPositions
from meeple.learn.selfplay.wave import Numbers, Wave, diverged, kept_as_saved, wave_of
from meeple.nets.batching import PolicyValueFunction
from meeple.nets.devices import CPU
from meeple.nets.trainer import Trainer
from meeple.nets.training import torch_threads


class LocalWorkers:
    """Workers in this process, see `contract.Workers`."""

    def __init__(self, run: Run, reporter: Reporter, stop: Stop) -> None:
        """Raises ConfigError where there are fewer accelerators than are asked for; RunError."""
        leave_cluster(run.folder.path)
        self._run, self._stop = run, stop
        self._open = contextlib.ExitStack()  # predictors
        try:
            trainer, self._predictors = self._devices(saying_once(reporter.message))
        except BaseException:
            self._open.close()
            raise
        self.players: Executor[Numbers, Wave] = SelfPlay(
            run, self._predictors, stop, reporter.watch
        )
        self._learner = Learner(run.config, run.game, run.network, trainer)
        evaluated = evaluated_network(run, self._predictors[0])
        self._matches = Matches(evaluated, run.config.matches, run.state.seconds)

    def _devices(self, say: Callable[[str], None]) -> tuple[Trainer, Sequence[PolicyValueFunction]]:
        """What learns, and what those who play ask."""
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

    @property
    def cases(self) -> int:
        return len(self._run.buffer)

    def learn(self, update: Update, cases: Sequence[ReplayPositions]) -> Losses:
        run = self._run
        unseen = self._learner.evaluate(subsample(cases))
        run.remember(cases)
        rng = np.random.default_rng((run.config.run.seed, update.first, 1))
        size = run.config.training.batch_size
        minibatches = (run.buffer.sample(size, rng) for _ in range(update.minibatches))
        losses = self._learner.learn(update, minibatches, self._stop)
        refresh_all(self._predictors)
        return replace(losses, means={**losses.means, **unseen})

    def fetch(self) -> None:
        pass  # the network that learns is the run's

    def matches(
        self, seconds: float, save: Callable[[], None], *, at_end: bool
    ) -> Mapping[str, float]:
        if not self._matches.is_due(seconds, at_end=at_end):
            return {}
        save()  # matches take a while, and may be interrupted
        return self._matches.play(seconds, self._stop)

    def close(self) -> None:
        self._open.close()


class SelfPlay:
    """An executor that plays a wave when it is gathered, by the network as it is then."""

    def __init__(
        self, run: Run, predictors: Sequence[PolicyValueFunction], stop: Stop, watch: Watch | None
    ) -> None:
        self.account = Account()
        self._run, self._predictors = run, predictors
        self._stop, self._watch = stop, watch
        self._job: Numbers | None = None

    @property
    def wanted(self) -> int:
        return 1 if self._job is None else 0

    def submit(self, jobs: Sequence[Numbers]) -> None:
        (self._job,) = jobs
        self.account.begun += len(self._job)

    def gather(self) -> Sequence[Wave]:
        """The wave. Raises Stopped, and NetworkError where the network diverged."""
        assert self._job is not None, "nothing was handed in"
        numbers, run = self._job, self._run
        one = len(self._predictors) == 1  # workers have a thread each
        threads = torch.get_num_threads() if one else 1
        try:
            with torch_threads(threads):
                wave = play_wave(
                    run.game, run.config, self._predictors, numbers, self._stop, self._watch
                )
        except NetworkError as error:
            raise kept_as_saved(diverged(error, numbers), run.folder.path) from None
        self._job = None
        self.account.finished += len(numbers)
        return [wave_of(run.config, numbers, wave, run.state.episodes)]

    def stop(self) -> None:
        if self._job is not None:
            self.account.dropped += len(self._job)
            self._job = None

    def close(self) -> None:
        self.stop()
