"""Who learns: the network in training, given minibatches."""

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import torch

from meeple.arena.lockstep import Stop
from meeple.errors import Stopped
from meeple.games.contract.game import Game
from meeple.learn.config import Config
from meeple.learn.replay import Cases, Minibatch, as_minibatch, joined
from meeple.learn.threads import LearningThreads
from meeple.learn.unseen import judge_unseen
from meeple.nets.network import ActorNetwork
from meeple.nets.training import torch_threads, train_step

PATIENCE = 1.0  # seconds that minibatches may still take once the run is to stop
MOST_UNSEEN = 512  # cases of a wave that the network is judged by before it learns from them


@dataclass(frozen=True)
class Lesson:
    """What is learned after a wave."""

    first: int  # episodes of the run before the wave
    last: int  # and with it
    minibatches: int
    learning_rate: float


@dataclass(frozen=True)
class Losses:
    """What the minibatches after a wave gave."""

    means: Mapping[str, float]
    """By name: `loss/...`, see `train_step`, where a minibatch was due, and those of unseen.py."""
    seconds: float
    threads: int  # that learned


def minibatches_due(batches: float, first: int, last: int) -> int:
    """How many minibatches are due when so many episodes become more, at so many an episode."""
    return math.floor(last * batches) - math.floor(first * batches)


class Learner:
    """A network and its optimizer, in this process."""

    def __init__(
        self, config: Config, game: Game, network: ActorNetwork, optimizer: torch.optim.Optimizer
    ) -> None:
        self._config, self._game = config, game
        self._network, self._optimizer = network, optimizer
        self._threads = LearningThreads(config)

    def judge(self, cases: Sequence[Cases]) -> dict[str, float]:
        """What the network knows of a wave's cases, or some of them, before it learns of them."""
        if not cases:
            return {}
        every = sum(one.size for one in cases) // MOST_UNSEEN + 1
        some = [one.map(lambda array: array[::every]) for one in cases]
        return judge_unseen(self._network, as_minibatch(self._game, joined(some)))

    def learn(self, lesson: Lesson, minibatches: Iterable[Minibatch], stop: Stop) -> Losses:
        """Update the network by minibatches, of which there are as many as the lesson says.

        Raises Stopped where the run is to stop and they would take longer than `PATIENCE`.
        """
        began = time.perf_counter()
        for group in self._optimizer.param_groups:
            group["lr"] = lesson.learning_rate
        threads = self._threads.choose()
        steps: list[dict[str, float]] = []
        with torch_threads(threads):
            for batch in minibatches:
                each = (time.perf_counter() - began) / len(steps) if steps else 0.0
                if (lesson.minibatches - len(steps)) * each > PATIENCE and stop():
                    raise Stopped
                steps.append(self._step(batch))
        seconds = time.perf_counter() - began
        if steps:
            self._threads.note(threads, seconds / len(steps))
        names = steps[0] if steps else ()
        return Losses(
            {f"loss/{name}": sum(losses[name] for losses in steps) / len(steps) for name in names},
            seconds,
            threads,
        )

    def _step(self, batch: Minibatch) -> dict[str, float]:
        """One update of the network by a minibatch; its losses."""
        training = self._config.training
        return train_step(
            self._network,
            self._optimizer,
            batch.observations,
            batch.policies,
            batch.values if self._config.network.critic else None,
            batch.ownership if training.ownership else None,
            value_weight=training.value_weight,
            ownership_weight=training.ownership,
            max_gradient_norm=training.max_gradient_norm,
        )
