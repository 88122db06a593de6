"""What updates a run's network, as its configuration says: where, by how many processes, how."""

from collections.abc import Callable

import torch

from meeple.errors import ConfigError, UsageError
from meeple.learn.config import Config, at_progress
from meeple.learn.selfplay.predictors import device_for
from meeple.learn.selfplay.replay import Minibatch
from meeple.nets.devices import CPU, devices_from, name_of
from meeple.nets.network import ActorNetwork
from meeple.nets.parallel import ParallelTrainer
from meeple.nets.ranks import lacks_backend
from meeple.nets.trainer import DeviceTrainer, LocalTrainer, Trainer, training_format
from meeple.nets.training import Examples, Recipe


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
    """A trainer of a run's network, to be closed; from then on its own optimizer is the run's.

    `say` is told what learns, unless that is this process on the processor. Raises ConfigError
    where there are fewer accelerators than processes, and RunError where a process does not start.
    """
    training, recipe = config.training, recipe_of(config)
    device = device_for(training.device, config.network.kind, say)
    processes = training.processes
    try:
        devices = devices_from(device, processes)
    except UsageError as error:
        raise ConfigError(f"training.processes: {error}") from None
    if processes > 1 and (lacking := lacks_backend(device)):
        raise ConfigError(f"training.processes must be 1: this PyTorch comes without {lacking}")
    share = -(-training.batch_size // processes)
    format = training_format(training.format, network.architecture, recipe, share, device)
    if processes == 1 and device == CPU and format == "float32":
        return LocalTrainer(network, optimizer, recipe)
    trainer: Trainer
    if processes == 1:
        where = name_of(device)
        trainer = DeviceTrainer(network, optimizer, recipe, device=device, format=format)
    else:
        where = f"{name_of(device)}, by {processes} processes"
        trainer = ParallelTrainer(network, optimizer, recipe, devices=devices, format=format)
    say(f"Minibatches are learned on {where}, in {format}")
    return trainer


def examples_of(config: Config, batch: Minibatch) -> Examples:
    """What the network of a run learns of a minibatch."""
    return Examples(
        batch.observations,
        batch.policies,
        batch.values if config.network.critic else None,
        batch.ownership if config.training.ownership else None,
    )
