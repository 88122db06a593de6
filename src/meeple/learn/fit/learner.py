"""Trains the network on minibatches: updates, their losses, the trainer and the learner."""

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from meeple.errors import Stopped
from meeple.executors.executor import Stop
from meeple.games.contract.game import Game
from meeple.learn.config import Config, at_progress
from meeple.learn.fit.threads import LearningThreads
from meeple.learn.selfplay.predictors import device_for
from meeple.learn.selfplay.replay import ReplayBatch, ReplayPositions, as_batch, joined
from meeple.nets.devices import CPU, name_of
from meeple.nets.network import ActorNetwork
from meeple.nets.trainer import Trainer, training_format
from meeple.nets.training import Recipe, TrainingBatch, cross_entropy, torch_threads


def evaluate_held_out(network: ActorNetwork, cases: ReplayBatch) -> dict[str, float]:
    """Return the metrics of a network on held-out positions, by name. Entropies are in nats.

    - `unseen/policy`, `unseen/value`: the losses of training, on these positions;
    - `unseen/policy_entropy`: mean entropy of the network's policy;
    - `unseen/search_entropy`: mean entropy of the search's policy, the minimum of `unseen/policy`;
    - `unseen/agreement`: share of positions where policy and search have the same best action;
    - `unseen/value_explained`: explained variance of the mover's result: 1 is a perfect
      prediction, 0 is no better than the mean. Missing if all results are equal.
    """
    with torch.no_grad():
        found = network.all_outputs(torch.from_numpy(cases.observations))
    policies = torch.from_numpy(cases.policies)
    logs = torch.log_softmax(found.policy, dim=1)
    best, searched = found.policy.argmax(dim=1), policies.argmax(dim=1)
    figures = {
        "unseen/policy": cross_entropy(found.policy, policies).item(),
        "unseen/policy_entropy": -(logs.exp() * logs).sum(dim=1).mean().item(),
        "unseen/search_entropy": torch.special.entr(policies).sum(dim=1).mean().item(),
        "unseen/agreement": (best == searched).double().mean().item(),
    }
    if found.value is None:
        return figures
    figures["unseen/value"] = cross_entropy(found.value, torch.from_numpy(cases.values)).item()
    predicted = torch.softmax(found.value, dim=1)[:, 0].numpy()
    results = cases.values[:, 0]
    variance = float(np.var(results))
    if variance > 0:
        error = float(np.mean((results - predicted) ** 2))
        figures["unseen/value_explained"] = 1 - error / variance
    return figures


@dataclass(frozen=True)
class Update:
    """What is learned after a wave."""

    first: int  # episodes of the run before the wave
    last: int  # and with it
    minibatches: int
    learning_rate: float


@dataclass(frozen=True)
class Losses:
    """The losses of the minibatches after a wave."""

    means: Mapping[str, float]
    """By name: `loss/...` of `train_step` if there was a minibatch, and `evaluate_held_out`'s."""
    seconds: float
    threads: int  # that learned


def minibatches_due(batches: float, first: int, last: int) -> int:
    """Return the number of minibatches between two numbers of episodes, at `batches` an episode."""
    return math.floor(last * batches) - math.floor(first * batches)


STOP_GRACE_SECONDS = 1.0  # time for further minibatches after a request to stop
MAX_HELD_OUT = 512  # maximum number of positions of a wave on which the network is evaluated


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


def recipe_of(config: Config) -> Recipe:
    """How the network of a run learns."""
    training = config.training
    return Recipe(
        optimizer=training.optimizer,
        learning_rate=at_progress(training.learning_rate, 0.0),
        weight_decay=training.weight_decay,
        momentum=training.momentum,
        value_weight=training.value_weight,
        ownership_weight=training.ownership,
        max_gradient_norm=training.max_gradient_norm,
    )


def trainer_of(
    config: Config,
    network: ActorNetwork,
    optimizer: torch.optim.Optimizer,
    say: Callable[[str], None] = lambda sentence: None,
) -> Trainer:
    """Make the trainer of a run's network; from then on its optimizer is the run's.

    `say` gets a sentence about the device and the number format, unless it is the processor with
    float32.
    """
    training, recipe = config.training, recipe_of(config)
    device = device_for(training.device, config.network.kind, say)
    architecture, size = network.architecture, training.batch_size
    format = training_format(training.format, architecture, recipe, size, device)
    if device != CPU or format != "float32":
        say(f"Minibatches are learned on {name_of(device)}, in {format}")
    return Trainer(network, optimizer, recipe, device=device, format=format)


def examples_of(config: Config, batch: ReplayBatch) -> TrainingBatch:
    """Return the observations and targets that the network of a run is trained on."""
    return TrainingBatch(
        batch.observations,
        batch.policies,
        batch.values if config.network.critic else None,
        batch.ownership if config.training.ownership else None,
    )
