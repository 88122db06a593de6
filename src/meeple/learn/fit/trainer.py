"""The trainer of a run's network, made by its configuration."""

from collections.abc import Callable

import torch

from meeple.learn.config import Config, at_progress
from meeple.learn.selfplay.predictors import device_for
from meeple.learn.selfplay.replay import ReplayBatch
from meeple.nets.devices import CPU, name_of
from meeple.nets.network import ActorNetwork
from meeple.nets.trainer import Trainer, training_format
from meeple.nets.training import Recipe, TrainingBatch


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
