"""The training loop: self-play, replay buffer, minibatches, checkpoints.

`_train` is the whole of it on one page; each step is a function below, in the order of the loop.
"""

import math
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from meeple.errors import NetworkError, RunError, Stopped
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord, record_of
from meeple.learn.config import Config, at_progress
from meeple.learn.describe import documented
from meeple.learn.episode import Episode
from meeple.learn.replay import Cases
from meeple.learn.reporting import Losses, Reporter, Silent, metrics_of
from meeple.learn.run import Run, open_run, start_from
from meeple.learn.run_folder import CONFIG, RunFolder, holds_run
from meeple.learn.run_lock import sole_trainer
from meeple.learn.run_schema import RunState
from meeple.learn.selfplay import Stop, Wave, play_wave
from meeple.nets.inference import Predictor
from meeple.nets.training import flushing_subnormals, torch_threads, train_step

SAVE_SECONDS = 5.0  # least time between two saves of the state


def start_run(config: Config, folder: str | Path) -> None:
    """Make a run's folder with its configuration. Raises RunError where there is a run already."""
    RunFolder(folder).create(documented(config))


def train(
    folder: str | Path, reporter: Reporter | None = None, stop: Stop = lambda: False
) -> RunState:
    """Train a run from wherever it stands to its end, or until `stop` turns true.

    Returns where it stands then; all of it is saved, but for a wave that was stopped half way.
    Raises RunError or CheckpointError where the folder cannot be read or written, or another
    process trains that run, and NetworkError where the network's output is not finite; what was
    saved last stays whole.
    """
    if not holds_run(folder):
        raise RunError(f"{folder} holds no run: it has no {CONFIG}")
    with sole_trainer(folder):
        return _trained(Path(folder), reporter or Silent(), stop)


def _trained(folder: Path, reporter: Reporter, stop: Stop) -> RunState:
    config = RunFolder(folder).config()
    run = open_run(config, RunFolder(folder), reporter.message)
    # Two threads took 70 times as long for a small mlp's minibatch.
    threads = 1 if config.network.kind == "mlp" else torch.get_num_threads()
    with torch_threads(threads), flushing_subnormals():
        return _train(run, reporter, stop)


def _train(run: Run, reporter: Reporter, stop: Stop) -> RunState:
    """Wave after wave: play, learn, report, save."""
    if run.state.episodes == 0:
        _begin(run)
    marks = checkpoint_marks(run.config)
    predictors = [
        Predictor(run.network.weights, run.state.format) for _ in range(run.config.selfplay.workers)
    ]
    saved_at = time.perf_counter()
    began = saved_at - run.state.seconds
    while not run.is_over and not stop():
        try:
            wave = _play(run, predictors, _next_wave(run, marks), stop)
        except Stopped:
            break
        losses = _learn(run, wave, predictors)
        records = _count(run, wave)
        run.state.seconds = time.perf_counter() - began
        _report(run, wave, losses, records, reporter)
        at_mark = run.state.episodes in marks
        if at_mark:
            run.keep_network()
        if at_mark or time.perf_counter() - saved_at > SAVE_SECONDS:
            run.save()
            saved_at = time.perf_counter()
    if run.timed_out:
        run.keep_network()
    if run.unsaved.size:
        run.save()
    return run.state


def _begin(run: Run) -> None:
    """Keep the network that has learned nothing here."""
    if run.config.run.start:
        start_from(run.network, run.config.run.start, run.game)
    run.keep_network()
    run.save()


def checkpoint_marks(config: Config) -> list[int]:
    """After how many episodes a network is kept: evenly from 0 to the last."""
    run = config.run
    marks = {round(run.episodes * n / (run.networks - 1)) for n in range(run.networks)}
    return sorted(marks)


def _next_wave(run: Run, marks: Sequence[int]) -> range:
    """The numbers of the next wave's episodes, which go no further than the next mark."""
    first = run.state.episodes
    mark = next(mark for mark in marks if mark > first)
    return range(first, min(first + run.config.selfplay.games, mark))


def _play(run: Run, predictors: Sequence[Predictor], numbers: range, stop: Stop) -> Wave:
    """Self-play by the network as it is. Raises Stopped, and NetworkError where it diverged."""
    threads = torch.get_num_threads() if len(predictors) == 1 else 1  # workers have their own
    try:
        with torch_threads(threads):
            return play_wave(run.game, run.config, predictors, numbers, stop)
    except KeyboardInterrupt:
        if run.unsaved.size:
            run.save()
        raise
    except NetworkError as error:
        raise NetworkError(
            f"{error}: training diverged by episode {numbers[0]}, and {run.folder.path} stays as "
            "it was saved last; begin another run with a lower learning rate"
        ) from None


def _learn(run: Run, wave: Wave, predictors: Sequence[Predictor]) -> Losses:
    """Learn from the replay buffer, with the wave's cases in it; predictors follow the network."""
    run.remember(_cases(run.config, episode) for episode in wave.episodes if episode.moves)
    began = time.perf_counter()
    first, last = run.state.episodes, run.state.episodes + len(wave.episodes)
    training = run.config.training
    for group in run.optimizer.param_groups:
        group["lr"] = at_progress(training.learning_rate, first / run.config.run.episodes)
    due = math.floor(last * training.batches) - math.floor(first * training.batches)
    rng = np.random.default_rng((run.config.run.seed, first, 1))
    # Where chance alone decided all games so far, there is nothing to learn from.
    steps = [_step(run, rng) for _ in range(due if len(run.buffer) else 0)]
    for predictor in predictors:
        predictor.refresh()
    names = steps[0] if steps else ()
    means = {name: sum(losses[name] for losses in steps) / len(steps) for name in names}
    return Losses(means, time.perf_counter() - began)


def _cases(config: Config, episode: Episode) -> Cases:
    training = config.training
    rng = np.random.default_rng((config.run.seed, episode.seed, 2, 1))
    return episode.cases(training.search_value, training.surprise, rng)


def _step(run: Run, rng: np.random.Generator) -> dict[str, float]:
    """One update of the network by a random minibatch; its losses."""
    training = run.config.training
    batch = run.buffer.sample(training.batch_size, rng)
    return train_step(
        run.network,
        run.optimizer,
        batch.observations,
        batch.policies,
        batch.values if run.config.network.critic else None,
        batch.ownership if training.ownership else None,
        value_weight=training.value_weight,
        ownership_weight=training.ownership,
        max_gradient_norm=training.max_gradient_norm,
    )


def _count(run: Run, wave: Wave) -> list[GameRecord]:
    """Count a wave as played and learned from; its games, which the run's folder has now."""
    records = [_record(run.game, episode) for episode in wave.episodes]
    run.state.episodes += len(wave.episodes)
    run.folder.append_games(run.state, records)
    return records


def _record(game: Game, episode: Episode) -> GameRecord:
    position = game.start(episode.seed)
    for action in episode.actions:
        position.play(action)
    seats = ("self-play",) * game.players
    return record_of(position, seats, episode.opening, {"episode": episode.seed + 1})


def _report(
    run: Run, wave: Wave, losses: Losses, records: Sequence[GameRecord], reporter: Reporter
) -> None:
    for record in records:
        reporter.game(record)
    metrics = metrics_of(wave, losses, len(run.buffer))
    reporter.wave(run.state.episodes, run.state.seconds, metrics)
