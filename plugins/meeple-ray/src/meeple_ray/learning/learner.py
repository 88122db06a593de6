"""The process of a cluster that holds the learner."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from meeple.learn.config import Config
from meeple.learn.fit.learner import Learner, Update, network_and_optimizer, trainer_of
from meeple.nets.trainer import Trainer
from meeple.nets.training import flushing_subnormals
from meeple.nets.training_state import restore_training_state, training_state
from meeple_ray.learning.wire import of_plain
from meeple_ray.same_files import load_same_files

LEARNER_TARGET = "meeple_ray.learning.learner:RemoteLearner"


class RemoteLearner:
    """A learner that receives the batches of an update in parts."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        """Make a learner from {"config", "files"}; call `restore` first."""
        load_same_files(arguments["files"])
        self._config = Config.model_validate(arguments["config"])
        self._game = self._config.make_game()
        self._network, self._optimizer = network_and_optimizer(self._config, self._game)

    def restore(self, metadata: Mapping[str, Any], tensors: Mapping[str, Any]) -> None:
        """Set network and optimizer; called once, before all updates."""
        copies = {name: array.copy() for name, array in tensors.items()}
        name = "the trainer's network"
        restore_training_state(name, metadata, copies, self._network, self._optimizer)
        self._trainer: Trainer = trainer_of(self._config, self._network, self._optimizer, say)
        self._learner = Learner(self._config, self._game, self._network, self._trainer)

    def begin(
        self, update: Mapping[str, Any], held_out: Mapping[str, Any] | None
    ) -> dict[str, float]:
        """Begin an update; return the figures of an evaluation on held-out steps before it."""
        found = self._learner.evaluate([] if held_out is None else [of_plain(held_out)])
        self._learner.begin(Update(**update))
        return found

    def learn(self, batches: Sequence[Mapping[str, Any]]) -> None:
        """Learn from some batches of the update."""
        with flushing_subnormals():
            self._learner.learn_part(map(of_plain, batches))

    def end(self) -> dict[str, Any]:
        """Return the losses and the network: {"means", "seconds", "threads", "tensors"}."""
        losses, tensors = self._learner.end(), self._network.weights.tensors
        return {**vars(losses), "tensors": {name: array.copy() for name, array in tensors.items()}}

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return network and optimizer, as `restore` takes them."""
        metadata, tensors = training_state(self._network, self._trainer.optimizer)
        metadata = json.loads(json.dumps(metadata))  # as a file would hold it
        return metadata, {name: array.copy() for name, array in tensors.items()}


def say(sentence: str) -> None:
    """Write a sentence to the log of this process."""
    sys.stderr.write(sentence + "\n")
