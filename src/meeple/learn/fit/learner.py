"""Trains the network on batches: updates, their losses, and the learner."""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from meeple.errors import Stopped
from meeple.executors.executor import Stop
from meeple.games.contract.game import Game
from meeple.learn.config import Config, at_progress
from meeple.learn.selfplay.predictors import device_for
from meeple.learn.selfplay.trajectory import Trajectory, as_batch, joined
from meeple.nets.devices import CPU, name_of
from meeple.nets.graph import ILLEGAL, Batch
from meeple.nets.network import ActorNetwork
from meeple.nets.trainer import Trainer, training_format
from meeple.nets.training import (
    MASKED,
    Recipe,
    flushing_subnormals,
    losses_of_heads,
    torch_threads,
)

STOP_GRACE_SECONDS = 1.0  # time for further batches after a request to stop
WAVES_BETWEEN_TRIALS = 30  # waves until the slower number of threads is tried once more
MAX_HELD_OUT = 512  # maximum number of positions of a wave on which the network is evaluated


def evaluate_held_out(network: ActorNetwork, batch: Batch) -> dict[str, float]:
    """Return the metrics of a network on held-out positions, by name. Entropies are in nats.

    - `unseen/HEAD`: the loss of training of each head, on these positions;
    - `unseen/policy_entropy`: mean entropy of the network's policy;
    - `unseen/search_entropy`: mean entropy of the search's policy, the minimum of `unseen/policy`;
    - `unseen/agreement`: share of positions where policy and search have the same best action;
    - `unseen/value_explained`: explained variance of the mover's result: 1 is a perfect
      prediction, 0 is no better than the mean. Missing if all results are equal.
    """
    with torch.no_grad():
        logits = network.all_outputs(torch.from_numpy(batch.observations))
    losses = losses_of_heads(logits, batch.for_heads(logits))
    policies = torch.from_numpy(batch.targets["policy"])
    possible = logits["policy"].masked_fill(policies == ILLEGAL, MASKED)
    logs, policies = torch.log_softmax(possible, dim=1), policies.clamp(min=0)
    best, searched = possible.argmax(dim=1), policies.argmax(dim=1)
    figures = {f"unseen/{name}": loss.item() for name, loss in losses.items()} | {
        "unseen/policy_entropy": -(logs.exp() * logs).sum(dim=1).mean().item(),
        "unseen/search_entropy": torch.special.entr(policies).sum(dim=1).mean().item(),
        "unseen/agreement": (best == searched).double().mean().item(),
    }
    if "value" not in logits:
        return figures
    predicted = torch.softmax(logits["value"], dim=1)[:, 0].numpy()
    results = batch.targets["value"][:, 0]
    variance = float(np.var(results))
    if variance > 0:
        error = float(np.mean((results - predicted) ** 2))
        figures["unseen/value_explained"] = 1 - error / variance
    return figures


@dataclass(frozen=True)
class Update:
    """An update of the network after a wave."""

    first: int  # episodes of the run before the wave
    last: int  # episodes of the run with the wave
    batches: int
    learning_rate: float


@dataclass(frozen=True)
class Losses:
    """The losses of an update."""

    means: Mapping[str, float]
    """By name: `loss/...` of `train_step` if there was a minibatch, and `evaluate_held_out`'s."""
    seconds: float
    threads: int  # used for the update


def network_and_optimizer(config: Config, game: Game) -> tuple[ActorNetwork, torch.optim.Optimizer]:
    """Return the untrained network of a run, and its optimizer."""
    network = ActorNetwork(config.architecture(game), seed=config.run.seed)
    return network, recipe_of(config).make_optimizer(network.parameters())


def subsample(trajectories: Sequence[Trajectory]) -> list[Trajectory]:
    """Return every k-th step of each episode of a wave, about `MAX_HELD_OUT` steps at most."""
    every = sum(one.size for one in trajectories) // MAX_HELD_OUT + 1
    return [one.rows(slice(None, None, every)) for one in trajectories]


@contextlib.contextmanager
def training_settings(config: Config) -> Iterator[None]:
    """Set the threads of PyTorch, and flush subnormal numbers, in a `with` block."""
    # Two threads took 70 times as long for a batch of a small mlp.
    threads = 1 if config.network.kind == "mlp" else torch.get_num_threads()
    with torch_threads(threads), flushing_subnormals():
        yield


class LearningThreads:
    """Chooses the number of PyTorch's threads for each update: the faster one, as measured.

    More threads are faster on idle cores and many times slower on busy ones: a convolutional
    learner with two threads took 20 to 25 s a wave beside other programs, with one 2.7 s.
    """

    def __init__(self, config: Config) -> None:
        if config.training.threads:
            self._seconds: dict[int, float | None] = {config.training.threads: None}
        elif config.network.kind == "mlp":  # two threads took 70 times as long for a batch
            self._seconds = {1: None}
        else:
            self._seconds = {1: None, torch.get_num_threads(): None}
        self._waves = 0  # since the slower number was tried

    def choose(self) -> int:
        """Return the number of threads for the next update."""
        for count, seconds in self._seconds.items():
            if seconds is None:
                return count
        ranked = sorted(self._seconds, key=lambda count: self._seconds[count] or 0.0)
        self._waves += 1
        if self._waves > WAVES_BETWEEN_TRIALS:
            self._waves = 0
            return ranked[-1]
        return ranked[0]

    def note(self, count: int, seconds: float) -> None:
        """Record that a batch took `seconds` with `count` threads."""
        self._seconds[count] = seconds


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

    def evaluate(self, trajectories: Sequence[Trajectory]) -> dict[str, float]:
        """Return the metrics of the network on steps that it has not learned from."""
        if not trajectories:
            return {}
        return evaluate_held_out(self._network, as_batch(self._game, joined(trajectories)))

    def learn(self, update: Update, batches: Iterable[Batch], stop: Stop) -> Losses:
        """Train the network on the batches of an update, `update.batches` in number.

        Raises Stopped if `stop` turned true and the rest would take over `STOP_GRACE_SECONDS`.
        """
        self.begin(update)
        self.learn_part(batches, stop)
        return self.end()

    def begin(self, update: Update) -> None:
        """Begin an update."""
        self._update, self._steps, self._seconds = update, [], 0.0
        for group in self._trainer.optimizer.param_groups:
            group["lr"] = update.learning_rate
        self._threads_now = self._threads.choose()

    def learn_part(self, batches: Iterable[Batch], stop: Stop = lambda: False) -> None:
        """Train the network on some batches of the update. Raises Stopped as `learn` does."""
        before, began = self._seconds, time.perf_counter()
        heads = self._network.architecture.heads
        with torch_threads(self._threads_now):
            for batch in batches:
                left = self._update.batches - len(self._steps)
                each = self._seconds / len(self._steps) if self._steps else 0.0
                if left * each > STOP_GRACE_SECONDS and stop():
                    raise Stopped
                self._steps.append(self._trainer.step(batch.for_heads(heads)))
                self._seconds = before + time.perf_counter() - began

    def end(self) -> Losses:
        """Finish the update, and return its losses."""
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
    """Return the settings of a run's optimizer and loss."""
    training = config.training
    return Recipe(
        optimizer=training.optimizer,
        learning_rate=at_progress(training.learning_rate, 0.0),
        weight_decay=training.weight_decay,
        momentum=training.momentum,
        loss_weights=training.loss_weights,
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
