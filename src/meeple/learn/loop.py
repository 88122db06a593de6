"""The training loop: self-play, replay buffer, minibatches, checkpoints.

`_train` is the whole of it on one page; each step is a function below, in the order of the loop.
"""

import contextlib
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from meeple.arena.lockstep import Stop
from meeple.errors import NetworkError, RunError, Stopped
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord, record_of
from meeple.learn.config import Config, at_progress
from meeple.learn.describe import documented
from meeple.learn.episode import Episode
from meeple.learn.inference import (
    device_for,
    predictors_of,
    refresh_all,
    saying_once,
    words_of,
)
from meeple.learn.learner import learner_of
from meeple.learn.learning import examples_of, trainer_of
from meeple.learn.matches import Matches
from meeple.learn.replay import Cases, as_minibatch, joined
from meeple.learn.reporting import Losses, Repeats, Reporter, Silent, metrics_of
from meeple.learn.run import Run, open_run, start_from
from meeple.learn.run_folder import CONFIG, RunFolder, holds_run
from meeple.learn.run_lock import sole_trainer
from meeple.learn.run_schema import RunState
from meeple.learn.selfplay import Watch, Wave, play_wave
from meeple.learn.threads import LearningThreads
from meeple.learn.unseen import judge_unseen
from meeple.nets.batching import Asked
from meeple.nets.devices import CPU
from meeple.nets.trainer import Trainer
from meeple.nets.training import flushing_subnormals, torch_threads

SAVE_SECONDS = 5.0  # least time between two saves of the state
PATIENCE = 1.0  # seconds that minibatches may still take once the run is to stop
MOST_UNSEEN = 512  # cases of a wave that the network is judged by before it learns from them


def start_run(config: Config, folder: str | Path) -> None:
    """Make a run's folder with its configuration. Raises RunError where there is a run already."""
    RunFolder(folder).create(documented(config))


def train(
    folder: str | Path, reporter: Reporter | None = None, stop: Stop = lambda: False
) -> RunState:
    """Train a run from wherever it stands to its end, or until `stop` turns true.

    Returns where it stands then; all of it is saved, but for a wave that was stopped half way, and
    where that was learned from already, for what came since the last save, seconds before.
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
    if config.records:
        raise RunError(f"{folder} learns from records: go on with meeple train --resume")
    run = open_run(config, RunFolder(folder), reporter.message)
    # Two threads took 70 times as long for a small mlp's minibatch.
    threads = 1 if config.network.kind == "mlp" else torch.get_num_threads()
    with torch_threads(threads), flushing_subnormals(), contextlib.ExitStack() as open_devices:
        return _train(run, reporter, stop, open_devices)


@dataclass(frozen=True)
class _Session:
    """What a session of training keeps beside the run itself, which does not depend on it."""

    predictors: Sequence[Asked]  # of the network in training, one for each worker
    trainer: Trainer
    threads: LearningThreads
    matches: Matches
    repeats: Repeats
    stop: Stop


def _train(
    run: Run, reporter: Reporter, stop: Stop, open_devices: contextlib.ExitStack
) -> RunState:
    """Wave after wave: play, learn, report, save."""
    if run.state.episodes == 0:
        _begin(run)
    marks = checkpoint_marks(run.config)
    session = _begin_session(run, reporter, stop, open_devices)
    saved_at = time.perf_counter()
    began = saved_at - run.state.seconds
    while not run.is_over and not stop():
        try:
            wave = _play(run, session.predictors, _next_wave(run, marks), stop, reporter.watch)
        except Stopped:
            break
        try:
            losses = _learn(run, wave, session)
        except Stopped:
            return run.folder.standing()[0] or run.state  # what was half learned is not saved
        records = _count(run, wave)
        before, run.state.seconds = run.state.seconds, time.perf_counter() - began
        matches = {}
        if session.matches.is_due(run.state.seconds, at_end=run.is_over):
            run.save()  # matches take a while, and may be broken off
            matches = session.matches.play(run.state.seconds, stop)
            run.state.seconds = time.perf_counter() - began
        metrics = metrics_of(wave, losses, len(run.buffer))
        metrics |= {**session.repeats.count(wave), **matches}
        for record in records:
            reporter.game(record)
        reporter.wave(run.state.episodes, run.state.seconds, metrics)
        is_kept = run.state.episodes in marks or _is_minute_to_keep(run, before)
        if is_kept:
            run.keep_network()
        if is_kept or time.perf_counter() - saved_at > SAVE_SECONDS:
            run.save()
            saved_at = time.perf_counter()
    if run.timed_out:
        run.keep_network()
    if run.unsaved.size:
        run.save()
    return run.state


def _begin_session(
    run: Run, reporter: Reporter, stop: Stop, open_devices: contextlib.ExitStack
) -> _Session:
    say = saying_once(reporter.message)
    trainer = trainer_of(run.config, run.network, run.optimizer, say)
    open_devices.enter_context(contextlib.closing(trainer))
    run.optimizer = trainer.optimizer
    play, format = run.config.selfplay, run.state.format
    device = device_for(play.device, run.config.network.kind, say)
    if device != CPU:
        say(words_of(device, format))
    predictors = open_devices.enter_context(
        predictors_of(
            run.network.weights,
            format,
            workers=play.workers,
            device=device,
            positions=play.games * run.config.search.leaves,
        )
    )
    return _Session(
        predictors=predictors,
        trainer=trainer,
        threads=LearningThreads(run.config),
        matches=Matches(learner_of(run, predictors[0]), run.config.matches, run.state.seconds),
        repeats=Repeats(run.game),
        stop=stop,
    )


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


def _play(
    run: Run, predictors: Sequence[Asked], numbers: range, stop: Stop, watch: Watch | None
) -> Wave:
    """Self-play by the network as it is. Raises Stopped, and NetworkError where it diverged."""
    threads = torch.get_num_threads() if len(predictors) == 1 else 1  # workers have their own
    try:
        with torch_threads(threads):
            return play_wave(run.game, run.config, predictors, numbers, stop, watch)
    except KeyboardInterrupt:
        if run.unsaved.size:
            run.save()
        raise
    except NetworkError as error:
        raise NetworkError(
            f"{error}: training diverged by episode {numbers[0]}, and {run.folder.path} stays as "
            "it was saved last; begin another run with a lower learning rate"
        ) from None


def _is_minute_to_keep(run: Run, before: float) -> bool:
    """Whether a network is due by the clock, which stood at `before` when the last wave ended."""
    if run.config.run.network_minutes is None:
        return False
    interval = 60 * run.config.run.network_minutes
    return run.state.seconds // interval > before // interval


def _learn(run: Run, wave: Wave, session: _Session) -> Losses:
    """Learn from the replay buffer, with the wave's cases in it; predictors follow the network.

    Raises Stopped where the run is to stop and minibatches would take longer than `PATIENCE`.
    """
    cases = [_cases(run.config, episode) for episode in wave.episodes if episode.moves]
    unseen = _judge_unseen(run, cases)
    run.remember(cases)
    began = time.perf_counter()
    first, last = run.state.episodes, run.state.episodes + len(wave.episodes)
    training = run.config.training
    for group in run.optimizer.param_groups:
        group["lr"] = at_progress(training.learning_rate, run.progress)
    due = math.floor(last * training.batches) - math.floor(first * training.batches)
    rng = np.random.default_rng((run.config.run.seed, first, 1))
    # Where chance alone decided all games so far, there is nothing to learn from.
    due = due if len(run.buffer) else 0
    threads = session.threads.choose()
    steps: list[dict[str, float]] = []
    with torch_threads(threads):
        for left in range(due, 0, -1):
            each = (time.perf_counter() - began) / len(steps) if steps else 0.0
            if left * each > PATIENCE and session.stop():
                raise Stopped
            steps.append(_step(run, session.trainer, rng))
    session.trainer.finish()
    seconds = time.perf_counter() - began
    if steps:
        session.threads.note(threads, seconds / len(steps))
    refresh_all(session.predictors)
    names = steps[0] if steps else ()
    means = {f"loss/{name}": sum(losses[name] for losses in steps) / len(steps) for name in names}
    return Losses(means | unseen, seconds, threads)


def _judge_unseen(run: Run, cases: Sequence[Cases]) -> dict[str, float]:
    """What the network knows of a wave's cases, or of some of them, before it learns from them."""
    if not cases:
        return {}
    every = sum(one.size for one in cases) // MOST_UNSEEN + 1
    some = [one.map(lambda array: array[::every]) for one in cases]
    return judge_unseen(run.network, as_minibatch(run.game, joined(some)))


def _cases(config: Config, episode: Episode) -> Cases:
    training = config.training
    rng = np.random.default_rng((config.run.seed, episode.seed, 2, 1))
    return episode.cases(training.search_value, training.surprise, rng, discount=training.discount)


def _step(run: Run, trainer: Trainer, rng: np.random.Generator) -> dict[str, float]:
    """One update of the network by a random minibatch; its losses."""
    batch = run.buffer.sample(run.config.training.batch_size, rng)
    return trainer.step(examples_of(run.config, batch))


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
