"""Records of games as a method of the training loop: epochs of batches, held-out games.

A part of an epoch is one pass of the loop, after which figures are reported. A network is saved
only after an epoch with the lowest loss on the held-out games so far: the newest saved network is
the best one, and `policy:` and `puct:` play with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import ConfigError, Stopped
from meeple.executors.executor import Stop
from meeple.learn.config import Config, RecordsSection, at_progress
from meeple.learn.evaluation.matches import network_matches
from meeple.learn.fit.learner import (
    Learner,
    Losses,
    Update,
    evaluate_held_out,
    trainer_of,
    training_settings,
)
from meeple.learn.methods.method import Method
from meeple.learn.records.gathering import Gathered, Progress, store_records, stored_records
from meeple.learn.records.positions import (
    RecordBatches,
    RecordPositions,
    evaluate_records,
    positions_of,
)
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.run import NetworkRun
from meeple.learn.run.schema import MIN_IMPROVEMENT
from meeple.learn.selfplay.predictors import known_format
from meeple.nets.devices import CPU
from meeple.nets.inference import Predictor

MAX_HELD_OUT_POSITIONS = 20_000  # evaluated after an epoch
MAX_POSITIONS_PER_PART = 1024  # evaluated after a part of an epoch


def start_records_run(
    config: Config,
    folder: str | Path,
    files: Sequence[Path],
    stop: Stop = lambda: False,
    progress: Progress = lambda done, total: None,
) -> Gathered:
    """Make a run's folder with the games of files and a configuration with their number.

    Arguments and errors are those of `store_records`.

    Raises:
        RunError: the folder contains a run already.
        ConfigError: too few games can be learned from.
    """
    RunFolder(folder).refuse_existing()
    gathered = store_records(
        config.make_game(), files, Path(folder), config.game.options, stop, progress
    )
    settings = config.records or RecordsSection()
    learned = gathered.kept - held_out_games(settings, gathered.kept)
    if learned < 1:
        raise ConfigError(
            f"there is only {gathered.kept} game of {config.game.name} in these files: "
            "one is held out, and at least one more must be learned from"
        )
    run = config.run.model_copy(update={"episodes": settings.epochs * learned})
    settled = config.model_copy(update={"run": run, "records": settings})
    RunFolder(folder).create(settled)
    return gathered


def held_out_games(settings: RecordsSection, games: int) -> int:
    """Return the number of games that are held out, at least one."""
    return max(1, round(settings.held_out * games))


class Part(NamedTuple):
    """A part of an epoch, both counted from 0, with the run's episodes at its end."""

    epoch: int
    number: int
    episodes: int
    ends_epoch: bool


class RecordsMethod(Method[NetworkRun, Part]):
    """Learn from records of games in epochs of batches.

    The run counts games that it has learned from as episodes: each game once in each epoch. It
    ends after its last epoch, or once `records.patience` epochs in a row brought no improvement.
    """

    _is_open = False

    @property
    def is_over(self) -> bool:
        return self.run.is_over or self._has_stopped_improving

    @property
    def _settings(self) -> RecordsSection:
        return self.run.config.records or RecordsSection()

    @property
    def _has_stopped_improving(self) -> bool:
        return self.run.state.has_stopped_improving(self._settings.patience)

    def open(self) -> None:
        """Read the run's games, split off those held out, and make the learner."""
        self._open.enter_context(training_settings(self.run.config))
        self.run.save_untrained()
        if self.is_over:
            return
        run, settings = self.run, self._settings
        found, aside = self._read()
        self._held_out, self._learned = found.of_games(aside), found.of_games(~aside)
        if not (len(self._held_out) and len(self._learned)):
            raise ConfigError("there is too little to learn from: name more games, or longer ones")
        self._reporter.message(_words(found, aside, self._learned))
        self._held_out = _evenly(self._held_out, MAX_HELD_OUT_POSITIONS)
        self._games = int((~aside).sum())  # to learn from
        self._parts = min(settings.reports, self._games)  # of an epoch
        self._batches = RecordBatches(
            run.game,
            found,
            smoothing=settings.smoothing,
            symmetries=run.config.training.symmetries,
            targets=run.config.targets,
        )
        weights = run.network.weights
        self._predictor = Predictor(weights, known_format(run.state.format, weights, CPU))
        self._matches = network_matches(run, self._predictor)
        trainer = trainer_of(run.config, run.network, run.optimizer, self._reporter.message)
        run.optimizer = trainer.optimizer
        self._learner = Learner(run.config, run.game, run.network, trainer)
        self._is_open = True

    def _read(self) -> tuple[RecordPositions, npt.NDArray[np.bool_]]:
        """Return the positions of the run's games, and which games are held out."""
        run = self.run
        self._reporter.message("Reading the games")

        def check(games: int) -> None:
            if games % 64 == 0 and self._stop():
                raise Stopped

        records = stored_records(run.folder.path)
        found = positions_of(run.game, records, check)
        games = len(found.values)
        rng = np.random.default_rng((run.config.run.seed, games, 3))
        aside = np.zeros(games, dtype=np.bool_)
        aside[rng.permutation(games)[: held_out_games(self._settings, games)]] = True
        return found, aside

    def collect(self) -> Part | None:
        """Return the next part of an epoch."""
        games, done = self._games, self.run.state.episodes
        epoch = done // games
        for number in range(self._parts):
            episodes = epoch * games + (number + 1) * games // self._parts
            if episodes > done:
                return Part(epoch, number, episodes, number == self._parts - 1)
        raise AssertionError("an epoch has no part left")

    def fit(self, batch: Part) -> Losses:
        """Learn from a part of the positions, in the order of the epoch."""
        run, training = self.run, self.run.config.training
        seed, size = run.config.run.seed, len(self._learned)
        order = np.random.default_rng((seed, batch.epoch, 4)).permutation(self._learned)
        first, last = (number * size // self._parts for number in (batch.number, batch.number + 1))
        rows = order[first:last]
        rng = np.random.default_rng((seed, batch.epoch, batch.number, 5))
        firsts = range(0, len(rows), training.batch_size)
        batches = (
            self._batches.training(rows[first : first + training.batch_size], rng)
            for first in firsts
        )
        rate = at_progress(training.learning_rate, run.progress)
        update = Update(run.state.episodes, batch.episodes, len(firsts), rate)
        losses = self._learner.learn(update, batches, self._stop)
        self._predictor.refresh()
        held_out = self._batches.held_out(_evenly(self._held_out, MAX_POSITIONS_PER_PART)).batch
        return replace(losses, means={**losses.means, **evaluate_held_out(run.network, held_out)})

    def count(self, batch: Part) -> None:
        self.run.state.episodes = batch.episodes

    def gate(self, batch: Part) -> Mapping[str, float]:
        """After an epoch, save the network if its loss on the held-out games is the lowest yet."""
        run = self.run
        if not self.must_save(batch):
            return {}
        figures = evaluate_records(run.network, self._batches, self._held_out, self._stop)
        weight = run.config.training.value_weight
        loss = figures["records/policy"] + weight * figures.get("records/value", 0.0)
        if loss < min(run.state.held_out, default=np.inf) - MIN_IMPROVEMENT:
            run.save_network()
        run.state.held_out.append(loss)
        return figures

    def metrics(self, batch: Part, losses: Losses) -> Mapping[str, float]:
        return {
            **super().metrics(batch, losses),
            "training/threads": float(losses.threads),
            "replay/cases": float(len(self._learned)),
            "records/epoch": batch.epoch + 1.0,
        }

    def must_save(self, batch: Part) -> bool:
        """Return whether the held-out games are evaluated after this part."""
        return batch.ends_epoch or self.run.is_over

    def end(self) -> None:
        if self._is_open and self._has_stopped_improving:
            self._reporter.message(
                "The games held out were foreseen no better for "
                f"{self._settings.patience} epochs: it ends here"
            )


def _words(
    found: RecordPositions, aside: npt.NDArray[np.bool_], learned: npt.NDArray[np.int64]
) -> str:
    return (
        f"{len(learned):,} positions of {(~aside).sum():,} games to learn from, "
        f"{found.size - len(learned):,} of {aside.sum():,} games held out"
    )


def _evenly(rows: npt.NDArray[np.int64], limit: int) -> npt.NDArray[np.int64]:
    """Return every k-th row, at most `limit`."""
    return rows[:: -(-len(rows) // limit)]
