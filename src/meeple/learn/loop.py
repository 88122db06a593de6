"""The training loop: self-play, replay buffer, minibatches, checkpoints.

`_train` is the whole of it on one page. Who plays and who learns is a crew's, which is in this
process or on a cluster; each step of the trainer is a function below, in the order of the loop.
"""

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from meeple.arena.lockstep import Stop
from meeple.errors import RunError, Stopped
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord, record_of
from meeple.learn.config import Config, at_progress
from meeple.learn.describe import documented
from meeple.learn.fit.update import Lesson, Losses, minibatches_due
from meeple.learn.run.folder import CONFIG, RunFolder, holds_run
from meeple.learn.run.lock import sole_trainer
from meeple.learn.run.reporter import Repeats, Reporter, Silent, metrics_of
from meeple.learn.run.run import Run, open_run, start_from
from meeple.learn.run.schema import RunState
from meeple.learn.selfplay.episode import Episode
from meeple.learn.selfplay.schedule import Allotment, checkpoint_marks
from meeple.learn.selfplay.wave import Arrival
from meeple.learn.workers.contract import Crew
from meeple.learn.workers.local import Here
from meeple.nets.training import flushing_subnormals, torch_threads

SAVE_SECONDS = 5.0  # least time between two saves of the state

MakeCrew = Callable[[Run, Reporter, Stop], Crew]
"""Makes those who play and learn, for a run, who is told of it, and what says to stop."""


def start_run(config: Config, folder: str | Path) -> None:
    """Make a run's folder with its configuration. Raises RunError where there is a run already."""
    RunFolder(folder).create(documented(config))


def crew_here(run: Run, reporter: Reporter, stop: Stop) -> Crew:
    """A crew in this process."""
    return Here(run, reporter, stop)


def train(
    folder: str | Path,
    reporter: Reporter | None = None,
    stop: Stop = lambda: False,
    make_crew: MakeCrew = crew_here,
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
        return _trained(Path(folder), reporter or Silent(), stop, make_crew)


def _trained(folder: Path, reporter: Reporter, stop: Stop, make_crew: MakeCrew) -> RunState:
    config = RunFolder(folder).config()
    if config.records:
        raise RunError(f"{folder} learns from records: go on with meeple train --resume")
    run = open_run(config, RunFolder(folder), reporter.message)
    # Two threads took 70 times as long for a small mlp's minibatch.
    threads = 1 if config.network.kind == "mlp" else torch.get_num_threads()
    with torch_threads(threads), flushing_subnormals():
        if run.state.episodes == 0:
            _begin(run)
        try:
            crew = make_crew(run, reporter, stop)
        except Stopped:
            return run.state
        try:
            return _train(run, crew, _Session(run, crew, reporter), stop)
        finally:
            crew.close()


def _train(run: Run, crew: Crew, session: "_Session", stop: Stop) -> RunState:
    """Again and again: play, learn from the waves that have come, report, save."""
    allotment = Allotment(run.config, run.state)
    while not run.is_over and not stop():
        try:
            while (wanted := crew.players.wanted) and (waves := allotment.next(wanted)):
                crew.players.submit(waves)
            arrivals = crew.players.gather()
        except Stopped:
            break
        except KeyboardInterrupt:
            session.save()
            raise
        if not arrivals:
            continue
        try:
            losses = session.learn(arrivals)
        except Stopped:
            return run.folder.standing()[0] or run.state  # what was half learned is not saved
        session.report(arrivals, losses)
    if run.timed_out:
        session.keep_network()
    session.save()
    return run.state


class _Session:
    """What a session of training keeps beside the run itself, which does not depend on it."""

    def __init__(self, run: Run, crew: Crew, reporter: Reporter) -> None:
        self._run, self._crew, self._reporter = run, crew, reporter
        self._marks = checkpoint_marks(run.config)
        self._repeats = Repeats(run.game)
        self._saved_at = time.perf_counter()
        self._began = self._saved_at - run.state.seconds

    def learn(self, arrivals: Sequence[Arrival]) -> Losses:
        """Learn from the replay buffer, with the cases of some waves in it. Raises Stopped."""
        run, first = self._run, self._run.state.episodes
        last = first + sum(len(arrival.episodes) for arrival in arrivals)
        cases = [one for arrival in arrivals for one in arrival.cases]
        training = run.config.training
        # Where chance alone decided all games so far, there is nothing to learn from.
        is_empty = not (self._crew.cases or cases)
        due = 0 if is_empty else minibatches_due(training.batches, first, last)
        rate = at_progress(training.learning_rate, run.progress)
        return self._crew.learn(Lesson(first, last, due, rate), cases)

    def report(self, arrivals: Sequence[Arrival], losses: Losses) -> None:
        """Count waves as played and learned from, tell of them, and save what is due."""
        run = self._run
        before, seconds = run.state.episodes, run.state.seconds
        records = _count(run, arrivals, self._seconds())
        run.state.seconds = self._seconds()
        matches = self._crew.matches(run.state.seconds, at_end=run.is_over)
        run.state.seconds = self._seconds()
        metrics = metrics_of(arrivals, losses, before, self._crew.cases)
        episodes = [episode for arrival in arrivals for episode in arrival.episodes]
        metrics |= {**self._repeats.count(episodes), **matches}
        for record in records:
            self._reporter.game(record)
        self._reporter.wave(run.state.episodes, run.state.seconds, metrics)
        if self._is_mark_passed(before, seconds) or _is_minute_to_keep(run, seconds):
            self.keep_network()
            self.save()
        elif time.perf_counter() - self._saved_at > SAVE_SECONDS:
            self.save()

    def _is_mark_passed(self, episodes: int, seconds: float) -> bool:
        """Whether a network is due, since the last wave ended after so many episodes and seconds.

        They lie evenly over the episodes, or over the minutes where those may end the run.
        """
        run = self._run
        if run.config.run.minutes is None:
            return any(episodes < mark <= run.state.episodes for mark in self._marks)
        parts = run.config.run.networks - 1
        before = math.floor(parts * run.progress_at(episodes, seconds))
        return math.floor(parts * run.progress) > before

    def keep_network(self) -> None:
        """Make a checkpoint of the network as it is now."""
        self._run.keep_network()

    def save(self) -> None:
        """Save everything, if anything is new."""
        if self._run.unsaved.size:
            self._crew.fetch()
            self._run.save()
        self._saved_at = time.perf_counter()

    def _seconds(self) -> float:
        return time.perf_counter() - self._began


def _begin(run: Run) -> None:
    """Keep the network that has learned nothing here."""
    if run.config.run.start:
        start_from(run.network, run.config.run.start, run.game)
    run.keep_network()
    run.save()


def _is_minute_to_keep(run: Run, before: float) -> bool:
    """Whether a network is due by the clock, which stood at `before` when the last wave ended."""
    if run.config.run.network_minutes is None:
        return False
    interval = 60 * run.config.run.network_minutes
    return run.state.seconds // interval > before // interval


def _count(run: Run, arrivals: Sequence[Arrival], seconds: float) -> list[GameRecord]:
    """Count waves as played and learned from; their games, which the run's folder has now."""
    records = []
    for arrival in arrivals:
        records += [_record(run.game, episode, arrival, seconds) for episode in arrival.episodes]
        run.state.count(arrival.numbers)
    run.folder.append_games(run.state, records)
    return records


def _record(game: Game, episode: Episode, arrival: Arrival, seconds: float) -> GameRecord:
    position = game.start(episode.seed)
    for action in episode.actions:
        position.play(action)
    seats = ("self-play",) * game.players
    notes = {"episode": episode.seed + 1} | arrival.notes(seconds)
    return record_of(position, seats, episode.opening, notes)
