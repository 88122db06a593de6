"""The training loop: self-play, replay buffer, minibatches, checkpoints; saved and resumed.

Everything random is drawn from generators seeded by the run's seed and the number of episodes
played, so a run that was killed goes on exactly as it would have.
"""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

from meeple.agents.networks import find_checkpoint
from meeple.errors import CheckpointError, NetworkError, RunError
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord, record_of
from meeple.learn.config import Config, at_progress, load_config
from meeple.learn.describe import documented
from meeple.learn.episode import Episode
from meeple.learn.replay import Cases, ReplayBuffer, empty_cases
from meeple.learn.run_folder import CONFIG, GAMES, STATE, TRAINING, RunFolder, RunState
from meeple.learn.selfplay import Timing, play_wave
from meeple.nets.checkpoint import check_shapes, load, set_weights, weights
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from meeple.nets.training import optimizer, train_step
from meeple.nets.training_state import load_training_state, save_training_state

SAVE_SECONDS = 5.0  # least time between two saves of the state


class Reporter(Protocol):
    """Who is told how a run goes."""

    def message(self, text: str) -> None:
        """A sentence, such as what was found on resume."""
        ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None:
        """A wave was played and learned from; `episodes` and `seconds` count from the start."""
        ...

    def game(self, record: GameRecord) -> None:
        """An episode of the wave, before `wave`."""
        ...


class Silent:
    """Tells nobody."""

    def message(self, text: str) -> None: ...

    def wave(self, episodes: int, seconds: float, metrics: dict[str, float]) -> None: ...

    def game(self, record: GameRecord) -> None: ...


def start_run(config: Config, folder: str | Path) -> None:
    """Make a run's folder with its configuration. Raises RunError where there is a run already."""
    RunFolder(folder).create(documented(config))


def train(
    folder: str | Path,
    reporter: Reporter | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> RunState:
    """Train a run from wherever it stands to its end, or until `stop` turns true.

    Returns where it stands then; all of it is saved. Raises RunError or CheckpointError where the
    folder cannot be read or written, and NetworkError where the network's output is not finite;
    what was saved last stays whole.
    """
    if not (Path(folder) / CONFIG).exists():
        raise RunError(f"{folder} holds no run: it has no {CONFIG}")
    config = load_config(Path(folder) / CONFIG)
    return _Run(config, RunFolder(folder), reporter or Silent(), stop).go()


class _Run:
    """A run in memory."""

    def __init__(
        self, config: Config, folder: RunFolder, reporter: Reporter, stop: Callable[[], bool]
    ) -> None:
        self.config, self.folder, self.reporter, self.stop = config, folder, reporter, stop
        self.game: Game = config.make_game()
        self.game.rules  # noqa: B018  # compiled here, before any worker starts
        self.architecture = config.architecture(self.game)
        self._fresh()
        self._restore()

    # ------------------------------------------------------------ where it stands

    def _fresh(self) -> None:
        """The run as it is before its first episode."""
        training = self.config.training
        self.network = ActorNetwork(self.architecture, seed=self.config.run.seed)
        self.optimizer = optimizer(
            training.optimizer,
            self.network.parameters(),
            learning_rate=at_progress(training.learning_rate, 0.0),
            weight_decay=training.weight_decay,
            momentum=training.momentum,
        )
        cells = self.config.cells(self.game)
        self.none = empty_cases(self.game, cells)
        self.buffer = ReplayBuffer(
            self.game, self.config.replay.capacity, training.symmetries, cells=cells
        )
        self.unsaved = self.none
        self.state = RunState(format=self._choose_format())

    def _choose_format(self) -> str:
        wanted = self.config.selfplay.format
        play = self.config.selfplay
        batch = max(1, play.games // play.workers) * self.config.search.leaves
        return Predictor(self.network, wanted, batch=batch).format

    def _restore(self) -> None:
        """Take up the newest state that is whole, and say so where it is not the newest."""
        self.folder.clean()
        problems = []
        for name, state in self.folder.load_states():
            if isinstance(state, str):
                problems.append(state)
                continue
            try:
                self._load(state)
            except CheckpointError as error:
                problems.append(str(error))
                self._fresh()
                continue
            if name != STATE:
                self.folder.fall_back()
            if problems:
                self.reporter.message(
                    f"{'; '.join(problems)}: going on from {name}, at episode {state.episodes}"
                )
            if self.folder.lost_games(state):
                self.reporter.message(f"{GAMES} lacks games of the past: going on without them")
            return
        if problems:
            raise RunError(f"cannot resume {self.folder.path}: {'; '.join(problems)}")

    def _load(self, state: RunState) -> None:
        if state.training:
            path = self.folder.path / TRAINING / state.training
            load_training_state(path, self.network, self.optimizer)
        for name, expected in zip(state.replay, state.cases, strict=True):
            cases = self.folder.load_cases(name)
            fits = cases.observations.shape[1:] == self.unsaved.observations.shape[1:]
            if cases.size != expected or not fits:
                raise CheckpointError(f"{name} holds other cases than the run's state says")
            self.buffer.add(cases)
        self.state = state

    def _save(self) -> None:
        """Save everything; the state file comes last."""
        state = self.state
        self.folder.save_cases(state, self.unsaved, self.config.replay.capacity)
        self.unsaved = self.none
        state.training = f"{state.episodes:08d}.safetensors"
        save_training_state(
            self.folder.path / TRAINING / state.training, self.network, self.optimizer
        )
        self.folder.save_state(state)
        self.saved_at = time.perf_counter()

    # ------------------------------------------------------------ the loop

    def go(self) -> RunState:
        """Wave after wave to the end."""
        threads = torch.get_num_threads()
        if self.config.network.kind == "mlp":
            torch.set_num_threads(1)  # two took 70 times as long for a small mlp's minibatch
        try:
            return self._go()
        finally:
            torch.set_num_threads(threads)

    def _go(self) -> RunState:
        marks = checkpoint_marks(self.config)
        self.saved_at = time.perf_counter()
        if self.state.episodes == 0 and self.config.run.start:
            start_from(self.network, self.config.run.start, self.game)
        self._make_predictors()
        if self.state.episodes == 0:
            self._checkpoint()
            self._save()
        began = time.perf_counter() - self.state.seconds
        while self.state.episodes < self.config.run.episodes:
            limit = self.config.run.minutes
            if self.stop() or (limit and self.state.seconds >= 60 * limit):
                break
            mark = next(m for m in marks if m > self.state.episodes)
            size = min(self.config.selfplay.games, mark - self.state.episodes)
            self._wave(size)
            self.state.seconds = time.perf_counter() - began
            self._report()
            at_mark = self.state.episodes == mark
            if at_mark:
                self._checkpoint()
            if at_mark or time.perf_counter() - self.saved_at > SAVE_SECONDS:
                self._save()
        self._finish()
        return self.state

    def _finish(self) -> None:
        limit = self.config.run.minutes
        timed_out = limit and self.state.seconds >= 60 * limit
        if timed_out:
            self._checkpoint()
        if self.unsaved.size:
            self._save()

    def _make_predictors(self) -> None:
        self.predictors = [
            Predictor(self.network, self.state.format) for _ in range(self.config.selfplay.workers)
        ]

    def _wave(self, size: int) -> None:
        """Play a wave of episodes, and learn from the buffer it grows."""
        first = self.state.episodes
        threads = torch.get_num_threads()
        if len(self.predictors) > 1:
            torch.set_num_threads(1)
        try:
            episodes, self.timing = play_wave(
                self.game, self.config, list(self.predictors), range(first, first + size), self.stop
            )
        except KeyboardInterrupt:
            if self.unsaved.size:
                self._save()
            raise
        except NetworkError as error:
            raise NetworkError(
                f"{error}: training diverged by episode {first}, and {self.folder.path} stays as "
                "it was saved last; begin another run with a lower learning rate"
            ) from None
        finally:
            torch.set_num_threads(threads)
        searched = [self._cases(episode) for episode in episodes if episode.moves]
        cases = _joined([self.none, *searched])  # none where chance alone decided
        self.buffer.add(cases)
        self.unsaved = _joined([self.unsaved, cases])
        self.episodes = episodes
        began = time.perf_counter()
        self.losses = self._learn(first, size)
        self.learning_seconds = time.perf_counter() - began
        self.state.episodes += size
        records = [self._record(episode) for episode in episodes]
        self.folder.append_games(self.state, records)
        for record in records:
            self.reporter.game(record)

    def _cases(self, episode: Episode) -> Cases:
        training = self.config.training
        rng = np.random.default_rng((self.config.run.seed, episode.seed, 2, 1))
        return episode.cases(training.search_value, training.surprise, rng)

    def _learn(self, first: int, size: int) -> dict[str, float]:
        """The minibatches due after these episodes; the mean losses."""
        training = self.config.training
        rate = at_progress(training.learning_rate, first / self.config.run.episodes)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        due = math.floor((first + size) * training.batches) - math.floor(first * training.batches)
        rng = np.random.default_rng((self.config.run.seed, first, 1))
        sums: dict[str, float] = {}
        for _ in range(due if len(self.buffer) else 0):
            batch = self.buffer.sample(training.batch_size, rng)
            losses = train_step(
                self.network,
                self.optimizer,
                batch.observations,
                batch.policies,
                batch.values if self.config.network.critic else None,
                batch.ownership if training.ownership else None,
                value_weight=training.value_weight,
                ownership_weight=training.ownership,
                max_gradient_norm=training.max_gradient_norm,
            )
            for name, loss in losses.items():
                sums[name] = sums.get(name, 0.0) + loss
        for predictor in self.predictors:
            predictor.refresh()
        return {name: total / due for name, total in sums.items()}

    def _checkpoint(self) -> None:
        self.folder.save_checkpoint(
            self.network,
            self.game,
            self.state.episodes,
            {"seconds": round(self.state.seconds, 1), "mode": self.config.search.mode},
        )

    def _record(self, episode: Episode) -> GameRecord:
        position = self.game.start(episode.seed)
        for action in episode.actions:
            position.play(action)
        seats = ("self-play",) * self.game.players
        return record_of(position, seats, episode.opening, {"episode": episode.seed + 1})

    def _report(self) -> None:
        timing: Timing = self.timing
        plies = sum(len(episode.actions) - episode.opening for episode in self.episodes)
        metrics: dict[str, Any] = {
            **{f"loss/{name}": value for name, value in self.losses.items()},
            "selfplay/plies": plies / len(self.episodes),
            "selfplay/simulations_per_second": timing.simulations / max(timing.total, 1e-9),
            "selfplay/evaluations_per_second": timing.evaluations / max(timing.total, 1e-9),
            "selfplay/network_share": timing.network / max(timing.total, 1e-9),
            "selfplay/first_player_share": float(
                np.mean([episode.payoffs[0] for episode in self.episodes])
            ),
            "time/selfplay_seconds": timing.total,
            "time/learning_seconds": self.learning_seconds,
            "replay/cases": float(len(self.buffer)),
        }
        self.reporter.wave(self.state.episodes, self.state.seconds, metrics)


def start_from(network: ActorNetwork, path: str, game: Game) -> None:
    """Give a network the weights of another: a file, a run's newest, or one that ships.

    Raises CheckpointError where that cannot be read, plays another game or has another shape.
    """
    found = find_checkpoint(path)
    other = load(found, game=game.name).network
    expected = {name: value.shape for name, value in weights(network).items()}
    check_shapes(found, weights(other), expected)
    set_weights(network, weights(other))


def checkpoint_marks(config: Config) -> list[int]:
    """After how many episodes a network is kept: evenly from 0 to the last."""
    run = config.run
    marks = {round(run.episodes * n / (run.networks - 1)) for n in range(run.networks)}
    return sorted(marks)


def _joined(parts: list[Cases]) -> Cases:
    return Cases(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
