"""The training loop that learns from records of games: epochs of minibatches, judged on others.

`_train` is the whole of it on one page. A run counts games that it has learned from as its
episodes: each game once in each epoch. A wave is a part of an epoch, after which figures are
written and all is saved, so that a run that is killed goes on with the same minibatches. A network
is kept only after an epoch that foresees the games held out better than any before: the newest one
kept is the best, and is what `policy:` and `puct:` play with.
"""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from meeple.arena.lockstep import Stop
from meeple.errors import ConfigError, RunError, Stopped
from meeple.learn.config import Config, RecordsSection, at_progress
from meeple.learn.contender import evaluated_network
from meeple.learn.describe import documented
from meeple.learn.inference import known_format
from meeple.learn.learner import PATIENCE
from meeple.learn.learning import examples_of, trainer_of
from meeple.learn.loop import SAVE_SECONDS
from meeple.learn.matches import Matches
from meeple.learn.records.gathering import Gathered, Progress, keep_records, kept_records
from meeple.learn.records.judging import evaluate_records
from meeple.learn.records.positions import Drawing, Positions, positions_of
from meeple.learn.reporting import Reporter, Silent
from meeple.learn.run import Run, open_run, start_from
from meeple.learn.run_folder import CONFIG, RunFolder, holds_run
from meeple.learn.run_lock import sole_trainer
from meeple.learn.run_schema import RunState
from meeple.learn.threads import LearningThreads
from meeple.learn.unseen import evaluate_held_out
from meeple.nets.devices import CPU
from meeple.nets.inference import Predictor
from meeple.nets.trainer import Trainer
from meeple.nets.training import flushing_subnormals, torch_threads

MOST_JUDGED = 20_000  # positions held out that an epoch is judged by
MOST_UNSEEN = 1024  # of them that a wave is judged by
BETTER = 1e-4  # nats by which a loss must fall to be lower


def start_records_run(
    config: Config,
    folder: str | Path,
    files: Sequence[Path],
    stop: Stop = lambda: False,
    progress: Progress = lambda done, total: None,
) -> Gathered:
    """Make a run's folder, with the games of files that it is to learn from.

    Its configuration then says how many episodes it has. Raises what `keep_records` does, and
    RunError where there is a run already.
    """
    if holds_run(folder):
        raise RunError(
            f"{folder} already holds a run; go on with --resume, or choose another folder"
        )
    gathered = keep_records(config.make_game(), files, Path(folder), stop, progress)
    settings = config.records or RecordsSection()
    learned = gathered.kept - held_out_games(settings, gathered.kept)
    if learned < 1:
        raise ConfigError(
            f"there is only {gathered.kept} game of {config.game.name} in these files: "
            "one is held out, and at least one more must be learned from"
        )
    run = config.run.model_copy(update={"episodes": settings.epochs * learned})
    settled = config.model_copy(update={"run": run, "records": settings})
    RunFolder(folder).create(documented(settled))
    return gathered


def held_out_games(settings: RecordsSection, games: int) -> int:
    """How many of so many games are held out: at least one."""
    return max(1, round(settings.held_out * games))


def train_on_records(
    folder: str | Path, reporter: Reporter | None = None, stop: Stop = lambda: False
) -> RunState:
    """Train a run from wherever it stands to its end, or until `stop` turns true; as `loop.train`.

    It ends after its last epoch, or once some epochs in a row have not made it better.
    """
    if not holds_run(folder):
        raise RunError(f"{folder} holds no run: it has no {CONFIG}")
    with sole_trainer(folder):
        return _trained(Path(folder), reporter or Silent(), stop)


def _trained(folder: Path, reporter: Reporter, stop: Stop) -> RunState:
    config = RunFolder(folder).config()
    run = open_run(config, RunFolder(folder), reporter.message)
    if run.is_over or _stands_still(run):
        return run.state
    threads = 1 if config.network.kind == "mlp" else torch.get_num_threads()
    with torch_threads(threads), flushing_subnormals():
        session = _begin_session(run, reporter, stop)
        if run.state.episodes == 0:
            _begin(run)
        trainer = trainer_of(run.config, run.network, run.optimizer, reporter.message)
        with contextlib.closing(trainer):
            run.optimizer = trainer.optimizer
            return _train(run, session, trainer, reporter, stop)


@dataclass(frozen=True)
class _Session:
    """What a session of training keeps beside the run itself, which does not depend on it."""

    drawing: Drawing
    learned: npt.NDArray[np.int64]  # rows of positions to learn from
    judged: npt.NDArray[np.int64]  # rows held out that an epoch is judged by
    games: int  # that are learned from
    parts: int  # waves of an epoch
    predictor: Predictor
    threads: LearningThreads
    matches: Matches


class _Part(NamedTuple):
    """A wave: a part of an epoch, both from 0, and the run's episodes when it is over."""

    epoch: int
    number: int
    episodes: int
    ends_epoch: bool


def _train(
    run: Run, session: _Session, trainer: Trainer, reporter: Reporter, stop: Stop
) -> RunState:
    """Wave after wave: learn, report, save; and after each epoch judge."""
    saved_at = time.perf_counter()
    began = saved_at - run.state.seconds
    for part in _parts(run, session):
        if run.is_over or _stands_still(run) or stop():
            break
        try:
            metrics = _learn(run, session, trainer, part, stop)
            run.state.episodes = part.episodes
            run.state.seconds = time.perf_counter() - began
            ends = part.ends_epoch or run.is_over
            metrics |= _judge(run, session, stop) if ends else {}
        except Stopped:
            return run.folder.standing()[0] or run.state  # what was half learned is not saved
        over = run.is_over or _stands_still(run)
        if ends or time.perf_counter() - saved_at > SAVE_SECONDS:
            run.save()
            saved_at = time.perf_counter()
        if session.matches.is_due(run.state.seconds, at_end=over):
            run.save()
            metrics |= session.matches.play(run.state.seconds, stop)
            run.state.seconds = time.perf_counter() - began
        metrics["records/epoch"] = part.epoch + 1.0
        reporter.wave(run.state.episodes, run.state.seconds, metrics)
    if run.state.training and run.state.episodes:
        run.save()
    if _stands_still(run):
        reporter.message(
            f"The games held out were foreseen no better for {_patience(run)} epochs: it ends here"
        )
    return run.state


def _begin_session(run: Run, reporter: Reporter, stop: Stop) -> _Session:
    """Read the games that the run keeps, and part those held out from the others."""
    settings = run.config.records or RecordsSection()
    reporter.message("Reading the games")

    def told(games: int) -> None:
        if games % 64 == 0 and stop():
            raise Stopped

    records = kept_records(run.folder.path)
    found = positions_of(run.game, records, run.config.cells(run.game), told)
    games = len(found.values)
    rng = np.random.default_rng((run.config.run.seed, games, 3))
    aside = np.zeros(games, dtype=np.bool_)
    aside[rng.permutation(games)[: held_out_games(settings, games)]] = True
    judged, learned = found.of_games(aside), found.of_games(~aside)
    if not (len(judged) and len(learned)):
        raise ConfigError("there is too little to learn from: name more games, or longer ones")
    reporter.message(_words(found, aside, learned))
    weights = run.network.weights
    predictor = Predictor(weights, known_format(run.state.format, weights, CPU))
    return _Session(
        drawing=Drawing(
            run.game,
            found,
            smoothing=settings.smoothing,
            symmetries=run.config.training.symmetries,
        ),
        learned=learned,
        judged=_evenly(judged, MOST_JUDGED),
        games=games - int(aside.sum()),
        parts=min(settings.reports, games - int(aside.sum())),
        predictor=predictor,
        threads=LearningThreads(run.config),
        matches=Matches(evaluated_network(run, predictor), run.config.matches, run.state.seconds),
    )


def _words(found: Positions, aside: npt.NDArray[np.bool_], learned: npt.NDArray[np.int64]) -> str:
    return (
        f"{len(learned):,} positions of {(~aside).sum():,} games to learn from, "
        f"{found.size - len(learned):,} of {aside.sum():,} games held out"
    )


def _evenly(rows: npt.NDArray[np.int64], most: int) -> npt.NDArray[np.int64]:
    """At most so many of some rows, from first to last."""
    return rows[:: -(-len(rows) // most)]


def _parts(run: Run, session: _Session) -> Iterator[_Part]:
    """The waves that come after where the run stands."""
    games, parts = session.games, session.parts
    epoch = run.state.episodes // games
    while True:
        for number in range(parts):
            episodes = epoch * games + (number + 1) * games // parts
            if episodes > run.state.episodes:
                yield _Part(epoch, number, episodes, number == parts - 1)
        epoch += 1


def _begin(run: Run) -> None:
    """Keep the network that has learned nothing here."""
    if run.config.run.start:
        start_from(run.network, run.config.run.start, run.game)
    run.keep_network()
    run.save()


def _learn(
    run: Run, session: _Session, trainer: Trainer, part: _Part, stop: Callable[[], bool]
) -> dict[str, float]:
    """Learn from a part of the positions, in the order of the epoch. Raises Stopped."""
    training, began = run.config.training, time.perf_counter()
    for group in run.optimizer.param_groups:
        group["lr"] = at_progress(training.learning_rate, run.progress)
    seed = run.config.run.seed
    order = np.random.default_rng((seed, part.epoch, 4)).permutation(session.learned)
    size, batch = len(order), training.batch_size
    rows = order[part.number * size // session.parts : (part.number + 1) * size // session.parts]
    rng = np.random.default_rng((seed, part.epoch, part.number, 5))
    threads = session.threads.choose()
    steps: list[dict[str, float]] = []
    firsts = range(0, len(rows), batch)
    with torch_threads(threads):
        for first in firsts:
            each = (time.perf_counter() - began) / len(steps) if steps else 0.0
            if (len(firsts) - len(steps)) * each > PATIENCE and stop():
                raise Stopped
            drawn = session.drawing.minibatch(rows[first : first + batch], rng)
            steps.append(trainer.step(examples_of(run.config, drawn)))
    trainer.finish()
    seconds = time.perf_counter() - began
    if steps:
        session.threads.note(threads, seconds / len(steps))
    session.predictor.refresh()
    names = steps[0] if steps else ()
    means = {f"loss/{name}": sum(losses[name] for losses in steps) / len(steps) for name in names}
    unseen = session.drawing.as_played(_evenly(session.judged, MOST_UNSEEN)).batch
    return {
        **means,
        **evaluate_held_out(run.network, unseen),
        "time/learning_seconds": seconds,
        "training/threads": float(threads),
        "replay/cases": float(len(session.learned)),
    }


def _judge(run: Run, session: _Session, stop: Stop) -> dict[str, float]:
    """Judge the network by the games held out, and keep it where it is better than all before."""
    figures = evaluate_records(run.network, session.drawing, session.judged, stop)
    weight = run.config.training.value_weight
    loss = figures["records/policy"] + weight * figures.get("records/value", 0.0)
    if loss < min(run.state.held_out, default=np.inf) - BETTER:
        run.keep_network()
    run.state.held_out.append(loss)
    return figures


def _stands_still(run: Run) -> bool:
    return stands_still(run.state.held_out, _patience(run))


def stands_still(losses: Sequence[float], patience: int) -> bool:
    """Whether the last epochs, `patience` of them, have all been no better than one before them."""
    if not patience or len(losses) <= patience:
        return False
    return min(losses[-patience:]) >= min(losses[:-patience]) - BETTER


def _patience(run: Run) -> int:
    return (run.config.records or RecordsSection()).patience
