"""Who learns: the network in training, given minibatches."""

import time
from collections.abc import Iterable, Sequence

import torch

from meeple.arena.lockstep import Stop
from meeple.errors import Stopped
from meeple.games.contract.game import Game
from meeple.learn.config import Config
from meeple.learn.fit.heldout import evaluate_held_out
from meeple.learn.fit.threads import LearningThreads
from meeple.learn.fit.trainer import examples_of, recipe_of
from meeple.learn.fit.update import Losses, Update
from meeple.learn.selfplay.replay import ReplayBatch, ReplayPositions, as_batch, joined
from meeple.nets.network import ActorNetwork
from meeple.nets.trainer import Trainer
from meeple.nets.training import torch_threads

STOP_GRACE_SECONDS = 1.0  # seconds that minibatches may still take once the run is to stop
MAX_HELD_OUT = 512  # cases of a wave that the network is judged by before it learns from them


def network_and_optimizer(config: Config, game: Game) -> tuple[ActorNetwork, torch.optim.Optimizer]:
    """A run's network that has learned nothing, and its optimizer."""
    network = ActorNetwork(config.architecture(game), seed=config.run.seed)
    return network, recipe_of(config).make_optimizer(network.parameters())


def subsample(cases: Sequence[ReplayPositions]) -> list[ReplayPositions]:
    """Return every k-th example of a wave, at most `MAX_HELD_OUT`."""
    every = sum(one.size for one in cases) // MAX_HELD_OUT + 1
    return [one.map(lambda array: array[::every]) for one in cases]


class Learner:
    """A network in training, in this process."""

    def __init__(self, config: Config, game: Game, network: ActorNetwork, trainer: Trainer) -> None:
        """`trainer`: of the network, which follows after each update."""
        self._config, self._game = config, game
        self._network, self._trainer = network, trainer
        self._threads = LearningThreads(config)
        self._update = Update(0, 0, 0, 0.0)
        self._steps: list[dict[str, float]] = []
        self._seconds = 0.0  # of the update so far
        self._threads_now = 1

    def evaluate(self, cases: Sequence[ReplayPositions]) -> dict[str, float]:
        """What the network knows of some cases, before it learns of them."""
        if not cases:
            return {}
        return evaluate_held_out(self._network, as_batch(self._game, joined(cases)))

    def learn(self, update: Update, minibatches: Iterable[ReplayBatch], stop: Stop) -> Losses:
        """Update the network by minibatches, as many as `update.minibatches`.

        Raises Stopped if `stop` turns true and they would take over `STOP_GRACE_SECONDS`.
        """
        self.begin(update)
        self.learn_part(minibatches, stop)
        return self.end()

    def begin(self, update: Update) -> None:
        """Begin an update."""
        self._update, self._steps, self._seconds = update, [], 0.0
        for group in self._trainer.optimizer.param_groups:
            group["lr"] = update.learning_rate
        self._threads_now = self._threads.choose()

    def learn_part(self, minibatches: Iterable[ReplayBatch], stop: Stop = lambda: False) -> None:
        """Learn from some minibatches of the update. Raises Stopped."""
        before, began = self._seconds, time.perf_counter()
        with torch_threads(self._threads_now):
            for batch in minibatches:
                left = self._update.minibatches - len(self._steps)
                each = self._seconds / len(self._steps) if self._steps else 0.0
                if left * each > STOP_GRACE_SECONDS and stop():
                    raise Stopped
                self._steps.append(self._trainer.step(examples_of(self._config, batch)))
                self._seconds = before + time.perf_counter() - began

    def end(self) -> Losses:
        """What the update gave, once its minibatches are learned."""
        began = time.perf_counter()
        self._trainer.finish()
        self._seconds += time.perf_counter() - began
        steps, threads = self._steps, self._threads_now
        if steps:
            self._threads.note(threads, self._seconds / len(steps))
        names = steps[0] if steps else ()
        return Losses(
            {f"loss/{name}": sum(losses[name] for losses in steps) / len(steps) for name in names},
            self._seconds,
            threads,
        )
