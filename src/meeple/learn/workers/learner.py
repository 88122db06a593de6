"""A process that has the network in training."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from meeple.arena.remote import load_same_files
from meeple.learn.config import Config
from meeple.learn.fit.learner import Learner, network_and_optimizer
from meeple.learn.fit.trainer import trainer_of
from meeple.learn.fit.update import Lesson
from meeple.learn.workers.wire import cases_of_plain, config_of, minibatches_of_plain
from meeple.nets.trainer import Trainer
from meeple.nets.training import flushing_subnormals
from meeple.nets.training_state import restore_training_state, training_state

TARGET = "meeple.learn.workers.learner:make_learner"


def make_learner(arguments: Mapping[str, Any]) -> "RemoteLearner":
    """A learner, whose network is to be restored first: {"config", "files"}."""
    load_same_files(arguments["files"])
    return RemoteLearner(config_of(arguments["config"]))


class RemoteLearner:
    """A learner that is told its lessons bit by bit."""

    def __init__(self, config: Config) -> None:
        self._config, self._game = config, config.make_game()
        self._network, self._optimizer = network_and_optimizer(config, self._game)

    def restore(self, metadata: Mapping[str, Any], tensors: Mapping[str, Any]) -> None:
        """Go on from this network and optimizer; once, before all lessons."""
        copies = {name: array.copy() for name, array in tensors.items()}
        name = "the trainer's network"
        restore_training_state(name, metadata, copies, self._network, self._optimizer)
        self._trainer: Trainer = trainer_of(self._config, self._network, self._optimizer, say)
        self._learner = Learner(self._config, self._game, self._network, self._trainer)

    def begin(self, lesson: Mapping[str, Any], cases: Mapping[str, Any] | None) -> dict[str, float]:
        """Begin a lesson; gives what the network knows of some cases."""
        found = self._learner.judge([] if cases is None else [cases_of_plain(cases)])
        self._learner.begin(Lesson(**lesson))
        return found

    def learn(self, minibatches: Sequence[Mapping[str, Any]]) -> None:
        """Learn from some minibatches of the lesson."""
        with flushing_subnormals():
            self._learner.learn_part(minibatches_of_plain(minibatches))

    def end(self) -> dict[str, Any]:
        """What the lesson gave, and the network after it: {"means", "seconds", "threads",
        "tensors"}.
        """
        losses = self._learner.end()
        return {
            "means": dict(losses.means),
            "seconds": losses.seconds,
            "threads": losses.threads,
            "tensors": {name: array.copy() for name, array in self._tensors().items()},
        }

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Network and optimizer, as `restore` takes them."""
        metadata, tensors = training_state(self._network, self._trainer.optimizer)
        metadata = json.loads(json.dumps(metadata))  # as a file would hold it
        return metadata, {name: array.copy() for name, array in tensors.items()}

    def _tensors(self) -> Mapping[str, Any]:
        return self._network.weights.tensors


def say(sentence: str) -> None:
    """Write a sentence for the log of this process."""
    sys.stderr.write(sentence + "\n")
