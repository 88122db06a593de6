"""Self-play as a method of the training loop: waves of games, the replay buffer, checkpoints."""

import itertools
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from meeple.executors.executor import Stop
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord, record_of
from meeple.learn.config import Config, at_progress
from meeple.learn.fit.learner import Losses, Update, training_settings
from meeple.learn.methods.method import Method
from meeple.learn.run.metrics import Reporter
from meeple.learn.run.run import NetworkRun
from meeple.learn.run.schema import RunState
from meeple.learn.selfplay.episode import Episode, Wave, total
from meeple.learn.workers.contract import SelfPlayWorkers, TrainingBackend

COMPARED_GAMES = 200  # previous games among which `Repeats` looks for an equal one


class SelfPlayMethod(Method[NetworkRun, Sequence[Wave]]):
    """Learn from games that the network plays against itself."""

    def __init__(
        self, run: NetworkRun, reporter: Reporter, stop: Stop, backend: TrainingBackend
    ) -> None:
        super().__init__(run, reporter, stop, backend)
        self._schedule = WaveSchedule(run.config, run.state)
        self._marks = checkpoint_marks(run.config)
        self._repeats = Repeats(run.game)
        self._before = run.state.episodes, run.state.seconds  # of the last batch's end
        self._records: list[GameRecord] = []  # of the batch

    def open(self) -> None:
        self._open.enter_context(training_settings(self.run.config))
        self.run.save_untrained()
        self._workers: SelfPlayWorkers = self._backend.selfplay(
            self.run, self._reporter, self._stop
        )
        self._open.callback(self._workers.close)

    def collect(self) -> Sequence[Wave] | None:
        players = self._workers.players
        while (wanted := players.wanted) and (waves := self._schedule.next(wanted)):
            players.submit(waves)
        return players.gather() or None

    def fit(self, batch: Sequence[Wave]) -> Losses:
        run, first = self.run, self.run.state.episodes
        self._before = first, run.state.seconds
        last = first + sum(len(wave.episodes) for wave in batch)
        trajectories = [one for wave in batch for one in wave.trajectories]
        training = run.config.training
        # If chance alone decided all games so far, there is nothing to learn from.
        is_empty = not (self._workers.stored_steps or trajectories)
        due = 0 if is_empty else _batches_due(training.batches, first, last)
        rate = at_progress(training.learning_rate, run.progress)
        return self._workers.learn(Update(first, last, due, rate), trajectories)

    def count(self, batch: Sequence[Wave]) -> None:
        run, self._records = self.run, []
        for wave in batch:
            records = [_record(run.game, one, wave, run.state.seconds) for one in wave.episodes]
            self._records += records
            run.state.count(wave.numbers)
        run.folder.append_games(run.state, self._records)

    def evaluate(self, save: Callable[[], None]) -> Mapping[str, float]:
        return self._workers.matches(self.run.state.seconds, save, at_end=self.run.is_over)

    def report(self, batch: Sequence[Wave], losses: Losses, figures: Mapping[str, float]) -> None:
        for record in self._records:
            self._reporter.game(record)
        super().report(batch, losses, figures)

    def metrics(self, batch: Sequence[Wave], losses: Losses) -> Mapping[str, float]:
        episodes = [episode for wave in batch for episode in wave.episodes]
        metrics = metrics_of(batch, losses, self._before[0], self._workers.stored_steps)
        return metrics | self._repeats.count(episodes)

    def must_save(self, batch: Sequence[Wave]) -> bool:
        is_due = self._is_mark_passed() or self._is_minute_passed()
        if is_due:
            self.run.save_network()
        return is_due

    def fetch(self) -> None:
        self._workers.fetch()

    def end(self) -> None:
        if self.run.timed_out:
            self.run.save_network()

    def _is_mark_passed(self) -> bool:
        """Return whether the batch passed a mark at which a checkpoint is due.

        Marks lie evenly over the episodes, or over the minutes if those may end the run.
        """
        run = self.run
        episodes, seconds = self._before
        if run.config.run.minutes is None:
            return any(episodes < mark <= run.state.episodes for mark in self._marks)
        parts = run.config.run.networks - 1
        before = math.floor(parts * run.progress_at(episodes, seconds))
        return math.floor(parts * run.progress) > before

    def _is_minute_passed(self) -> bool:
        """Return whether a checkpoint is due by `run.network_minutes`."""
        run = self.run
        if run.config.run.network_minutes is None:
            return False
        interval = 60 * run.config.run.network_minutes
        return run.state.seconds // interval > self._before[1] // interval


def _batches_due(batches: float, first: int, last: int) -> int:
    """Return the number of batches between two numbers of episodes, at `batches` an episode."""
    return math.floor(last * batches) - math.floor(first * batches)


def _record(game: Game, episode: Episode, wave: Wave, seconds: float) -> GameRecord:
    position = game.start(episode.seed)
    for action in episode.actions:
        position.play(action)
    seats = (wave.player,) * game.players
    notes = {"episode": episode.seed + 1} | wave.notes(seconds)
    return record_of(position, seats, episode.opening, notes)


def checkpoint_marks(config: Config) -> list[int]:
    """Return the numbers of episodes after which a checkpoint is due: evenly from 0 to the last."""
    run = config.run
    marks = {round(run.episodes * n / (run.networks - 1)) for n in range(run.networks)}
    return sorted(marks)


class WaveSchedule:
    """Divides the episodes that a run has not learned from into waves."""

    def __init__(self, config: Config, state: RunState) -> None:
        self._games = config.selfplay.games
        taught = min(config.taught, config.run.episodes)
        self._marks = sorted({*checkpoint_marks(config), taught})
        self._missing = deque(state.missing)
        self._top = state.top

    def next(self, waves: int) -> list[Sequence[int]]:
        """Return the episode numbers of the next `waves` waves, or of all that are left."""
        return list(itertools.islice(iter(self._wave, None), waves))

    def _wave(self) -> Sequence[int] | None:
        """Return the numbers of the next wave; None if none is left.

        It ends at the next mark, or with the teacher's last episode.
        """
        if self._missing:
            count = min(self._games, len(self._missing))
            return [self._missing.popleft() for _ in range(count)]
        first = self._top
        mark = next((mark for mark in self._marks if mark > first), first)
        self._top = min(first + self._games, mark)
        return range(first, self._top) if self._top > first else None


# ------------------------------------------------------------ metrics


def metrics_of(
    waves: Sequence[Wave], losses: Losses, before: int, stored_steps: int
) -> dict[str, float]:
    """Return the metrics of waves that were learned from together, by name.

    `before`: episodes learned from before the update; `stored_steps`: in the replay buffer.
    """
    episodes = [episode for wave in waves for episode in wave.episodes]
    count, timing = len(episodes), total([wave.timing for wave in waves])
    seconds = max(timing.total, 1e-9)
    plies = sum(len(episode.actions) - episode.opening for episode in episodes)
    payoffs = [episode.payoffs for episode in episodes]
    remote = {}
    if any(wave.worker for wave in waves):
        behind = sum((before - wave.generation) * len(wave.episodes) for wave in waves) / count
        remote = {"selfplay/behind": behind, "selfplay/waves": float(len(waves))}
    return {
        **losses.means,
        "selfplay/plies": plies / count,
        "selfplay/simulations_per_second": timing.simulations / seconds,
        "selfplay/evaluations_per_second": timing.evaluations / seconds,
        "selfplay/network_share": timing.network / seconds,
        "selfplay/first_player_share": float(np.mean([shares[0] for shares in payoffs])),
        "selfplay/drawn": float(np.mean([np.ptp(shares) == 0 for shares in payoffs])),
        "time/selfplay_seconds": timing.total,
        "time/learning_seconds": losses.seconds,
        "training/threads": float(losses.threads),
        "replay/cases": float(stored_steps),
        **remote,
    }


class Repeats:
    """Measures how often self-play repeats a recent game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._recent: deque[tuple[bytes, tuple[int, ...]]] = deque(maxlen=COMPARED_GAMES)

    def count(self, episodes: Sequence[Episode]) -> dict[str, float]:
        """Return the metric `selfplay/repeated`.

        It is the share of a wave's games that equal one of the last `COMPARED_GAMES` games.
        """
        equal = 0
        for episode in episodes:
            start = self._game.start(episode.seed).row.tobytes()  # the start may be random
            played = (start, tuple(episode.actions))
            equal += played in self._recent
            self._recent.append(played)
        return {"selfplay/repeated": equal / len(episodes)}
